import Foundation
import Sockets
import Store

/// Why a page was not heard.
package struct PageTrouble: Error, CustomStringConvertible {
  package let description: String
}

/// What a program of the same laptop may ask of a running node: its state, and commands.
package struct PageClient {
  private let page: NodePage

  /// How long the node may take, and how much it may say.
  private static let patience = 30_000
  private static let limit = 64 << 20

  /// Finds the page of the node on a data folder; nil while it serves none.
  package init?(folder: String) {
    guard let file = try? NodeFile.read(folder: folder), let page = NodePage(file.page) else {
      return nil
    }
    self.page = page
  }

  /// The state as the page sees it.
  package func state() throws -> [String: Any] {
    let path = "/api/v1/state"
    return try fields(
      of: page.get(path, limit: Self.limit, milliseconds: Self.patience), at: path)
  }

  /// Sends a command and returns the answer.
  package func send(_ fields: [String: Any]) throws -> [String: Any] {
    let body = fields.merging(["id": UUID().uuidString]) { $1 }
    let json = Array(try JSONSerialization.data(withJSONObject: body))
    let path = "/api/v1/commands"
    return try self.fields(
      of: page.post(path, json: json, limit: Self.limit, milliseconds: Self.patience), at: path)
  }

  private func fields(of answer: Probe.Answer, at path: String) throws -> [String: Any] {
    guard case .said(let bytes) = answer else {
      throw PageTrouble(description: "the page at port \(page.port) does not answer")
    }
    let gap = Array("\r\n\r\n".utf8)
    guard let start = bytes.indices.first(where: { bytes[$0...].starts(with: gap) }),
      let fields = try JSONSerialization.jsonObject(
        with: Data(bytes[(start + gap.count)...])) as? [String: Any]
    else { throw PageTrouble(description: "\(path) was not answered") }
    return fields
  }
}
