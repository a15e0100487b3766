internal import Consensus
package import Wire

// What a node may do where it stands: invariants 3, 4, 9 and 13, as far as they look at links, at
// failed writes and at what a node was shown.
extension Simulation {
  /// Tells the reach of a node what its replica is about to be told.
  mutating func follow(_ event: Event, at node: Int) {
    switch event {
    case .linkUp(let peer): relink(node, peer, isUp: true)
    case .linkDown(let peer): relink(node, peer, isUp: false)
    case .received(let message, let peer):
      // One that was garbled on the way may be of another table, and then says nothing.
      if case .status(let status) = message.body, status.table == founding.table,
        let voter = voter(of: peer)
      {
        nodes[node].standings[peer] = status
        nodes[node].reach.hear(status.reached, in: status.epoch, from: voter)
      }
      if nodes[node].isDamaged, nodes[node].liar == nil { noteForgotten(message.body, at: node) }
    default: break
    }
  }

  private mutating func relink(_ node: Int, _ peer: PublicKey, isUp: Bool) {
    nodes[node].standings[peer] = nil
    if let voter = voter(of: peer) { nodes[node].reach.link(voter, isUp: isUp) }
  }

  private func voter(of identity: PublicKey) -> PublicKey? {
    nodes.first { $0.person.identity == identity }?.person.voter
  }

  /// A node whose folder was set back is shown what it signed before that.
  private mutating func noteForgotten(_ message: TableMessage, at node: Int) {
    guard let replica = nodes[node].replica else { return }
    let votes: [Vote] =
      switch message {
      case .vote(let vote) where vote.subject.view <= replica.view: [vote]
      case .certificate(let shown)
      where oracle.electorates[shown.subject.epoch].map({ shown.signatures.count >= $0.quorum })
        == true:
        shown.signatures.map {
          Vote(subject: shown.subject, voter: $0.key, signature: $0.signature)
        }
      default: []
      }
    let isUnknown = votes.contains { vote in
      vote.voter == replica.voter && vote.subject.epoch == replica.epoch.id
        && !nodes[node].disk.remembers(vote)
    }
    if isUnknown { nodes[node].hasForgotten = true }
  }

  /// A node has just come back, and somebody linked has said that it is further: what that one has may
  /// show votes that this folder does not hold.
  func isWarned(_ node: Int) -> Bool {
    guard let replica = nodes[node].replica, let startedAt = nodes[node].startedAt,
      now < startedAt + Self.heed
    else { return false }
    return nodes[node].standings.contains {
      ($0.value.epochNumber, $0.value.height) > (replica.epoch.number, replica.finalHeight)
    }
  }

  /// A little less than 3 s, on a clock that may run fast.
  private static var heed: UInt64 { 2_900 }

  /// Judges what a node is about to sign; `wasWarned` tells whether it stood behind before this step
  /// too.
  mutating func judge(
    _ statement: ApprovedStatement, of node: Int, isTimed: Bool, wasWarned: Bool
  ) {
    guard nodes[node].liar == nil else { return }
    if wasWarned, isWarned(node), case .vote(let vote) = statement {
      let age = now - (nodes[node].startedAt ?? 0)
      oracle.fail(
        .exclusiveVotes,
        "node \(node), \(vote.subject.brief): votes \(age) ms after its start, and others are further: "
          + summary, at: now)
    }
    if nodes[node].isFull {
      oracle.fail(.durableBeforeSent, "node \(node) signs after a failed write", at: now)
    }
    if nodes[node].hasForgotten, case .vote(let vote) = statement {
      oracle.fail(
        .exclusiveVotes, "node \(node), \(vote.subject.brief): votes on with what it forgot",
        at: now)
    }
    guard nodes[node].isHonest else { return }
    switch statement {
    case .evict(let evict) where !nodes[node].reach.misses(evict.target, at: now):
      oracle.fail(.epochChain, "node \(node) votes out who was there just now", at: now)
    case .vote where isTimed, .passed where isTimed:
      if nodes[node].reach.mustBeQuiet(at: now) {
        oracle.fail(.quietMinority, "node \(node) signs for want of a quorum", at: now)
      }
    default: break
    }
  }

  /// Judges what a node says when nothing but time has passed.
  package mutating func judge(said message: TableMessage, of node: Int) {
    guard nodes[node].isHonest, nodes[node].reach.mustBeQuiet(at: now) else { return }
    switch message {
    case .status, .getBlock: return
    default:
      oracle.fail(
        .quietMinority, "node \(node), below a quorum, says \(message.kindNumber)", at: now)
    }
  }

  /// Looks at the reach of a node after a step.
  mutating func lookAround(from node: Int) {
    guard let epoch = nodes[node].replica?.epoch.id, let electorate = oracle.electorates[epoch]
    else { return }
    nodes[node].reach.look(electorate, in: epoch, at: now)
  }
}
