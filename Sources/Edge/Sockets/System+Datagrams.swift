import Discovery

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// UDP with the interface named on the way in and out.
extension System {
  // Numbers of RFC 3542, which the headers show only to programs that ask in their own way; so the
  // contents of IPV6_PKTINFO are written out here too: 16 bytes of address, the interface's number.
  #if canImport(Darwin)
    static let reportsIPv6Arrival: Int32 = 61
    private static let ipv6Arrival: Int32 = 46
  #else
    static let reportsIPv6Arrival: Int32 = 49
    private static let ipv6Arrival: Int32 = 50
  #endif
  private static let ipv6ArrivalSize = 20

  struct Received {
    let count: Int
    let source: Address
    let interfaceIndex: UInt32
    let isAlone: Bool
    let isCut: Bool
  }

  /// How a datagram came in.
  private struct Arrival {
    var interfaceIndex: UInt32 = 0
    /// Sent to one of this host's addresses, not to all or to a group.
    var isAlone = false
  }

  /// The next datagram, or nil when there is none.
  static func receive(
    _ descriptor: Descriptor, into buffer: inout [UInt8]
  ) throws(SocketError) -> Received? {
    var source = SocketAddress()
    var control = [UInt64](repeating: 0, count: 16)
    var isCut = false
    var arrival = Arrival()
    let size = buffer.count
    let result = try attempt("recvmsg") {
      buffer.withUnsafeMutableBytes { content in
        control.withUnsafeMutableBytes { control in
          source.lendToMessage { address, addressSize in
            var part = iovec(iov_base: content.baseAddress, iov_len: size)
            return withUnsafeMutablePointer(to: &part) { part in
              var message = msghdr()
              message.msg_name = address
              message.msg_namelen = addressSize
              message.msg_iov = part
              message.msg_iovlen = 1
              message.msg_control = control.baseAddress
              message.msg_controllen = .init(control.count)
              let result = recvmsg(descriptor.number, &message, 0)
              if result >= 0 {
                isCut = message.msg_flags & Int32(MSG_TRUNC) != 0
                arrival = Self.arrival(
                  in: UnsafeRawBufferPointer(control), used: Int(message.msg_controllen))
              }
              return result
            }
          }
        }
      }
    }
    guard let count = result else { return nil }
    guard let address = source.address else {
      throw SocketError(call: "recvmsg", number: EAFNOSUPPORT)
    }
    return Received(
      count: count, source: address, interfaceIndex: arrival.interfaceIndex,
      isAlone: arrival.isAlone, isCut: isCut)
  }

  /// Walks the control messages, since the C macros for it are not imported.
  private static func arrival(in control: UnsafeRawBufferPointer, used: Int) -> Arrival {
    let headerSize = aligned(MemoryLayout<cmsghdr>.size)
    var start = 0
    while start + headerSize <= used {
      let header = control.loadUnaligned(fromByteOffset: start, as: cmsghdr.self)
      let length = Int(header.cmsg_len)
      guard length >= headerSize, start + length <= used else { break }
      if header.cmsg_level == Int32(IPPROTO_IP), header.cmsg_type == IP_PKTINFO,
        length >= headerSize + MemoryLayout<in_pktinfo>.size
      {
        let info = control.loadUnaligned(fromByteOffset: start + headerSize, as: in_pktinfo.self)
        // The address in the header; the other one is what the host hears it by.
        return Arrival(
          interfaceIndex: UInt32(info.ipi_ifindex),
          isAlone: info.ipi_addr.s_addr == info.ipi_spec_dst.s_addr)
      }
      if header.cmsg_level == Int32(IPPROTO_IPV6), header.cmsg_type == ipv6Arrival,
        length >= headerSize + ipv6ArrivalSize
      {
        let place = start + headerSize
        return Arrival(
          interfaceIndex: control.loadUnaligned(fromByteOffset: place + 16, as: UInt32.self),
          isAlone: control[place] != 0xff)
      }
      start += aligned(length)
    }
    return Arrival()
  }

  /// Sends one datagram, out of the given interface with its address if one is named.
  static func send(
    _ descriptor: Descriptor, _ bytes: [UInt8], to remote: Address,
    through interface: NetworkInterface? = nil
  ) throws(SocketError) {
    var target = try SocketAddress(remote, scope: interface?.index ?? 0)
    var content = bytes
    var control = interface.map(departure) ?? []
    let controlCount = control.count
    let sent = try attempt("sendmsg") {
      content.withUnsafeMutableBytes { content in
        control.withUnsafeMutableBytes { control in
          target.lendToMessage { address, addressSize in
            var part = iovec(iov_base: content.baseAddress, iov_len: content.count)
            return withUnsafeMutablePointer(to: &part) { part in
              var message = msghdr()
              message.msg_name = address
              message.msg_namelen = addressSize
              message.msg_iov = part
              message.msg_iovlen = 1
              if controlCount > 0 {
                message.msg_control = control.baseAddress
                message.msg_controllen = .init(controlCount)
              }
              return sendmsg(descriptor.number, &message, noSignal)
            }
          }
        }
      }
    }
    guard sent != nil else { throw SocketError(call: "sendmsg", number: EAGAIN) }
  }

  /// The control message that names the interface to leave by and the address to leave with.
  private static func departure(by interface: NetworkInterface) -> [UInt8] {
    let headerSize = aligned(MemoryLayout<cmsghdr>.size)
    let infoSize = interface.address.isV4 ? MemoryLayout<in_pktinfo>.size : ipv6ArrivalSize
    var header = cmsghdr()
    header.cmsg_len = .init(headerSize + infoSize)
    header.cmsg_level = Int32(interface.address.isV4 ? IPPROTO_IP : IPPROTO_IPV6)
    header.cmsg_type = interface.address.isV4 ? IP_PKTINFO : ipv6Arrival
    var control = [UInt8](repeating: 0, count: headerSize + aligned(infoSize))
    control.withUnsafeMutableBytes { control in
      control.storeBytes(of: header, as: cmsghdr.self)
      if let number = interface.address.v4 {
        var info = in_pktinfo()
        info.ipi_ifindex = .init(interface.index)
        info.ipi_spec_dst.s_addr = number.bigEndian
        control.storeBytes(of: info, toByteOffset: headerSize, as: in_pktinfo.self)
      } else {
        for (place, byte) in interface.address.bytes.enumerated() {
          control[headerSize + place] = byte
        }
        control.storeBytes(of: interface.index, toByteOffset: headerSize + 16, as: UInt32.self)
      }
    }
    return control
  }

  /// Begins to hear a multicast group on an interface, or begins anew if it did.
  static func join(
    _ descriptor: Descriptor, group: IPAddress, index: UInt32
  ) throws(SocketError) {
    // struct ipv6_mreq: the group, the interface's number.
    var request = group.bytes
    withUnsafeBytes(of: index) { request += Array($0) }
    let size = socklen_t(request.count)
    // After an interface was switched off and on the kernel may have forgotten what it did.
    _ = setsockopt(descriptor.number, Int32(IPPROTO_IPV6), IPV6_LEAVE_GROUP, request, size)
    let result = setsockopt(
      descriptor.number, Int32(IPPROTO_IPV6), IPV6_JOIN_GROUP, request, size)
    try check("setsockopt", result)
  }

  private static func aligned(_ size: Int) -> Int {
    (size + controlAlignment - 1) / controlAlignment * controlAlignment
  }
}
