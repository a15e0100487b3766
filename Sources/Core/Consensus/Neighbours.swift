internal import Wire

/// The members at the other ends of links, as far as consensus cares.
struct Neighbours: Sendable {
  /// What is remembered of one; forgotten when the table is full of linked ones.
  struct Neighbour: Sendable {
    var isLinked = false
    var downSince: Milliseconds?
    var status: Status?
    /// It was asked for a chain at this time and has not answered.
    var chainAskedAt: Milliseconds?
    /// It has gone on without this node, and was asked for the rest of what came before at this
    /// height.
    var askedGoneAt: UInt64?
    /// The last answer to a stale message.
    var answeredAt: Milliseconds?
    /// Chains and bodies sent since `budgetFrom`.
    var served = 0
    var budgetFrom: Milliseconds = 0

    /// It says that this key of its does not vote: it does not count it among those it reaches.
    func abstains(_ voter: PublicKey, in epoch: Digest) -> Bool {
      guard let status, status.epoch == epoch else { return false }
      return !status.reached.contains(voter)
    }
  }

  /// Chains and bodies that one peer gets in a second: enough for 5,000 missed blocks in two.
  static let servedPerSecond = 64
  /// Members remembered; a table has at most sixteen seats, and a few lookers-on.
  static let most = 64

  private(set) var all = SortedMap<PeerID, Neighbour>()
  /// How often something about them has changed.
  private(set) var changes: UInt64 = 0

  subscript(peer: PeerID) -> Neighbour? { all[peer] }

  var linked: [PeerID] { all.keys.filter { all[$0]?.isLinked == true } }

  mutating func change(_ peer: PeerID, _ change: (inout Neighbour) -> Void) {
    changes += 1
    if all[peer] == nil && all.count >= Self.most {
      guard let idle = all.keys.first(where: { all[$0]?.isLinked == false }) else { return }
      all[idle] = nil
    }
    all.update(peer, default: Neighbour(), change)
  }

  /// Voters reached: over links, and those whom a linked peer says that it reaches.
  func reached(of epoch: Epoch, self own: PublicKey?, app: some Application) -> [PublicKey] {
    epoch.voters.filter { reaches($0, in: epoch.id, self: own, app: app) }
  }

  /// Whether a voter is reached.
  ///
  /// Who is at the other end of a link speaks for itself: what a third says of it rests on what it told
  /// that one, and may be older than what it told this node.
  func reaches(
    _ voter: PublicKey, in epoch: Digest, self own: PublicKey?, app: some Application
  ) -> Bool {
    if voter == own { return true }
    if let index = linkedIndex(of: voter, app: app) {
      return !all.values[index].abstains(voter, in: epoch)
    }
    // By index: a copy of each row would cost more than the question.
    return all.values.indices.contains { index in
      all.values[index].isLinked && all.values[index].status?.reached.contains(voter) == true
    }
  }

  /// Voters reached over links of one's own, and oneself.
  func direct(of epoch: Epoch, self own: PublicKey?, app: some Application) -> [PublicKey] {
    epoch.voters.filter { isLinked($0, in: epoch.id, self: own, app: app) }
  }

  /// Whether a voter is oneself, or votes at the other end of a link of one's own.
  func isLinked(
    _ voter: PublicKey, in epoch: Digest, self own: PublicKey?, app: some Application
  ) -> Bool {
    if voter == own { return true }
    guard let index = linkedIndex(of: voter, app: app) else { return false }
    return !all.values[index].abstains(voter, in: epoch)
  }

  /// Where the row of a voter's node is, if that is at the other end of a link.
  private func linkedIndex(of voter: PublicKey, app: some Application) -> Int? {
    guard let peer = app.identity(ofVoter: voter) else { return nil }
    let index = all.firstIndex(notBelow: peer)
    guard index < all.count, all.keys[index] == peer, all.values[index].isLinked else { return nil }
    return index
  }
}
