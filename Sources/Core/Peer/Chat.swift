import Consensus
import Wire

/// What people at one table say to one another: on the links between their laptops, and in no log.
///
/// Nothing is decided by it, so nobody has to agree on it: it costs the table no vote and no write. Each
/// laptop has its own order, the last lines alone, and forgets them when the program ends.
struct Chat: Sendable {
  /// A line, by whoever's laptop said it.
  struct Line: Sendable {
    let index: Int
    let from: PublicKey
    let text: String
    let at: Milliseconds
  }

  /// Characters of a line at the most, as `PlainText.length` counts them, and bytes of UTF-8.
  static let maximumLength = 200
  static let maximumBytes = 800
  /// Lines that are kept.
  static let kept = 100
  /// Lines that one person may say in so many milliseconds.
  static let burst = 5
  static let span: Milliseconds = 10_000
  /// What is in between on the way may bring lines closer together than they were said.
  private static let allowance = 3

  private(set) var lines: [Line] = []
  /// What was said to people whom no link reached then, and is sent when one does.
  private var owed: [(to: PublicKey, text: String)] = []
  private var said: [(from: PublicKey, at: Milliseconds)] = []
  private var next = 0

  /// Whether a person may say one more line now: as one's own node asks, and, with some allowance, as the
  /// others' do.
  mutating func mayHear(_ from: PublicKey, isOwn: Bool, at now: Milliseconds) -> Bool {
    said.removeAll { $0.at + Chat.span <= now }
    let most = Chat.burst + (isOwn ? 0 : Chat.allowance)
    return said.count { $0.from == from } < most
  }

  /// Adds a line.
  mutating func hear(_ text: String, from: PublicKey, at now: Milliseconds) {
    said.append((from, now))
    lines.append(Line(index: next, from: from, text: text, at: now))
    next += 1
    if lines.count > Chat.kept { lines.removeFirst(lines.count - Chat.kept) }
  }

  /// Somebody could not be reached: the newest lines wait for him.
  mutating func owe(_ text: String, to peer: PublicKey) {
    owed.append((peer, text))
    if owed.count > Chat.kept { owed.removeFirst(owed.count - Chat.kept) }
  }

  /// What waits for somebody, as much as he takes at once.
  mutating func pay(_ peer: PublicKey) -> [String] {
    guard owed.contains(where: { $0.to == peer }) else { return [] }
    let texts = owed.filter { $0.to == peer }.map(\.text)
    owed.removeAll { $0.to == peer }
    return Array(texts.suffix(Chat.burst))
  }

  /// A line as it may travel and be shown; nil for one that is empty, too long or unknown.
  static func clean(_ typed: String) -> String? {
    guard typed.utf8.count <= 4 * maximumBytes else { return nil }
    let text = PlainText.cleaned(typed)
    return isClean(text) ? text : nil
  }

  /// Whether a line that somebody else sent is as cleaning leaves it.
  static func isClean(_ text: String) -> Bool {
    text.utf8.count <= maximumBytes && PlainText.cleaned(text).utf8.elementsEqual(text.utf8)
      && (1...maximumLength).contains(PlainText.length(text)) && PlainText.isKnown(text)
  }
}
