import Discovery
import Dispatch
import Keys
import Peer
import Sockets
import Testing
import Wire

@testable import Shell

/// Three nodes on loopback: the two outer ones are linked to the one between, which passes on.
final class RelayedPair: @unchecked Sendable {
  let ana: TestNode
  let between: TestNode
  let cy: TestNode
  /// The link of each outer node to the one between.
  private(set) var anaBelow = Shell.LinkID(number: 0)
  private(set) var cyBelow = Shell.LinkID(number: 0)

  private var relay = Relay()
  private var links: [PublicKey: Shell.LinkID] = [:]
  private let endpoint: Address
  private var carried: [(from: PublicKey, RelayFrame)] = []
  /// Changes what is passed on; on the queue of the node between.
  private var change: ((RelayFrame) -> RelayFrame)?

  init(
    limits: LinkLimits = LinkLimits(), cyLimits: LinkLimits = LinkLimits(),
    betweenLimits: LinkLimits = LinkLimits(), echoes: Bool = true,
    cyTime: @escaping () -> ContinuousClock.Instant = { ContinuousClock.now }
  ) async throws {
    ana = TestNode(limits: limits)
    between = TestNode(limits: betweenLimits)
    cy = TestNode(limits: cyLimits, echoes: false, time: cyTime)
    endpoint = try between.listen()
    between.onEvent { [weak self] set, event in self?.handle(event, set) }
    Self.takesCarried(ana, echoes: false)
    Self.takesCarried(cy, echoes: echoes)
    anaBelow = try ana.dial(endpoint)
    cyBelow = try cy.dial(endpoint)
    await until("both reach the one between") {
      ana.ups.count == 1 && cy.ups.count == 1 && between.ups.count == 2
    }
  }

  /// Links another outer node to the one between; returns its link.
  func join(_ node: TestNode) async throws -> Shell.LinkID {
    Self.takesCarried(node, echoes: false)
    let id = try node.dial(endpoint)
    await until("it reaches the one between") { node.ups.contains { $0.id == id } }
    return id
  }

  /// Does what `Peer` has its shell do: hands to the set what was passed on; echoes on other links.
  private static func takesCarried(_ node: TestNode, echoes: Bool) {
    node.onEvent { set, event in
      guard case .frame(let id, let bytes) = event else { return }
      if case .carried(let frame) = try? LinkMessage(frame: bytes) {
        set.take(frame, on: id)
      } else if echoes {
        set.send(bytes, on: id)
      }
    }
  }

  private func handle(_ event: LinkEvent, _ set: LinkSet) {
    switch event {
    case .up(let id, let identity, _, _, _, _): links[identity] = id
    case .down(_, let identity, _):
      links[identity] = nil
      perform(relay.lost(identity), set)
    case .frame(let id, let bytes):
      guard let sender = links.first(where: { $0.value == id })?.key,
        case .carry(var frame) = try? LinkMessage(frame: bytes)
      else { return }
      if let change { frame = change(frame) }
      carried.append((sender, frame))
      let links = links
      let from = Relay.Sender(sender, at: .loopback)
      perform(relay.hear(frame, from: from, at: Clock.monotonic) { links[$0] != nil }, set)
    case .dialFailed, .relayedDialFailed: break
    }
  }

  private func perform(_ steps: [Relay.Step], _ set: LinkSet) {
    for step in steps {
      switch step {
      case .send(let frame, let peer):
        if let id = links[peer] { set.send(LinkMessage.carried(frame).frame, on: id) }
      case .pass(let frame, let peer, let channel):
        guard let id = links[peer] else { continue }
        if !set.sendIfRoom(LinkMessage.carried(frame).frame, on: id) {
          perform(relay.full(channel), set)
        }
      case .missing, .refused: break
      }
    }
  }

  /// What the one between was given to pass on.
  var passedOn: [(from: PublicKey, RelayFrame)] { between.queue.sync { carried } }
  var channels: [Relay.Channel] { between.queue.sync { relay.channels } }

  /// Has every frame that is to be passed on changed.
  func change(_ body: @escaping (RelayFrame) -> RelayFrame) {
    between.queue.sync { change = body }
  }

  /// Sends a frame from the one between as if it had been passed on.
  func forge(_ frame: RelayFrame, to node: TestNode) throws {
    try between.on { set in
      if let id = links[node.identity.publicKey] {
        _ = set.send(LinkMessage.carried(frame).frame, on: id)
      }
    }
  }

  /// Sends a frame of the one between's own.
  func tell(_ bytes: [UInt8], to node: TestNode) throws {
    try between.on { set in
      if let id = links[node.identity.publicKey] { _ = set.send(bytes, on: id) }
    }
  }

  /// Dials Cy through the one between.
  func dial() throws -> Shell.LinkID {
    try #require(try ana.on { $0.dial(cy.identity.publicKey, through: anaBelow) })
  }

  /// Dials and waits until both ends are up; returns Ana's end and Cy's.
  func link() async throws -> (ana: Shell.LinkID, cy: Shell.LinkID) {
    let before = cy.ups.count
    let id = try dial()
    await until("the relayed link is up") {
      ana.ups.contains { $0.id == id } && cy.ups.count == before + 1
    }
    return (id, cy.ups[before].id)
  }
}
