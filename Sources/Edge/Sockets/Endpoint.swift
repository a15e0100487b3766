/// An IPv4 address, compared and sorted as the number it is.
package struct IPv4Address: Hashable, Comparable, Sendable {
  /// The address in host byte order: 127.0.0.1 is 0x7f000001.
  package let number: UInt32

  /// Wraps an address in host byte order.
  package init(number: UInt32) {
    self.number = number
  }

  /// Reads four decimal numbers with dots between, or the word localhost.
  ///
  /// Each number is 0 to 255 without leading zeros. Names are not looked up: that could block and
  /// reach outside the network.
  package init?(_ text: some StringProtocol) {
    if text == "localhost" {
      self = .loopback
      return
    }
    let parts = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    guard parts.count == 4 else { return nil }
    var number: UInt32 = 0
    for part in parts {
      guard let byte = Decimal.value(of: part, maximum: 255) else { return nil }
      number = number << 8 | UInt32(byte)
    }
    self.number = number
  }

  /// 127.0.0.1.
  package static let loopback = IPv4Address(number: 0x7f00_0001)
  /// 0.0.0.0, which stands for every address of this host when binding.
  package static let any = IPv4Address(number: 0)
  /// 255.255.255.255, everybody on the network of one interface.
  package static let limitedBroadcast = IPv4Address(number: .max)
  /// 127.255.255.255, every socket on this host that listens on the port.
  package static let loopbackBroadcast = IPv4Address(number: 0x7fff_ffff)

  package static func < (left: IPv4Address, right: IPv4Address) -> Bool {
    left.number < right.number
  }

  /// Whether this is in 127.0.0.0/8.
  package var isLoopback: Bool { number >> 24 == 127 }
}

extension IPv4Address: CustomStringConvertible {
  /// The four numbers with dots between.
  package var description: String {
    [24, 16, 8, 0].map { String(number >> $0 & 0xff) }.joined(separator: ".")
  }
}

/// An address and a port: where a datagram or a connection comes from or goes to.
package struct Endpoint: Hashable, Comparable, Sendable {
  /// The host.
  package let address: IPv4Address
  /// The port; 0 only where the system is to choose one.
  package let port: UInt16

  /// Puts an address and a port together.
  package init(_ address: IPv4Address, port: UInt16) {
    self.address = address
    self.port = port
  }

  /// Reads "192.168.1.5:47474" or "localhost:47474"; the port is 1 to 65535.
  package init?(_ text: some StringProtocol) {
    guard let colon = text.lastIndex(of: ":") else { return nil }
    guard let address = IPv4Address(text[..<colon]) else { return nil }
    let digits = Array(text[text.index(after: colon)...].utf8)
    guard let port = Decimal.value(of: digits[...], maximum: 65_535), port > 0 else { return nil }
    self.init(address, port: UInt16(port))
  }

  package static func < (left: Endpoint, right: Endpoint) -> Bool {
    (left.address, left.port) < (right.address, right.port)
  }
}

extension Endpoint: CustomStringConvertible {
  /// As it is read: "192.168.1.5:47474".
  package var description: String { "\(address):\(port)" }
}

/// Strict decimal numbers: digits only, no leading zero, no sign.
private enum Decimal {
  static func value(of digits: some Collection<UInt8>, maximum: Int) -> Int? {
    guard let first = digits.first, digits.count <= 5 else { return nil }
    guard first != UInt8(ascii: "0") || digits.count == 1 else { return nil }
    var value = 0
    for digit in digits {
      guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit) else { return nil }
      value = value * 10 + Int(digit - UInt8(ascii: "0"))
    }
    return value <= maximum ? value : nil
  }
}
