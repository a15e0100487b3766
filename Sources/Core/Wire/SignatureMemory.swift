/// Signatures that were found good lately, so that none is verified twice.
///
/// A vote comes by itself, in the certificates that everybody passes on, and in the justification
/// of the next block; verifying is what agreeing costs most. Kept are hashes over key, signature
/// and signed bytes together, a bounded number, the oldest going first.
package struct SignatureMemory: Sendable {
  /// Of each generation at the most; enough for all votes and entries of some hundred blocks.
  private static let most = 1_024

  /// Ascending.
  private var young: [Bytes32] = []
  private var old: [Bytes32] = []

  /// Remembers nothing.
  package init() {}

  fileprivate static func name(
    _ signature: Signature, _ bytes: [UInt8], _ key: PublicKey
  ) -> Bytes32 {
    // Both parts in front have one length, so nothing else can come to the same bytes.
    Digest(ofBytes: key.bytes + signature.bytes + bytes).raw
  }

  fileprivate func contains(_ name: Bytes32) -> Bool {
    SignatureMemory.index(of: name, in: young).isFound
      || SignatureMemory.index(of: name, in: old).isFound
  }

  private static func index(
    of name: Bytes32, in list: [Bytes32]
  ) -> (index: Int, isFound: Bool) {
    var low = 0
    var high = list.count
    while low < high {
      let middle = (low + high) / 2
      if list[middle] < name { low = middle + 1 } else { high = middle }
    }
    return (low, low < list.count && list[low] == name)
  }

  private mutating func insert(_ name: Bytes32) {
    let place = SignatureMemory.index(of: name, in: young)
    guard !place.isFound else { return }
    if young.count >= SignatureMemory.most {
      old = young
      young = [name]
    } else {
      young.insert(name, at: place.index)
    }
  }

  /// Remembers the signatures of a statement that has come through the door.
  package mutating func note(_ statement: Verified<some Statement>) { visit(statement.body) }

  /// Remembers the signatures of a message that has come through the door; not those of a chain,
  /// which comes once and would drive out the rest.
  package mutating func note(_ message: Verified<TableMessage>) {
    if case .chain = message.body { return }
    message.body.show(to: &self)
  }

}

extension SignatureMemory: StatementVisitor {
  mutating func visit(_ statement: some Statement) throws(Never) {
    let bytes = statement.signedBytes
    for part in statement.signatures {
      insert(SignatureMemory.name(part.signature, bytes, part.key))
    }
  }
}

/// Asks another checker only about signatures that are not remembered.
package struct RememberingChecker<Other: SignatureChecking>: SignatureChecking {
  private let memory: SignatureMemory
  private let other: Other

  /// Puts a memory in front of a checker.
  package init(_ memory: SignatureMemory, before other: Other) {
    self.memory = memory
    self.other = other
  }

  package func accepts(_ signature: Signature, over bytes: [UInt8], by key: PublicKey) -> Bool {
    memory.contains(SignatureMemory.name(signature, bytes, key))
      || other.accepts(signature, over: bytes, by: key)
  }
}
