/// The way out of this laptop's own networks.
package struct DefaultRoute: Equatable, Sendable {
  package var device: String
  /// The next hop; nil on a device that has only one other end.
  package var gateway: String?

  /// Names the fields.
  package init(device: String, gateway: String?) {
    self.device = device
    self.gateway = gateway
  }

  /// Reads `/proc/net/route`: the default route with the smallest metric.
  ///
  /// Two routes that halve the address space stand for a default route that goes before it, as
  /// OpenVPN makes them.
  package static func ipv4(_ text: String) -> DefaultRoute? {
    var best: (metric: Int, route: DefaultRoute)?
    var halves: [String: Set<UInt32>] = [:]
    for line in text.split(separator: "\n").dropFirst().prefix(4_096) {
      let parts = line.split(whereSeparator: \.isWhitespace)
      guard parts.count >= 8, let target = swapped(parts[1]), let gateway = swapped(parts[2]),
        let flags = UInt32(parts[3], radix: 16), let metric = Int(parts[6]),
        let mask = swapped(parts[7]), flags & 1 == 1, flags & 0x200 == 0
      else { continue }
      let device = String(parts[0])
      if mask == 0x8000_0000 { halves[device, default: []].insert(target) }
      guard mask == 0, target == 0, metric < best?.metric ?? .max else { continue }
      best = (
        metric, DefaultRoute(device: device, gateway: gateway == 0 ? nil : dotted(gateway))
      )
    }
    if let device = halves.filter({ $0.value == [0, 0x8000_0000] }).keys.sorted().first {
      return DefaultRoute(device: device, gateway: nil)
    }
    return best?.route
  }

  /// Reads `/proc/net/ipv6_route`: the device of the default route with the smallest metric.
  package static func ipv6Device(_ text: String) -> String? {
    var best: (metric: UInt32, device: String)?
    for line in text.split(separator: "\n").prefix(16_384) {
      let parts = line.split(whereSeparator: \.isWhitespace)
      guard parts.count == 10, parts[1] == "00", parts[0].allSatisfy({ $0 == "0" }),
        let metric = UInt32(parts[5], radix: 16), let flags = UInt32(parts[8], radix: 16),
        // Up, and no entry that refuses.
        flags & 1 == 1, flags & 0x200 == 0, parts[9] != "lo", metric < best?.metric ?? .max
      else { continue }
      best = (metric, String(parts[9]))
    }
    return best?.device
  }

  /// The kernel writes addresses as the number that the machine's byte order makes of them.
  private static func swapped(_ hex: Substring) -> UInt32? {
    UInt32(hex, radix: 16).map(UInt32.init(bigEndian:))
  }

  private static func dotted(_ number: UInt32) -> String {
    [24, 16, 8, 0].map { String(number >> $0 & 255) }.joined(separator: ".")
  }
}
