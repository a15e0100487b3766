internal import Consensus
package import Wire

/// Lets some have its proposals and certificates and others not, as each view has it.
package struct Withholder: Liar {
  package let kind = LiarKind.withholder

  /// Favours nobody for good.
  package init() {}

  package mutating func says(
    _ message: TableMessage, to other: Int, in scene: inout Scene
  ) -> [TableMessage] {
    switch message {
    case .proposal, .certificate, .block, .chain:
      var lot = Random(seed: scene.view &* 31 &+ UInt64(other))
      return lot.chance(50) ? [message] : []
    default: return [message]
    }
  }
}
