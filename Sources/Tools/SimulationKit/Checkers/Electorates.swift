package import Consensus
package import Wire

/// Who votes in which epoch, and how many of them lie: counted here from the seals alone.
package struct Electorates: Sendable {
  /// The voters of one epoch.
  package struct Electorate: Sendable {
    package let number: UInt64
    package let voters: [PublicKey]
    /// Voters who lie, or whose folder was set back.
    package var distrusted: Set<PublicKey>
    /// How many these are.
    package var liars: Int { distrusted.count }
    /// Votes that make a certificate: more than half of all and of the liars it is built for.
    package var quorum: Int { (voters.count + (voters.count - 1) / 3) / 2 + 1 }
    /// Liars beside whom nothing final is ever contradicted.
    package var bearable: Int { 2 * quorum - voters.count - 1 }
    /// Whether its promises hold.
    package var isSound: Bool { liars <= bearable }
  }

  private var byID: [Digest: Electorate] = [:]
  private var liars: Set<PublicKey> = []

  /// Starts with the creator alone.
  package init(first: Epoch) {
    byID[first.id] = Electorate(number: 0, voters: first.voters, distrusted: [])
  }

  /// The voters of an epoch that some honest node has reached.
  package subscript(epoch: Digest) -> Electorate? { byID[epoch] }

  /// Whether a key is known to lie.
  package func lies(_ voter: PublicKey) -> Bool { liars.contains(voter) }

  /// From now on this key may say anything.
  package mutating func distrust(_ voter: PublicKey) {
    guard liars.insert(voter).inserted else { return }
    for (id, electorate) in byID where electorate.voters.contains(voter) {
      byID[id]?.distrusted.insert(voter)
    }
  }

  /// Notes the epoch that follows a seal, under the name that blocks after it give it.
  package mutating func follow(_ seal: Block, as id: Digest) {
    guard byID[id] == nil, let old = byID[seal.epoch], let change = seal.change else { return }
    var voters = Set(old.voters)
    voters.formUnion(change.joiners.map(\.voter))
    voters.subtract(change.leavers)
    byID[id] = Electorate(
      number: old.number + 1, voters: voters.sorted(), distrusted: liars.intersection(voters))
  }

  /// What is wrong with an epoch that a node says it is in; nil when it is what the seals made.
  package func fault(of epoch: Epoch) -> String? {
    guard let known = byID[epoch.id] else { return "epoch \(epoch.number) follows no seal" }
    guard known.number == epoch.number else { return "epoch \(epoch.number) has another number" }
    guard known.voters == epoch.voters else { return "epoch \(epoch.number) has other voters" }
    return nil
  }
}
