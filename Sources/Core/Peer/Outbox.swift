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
  }

  /// In the order they were decided.
  package private(set) var drafts: [Draft] = []

  /// Nothing on its way.
  package init() {}

  /// Those that are not final yet, of one author.
  package func pending(of author: PublicKey) -> [Draft] {
    drafts.filter { $0.draft.author == author && !$0.isFinal }
  }

  /// The sequence for the author's next entry, given the one the final log expects.
  package func nextSequence(of author: PublicKey, final: UInt64) -> UInt64 {
    let own = drafts.filter { $0.draft.author == author }.map { $0.draft.sequence + 1 }.max()
    return max(final, own ?? 0)
  }

  /// Adds a draft.
  package mutating func add(_ draft: Draft) { drafts.append(draft) }

  /// Takes out the drafts that are durable now and not yet being signed, to have them signed.
  package mutating func takeDurable(through index: UInt64) -> [Draft] {
    var out: [Draft] = []
    for position in drafts.indices {
      let draft = drafts[position]
      guard !draft.isSigning, draft.entry == nil, !draft.isFinal,
        draft.record.map({ $0 <= index }) ?? true
      else { continue }
      drafts[position].isSigning = true
      out.append(draft)
    }
    return out
  }

  /// Notes the signed entry of a draft.
  package mutating func signed(_ entry: Entry) {
    guard
      let index = drafts.firstIndex(where: {
        $0.draft.author == entry.author && $0.draft.sequence == entry.sequence
      })
    else { return }
    drafts[index].entry = entry
    drafts[index].isSigning = false
  }

  /// Notes that an entry is final; returns its draft the first time.
  package mutating func final(author: PublicKey, sequence: UInt64) -> Draft? {
    guard
      let index = drafts.firstIndex(where: {
        $0.draft.author == author && $0.draft.sequence == sequence && !$0.isFinal
      })
    else { return nil }
    drafts[index].isFinal = true
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
