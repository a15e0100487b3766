import CBOR
import Games
import Table
import Wire

/// A table that is about to be made: its genesis but for the keys.
struct TablePlan: Sendable {
  let code: Int
  let title: String
  let setup: AnySetup
  let isPractice: Bool
  let isPrivate: Bool
  let isStrict: Bool
  let isAnonymous: Bool
  let appointment: Appointment?
  /// That of the table this one continues; a new private table has one made.
  let secret: TableSecret?
  let pretendNames: [String]
  let previous: Genesis.Previous?
  let nonce: [UInt8]
  /// Words merged when the list was made.
  let duplicates: Int

  /// A table as the New table screen asks for it.
  init(
    title: String, setup: MadeSetup, access: TableAccess, hostName: String, code: Int,
    nonce: [UInt8]
  ) throws(IllegalMove) {
    let cleaned = PlainText.cleaned(title)
    self.title =
      cleaned.isEmpty ? TablePlan.usualTitle(access.isAnonymous ? nil : hostName) : cleaned
    guard PlainText.isTitle(self.title) else {
      throw IllegalMove("titleTooLong", "A title has at most 40 letters. Shorten it.")
    }
    self.setup = setup.setup
    self.code = code
    self.nonce = nonce
    duplicates = setup.duplicates
    isPractice = false
    isPrivate = access.isPrivate || access.isAnonymous
    isStrict = access.isStrict
    isAnonymous = access.isAnonymous
    appointment = try TablePlan.appointment(access)
    secret = nil
    pretendNames = []
    previous = nil
  }

  /// A game on this laptop alone, with pretend seats.
  init(
    practice setup: AnySetup, title: String, pretendNames: [String], code: Int, nonce: [UInt8]
  ) {
    self.title = title
    self.setup = setup
    self.code = code
    self.nonce = nonce
    duplicates = 0
    isPractice = true
    isPrivate = false
    isStrict = false
    isAnonymous = false
    appointment = nil
    secret = nil
    self.pretendNames = pretendNames
    previous = nil
  }

  /// A table that goes on where another one ended, with its words, rules, people and secret.
  init(
    continuing table: Table, by player: PublicKey, secret: TableSecret?, tip: Digest,
    kind: Genesis.Previous.Kind,
    code: Int, nonce: [UInt8]
  ) {
    title = table.genesis.draft.title
    setup = table.setup.renewed(
      after: table.game, by: table.seat(of: player).flatMap { table.dealt.firstIndex(of: $0) })
    isPractice = table.genesis.draft.practice
    isPrivate = table.genesis.draft.isPrivate
    isStrict = table.genesis.draft.isStrict
    isAnonymous = table.genesis.draft.isAnonymous
    // The place stays; the time is over once it was played.
    let appointed = table.genesis.draft.appointment
    appointment = Appointment(
      place: appointed?.place, startsAt: kind == .again ? appointed?.startsAt : nil)
    self.secret = secret
    pretendNames = table.genesis.draft.pretend.map(\.name)
    previous = Genesis.Previous(
      table: table.id, tip: tip, kind: kind,
      // What one anonymous log calls people stands in no other.
      people: isAnonymous
        ? [] : Array(table.members.compactMap { table.seats[$0].identity }.prefix(Limits.voters)))
    duplicates = 0
    self.code = code
    self.nonce = nonce
  }

  private static func appointment(_ access: TableAccess) throws(IllegalMove) -> Appointment? {
    let place = PlainText.cleaned(access.place)
    guard place.isEmpty || Appointment.isPlace(place) else {
      throw IllegalMove("placeTooLong", "A place has at most 24 letters. Shorten it.")
    }
    guard let startsAt = access.startsAt else {
      return Appointment(place: place.isEmpty ? nil : place, startsAt: nil)
    }
    guard startsAt > 0, startsAt <= Limits.counter else {
      throw IllegalMove("badStartTime", "That is no time for a start. Choose a day and a time.")
    }
    return Appointment(place: place.isEmpty ? nil : place, startsAt: UInt64(startsAt))
  }

  private static func usualTitle(_ hostName: String?) -> String {
    hostName.map { "\($0)’s table" } ?? "A masked table"
  }

  /// How people are named at it, where its log names nobody.
  func alias(_ secret: TableSecret?) -> Alias? {
    isAnonymous ? secret.map { Alias(secret: $0, nonce: nonce) } : nil
  }

  /// The genesis to sign, with its creator's keys.
  func draft(
    identity: PublicKey, name: String, keys: TableKeys, secret: TableSecret?
  ) -> Genesis.Draft {
    let own = alias(secret)?.key(of: identity)
    return Genesis.Draft(
      code: code, title: title, setup: setup, practice: isPractice, isPrivate: isPrivate,
      isStrict: isStrict, appointment: appointment, isAnonymous: isAnonymous,
      pretend: zip(keys.pretend, pretendNames).map { PretendMember(player: $0, name: $1) },
      previous: previous, nonce: nonce,
      creator: Member(
        identity: own ?? identity, player: keys.player, voter: keys.voter, generation: 0,
        name: own.map(Moniker.name) ?? name))
  }

  // MARK: The own list used last

  /// The row that keeps an own list for the next table.
  static func record(ofLastWords words: [String]) -> StoredRecord {
    StoredRecord(
      .node, key: Array("lastWords".utf8),
      value: CBOR.array(words.map { .text($0) }).encoded)
  }

  /// Reads that row; nil when it is damaged.
  static func lastWords(_ bytes: [UInt8]) -> [String]? {
    guard let items = try? CBOR(decoding: bytes).array("words") else { return nil }
    return items.compactMap { try? $0.text("word", maximum: 4_096) }
  }
}
