import CBOR
package import Keys
package import Wire

/// Who a node is on its links: the identity, the key its links are encrypted with, and the
/// identity's signature that the two belong together.
///
/// The signature covers the deterministic CBOR of `[Tag.link, link key]`. It is made once and
/// shown in every handshake; shown by somebody else it is worth nothing, because Noise proves
/// that the other end holds the secret half of the link key.
package struct LinkIdentity: Sendable {
  /// The Ed25519 key by which other nodes know this one.
  package let identity: PublicKey
  /// The X25519 pair that all links of the node use.
  package let linkKeys: LinkKeyPair
  /// The identity's signature over `statement(for: linkKeys.publicKey)`.
  package let signature: Signature

  /// Puts the three together, asking `sign` for the identity's signature.
  package init(identity: PublicKey, linkKeys: LinkKeyPair, sign: ([UInt8]) -> Signature) {
    self.identity = identity
    self.linkKeys = linkKeys
    self.signature = sign(Self.statement(for: linkKeys.publicKey))
  }

  /// The bytes an identity signs to say "this link key is mine".
  package static func statement(for linkKey: [UInt8]) -> [UInt8] {
    CBOR.array([.text(Tag.link.rawValue), .bytes(linkKey)]).encoded
  }
}

/// The payload of handshake messages 2 and 3: `[version, identity, signature]` in deterministic
/// CBOR.
struct IdentityPayload: Equatable {
  /// The version of the link protocol this code speaks.
  static let version: UInt64 = 1
  /// Longest payload read; version 1 is 102 bytes, the rest is for later versions to be refused
  /// with a sentence instead of as garbage.
  static let maxBytes = 256

  let identity: PublicKey
  let signature: Signature

  init(of local: LinkIdentity) {
    self.identity = local.identity
    self.signature = local.signature
  }

  /// Reads a payload; the signature is not checked yet.
  init(decoding bytes: [UInt8]) throws(ChannelError) {
    let items: [CBOR]
    let version: UInt64
    do throws(DecodeError) {
      items = try CBOR(decoding: bytes).array("payload", count: 1...8)
      version = try items[0].unsigned("version")
    } catch {
      throw .malformedPayload
    }
    // The version is judged first: what follows it belongs to that version.
    guard version == Self.version else { throw .wrongVersion(got: version) }
    do throws(DecodeError) {
      guard items.count == 3 else { throw .wrongCount("payload") }
      self.identity = try PublicKey(items[1], "identity")
      self.signature = try Signature(items[2], "signature")
    } catch {
      throw .malformedPayload
    }
  }

  var encoded: [UInt8] {
    CBOR.array([.unsigned(Self.version), identity.cbor, signature.cbor]).encoded
  }

  /// Whether the identity signed `linkKey`.
  func isSigned(for linkKey: [UInt8]) -> Bool {
    Ed25519().accepts(signature, over: LinkIdentity.statement(for: linkKey), by: identity)
  }
}
