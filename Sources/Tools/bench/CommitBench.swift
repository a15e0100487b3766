import Foundation
import Peer
import Shell
import Store

/// Three whole nodes in one process, with real TCP on loopback and real SQLite: one of them claims a
/// word, and the time is taken until the claim is final on all three.
///
/// A claim is counted from the moment its command arrives: reading it, asking the rules, writing
/// the own entry (one sync), signing it, and then the consensus with a sync per hop. The others
/// then deny it, untimed, so that no line is ever complete.
struct CommitBench {
  let rounds: Int

  func run() {
    let root = FileManager.default.temporaryDirectory.appendingPathComponent(
      "tabletalk-bench-\(ProcessInfo.processInfo.processIdentifier)")
    defer { try? FileManager.default.removeItem(at: root) }
    do {
      let nodes = try ["Ana", "Bo", "Cy"].map { name in try start(name, in: root) }
      defer { for node in nodes { node.stop() } }
      let times = try measure(nodes)
      print("commit, n = 3, \(times.count) claims: from the command to final on all three nodes")
      Report.print("claim to final on all", times)
      try Bounds(rounds: rounds).print(folder: root.path)
    } catch {
      print("bench: \(error)")
    }
  }

  private func start(_ name: String, in root: URL) throws -> Node {
    var options = Options()
    options.name = name
    options.interfaces = ["lo"]
    return try Node.start(
      options, folder: DataFolder(path: root.appendingPathComponent(name).path),
      log: Log(level: .error))
  }

  // MARK: Games

  /// Claims word after word, a new table when every board is used up.
  private func measure(_ nodes: [Node]) throws -> [Duration] {
    let finals = Finals(count: nodes.count)
    for (index, node) in nodes.enumerated() {
      node.watchAgreed { finals.note($0, at: index) }
    }
    var times: [Duration] = []
    while times.count < rounds {
      let table = try openTable(nodes)
      for round in 0..<75 where times.count < rounds {
        times.append(try claim(round, at: table, nodes, finals))
      }
    }
    return times
  }

  private func openTable(_ nodes: [Node]) throws -> String {
    let words = (1...40).map { "word \($0)" }.joined(separator: "\n")
    let made = try send(
      nodes[0],
      ["kind": "createTable", "size": 5, "minutes": 60, "marking": "finder", "own": words])
    guard let table = made["table"] as? String else { throw Trouble("no table: \(made)") }
    for node in nodes.dropFirst() {
      try wait("the others to sit down") {
        _ = try send(node, ["kind": "joinTable", "table": table])
        return try view(node, table)?["phase"] as? String == "lobby"
      }
    }
    _ = try send(nodes[0], ["kind": "start", "table": table])
    for node in nodes {
      try wait("the boards") { try view(node, table)?["phase"] as? String == "playing" }
    }
    return table
  }

  private func claim(
    _ round: Int, at table: String, _ nodes: [Node], _ finals: Finals
  ) throws -> Duration {
    let claimant = round % nodes.count
    let before = finals.least
    let clock = ContinuousClock()
    let start = clock.now
    let answer = try send(
      nodes[claimant],
      ["kind": "claim", "table": table, "tile": round / nodes.count, "now": true])
    guard answer["ok"] != nil else { throw Trouble("a claim was refused: \(answer)") }
    try finals.wait(for: before + 1)
    let time = clock.now - start
    for (index, node) in nodes.enumerated() where index != claimant {
      try wait("the vote") {
        let claims = try view(node, table)?["claims"] as? [[String: Any]]
        return claims?.isEmpty == false
      }
      let claims = try view(node, table)?["claims"] as? [[String: Any]] ?? []
      guard let id = claims.first?["id"] as? String else { throw Trouble("no claim to vote on") }
      _ = try send(node, ["kind": "vote", "table": table, "claim": id, "confirm": false])
    }
    try finals.wait(for: before + 3)
    return time
  }

  // MARK: Talking to a node

  private func send(_ node: Node, _ fields: [String: Any]) throws -> [String: Any] {
    var body = fields
    body["id"] = UUID().uuidString
    let data = try JSONSerialization.data(withJSONObject: body)
    let answer = node.command(Array(data)).body
    return try JSONSerialization.jsonObject(with: Data(answer)) as? [String: Any] ?? [:]
  }

  private func view(_ node: Node, _ table: String) throws -> [String: Any]? {
    let state = try JSONSerialization.jsonObject(with: Data(node.state())) as? [String: Any]
    let tables = state?["tables"] as? [[String: Any]]
    return tables?.first { $0["id"] as? String == table }
  }

  private func wait(_ what: String, _ condition: () throws -> Bool) throws {
    let end = ContinuousClock.now + .seconds(15)
    while ContinuousClock.now < end {
      if try condition() { return }
      Thread.sleep(forTimeInterval: 0.005)
    }
    throw Trouble("waited too long for \(what)")
  }
}
