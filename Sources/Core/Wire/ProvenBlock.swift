package import CBOR

/// A final block with the certificates that a node holds for it: one row of an exported log.
package struct ProvenBlock: Hashable, Sendable {
  package let block: Block
  /// As wide as the node knows it; nil where a later block's finalization covers this one.
  package let notarization: Certificate?
  package let finalization: Certificate?

  /// Names the three parts.
  package init(_ block: Block, notarization: Certificate?, finalization: Certificate?) {
    self.block = block
    self.notarization = notarization
    self.finalization = finalization
  }

  /// Reads `block, notarization or null, finalization or null`.
  package init(_ parts: ArraySlice<CBOR>) throws(DecodeError) {
    guard parts.count == 3 else { throw .wrongCount("row") }
    let parts = Array(parts)
    block = try Block(parts[0])
    notarization = parts[1].isNull ? nil : try Certificate(parts[1])
    finalization = parts[2].isNull ? nil : try Certificate(parts[2])
  }

  /// The three parts in order.
  package var fields: [CBOR] {
    [block.cbor, notarization?.cbor ?? .null, finalization?.cbor ?? .null]
  }
}
