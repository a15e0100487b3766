import CBOR
import Wire

/// Words that wait to be taken into the list, where not everybody's suggestion is (PRODUCT B20, B22).
extension BingoSetup {
  /// A word that was suggested, and who wants it.
  package struct Proposal: Hashable, Sendable {
    package let word: Word
    /// The seat that suggested it.
    package let by: Int
    /// Seats that want it, who suggested it first.
    package fileprivate(set) var wanted: [Int]

    init(_ word: Word, by seat: Int) {
      self.word = word
      by = seat
      wanted = [seat]
    }

    /// For the state hash.
    var cbor: CBOR { [.text(word.text), .array(wanted.map { CBOR($0) })] }
  }

  func proposal(of word: Word) -> Int? { proposals.firstIndex { $0.word.key == word.key } }

  /// Somebody wants a word that waits; refusals leave everything as it was.
  mutating func want(_ word: Word, by seat: Int, among members: [Int]) throws(IllegalMove) {
    guard let index = proposal(of: word) else {
      throw self.index(of: word) == nil ? .noSuchWord : .alreadyInList
    }
    switch settings.suggesting {
    case .anyone, .half:
      guard !proposals[index].wanted.contains(seat) else { throw .alreadyWanted }
      proposals[index].wanted.append(seat)
      takeProposals(among: members)
    case .creator:
      guard seat == 0 else { throw .onlyCreatorTakes }
      take(index)
    }
  }

  /// A word that waits is turned away by the creator, or taken back by who suggested it; false for a word
  /// that does not wait.
  mutating func dropProposal(_ word: Word, by seat: Int) throws(IllegalMove) -> Bool {
    guard let index = proposal(of: word) else { return false }
    guard seat == 0 || proposals[index].by == seat else { throw .notYourWord }
    proposals.remove(at: index)
    return true
  }

  /// So many must want a word: half of those at the table.
  package static func half(of members: Int) -> Int { (members + 1) / 2 }

  /// Those of `members` who want a proposal.
  package func wanting(_ proposal: Proposal, among members: [Int]) -> Int {
    proposal.wanted.count { members.contains($0) }
  }

  /// Takes what the rules take without a further word: after each change of rules, wishes and people.
  mutating func takeProposals(among members: [Int]) {
    var index = 0
    while index < proposals.count {
      let isTaken =
        switch settings.suggesting {
        case .anyone: true
        case .creator: proposals[index].by == 0
        case .half:
          wanting(proposals[index], among: members) >= BingoSetup.half(of: members.count)
        }
      if isTaken { take(index) } else { index += 1 }
    }
  }

  private mutating func take(_ index: Int) {
    let proposal = proposals.remove(at: index)
    items.append(Item(proposal.word, by: proposal.by))
  }

  package mutating func membersChanged(_ members: [Int]) { takeProposals(among: members) }
}
