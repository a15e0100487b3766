import Keys

/// Who dialled, and who was dialled.
package enum LinkRole: Sendable {
  /// The end that dialled; it writes the first message.
  case initiator
  /// The end that accepted.
  case responder
}

/// The three messages of the Noise pattern XX, with any payload and no policy.
///
/// Noise specification rev 34, sections 5.3 and 7.5:
/// ```
///   -> e
///   <- e, ee, s, es
///   -> s, se
/// ```
/// A thrown error ends the handshake: the caller drops the value.
struct NoiseXX: ~Copyable {
  static let protocolName = "Noise_XX_25519_ChaChaPoly_BLAKE2b"
  static let messageCount = 3
  private static let sealedKeyBytes = LinkKeyPair.keyBytes + CipherState.tagBytes

  private let role: LinkRole
  private let localStatic: LinkKeyPair
  private let localEphemeral: LinkKeyPair
  private var remoteEphemeral: [UInt8] = []
  private(set) var remoteStatic: [UInt8] = []
  private var symmetric: SymmetricState
  private var messagesDone = 0

  init(role: LinkRole, prologue: [UInt8], localStatic: LinkKeyPair, ephemeral: LinkKeyPair) {
    self.role = role
    self.localStatic = localStatic
    self.localEphemeral = ephemeral
    self.symmetric = SymmetricState(protocolName: Self.protocolName)
    symmetric.mixHash(prologue)
  }

  var handshakeHash: [UInt8] { symmetric.handshakeHash }
  var isDone: Bool { messagesDone == Self.messageCount }

  /// Whether the next message is this end's to write.
  var isOurTurn: Bool {
    !isDone && (messagesDone.isMultiple(of: 2)) == (role == .initiator)
  }

  /// Writes the next message with `payload` at its end.
  mutating func write(payload: [UInt8]) throws(ChannelError) -> [UInt8] {
    guard isOurTurn else { throw .outOfTurn }
    var message: [UInt8] = []
    if messagesDone < 2 {
      message += localEphemeral.publicKey
      symmetric.mixHash(localEphemeral.publicKey)
    }
    switch messagesDone {
    case 1:
      try mixEphemerals()
      message += try symmetric.encryptAndHash(localStatic.publicKey)
      try mixResponderStatic()
    case 2:
      message += try symmetric.encryptAndHash(localStatic.publicKey)
      try mixInitiatorStatic()
    default: break
    }
    message += try symmetric.encryptAndHash(payload)
    messagesDone += 1
    return message
  }

  /// Reads the next message and returns its payload.
  mutating func read(_ message: [UInt8]) throws(ChannelError) -> [UInt8] {
    guard !isDone, !isOurTurn else { throw .outOfTurn }
    var rest = message[...]
    if messagesDone < 2 {
      remoteEphemeral = Array(try take(LinkKeyPair.keyBytes, from: &rest))
      symmetric.mixHash(remoteEphemeral)
    }
    switch messagesDone {
    case 1:
      try mixEphemerals()
      remoteStatic = try symmetric.decryptAndHash(try take(Self.sealedKeyBytes, from: &rest))
      try mixResponderStatic()
    case 2:
      remoteStatic = try symmetric.decryptAndHash(try take(Self.sealedKeyBytes, from: &rest))
      try mixInitiatorStatic()
    default: break
    }
    let payload = try symmetric.decryptAndHash(rest)
    messagesDone += 1
    return payload
  }

  /// The ciphers of the finished handshake.
  consuming func split() throws(ChannelError) -> SplitCiphers {
    guard isDone else { throw .outOfTurn }
    return symmetric.split()
  }

  private mutating func mixEphemerals() throws(ChannelError) {
    try mix(localEphemeral, with: remoteEphemeral)
  }

  /// Token `es`: the initiator's ephemeral key with the responder's static key.
  private mutating func mixResponderStatic() throws(ChannelError) {
    switch role {
    case .initiator: try mix(localEphemeral, with: remoteStatic)
    case .responder: try mix(localStatic, with: remoteEphemeral)
    }
  }

  /// Token `se`: the initiator's static key with the responder's ephemeral key.
  private mutating func mixInitiatorStatic() throws(ChannelError) {
    switch role {
    case .initiator: try mix(localStatic, with: remoteEphemeral)
    case .responder: try mix(localEphemeral, with: remoteStatic)
    }
  }

  private mutating func mix(_ mine: LinkKeyPair, with theirs: [UInt8]) throws(ChannelError) {
    guard let shared = mine.sharedSecret(with: theirs) else { throw .lowOrderPoint }
    symmetric.mixKey(shared)
  }

  private func take(
    _ count: Int, from rest: inout ArraySlice<UInt8>
  ) throws(ChannelError) -> ArraySlice<UInt8> {
    guard rest.count >= count else {
      throw .wrongLength(got: rest.count, allowed: count...Handshake.maxMessageBytes)
    }
    defer { rest = rest.dropFirst(count) }
    return rest.prefix(count)
  }
}
