#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The calls behind `Probe`, which block for a limited time.
extension System {
  #if canImport(Darwin)
    private static let probeDatagrams = SOCK_DGRAM
    private static let probeStreams = SOCK_STREAM
    private static let probeSharing = SO_REUSEPORT
  #else
    private static let probeDatagrams = Int32(SOCK_DGRAM.rawValue)
    private static let probeStreams = Int32(SOCK_STREAM.rawValue)
    private static let probeSharing = SO_REUSEADDR
  #endif

  /// A socket on the port, shared as nodes share it.
  static func probeListener(port: UInt16) throws(SocketError) -> Descriptor {
    let descriptor = try makeSocket(family: AF_INET, type: probeDatagrams, protocol: 0)
    var value: Int32 = 1
    let size = socklen_t(MemoryLayout<Int32>.size)
    try check(
      "setsockopt", setsockopt(descriptor.number, SOL_SOCKET, probeSharing, &value, size))
    try check("bind", probeBind(descriptor, port: port))
    return descriptor
  }

  /// A socket whose multicasts stay on this laptop; throws where the system has no such thing.
  static func probeSender() throws(SocketError) -> Descriptor {
    #if os(Linux)
      let descriptor = try makeSocket(family: AF_INET, type: probeDatagrams, protocol: 0)
      var lifetime: Int32 = 0
      let size = socklen_t(MemoryLayout<Int32>.size)
      try check(
        "setsockopt",
        setsockopt(descriptor.number, Int32(IPPROTO_IP), IP_MULTICAST_TTL, &lifetime, size))
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
      let sent = probeAddress(0xe000_0001, port: port) { address, size in
        bytes.withUnsafeBytes {
          sendto(descriptor.number, $0.baseAddress, $0.count, noSignal, address, size)
        }
      }
      return sent == bytes.count
    #else
      return false
    #endif
  }

  /// The next datagram, or nil when there is none.
  static func probeReceived(_ descriptor: Descriptor) -> [UInt8]? {
    var buffer = [UInt8](repeating: 0, count: 64)
    let count = recv(descriptor.number, &buffer, buffer.count, 0)
    return count >= 0 ? Array(buffer.prefix(count)) : nil
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
    guard let descriptor = try? makeSocket(family: AF_INET, type: probeStreams, protocol: 0),
      (try? reuseAddress(descriptor)) != nil, probeBind(descriptor, port: port) == 0
    else { return false }
    #if canImport(Darwin)
      return Darwin.listen(descriptor.number, 1) == 0
    #else
      return Glibc.listen(descriptor.number, 1) == 0
    #endif
  }

  static func reach(_ number: UInt32, port: UInt16, milliseconds: Int) -> Probe.Reach {
    let descriptor: Descriptor
    do throws(SocketError) {
      descriptor = try makeSocket(family: AF_INET, type: probeStreams, protocol: 0)
    } catch {
      return .failed(error)
    }
    let result = probeConnect(descriptor, number, port: port)
    if result == 0 { return .connected }
    if errno != EINPROGRESS && errno != EINTR {
      return .failed(SocketError(call: "connect", number: errno))
    }
    guard wait(descriptor, for: Int16(POLLOUT), until: System.milliseconds() + milliseconds) else {
      return .failed(SocketError(call: "connect", number: ETIMEDOUT))
    }
    do throws(SocketError) {
      if let error = try pendingError(descriptor) { return .failed(error) }
      return .connected
    } catch {
      return .failed(error)
    }
  }

  static func ask(
    localPort: UInt16, _ request: [UInt8], limit: Int, milliseconds: Int
  ) -> Probe.Answer {
    let end = System.milliseconds() + milliseconds
    guard let descriptor = try? makeSocket(family: AF_INET, type: probeStreams, protocol: 0) else {
      return .silent
    }
    if probeConnect(descriptor, 0x7f00_0001, port: localPort) != 0 {
      guard errno == EINPROGRESS || errno == EINTR else { return .nobody }
      guard wait(descriptor, for: Int16(POLLOUT), until: end) else { return .silent }
      if (try? pendingError(descriptor)) != .some(nil) { return .nobody }
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

  static func source(toward number: UInt32) -> UInt32? {
    guard let descriptor = try? makeSocket(family: AF_INET, type: probeDatagrams, protocol: 0),
      probeConnect(descriptor, number, port: 9) == 0
    else { return nil }
    var address = sockaddr_in()
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let result = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        getsockname(descriptor.number, $0, &size)
      }
    }
    return result == 0 ? UInt32(bigEndian: address.sin_addr.s_addr) : nil
  }

  private static func probeBind(_ descriptor: Descriptor, port: UInt16) -> Int32 {
    probeAddress(0, port: port) { address, size in
      #if canImport(Darwin)
        Darwin.bind(descriptor.number, address, size)
      #else
        Glibc.bind(descriptor.number, address, size)
      #endif
    }
  }

  private static func probeConnect(
    _ descriptor: Descriptor, _ number: UInt32, port: UInt16
  ) -> Int32 {
    probeAddress(number, port: port) { address, size in
      #if canImport(Darwin)
        Darwin.connect(descriptor.number, address, size)
      #else
        Glibc.connect(descriptor.number, address, size)
      #endif
    }
  }

  private static func probeAddress<Result>(
    _ number: UInt32, port: UInt16, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result
  ) -> Result {
    var address = sockaddr_in()
    #if canImport(Darwin)
      address.sin_len = UInt8(MemoryLayout<sockaddr_in>.size)
    #endif
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = number.bigEndian
    let size = socklen_t(MemoryLayout<sockaddr_in>.size)
    return withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, size) }
    }
  }
}
