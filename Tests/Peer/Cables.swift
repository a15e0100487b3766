import Peer

/// Every link there is, and which ways are open.
struct Cables {
  /// One connection: the same number at both ends.
  struct Link {
    let id: LinkID
    /// Who dialled, and who was dialled.
    let ends: (Int, Int)
    /// The runs of both nodes when it came up.
    let runs: (UInt64, UInt64)
    /// Whether each end still holds it.
    var isHeld = (true, true)
    /// When the last frame arrives, towards each end; a connection keeps its order.
    var busyUntil: (UInt64, UInt64) = (0, 0)
  }

  private(set) var links: [LinkID: Link] = [:]
  private var last: LinkID = 0
  /// Directions that swallow everything, without a word.
  private var blocked: [(from: Int, to: Int)] = []
  /// Directions in which datagrams are lost: all of them, or only those that are for everybody.
  private var muted: [(from: Int, to: Int, isWhole: Bool)] = []
  /// Laptops that refuse to be dialled.
  var refusing: [Int] = []

  subscript(id: LinkID) -> Link? {
    get { links[id] }
    set { links[id] = newValue }
  }

  mutating func connect(_ dialler: Int, _ dialled: Int, _ runs: (UInt64, UInt64)) -> LinkID {
    last += 1
    links[last] = Link(id: last, ends: (dialler, dialled), runs: runs)
    return last
  }

  func isOpen(from: Int, to: Int) -> Bool {
    !blocked.contains { $0.from == from && $0.to == to }
  }

  mutating func block(from: Int, to: Int) {
    if isOpen(from: from, to: to) { blocked.append((from, to)) }
  }

  mutating func unblock(from: Int, to: Int) {
    blocked.removeAll { $0.from == from && $0.to == to }
  }

  mutating func mute(from: Int, to: Int, onlyBroadcasts: Bool = false) {
    muted.append((from, to, !onlyBroadcasts))
  }

  mutating func unmute() { muted = [] }

  func isMuted(from: Int, to: Int, isBroadcast: Bool) -> Bool {
    muted.contains { $0.from == from && $0.to == to && ($0.isWhole || isBroadcast) }
  }

  /// Links of a laptop that it or the other end still holds, in the order they came up.
  func links(of laptop: Int) -> [Link] {
    links.values.filter { $0.ends.0 == laptop || $0.ends.1 == laptop }.sorted { $0.id < $1.id }
  }
}
