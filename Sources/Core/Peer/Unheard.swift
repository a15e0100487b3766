package import Consensus
package import Discovery
package import Wire

/// People whom others hear and somebody does not, as far as beacons tell, and since when.
///
/// A beacon names whom its sender hears by the first bytes of their keys, not all in one beacon; so a
/// sign counts for a while, and only what lasts is acted on: whoever has just come is heard by one
/// sooner than by another.
package struct Unheard: Sendable {
  private struct Row: Sendable {
    let who: PublicKey
    let mark: KeyMark
    let since: Milliseconds
    var seenAt: Milliseconds
    /// Who hears him, ascending.
    var hearers: [PublicKey]
  }

  /// Before so long a lack means nothing.
  package static let lasting: Milliseconds = 6_000
  /// A sign of it counts for so long.
  static let fresh: Milliseconds = 70_000
  static let capacity = 256
  /// Those who hear somebody are kept up to here: any of them will do.
  static let hearers = 8

  private var rows: [Row] = []

  /// Nobody is missed.
  package init() {}

  /// Notes that `who` does not hear somebody whom `hearer` hears.
  package mutating func note(
    _ mark: KeyMark, unheardBy who: PublicKey, heardBy hearer: PublicKey, at now: Milliseconds
  ) {
    guard let index = rows.firstIndex(where: { $0.who == who && $0.mark == mark }) else {
      guard rows.count < Unheard.capacity else { return }
      rows.append(Row(who: who, mark: mark, since: now, seenAt: now, hearers: [hearer]))
      return
    }
    rows[index].seenAt = now
    guard !rows[index].hearers.contains(hearer) else { return }
    rows[index].hearers = Array((rows[index].hearers + [hearer]).sorted().prefix(Unheard.hearers))
  }

  /// Forgets what is no longer so.
  package mutating func settle(
    at now: Milliseconds, isHeard: (_ mark: KeyMark, _ who: PublicKey) -> Bool,
    isHere: (PublicKey) -> Bool
  ) {
    for index in rows.indices { rows[index].hearers.removeAll { !isHere($0) } }
    rows.removeAll {
      $0.hearers.isEmpty || now >= $0.seenAt + Unheard.fresh || isHeard($0.mark, $0.who)
    }
  }

  /// Those who hear whom `who` has not heard for a while: for each of those the ones who do, ascending.
  package func hearers(of who: PublicKey, at now: Milliseconds) -> [[PublicKey]] {
    rows.filter { $0.who == who && now >= $0.since + Unheard.lasting }.map(\.hearers)
  }

  /// Whether `who` has not heard somebody for a while.
  package func lacks(_ who: PublicKey, _ mark: KeyMark, at now: Milliseconds) -> Bool {
    rows.contains { $0.who == who && $0.mark == mark && now >= $0.since + Unheard.lasting }
  }
}
