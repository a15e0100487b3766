import Foundation

@testable import Peer

extension PageState {
  /// The state as the page reads it.
  var json: [String: Any] {
    get throws {
      let encoder = JSONEncoder()
      let object = try JSONSerialization.jsonObject(with: encoder.encode(self))
      guard let members = object as? [String: Any] else { throw Trouble("a state is an object") }
      return members
    }
  }

  /// Every value of it by its path, but for what counts time or messages.
  var parts: [String: String] {
    var out: [String: String] = [:]
    var members = (try? json) ?? [:]
    for name in ["packs", "revision", "network"] { members[name] = nil }
    flatten(members, "", &out)
    return out
  }

  private func flatten(_ value: Any, _ path: String, _ out: inout [String: String]) {
    switch value {
    case let members as [String: Any]:
      for (name, member) in members where !PageState.isCount(name) {
        flatten(member, "\(path).\(name)", &out)
      }
    case let items as [Any]:
      out["\(path).count"] = "\(items.count)"
      for (index, item) in items.enumerated() { flatten(item, "\(path)[\(index)]", &out) }
    default: out[path] = "\(value)"
    }
  }

  private static func isCount(_ name: String) -> Bool {
    name.hasSuffix("Ms") || ["refused", "messages", "view", "finalVotes"].contains(name)
  }
}
