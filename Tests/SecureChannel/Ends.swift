import CSodium
import Keys
import Testing
import Wire

@testable import SecureChannel

/// An Ed25519 key pair for tests, from a seed.
struct TestIdentity {
  let publicKey: PublicKey
  private let secretKey: [UInt8]

  init(seed: [UInt8]) throws {
    var publicKey = [UInt8](repeating: 0, count: 32)
    var secretKey = [UInt8](repeating: 0, count: 64)
    #expect(Sodium.isReady)
    _ = crypto_sign_seed_keypair(&publicKey, &secretKey, seed)
    self.publicKey = try #require(PublicKey(publicKey))
    self.secretKey = secretKey
  }

  func sign(_ message: [UInt8]) throws -> Signature {
    var signature = [UInt8](repeating: 0, count: 64)
    _ = crypto_sign_detached(&signature, nil, message, UInt64(message.count), secretKey)
    return try #require(Signature(signature))
  }

  /// The identity with a link key made from `linkSecret`.
  func link(secret linkSecret: [UInt8]) throws -> LinkIdentity {
    let pair = linkKeys(linkSecret)
    let signature = try sign(LinkIdentity.statement(for: pair.publicKey))
    return LinkIdentity(identity: publicKey, linkKeys: pair, sign: { _ in signature })
  }
}

extension LinkIdentity {
  /// A node whose identity and link key come from one number.
  static func test(_ number: UInt8) throws -> LinkIdentity {
    try TestIdentity(seed: [UInt8](repeating: number, count: 32))
      .link(secret: [UInt8](repeating: number ^ 0xa5, count: 32))
  }
}

func linkKeys(_ secret: [UInt8]) -> LinkKeyPair {
  LinkKeyPair(secret: SecretBytes(copying: secret))
}

/// Two ends that finished a handshake with each other.
struct Ends: ~Copyable {
  var initiator: Transport
  var responder: Transport

  init(frameLimit: Int = Transport.Limits.frameBytes) {
    let first = SecretBytes(copying: [UInt8](repeating: 1, count: 32))
    let second = SecretBytes(copying: [UInt8](repeating: 2, count: 32))
    initiator = Transport(
      sending: CipherState(key: first.copy()), receiving: CipherState(key: second.copy()),
      frameLimit: frameLimit)
    responder = Transport(
      sending: CipherState(key: second), receiving: CipherState(key: first),
      frameLimit: frameLimit)
  }
}

/// The records in what `Transport.seal` returned, without their lengths.
func records(in wire: [UInt8]) throws -> [[UInt8]] {
  var reader = RecordReader()
  reader.append(wire)
  var records: [[UInt8]] = []
  while let record = try reader.next(allowed: 0...Transport.Limits.recordBytes) {
    records.append(record)
  }
  return records
}
