/// What must be true of every run, whatever goes wrong and whoever lies; by number as the protocol
/// has them.
package enum Invariant: Int, Sendable, CaseIterable {
  /// No two honest nodes show different blocks at one height, nor skip one, while the liars of the
  /// epoch are no more than it bears.
  case agreement = 1
  /// What was shown as settled is never contradicted by what is shown as settled.
  case settled = 2
  /// No honest key contradicts itself, over all of its lives.
  case exclusiveVotes = 3
  /// Nothing is signed or sent before what it rests on is durable.
  case durableBeforeSent = 4
  /// In one view of an epoch one block at most could be notarized, and none finalized beside a
  /// nullification.
  case oneBlockPerView = 5
  /// Every final block is valid, and all nodes have the state that it says.
  case validBlocks = 6
  /// Each entry is in the log once, and each author's without a gap.
  case entriesOnce = 7
  /// Whoever split the log is named by all who see both halves, and nobody honest ever is.
  case culprits = 8
  /// Epochs follow one another alike on all nodes.
  case epochChain = 9
  /// When all is mended, all honest nodes come to one tip.
  case converges = 10
  /// An honest entry is final within n + 2 views of good leaders.
  case entriesInTime = 11
  /// While nobody acts nobody says anything, and no timer runs.
  case idle = 12
  /// Who can not reach a quorum is quiet.
  case quietMinority = 13
  /// Memory and log grow with what happened and with nothing else.
  case bounded = 14
  /// What is read back from the disk is what was there.
  case replay = 15
  /// One seed, one trace.
  case repeatable = 17
  /// No bytes from outside end a program.
  case survivesBytes = 18

  /// Its name in reports.
  package var name: String {
    switch self {
    case .agreement: "agreement"
    case .settled: "settled for good"
    case .exclusiveVotes: "exclusive votes"
    case .durableBeforeSent: "durable before sent"
    case .oneBlockPerView: "one block per view"
    case .validBlocks: "valid blocks"
    case .entriesOnce: "each entry once"
    case .culprits: "culprits named"
    case .epochChain: "one chain of epochs"
    case .converges: "one tip"
    case .entriesInTime: "entries in time"
    case .idle: "idle is silent"
    case .quietMinority: "minority is quiet"
    case .bounded: "bounded"
    case .replay: "replay is the same"
    case .repeatable: "repeatable"
    case .survivesBytes: "survives bytes"
    }
  }
}

/// An invariant that was broken, and when.
package struct Failure: Error, Hashable, Sendable, CustomStringConvertible {
  package let invariant: Invariant
  package let detail: String
  package let time: UInt64

  /// Names what was seen.
  package init(_ invariant: Invariant, _ detail: String, at time: UInt64) {
    self.invariant = invariant
    self.detail = detail
    self.time = time
  }

  package var description: String {
    "\(invariant.rawValue) (\(invariant.name)) at \(time) ms: \(detail)"
  }
}
