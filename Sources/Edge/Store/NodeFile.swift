import Foundation

/// What a running node tells other programs of the same user, as `node.json` in the data folder.
///
/// A second start reads it to show the page of the first. It holds the page's token, so it is for
/// its owner alone, and it is removed at a clean exit.
package struct NodeFile: Codable, Equatable, Sendable {
  /// The number of the process.
  package var pid: Int32
  /// The address of the page, with the token in its fragment.
  package var page: String
  /// The identity key of the node, in hex.
  package var identity: String
  /// The TCP port of the links between nodes.
  package var linkPort: UInt16
  /// The network interfaces in use, by name.
  package var interfaces: [String]

  /// The name of the file in the data folder.
  package static let name = "node.json"

  /// Describes a running node.
  package init(
    pid: Int32, page: String, identity: String, linkPort: UInt16, interfaces: [String]
  ) {
    self.pid = pid
    self.page = page
    self.identity = identity
    self.linkPort = linkPort
    self.interfaces = interfaces
  }

  /// Returns what the node that holds the folder at `path` wrote; nil when there is no such file
  /// or it is not one of ours.
  package static func read(folder path: String) throws(DataFolderError) -> NodeFile? {
    guard let bytes = try DataFolder.read(name, in: path, limit: 1 << 16) else { return nil }
    return try? JSONDecoder().decode(NodeFile.self, from: Data(bytes))
  }

  /// The file's bytes: one JSON object with sorted keys, and a line break.
  var bytes: [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    guard let data = try? encoder.encode(self) else {
      // Strings and integers always have a JSON form.
      fatalError("node.json cannot be encoded: \(self)")
    }
    return Array(data) + [UInt8(ascii: "\n")]
  }
}

extension DataFolder {
  /// Writes `node.json`.
  package func write(_ node: NodeFile) throws(DataFolderError) {
    try write(NodeFile.name, node.bytes)
  }

  /// Removes `node.json`; for a clean exit.
  package func removeNodeFile() throws(DataFolderError) {
    try remove(NodeFile.name)
  }
}
