import Testing
import Wire

@testable import Discovery

@Suite struct `Whether somebody hears me` {
  private func judge(
    _ reach: inout Reach, _ tells: Bool?, settled: UInt64?, at now: UInt64, datagram: Bool = true
  ) -> Reach.HearsMe {
    reach.read(tells, byDatagram: datagram, settled: settled, period: 10_000, at: now)
    return reach.hearsMe
  }

  @Test func `is denied after three lists over two periods, each after an own beacon`() {
    var reach = Reach(settled: 4)
    #expect(judge(&reach, false, settled: 5, at: 0) == .unknown)
    #expect(reach.needsUnicast)
    #expect(judge(&reach, false, settled: 6, at: 10_000) == .unknown)
    #expect(judge(&reach, false, settled: 7, at: 20_000) == .no)
    #expect(judge(&reach, true, settled: 7, at: 30_000) == .yes)
  }

  @Test func `is not denied by lists that come fast, or before an own beacon could be heard`() {
    var reach = Reach(settled: 0)
    for number in 1...10 as ClosedRange<UInt64> {
      #expect(judge(&reach, false, settled: number, at: number * 100) == .unknown)
    }
    var other = Reach(settled: 3)
    for number in 1...10 as ClosedRange<UInt64> {
      #expect(judge(&other, false, settled: 3, at: number * 10_000) == .unknown)
    }
    #expect(!other.needsUnicast)
  }

  @Test func `is not denied by lists over a link, by silence, or where nothing can be sent`() {
    var reach = Reach(settled: 0)
    for number in 1...9 as ClosedRange<UInt64> {
      let now = number * 10_000
      #expect(judge(&reach, false, settled: number, at: now, datagram: false) == .unknown)
      #expect(judge(&reach, nil, settled: number, at: now) == .unknown)
      #expect(judge(&reach, false, settled: nil, at: now) == .unknown)
    }
  }

  @Test func `starts anew when one list names me`() {
    var reach = Reach(settled: 0)
    _ = judge(&reach, false, settled: 1, at: 0)
    _ = judge(&reach, false, settled: 2, at: 10_000)
    _ = judge(&reach, true, settled: 3, at: 20_000)
    #expect(reach.needsUnicast, "only what was sent to it alone may have got through")
    #expect(judge(&reach, false, settled: 4, at: 30_000) == .yes)
  }

  @Test func `is a sentence with names`() {
    #expect(Reach.sentence(deaf: []) == nil)
    #expect(Reach.sentence(deaf: ["Bo"]) == "I hear Bo, Bo does not hear me.")
    #expect(
      Reach.sentence(deaf: ["Bo", "Cy", "Di"])
        == "I hear Bo and 2 more, Bo and 2 more do not hear me.")
  }

  @Test func `counts own beacons that had their time`() {
    var beacons = OwnBeacons()
    for number in 0..<100 as Range<UInt64> { beacons.sent(at: number * 500) }
    #expect(beacons.settled(at: 49_500) == 98)
    #expect(beacons.settled(at: 60_000) == 100)
  }
}

@Suite struct `The own key` {
  private let ana = Signer(1)
  private let start: UInt64 = 1_800_000_000

  private func watch(sent: UInt64 = 3) -> SameKey {
    var out = SameKey(incarnation: 50, startedAt: start * 1_000)
    for sequence in 1...sent { out.sent(ana.beacon(incarnation: 50, sequence: sequence)) }
    return out
  }

  private func hears(
    _ watch: inout SameKey, incarnation: UInt64, sequence: UInt64, clock: UInt64? = nil,
    name: String = "Ana", at now: UInt64 = 0
  ) -> Bool {
    watch.hear(
      ana.beacon(
        name: name, incarnation: incarnation, sequence: sequence,
        clock: clock ?? 1_800_000_000),
      at: now)
  }

  @Test func `in what this node said is its own`() {
    var watch = watch()
    for sequence in 1...3 as ClosedRange<UInt64> {
      #expect(hears(&watch, incarnation: 50, sequence: sequence) == false)
    }
    #expect(!watch.isTwice(at: 0))
  }

  @Test func `in what it has not said is another's`() {
    var (later, other, higher) = (watch(), watch(), watch())
    #expect(hears(&later, incarnation: 50, sequence: 4))
    #expect(hears(&other, incarnation: 50, sequence: 2, name: "Ana 2"))
    #expect(hears(&higher, incarnation: 51, sequence: 1))
    #expect(higher.isTwice(at: 59_999) && !higher.isTwice(at: 60_000))
  }

  @Test func `in an earlier run is its own, unless that run still speaks`() {
    var watch = watch()
    for sequence in 1...9 as ClosedRange<UInt64> {
      #expect(hears(&watch, incarnation: 49, sequence: sequence, clock: start + 1) == false)
    }
    #expect(hears(&watch, incarnation: 49, sequence: 20, clock: start + 5) == false)
    #expect(hears(&watch, incarnation: 49, sequence: 20, clock: start + 5) == false, "the same")
    #expect(hears(&watch, incarnation: 49, sequence: 21, clock: start + 15) == true)
  }
}
