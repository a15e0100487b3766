package import Discovery

/// Short tests of this laptop's own network, for whoever asks why friends are not seen.
///
/// Each blocks the caller for at most the time it names, so none is made on a node's queue.
package enum Probe {
  /// Who is there when somebody tries to connect.
  package enum Reach: Equatable, Sendable {
    case connected
    /// Why not; `ETIMEDOUT` too when the time was over first.
    case failed(SocketError)
  }

  /// Whether datagrams for everybody on each interface come in at a port, through the firewall.
  ///
  /// The test is a multicast with a lifetime of zero: the kernel hands it to this laptop as if it had
  /// come in by the interface, and sends it to nobody (ip(7), `IP_MULTICAST_TTL`). Empty where that
  /// cannot be tried: on other systems than Linux, and when another program holds the port alone.
  /// The number of the interface is added to `payload`.
  package static func comesBack(
    port: UInt16, interfaces: [(name: String, index: UInt32)], payload: [UInt8],
    milliseconds: Int = 900
  ) -> [(name: String, comesBack: Bool)] {
    guard let ears = try? System.probeListener(port: port), let mouth = try? System.probeSender()
    else { return [] }
    let rounds = 3
    var missing = interfaces
    var sent: [(name: String, index: UInt32)] = []
    for _ in 0..<rounds where !missing.isEmpty {
      for one in missing {
        let bytes = payload + [UInt8(truncatingIfNeeded: one.index)]
        let isSent = System.probe(mouth, bytes, port: port, index: one.index)
        if isSent, !sent.contains(where: { $0.index == one.index }) { sent.append(one) }
      }
      let end = System.milliseconds() + milliseconds / rounds
      while !missing.isEmpty, System.waitToRead(ears, until: end) {
        guard let bytes = System.probeReceived(ears) else { continue }
        missing.removeAll { payload + [UInt8(truncatingIfNeeded: $0.index)] == bytes }
      }
    }
    // What could not even be sent says nothing about what comes in.
    return sent.map { one in (one.name, !missing.contains { $0.index == one.index }) }
  }

  /// Whether a node could listen for beacons on a UDP port.
  package static func isFreeForDatagrams(_ port: UInt16) -> Bool {
    (try? System.probeListener(port: port)) != nil
  }

  /// Whether a node could take links on a TCP port.
  package static func isFreeForStreams(_ port: UInt16) -> Bool {
    System.canListen(port: port)
  }

  /// Tries to connect to an address, and closes the connection at once.
  package static func reach(_ address: Address, milliseconds: Int) -> Reach {
    do throws(SocketError) {
      try System.reach(address, milliseconds: milliseconds)
      return .connected
    } catch {
      return .failed(error)
    }
  }

  /// The address this laptop would send from to reach another; sends nothing.
  package static func source(toward host: IPAddress) -> IPAddress? {
    try? System.source(toward: Address(host: host, port: 9))
  }
}

extension Probe {
  /// What a server on this laptop answers.
  package enum Answer: Equatable, Sendable {
    /// Nothing listens there.
    case nobody
    /// Something listens and did not answer in time, or said more than the limit.
    case silent
    case said([UInt8])
  }

  /// Sends a request to a port of 127.0.0.1 and reads until the other end closes.
  package static func ask(
    localPort: UInt16, _ request: [UInt8], limit: Int, milliseconds: Int
  ) -> Answer {
    System.ask(localPort: localPort, request, limit: limit, milliseconds: milliseconds)
  }
}
