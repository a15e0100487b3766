/// The events that wait to be sent to one client.
///
/// It is bounded: where a client reads too slowly, `state` events that a newer one replaces are
/// dropped, as each is a whole snapshot; where that is not enough the stream ends after what waits,
/// and the client comes back with the id of the last event it has.
struct Backlog: Sendable {
  /// The bounds of one backlog.
  enum Limits {
    /// The most events that wait.
    static let events = 1024
    /// The most bytes that wait.
    static let bytes = 1 << 20
  }

  /// An event as it is sent, and whether a newer one of its kind replaces it.
  private struct Item: Sendable {
    let bytes: [UInt8]
    let isState: Bool
  }

  private var items: [Item]
  /// How much of the first item has been sent.
  private var sent = 0
  private var waitingBytes: Int

  /// Whether nothing more is to come.
  private(set) var isClosed = false

  /// Starts with these events, however many they are: they are what the client has missed.
  init(_ events: [ServerSentEvent]) {
    // A first comment makes the client see that the stream is open, also where nothing is new.
    items = [Item(bytes: Array(": open\n\n".utf8), isState: false)]
    items += events.map { Item(bytes: $0.encoded, isState: $0.event == "state") }
    waitingBytes = items.reduce(0) { $0 + $1.bytes.count }
  }

  /// Whether there is something to send.
  var isEmpty: Bool { items.isEmpty }

  /// Whether all has been sent that will ever be.
  var isFinished: Bool { isClosed && items.isEmpty }

  /// Adds an event as it is sent; closes the backlog where it does not fit.
  mutating func append(_ bytes: [UInt8], isState: Bool) {
    if isClosed { return }
    items.append(Item(bytes: bytes, isState: isState))
    waitingBytes += bytes.count
    if isOverfull { dropReplacedStates() }
    // One event larger than the bound is still sent, if nothing else waits.
    guard isOverfull, items.count > 1, let last = items.popLast() else { return }
    waitingBytes -= last.bytes.count
    close()
  }

  /// Adds a comment, which keeps the connection alive, where nothing else waits.
  mutating func appendComment() {
    if items.isEmpty { append(Array(": here\n\n".utf8), isState: false) }
  }

  /// Drops what waits, except an event that has been sent in part, and ends with these bytes.
  mutating func close(with farewell: [UInt8]) {
    if isClosed { return }
    isClosed = true
    items.removeSubrange((sent > 0 ? 1 : 0)...)
    if !farewell.isEmpty { items.append(Item(bytes: farewell, isState: false)) }
    waitingBytes = items.reduce(-sent) { $0 + $1.bytes.count }
  }

  /// Ends after all that waits has been sent.
  mutating func close() {
    isClosed = true
  }

  /// Moves waiting bytes into a buffer and returns their number.
  mutating func take(into buffer: UnsafeMutableRawBufferPointer) -> Int {
    var filled = 0
    var done = 0
    while done < items.count, filled < buffer.count {
      let bytes = items[done].bytes
      let count = min(bytes.count - sent, buffer.count - filled)
      let target = UnsafeMutableRawBufferPointer(rebasing: buffer[filled..<filled + count])
      target.copyBytes(from: bytes[sent..<sent + count])
      filled += count
      sent += count
      if sent == bytes.count {
        done += 1
        sent = 0
      }
    }
    items.removeFirst(done)
    waitingBytes -= filled
    return filled
  }

  private var isOverfull: Bool {
    items.count > Limits.events || waitingBytes > Limits.bytes
  }

  private mutating func dropReplacedStates() {
    guard let newest = items.lastIndex(where: \.isState) else { return }
    let firstWhole = sent > 0 ? 1 : 0
    items = items.indices.filter { !items[$0].isState || $0 < firstWhole || $0 == newest }
      .map { items[$0] }
    waitingBytes = items.reduce(-sent) { $0 + $1.bytes.count }
  }
}
