import Keys
import Wire

/// The running key and the running hash of a handshake (Noise specification, section 5.2).
struct SymmetricState: ~Copyable {
  private var chainingKey: SecretBytes
  private var cipher: CipherState?

  /// Everything both ends have seen so far, hashed.
  private(set) var handshakeHash: [UInt8]

  /// Starts from the name of the protocol, padded with zeros to the length of a hash.
  init(protocolName: String) {
    let name = Array(protocolName.utf8)
    invariant(name.count <= Blake2b.hashBytes, "a protocol name of \(name.count) bytes")
    self.handshakeHash = name + [UInt8](repeating: 0, count: Blake2b.hashBytes - name.count)
    self.chainingKey = SecretBytes(copying: handshakeHash)
    self.cipher = nil
  }

  mutating func mixKey(_ input: borrowing SecretBytes) {
    let derived = input.withBytes { Blake2b.derive(from: chainingKey, $0) }
    chainingKey = derived.first.copy()
    cipher = CipherState(truncating: derived.second)
  }

  mutating func mixHash(_ bytes: some Collection<UInt8>) {
    handshakeHash = Blake2b.hash(handshakeHash, bytes)
  }

  /// Encrypts under the running key, or passes through where there is none yet.
  mutating func encryptAndHash(_ plaintext: [UInt8]) throws(ChannelError) -> [UInt8] {
    var sealed: [UInt8] = []
    if cipher == nil {
      sealed = plaintext
    } else {
      try cipher?.encrypt(plaintext[...], authenticating: handshakeHash, appendingTo: &sealed)
    }
    mixHash(sealed)
    return sealed
  }

  /// The reverse; a failure leaves the state unusable and the handshake over.
  mutating func decryptAndHash(_ sealed: ArraySlice<UInt8>) throws(ChannelError) -> [UInt8] {
    let plain = try cipher?.decrypt(sealed, authenticating: handshakeHash) ?? Array(sealed)
    mixHash(sealed)
    return plain
  }

  /// The two keys of the finished handshake: initiator to responder, and back.
  consuming func split() -> SplitCiphers {
    let derived = Blake2b.derive(from: chainingKey, UnsafeBufferPointer(start: nil, count: 0))
    return SplitCiphers(
      fromInitiator: CipherState(truncating: derived.first),
      fromResponder: CipherState(truncating: derived.second))
  }
}

/// What `SymmetricState.split` returns.
struct SplitCiphers: ~Copyable {
  var fromInitiator: CipherState
  var fromResponder: CipherState
}
