package import Wire

/// Every secret of a node: its identity, and what belongs to its tables.
///
/// Secrets go in by `admit` and `restore` and do not come out again, but for draw nonces, which are
/// revealed. Used on one queue, that of the shell.
package final class Keys {
  /// Length of a seed and of a nonce.
  package static let secretBytes = 32

  /// Who the node is.
  package let identity: Identity
  private var signing: [PublicKey: (id: SecretID, key: SigningKey)] = [:]
  private var values: [SecretID: SecretValue] = [:]
  /// The identity under other names; they follow from it and are kept nowhere.
  private var aliases: [PublicKey: Alias] = [:]

  /// A dictionary cannot hold a value that cannot be copied, so each is in a box.
  private final class SecretValue {
    let bytes: SecretBytes
    init(_ bytes: consuming SecretBytes) { self.bytes = bytes }
  }

  /// Starts with the identity alone.
  package init(identity: Identity) {
    self.identity = identity
  }

  // MARK: Making

  /// Makes a player key; `admit` it once it is stored.
  package func makePlayerKey() -> FreshSecret {
    let seed = SecretBytes.random(count: Self.secretBytes)
    return FreshSecret(id: .player(SigningKey(seed: seed.copy()).publicKey), bytes: seed)
  }

  /// Makes a voter key of a generation; `admit` it once it is stored.
  package func makeVoterKey(generation: UInt64) -> FreshSecret {
    let seed = SecretBytes.random(count: Self.secretBytes)
    let key = SigningKey(seed: seed.copy()).publicKey
    return FreshSecret(id: .voter(key, generation: generation), bytes: seed)
  }

  /// Makes a player's nonce for one draw of his table; `admit` it once it is stored, then commit to it.
  ///
  /// - Throws: `.exists`: a second nonce for one draw would be a choice of the draw.
  package func makeNonce(player: PublicKey, draw: UInt64) throws(KeysError) -> FreshSecret {
    let id = SecretID.nonce(player, draw: draw)
    guard values[id] == nil else { throw .exists }
    return FreshSecret(id: id, bytes: .random(count: Self.secretBytes))
  }

  /// Makes what lets people into a private table.
  ///
  /// It is kept in the table's own row, and a joiner's comes from an invitation: no key of this node.
  package static func makeTableSecret() -> TableSecret {
    let random = SecretBytes.random(count: TableSecret.count)
    guard let secret = TableSecret(random.withBytes { Array($0) }) else {
      fatalError("a secret has \(TableSecret.count) bytes")
    }
    return secret
  }

  /// Takes a secret into use; its row must be on the disk.
  ///
  /// - Returns: the name, by which it is used and which others may learn.
  package func admit(_ fresh: consuming FreshSecret) -> SecretID {
    let id = fresh.id
    hold(id, fresh.bytes.copy())
    return id
  }

  /// Takes a stored row into use if its owner is among those who are needed.
  ///
  /// The disk keeps the keys of every table, and memory has no room for as many.
  ///
  /// - Returns: the name of what it holds; nil for a row that is left on the disk.
  /// - Throws: `.damagedRow`; nothing of the row is used then.
  @discardableResult
  package func restore(
    rowKey: [UInt8], value: [UInt8], needed: Set<PublicKey>
  ) throws(KeysError) -> SecretID? {
    let id = try SecretID(rowKey: rowKey)
    guard needed.contains(id.owner) else { return nil }
    guard value.count == Self.secretBytes else { throw .damagedRow }
    if let publicKey = id.publicKey {
      let key = SigningKey(seed: SecretBytes(copying: value))
      guard key.publicKey == publicKey else { throw .damagedRow }
    }
    hold(id, SecretBytes(copying: value))
    return id
  }

  /// Forgets keys and aliases, and the nonces of these players, and wipes them from memory.
  ///
  /// Each has pages of its own there, and a node plays more games than it has room for. Rows stay on
  /// the disk.
  package func forget(_ names: [PublicKey]) {
    for name in names {
      signing[name] = nil
      aliases[name] = nil
    }
    values = values.filter { id, _ in
      guard case .nonce(let player, _) = id else { return true }
      return !names.contains(player)
    }
  }

  private func hold(_ id: SecretID, _ bytes: consuming SecretBytes) {
    if let publicKey = id.publicKey {
      signing[publicKey] = (id, SigningKey(seed: bytes))
    } else {
      values[id] = SecretValue(bytes)
    }
  }

  /// From now on signs with the identity's alias at a table as well.
  package func hold(_ table: Alias) {
    guard let key = table.key(of: identity.publicKey) else { return }
    aliases[key] = table
  }

  // MARK: Using

  /// Whether a secret of this name is held.
  package func holds(_ id: SecretID) -> Bool {
    if let key = id.publicKey { signing[key]?.id == id } else { values[id] != nil }
  }

  /// Signs exactly these bytes with the secret half of `key`: the identity's, an alias of it that is held, or an
  /// admitted one.
  ///
  /// - Throws: `.unknown`.
  package func sign(_ message: [UInt8], with key: PublicKey) throws(KeysError) -> Signature {
    if key == identity.publicKey { return identity.sign(message) }
    if let signature = aliases[key].flatMap({ identity.sign(message, as: key, at: $0) }) {
      return signature
    }
    guard let held = signing[key] else { throw .unknown }
    return held.key.sign(message)
  }

  /// The nonce of one draw: to commit to it, and later to reveal it.
  ///
  /// - Throws: `.unknown`.
  package func nonce(player: PublicKey, draw: UInt64) throws(KeysError) -> [UInt8] {
    guard let value = values[.nonce(player, draw: draw)] else { throw .unknown }
    return value.bytes.withBytes { Array($0) }
  }
}
