import CSodium
import Peer
import TestSupport
import Wire

/// The secrets of one laptop: real Ed25519 keys that follow from a seed; they outlive a crash.
struct Keyring {
  /// What was ever made, as the disk keeps it.
  private var made: [PublicKey: [UInt8]] = [:]
  /// What is in memory, besides aliases.
  private var secrets: [PublicKey: [UInt8]] = [:]
  private var aliases: [PublicKey: [UInt8]] = [:]
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
    made[key] = secretBytes
    return key
  }

  /// Signs with the identity's alias at a table as well.
  mutating func hold(_ table: Alias) {
    guard let key = table.key(of: identity) else { return }
    aliases[key] = table.factor(of: identity)
  }

  /// Keys that are no longer needed; draws are remembered by name and stay.
  mutating func forget(_ names: [PublicKey]) {
    for name in names {
      secrets[name] = nil
      aliases[name] = nil
    }
  }

  /// After a start the identity and the keys that are needed are in memory, and no others.
  mutating func restart(needing needed: [PublicKey]) {
    secrets = made.filter { key, _ in key == identity || needed.contains(key) }
    aliases = [:]
  }

  /// The keys that it signs with, besides the identity.
  var held: Set<PublicKey> { Set(secrets.keys).union(aliases.keys).subtracting([identity]) }

  /// RFC 8032, section 5.1.6, with a scalar that is moved.
  private func sign(_ message: [UInt8], as alias: PublicKey, movedBy factor: [UInt8]) -> Signature?
  {
    guard let secret = secrets[identity] else { return nil }
    func reduced(_ wide: [UInt8]) -> [UInt8] {
      var out = [UInt8](repeating: 0, count: 32)
      crypto_core_ed25519_scalar_reduce(&out, wide)
      return out
    }
    func hash(_ parts: [UInt8]) -> [UInt8] {
      var out = [UInt8](repeating: 0, count: 64)
      crypto_hash_sha512(&out, parts, UInt64(parts.count))
      return out
    }
    var scalar = Array(hash(Array(secret.prefix(32))).prefix(32))
    scalar[0] &= 248
    scalar[31] = scalar[31] & 63 | 64
    var moved = [UInt8](repeating: 0, count: 32)
    crypto_core_ed25519_scalar_add(&moved, scalar, factor)
    let once = reduced(hash(secret + alias.bytes + message))
    var point = [UInt8](repeating: 0, count: 32)
    guard crypto_scalarmult_ed25519_base_noclamp(&point, once) == 0 else { return nil }
    var product = [UInt8](repeating: 0, count: 32)
    crypto_core_ed25519_scalar_mul(&product, reduced(hash(point + alias.bytes + message)), moved)
    var answer = [UInt8](repeating: 0, count: 32)
    crypto_core_ed25519_scalar_add(&answer, product, once)
    return Signature(point + answer)
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
    if let factor = aliases[key] { return sign(message, as: key, movedBy: factor) }
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
