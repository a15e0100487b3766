import Discovery

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// What the system tells of adapters besides their addresses.
extension System {
  /// What is known of an adapter; nothing is, to begin with.
  struct AdapterFacts {
    /// Whether the system tells of its adapters at all.
    var isKnown = false
    /// A device stands behind it, directly or below a bridge, bond or VLAN.
    var hasCard = false
    var isWireless = false
    var isTunnel = false
  }

  #if os(Linux)
    private static let adapters = "/sys/class/net"

    /// Looks the adapter up in sysfs (`Documentation/ABI/testing/sysfs-class-net` of the kernel).
    static func adapterFacts(of name: String) -> AdapterFacts {
      let place = "\(adapters)/\(name)"
      // A name cannot hold a slash, but "." and ".." would lead elsewhere.
      guard !name.hasPrefix("."), exists(place) else { return AdapterFacts() }
      var facts = AdapterFacts(isKnown: true)
      facts.isTunnel = exists("\(place)/tun_flags") && !isTap(place) || hasNoHardware(place)
      facts.isWireless = exists("\(place)/wireless") || exists("\(place)/phy80211")
      facts.hasCard = exists("\(place)/device") || lowerPlaces(of: place).contains { exists($0) }
      return facts
    }

    /// The devices of what lies below a bridge, bond or VLAN.
    private static func lowerPlaces(of place: String) -> [String] {
      guard let folder = opendir(place) else { return [] }
      defer { closedir(folder) }
      var out: [String] = []
      while out.count < 64, let entry = readdir(folder) {
        let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
          pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
        }
        if name.hasPrefix("lower_") { out.append("\(place)/\(name)/device") }
      }
      return out
    }

    /// ARPHRD_NONE: packets without a link below, as tunnels and WireGuard have.
    private static func hasNoHardware(_ place: String) -> Bool {
      text(of: "\(place)/type") == "65534"
    }

    /// IFF_TAP: whole frames, as virtual machines and layer-2 VPNs have.
    private static func isTap(_ place: String) -> Bool {
      guard let flags = text(of: "\(place)/tun_flags"), flags.hasPrefix("0x") else { return false }
      return (UInt32(flags.dropFirst(2), radix: 16) ?? 0) & 0x2 != 0
    }

    private static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

    /// The first line of a small file of the kernel's.
    private static func text(of path: String) -> String? {
      contents(of: path, limit: 256).map { String($0.prefix { $0 != "\n" }) }
    }

    private static func contents(of path: String, limit: Int) -> String? {
      let descriptor = open(path, O_RDONLY | O_CLOEXEC)
      guard descriptor >= 0 else { return nil }
      defer { close(descriptor) }
      var out: [UInt8] = []
      var buffer = [UInt8](repeating: 0, count: 4_096)
      while out.count < limit {
        let count = Glibc.read(descriptor, &buffer, buffer.count)
        guard count > 0 else { break }
        out += buffer[..<count]
      }
      return String(decoding: out.prefix(limit), as: UTF8.self)
    }

    /// IPv6 addresses that must not be used yet or ever: tentative ones, and ones that another laptop
    /// has; each with its interface behind.
    ///
    /// `/proc/net/if_inet6` has a line an address: 32 digits, the interface's number, the length of
    /// the prefix, the scope and the flags, all in hex, and the interface's name.
    static func unreadyAddresses() -> Set<String> {
      guard let table = contents(of: "/proc/net/if_inet6", limit: 1 << 18) else { return [] }
      var out: Set<String> = []
      for line in table.split(separator: "\n") {
        let parts = line.split(separator: " ")
        guard parts.count == 6, parts[0].utf8.count == 32, let flags = UInt32(parts[4], radix: 16),
          let high = UInt64(parts[0].prefix(16), radix: 16),
          let low = UInt64(parts[0].dropFirst(16), radix: 16)
        else { continue }
        let name = String(parts[5])
        // IFA_F_TENTATIVE without IFA_F_OPTIMISTIC, IFA_F_DADFAILED.
        guard flags & 0x44 == 0x40 || flags & 0x8 != 0 else { continue }
        out.insert("\(IPAddress.v6(high: high, low: low, zone: name)) \(name)")
      }
      return out
    }
  #else
    /// The system has no such place to look: the name must do.
    static func adapterFacts(of name: String) -> AdapterFacts { AdapterFacts() }

    /// Addresses that are tried out are listed like others; sending from one fails until it is ready.
    static func unreadyAddresses() -> Set<String> { [] }
  #endif
}
