import CBOR
package import Wire

/// The keys and the name with which a person sits at a table.
package struct Member: Hashable, Sendable {
  /// The node's identity.
  package let identity: PublicKey
  /// Signs entries at this table.
  package let player: PublicKey
  /// Signs votes at this table; random, so that amnesia cannot repeat one.
  package let voter: PublicKey
  /// Counts the voter keys this identity has had at this table.
  package let generation: UInt64
  /// Shown to the others.
  package let name: String

  /// Names the keys.
  package init(
    identity: PublicKey, player: PublicKey, voter: PublicKey, generation: UInt64, name: String
  ) {
    self.identity = identity
    self.player = player
    self.voter = voter
    self.generation = generation
    self.name = name
  }

  /// The three keys, ascending.
  package var keys: [PublicKey] { [identity, player, voter].sorted() }
  /// No key has two roles.
  package var hasDistinctKeys: Bool {
    identity != player && player != voter && voter != identity
  }

  init(_ item: CBOR) throws(DecodeError) {
    let parts = try item.array("member", exactly: 5)
    identity = try PublicKey(parts[0], "member.identity")
    player = try PublicKey(parts[1], "member.player")
    voter = try PublicKey(parts[2], "member.voter")
    generation = try parts[3].unsigned("member.generation", maximum: Limits.counter)
    name = try parts[4].text("member.name", maximum: Limits.nameBytes)
  }

  var cbor: CBOR {
    [identity.cbor, player.cbor, voter.cbor, .unsigned(generation), .text(name)]
  }
}

/// A colleague the node plays itself at "Try it now"; it has a player key and nothing else.
package struct PretendMember: Hashable, Sendable {
  /// Signs its entries; held by the creator's node.
  package let player: PublicKey
  package let name: String

  /// Names a colleague.
  package init(player: PublicKey, name: String) {
    self.player = player
    self.name = name
  }

  init(_ item: CBOR) throws(DecodeError) {
    let parts = try item.array("pretend", exactly: 2)
    player = try PublicKey(parts[0], "pretend.player")
    name = try parts[1].text("pretend.name", maximum: Limits.nameBytes)
  }

  var cbor: CBOR { [player.cbor, .text(name)] }
}
