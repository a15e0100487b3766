import Discovery
import Dispatch
import Testing

@testable import Sockets

@Suite(.serialized) struct ProbeTests {
  private let loopbacks: [IPAddress] = [.loopback, .loopback6]

  @Test func whatIsSentToEverybodyComesBack() throws {
    #if os(Linux)
      let lo = try #require(try NetworkInterface.all().first { $0.isLoopback })
      let found = Probe.comesBack(
        port: 47_999, interfaces: [(lo.name, lo.index)], payload: [1, 2, 3])
      #expect(found.map(\.name) == [lo.name])
      #expect(found.map(\.comesBack) == [true])
    #endif
  }

  @Test func anInterfaceThatIsNotThereSaysNothing() {
    let found = Probe.comesBack(
      port: 47_998, interfaces: [("none", 4_000_000)], payload: [1], milliseconds: 30)
    #expect(found.isEmpty)
  }

  @Test func aPortThatListensIsNotFreeForLinksAndAServerThatSaysNothingIsSilent() throws {
    let queue = DispatchQueue(label: "probe")
    var kept: [AcceptedStream] = []
    let listener = try StreamListener(
      port: 0, filter: InterfaceFilter(), queue: queue, onTrouble: { _ in },
      onConnection: { kept.append($0) })
    let port = listener.local.port
    #expect(!Probe.isFreeForStreams(port))
    let place = Address(host: .loopback, port: port)
    #expect(Probe.reach(place, milliseconds: 500) == .connected)
    #expect(Probe.ask(localPort: port, [1], limit: 10, milliseconds: 200) == .silent)
    queue.sync {
      listener.close()
      kept = []
    }
  }

  @Test func nobodyAndSilenceAreToldApart() throws {
    #expect(Probe.ask(localPort: 47_996, [1], limit: 10, milliseconds: 500) == .nobody)
    for host in loopbacks {
      let closed = Probe.reach(Address(host: host, port: 47_996), milliseconds: 500)
      guard case .failed(let error) = closed else {
        Issue.record("somebody listens on 47996")
        return
      }
      #expect(error.name == "ECONNREFUSED")
    }
    #expect(Probe.isFreeForStreams(47_996))
  }

  @Test func theWayToThisLaptopLeadsFromThisLaptop() {
    for host in loopbacks { #expect(Probe.source(toward: host) == host) }
  }
}
