/// An IPv4 or IPv6 address, in one form only: an IPv4 address written as IPv6 is IPv4 here.
package struct IPAddress: Hashable, Sendable {
  /// What it is; `v6` never holds an IPv4-mapped address.
  private enum Kind: Hashable, Sendable {
    case v4(UInt32)
    case v6(high: UInt64, low: UInt64, zone: String)
  }

  private let kind: Kind

  private init(kind: Kind) { self.kind = kind }

  /// An IPv4 address in host order: 127.0.0.1 is `0x7f00_0001`.
  package static func v4(_ number: UInt32) -> IPAddress { IPAddress(kind: .v4(number)) }

  /// An IPv6 address as two numbers, the first half and the second.
  ///
  /// `zone` is the interface a link-local address is meant on (RFC 4007); of others it is dropped.
  /// An IPv4-mapped one becomes IPv4 (RFC 4291, 2.5.5.2).
  package static func v6(high: UInt64, low: UInt64, zone: String = "") -> IPAddress {
    if high == 0, low >> 32 == 0xffff { return .v4(UInt32(truncatingIfNeeded: low)) }
    let isLinkLocal = high >> 54 == 0xfe80 >> 6
    return IPAddress(kind: .v6(high: high, low: low, zone: isLinkLocal ? zone : ""))
  }

  /// Reads the 4 or 16 bytes of an address, first byte first; nil for any other number of them and
  /// for IPv4 written as IPv6, so that an address has one form.
  package init?(bytes: some Collection<UInt8>) {
    switch bytes.count {
    case 4: self = .v4(bytes.reduce(0) { $0 << 8 | UInt32($1) })
    case 16:
      let high = bytes.prefix(8).reduce(0 as UInt64) { $0 << 8 | UInt64($1) }
      let low = bytes.dropFirst(8).reduce(0 as UInt64) { $0 << 8 | UInt64($1) }
      self = .v6(high: high, low: low)
      guard !isV4 else { return nil }
    default: return nil
    }
  }

  /// The 4 or 16 bytes, without the zone.
  package var bytes: [UInt8] {
    switch kind {
    case .v4(let number): (0..<4).map { UInt8(truncatingIfNeeded: number >> (24 - 8 * $0)) }
    case .v6(let high, let low, _):
      [high, low].flatMap { half in
        (0..<8).map { UInt8(truncatingIfNeeded: half >> (56 - 8 * $0)) }
      }
    }
  }

  /// The number of an IPv4 address in host order, nil for IPv6.
  package var v4: UInt32? {
    guard case .v4(let number) = kind else { return nil }
    return number
  }

  /// Whether it is an IPv4 address.
  package var isV4: Bool { v4 != nil }

  /// The interface a link-local IPv6 address is meant on; empty where none is named.
  package var zone: String {
    guard case .v6(_, _, let zone) = kind else { return "" }
    return zone
  }

  /// The same on another interface, or on none; only link-local IPv6 addresses change.
  package func on(zone: String) -> IPAddress {
    guard case .v6(let high, let low, _) = kind else { return self }
    return .v6(high: high, low: low, zone: zone)
  }

  /// 127.0.0.1.
  package static let loopback = IPAddress.v4(0x7f00_0001)
  /// ::1.
  package static let loopback6 = IPAddress.v6(high: 0, low: 1)
  /// 0.0.0.0, which stands for every address of this laptop when binding.
  package static let any = IPAddress.v4(0)
  /// ::, the same for IPv6.
  package static let any6 = IPAddress.v6(high: 0, low: 0)
  /// ff12::d454:6231, the group beacons go to by IPv6 (`Protocol/discovery.md`).
  package static let beaconGroup = IPAddress.v6(high: 0xff12 << 48, low: 0xd454_6231)
}

// MARK: Kinds

extension IPAddress {
  /// Whether it leads to this same laptop: 127.0.0.0/8 and ::1.
  package var isLoopback: Bool {
    switch kind {
    case .v4(let number): number >> 24 == 127
    case .v6: self == .loopback6
    }
  }

  /// Whether it is an IPv6 address that only holds on one link (fe80::/10), so that it says nothing
  /// without the interface.
  package var isLinkLocal: Bool {
    guard case .v6(let high, _, _) = kind else { return false }
    return high >> 54 == 0xfe80 >> 6
  }

  /// Whether it stands for many laptops, or for none: multicast, 255.255.255.255, 0.0.0.0/8 and ::.
  package var isForNobody: Bool {
    switch kind {
    case .v4(let number): number >> 28 == 0xe || number == .max || number >> 24 == 0
    case .v6(let high, let low, _): high >> 56 == 0xff || (high == 0 && low == 0)
    }
  }

  /// Whether others may be told of it: it means the same laptop to them as to us.
  package var isShareable: Bool { !isLoopback && !isLinkLocal && !isForNobody }

  /// What one laptop can have many of at will counts as one: of IPv6 the /64 (RFC 7421), on a link
  /// the interface.
  package var network: IPAddress {
    guard case .v6(let high, _, let zone) = kind, !isLoopback else { return self }
    return .v6(high: high, low: 0, zone: zone)
  }
}

extension IPAddress: Comparable {
  package static func < (left: IPAddress, right: IPAddress) -> Bool {
    switch (left.kind, right.kind) {
    case (.v4(let left), .v4(let right)): left < right
    case (.v6(let high, let low, let zone), .v6(let high2, let low2, let zone2)):
      (high, low, zone) < (high2, low2, zone2)
    case (.v4, .v6): true
    case (.v6, .v4): false
    }
  }
}
