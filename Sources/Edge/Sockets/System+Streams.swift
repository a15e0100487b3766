#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Addresses and TCP.
extension System {
  static func bind(_ descriptor: Descriptor, to endpoint: Endpoint) throws(SocketError) {
    let result = withAddress(of: endpoint) { address, size in
      #if canImport(Darwin)
        Darwin.bind(descriptor.number, address, size)
      #else
        Glibc.bind(descriptor.number, address, size)
      #endif
    }
    try check("bind", result)
  }

  static func listen(_ descriptor: Descriptor, backlog: Int32) throws(SocketError) {
    #if canImport(Darwin)
      try check("listen", Darwin.listen(descriptor.number, backlog))
    #else
      try check("listen", Glibc.listen(descriptor.number, backlog))
    #endif
  }

  /// Starts to connect; false when the answer is still to come.
  static func connect(
    _ descriptor: Descriptor, to endpoint: Endpoint
  ) throws(SocketError) -> Bool {
    let result = withAddress(of: endpoint) { address, size in
      #if canImport(Darwin)
        Darwin.connect(descriptor.number, address, size)
      #else
        Glibc.connect(descriptor.number, address, size)
      #endif
    }
    // An interrupted connect goes on by itself, as one that takes its time.
    if result != 0, errno == EINPROGRESS || errno == EINTR { return false }
    try check("connect", result)
    return true
  }

  static func localEndpoint(_ descriptor: Descriptor) throws(SocketError) -> Endpoint {
    var address = sockaddr_in()
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let result = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        getsockname(descriptor.number, $0, &size)
      }
    }
    try check("getsockname", result)
    return endpoint(of: address)
  }

  private static func withAddress<Result>(
    of endpoint: Endpoint, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result
  ) -> Result {
    var address = socketAddress(of: endpoint)
    let size = socklen_t(MemoryLayout<sockaddr_in>.size)
    return withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, size) }
    }
  }

  static func socketAddress(of endpoint: Endpoint) -> sockaddr_in {
    var address = sockaddr_in()
    #if canImport(Darwin)
      address.sin_len = UInt8(MemoryLayout<sockaddr_in>.size)
    #endif
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = endpoint.port.bigEndian
    address.sin_addr.s_addr = endpoint.address.number.bigEndian
    return address
  }

  static func endpoint(of address: sockaddr_in) -> Endpoint {
    Endpoint(
      IPv4Address(number: UInt32(bigEndian: address.sin_addr.s_addr)),
      port: UInt16(bigEndian: address.sin_port))
  }

  struct Accepted {
    let descriptor: Descriptor
    let remote: Endpoint
    let local: Endpoint
  }

  /// The next waiting connection, or nil when there is none.
  static func accept(_ listener: Descriptor) throws(SocketError) -> Accepted? {
    var address = sockaddr_in()
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let accepted: Int?
    do throws(SocketError) {
      accepted = try attempt("accept") {
        withUnsafeMutablePointer(to: &address) { pointer in
          pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
            #if canImport(Darwin)
              Int(Darwin.accept(listener.number, $0, &size))
            #else
              Int(Glibc.accept(listener.number, $0, &size))
            #endif
          }
        }
      }
    } catch  where error.number == ECONNABORTED {
      // A connection that was given up while it waited is no trouble of the listener.
      return nil
    }
    guard let accepted else { return nil }
    let descriptor = Descriptor(Int32(accepted), close: { close($0) })
    try prepare(descriptor)
    return Accepted(
      descriptor: descriptor, remote: endpoint(of: address), local: try localEndpoint(descriptor))
  }

  /// Reads at most `buffer.count` bytes; nil when there is nothing, 0 at the end of the stream.
  static func read(
    _ descriptor: Descriptor, into buffer: inout [UInt8]
  ) throws(SocketError) -> Int? {
    let size = buffer.count
    return try attempt("recv") {
      buffer.withUnsafeMutableBytes { recv(descriptor.number, $0.baseAddress, size, 0) }
    }
  }

  /// Writes what the system takes; nil when it takes nothing now.
  static func write(
    _ descriptor: Descriptor, _ bytes: ArraySlice<UInt8>
  ) throws(SocketError) -> Int? {
    try attempt("send") {
      bytes.withUnsafeBytes { memory in
        // Without an address this is send(2), whose name Swift would take for our own method.
        sendto(descriptor.number, memory.baseAddress, memory.count, noSignal, nil, 0)
      }
    }
  }

  /// Tells the other end that nothing more comes.
  static func endWriting(_ descriptor: Descriptor) {
    _ = shutdown(descriptor.number, Int32(SHUT_WR))
  }
}
