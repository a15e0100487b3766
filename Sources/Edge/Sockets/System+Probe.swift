import Discovery

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The calls behind `Probe`, which block for a limited time.
extension System {
  /// A socket on the port, shared as nodes share it.
  static func probeListener(port: UInt16) throws(SocketError) -> Descriptor {
    let descriptor = try datagramSocket(for: .any)
    try sharePort(descriptor)
    try bind(descriptor, to: Address(host: .any, port: port))
    return descriptor
  }

  /// A socket whose multicasts stay on this laptop; throws where the system has no such thing.
  static func probeSender() throws(SocketError) -> Descriptor {
    #if os(Linux)
      let descriptor = try datagramSocket(for: .any)
      try setOption(descriptor, Int32(IPPROTO_IP), IP_MULTICAST_TTL, 0)
      return descriptor
    #else
      throw SocketError(call: "setsockopt", number: ENOTSUP)
    #endif
  }

  /// Sends to all hosts, 224.0.0.1, which every interface hears without being told to.
  static func probe(
    _ descriptor: Descriptor, _ bytes: [UInt8], port: UInt16, index: UInt32
  ) -> Bool {
    #if os(Linux)
      var way = ip_mreqn()
      way.imr_ifindex = Int32(bitPattern: index)
      let size = socklen_t(MemoryLayout<ip_mreqn>.size)
      guard setsockopt(descriptor.number, Int32(IPPROTO_IP), IP_MULTICAST_IF, &way, size) == 0
      else { return false }
      let everybody = Address(host: .v4(0xe000_0001), port: port)
      return (try? send(descriptor, bytes, to: everybody)) != nil
    #else
      return false
    #endif
  }

  /// The next datagram, or nil when there is none.
  static func probeReceived(_ descriptor: Descriptor) -> [UInt8]? {
    var buffer = [UInt8](repeating: 0, count: 64)
    guard let count = try? read(descriptor, into: &buffer) else { return nil }
    return Array(buffer.prefix(count))
  }

  static func milliseconds() -> Int {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Int(time.tv_sec) * 1_000 + Int(time.tv_nsec) / 1_000_000
  }

  /// Waits until there is something to read; false when the time is over.
  static func waitToRead(_ descriptor: Descriptor, until end: Int) -> Bool {
    wait(descriptor, for: Int16(POLLIN), until: end)
  }

  private static func wait(_ descriptor: Descriptor, for events: Int16, until end: Int) -> Bool {
    while true {
      let left = end - milliseconds()
      guard left > 0 else { return false }
      var one = pollfd(fd: descriptor.number, events: events, revents: 0)
      let count = poll(&one, 1, Int32(clamping: left))
      if count > 0 { return true }
      if count < 0, errno != EINTR { return false }
    }
  }

  static func canListen(port: UInt16) -> Bool {
    do throws(SocketError) {
      let descriptor = try streamSocket(for: .any)
      try reuseAddress(descriptor)
      try bind(descriptor, to: Address(host: .any, port: port))
      try listen(descriptor, backlog: 1)
      return true
    } catch {
      return false
    }
  }

  /// Connects, and closes the connection at once; throws why it could not, `ETIMEDOUT` where the time
  /// was over first.
  static func reach(_ address: Address, milliseconds: Int) throws(SocketError) {
    try connect(
      streamSocket(for: address.host), to: address, until: System.milliseconds() + milliseconds)
  }

  private static func connect(
    _ descriptor: Descriptor, to address: Address, until end: Int
  ) throws(SocketError) {
    if try connect(descriptor, to: address) { return }
    guard wait(descriptor, for: Int16(POLLOUT), until: end) else {
      throw SocketError(call: "connect", number: ETIMEDOUT)
    }
    if let error = try pendingError(descriptor) { throw error }
  }

  static func ask(
    localPort: UInt16, _ request: [UInt8], limit: Int, milliseconds: Int
  ) -> Probe.Answer {
    let end = System.milliseconds() + milliseconds
    guard let descriptor = try? streamSocket(for: .loopback) else { return .silent }
    do throws(SocketError) {
      try connect(descriptor, to: Address(host: .loopback, port: localPort), until: end)
    } catch {
      return error.number == ETIMEDOUT ? .silent : .nobody
    }
    var rest = request[...]
    while !rest.isEmpty {
      guard wait(descriptor, for: Int16(POLLOUT), until: end),
        let count = try? write(descriptor, rest)
      else { return .silent }
      rest = rest.dropFirst(count)
    }
    var out: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while out.count <= limit {
      guard wait(descriptor, for: Int16(POLLIN), until: end) else { return .silent }
      guard let count = try? read(descriptor, into: &buffer) else { return .silent }
      if count == 0 { return .said(out) }
      out += buffer.prefix(count)
    }
    return .silent
  }
}
