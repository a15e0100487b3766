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
      let links = ((try? files.contentsOfDirectory(atPath: folder)) ?? []).compactMap {
        try? files.destinationOfSymbolicLink(atPath: "\(folder)/\($0)")
      }
      let held = open.intersection(links.compactMap(inode))
      guard !held.isEmpty else { continue }
      open.subtract(held)
      out.append(
        NetworkFacts.Holder(
          program: name(of: process), process: process,
          folder: links.lazy.compactMap(dataFolder).first))
    }
    return out + (open.isEmpty ? [] : [NetworkFacts.Holder(program: nil, process: nil)])
  }

  /// The number in `socket:[123]`.
  static func inode(_ link: String) -> UInt64? {
    guard link.hasPrefix("socket:["), link.hasSuffix("]") else { return nil }
    return UInt64(link.dropFirst(8).dropLast())
  }

  /// The data folder of a Tabletalk, by the file it keeps its games in.
  static func dataFolder(_ link: String) -> String? {
    let file = "/tabletalk.db"
    return link.hasSuffix(file) ? plain(String(link.dropLast(file.count))) : nil
  }

  private static func name(of process: Int) -> String? {
    KernelFile.text("/proc/\(process)/comm", limit: 64).flatMap(plain)
  }

  /// Programs and folders are named by whoever likes: what is shown must be harmless text.
  private static func plain(_ text: String) -> String? {
    let kept = text.unicodeScalars.filter { $0.properties.isASCIIPrintable }
    return kept.isEmpty ? nil : String(String.UnicodeScalarView(kept))
  }
}

extension Unicode.Scalar.Properties {
  fileprivate var isASCIIPrintable: Bool {
    generalCategory != .control && generalCategory != .format && generalCategory != .surrogate
      && generalCategory != .lineSeparator && generalCategory != .paragraphSeparator
  }
}
