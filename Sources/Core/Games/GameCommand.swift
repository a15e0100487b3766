/// What a player asks of a game or of its lobby, in the words of the page.
///
/// The page sends names and values; what they mean is for the game alone, so that a new game needs
/// nothing but its own folder.
package struct GameCommand: Equatable, Sendable {
  /// A value of a field.
  package enum Value: Equatable, Sendable {
    case int(Int)
    case text(String)
    case bool(Bool)
    case list([String])
  }

  /// What to do, for example `claim`.
  package let kind: String
  private let fields: [Field]

  private struct Field: Equatable, Sendable {
    let name: String
    let value: Value
  }

  /// Names what is asked for.
  package init(_ kind: String, _ fields: [(String, Value)]) {
    self.kind = kind
    self.fields = fields.map { Field(name: $0.0, value: $0.1) }
  }

  private init(kind: String, fields: [Field]) {
    self.kind = kind
    self.fields = fields
  }

  /// The same fields under another kind.
  package func renamed(_ kind: String) -> GameCommand {
    GameCommand(kind: kind, fields: fields)
  }

  private subscript(name: String) -> Value? { fields.first { $0.name == name }?.value }

  /// A whole number, nil when the field is missing; throws when it is something else.
  package func int(_ name: String) throws(IllegalMove) -> Int? {
    switch self[name] {
    case nil: nil
    case .int(let value): value
    default: throw .unreadableCommand
    }
  }

  /// A text, nil when the field is missing; throws when it is something else.
  package func text(_ name: String) throws(IllegalMove) -> String? {
    switch self[name] {
    case nil: nil
    case .text(let value): value
    default: throw .unreadableCommand
    }
  }

  /// A truth value, nil when the field is missing; throws when it is something else.
  package func bool(_ name: String) throws(IllegalMove) -> Bool? {
    switch self[name] {
    case nil: nil
    case .bool(let value): value
    default: throw .unreadableCommand
    }
  }

  /// One of a few names, nil when the field is missing; throws when it is something else.
  package func choice<Choice: RawRepresentable<String>>(
    _ name: String
  ) throws(IllegalMove) -> Choice? {
    guard let text = try text(name) else { return nil }
    guard let choice = Choice(rawValue: text) else { throw .unreadableCommand }
    return choice
  }

  /// A list of texts, nil when the field is missing; throws when it is something else.
  package func list(_ name: String) throws(IllegalMove) -> [String]? {
    switch self[name] {
    case nil: nil
    case .list(let value): value
    default: throw .unreadableCommand
    }
  }
}

/// A setup made from what the New table screen asks for.
package struct MadeSetup: Sendable {
  package let setup: AnySetup
  /// The player's own list, to be offered next time; nil when none was given.
  package let own: [String]?
  /// Words that were typed twice, or stood in the pack already.
  package let duplicates: Int

  /// Names the parts.
  package init(setup: AnySetup, own: [String]?, duplicates: Int) {
    self.setup = setup
    self.own = own
    self.duplicates = duplicates
  }
}

extension IllegalMove {
  /// A field is missing or out of range: the page and the node do not fit.
  package static let unreadableCommand = IllegalMove(
    "malformed", "The page sent something unreadable. Reload it and try again.")
}
