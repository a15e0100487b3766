import Foundation

@testable import Surroundings

/// What real tools printed, in files beside this one: ufw 0.36.2, firewalld 1.3.3, nft 1.0.6 and
/// iptables 1.8.9 of Debian 12, asked in a network namespace with a card eth0.
enum Recorded {
  static func text(_ name: String) throws -> String {
    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    return try String(
      contentsOf: folder.appendingPathComponent("Recorded/\(name).txt"), encoding: .utf8)
  }
}

extension Packet {
  /// What a neighbour of 10.77.0.5 sends to the usual ports.
  static func to(
    _ carrier: Carrier, _ port: UInt16 = 47_474, by interface: String = "eth0"
  ) -> Packet {
    Packet(carrier: carrier, port: port, interface: interface, address: 0x0a4d_0005)
  }
}
