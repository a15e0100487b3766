package import Wire

/// Who a node is: an Ed25519 key made at the first run and kept for good.
///
/// It is kept as the 32 bytes of its seed in the file `fileName` of the data folder; the key of
/// the node's links follows from the seed, so a restart changes neither.
package struct Identity: Sendable {
  /// The name of the file in the data folder.
  package static let fileName = "identity.key"

  private let key: SigningKey
  /// The X25519 pair of all links of this node.
  package let linkKeys: LinkKeyPair

  /// Takes an identity from its seed.
  package init(seed: consuming SecretBytes) {
    self.init(SigningKey(seed: seed))
  }

  /// Makes a new identity; it is to be stored before anybody hears of it.
  package static func random() -> Identity {
    Identity(SigningKey.random())
  }

  /// Reads what `fileContent` wrote.
  ///
  /// - Throws: `.wrongLength`.
  package init(fileContent: [UInt8]) throws(KeysError) {
    guard fileContent.count == SigningKey.seedBytes else {
      throw .wrongLength(got: fileContent.count, expected: SigningKey.seedBytes)
    }
    self.init(seed: SecretBytes(copying: fileContent))
  }

  private init(_ key: SigningKey) {
    self.key = key
    self.linkKeys = LinkKeyPair(secret: key.derive("tabletalk/1 link key"))
  }

  /// The key by which others know this node.
  package var publicKey: PublicKey { key.publicKey }

  /// The identity's signature over exactly these bytes.
  package func sign(_ message: [UInt8]) -> Signature { key.sign(message) }

  /// The signature by the alias of the identity at one table.
  ///
  /// - Returns: nil where the alias is not this identity's there.
  func sign(_ message: [UInt8], as alias: PublicKey, at table: Alias) -> Signature? {
    guard table.key(of: publicKey) == alias else { return nil }
    return key.sign(message, as: alias, movedBy: table.factor(of: publicKey))
  }

  /// Lends the bytes of the file to `write` and wipes them when it returns or throws.
  package func withFileContent<Failure: Error>(
    _ write: ([UInt8]) throws(Failure) -> Void
  ) throws(Failure) {
    var content = key.withSeed { Array($0) }
    defer { SecretBytes.wipe(&content) }
    try write(content)
  }
}
