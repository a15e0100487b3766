import CBOR
import Consensus
import Discovery
import Games
import Wire

/// A word list that goes from one player to another (PRODUCT B23): given, looked at, and kept or not.
///
/// What is given is named by the hash of what it holds, so giving it twice shows it once. It is kept in
/// memory alone until its receiver keeps it.
extension Peer {
  /// A list that somebody gives.
  struct GivenList: Sendable {
    let from: PublicKey
    let fromName: String
    /// Its number is none that a list on the shelf has.
    let list: WordList
    /// Of title and words, as they travel.
    let name: Digest
  }

  /// Lists that wait to be looked at, of all and of one person: more are not taken.
  private static let givenLimit = 12
  private static let givenEach = 3
  /// Lists that one person may give in so many milliseconds, answered or not.
  private static let givenBurst = 6
  private static let givenSpan: Milliseconds = 60_000
  /// The number of the first one; those on the shelf count from 1.
  private static let firstGiven = 900_000_000

  /// Sends a list to somebody here, as soon as a link is up.
  mutating func give(_ list: Int, to person: PublicKey, id: CommandID) {
    guard let list = wordLists[list] else {
      let refusal = IllegalMove.noSuchList
      return refuse(id, refusal.code, refusal.sentence)
    }
    guard !list.words.isEmpty else {
      return refuse(id, "emptyList", "There is no word in this list yet. Add some first.")
    }
    guard let row = roster[person] else {
      return refuse(
        id, "notHere", "This person is not here any more. Try again when they are.")
    }
    ask(.give(list), of: person, at: row.address, id: id)
  }

  /// The link to who gets it is up.
  mutating func sendGiven(_ list: WordList, on link: Switchboard.Link, for id: CommandID?) {
    send(.give(list), on: link.id)
    if let id { answer(id, .accepted(table: nil)) }
  }

  mutating func hearGiven(_ list: WordList, from peer: PublicKey) {
    givenHeard.removeAll { $0.at + Peer.givenSpan <= now }
    let name = list.contentName
    guard let row = roster[peer], !muted.contains(peer),
      givenHeard.count(where: { $0.from == peer }) < Peer.givenBurst
    else { return counter.count("given.refused") }
    givenHeard.append((peer, now))
    guard !given.contains(where: { $0.name == name }) else { return }
    guard given.count < Peer.givenLimit, given.count(where: { $0.from == peer }) < Peer.givenEach
    else { return counter.count("given.tooMany") }
    let number = (given.last?.list.id ?? Peer.firstGiven) + 1
    given.append(
      GivenList(
        from: peer, fromName: row.beacon.name,
        list: WordList(id: number, title: list.title, words: list.words), name: name))
    isChanged = true
  }

  /// Keeps what was given as a list of one's own, under a title that none has yet, or puts it away.
  mutating func answerGiven(_ number: Int, keep: Bool, id: CommandID) {
    guard let index = given.firstIndex(where: { $0.list.id == number }) else {
      return refuse(id, "nothingGiven", "This list was answered already. Ask for it once more.")
    }
    guard keep else {
      given.remove(at: index)
      isChanged = true
      return answer(id, .accepted(table: nil))
    }
    let list = given[index].list
    let isKept = changeWordLists(id) { shelf throws(IllegalMove) in try shelf.keep(list) }
    if isKept { given.remove(at: index) }
    isChanged = true
  }

  /// What somebody gave who is muted now is not wanted either.
  mutating func dropGiven(by person: PublicKey) {
    given.removeAll { $0.from == person }
  }

  var givenView: [PageState.WordLists.Given] {
    given.map {
      PageState.WordLists.Given(
        list: $0.list.id, name: $0.name, fromKey: $0.from, fromName: $0.fromName,
        title: $0.list.title, count: $0.list.words.count)
    }
  }
}

extension WordList {
  /// BLAKE2b-256 of what it holds, so that one list has one name wherever it is.
  var contentName: Digest { Digest(ofBytes: row.encoded) }
}
