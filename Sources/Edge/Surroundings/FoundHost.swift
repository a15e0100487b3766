package import Discovery

/// Neighbours that this laptop has found on its networks.
package struct FoundHost: Equatable, Sendable {
  package var address: String
  package var device: String
  /// Has answered just now, rather than some time ago.
  package var isSure: Bool
  /// Says of itself, by IPv6, that it is a way out.
  package var isRouter: Bool

  /// Names the fields.
  package init(address: String, device: String, isSure: Bool, isRouter: Bool = false) {
    self.address = address
    self.device = device
    self.isSure = isSure
    self.isRouter = isRouter
  }

  /// Whether its address is one of IPv4.
  package var isIPv4: Bool { IPAddress(address)?.isV4 ?? false }

  /// Whether it has an address; a link-local one only on its interface.
  package func isAt(_ host: IPAddress) -> Bool {
    IPAddress(address) == host.on(zone: "") && (host.zone.isEmpty || host.zone == device)
  }

  /// Reads `/proc/net/arp`, which does not say how old an answer is.
  package static func kernelTable(_ text: String) -> [FoundHost] {
    text.split(separator: "\n").dropFirst().prefix(4_096).compactMap { line in
      let parts = line.split(whereSeparator: \.isWhitespace)
      guard parts.count >= 6, let flags = UInt32(parts[2].dropFirst(2), radix: 16) else {
        return nil
      }
      // ATF_COM: the answer is there.
      guard flags & 2 == 2, parts[3] != "00:00:00:00:00:00" else { return nil }
      return FoundHost(address: String(parts[0]), device: String(parts[5]), isSure: false)
    }
  }

  /// Reads `ip neigh show`.
  package static func listing(_ text: String) -> [FoundHost] {
    text.split(separator: "\n").prefix(4_096).compactMap { line in
      let parts = line.split(separator: " ")
      guard parts.count >= 4, parts[1] == "dev", let state = parts.last,
        ["REACHABLE", "STALE", "DELAY", "PROBE", "PERMANENT"].contains(state)
      else { return nil }
      return FoundHost(
        address: String(parts[0]), device: String(parts[2]), isSure: state == "REACHABLE",
        isRouter: parts.contains("router"))
    }
  }
}
