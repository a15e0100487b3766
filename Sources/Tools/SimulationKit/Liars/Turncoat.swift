internal import Consensus
package import Wire

/// As leader shows its block to some and gives the view up before the others; and keeps its finalize
/// votes back until the table has gone on.
///
/// That makes, where one is more than the table bears, a block final beside the nullification of its
/// view.
package struct Turncoat: Liar {
  package let kind = LiarKind.turncoat
  /// Views that it led.
  private var led: [UInt64] = []
  private var kept: [Vote] = []

  /// Has given nothing up yet.
  package init() {}

  package mutating func says(
    _ message: TableMessage, to other: Int, in scene: inout Scene
  ) -> [TableMessage] {
    switch message {
    case .proposal(let block, let vote) where vote.voter == scene.person.voter:
      if led.last != block.view { led = led.suffix(16) + [block.view] }
      if isShown(block.view, to: other, in: scene) { return [message] }
      return [.vote(scene.vote(.nullify, .zero, in: block.view))]
    case .certificate(let certificate)
    where led.contains(certificate.subject.view) && certificate.subject.kind != .nullify:
      return isShown(certificate.subject.view, to: other, in: scene) ? [message] : []
    case .vote(let vote) where vote.voter == scene.person.voter && vote.subject.kind == .finalize:
      if !kept.contains(vote) { kept.append(vote) }
      return []
    default: return [message]
    }
  }

  package mutating func acts(in scene: inout Scene) -> [Lie] {
    let late = kept.filter { $0.subject.epoch != scene.epoch.id || $0.subject.view < scene.view }
    guard !late.isEmpty, scene.random.chance(60) else { return [] }
    kept.removeAll { late.contains($0) }
    return late.flatMap { vote in scene.others.map { Lie(.vote(vote), to: $0) } }
  }

  /// Every second of the others, and the rest in the next view.
  private func isShown(_ view: UInt64, to other: Int, in scene: Scene) -> Bool {
    let rank = scene.others.firstIndex(of: other) ?? 0
    return (rank + Int(view % 2)) % 2 == 0
  }
}
