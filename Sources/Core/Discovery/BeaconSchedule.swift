/// When the next beacon is due (PRODUCT decision 10).
package struct BeaconSchedule: Sendable {
  /// Every 2 s while an own table is open, else every 10 s, 30 s above sixteen neighbours.
  package static func period(openTable: Bool, neighbours: Int) -> UInt64 {
    openTable ? 2_000 : neighbours > 16 ? 30_000 : 10_000
  }

  /// A period varied by up to a fifth either way, so that laptops do not fall into step.
  package static func varied(_ period: UInt64, by noise: UInt64) -> UInt64 {
    period - period / 5 + noise % (2 * period / 5 + 1)
  }
}
