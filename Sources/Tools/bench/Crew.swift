import Foundation
import Peer
import Shell
import Store

/// Whole nodes in one process, with real TCP on loopback and real SQLite, at one table.
final class Crew {
  /// Nil for one that is stopped.
  private var nodes: [Node?] = []
  let finals: Finals
  private(set) var table = ""
  let folder: URL
  let size: Int

  /// Starts `size` nodes and a table at which all of them vote.
  ///
  /// One node alone keeps its lobby, where it is the only voter.
  init(_ size: Int) throws {
    self.size = size
    finals = Finals(count: size)
    folder = FileManager.default.temporaryDirectory.appendingPathComponent(
      "tabletalk-bench-\(ProcessInfo.processInfo.processIdentifier)-\(size)")
    for index in 0..<size { nodes.append(try start(index)) }
    table = try Gathering.play(nodes.compactMap { $0 }.map(InnerHand.init))
    finals.begin()
  }

  /// Starts a node, or starts it again on its folder.
  private func start(_ index: Int) throws -> Node {
    var options = Options()
    options.name = "Guest \(index + 1)"
    options.interfaces = ["lo"]
    // All nodes are at one address here, whose budget against floods they would share.
    options.linkLimits.budgetsPerAddress = 1_024
    options.linkLimits.frameCost = 64
    let node = try Node.start(
      options, folder: DataFolder(path: folder.appendingPathComponent("\(index)").path),
      log: Log(level: .error))
    watch(node, index)
    return node
  }

  private func watch(_ node: Node, _ index: Int) {
    let finals = finals
    node.watchAgreed { finals.note($0, at: index) }
    node.watchSigned { finals.noteSigned() }
  }

  func stop(_ index: Int) {
    nodes[index]?.stop()
    nodes[index] = nil
  }

  func restart(_ index: Int) throws { nodes[index] = try start(index) }

  /// Ends all and leaves nothing behind.
  func end() {
    for node in nodes { node?.stop() }
    try? FileManager.default.removeItem(at: folder)
  }

  /// Puts entries by one node into the table's log.
  func load(_ index: Int, count: Int) { nodes[index]?.load(table, count: count) }

  /// Height and tip at a node.
  func standing(_ index: Int) throws -> (height: Int, tip: String) {
    guard let node = nodes[index] else { return (0, "") }
    let hand = InnerHand(node: node)
    return (try hand.detail("height", of: table) ?? 0, try hand.detail("tip", of: table) ?? "")
  }
}
