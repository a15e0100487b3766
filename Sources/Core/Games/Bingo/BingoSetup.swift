package import CBOR
package import Wire

/// Words and house rules of a bingo table, as its lobby agrees on them.
package struct BingoSetup: GameSetup {
  /// A word of the list with what the lobby did to it.
  package struct Item: Hashable, Sendable {
    package let word: Word
    /// The seat that suggested it; nil for the words the table began with.
    package let by: Int?
    /// The seat whose veto struck it; a struck word is on nobody's board.
    package fileprivate(set) var struckBy: Int? { didSet { row = Item.row(word, by, struckBy) } }
    /// The word's part of the state hash, kept so that a hash over 500 words is cheap.
    fileprivate private(set) var row: [UInt8]

    init(_ word: Word, by: Int?) {
      self.word = word
      self.by = by
      row = Item.row(word, by, nil)
    }

    private static func row(_ word: Word, _ by: Int?, _ struckBy: Int?) -> [UInt8] {
      Digest(
        .state, .text(word.text), by.map { CBOR($0) } ?? .null, struckBy.map { CBOR($0) } ?? .null
      ).bytes
    }
  }

  /// Words of a list at the most (PRODUCT B7).
  package static let wordLimit = 500
  /// Words that a guest may suggest (PRODUCT B20); the creator may add as many as fit.
  package static let suggestionsEach = 10
  /// Words that a guest may strike (PRODUCT B21); the creator takes out as many as he likes.
  package static let vetoesEach = 2

  package private(set) var settings: BingoSettings
  /// In the order in which they came.
  package internal(set) var items: [Item]
  /// Words that were suggested and are not taken yet, in their order.
  package internal(set) var proposals: [Proposal] = []
  private var suggestions = SeatCounts()
  private var vetoes = SeatCounts()

  /// Starts a list; a word that is there already, or that does not fit, is left out.
  package init(settings: BingoSettings, words: [Word]) {
    self.settings = settings
    items = Words.unique(words).prefix(BingoSetup.wordLimit).map { Item($0, by: nil) }
  }

  /// Words that can be dealt.
  package var playable: [String] {
    items.filter { $0.struckBy == nil }.map(\.word.text)
  }

  /// How many suggestions a seat has left; nil when it is not limited.
  package func suggestionsLeft(_ seat: Int) -> Int? {
    seat == 0 ? nil : BingoSetup.suggestionsEach - suggestions[seat]
  }

  /// How many vetoes a seat has left; nil when it is not limited.
  package func vetoesLeft(_ seat: Int) -> Int? {
    seat == 0 ? nil : BingoSetup.vetoesEach - vetoes[seat]
  }

  package mutating func apply(_ move: BingoSetupMove, by seat: Int) throws(IllegalMove) {
    try apply(move, by: seat, among: [seat])
  }

  package mutating func apply(
    _ move: BingoSetupMove, by seat: Int, among members: [Int]
  ) throws(IllegalMove) {
    switch move {
    case .settings(let next):
      guard seat == 0 else { throw .onlyCreatorSets }
      settings = next
      takeProposals(among: members)
    case .suggest(let word):
      guard index(of: word) == nil else { throw .alreadyInList }
      guard proposal(of: word) == nil else { throw .alreadySuggested }
      guard items.count + proposals.count < BingoSetup.wordLimit else { throw .listFull }
      guard suggestionsLeft(seat) != 0 else { throw .suggestionsUsed }
      suggestions[seat] += 1
      proposals.append(Proposal(word, by: seat))
      takeProposals(among: members)
    case .want(let word): try want(word, by: seat, among: members)
    case .veto(let word):
      if try dropProposal(word, by: seat) { return }
      guard let index = index(of: word) else { throw .noSuchWord }
      if seat == 0 {
        items.remove(at: index)
        return
      }
      guard items[index].struckBy == nil else { throw .alreadyStruck }
      guard vetoesLeft(seat) != 0 else { throw .vetoesUsed }
      vetoes[seat] += 1
      items[index].struckBy = seat
    }
  }

  func index(of word: Word) -> Int? { items.firstIndex { $0.word.key == word.key } }

  package var takesLatecomers: Bool { settings.latecomers }

  package var takesWatchers: Bool { settings.watching != .nobody }

  /// Words that are still missing for one board.
  package var missing: Int { max(0, settings.need - playable.count) }

  package func startRefusal(players: Int) -> IllegalMove? {
    let missing = missing
    guard missing > 0 else { return nil }
    return IllegalMove(
      "wordsMissing",
      "\(missing) more word\(missing == 1 ? "" : "s") and you can start. Add \(missing == 1 ? "it" : "them") below."
    )
  }

  /// The list for a table that goes on with other seats: what can be dealt, and nobody's doing.
  package var renewed: BingoSetup {
    BingoSetup(settings: settings, words: items.filter { $0.struckBy == nil }.map(\.word))
  }

  package var stateHash: Digest {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(items.count * 32)
    for item in items { bytes += item.row }
    var parts = [settings.cbor, .bytes(bytes), suggestions.cbor, vetoes.cbor]
    if !proposals.isEmpty { parts.append(.array(proposals.map(\.cbor))) }
    return Digest(.state, items: parts)
  }

  /// Reads `[settings, [word...]]`; words must be clean and no two of them one.
  package init(_ item: CBOR) throws(DecodeError) {
    let parts = try item.array("setup", exactly: 2)
    var words: [Word] = []
    for part in try parts[1].array("setup.words", count: 0...BingoSetup.wordLimit) {
      words.append(try Word(part, "setup.words"))
    }
    self.init(settings: try BingoSettings(parts[0]), words: words)
    guard items.count == words.count else { throw .outOfRange("setup.words") }
  }

  package var genesisCBOR: CBOR {
    [settings.cbor, .array(items.map { .text($0.word.text) })]
  }
}

/// A small count per seat, in the order of seats.
struct SeatCounts: Hashable, Sendable {
  private var counts: [Int] = []

  subscript(seat: Int) -> Int {
    get { seat < counts.count ? counts[seat] : 0 }
    set {
      while counts.count <= seat { counts.append(0) }
      counts[seat] = newValue
    }
  }

  var cbor: CBOR { .array(counts.map { CBOR($0) }) }
}
