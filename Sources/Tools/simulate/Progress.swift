internal import Foundation

/// How far a long run is, on the error stream: in place on a terminal, else a line now and then.
struct Progress {
  private let total: Int
  private let isTerminal = isatty(2) == 1
  private var next = ContinuousClock.now + .seconds(1)

  init(of total: Int) { self.total = total }

  /// Shows it, if it is time again.
  mutating func show(_ done: Int, failed: Int) {
    guard ContinuousClock.now >= next, done < total else { return }
    next = .now + .seconds(isTerminal ? 1 : 15)
    let text = "\(done) of \(total) worlds, \(failed) failed"
    write(isTerminal ? "\r\(text)" : "\(text)\n")
  }

  /// Leaves a clean line.
  func end() { if isTerminal { write("\r\u{1B}[K") } }

  private func write(_ text: String) { FileHandle.standardError.write(Data(text.utf8)) }
}
