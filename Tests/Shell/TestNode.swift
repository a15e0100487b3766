import Discovery
import Dispatch
import Keys
import SecureChannel
import Sockets
import Testing
import Wire

@testable import Shell

/// A `LinkSet` on a queue of its own that remembers what it said; touched on that queue only.
final class TestNode: @unchecked Sendable {
  let queue = DispatchQueue(label: "test.node")
  let identity: Identity
  private var set: LinkSet?
  private(set) var events: [LinkEvent] = []
  private(set) var log: [String] = []
  /// Answers every frame with itself.
  private let echoes: Bool
  /// Sees every event on the queue, before anything else.
  private var onEvent: ((LinkSet, LinkEvent) -> Void)?

  init(
    identity: Identity = .random(), limits: LinkLimits = LinkLimits(),
    filter: InterfaceFilter = InterfaceFilter(names: [loopbackName]), echoes: Bool = false,
    time: @escaping () -> ContinuousClock.Instant = { ContinuousClock.now }
  ) {
    self.identity = identity
    self.echoes = echoes
    let local = LinkIdentity(
      identity: identity.publicKey, linkKeys: identity.linkKeys, sign: identity.sign)
    queue.sync {
      set = LinkSet(
        local: local, filter: filter, limits: limits, queue: queue, time: time,
        log: { [weak self] in self?.log.append($0) },
        onEvent: { [weak self] event in
          guard let self else { return }
          events.append(event)
          if let set { self.onEvent?(set, event) }
          if self.echoes, case .frame(let id, let frame) = event { set?.send(frame, on: id) }
        })
    }
  }

  deinit {
    // The set must go on its own queue. This may be that queue, in the middle of an event.
    let last = Last(set)
    set = nil
    queue.async { last.set = nil }
  }

  /// Holds a set until it can go; touched on the set's queue only.
  private final class Last: @unchecked Sendable {
    var set: LinkSet?
    init(_ set: LinkSet?) { self.set = set }
  }

  /// Uses the set on its queue.
  func on<Result>(_ body: (LinkSet) throws -> Result) throws -> Result {
    try queue.sync { try body(#require(set)) }
  }

  /// Has `body` called with every event from now on, on the queue.
  func onEvent(_ body: @escaping (LinkSet, LinkEvent) -> Void) {
    queue.sync { onEvent = body }
  }

  func listen() throws -> Address {
    Address(host: .loopback, port: try on { try $0.listen(port: 0) }.port)
  }

  func dial(_ endpoint: Address) throws -> LinkID {
    try on { $0.dial(endpoint) }
  }

  var seen: [LinkEvent] { queue.sync { events } }
  var lines: [String] { queue.sync { log } }
  var count: Int { queue.sync { set?.count ?? 0 } }

  var ups: [(id: LinkID, identity: PublicKey, handshakeHash: Digest, isOutbound: Bool)] {
    seen.compactMap {
      if case .up(let id, let identity, let handshakeHash, _, let isOutbound, _) = $0 {
        (id, identity, handshakeHash, isOutbound)
      } else {
        nil
      }
    }
  }
  var frames: [[UInt8]] {
    seen.compactMap { if case .frame(_, let frame) = $0 { frame } else { nil } }
  }
  var downs: [LinkEnd] {
    seen.compactMap { if case .down(_, _, let end) = $0 { end } else { nil } }
  }
  var failures: [LinkEnd] {
    seen.compactMap { if case .dialFailed(_, _, let end) = $0 { end } else { nil } }
  }
}

#if os(Linux)
  let loopbackName = "lo"
#else
  let loopbackName = "lo0"
#endif

/// Waits until the condition holds; records an issue when it does not within 20 s.
func until(
  _ what: Comment, sourceLocation: SourceLocation = #_sourceLocation,
  _ condition: () throws -> Bool
) async rethrows {
  let clock = ContinuousClock()
  let deadline = clock.now + .seconds(20)
  while clock.now < deadline {
    if try condition() { return }
    try? await Task.sleep(for: .milliseconds(2))
  }
  Issue.record(what, sourceLocation: sourceLocation)
}
