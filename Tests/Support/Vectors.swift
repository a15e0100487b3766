package import Foundation

/// Data of `Protocol/vectors`, found from this file's own place.
package enum Vectors {
  /// The folder `Protocol/vectors`.
  package static let folder = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("Protocol/vectors")

  /// Reads one JSON file, named relative to the folder.
  package static func load<Content: Decodable>(
    _ name: String, as type: Content.Type = Content.self
  ) throws -> Content {
    let data = try Data(contentsOf: folder.appendingPathComponent(name))
    return try JSONDecoder().decode(type, from: data)
  }

  /// Writes a file anew when `TABLETALK_APPROVE=1`; whoever does so reviews the difference.
  package static func approve(_ name: String, _ content: some Encodable) throws {
    guard ProcessInfo.processInfo.environment["TABLETALK_APPROVE"] == "1" else { return }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    let data = try encoder.encode(content) + Data("\n".utf8)
    try data.write(to: folder.appendingPathComponent(name))
  }
}
