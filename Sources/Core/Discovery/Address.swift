/// An IPv4 address and a port, as a node is dialled.
package struct Address: Hashable, Comparable, Sendable, CustomStringConvertible {
  /// The address in host order: 127.0.0.1 is `0x7f00_0001`.
  package let host: UInt32
  package let port: UInt16

  /// Names an address.
  package init(host: UInt32, port: UInt16) {
    self.host = host
    self.port = port
  }

  /// Reads `a.b.c.d:port`, or `a.b.c.d` with a port to assume; nil for anything else.
  package init?(_ text: some StringProtocol, defaultPort: UInt16? = nil) {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 2 || (parts.count == 1 && defaultPort != nil) else { return nil }
    guard let host = Address.host(parts[0] == "localhost" ? "127.0.0.1" : parts[0]) else {
      return nil
    }
    guard let port = parts.count == 2 ? Address.port(parts[1]) : defaultPort, port > 0 else {
      return nil
    }
    self.init(host: host, port: port)
  }

  private static func port(_ text: some StringProtocol) -> UInt16? {
    guard text.first != "0", text.utf8.allSatisfy({ (48...57).contains($0) }) else { return nil }
    return UInt16(text)
  }

  private static func host(_ text: some StringProtocol) -> UInt32? {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 4 else { return nil }
    var out: UInt32 = 0
    for part in parts {
      guard (1...3).contains(part.utf8.count), part.utf8.allSatisfy({ (48...57).contains($0) }),
        let byte = UInt8(part)
      else { return nil }
      out = out << 8 | UInt32(byte)
    }
    return out
  }

  /// The host without the port.
  package var hostText: String {
    [24, 16, 8, 0].map { String(host >> UInt32($0) & 255) }.joined(separator: ".")
  }

  /// Whether it leads to this same laptop (127.0.0.0/8).
  package var isLoopback: Bool { host >> 24 == 127 }

  package var description: String { "\(hostText):\(port)" }

  package static func < (left: Address, right: Address) -> Bool {
    (left.host, left.port) < (right.host, right.port)
  }
}
