internal import CBOR
package import Wire

/// Signatures that cost one hash: the key's own bytes are its secret.
///
/// Anybody can forge them, and in a simulation only a liar on purpose does.
package struct CheapSignatures: SignatureChecking {
  /// Makes the checker; it keeps nothing.
  package init() {}

  package func accepts(_ signature: Signature, over bytes: [UInt8], by key: PublicKey) -> Bool {
    signature == Self.sign(bytes, by: key)
  }

  /// The signature of a key over bytes.
  package static func sign(_ bytes: [UInt8], by key: PublicKey) -> Signature {
    let half = Digest(ofBytes: key.bytes + bytes).bytes
    guard let signature = Signature(half + half) else { fatalError("two digests are 64 bytes") }
    return signature
  }
}

/// Somebody at the simulated table: one node, one player, one voter key.
package struct Person: Hashable, Sendable {
  /// The node's number, from 0; the creator is 0.
  package let index: Int
  package let identity: PublicKey
  package let player: PublicKey
  package let voter: PublicKey

  /// Makes the keys of a node in the world of a seed.
  package init(index: Int, seed: UInt64) {
    func key(_ role: UInt64) -> PublicKey {
      PublicKey(
        raw: Digest(.state, .unsigned(seed), .unsigned(UInt64(index)), .unsigned(role)).raw)
    }
    self.index = index
    identity = key(0)
    player = key(1)
    voter = key(2)
  }

  /// Signs an entry as its author.
  package func sign(_ draft: Entry.Draft) -> Verified<Entry> {
    let entry = Entry(
      draft: draft, signature: CheapSignatures.sign(draft.signedBytes, by: draft.author))
    do {
      return try entry.verified(by: CheapSignatures())
    } catch {
      fatalError("an own entry does not verify: \(error)")
    }
  }
}
