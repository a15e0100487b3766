/// What goes wrong in one simulated world, drawn from its seed.
package struct Weather: Hashable, Sendable {
  private var rates = Array(repeating: 0, count: Fault.allCases.count)
  /// Longest one-way delay and longest sync, in milliseconds.
  package var delay: UInt64 = 5
  package var sync: UInt64 = 3
  /// Longest time until a crashed node is up again, in milliseconds.
  package var down: UInt64 = 4_000
  /// Whether one person leaves in the middle.
  package var someoneLeaves = false
  /// Whether, before all else, one of three leaves while another is away.
  package var leavesBeside = false
  /// Whether the creator ends the game when all have acted.
  package var ends = false
  /// How long people act at most, in milliseconds, and how often each at most.
  package var span: UInt64 = 12_000
  package var pause: UInt64 = 1_500
  /// People stop to act when so many entries are final.
  package var entries = Int.max

  /// Nothing goes wrong.
  package init() {}

  /// How often a fault happens, in percent of the occasions that `Fault` names.
  package subscript(fault: Fault) -> Int {
    get { rates[fault.index] }
    set { rates[fault.index] = newValue }
  }

  /// The faults that may happen.
  package var faults: [Fault] { Fault.allCases.filter { self[$0] > 0 } }

  /// A mixture; of every kind of trouble there is none in a third of the worlds, and in every sixth
  /// there may be four times as much of it.
  package init(_ random: inout Random) {
    let isWild = random.chance(16)
    for fault in Fault.allCases {
      guard !random.chance(33), let most = Self.most(of: fault) else { continue }
      self[fault] = random.below((isWild ? 4 * most : most) + 1)
    }
    self[.unsynced] = random.chance(50) ? 100 : 0
    self[.reorder] = random.chance(50) ? 30 : 0
    self[.torn] = random.chance(50) ? 30 : 0
    self[.drift] = random.chance(33) ? 100 : 0
    // Once in a world is much for what costs a voter for good.
    self[.rot] = random.chance(10) ? 4 : 0
    self[.rollback] = random.chance(10) ? 4 : 0
    delay = random.number(1...(isWild ? 600 : 120))
    down = random.chance(50) ? 300 : 4_000
    sync = random.number(1...30)
    someoneLeaves = random.chance(25)
    ends = random.chance(25)
    span = 60_000
    entries = 100
    pause = random.number(200...1_200)
  }

  /// The highest rate in a world that is not wild; nil for what is drawn in another way.
  private static func most(of fault: Fault) -> Int? {
    switch fault {
    case .loss, .double: 20
    case .garble: 4
    case .clog, .cut, .oneWay: 10
    case .isolation: 5
    case .split: 4
    case .address, .pause, .crash: 6
    case .sleep, .blackout, .full, .clock: 2
    case .nap: 1
    case .drift, .unsynced, .reorder, .torn, .rot, .rollback: nil
    }
  }
}
