import CBOR
import Consensus
package import Games
import Wire

/// Word lists that the player keeps for other games (PRODUCT B23); each is a row on the disk.
extension Peer {
  /// How long what was deleted can be put back.
  private static let putBackTime: Milliseconds = 10_000
  private static let listPrefix = "words/"

  mutating func editWordLists(_ command: GameCommand, id: CommandID) {
    _ = changeWordLists(id) { shelf throws(IllegalMove) in try shelf.apply(command) }
  }

  /// Changes them and answers; returns whether it was done.
  mutating func changeWordLists(
    _ id: CommandID, _ edit: (inout WordShelf) throws(IllegalMove) -> WordShelf.Change
  ) -> Bool {
    if let trouble {
      refuse(id, "cannotWrite", trouble)
      return false
    }
    if !mayPutBack { wordLists.forgetDeleted() }
    do throws(IllegalMove) {
      let change = try edit(&wordLists)
      persist(
        StoredRecord(
          .node, key: Array("\(Peer.listPrefix)\(change.id)".utf8),
          value: change.list?.row.encoded))
      putBackUntil = wordLists.deleted == nil ? nil : now + Peer.putBackTime
      acceptWhenDurable(id)
      return true
    } catch {
      refuse(id, error.code, error.sentence)
      return false
    }
  }

  private var mayPutBack: Bool { putBackUntil.map { now < $0 } ?? false }

  /// Those that the store holds; rows that cannot be read are left as they are.
  static func restoredWordLists(in rows: StoredRows) -> WordShelf {
    WordShelf(
      rows.node.compactMap { row -> WordList? in
        guard let key = String(validating: row.key, as: UTF8.self), key.hasPrefix(listPrefix),
          let id = Int(key.dropFirst(listPrefix.count)), id > 0,
          let item = try? CBOR(decoding: row.value)
        else { return nil }
        return try? WordList(id: id, row: item)
      })
  }

  /// What the page shows of them.
  var wordListView: PageState.WordLists {
    let rows = wordLists.lists.map {
      PageState.WordLists.Row(id: $0.id, title: $0.title, count: $0.words.count)
    }
    guard let until = putBackUntil, now < until, let name = wordLists.deleted?.name else {
      return PageState.WordLists(lists: rows, putBack: nil, given: givenView)
    }
    return PageState.WordLists(
      lists: rows, putBack: PageState.WordLists.PutBack(name: name, milliseconds: until - now),
      given: givenView)
  }

  /// A list, to look at or to save; also one that somebody gives.
  package func wordList(_ id: Int) -> WordList? {
    wordLists[id] ?? given.first { $0.list.id == id }?.list
  }
}

extension PageState {
  /// The player's own lists.
  package struct WordLists: Encodable, Sendable {
    /// One of them, without its words.
    struct Row: Encodable, Sendable {
      let id: Int
      let title: String
      let count: Int
    }

    /// What was deleted last, and for how long it can be put back.
    struct PutBack: Encodable, Hashable, Sendable {
      let name: String
      let milliseconds: UInt64
    }

    /// A list that somebody gives.
    struct Given: Encodable, Sendable {
      let list: Int
      let name: Digest
      let fromKey: PublicKey
      let fromName: String
      let title: String
      let count: Int
    }

    let lists: [Row]
    @OrNull var putBack: PutBack?
    let given: [Given]
  }
}
