/// What a path leads to.
enum Route: Equatable, Sendable {
  /// `GET /api/v1/state`
  case state
  /// `GET /api/v1/events`
  case events
  /// `POST /api/v1/commands`
  case commands
  /// `GET /api/v1/tables/{id}/log`
  case log(tableID: String)
  /// `GET /api/v1/tables/{id}/export`
  case export(tableID: String)
  /// A file of the page, by its place in the list of assets.
  case asset(Int)

  /// The methods it takes.
  var methods: [String] {
    switch self {
    case .state, .events, .log, .export: ["GET"]
    case .commands: ["POST"]
    case .asset: ["GET", "HEAD"]
    }
  }

  /// Whether a path belongs to the API, there or not.
  static func isInterface(_ path: String) -> Bool {
    path == "/api" || path.hasPrefix("/api/")
  }

  /// Finds the route of a path of the API.
  init?(interfacePath path: String) {
    let parts = path.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count >= 4, parts[0].isEmpty, parts[1] == "api", parts[2] == "v1" else {
      return nil
    }
    switch (parts[3], parts.count) {
    case ("state", 4): self = .state
    case ("events", 4): self = .events
    case ("commands", 4): self = .commands
    case ("tables", 6) where parts[5] == "log" && Self.isTableID(parts[4]):
      self = .log(tableID: String(parts[4]))
    case ("tables", 6) where parts[5] == "export" && Self.isTableID(parts[4]):
      self = .export(tableID: String(parts[4]))
    default: return nil
    }
  }

  private static func isTableID(_ text: Substring) -> Bool {
    (1...64).contains(text.utf8.count)
      && text.utf8.allSatisfy { byte in
        let letter = byte | 0x20
        return (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(letter)
          || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || byte == UInt8(ascii: "-")
      }
  }
}
