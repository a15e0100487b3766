import Discovery

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Addresses and TCP.
extension System {
  static func bind(_ descriptor: Descriptor, to address: Address) throws(SocketError) {
    let result = try SocketAddress(address).lend { address, size in
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
    _ descriptor: Descriptor, to address: Address
  ) throws(SocketError) -> Bool {
    let result = try SocketAddress(address).lend { address, size in
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

  /// The address the system would send from to reach `remote`.
  ///
  /// Asks the routing table by connecting a datagram socket, which sends nothing.
  static func source(toward remote: Address) throws(SocketError) -> IPAddress {
    let descriptor = try datagramSocket(for: remote.host)
    _ = try connect(descriptor, to: remote)
    return try localAddress(descriptor).host
  }

  static func localAddress(_ descriptor: Descriptor) throws(SocketError) -> Address {
    var local = SocketAddress()
    try check("getsockname", local.fill { getsockname(descriptor.number, $0, $1) })
    guard let address = local.address else {
      throw SocketError(call: "getsockname", number: EAFNOSUPPORT)
    }
    return address
  }

  struct Accepted {
    let descriptor: Descriptor
    let remote: Address
    let local: Address
  }

  /// The next waiting connection, or nil when there is none.
  static func accept(_ listener: Descriptor) throws(SocketError) -> Accepted? {
    var remote = SocketAddress()
    let accepted: Int?
    do throws(SocketError) {
      accepted = try attempt("accept") {
        remote.fill { address, size in
          #if canImport(Darwin)
            Int(Darwin.accept(listener.number, address, size))
          #else
            Int(Glibc.accept(listener.number, address, size))
          #endif
        }
      }
    } catch  where error.number == ECONNABORTED {
      // A connection that was given up while it waited is no trouble of the listener.
      return nil
    }
    guard let accepted else { return nil }
    let descriptor = Descriptor(Int32(accepted), close: { close($0) })
    try prepare(descriptor)
    guard let address = remote.address else { return nil }
    return Accepted(
      descriptor: descriptor, remote: address, local: try localAddress(descriptor))
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
