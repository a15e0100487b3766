#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif
import Foundation
import Store

/// Why a page was not heard.
package struct PageTrouble: Error, CustomStringConvertible {
  package let description: String
}

/// What a program of the same laptop may ask of a running node: its state, and commands.
package struct PageClient {
  private let port: UInt16
  private let token: String

  /// Finds the page of the node on a data folder; nil while it serves none.
  package init?(folder: String) {
    guard let note = try? NodeFile.read(folder: folder),
      let page = URLComponents(string: note.page), let port = page.port,
      let token = page.fragment?.split(separator: "=").last
    else { return nil }
    self.port = UInt16(port)
    self.token = String(token)
  }

  /// The state as the page sees it.
  package func state() throws -> [String: Any] { try ask("GET", "/api/v1/state", body: nil) }

  /// Sends a command and returns the answer.
  package func send(_ fields: [String: Any]) throws -> [String: Any] {
    let body = fields.merging(["id": UUID().uuidString]) { $1 }
    return try ask(
      "POST", "/api/v1/commands", body: JSONSerialization.data(withJSONObject: body))
  }

  private func ask(_ method: String, _ path: String, body: Data?) throws -> [String: Any] {
    let head =
      "\(method) \(path) HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\nConnection: close\r\n"
      + "X-Tabletalk-Token: \(token)\r\nContent-Type: application/json\r\n"
      + "Content-Length: \(body?.count ?? 0)\r\n\r\n"
    let answer = try exchange(Array(head.utf8) + Array(body ?? Data()))
    let gap = Array("\r\n\r\n".utf8)
    guard let start = answer.indices.first(where: { answer[$0...].starts(with: gap) }),
      let fields = try JSONSerialization.jsonObject(
        with: Data(answer[(start + gap.count)...])) as? [String: Any]
    else { throw PageTrouble(description: "\(path) was not answered") }
    return fields
  }

  /// Sends, and reads until the node has closed.
  private func exchange(_ request: [UInt8]) throws -> [UInt8] {
    #if canImport(Darwin)
      let stream = SOCK_STREAM
    #else
      let stream = Int32(SOCK_STREAM.rawValue)
    #endif
    let descriptor = socket(AF_INET, stream, 0)
    defer { close(descriptor) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = in_addr_t(0x7f00_0001).bigEndian
    address.sin_port = port.bigEndian
    let length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isConnected = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, length) == 0
      }
    }
    guard isConnected, write(descriptor, request, request.count) == request.count else {
      throw PageTrouble(description: "the page at port \(port) does not answer")
    }
    var answer: [UInt8] = []
    var part = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = read(descriptor, &part, part.count)
      guard count > 0 else { return answer }
      answer += part[..<count]
    }
  }
}
