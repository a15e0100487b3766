import Sockets

/// Where a running node serves its page, for another process of the same user to ask.
struct NodePage: Sendable {
  let port: UInt16
  private let token: String

  /// Takes the address in `node.json` apart; nil when it is not one.
  init?(_ address: String) {
    let parts = address.split(separator: "#token=")
    guard parts.count == 2, parts[1].allSatisfy({ $0.isASCII && !$0.isWhitespace }),
      let colon = parts[0].lastIndex(of: ":"),
      let port = UInt16(parts[0][parts[0].index(after: colon)...].prefix { $0.isNumber })
    else { return nil }
    self.port = port
    token = String(parts[1])
  }

  /// Asks for a path of the API, of plain characters; the whole HTTP answer.
  func get(_ path: String, limit: Int, milliseconds: Int) -> Probe.Answer {
    ask("GET \(path)", "", [], limit: limit, milliseconds: milliseconds)
  }

  /// Posts JSON to a path of the API, of plain characters; the whole HTTP answer.
  func post(_ path: String, json: [UInt8], limit: Int, milliseconds: Int) -> Probe.Answer {
    let fields = "Content-Type: application/json\r\nContent-Length: \(json.count)\r\n"
    return ask("POST \(path)", fields, json, limit: limit, milliseconds: milliseconds)
  }

  private func ask(
    _ line: String, _ fields: String, _ body: [UInt8], limit: Int, milliseconds: Int
  ) -> Probe.Answer {
    let head = """
      \(line) HTTP/1.1\r
      Host: 127.0.0.1:\(port)\r
      X-Tabletalk-Token: \(token)\r
      Connection: close\r
      \(fields)\r

      """
    return Probe.ask(
      localPort: port, Array(head.utf8) + body, limit: limit, milliseconds: milliseconds)
  }
}
