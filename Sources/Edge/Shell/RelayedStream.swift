import Peer
import Sockets
import Wire

/// A stream whose bytes travel as frames on another link: to a peer that only a third one reaches.
///
/// The third one, at the other end of that link, passes them on; it sees what it would see of any
/// link, which is ciphertext. In order and without loss like the links it runs on.
final class RelayedStream: ByteStream {
  /// Which stream of a link set a frame is for.
  struct Channel: Hashable {
    /// The link it travels on.
    let carrier: LinkID
    /// Who is at the far end.
    let peer: PublicKey
    let number: UInt64
  }

  let channel: Channel
  private let limit: Int
  private let frameCost: Int
  /// Sends a part on the carrier.
  private let carry: (RelayFrame.Part) -> StreamConnection.SendResult
  private let pendingBelow: () -> Int
  private var onBytes: (([UInt8]) -> Void)?
  /// What came while reading was paused; the carrier cannot be paused for one of its streams.
  private var waiting: [UInt8] = []
  /// What it counts for, the pieces in which it came included.
  private var waitingCost = 0
  private var isPaused = false
  private var isOver = false

  /// Names a stream.
  ///
  /// - Parameters:
  ///   - channel: its place among the others.
  ///   - limit: how many bytes may wait while reading is paused.
  ///   - frameCost: what a piece counts for besides its bytes.
  ///   - carry: sends a part on the carrier.
  ///   - pendingBelow: how many bytes wait on the carrier.
  ///   - onBytes: gets what comes.
  init(
    _ channel: Channel, limit: Int, frameCost: Int,
    carry: @escaping (RelayFrame.Part) -> StreamConnection.SendResult,
    pendingBelow: @escaping () -> Int, onBytes: @escaping ([UInt8]) -> Void
  ) {
    self.channel = channel
    self.limit = limit
    self.frameCost = frameCost
    self.carry = carry
    self.pendingBelow = pendingBelow
    self.onBytes = onBytes
  }

  var pendingCount: Int { pendingBelow() }

  func send(_ bytes: [UInt8]) -> StreamConnection.SendResult {
    guard !isOver else { return .closed }
    var start = 0
    while start < bytes.count {
      let end = min(start + RelayFrame.dataBytes, bytes.count)
      let result = carry(.data(Array(bytes[start..<end])))
      // What went before has gone in vain: the owner ends the link, as the far end would.
      guard case .queued = result else { return result }
      start = end
    }
    return .queued(pending: pendingCount)
  }

  /// Takes in what came; false when more would wait than may.
  func arrive(_ bytes: [UInt8]) -> Bool {
    guard !isOver else { return true }
    guard isPaused else {
      onBytes?(bytes)
      return true
    }
    waitingCost += bytes.count + frameCost
    guard waitingCost <= limit else { return false }
    waiting += bytes
    return true
  }

  func pauseReading() { isPaused = true }

  func resumeReading() {
    isPaused = false
    guard !waiting.isEmpty else { return }
    let bytes = waiting
    waiting = []
    waitingCost = 0
    onBytes?(bytes)
  }

  func close() { end(telling: .over) }

  func finish() { end(telling: .over) }

  /// Ends it; tells the far end why, unless it is the one that said so.
  func end(telling reason: RelayEnd?) {
    guard !isOver else { return }
    isOver = true
    onBytes = nil
    waiting = []
    if let reason { _ = carry(.close(reason)) }
  }
}
