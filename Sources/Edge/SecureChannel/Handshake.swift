import Keys
package import Wire

/// The handshake of a link, from its first byte to the peer's proven identity, without a socket.
///
/// Noise XX with the identity of each end inside its encrypted payload:
/// ```
///   initiator                                   responder
///     1  e                                  ->
///                                           <-  2  e, ee, s, es, [version, identity, signature]
///     3  s, se, [version, identity, signature] ->
/// ```
/// On the wire each message is led by its length (`RecordReader`). Each end counts the link as up
/// only after it has verified that the other's identity signed the static key which Noise proved
/// to be held at the other end. A thrown error is the end of the handshake: drop it and the socket.
package struct Handshake: ~Copyable {
  /// Mixed into the hash of both ends first: another protocol or framing fails at message 2.
  package static let prologue = Array("tabletalk-link/1".utf8)
  /// No message of the handshake is longer.
  package static let maxMessageBytes = 2 * LinkKeyPair.keyBytes + 2 * 16 + IdentityPayload.maxBytes

  private let role: LinkRole
  private let local: LinkIdentity
  private var noise: NoiseXX
  private var peer: IdentityPayload?
  private var hasReadFirst = false
  private var hasFailed = false

  /// A handshake with a fresh ephemeral key.
  package init(role: LinkRole, local: LinkIdentity) {
    self.init(role: role, local: local, prologue: Self.prologue)
  }

  init(
    role: LinkRole, local: LinkIdentity, prologue: [UInt8], ephemeral: LinkKeyPair = .random()
  ) {
    self.role = role
    self.local = local
    self.noise = NoiseXX(
      role: role, prologue: prologue, localStatic: local.linkKeys, ephemeral: ephemeral)
  }

  /// Whether both identities are proven, as far as this end can know.
  package var isDone: Bool { noise.isDone && !hasFailed }

  /// The lengths the next incoming message can have; judged before the message is kept.
  package var incomingLengths: ClosedRange<Int> {
    let tag = CipherState.tagBytes
    let fixed: Int
    switch role {
    case .responder where !hasReadFirst: return LinkKeyPair.keyBytes...LinkKeyPair.keyBytes
    case .responder: fixed = LinkKeyPair.keyBytes + 2 * tag
    case .initiator: fixed = 2 * LinkKeyPair.keyBytes + 2 * tag
    }
    return fixed...(fixed + IdentityPayload.maxBytes)
  }

  /// The initiator's first message; the responder has nothing to say first.
  package mutating func start() throws(ChannelError) -> [UInt8] {
    guard role == .initiator else { throw .outOfTurn }
    return try noise.write(payload: [])
  }

  /// Takes the next message in and returns the answer to send, if there is one.
  package mutating func receive(_ message: [UInt8]) throws(ChannelError) -> [UInt8]? {
    guard !hasFailed else { throw .failedBefore }
    do throws(ChannelError) {
      return try receiveUnlessFailed(message)
    } catch {
      hasFailed = true
      throw error
    }
  }

  private mutating func receiveUnlessFailed(
    _ message: [UInt8]
  ) throws(ChannelError) -> [UInt8]? {
    let allowed = incomingLengths
    guard allowed.contains(message.count) else {
      throw .wrongLength(got: message.count, allowed: allowed)
    }
    let payload = try noise.read(message)
    if role == .responder, !hasReadFirst {
      hasReadFirst = true
    } else {
      peer = try proven(payload)
    }
    guard !noise.isDone else { return nil }
    return try noise.write(payload: IdentityPayload(of: local).encoded)
  }

  private func proven(_ bytes: [UInt8]) throws(ChannelError) -> IdentityPayload {
    let payload = try IdentityPayload(decoding: bytes)
    guard payload.isSigned(for: noise.remoteStatic) else { throw .wrongSignature }
    guard payload.identity != local.identity else { throw .ownIdentity }
    return payload
  }

  /// Ends a done handshake: the encrypted link and who is at its other end.
  package consuming func finish() throws(ChannelError) -> SecureLink {
    guard isDone, let peer else { throw .outOfTurn }
    let handshakeHash = noise.handshakeHash
    let role = role
    let ciphers = try noise.split()
    switch role {
    case .initiator:
      return SecureLink(
        identity: peer.identity, handshakeHash: handshakeHash,
        transport: Transport(
          sending: ciphers.fromInitiator, receiving: ciphers.fromResponder))
    case .responder:
      return SecureLink(
        identity: peer.identity, handshakeHash: handshakeHash,
        transport: Transport(
          sending: ciphers.fromResponder, receiving: ciphers.fromInitiator))
    }
  }
}

/// A link whose handshake is done.
package struct SecureLink: ~Copyable {
  /// The identity of the other end, proven.
  package let identity: PublicKey
  /// 64 bytes that only these two ends of this one link know alike (channel binding).
  package let handshakeHash: [UInt8]
  /// Encrypts and decrypts what follows.
  package var transport: Transport

  /// Takes the link apart to keep only its transport.
  package consuming func takeTransport() -> Transport { transport }

  /// BLAKE2b-256 of the handshake hash: names this link, for what is proved on it.
  package var binding: Digest { Digest(ofBytes: handshakeHash) }
}
