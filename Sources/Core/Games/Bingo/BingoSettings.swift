package import CBOR

/// The house rules of a bingo table.
package struct BingoSettings: Hashable, Sendable {
  /// What happens on the boards when a claim is accepted (PRODUCT decision 1).
  package enum Marking: String, Sendable, CaseIterable, Encodable {
    /// The finders' tiles are marked; on every other board the tile waits for a tap.
    case tap
    /// The tile is marked on every board.
    case everyone
    /// The tile is marked on the finders' boards only.
    case finder
  }

  /// Who decides on a claim (PRODUCT B15, decision 4).
  package enum Voting: String, Sendable, CaseIterable, Encodable {
    /// More than half of those present.
    case majority
    /// One other person is enough.
    case anyone
    /// No vote: a claim is believed.
    case honour
  }

  /// Boards are `size` by `size`.
  package var size: Int
  /// For how long the table has met: 15, 30 or 60.
  package var minutes: Int
  package var marking: Marking
  package var voting: Voting

  /// Sizes that are dealt.
  package static let sizes = 3...5
  /// Lengths that can be chosen.
  package static let lengths = [15, 30, 60]

  /// Names the house rules.
  package init(
    size: Int, minutes: Int, marking: Marking = .tap, voting: Voting = .majority
  ) {
    self.size = size
    self.minutes = minutes
    self.marking = marking
    self.voting = voting
  }

  /// Words without which no board can be filled.
  package var need: Int { size * size }

  /// Words the boards of `players` seats are drawn from (PRODUCT 6.3), never more than `words`.
  ///
  /// The three lengths have their own sizes; with another size for a length it is 1.6 words a
  /// tile, rounded up.
  package func pool(words: Int, players: Int) -> Int { min(words, advised(players: players)) }

  /// Words of which a table of `players` makes full use.
  package func advised(players: Int) -> Int {
    switch (minutes, size) {
    case (15, 3): players >= 8 ? 16 : 12
    case (30, 4): players >= 8 ? 32 : 24
    case (60, 5): players >= 8 ? 60 : players >= 4 ? 50 : 40
    default: (need * 16 + 9) / 10
    }
  }

  /// Reads `[size, minutes, marking, voting]`.
  package init(_ item: CBOR) throws(DecodeError) {
    let parts = try item.array("settings", exactly: 4)
    size = try parts[0].int("settings.size", in: BingoSettings.sizes)
    minutes = try parts[1].int("settings.minutes")
    guard BingoSettings.lengths.contains(minutes) else { throw .outOfRange("settings.minutes") }
    guard let marking = Marking(rawValue: try parts[2].text("settings.marking", maximum: 16))
    else { throw .unknownKind("settings.marking") }
    guard let voting = Voting(rawValue: try parts[3].text("settings.voting", maximum: 16))
    else { throw .unknownKind("settings.voting") }
    self.marking = marking
    self.voting = voting
  }

  /// `[size, minutes, marking, voting]`.
  package var cbor: CBOR {
    [CBOR(size), CBOR(minutes), .text(marking.rawValue), .text(voting.rawValue)]
  }
}
