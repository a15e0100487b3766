import Discovery
import Foundation

/// Which programs have a port open.
enum PortHolders {
  /// Sockets bound to a port in `/proc/net/udp`, `tcp` and their like for IPv6, by inode.
  ///
  /// Of TCP only those count that listen.
  static func inodes(_ text: String, port: UInt16, listening: Bool) -> [UInt64] {
    text.split(separator: "\n").dropFirst().prefix(65_536).compactMap { line in
      let parts = line.split(whereSeparator: \.isWhitespace)
      guard parts.count >= 10, let local = parts[1].split(separator: ":").last,
        UInt16(local, radix: 16) == port, !listening || parts[3] == "0A"
      else { return nil }
      return UInt64(parts[9])
    }
  }

  /// Every program that has a port open, each once; those that may not be looked at as unknown.
  static func find(_ carrier: Packet.Carrier, port: UInt16) -> [NetworkFacts.Holder] {
    let inodes = ["", "6"].flatMap { version in
      KernelFile.text("/proc/net/\(carrier.rawValue)\(version)", limit: 8 << 20).map {
        Self.inodes($0, port: port, listening: carrier == .tcp)
      } ?? []
    }
    guard !inodes.isEmpty else { return [] }
    var open = Set(inodes)
    var out: [NetworkFacts.Holder] = []
    let files = FileManager.default
    let processes = ((try? files.contentsOfDirectory(atPath: "/proc")) ?? []).compactMap { Int($0) }
    for process in processes.sorted() where !open.isEmpty {
      let folder = "/proc/\(process)/fd"
      let sockets = ((try? files.contentsOfDirectory(atPath: folder)) ?? []).compactMap {
        (try? files.destinationOfSymbolicLink(atPath: "\(folder)/\($0)")).flatMap(inode)
      }
      let held = open.intersection(sockets)
      guard !held.isEmpty else { continue }
      open.subtract(held)
      out.append(NetworkFacts.Holder(program: name(of: process), process: process))
    }
    return out + (open.isEmpty ? [] : [NetworkFacts.Holder(program: nil, process: nil)])
  }

  /// The number in `socket:[123]`.
  static func inode(_ link: String) -> UInt64? {
    guard link.hasPrefix("socket:["), link.hasSuffix("]") else { return nil }
    return UInt64(link.dropFirst(8).dropLast())
  }

  private static func name(of process: Int) -> String? {
    KernelFile.text("/proc/\(process)/comm", limit: 64).flatMap { text in
      // A program names itself; what is shown must be harmless text.
      let name = text.unicodeScalars.filter { $0.properties.isASCIIPrintable }
      return name.isEmpty ? nil : String(String.UnicodeScalarView(name))
    }
  }
}

extension Unicode.Scalar.Properties {
  fileprivate var isASCIIPrintable: Bool {
    generalCategory != .control && generalCategory != .format && generalCategory != .surrogate
      && generalCategory != .lineSeparator && generalCategory != .paragraphSeparator
  }
}
