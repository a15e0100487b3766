import Discovery
import Testing

@testable import Sockets

@Suite struct DatagramTests {
  private struct State {
    var listeners: [DatagramListener] = []
    var sender: DatagramSender?
    var heard: [[Datagram]] = [[], [], []]
    var answers: [Datagram] = []
  }

  private func bench(listeners: Int, limit: Int = 1_200) throws -> Bench<State> {
    let bench = Bench(State())
    try bench.on { state throws(SocketError) in
      var port: UInt16 = 0
      for number in 0..<listeners {
        let listener = try DatagramListener(
          port: port, filter: loopbackOnly, limit: limit, queue: bench.queue
        ) { datagram in bench.note { $0.heard[number].append(datagram) } }
        port = listener.local.port
        state.listeners.append(listener)
      }
      state.sender = try DatagramSender(
        filter: loopbackOnly, limit: limit, queue: bench.queue
      ) { datagram in bench.note { $0.answers.append(datagram) } }
    }
    return bench
  }

  @Test func aBroadcastOnLoopbackReachesEveryListenerOfThePort() async throws {
    let bench = try bench(listeners: 3)
    let loopback = try #require(try NetworkInterface.all().first { $0.address == .loopback })
    let source = try bench.on { state in
      let sender = try #require(state.sender)
      let outcomes = sender.broadcast(
        [1, 2, 3], port: state.listeners[0].local.port, through: try NetworkInterface.all())
      #expect(outcomes.map(\.interface.name) == [loopbackName])
      #expect(outcomes.allSatisfy { $0.error == nil && $0.target == .loopbackBroadcast })
      return Address(host: .loopback, port: sender.local.port)
    }
    await bench.until("all three hear it") { $0.heard.allSatisfy { $0.count == 1 } }
    bench.on { state in
      let expected = Datagram(
        bytes: [1, 2, 3], source: source, interfaceIndex: loopback.index, isAlone: false)
      #expect(state.heard == [[expected], [expected], [expected]])
    }
  }

  @Test func anAnswerReachesTheSendersOwnPort() async throws {
    let bench = try bench(listeners: 0)
    let other = try bench.on { state throws(SocketError) in
      Kept(
        try DatagramSender(filter: loopbackOnly, limit: 1_200, queue: bench.queue) { _ in })
    }
    try bench.on { state in
      let sender = try #require(state.sender)
      try other.value.send([7], to: Address(host: .loopback, port: sender.local.port))
    }
    await bench.until("the answer comes") { !$0.answers.isEmpty }
    bench.on { state in
      #expect(state.answers.map(\.bytes) == [[7]])
      #expect(state.answers.map(\.isAlone) == [true])
      #expect(state.answers.map(\.source.port) == [other.value.local.port])
    }
  }

  @Test func whatASecondAddressOfOneNetworkWouldRepeatIsSentOnce() throws {
    let bench = try bench(listeners: 1)
    let loopback = try #require(try NetworkInterface.all().first { $0.address == .loopback })
    let second = NetworkInterface(
      name: loopback.name, index: loopback.index, address: .v4(0x7f00_0002),
      netmask: loopback.netmask, flags: 0x49)
    try bench.on { state in
      let outcomes = try #require(state.sender).broadcast(
        [1], port: state.listeners[0].local.port, through: [loopback, second])
      #expect(outcomes.map(\.interface) == [loopback])
    }
  }

  @Test func byIPv6AnAnswerComesToo() async throws {
    let bench = Bench(State())
    let pair = try bench.on { _ throws(SocketError) in
      let listener = try DatagramListener(
        host: .any6, port: 0, filter: loopbackOnly, limit: 1_200, queue: bench.queue
      ) { datagram in bench.note { $0.heard[0].append(datagram) } }
      let sender = try DatagramSender(
        host: .any6, filter: loopbackOnly, limit: 1_200, queue: bench.queue
      ) { datagram in bench.note { $0.answers.append(datagram) } }
      return Kept((listener: listener, sender: sender))
    }
    let (listener, sender) = pair.value
    try bench.on { _ in
      // Nothing of IPv6 is joined or broadcast where only loopback is allowed.
      #expect(listener.join(try NetworkInterface.all()).isEmpty)
      #expect(
        sender.broadcast([1], port: listener.local.port, through: try NetworkInterface.all())
          .isEmpty)
      try sender.send([2], to: Address(host: .loopback6, port: listener.local.port))
    }
    await bench.until("it comes") { $0.heard[0].count == 1 }
    let source = bench.on { $0.heard[0][0].source }
    #expect(source == Address(host: .loopback6, port: sender.local.port))
    try bench.on { _ in try sender.send([3], to: source) }
    await bench.until("the answer comes") { $0.answers.map(\.bytes) == [[3]] }
    bench.on { state in
      #expect(state.heard[0][0].interfaceIndex == state.answers[0].interfaceIndex)
      #expect(state.heard[0][0].isAlone && state.answers[0].isAlone)
    }
  }

  @Test func aZoneThatIsNoInterfaceIsNamedAsSuch() throws {
    let bench = Bench(())
    try bench.on { _ in
      let sender = try DatagramSender(
        host: .any6, filter: InterfaceFilter(), limit: 1_200, queue: bench.queue
      ) { _ in }
      let error = #expect(throws: SocketError.self) {
        try sender.send([1], to: try #require(Address("[fe80::1%nosuch0]:9")))
      }
      #expect(error?.name == "ENODEV")
    }
  }

  @Test func aDatagramOverTheLimitIsCountedAndIgnored() async throws {
    let bench = try bench(listeners: 1, limit: 4)
    try bench.on { state in
      let target = Address(host: .loopback, port: state.listeners[0].local.port)
      let sender = try #require(state.sender)
      try sender.send([1, 2, 3, 4, 5], to: target)
      try sender.send([1, 2, 3, 4], to: target)
      try sender.send([], to: target)
    }
    await bench.until("the short ones come") { $0.heard[0].count == 2 }
    bench.on { state in
      #expect(state.heard[0].map(\.bytes) == [[1, 2, 3, 4], []])
      #expect(state.listeners[0].drops == DatagramDrops(wrongInterface: 0, tooLong: 1))
    }
  }

  @Test func whatComesByAnotherInterfaceIsIgnored() async throws {
    let bench = try bench(listeners: 1)
    let deaf = try bench.on { state throws(SocketError) in
      Kept(
        try DatagramListener(
          port: state.listeners[0].local.port, filter: InterfaceFilter(names: ["nosuch0"]),
          limit: 1_200, queue: bench.queue
        ) { datagram in bench.note { $0.heard[1].append(datagram) } })
    }
    try bench.on { state in
      _ = try #require(state.sender).broadcast(
        [1], port: state.listeners[0].local.port, through: try NetworkInterface.all())
    }
    await bench.until("one hears it, the other counts it") { state in
      state.heard[0].count == 1 && deaf.value.drops.wrongInterface == 1
    }
    bench.on { #expect($0.heard[1].isEmpty) }
  }

  @Test func nothingLeavesByAnInterfaceThatIsNotAllowed() throws {
    let bench = Bench(())
    let sender = try bench.on { _ throws(SocketError) in
      Kept(
        try DatagramSender(
          filter: InterfaceFilter(names: ["nosuch0"]), limit: 1_200, queue: bench.queue
        ) { _ in })
    }
    try bench.on { _ in
      let outcomes = sender.value.broadcast([1], port: 9, through: try NetworkInterface.all())
      #expect(outcomes.isEmpty)
      #expect(throws: SocketError.self) {
        try sender.value.send([1], to: Address(host: .loopback, port: 9))
      }
    }
  }

  @Test func anUnreachablePortDoesNotSilenceTheSocket() async throws {
    let bench = try bench(listeners: 1)
    let gone = try bench.on { _ throws(SocketError) in
      let listener = try DatagramListener(
        port: 0, filter: loopbackOnly, limit: 10, queue: bench.queue
      ) { _ in }
      listener.close()
      return listener.local.port
    }
    try bench.on { state in
      let sender = try #require(state.sender)
      for _ in 0..<3 { try? sender.send([0], to: Address(host: .loopback, port: gone)) }
      try sender.send([9], to: Address(host: .loopback, port: state.listeners[0].local.port))
    }
    await bench.until("the next one still comes") { $0.heard[0].map(\.bytes) == [[9]] }
  }
}
