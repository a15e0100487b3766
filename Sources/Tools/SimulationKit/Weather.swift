/// What goes wrong in one simulated world, drawn from its seed.
package struct Weather: Hashable, Sendable {
  /// Messages lost and doubled, in percent.
  package var loss = 0
  package var doubled = 0
  /// Longest one-way delay and longest sync, in milliseconds.
  package var delay: UInt64 = 5
  package var sync: UInt64 = 3
  /// Crashes in percent of the syncs that somebody waits for.
  package var crashes = 0
  /// Longest time until a crashed node is up again, in milliseconds.
  package var down: UInt64 = 4_000
  /// Cuts, one-way links and pauses in percent of half-seconds.
  package var cuts = 0
  package var oneWay = 0
  package var pauses = 0
  /// A crash loses everything that was not synced; else by chance a part of it is there.
  package var losesAll = false
  /// All crash at once, in percent of half-seconds.
  package var blackouts = 0
  /// Whether one person leaves in the middle.
  package var someoneLeaves = false
  /// How long people act, in milliseconds, and how often at most.
  package var span: UInt64 = 12_000
  package var pause: UInt64 = 1_500

  /// Nothing goes wrong.
  package init() {}

  /// A mixture; of every kind of trouble there is none in a third of the worlds, and in every sixth
  /// there may be four times as much of it.
  package init(_ random: inout Random) {
    let isWild = random.chance(16)
    func some(_ most: Int) -> Int {
      random.chance(33) ? 0 : random.below((isWild ? 4 * most : most) + 1)
    }
    loss = some(20)
    doubled = some(20)
    delay = random.number(1...(isWild ? 600 : 120))
    down = random.chance(50) ? 300 : 4_000
    losesAll = random.chance(50)
    sync = random.number(1...30)
    crashes = some(6)
    cuts = some(10)
    oneWay = some(10)
    pauses = some(6)
    blackouts = some(2)
    someoneLeaves = random.chance(33)
    span = random.number(4_000...12_000)
    pause = random.number(300...1_500)
  }
}
