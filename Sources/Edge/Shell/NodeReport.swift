import Discovery
import Foundation
import Sockets
import Store

/// What a running node says of its network, as its page is told.
struct NodeReport: Sendable {
  /// What came of asking.
  enum Answer: Sendable {
    case answers(NodeReport, process: Int)
    /// It holds the folder and says nothing.
    case silent(process: Int)
    case none
  }

  var facts: NetworkFacts
  var rows: [DoctorReport.Row]

  /// How long the node may take, and how much it may say.
  private static let patience = 3_000
  private static let limit = 8 << 20

  /// Asks the node that has the folder.
  static func read(folder: String) -> Answer {
    guard let file = try? NodeFile.read(folder: folder), let page = NodePage(file.page) else {
      return .none
    }
    let process = Int(file.pid)
    switch page.get("/api/v1/state", limit: limit, milliseconds: patience) {
    // A crash leaves the file behind; nobody is there then.
    case .nobody: return .none
    case .silent: return isHeld(folder) ? .silent(process: process) : .none
    case .said(let bytes):
      if let report = NodeReport(response: bytes) { return .answers(report, process: process) }
      return isHeld(folder) ? .silent(process: process) : .none
    }
  }

  /// Whether a node has the folder.
  ///
  /// If none has, whatever else answers on the port is no node, and the process that a crash left
  /// the number of may be anybody's.
  private static func isHeld(_ folder: String) -> Bool {
    do throws(DataFolderError) {
      _ = try DataFolder(path: folder)
      return false
    } catch {
      return true
    }
  }

  private struct State: Decodable {
    struct Interface: Decodable {
      var name: String
      var address: String
      var broadcast: String?
      var kind: String?
      var sends: Bool
      var sent: Int?
      var heard: Int?
      var lastError: String?
      var lastErrorName: String?
    }

    struct Person: Decodable {
      var name: String
      var address: String
      var paths: [Way]
      var hearsMe: String
      var clockAhead: Int?
      var linked: Bool
      var linkFails: Bool
    }

    struct Way: Decodable {
      var via: String
    }

    struct Trouble: Decodable {
      var code: String
    }

    struct Stranger: Decodable {
      var name: String
      var version: Int
    }

    struct Network: Decodable {
      var interfaces: [Interface]
      var told: Bool
      var discoveryPort: UInt16
      var linkPort: UInt16
      var sharedAddresses: [NetworkFacts.SharedAddress]
    }

    var network: Network
    var people: [Person]
    var otherVersions: [Stranger]
    var trouble: Trouble?
  }

  /// Reads an HTTP answer with a state in it.
  init?(response: [UInt8]) {
    let text = Data(response)
    guard text.starts(with: Data("HTTP/1.1 200".utf8)),
      let head = text.range(of: Data("\r\n\r\n".utf8)),
      let state = try? JSONDecoder().decode(State.self, from: text[head.upperBound...])
    else { return nil }
    var facts = NetworkFacts()
    facts.discoveryPort = state.network.discoveryPort
    facts.linkPort = state.network.linkPort
    facts.interfaces = state.network.interfaces.map { one in
      .init(
        name: one.name, address: one.address, kind: one.kind ?? "",
        isLoopback: one.kind == "loopback", sends: one.sends,
        lastError: one.lastError.map { .init(name: one.lastErrorName ?? "", text: $0) })
    }
    facts.isLoopbackMeant = state.network.told
    facts.people = state.people.map { one in
      .init(
        name: one.name, host: Address(one.address)?.hostText ?? one.address,
        isHeard: one.paths.contains { $0.via == "datagram" }, isLinked: one.linked,
        hearsMe: ["yes": true, "no": false][one.hearsMe], linkFails: one.linkFails,
        clockAhead: one.clockAhead)
    }
    facts.strangers = state.otherVersions.map { .init(name: $0.name, version: $0.version) }
    facts.sharedAddresses = state.network.sharedAddresses
    facts.isKeyTwice = state.trouble?.code == "sameKeyTwice"
    self.facts = facts
    rows = state.network.interfaces.map { one in
      DoctorReport.Row(
        name: one.name, address: one.address, kind: one.kind, broadcast: one.broadcast,
        sends: one.sends, sent: one.sent, heard: one.heard, lastError: one.lastError)
    }
  }
}
