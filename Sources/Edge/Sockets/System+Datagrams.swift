#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// UDP with the interface named on the way in and out.
extension System {
  struct Received {
    let count: Int
    let source: Endpoint
    let interfaceIndex: UInt32
    let isCut: Bool
  }

  /// The next datagram, or nil when there is none.
  static func receive(
    _ descriptor: Descriptor, into buffer: inout [UInt8]
  ) throws(SocketError) -> Received? {
    var address = sockaddr_in()
    var control = [UInt64](repeating: 0, count: 16)
    var isCut = false
    var interfaceIndex: UInt32 = 0
    let size = buffer.count
    let result = try attempt("recvmsg") {
      buffer.withUnsafeMutableBytes { content in
        control.withUnsafeMutableBytes { control in
          withUnsafeMutablePointer(to: &address) { address in
            var part = iovec(iov_base: content.baseAddress, iov_len: size)
            return withUnsafeMutablePointer(to: &part) { part in
              var message = msghdr()
              message.msg_name = UnsafeMutableRawPointer(address)
              message.msg_namelen = socklen_t(MemoryLayout<sockaddr_in>.size)
              message.msg_iov = part
              message.msg_iovlen = 1
              message.msg_control = control.baseAddress
              message.msg_controllen = .init(control.count)
              let result = recvmsg(descriptor.number, &message, 0)
              if result >= 0 {
                isCut = message.msg_flags & Int32(MSG_TRUNC) != 0
                interfaceIndex = arrivalInterface(
                  in: UnsafeRawBufferPointer(control), used: Int(message.msg_controllen))
              }
              return result
            }
          }
        }
      }
    }
    guard let count = result else { return nil }
    return Received(
      count: count, source: endpoint(of: address),
      interfaceIndex: interfaceIndex, isCut: isCut)
  }

  /// Walks the control messages, since the C macros for it are not imported.
  private static func arrivalInterface(in control: UnsafeRawBufferPointer, used: Int) -> UInt32 {
    let headerSize = aligned(MemoryLayout<cmsghdr>.size)
    var start = 0
    while start + headerSize <= used {
      let header = control.loadUnaligned(fromByteOffset: start, as: cmsghdr.self)
      let length = Int(header.cmsg_len)
      guard length >= headerSize, start + length <= used else { return 0 }
      if header.cmsg_level == Int32(IPPROTO_IP), header.cmsg_type == IP_PKTINFO,
        length >= headerSize + MemoryLayout<in_pktinfo>.size
      {
        let info = control.loadUnaligned(fromByteOffset: start + headerSize, as: in_pktinfo.self)
        return UInt32(info.ipi_ifindex)
      }
      start += aligned(length)
    }
    return 0
  }

  /// Sends one datagram, out of the given interface with its address if one is named.
  static func send(
    _ descriptor: Descriptor, _ bytes: [UInt8], to endpoint: Endpoint,
    through interface: NetworkInterface? = nil
  ) throws(SocketError) {
    var address = socketAddress(of: endpoint)
    var content = bytes
    let headerSize = aligned(MemoryLayout<cmsghdr>.size)
    let infoSize = MemoryLayout<in_pktinfo>.size
    var control = [UInt64](repeating: 0, count: 16)
    let sent = try attempt("sendmsg") {
      content.withUnsafeMutableBytes { content in
        control.withUnsafeMutableBytes { control in
          withUnsafeMutablePointer(to: &address) { address in
            var part = iovec(iov_base: content.baseAddress, iov_len: content.count)
            return withUnsafeMutablePointer(to: &part) { part in
              var message = msghdr()
              message.msg_name = UnsafeMutableRawPointer(address)
              message.msg_namelen = socklen_t(MemoryLayout<sockaddr_in>.size)
              message.msg_iov = part
              message.msg_iovlen = 1
              if let interface {
                var header = cmsghdr()
                header.cmsg_len = .init(headerSize + infoSize)
                header.cmsg_level = Int32(IPPROTO_IP)
                header.cmsg_type = IP_PKTINFO
                var info = in_pktinfo()
                info.ipi_ifindex = .init(interface.index)
                info.ipi_spec_dst.s_addr = interface.address.number.bigEndian
                control.storeBytes(of: header, as: cmsghdr.self)
                control.storeBytes(of: info, toByteOffset: headerSize, as: in_pktinfo.self)
                message.msg_control = control.baseAddress
                message.msg_controllen = .init(headerSize + aligned(infoSize))
              }
              return sendmsg(descriptor.number, &message, noSignal)
            }
          }
        }
      }
    }
    guard sent != nil else { throw SocketError(call: "sendmsg", number: EAGAIN) }
  }

  private static func aligned(_ size: Int) -> Int {
    (size + controlAlignment - 1) / controlAlignment * controlAlignment
  }
}
