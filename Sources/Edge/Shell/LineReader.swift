#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Lines of a descriptor, one by one, with a bound on what is kept of any.
struct LineReader {
  private let descriptor: Int32
  private let longest: Int
  private var buffer: [UInt8] = []
  private var isAtEnd = false

  /// Of a line longer than `longest` bytes only that much and one byte more is handed out, which says so.
  init(descriptor: Int32, longest: Int) {
    self.descriptor = descriptor
    self.longest = longest
  }

  /// The next line without its end; nil after the last.
  ///
  /// Bytes that are no UTF-8 come as U+FFFD.
  mutating func next() -> String? {
    var line: [UInt8] = []
    while true {
      if let end = buffer.firstIndex(of: UInt8(ascii: "\n")) {
        line += buffer[..<end].prefix(longest + 1 - line.count)
        buffer.removeSubrange(...end)
        return String(decoding: line, as: UTF8.self)
      }
      line += buffer.prefix(longest + 1 - line.count)
      buffer = []
      guard !isAtEnd else { return line.isEmpty ? nil : String(decoding: line, as: UTF8.self) }
      fill()
    }
  }

  private mutating func fill() {
    buffer = Array(repeating: 0, count: 4_096)
    let count = buffer.withUnsafeMutableBytes { room in
      var count: Int
      repeat {
        count = read(descriptor, room.baseAddress, room.count)
      } while count < 0 && errno == EINTR
      return count
    }
    isAtEnd = count <= 0
    buffer.removeLast(buffer.count - max(0, count))
  }
}
