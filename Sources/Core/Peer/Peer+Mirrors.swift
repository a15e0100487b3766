import Consensus
import Discovery
import Wire

/// Links whose other end proves the own identity: the node has dialled itself, or a copied folder.
///
/// Which of the two, the beacons tell that each end says first; then the link ends.
extension Peer {
  /// A link to the own identity.
  struct Mirror: Sendable {
    let id: LinkID
    let until: Milliseconds
  }

  /// How long the other end's beacon is waited for, and for how many such links at a time.
  private static let mirrorPatience: Milliseconds = 2_000
  private static let mirrorLimit = 4

  mutating func mirrorUp(_ id: LinkID) {
    guard let lastBeacon, mirrors.count < Peer.mirrorLimit else {
      effects.append(.close(id, reason: "this is the node itself"))
      return
    }
    mirrors.append(Mirror(id: id, until: now + Peer.mirrorPatience))
    send(.beacon(lastBeacon), on: id)
  }

  /// Takes the frame of such a link; returns false if it is of another.
  mutating func hearMirror(_ bytes: [UInt8], on id: LinkID) -> Bool {
    guard mirrors.contains(where: { $0.id == id }) else { return false }
    if case .beacon(let beacon)? = try? LinkMessage(frame: bytes), beacon.identity == me,
      let verified = try? beacon.verified(by: Ed25519())
    {
      hear(verified, by: .link(Address(host: .loopback, port: setup.linkPort)))
    }
    mirrors.removeAll { $0.id == id }
    effects.append(.close(id, reason: "this is the node itself"))
    return true
  }

  mutating func expireMirrors() {
    for mirror in mirrors where mirror.until <= now {
      effects.append(.close(mirror.id, reason: "this is the node itself"))
    }
    mirrors.removeAll { $0.until <= now }
  }
}
