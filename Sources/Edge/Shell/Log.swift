#if canImport(Darwin)
  internal import Darwin
#else
  internal import Glibc
#endif
package import Peer
import Synchronization

/// Lines on standard error, at most so many a second of one kind (FIELD F10).
///
/// A kind is the line up to its first digit or colon, so that a thousand failures to reach a
/// thousand addresses are one kind.
package final class Log: Sendable {
  /// Lines of one kind in ten seconds; the rest is counted and told with the next.
  static let burst = 5
  static let window: UInt64 = 10_000
  /// Kinds remembered at once.
  static let kinds = 256

  private struct Kind {
    var startedAt: UInt64
    var written = 0
    var held = 0
  }

  private let level: LogLevel
  private let seen = Mutex<[String: Kind]>([:])

  /// Writes lines of at least `level`.
  package init(level: LogLevel) { self.level = level }

  /// Writes a line, unless its kind has come too often.
  func write(_ level: LogLevel, _ text: String) {
    guard level >= self.level else { return }
    let now = Clock.monotonic
    let kind = String(text.prefix { !$0.isNumber && $0 != ":" })
    let held: Int? = seen.withLock { seen in
      if seen.count >= Log.kinds { seen.removeAll() }
      var row = seen[kind] ?? Kind(startedAt: now)
      if now >= row.startedAt + Log.window {
        let held = row.held
        seen[kind] = Kind(startedAt: now, written: 1)
        return held
      }
      guard row.written < Log.burst else {
        row.held += 1
        seen[kind] = row
        return nil
      }
      row.written += 1
      seen[kind] = row
      return 0
    }
    guard let held else { return }
    if held > 0 { Log.put("tabletalk: (\(held) more lines like the next one were left out)\n") }
    Log.put("tabletalk: \(level): \(Log.printable(text))\n")
  }

  /// Text from outside must not move the cursor or colour the terminal.
  static func printable(_ text: String) -> String {
    String(
      String.UnicodeScalarView(
        text.unicodeScalars.map { scalar in
          switch scalar.properties.generalCategory {
          case .control, .format, .lineSeparator, .paragraphSeparator: "\u{fffd}"
          default: scalar
          }
        }))
  }

  /// Writes to standard error at once: piped `print` is buffered and lost on a trap.
  static func put(_ text: String) { write(text, to: 2) }

  /// Writes all bytes to a descriptor, as far as it takes them.
  static func write(_ text: String, to descriptor: Int32) {
    var bytes = Array(text.utf8)[...]
    while !bytes.isEmpty {
      #if canImport(Darwin)
        let count = bytes.withUnsafeBytes { Darwin.write(descriptor, $0.baseAddress, $0.count) }
      #else
        let count = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      #endif
      if count < 0 && errno == EINTR { continue }
      guard count > 0 else { return }
      bytes = bytes.dropFirst(count)
    }
  }
}
