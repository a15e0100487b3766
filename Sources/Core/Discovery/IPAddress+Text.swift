/// Addresses as people read and write them.
extension IPAddress: CustomStringConvertible {
  /// Bytes of the longest text that is read: eight groups, the last two of them as IPv4, and a zone.
  private static let longest = 45 + 1 + zoneBytes
  /// Bytes of an interface's name on any system of ours.
  private static let zoneBytes = 15

  /// Reads `a.b.c.d`, or IPv6 in any form of RFC 4291, 2.2, with `%zone` behind a link-local one.
  ///
  /// Names are not looked up: that could block and reach outside the network.
  package init?(_ text: some StringProtocol) {
    guard text.utf8.count <= IPAddress.longest else { return nil }
    let bytes = Array(text.utf8)
    if let number = IPAddress.dotted(bytes[...]) {
      self = .v4(number)
      return
    }
    let parts = bytes.split(
      separator: UInt8(ascii: "%"), maxSplits: 1, omittingEmptySubsequences: false)
    guard let groups = IPAddress.groups(of: parts[0]) else { return nil }
    let high = groups[..<4].reduce(0 as UInt64) { $0 << 16 | UInt64($1) }
    let low = groups[4...].reduce(0 as UInt64) { $0 << 16 | UInt64($1) }
    var zone = ""
    if parts.count == 2 {
      guard IPAddress.isZone(parts[1]) else { return nil }
      zone = String(decoding: parts[1], as: UTF8.self)
    }
    self = .v6(high: high, low: low, zone: zone)
    guard parts.count == 1 || isLinkLocal else { return nil }
  }

  /// Printable, and nothing that has a meaning around it.
  private static func isZone(_ bytes: ArraySlice<UInt8>) -> Bool {
    (1...zoneBytes).contains(bytes.count)
      && bytes.allSatisfy { (0x21...0x7e).contains($0) && !"%[]/:@\"\\".utf8.contains($0) }
  }

  /// Four decimal numbers without leading zeros.
  private static func dotted(_ bytes: ArraySlice<UInt8>) -> UInt32? {
    let parts = bytes.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    guard parts.count == 4 else { return nil }
    var number: UInt32 = 0
    for part in parts {
      guard let value = Decimal.value(of: part, maximum: 255) else { return nil }
      number = number << 8 | UInt32(value)
    }
    return number
  }

  /// The eight groups of an IPv6 address, what `::` leaves out filled in.
  private static func groups(of bytes: ArraySlice<UInt8>) -> [UInt16]? {
    let colon = UInt8(ascii: ":")
    let gap = zip(bytes.indices, bytes.indices.dropFirst()).first {
      bytes[$0] == colon && bytes[$1] == colon
    }
    guard let gap else {
      guard let groups = list(bytes), groups.count == 8 else { return nil }
      return groups
    }
    let before = bytes[..<gap.0]
    let after = bytes[(gap.1 + 1)...]
    guard let first = before.isEmpty ? [] : list(before, isLast: false),
      let last = after.isEmpty ? [] : list(after), first.count + last.count <= 7
    else { return nil }
    return first + [UInt16](repeating: 0, count: 8 - first.count - last.count) + last
  }

  /// Groups with a colon between; at the very end two of them may be written as IPv4.
  private static func list(_ bytes: ArraySlice<UInt8>, isLast: Bool = true) -> [UInt16]? {
    let parts = bytes.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
    var out: [UInt16] = []
    for (number, part) in parts.enumerated() {
      if isLast, number == parts.count - 1, let tail = dotted(part) {
        out += [UInt16(truncatingIfNeeded: tail >> 16), UInt16(truncatingIfNeeded: tail)]
      } else {
        guard (1...4).contains(part.count), let value = hex(part) else { return nil }
        out.append(value)
      }
    }
    return out
  }

  private static func hex(_ digits: ArraySlice<UInt8>) -> UInt16? {
    var value: UInt16 = 0
    for digit in digits {
      switch digit {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): value = value << 4 | UInt16(digit - 48)
      case UInt8(ascii: "a")...UInt8(ascii: "f"): value = value << 4 | UInt16(digit - 87)
      case UInt8(ascii: "A")...UInt8(ascii: "F"): value = value << 4 | UInt16(digit - 55)
      default: return nil
      }
    }
    return value
  }

  /// The text of RFC 5952 with the zone behind: lower case, the longest gap of two groups or more
  /// left out, of equal ones the first.
  package var description: String {
    let bytes = bytes
    if isV4 { return bytes.map { String($0) }.joined(separator: ".") }
    let groups = (0..<8).map { UInt16(bytes[2 * $0]) << 8 | UInt16(bytes[2 * $0 + 1]) }
    func text(_ groups: some Sequence<UInt16>) -> String {
      groups.map { String($0, radix: 16) }.joined(separator: ":")
    }
    let tail = zone.isEmpty ? "" : "%\(zone)"
    guard let gap = IPAddress.gap(in: groups) else { return text(groups) + tail }
    return "\(text(groups[..<gap.lowerBound]))::\(text(groups[gap.upperBound...]))\(tail)"
  }

  private static func gap(in groups: [UInt16]) -> Range<Int>? {
    var best = 0..<0
    var start = 0
    while start < groups.count {
      var end = start
      while end < groups.count, groups[end] == 0 { end += 1 }
      if end - start > best.count { best = start..<end }
      start = max(end, start + 1)
    }
    return best.count >= 2 ? best : nil
  }
}

/// Strict decimal numbers: digits only, no leading zero, no sign.
enum Decimal {
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
