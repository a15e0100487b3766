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

/// A body whose every signature has been checked, or has just been made by the keys of this laptop
/// (`OwnKeys`); past this type nothing is checked again.
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

/// Takes each of the statements of a message in turn.
protocol StatementVisitor {
  /// Why it wants to see no more.
  associatedtype Failure: Error

  mutating func visit(_ statement: some Statement) throws(Failure)
}

/// The door as a visitor.
private struct Door<Checker: SignatureChecking>: StatementVisitor {
  let checker: Checker

  mutating func visit(_ statement: some Statement) throws(WireError) {
    try statement.check(with: checker)
  }
}

extension TableMessage {
  /// The door for a whole message: checks every signature of every statement in it.
  ///
  /// Throws `unsigned` or `badSignature` for the first statement that fails.
  package func verified(
    by checker: some SignatureChecking
  ) throws(WireError) -> Verified<TableMessage> {
    var door = Door(checker: checker)
    try show(to: &door)
    return Verified(unchecked: self)
  }

  /// Shows all that anybody has signed in it.
  func show<Visitor: StatementVisitor>(to visitor: inout Visitor) throws(Visitor.Failure) {
    switch self {
    case .vote(let vote): try visitor.visit(vote)
    case .certificate(let certificate): try visitor.visit(certificate)
    case .proposal(let block, let vote):
      try block.show(to: &visitor)
      try visitor.visit(vote)
    case .entry(let entry): try visitor.visit(entry)
    case .passed(let passed): try visitor.visit(passed)
    case .ready(let ready): try visitor.visit(ready)
    case .chain(let chain):
      for block in chain.blocks { try block.show(to: &visitor) }
      for certificate in chain.finalizations { try visitor.visit(certificate) }
    case .recovery(let recovery): try visitor.visit(recovery)
    case .assent(let assent): try visitor.visit(assent)
    case .status, .getChain, .getBlock, .wish: break
    case .block(let block): try block.show(to: &visitor)
    case .evidence(let evidence): try evidence.show(to: &visitor)
    case .evict(let evict): try visitor.visit(evict)
    }
  }
}

extension ProvenBlock {
  /// The door for a row of an exported log: checks every signature in it.
  ///
  /// Throws `unsigned` or `badSignature` for the first statement that fails.
  package func verified(
    by checker: some SignatureChecking
  ) throws(WireError) -> Verified<ProvenBlock> {
    var door = Door(checker: checker)
    try block.show(to: &door)
    try notarization?.check(with: checker)
    try finalization?.check(with: checker)
    return Verified(unchecked: self)
  }
}

extension Evidence {
  fileprivate func show<Visitor: StatementVisitor>(
    to visitor: inout Visitor
  ) throws(Visitor.Failure) {
    switch self {
    case .votes(let vote, let other):
      try visitor.visit(vote)
      try visitor.visit(other)
    case .unjustified(let vote, let block):
      try visitor.visit(vote)
      try block.show(to: &visitor)
    }
  }
}

extension Block {
  /// A block is covered by votes on its hash; what it quotes must each be signed by itself.
  fileprivate func show<Visitor: StatementVisitor>(
    to visitor: inout Visitor
  ) throws(Visitor.Failure) {
    for entry in entries { try visitor.visit(entry) }
    for deadline in deadlines {
      for part in deadline.statements(table: table, epoch: epoch) { try visitor.visit(part) }
    }
    for ready in change?.joiners ?? [] { try visitor.visit(ready) }
    for eviction in change?.evictions ?? [] {
      if case .lie(let evidence) = eviction.ground { try evidence.show(to: &visitor) }
      for evict in eviction.statements(table: table, epoch: epoch) { try visitor.visit(evict) }
    }
    for certificate in justification.certificates { try visitor.visit(certificate) }
  }
}
