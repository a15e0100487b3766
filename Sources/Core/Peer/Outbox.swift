import CBOR
package import Wire

/// Own entries of one table, from the decision to the place in the log.
///
/// decided -> durable -> signed -> final; a sequence once durable is never used for another act.
package struct Outbox: Sendable {
  /// One own entry on its way.
  package struct Draft: Sendable {
    package let draft: Entry.Draft
    /// The command that led to it, to answer its repetition.
    package let command: CommandID?
    /// The index its record has; nil when it came from the store.
    package let record: UInt64?
    /// Once signed.
    package var entry: Entry?
    /// Its signature has been asked for.
    package var isSigning = false
    /// It stands in the final log.
    package var isFinal = false

    /// Nobody has asked for its signature, and it still needs one.
    fileprivate var isUntouched: Bool { !isSigning && entry == nil && !isFinal }
  }

  /// In the order they were decided.
  package private(set) var drafts: [Draft] = []
  /// All before this one are final: who looks for what is on its way begins here.
  private var firstOpen = 0
  /// All before this one are signed, being signed or final.
  private var firstUnsigned = 0
  /// The sequence after the highest of each author here.
  private var next: [(author: PublicKey, sequence: UInt64)] = []

  /// Nothing on its way.
  package init() {}

  /// Those that are not final yet, of one author.
  package func pending(of author: PublicKey) -> [Draft] {
    drafts[firstOpen...].filter { $0.draft.author == author && !$0.isFinal }
  }

  /// Those that still need signatures.
  package var unsigned: [Draft] {
    drafts[firstOpen...].filter { $0.entry == nil && !$0.isFinal }
  }

  /// The sequence for the author's next entry, given the one the final log expects.
  package func nextSequence(of author: PublicKey, final: UInt64) -> UInt64 {
    max(final, next.first { $0.author == author }?.sequence ?? 0)
  }

  /// Adds a draft.
  package mutating func add(_ draft: Draft) {
    drafts.append(draft)
    let (author, sequence) = (draft.draft.author, draft.draft.sequence + 1)
    if let index = next.firstIndex(where: { $0.author == author }) {
      next[index].sequence = max(next[index].sequence, sequence)
    } else {
      next.append((author, sequence))
    }
  }

  /// The place of a draft that is not final.
  private func openIndex(_ author: PublicKey, _ sequence: UInt64) -> Int? {
    drafts[firstOpen...].firstIndex {
      $0.draft.sequence == sequence && $0.draft.author == author && !$0.isFinal
    }
  }

  /// The draft of an own entry that is not final.
  package func open(author: PublicKey, sequence: UInt64) -> Draft? {
    openIndex(author, sequence).map { drafts[$0] }
  }

  /// Takes out the drafts that are durable now and not yet being signed, to have them signed.
  package mutating func takeDurable(through index: UInt64) -> [Draft] {
    var out: [Draft] = []
    var isMoving = true
    for position in firstUnsigned..<drafts.count {
      if drafts[position].isUntouched {
        guard drafts[position].record.map({ $0 <= index }) ?? true else {
          isMoving = false
          continue
        }
        drafts[position].isSigning = true
        out.append(drafts[position])
      }
      if isMoving { firstUnsigned = position + 1 }
    }
    return out
  }

  /// Notes the signed entry of a draft.
  package mutating func signed(_ entry: Entry) {
    guard let index = openIndex(entry.author, entry.sequence) else { return }
    drafts[index].entry = entry
    drafts[index].isSigning = false
  }

  /// Notes that an entry is final; returns its draft the first time.
  package mutating func final(author: PublicKey, sequence: UInt64) -> Draft? {
    guard let index = openIndex(author, sequence) else { return nil }
    drafts[index].isFinal = true
    while firstOpen < drafts.count, drafts[firstOpen].isFinal { firstOpen += 1 }
    return drafts[index]
  }

  /// Whether a command has led to a draft.
  package func knows(_ command: CommandID) -> Bool {
    drafts.contains { $0.command == command }
  }

  /// The row of a draft in the store: under table, author and sequence.
  package static func record(of draft: Entry.Draft, for command: CommandID?) -> StoredRecord {
    let value: CBOR = [
      .unsigned(draft.turn), .bytes(draft.body), command.map { .text($0.text) } ?? .null,
    ]
    return StoredRecord(.drafts, key: key(draft), value: value.encoded)
  }

  /// Takes the row of a draft out of the store.
  package static func deletion(of draft: Entry.Draft) -> StoredRecord {
    StoredRecord(.drafts, key: key(draft), value: nil)
  }

  private static func key(_ draft: Entry.Draft) -> [UInt8] {
    var out = draft.table.bytes + draft.author.bytes
    for shift in stride(from: UInt64(56), through: 0, by: -8) {
      out.append(UInt8(truncatingIfNeeded: draft.sequence >> shift))
    }
    return out
  }

  /// Reads a row back; nil for one of another form, which only damage could make.
  package static func restore(key: [UInt8], value: [UInt8]) -> Draft? {
    guard key.count == 72, let table = TableID(key[0..<32]), let author = PublicKey(key[32..<64]),
      let parts = try? CBOR(decoding: value).array("draft", exactly: 3),
      let turn = try? parts[0].unsigned("draft.turn"),
      let body = try? parts[1].bytes("draft.body", count: 1...Limits.entryBody)
    else { return nil }
    let sequence = key[64..<72].reduce(0 as UInt64) { $0 << 8 | UInt64($1) }
    let command = (try? parts[2].text("draft.command", maximum: 64)).flatMap(CommandID.init)
    return Draft(
      draft: Entry.Draft(
        table: table, author: author, sequence: sequence, turn: turn, body: body),
      command: command, record: nil)
  }
}
