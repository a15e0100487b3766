internal import Wire

/// The last lines of what happened in a world.
package struct Transcript: Sendable {
  private static let most = 400
  /// The oldest first.
  package private(set) var lines: [String] = []

  /// Starts with none.
  package init() {}

  /// Adds a line, and forgets the oldest.
  package mutating func note(_ line: @autoclosure () -> String) {
    lines.append(line())
    if lines.count > 2 * Self.most { lines.removeFirst(Self.most) }
  }
}

extension Digest {
  /// Enough of it to tell it from others nearby.
  var brief: String { String(raw.leadingWord >> 40, radix: 16) }
}

extension Block {
  /// Where it stands, in a few words.
  var brief: String {
    let what = isSeal ? ", a seal" : isEmpty ? ", empty" : ", \(entries.count) entries"
    return "block \(hash.brief) of view \(view), height \(height)\(what)"
  }
}

extension VoteSubject {
  /// What it says, in a few words.
  var brief: String {
    kind == .nullify ? "nullify in view \(view)" : "\(kind) of \(block.brief) in view \(view)"
  }
}
