import Foundation
import Shell

/// A node as its page sees it: it tells its state and takes commands.
protocol Hand {
  /// Sends a command, whose id is added; returns the answer.
  func send(_ fields: [String: Any]) throws -> [String: Any]
  /// What its page shows.
  func state() throws -> [String: Any]
}

extension Hand {
  /// A table in the state.
  func table(_ id: String) throws -> [String: Any]? {
    (try state()["tables"] as? [[String: Any]])?.first { $0["id"] as? String == id }
  }

  /// A field of what the page shows of a table's log.
  func detail<Value>(_ name: String, of table: String) throws -> Value? {
    (try self.table(table)?["details"] as? [String: Any])?[name] as? Value
  }
}

extension PageClient: Hand {}

/// A node of this process.
struct InnerHand: Hand {
  let node: Node

  func send(_ fields: [String: Any]) throws -> [String: Any] {
    let body = fields.merging(["id": UUID().uuidString]) { $1 }
    let answer = node.command(Array(try JSONSerialization.data(withJSONObject: body))).body
    return try JSONSerialization.jsonObject(with: Data(answer)) as? [String: Any] ?? [:]
  }

  func state() throws -> [String: Any] {
    try JSONSerialization.jsonObject(with: Data(node.state())) as? [String: Any] ?? [:]
  }
}

/// How people get to a game.
enum Gathering {
  /// The first makes a table, the others sit down; it returns once all of them vote and play.
  ///
  /// One alone keeps its lobby, where it is the only voter.
  static func play(_ hands: [some Hand]) throws -> String {
    let words = (1...40).map { "word \($0)" }.joined(separator: "\n")
    let made = try hands[0].send([
      "kind": "createTable", "size": 5, "minutes": 60, "marking": "finder", "own": words,
    ])
    guard let table = made["table"] as? String else { throw Trouble("no table: \(made)") }
    guard hands.count > 1 else { return table }
    for hand in hands.dropFirst() {
      try Wait.until("the others to sit down") {
        _ = try hand.send(["kind": "joinTable", "table": table])
        return try hand.table(table)?["phase"] as? String == "lobby"
      }
    }
    try Wait.until("all seats") {
      try hands.allSatisfy { (try $0.table(table)?["seats"] as? [Any])?.count == hands.count }
    }
    _ = try hands[0].send(["kind": "start", "table": table])
    try Wait.until("all to vote") {
      try hands.allSatisfy { hand in
        try hand.table(table)?["phase"] as? String == "playing"
          && hand.detail("voters", of: table) == hands.count
      }
    }
    return table
  }
}
