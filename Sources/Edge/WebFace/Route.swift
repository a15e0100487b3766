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
  /// `GET /api/v1/history`
  case history
  /// `GET /api/v1/tables/{id}/replay`
  case replay(tableID: String)
  /// `GET /api/v1/tables/{id}/proof`
  case proof(tableID: String)
  /// `GET /api/v1/words/{list}`
  case words(list: Int)
  /// `GET /api/v1/words/{list}/{txt, csv or json}`
  case wordFile(list: Int, format: String)
  /// `POST /api/v1/words/preview/{txt, csv or json}`
  case preview(format: String)
  /// A file of the page, by its place in the list of assets.
  case asset(Int)

  /// The methods it takes.
  var methods: [String] {
    switch self {
    case .state, .events, .log, .export, .history, .replay, .proof, .words, .wordFile: ["GET"]
    case .commands, .preview: ["POST"]
    case .asset: ["GET", "HEAD"]
    }
  }

  /// The most bytes of a body that it takes.
  var bodyLimit: Int {
    if case .preview = self { Server.Limits.file } else { Server.Limits.body }
  }

  /// What is said of a longer one.
  var tooLong: Refusal {
    if case .preview = self { .fileTooLong } else { .tooLong }
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
    case ("history", 4): self = .history
    case ("tables", 6) where parts[5] == "replay" && Self.isTableID(parts[4]):
      self = .replay(tableID: String(parts[4]))
    case ("tables", 6) where parts[5] == "proof" && Self.isTableID(parts[4]):
      self = .proof(tableID: String(parts[4]))
    case ("words", 6) where parts[4] == "preview" && Self.isFormat(parts[5]):
      self = .preview(format: String(parts[5]))
    case ("words", 5):
      guard let list = Self.list(parts[4]) else { return nil }
      self = .words(list: list)
    case ("words", 6) where Self.isFormat(parts[5]):
      guard let list = Self.list(parts[4]) else { return nil }
      self = .wordFile(list: list, format: String(parts[5]))
    default: return nil
    }
  }

  private static func isFormat(_ text: Substring) -> Bool { ["txt", "csv", "json"].contains(text) }

  private static func list(_ text: Substring) -> Int? {
    guard (1...9).contains(text.utf8.count),
      text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
    else { return nil }
    return Int(text)
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
