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
    /// Who says so, and did not tell of him in all the time there was; newest first.
    var vain: [PublicKey] = []
  }

  /// Before so long a lack means nothing.
  package static let lasting: Milliseconds = 6_000
  /// A sign of it counts for so long.
  static let fresh: Milliseconds = 70_000
  static let capacity = 256
  /// Those who hear somebody are kept up to here: any of them will do.
  static let hearers = 8
  /// Who has had a link for so long and told nothing is not waited for any more.
  package static let patience: Milliseconds = 20_000
  private static let vainLimit = 16

  private var rows: [Row] = []

  /// Nobody is missed by anybody.
  package var isEmpty: Bool { rows.isEmpty }

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
    guard !rows[index].hearers.contains(hearer), !rows[index].vain.contains(hearer) else { return }
    rows[index].hearers = Array((rows[index].hearers + [hearer]).sorted().prefix(Unheard.hearers))
  }

  /// Forgets what is no longer so.
  package mutating func settle(
    at now: Milliseconds, isHeard: (_ mark: KeyMark, _ who: PublicKey) -> Bool,
    isHere: (PublicKey) -> Bool
  ) {
    for index in rows.indices {
      rows[index].hearers.removeAll { !isHere($0) }
      rows[index].vain.removeAll { !isHere($0) }
    }
    rows.removeAll {
      $0.hearers.isEmpty || now >= $0.seenAt + Unheard.fresh || isHeard($0.mark, $0.who)
    }
  }

  /// Gives up on one who was to tell `who` of people he says he hears, and had the time to since
  /// `linkedAt`: others who hear them are asked instead.
  ///
  /// With nobody left the row is forgotten, and begins anew with the next sign.
  package mutating func giveUp(
    on hearer: PublicKey, telling who: PublicKey, linkedAt: Milliseconds, at now: Milliseconds,
    isKnown: (KeyMark) -> Bool
  ) {
    for index in rows.indices where rows[index].who == who {
      let row = rows[index]
      guard row.hearers.contains(hearer), !isKnown(row.mark),
        now >= max(linkedAt, row.since + Unheard.lasting) + Unheard.patience
      else { continue }
      rows[index].hearers.removeAll { $0 == hearer }
      rows[index].vain = [hearer] + row.vain.prefix(Unheard.vainLimit - 1)
    }
    rows.removeAll { $0.hearers.isEmpty }
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
