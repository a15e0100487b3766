import Discovery
import Dispatch
import Testing

@testable import Sockets

@Suite struct StreamTests {
  private struct State {
    var listener: StreamListener?
    var accepted: [StreamConnection] = []
    var dialled: [StreamConnection] = []
    var serverBytes: [UInt8] = []
    var clientBytes: [UInt8] = []
    var longestChunk = 0
    var connectedCount = 0
    var serverEnds: [StreamEnd] = []
    var clientEnds: [StreamEnd] = []
  }

  private func bench(
    settings: StreamConnection.Settings = .init(), filter: InterfaceFilter = loopbackOnly,
    echo: Bool = false
  ) throws -> Bench<State> {
    let bench = Bench(State())
    try bench.on { state throws(SocketError) in
      state.listener = try StreamListener(
        port: 0, filter: filter, queue: bench.queue,
        onTrouble: { error in Issue.record("\(error)") },
        onConnection: { accepted in
          bench.note { state in
            let number = state.accepted.count
            guard
              let connection = try? StreamConnection(
                accepted, settings: settings, queue: bench.queue,
                onEvent: { event in
                  bench.note { state in
                    switch event {
                    case .connected: Issue.record("an accepted connection is connected")
                    case .bytes(let bytes):
                      state.longestChunk = max(state.longestChunk, bytes.count)
                      state.serverBytes += bytes
                      if echo { _ = state.accepted[number].send(bytes) }
                    case .closed(let end): state.serverEnds.append(end)
                    }
                  }
                })
            else {
              Issue.record("an accepted connection is usable")
              return
            }
            state.accepted.append(connection)
          }
        })
    }
    return bench
  }

  private func dial(
    _ bench: Bench<State>, _ endpoint: Address? = nil,
    settings: StreamConnection.Settings = .init()
  ) throws {
    try bench.on { state in
      let port = try endpoint?.port ?? #require(state.listener).local.port
      let target = endpoint ?? Address(host: .loopback, port: port)
      state.dialled.append(
        try StreamConnection(
          to: target, settings: settings, queue: bench.queue,
          onEvent: { event in
            bench.note { state in
              switch event {
              case .connected: state.connectedCount += 1
              case .bytes(let bytes): state.clientBytes += bytes
              case .closed(let end): state.clientEnds.append(end)
              }
            }
          }))
    }
  }

  @Test func manyBytesArriveInOrderInBoundedChunks() async throws {
    var settings = StreamConnection.Settings()
    settings.chunkBytes = 1_000
    let bench = try bench(settings: settings, echo: true)
    try dial(bench)
    let sent = (0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 7) }
    bench.on { state in
      // Before the connect is through: the bytes wait.
      #expect(state.dialled[0].send(sent) == .queued(pending: sent.count))
    }
    await bench.until("everything comes back") { $0.clientBytes.count == sent.count }
    bench.on { state in
      #expect(state.serverBytes == sent)
      #expect(state.clientBytes == sent)
      #expect(state.longestChunk <= 1_000)
      #expect(state.connectedCount == 1)
      #expect(state.dialled[0].pendingCount == 0)
    }
  }

  @Test func oneListenerTakesIPv4AndIPv6() async throws {
    let bench = try bench(filter: InterfaceFilter())
    let port = try bench.on { try #require($0.listener).local.port }
    for host in [IPAddress.loopback, .loopback6] {
      try dial(bench, Address(host: host, port: port))
    }
    await bench.until("both are taken") { $0.accepted.count == 2 && $0.connectedCount == 2 }
    bench.on { state in
      #expect(Set(state.accepted.map(\.remote.host)) == [.loopback, .loopback6])
    }
  }

  @Test func whereOnlyLoopbackIsAllowedNothingElseIsBound() throws {
    let bench = try bench(filter: loopbackOnly)
    #expect(try bench.on { try #require($0.listener).local.host } == .loopback)
  }

  @Test func nobodyListeningIsAnAnswer() async throws {
    let bench = try bench()
    let target = try bench.on { state in
      let listener = try #require(state.listener)
      listener.close()
      state.listener = nil
      return Address(host: .loopback, port: listener.local.port)
    }
    // The descriptor closes once Dispatch has let go of it; until then connects may succeed.
    await bench.until("refused") { state in
      state.clientEnds.contains { $0.code == "ECONNREFUSED" }
    } whileDoing: {
      do {
        try dial(bench, target)
      } catch let error as SocketError {
        // The system may know the answer at once.
        bench.on { $0.clientEnds.append(.failed(error)) }
      }
    }
  }

  @Test func aBufferThatIsFullSaysSoAndTakesNothing() async throws {
    var settings = StreamConnection.Settings()
    settings.outgoingBytes = 100_000
    let bench = try bench()
    try dial(bench, settings: settings)
    await bench.until("accepted") { $0.accepted.count == 1 && $0.connectedCount == 1 }
    bench.on { state in
      // The other end stops reading; the system's own buffers fill, then ours.
      state.accepted[0].pauseReading()
    }
    var sawOverflow = false
    var taken = 0
    for _ in 0..<10_000 where !sawOverflow {
      let result = bench.on { $0.dialled[0].send([UInt8](repeating: 1, count: 50_000)) }
      switch result {
      case .queued: taken += 50_000
      case .overflow: sawOverflow = true
      case .closed: Issue.record("still open")
      }
      await Task.yield()
    }
    #expect(sawOverflow)
    let pending = bench.on { $0.dialled[0].pendingCount }
    #expect(pending <= 100_000)
    // Once it reads again, everything that was taken arrives.
    bench.on { $0.accepted[0].resumeReading() }
    let expected = taken
    await bench.until("the rest arrives") { $0.serverBytes.count == expected }
  }

  @Test func finishDeliversWhatWaitsAndThenCloses() async throws {
    let bench = try bench()
    try dial(bench)
    await bench.until("accepted") { $0.accepted.count == 1 && $0.connectedCount == 1 }
    let sent = [UInt8](repeating: 5, count: 2_000_000)
    bench.on { state in
      #expect(state.dialled[0].send(sent) == .queued(pending: sent.count))
      state.dialled[0].finish()
      #expect(state.dialled[0].send([1]) == .closed)
      state.dialled = []
    }
    await bench.until("all arrives, then the end") { $0.serverEnds == [.endedByPeer] }
    bench.on { #expect($0.serverBytes.count == sent.count) }
    bench.on { #expect($0.clientEnds.isEmpty) }
  }

  @Test func droppingAConnectionClosesIt() async throws {
    let bench = try bench()
    try dial(bench)
    await bench.until("accepted") { $0.accepted.count == 1 && $0.connectedCount == 1 }
    bench.on { $0.dialled = [] }
    await bench.until("the other end notices") { $0.serverEnds == [.endedByPeer] }
  }

  @Test func writingToAClosedPeerEndsTheConnectionNotTheProcess() async throws {
    let bench = try bench()
    try dial(bench)
    await bench.until("accepted") { $0.accepted.count == 1 && $0.connectedCount == 1 }
    bench.on { state in
      state.dialled[0].pauseReading()
      state.accepted[0].close()
    }
    await bench.until("the write fails") {
      !$0.clientEnds.isEmpty
    } whileDoing: {
      bench.on { _ = $0.dialled[0].send([1, 2, 3]) }
    }
    bench.on { state in
      #expect(state.clientEnds.count == 1)
      #expect(state.serverEnds.isEmpty)
    }
  }

  @Test func aConnectionToAnInterfaceThatIsNotAllowedIsClosed() async throws {
    let bench = try bench(filter: InterfaceFilter(names: ["nosuch0"]))
    try dial(bench)
    await bench.until("closed") { !$0.clientEnds.isEmpty }
    bench.on { #expect($0.accepted.isEmpty) }
  }

  @Test func aTakenPortIsSkippedOrNamed() throws {
    let bench = try bench()
    try bench.on { state in
      let taken = try #require(state.listener).local.port
      #expect(throws: SocketError.self) {
        _ = try StreamListener(
          port: taken, filter: loopbackOnly, queue: bench.queue, onTrouble: { _ in },
          onConnection: { _ in })
      }
      let next = try StreamListener(
        port: taken, attempts: 50, filter: loopbackOnly, queue: bench.queue, onTrouble: { _ in },
        onConnection: { _ in })
      #expect(next.local.port > taken)
    }
  }

  @Test func aThousandShortConnectionsLeaveNoDescriptorBehind() async throws {
    let bench = try bench()
    for round in 1...20 {
      for _ in 0..<50 { try dial(bench) }
      await bench.until("connected") { $0.connectedCount == round * 50 && $0.accepted.count == 50 }
      bench.on { state in
        // Half are closed by either side, some while paused.
        for (number, connection) in state.dialled.enumerated() {
          if number.isMultiple(of: 3) { connection.pauseReading() }
          if number.isMultiple(of: 2) { connection.close() } else { connection.finish() }
        }
        state.dialled = []
      }
      await bench.until("all ended") { $0.serverEnds.count == round * 50 }
      bench.on { $0.accepted = [] }
    }
    // A fresh descriptor has a low number only if the others were given back.
    let number = try System.streamSocket(for: .any).number
    #expect(number < 400)
  }

  @Test func errorsHaveANameAndASentence() {
    for known in SocketError.Known.allCases {
      let error = SocketError(call: "connect", number: known.number)
      #expect(error.name == known.rawValue)
      #expect(error.description.hasSuffix("(connect: \(known.rawValue))"))
    }
    #expect(SocketError(call: "x", number: 9_999).name == "E9999")
  }
}

extension Bench {
  /// Waits as `until` does, doing something before each look.
  fileprivate func until(
    _ what: Comment, sourceLocation: SourceLocation = #_sourceLocation,
    _ condition: (State) -> Bool, whileDoing action: () throws -> Void
  ) async {
    let clock = ContinuousClock()
    let deadline = clock.now + .seconds(20)
    while clock.now < deadline {
      if on({ condition($0) }) { return }
      try? action()
      try? await Task.sleep(for: .milliseconds(5))
    }
    Issue.record(what, sourceLocation: sourceLocation)
  }
}
