package import CBOR

/// Something that keys have signed.
///
/// `signatures` are all checked over the same bytes; what must have signed is for the reader of
/// the body to demand, that each one is good is what the door has seen to.
package protocol Statement: Sendable {
  /// The exact bytes under every signature: the encoding of `[tag, field...]`.
  var signedBytes: [UInt8] { get }
  /// The keys that signed, with their signatures; never empty.
  var signatures: [KeySignature] { get }
}

/// Why something from outside was not let in.
package enum WireError: Error, Equatable, Sendable {
  /// Not the deterministic encoding of a known message.
  case malformed(DecodeError)
  /// A signature does not hold.
  case badSignature
  /// Nobody has signed.
  case unsigned

  /// A stable name for counters and logs.
  package var code: String {
    switch self {
    case .malformed(let error): error.code
    case .badSignature: "badSignature"
    case .unsigned: "unsigned"
    }
  }
}

/// A body whose every signature has been checked; past this type nothing is checked again.
///
/// It can only be made here.
package struct Verified<Body: Sendable>: Sendable {
  package let body: Body

  fileprivate init(unchecked body: Body) { self.body = body }
}

extension Statement {
  /// The door: checks every signature.
  ///
  /// Throws `unsigned` or `badSignature`.
  package func verified(
    by checker: some SignatureChecking
  ) throws(WireError) -> Verified<Self> {
    try check(with: checker)
    return Verified(unchecked: self)
  }

  fileprivate func check(with checker: some SignatureChecking) throws(WireError) {
    let signatures = signatures
    guard !signatures.isEmpty else { throw .unsigned }
    let bytes = signedBytes
    for part in signatures {
      guard checker.accepts(part.signature, over: bytes, by: part.key) else {
        throw .badSignature
      }
    }
  }
}

extension TableMessage {
  /// The door for a whole message: checks every signature of every statement in it.
  ///
  /// Throws `unsigned` or `badSignature` for the first statement that fails.
  package func verified(
    by checker: some SignatureChecking
  ) throws(WireError) -> Verified<TableMessage> {
    switch self {
    case .vote(let vote): try vote.check(with: checker)
    case .certificate(let certificate): try certificate.check(with: checker)
    case .proposal(let block, let vote):
      try block.check(with: checker)
      try vote.check(with: checker)
    case .entry(let entry): try entry.check(with: checker)
    case .passed(let passed): try passed.check(with: checker)
    case .ready(let ready): try ready.check(with: checker)
    case .chain(let chain):
      for block in chain.blocks { try block.check(with: checker) }
      for certificate in chain.finalizations { try certificate.check(with: checker) }
    case .recovery(let recovery): try recovery.check(with: checker)
    case .assent(let assent): try assent.check(with: checker)
    case .status, .getChain, .getBlock, .wish: break
    case .block(let block): try block.check(with: checker)
    case .evidence(let evidence): try evidence.check(with: checker)
    case .evict(let evict): try evict.check(with: checker)
    }
    return Verified(unchecked: self)
  }
}

extension ProvenBlock {
  /// The door for a row of an exported log: checks every signature in it.
  ///
  /// Throws `unsigned` or `badSignature` for the first statement that fails.
  package func verified(
    by checker: some SignatureChecking
  ) throws(WireError) -> Verified<ProvenBlock> {
    try block.check(with: checker)
    try notarization?.check(with: checker)
    try finalization?.check(with: checker)
    return Verified(unchecked: self)
  }
}

extension Evidence {
  fileprivate func check(with checker: some SignatureChecking) throws(WireError) {
    switch self {
    case .votes(let vote, let other):
      try vote.check(with: checker)
      try other.check(with: checker)
    case .unjustified(let vote, let block):
      try vote.check(with: checker)
      try block.check(with: checker)
    }
  }
}

extension Block {
  /// A block is covered by votes on its hash; what it quotes must each be signed by itself.
  fileprivate func check(with checker: some SignatureChecking) throws(WireError) {
    for entry in entries { try entry.check(with: checker) }
    for deadline in deadlines {
      for part in deadline.statements(table: table, epoch: epoch) { try part.check(with: checker) }
    }
    for ready in change?.joiners ?? [] { try ready.check(with: checker) }
    for eviction in change?.evictions ?? [] {
      if case .lie(let evidence) = eviction.ground { try evidence.check(with: checker) }
      for evict in eviction.statements(table: table, epoch: epoch) {
        try evict.check(with: checker)
      }
    }
    for certificate in justification.certificates { try certificate.check(with: checker) }
  }
}
