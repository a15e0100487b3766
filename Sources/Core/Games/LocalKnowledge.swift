package import CBOR
package import Wire

/// What only this laptop knows about a running game: it completes a view and is no part of the log.
package struct LocalKnowledge: Sendable {
  /// A claim that can still be taken back.
  package struct Undo: Sendable {
    package let tile: Int
    package let leftMs: UInt64

    /// Names the tile and the time that is left.
    package init(tile: Int, leftMs: UInt64) {
      self.tile = tile
      self.leftMs = leftMs
    }
  }

  /// Time that is left of an open limit.
  package struct Left: Sendable {
    package let deadline: GameDeadline
    package let milliseconds: UInt64

    /// Pairs a limit with the time that is left of it.
    package init(_ deadline: GameDeadline, milliseconds: UInt64) {
      self.deadline = deadline
      self.milliseconds = milliseconds
    }
  }

  /// Own claims within their two seconds.
  package var undo: [Undo] = []
  /// Own moves on their way, in their order.
  package var pending: [CBOR] = []
  /// Open limits of time.
  package var left: [Left] = []
  /// Ages of heights of the log, ascending; heights from before the start of the node are missing.
  package var ages: [(height: UInt64, milliseconds: UInt64)] = []
  /// How long ago the boards were dealt; nil before that, or from before the start.
  package var played: UInt64?
  /// How long a denied word rests.
  package var denialRest: UInt64 = 0
  /// Words merged when the list was made here.
  package var duplicates = 0

  /// Nothing known.
  package init() {}

  /// How long ago the entries of a height became final here; nil from before the start.
  package func age(of place: LogPlace) -> UInt64? {
    ages.last { $0.height == place.height }?.milliseconds
  }

  /// Time left of the limit of a kind and subject.
  package func left(_ kind: String, _ subject: UInt64) -> UInt64? {
    left.first { $0.deadline.kind == kind && $0.deadline.subject == subject }?.milliseconds
  }
}
