import CBOR
internal import CSodium

/// The key by which a laptop is named in the log of an anonymous table, in the place of its identity
/// (PRODUCT B28): another one at every table.
///
/// It is the identity moved by a factor that follows from the table's secret: `identity + factor · B` on the
/// curve of Ed25519. Whoever has the secret, as all at the table do, can say whose it is; whoever has the log
/// alone cannot, and cannot tell two tables of one person from those of two. Only the identity's owner can
/// sign with it, since only he knows the identity's scalar.
package struct Alias: Hashable, Sendable {
  /// At which table: its secret and the nonce of its genesis.
  private let secret: TableSecret
  private let nonce: [UInt8]

  /// The aliases of one table.
  package init(secret: TableSecret, nonce: [UInt8]) {
    self.secret = secret
    self.nonce = nonce
  }

  /// By how much a key is moved: a scalar of 32 bytes, little-endian (RFC 8032).
  ///
  /// BLAKE2b of 64 bytes, keyed with the secret, over `E(alias, nonce, identity)`, modulo the order of the group.
  package func factor(of identity: PublicKey) -> [UInt8] {
    let message = CBOR.array([.text(Tag.alias.rawValue), .bytes(nonce), identity.cbor]).encoded
    var wide = [UInt8](repeating: 0, count: 64)
    let result = crypto_generichash(
      &wide, 64, message, UInt64(message.count), secret.bytes, secret.bytes.count)
    guard result == 0 else { fatalError("keyed BLAKE2b failed") }
    var scalar = [UInt8](repeating: 0, count: 32)
    crypto_core_ed25519_scalar_reduce(&scalar, wide)
    return scalar
  }

  /// The key that stands for an identity; nil for bytes that are no key.
  package func key(of identity: PublicKey) -> PublicKey? {
    var step = [UInt8](repeating: 0, count: 32)
    var sum = [UInt8](repeating: 0, count: 32)
    guard crypto_scalarmult_ed25519_base_noclamp(&step, factor(of: identity)) == 0,
      crypto_core_ed25519_add(&sum, identity.bytes, step) == 0
    else { return nil }
    return PublicKey(sum)
  }
}
