/// Neighbours that this laptop has found on its networks.
struct ARPTable: Equatable, Sendable {
  /// Addresses that answered the question who has them, with the interface.
  private(set) var answering: [(address: String, device: String)] = []

  /// Reads `/proc/net/arp`.
  init(_ text: String) {
    for line in text.split(separator: "\n").dropFirst().prefix(4_096) {
      let parts = line.split(whereSeparator: \.isWhitespace)
      guard parts.count >= 6, let flags = UInt32(parts[2].dropFirst(2), radix: 16) else { continue }
      // ATF_COM: the answer is there.
      guard flags & 2 == 2, parts[3] != "00:00:00:00:00:00" else { continue }
      answering.append((String(parts[0]), String(parts[5])))
    }
  }

  static func == (left: ARPTable, right: ARPTable) -> Bool {
    left.answering.elementsEqual(right.answering, by: ==)
  }
}
