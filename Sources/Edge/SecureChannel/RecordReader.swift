import Wire

/// Cuts a stream of bytes into the messages of a link, each led by its length in two bytes.
///
/// The stream comes in pieces of any size. A length is judged as soon as its two bytes are there,
/// so nothing is kept for a message that will be refused.
package struct RecordReader: Sendable {
  /// Bytes of the length in front of every handshake message and every record, big-endian.
  package static let headerBytes = 2

  private var buffer: [UInt8] = []
  private var start = 0

  /// An empty reader.
  package init() {}

  /// Bytes taken in and not handed out yet.
  package var waitingCount: Int { buffer.count - start }

  /// Takes in what the socket read.
  package mutating func append(_ bytes: [UInt8]) {
    if start > 0 {
      buffer.removeFirst(start)
      start = 0
    }
    buffer += bytes
  }

  /// The next whole message, or nil while there is none.
  ///
  /// Throws when its length is outside `allowed`; the stream cannot be read on then.
  package mutating func next(allowed: ClosedRange<Int>) throws(ChannelError) -> [UInt8]? {
    guard waitingCount >= Self.headerBytes else { return nil }
    let length = Int(buffer[start]) << 8 | Int(buffer[start + 1])
    guard allowed.contains(length) else { throw .wrongLength(got: length, allowed: allowed) }
    guard waitingCount >= Self.headerBytes + length else { return nil }
    let first = start + Self.headerBytes
    start = first + length
    return Array(buffer[first..<start])
  }

  /// The message with its length in front, ready for the socket.
  package static func framed(_ message: [UInt8]) -> [UInt8] {
    invariant(message.count <= Int(UInt16.max), "a message of \(message.count) bytes")
    return header(length: message.count) + message
  }

  static func header(length: Int) -> [UInt8] {
    [UInt8(truncatingIfNeeded: length >> 8), UInt8(truncatingIfNeeded: length)]
  }
}
