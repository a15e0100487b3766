internal import Consensus
package import Wire

/// Lets some have its votes and others not, each kind for itself.
package struct SelectiveVoter: Liar {
  package let kind = LiarKind.selective

  /// Favours nobody for good.
  package init() {}

  package mutating func says(
    _ message: TableMessage, to other: Int, in scene: inout Scene
  ) -> [TableMessage] {
    guard case .vote(let vote) = message else { return [message] }
    var lot = Random(
      seed: vote.subject.view &* 97 &+ UInt64(other) &* 3 &+ UInt64(vote.subject.kind.rawValue))
    return lot.chance(40) ? [message] : []
  }
}
