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
    /// Everybody present; one denial is enough against it.
    case unanimous
    /// No vote: a claim is believed.
    case honour
  }

  /// What a player must have marked to win (PRODUCT 6.3).
  package enum Pattern: String, Sendable, CaseIterable, Encodable {
    /// A row or a column.
    case lines
    /// A row, a column or a diagonal.
    case diagonals
    /// The four corners.
    case corners
    /// Both diagonals.
    case cross
    /// Every tile at the edge.
    case frame
    /// The whole board.
    case blackout
  }

  /// How a word that somebody suggests gets into the list (PRODUCT B20, B22).
  package enum Suggesting: String, Sendable, CaseIterable, Encodable {
    /// At once.
    case anyone
    /// When the creator takes it.
    case creator
    /// When half of those at the table want it.
    case half
  }

  /// What somebody without a seat who looks on may see (PRODUCT X6).
  package enum Watching: String, Sendable, CaseIterable, Encodable {
    /// Nobody may look on.
    case nobody
    /// What happens and how far each has come, and no boards.
    case progress
    /// The boards too.
    case boards
  }

  /// Boards are `size` by `size`.
  package var size: Int
  /// For how long the table has met: 15, 30 or 60.
  package var minutes: Int
  package var marking: Marking
  package var voting: Voting
  package var pattern: Pattern
  /// The tile in the middle holds no word and is marked from the start; only where there is a middle.
  package var freeCentre: Bool
  /// Play goes on until so many have completed the pattern.
  package var places: Int
  /// How words are taken that are suggested in the lobby.
  package var suggesting: Suggesting
  /// Whether somebody may take a seat while the game is played (PRODUCT X4).
  package var latecomers: Bool
  /// What those see who look on.
  package var watching: Watching

  /// Sizes that are dealt (PRODUCT X8).
  package static let sizes = 3...7
  /// How many places can be played for.
  package static let placesRange = 1...3
  /// Lengths that can be chosen.
  package static let lengths = [15, 30, 60]

  /// Names the house rules.
  package init(
    size: Int, minutes: Int, marking: Marking = .tap, voting: Voting = .majority,
    pattern: Pattern = .lines, freeCentre: Bool = false, places: Int = 1,
    suggesting: Suggesting = .anyone, latecomers: Bool = false, watching: Watching = .nobody
  ) {
    self.size = size
    self.minutes = minutes
    self.marking = marking
    self.voting = voting
    self.pattern = pattern
    self.freeCentre = freeCentre && size % 2 == 1
    self.places = places
    self.suggesting = suggesting
    self.latecomers = latecomers
    self.watching = watching
  }

  /// The tile that holds no word, row by row; nil where every tile holds one.
  package var freeTile: Int? { freeCentre ? size * size / 2 : nil }

  /// Words without which no board can be filled.
  package var need: Int { size * size - (freeCentre ? 1 : 0) }

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

  /// Reads `[size, minutes, marking, voting]`, or those with `pattern, freeCentre, places` behind
  /// them where one of the three is not as usual, or these with `suggesting, latecomers, watching`.
  package init(_ item: CBOR) throws(DecodeError) {
    let parts = try item.array("settings", count: 4...10)
    guard [4, 7, 10].contains(parts.count) else { throw .wrongCount("settings") }
    size = try parts[0].int("settings.size", in: BingoSettings.sizes)
    minutes = try parts[1].int("settings.minutes")
    guard BingoSettings.lengths.contains(minutes) else { throw .outOfRange("settings.minutes") }
    guard let marking = Marking(rawValue: try parts[2].text("settings.marking", maximum: 16))
    else { throw .unknownKind("settings.marking") }
    guard let voting = Voting(rawValue: try parts[3].text("settings.voting", maximum: 16))
    else { throw .unknownKind("settings.voting") }
    self.marking = marking
    self.voting = voting
    pattern = .lines
    freeCentre = false
    places = 1
    suggesting = .anyone
    latecomers = false
    watching = .nobody
    guard parts.count > 4 else { return }
    guard let pattern = Pattern(rawValue: try parts[4].text("settings.pattern", maximum: 16))
    else { throw .unknownKind("settings.pattern") }
    self.pattern = pattern
    freeCentre = try parts[5].bool("settings.freeCentre")
    places = try parts[6].int("settings.places", in: BingoSettings.placesRange)
    guard !freeCentre || size % 2 == 1 else { throw .outOfRange("settings") }
    guard parts.count == 10 else {
      guard !isPlain else { throw .outOfRange("settings") }
      return
    }
    guard let suggesting = Suggesting(rawValue: try parts[7].text("settings.words", maximum: 16))
    else { throw .unknownKind("settings.words") }
    self.suggesting = suggesting
    latecomers = try parts[8].bool("settings.latecomers")
    guard let watching = Watching(rawValue: try parts[9].text("settings.watching", maximum: 16))
    else { throw .unknownKind("settings.watching") }
    self.watching = watching
    guard !isAmongThemselves else { throw .outOfRange("settings") }
  }

  /// Nothing but what the first four fields say.
  private var isPlain: Bool { pattern == .lines && !freeCentre && places == 1 }

  /// Nothing but what the first seven fields say.
  private var isAmongThemselves: Bool {
    suggesting == .anyone && !latecomers && watching == .nobody
  }

  /// `[size, minutes, marking, voting]`, with `pattern, freeCentre, places` where they are needed, and
  /// `suggesting, latecomers, watching` behind those likewise.
  package var cbor: CBOR {
    let plain: [CBOR] = [
      CBOR(size), CBOR(minutes), .text(marking.rawValue), .text(voting.rawValue),
    ]
    let more: [CBOR] = [.text(pattern.rawValue), .bool(freeCentre), CBOR(places)]
    guard isAmongThemselves else {
      return .array(
        plain + more + [
          .text(suggesting.rawValue), .bool(latecomers), .text(watching.rawValue),
        ])
    }
    return .array(isPlain ? plain : plain + more)
  }
}
