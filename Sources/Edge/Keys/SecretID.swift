package import Wire

/// The name of a secret that belongs to a table; names are no secrets.
///
/// Keys are named by their public halves, because a table's own name follows from the keys of its
/// creator and is not known when they are made.
package enum SecretID: Hashable, Sendable {
  /// Signs a player's entries at one table.
  case player(PublicKey)
  /// Signs votes at one table; a higher generation replaces the key after its records were lost.
  case voter(PublicKey, generation: UInt64)
  /// The 32 bytes that a player, named by the key of his table, commits to in one of its draws.
  case nonce(PublicKey, draw: UInt64)

  /// The key others verify with, where the secret is one that signs.
  package var publicKey: PublicKey? {
    switch self {
    case .player(let key), .voter(let key, _): key
    case .nonce: nil
    }
  }

  /// Whose it is: the key itself, or the player whose nonce it is.
  package var owner: PublicKey {
    switch self {
    case .player(let key), .voter(let key, _), .nonce(let key, _): key
    }
  }

  /// The key of the stored row: kind, 32 bytes, number; rows of a kind lie together.
  package var rowKey: [UInt8] {
    let (kind, name, number): (UInt8, [UInt8], UInt64) =
      switch self {
      case .player(let key): (1, key.bytes, 0)
      case .voter(let key, let generation): (2, key.bytes, generation)
      case .nonce(let player, let draw): (3, player.bytes, draw)
      }
    return [kind] + name + (0..<8).map { UInt8(truncatingIfNeeded: number >> (56 - 8 * $0)) }
  }

  /// Reads a row's key.
  ///
  /// - Throws: `.damagedRow`.
  package init(rowKey: [UInt8]) throws(KeysError) {
    guard rowKey.count == 41, let bytes = Bytes32(rowKey[1...32]) else { throw .damagedRow }
    let number = rowKey[33...].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    switch (rowKey[0], number) {
    case (1, 0): self = .player(PublicKey(raw: bytes))
    case (2, _): self = .voter(PublicKey(raw: bytes), generation: number)
    case (3, _): self = .nonce(PublicKey(raw: bytes), draw: number)
    default: throw .damagedRow
    }
  }
}

/// A secret that was just made and that nobody has heard of yet.
///
/// Store its row, and when the store says that it is on the disk, hand the value to `Keys.admit`.
/// Only that call gives the name out, with the public key in it: a key that others know but the
/// disk does not would be lost in a crash.
package struct FreshSecret: ~Copyable {
  let id: SecretID
  let bytes: SecretBytes

  /// The key of the row to store.
  package var rowKey: [UInt8] { id.rowKey }

  /// Lends the value of the row to `store` and wipes it when that returns or throws.
  package borrowing func withRowValue<Result, Failure: Error>(
    _ store: ([UInt8]) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    var value = bytes.withBytes { Array($0) }
    defer { SecretBytes.wipe(&value) }
    return try store(value)
  }
}
