import CSodium
import Peer
import TestSupport
import Wire

/// The secrets of one laptop: real Ed25519 keys that follow from a seed; they outlive a crash.
struct Keyring {
  private var secrets: [PublicKey: [UInt8]] = [:]
  private var draws: [String: Digest] = [:]
  private var source: SeededBytes
  private(set) var identity = PublicKey(raw: .zero)

  init(seed: UInt64) {
    source = SeededBytes(seed: seed)
    identity = make()
  }

  /// A fresh key pair; its public half.
  mutating func make() -> PublicKey {
    var publicBytes = [UInt8](repeating: 0, count: 32)
    var secretBytes = [UInt8](repeating: 0, count: 64)
    crypto_sign_seed_keypair(&publicBytes, &secretBytes, source.bytes(32))
    guard let key = PublicKey(publicBytes) else { fatalError("a public key has 32 bytes") }
    secrets[key] = secretBytes
    return key
  }

  /// A fresh secret of a private table.
  mutating func makeTableSecret() -> TableSecret {
    guard let secret = TableSecret(source.bytes(TableSecret.count)) else {
      fatalError("a secret has its length")
    }
    return secret
  }

  /// The signature over exactly these bytes; nil when the key is not here.
  func sign(_ message: [UInt8], with key: PublicKey) -> Signature? {
    guard let secret = secrets[key] else { return nil }
    var bytes = [UInt8](repeating: 0, count: 64)
    crypto_sign_detached(&bytes, nil, message, UInt64(message.count), secret)
    return Signature(bytes)
  }

  /// The secret of one player for one draw, made when it is first asked for.
  mutating func drawSecret(_ table: TableID, player: PublicKey, draw: UInt64) -> Digest {
    let name = "\(table.hex) \(player.hex) \(draw)"
    if let known = draws[name] { return known }
    guard let fresh = Digest(source.bytes(32)) else { fatalError("a digest has 32 bytes") }
    draws[name] = fresh
    return fresh
  }
}
