package import CBOR
internal import CSodium

/// What lets people into a private table: 16 random bytes that every member has and nobody else.
///
/// It travels in an invitation, by a person's hand. On a link it is only ever proved: each end shows
/// the other that it knows it, in a way that holds on this link, in this direction, and nowhere else.
package struct TableSecret: Hashable, Sendable {
  /// How many bytes a secret has.
  package static let count = 16

  /// The bytes; they belong on the disk and in an invitation, never on a link or in a log.
  package let bytes: [UInt8]

  /// Takes exactly 16 bytes, or returns nil.
  package init?(_ bytes: [UInt8]) {
    guard bytes.count == TableSecret.count else { return nil }
    self.bytes = bytes
  }

  /// Reads a byte string of length 16; throws `unexpectedType` or `outOfRange`.
  package init(_ item: CBOR, _ field: String) throws(DecodeError) {
    bytes = try item.bytes(field, count: TableSecret.count...TableSecret.count)
  }

  /// As a CBOR byte string.
  package var cbor: CBOR { .bytes(bytes) }
}

extension TableSecret: CustomStringConvertible {
  /// Nothing of it: it may end up in a log.
  package var description: String { "a secret" }
}

/// That somebody knows a table's secret, shown to one other node on one link.
package struct SecretProof: FixedBytes {
  package let raw: Bytes32
  /// Names the bytes.
  package init(raw: Bytes32) { self.raw = raw }

  /// What a proof is for: the two are never the same, so none can be sent back to who made it.
  package enum Step: Sendable {
    /// Asks for the table.
    case ask
    /// Answers who has asked rightly.
    case answer

    fileprivate var tag: Tag {
      switch self {
      case .ask: .privateAsk
      case .answer: .privateAnswer
      }
    }
  }

  /// The proof that `prover` gives to `verifier` on the link with this hash, about the table with
  /// this code: BLAKE2b-256, keyed with the secret.
  package init(
    _ step: Step, of secret: TableSecret, code: Int, on handshakeHash: Digest,
    by prover: PublicKey, to verifier: PublicKey
  ) {
    let message = CBOR.array([
      .text(step.tag.rawValue), CBOR(code), handshakeHash.cbor, prover.cbor, verifier.cbor,
    ]).encoded
    var out = [UInt8](repeating: 0, count: 32)
    let result = crypto_generichash(
      &out, 32, message, UInt64(message.count), secret.bytes, secret.bytes.count)
    guard result == 0, let raw = Bytes32(out) else { fatalError("keyed BLAKE2b failed") }
    self.raw = raw
  }

  /// Whether both are the same, in a time that does not tell where they differ.
  package func matches(_ other: SecretProof) -> Bool {
    sodium_memcmp(bytes, other.bytes, 32) == 0
  }
}
