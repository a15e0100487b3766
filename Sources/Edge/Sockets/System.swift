import Discovery

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The system calls, each wrapped once; the `System` files alone differ between systems.
///
/// Calls that may find nothing to do return nil instead of `EAGAIN`.
enum System {
  #if canImport(Darwin)
    private static let streamType = SOCK_STREAM
    private static let datagramType = SOCK_DGRAM
    static let noSignal: Int32 = 0
    static let controlAlignment = 4
    private static let sharing = SO_REUSEPORT
  #else
    private static let streamType = Int32(SOCK_STREAM.rawValue)
    private static let datagramType = Int32(SOCK_DGRAM.rawValue)
    static let noSignal = Int32(MSG_NOSIGNAL)
    static let controlAlignment = MemoryLayout<Int>.size
    private static let sharing = SO_REUSEADDR
  #endif

  /// Writing to a closed connection is to fail, not to end the process.
  private static let ignoresBrokenPipes: Bool = {
    signal(SIGPIPE, SIG_IGN)
    return true
  }()

  /// A TCP socket for talking to, or being reached at, a host of this kind.
  static func streamSocket(for host: IPAddress) throws(SocketError) -> Descriptor {
    try makeSocket(family: family(of: host), type: streamType, protocol: 0)
  }

  /// A UDP socket for hosts of this kind.
  static func datagramSocket(for host: IPAddress) throws(SocketError) -> Descriptor {
    let descriptor = try makeSocket(family: family(of: host), type: datagramType, protocol: 0)
    if !host.isV4 { try setOnlyIPv6(descriptor, true) }
    return descriptor
  }

  /// Whether a socket for IPv6 leaves IPv4 to others, or takes both.
  static func setOnlyIPv6(_ descriptor: Descriptor, _ isOnly: Bool) throws(SocketError) {
    try setOption(descriptor, Int32(IPPROTO_IPV6), IPV6_V6ONLY, isOnly ? 1 : 0)
  }

  static func makeSocket(
    family: Int32, type: Int32, protocol number: Int32
  ) throws(SocketError) -> Descriptor {
    _ = ignoresBrokenPipes
    let descriptor = Descriptor(
      try check("socket", socket(family, type, number)), close: { close($0) })
    try prepare(descriptor)
    return descriptor
  }

  static func prepare(_ descriptor: Descriptor) throws(SocketError) {
    let number = descriptor.number
    try check("fcntl", fcntl(number, F_SETFD, FD_CLOEXEC))
    try check("fcntl", fcntl(number, F_SETFL, fcntl(number, F_GETFL) | O_NONBLOCK))
    #if canImport(Darwin)
      try setOption(descriptor, SOL_SOCKET, SO_NOSIGPIPE)
    #endif
  }

  /// A second descriptor for the same socket.
  static func duplicate(_ descriptor: Descriptor) throws(SocketError) -> Descriptor {
    Descriptor(
      try check("fcntl", fcntl(descriptor.number, F_DUPFD_CLOEXEC, 0)), close: { close($0) })
  }

  /// Several nodes of one host may listen on the discovery port.
  static func sharePort(_ descriptor: Descriptor) throws(SocketError) {
    try setOption(descriptor, SOL_SOCKET, sharing)
  }

  /// A listener may take over a port whose last connections are still being forgotten.
  static func reuseAddress(_ descriptor: Descriptor) throws(SocketError) {
    try setOption(descriptor, SOL_SOCKET, SO_REUSEADDR)
  }

  static func allowBroadcast(_ descriptor: Descriptor) throws(SocketError) {
    try setOption(descriptor, SOL_SOCKET, SO_BROADCAST)
  }

  /// Received datagrams say which interface they came by.
  static func reportInterface(
    _ descriptor: Descriptor, for host: IPAddress
  ) throws(SocketError) {
    if host.isV4 {
      try setOption(descriptor, Int32(IPPROTO_IP), IP_PKTINFO)
    } else {
      try setOption(descriptor, Int32(IPPROTO_IPV6), reportsIPv6Arrival)
    }
  }

  static func sendAtOnce(_ descriptor: Descriptor) throws(SocketError) {
    try setOption(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY)
  }

  static func setOption(
    _ descriptor: Descriptor, _ level: Int32, _ option: Int32, _ value: Int32 = 1
  ) throws(SocketError) {
    var value = value
    let size = socklen_t(MemoryLayout<Int32>.size)
    try check("setsockopt", setsockopt(descriptor.number, level, option, &value, size))
  }

  /// The error a non-blocking connect ended with, if it did.
  static func pendingError(_ descriptor: Descriptor) throws(SocketError) -> SocketError? {
    var value: Int32 = 0
    var size = socklen_t(MemoryLayout<Int32>.size)
    try check(
      "getsockopt", getsockopt(descriptor.number, SOL_SOCKET, SO_ERROR, &value, &size))
    return value == 0 ? nil : SocketError(call: "connect", number: value)
  }
}
