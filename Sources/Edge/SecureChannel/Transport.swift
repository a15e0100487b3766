import Keys

/// An encrypted link after its handshake: frames in, records out, and back.
///
/// A frame is what the layers above send: 1 byte to `Limits.frameBytes`. It travels as its length
/// (four bytes, big-endian) and its content, cut into records of at most 65,535 bytes, of which 16
/// are the tag. A record belongs to one frame only: the first begins with the length, the last
/// ends where the frame ends, and all but the last are full. Each direction has its own key and
/// counter, so a record that is altered, repeated, left out or moved fails to decrypt, and the
/// link with it. Nothing outside the encryption but the record's own length can be seen.
package struct Transport: ~Copyable {
  /// The numbers of the frame layer.
  package enum Limits {
    /// Largest frame: twice the largest proposal (1 MiB), so that a catch-up answer fits.
    package static let frameBytes = 2 << 20
    /// Largest record on the wire, tag included: what its two length bytes can say.
    package static let recordBytes = Int(UInt16.max)
    /// Largest content of a record.
    package static let plainBytes = recordBytes - CipherState.tagBytes
    /// Bytes of a frame's length.
    package static let lengthBytes = 4
  }

  /// Lengths a record can have: a tag and one byte of content at least.
  package static let recordLengths = (CipherState.tagBytes + 1)...Limits.recordBytes

  private var sending: CipherState
  private var receiving: CipherState
  private let frameLimit: Int
  private var partial: [UInt8] = []
  private var missing = 0
  private var hasFailed = false

  init(
    sending: consuming CipherState, receiving: consuming CipherState,
    frameLimit: Int = Limits.frameBytes
  ) {
    self.sending = sending
    self.receiving = receiving
    self.frameLimit = frameLimit
  }

  /// Encrypts one frame into records, each with its length in front, ready for the socket.
  package mutating func seal(_ frame: [UInt8]) throws(ChannelError) -> [UInt8] {
    guard !hasFailed else { throw .failedBefore }
    guard !frame.isEmpty else { throw .frameEmpty }
    guard frame.count <= frameLimit else {
      throw .frameTooLong(length: frame.count, limit: frameLimit)
    }
    var plain: [UInt8] = []
    plain.reserveCapacity(Limits.lengthBytes + frame.count)
    for shift in [24, 16, 8, 0] { plain.append(UInt8(truncatingIfNeeded: frame.count >> shift)) }
    plain += frame

    var output: [UInt8] = []
    var rest = plain[...]
    while !rest.isEmpty {
      let piece = rest.prefix(Limits.plainBytes)
      rest = rest.dropFirst(piece.count)
      output += RecordReader.header(length: piece.count + CipherState.tagBytes)
      do throws(ChannelError) {
        try sending.encrypt(piece, authenticating: [], appendingTo: &output)
      } catch {
        hasFailed = true
        throw error
      }
    }
    return output
  }

  /// Decrypts one record; returns the frame that it completes, or nil while more is to come.
  ///
  /// The first error is final: every later call throws `failedBefore`.
  package mutating func open(_ record: [UInt8]) throws(ChannelError) -> [UInt8]? {
    guard !hasFailed else { throw .failedBefore }
    do throws(ChannelError) {
      return try openUnlessFailed(record)
    } catch {
      hasFailed = true
      partial = []
      throw error
    }
  }

  private mutating func openUnlessFailed(_ record: [UInt8]) throws(ChannelError) -> [UInt8]? {
    guard Self.recordLengths.contains(record.count) else {
      throw .wrongLength(got: record.count, allowed: Self.recordLengths)
    }
    let plain = try receiving.decrypt(record[...], authenticating: [])
    var content = plain[...]
    if missing == 0 {
      missing = try frameLength(of: &content)
      // Grows with what really arrives: four bytes from a peer reserve nothing.
      partial = []
    }
    guard content.count <= missing else {
      throw .trailingBytes(count: content.count - missing)
    }
    partial += content
    missing -= content.count
    guard missing == 0 else {
      guard record.count == Limits.recordBytes else {
        throw .wrongLength(
          got: record.count, allowed: Limits.recordBytes...Limits.recordBytes)
      }
      return nil
    }
    defer { partial = [] }
    return partial
  }

  /// Takes the length off the first record of a frame and judges it before anything is kept.
  private func frameLength(of content: inout ArraySlice<UInt8>) throws(ChannelError) -> Int {
    guard content.count > Limits.lengthBytes else {
      throw .wrongLength(
        got: content.count, allowed: (Limits.lengthBytes + 1)...Limits.plainBytes)
    }
    let length = content.prefix(Limits.lengthBytes).reduce(0) { $0 << 8 | Int($1) }
    content = content.dropFirst(Limits.lengthBytes)
    guard length > 0 else { throw .frameEmpty }
    guard length <= frameLimit else { throw .frameTooLong(length: length, limit: frameLimit) }
    return length
  }
}
