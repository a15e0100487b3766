internal import Consensus
package import Wire

/// A way to lie, played by one node with its own keys and no others.
///
/// Beneath a liar runs an ordinary replica, so that it knows where the table stands and what to say
/// when it chooses to be honest. The liar decides what of that reaches whom, what its replica gets
/// to hear, and what is said besides.
package protocol Liar: Sendable {
  /// Which lie it is, for the command line and the table of results.
  var kind: LiarKind { get }
  /// What one node gets to hear in place of what the replica would say to it.
  mutating func says(
    _ message: TableMessage, to other: Int, in scene: inout Scene
  ) -> [TableMessage]
  /// Whether the own replica may hear a message.
  mutating func hears(_ message: TableMessage, from other: Int, in scene: inout Scene) -> Bool
  /// What is said of its own accord, every so often, and to whom.
  mutating func acts(in scene: inout Scene) -> [Lie]
}

/// Something a liar says of its own accord.
package struct Lie: Sendable {
  package let message: TableMessage
  /// The number of the node that hears it.
  package let other: Int

  /// Tells one node something.
  package init(_ message: TableMessage, to other: Int) {
    self.message = message
    self.other = other
  }
}

extension Liar {
  package mutating func says(
    _ message: TableMessage, to other: Int, in scene: inout Scene
  ) -> [TableMessage] { [message] }

  package mutating func hears(
    _ message: TableMessage, from other: Int, in scene: inout Scene
  ) -> Bool { true }

  package mutating func acts(in scene: inout Scene) -> [Lie] { [] }
}

/// The lies there are; the raw value is how the command line names one.
package enum LiarKind: String, Sendable, CaseIterable {
  /// One key on two nodes, each honest to its own half of the table.
  case twins
  /// As leader two blocks in one view, and a vote for each.
  case equivocator
  /// Proposals and certificates for some and not for others.
  case withholder
  /// Votes for some and not for others.
  case selective
  /// Nullifies whatever view it is, beside its other votes.
  case nullifier
  /// As leader empty blocks without end.
  case emptier
  /// Says old things again, and gives own votes to epochs that never were.
  case replayer
  /// Blocks whose justification proves nothing.
  case misjustifier
  /// Blocks with entries, deadlines, states and seals that can not stand.
  case cheat
  /// Everything it ever saw, again and again, and answers that nobody asked for.
  case flooder
  /// A made-up past for those who come late.
  case forger
  /// As leader a block for some and a nullify for the others, and finalize votes that come late.
  case turncoat

  /// One that is about to begin.
  package func makeLiar() -> any Liar {
    switch self {
    case .twins: Twin(half: 0)
    case .equivocator: Equivocator()
    case .withholder: Withholder()
    case .selective: SelectiveVoter()
    case .nullifier: Nullifier()
    case .emptier: Emptier()
    case .replayer: Replayer()
    case .misjustifier: Misjustifier()
    case .cheat: Cheat()
    case .flooder: Flooder()
    case .forger: Forger()
    case .turncoat: Turncoat()
    }
  }
}
