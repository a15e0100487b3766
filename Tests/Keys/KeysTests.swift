import CSodium
import Testing
import Wire

@testable import Keys

private func verifies(_ signature: Signature, _ message: [UInt8], _ key: PublicKey) -> Bool {
  Ed25519().accepts(signature, over: message, by: key)
}

private let me = PublicKey(raw: .zero)

extension FreshSecret {
  /// The row as a store would keep it.
  borrowing func row() -> (key: [UInt8], value: [UInt8]) {
    (rowKey, withRowValue { $0 })
  }
}

@Suite struct KeysTests {
  private let keys = Keys(identity: .random())

  @Test func anAdmittedKeySignsAndAStrangersDoesNot() throws {
    let id = keys.admit(keys.makePlayerKey())
    let player = try #require(id.publicKey)
    let signature = try keys.sign([1, 2, 3], with: player)
    #expect(verifies(signature, [1, 2, 3], player))
    #expect(!verifies(signature, [1, 2, 4], player))
    #expect(keys.holds(id))

    let stranger = SigningKey.random().publicKey
    #expect(throws: KeysError.unknown) { try keys.sign([1], with: stranger) }
    #expect(
      verifies(try keys.sign([1], with: keys.identity.publicKey), [1], keys.identity.publicKey))
  }

  @Test func whatWasStoredIsTheSameAfterARestart() throws {
    let player = keys.makePlayerKey()
    let voter = keys.makeVoterKey(generation: 7)
    let nonce = try keys.makeNonce(player: me, draw: 2)
    let rows = [player.row(), voter.row(), nonce.row()]
    let ids = [keys.admit(player), keys.admit(voter), keys.admit(nonce)]

    let restarted = Keys(identity: keys.identity)
    let needed = Set([me] + ids.compactMap(\.publicKey))
    for (row, id) in zip(rows, ids) {
      #expect(try restarted.restore(rowKey: row.key, value: row.value, needed: []) == nil)
      #expect(!restarted.holds(id), "what nothing needs stays on the disk")
      #expect(try restarted.restore(rowKey: row.key, value: row.value, needed: needed) == id)
      #expect(restarted.holds(id))
    }
    for id in ids {
      guard let key = id.publicKey else { continue }
      #expect(try restarted.sign([5], with: key) == keys.sign([5], with: key))
    }
    #expect(
      try restarted.nonce(player: me, draw: 2) == keys.nonce(player: me, draw: 2))
  }

  @Test func theIdentitySignsUnderAnotherNameAtEveryTable() throws {
    let me = keys.identity.publicKey
    let tables = (0..<3).map { number in
      Alias(secret: Keys.makeTableSecret(), nonce: [UInt8](repeating: number, count: 16))
    }
    let names = tables.compactMap { $0.key(of: me) }
    #expect(Set(names + [me]).count == 4)
    for (table, name) in zip(tables, names) {
      #expect(throws: KeysError.unknown) { try keys.sign([1], with: name) }
      keys.hold(table)
      let signature = try keys.sign([1, 2], with: name)
      #expect(verifies(signature, [1, 2], name))
      #expect(!verifies(signature, [1, 3], name) && !verifies(signature, [1, 2], me))
      #expect(try keys.sign([1, 2], with: name) == signature)
    }
    // Somebody else's alias is nobody's to sign with.
    let stranger = SigningKey.random().publicKey
    #expect(
      keys.identity.sign([1], as: try #require(tables[0].key(of: stranger)), at: tables[0]) == nil)
  }

  @Test func aTablesSecretIsRandom() {
    let secrets = (0..<100).map { _ in Keys.makeTableSecret() }
    #expect(secrets.allSatisfy { $0.bytes.count == 16 })
    #expect(Set(secrets).count == secrets.count)
    for place in 0..<16 { #expect(Set(secrets.map { $0.bytes[place] }).count > 50) }
  }

  @Test func aVoterKeyKeepsItsGeneration() throws {
    let id = keys.admit(keys.makeVoterKey(generation: 3))
    guard case .voter(let key, 3) = id else {
      Issue.record("\(id)")
      return
    }
    #expect(try SecretID(rowKey: id.rowKey) == id)
    #expect(!keys.holds(.voter(key, generation: 4)))
    #expect(!keys.holds(.player(key)))
  }

  @Test func oneDrawHasOneNonce() throws {
    let id = keys.admit(try keys.makeNonce(player: me, draw: 1))
    #expect(throws: KeysError.exists) { _ = try keys.makeNonce(player: me, draw: 1) }
    let other = keys.admit(try keys.makeNonce(player: me, draw: 2))
    #expect(try keys.nonce(player: me, draw: 1) != keys.nonce(player: me, draw: 2))
    #expect(keys.holds(id) && keys.holds(other))
  }

  @Test func aForgottenKeySignsNoMoreAndItsDrawsAreForgotten() throws {
    let id = keys.admit(keys.makePlayerKey())
    let other = keys.admit(keys.makeVoterKey(generation: 0))
    let (key, voter) = (try #require(id.publicKey), try #require(other.publicKey))
    let nonces = try [(key, 1), (key, 2), (voter, 1)].map {
      keys.admit(try keys.makeNonce(player: $0, draw: $1))
    }
    keys.forget([key])
    #expect(throws: KeysError.unknown) { try keys.sign([1], with: key) }
    #expect(throws: KeysError.unknown) { try keys.nonce(player: key, draw: 2) }
    #expect(nonces.map(keys.holds) == [false, false, true])
    _ = try keys.sign([1], with: voter)
  }

  @Test func everyDamagedRowIsRefused() throws {
    let voter = keys.makeVoterKey(generation: 1)
    let row = voter.row()
    let fresh = Keys(identity: keys.identity)
    var needed: Set = [voter.id.owner]
    for length in row.key.indices {
      #expect(throws: KeysError.damagedRow) {
        try fresh.restore(rowKey: Array(row.key.prefix(length)), value: row.value, needed: needed)
      }
    }
    // Another public key, another seed: they no longer belong together.
    for position in 1...32 {
      var key = row.key
      key[position] ^= 1
      if let other = try? SecretID(rowKey: key) { needed.insert(other.owner) }
      #expect(throws: KeysError.damagedRow) {
        try fresh.restore(rowKey: key, value: row.value, needed: needed)
      }
      var value = row.value
      value[position - 1] ^= 1
      #expect(throws: KeysError.damagedRow) {
        try fresh.restore(rowKey: row.key, value: value, needed: needed)
      }
    }
    for kind: UInt8 in [0, 1, 4, 5, 255] {
      var key = row.key
      key[0] = kind
      #expect(throws: KeysError.damagedRow) {
        try fresh.restore(rowKey: key, value: row.value, needed: needed)
      }
    }
    #expect(throws: KeysError.damagedRow) {
      try fresh.restore(rowKey: row.key, value: row.value + [0], needed: needed)
    }
  }
}

@Suite struct IdentityTests {
  @Test func theFileGivesTheSameIdentityAndLinkKey() throws {
    let identity = Identity.random()
    var content: [UInt8] = []
    identity.withFileContent { content = $0 + [] }
    let read = try Identity(fileContent: content)
    #expect(read.publicKey == identity.publicKey)
    #expect(read.linkKeys.publicKey == identity.linkKeys.publicKey)
    #expect(read.sign([1]) == identity.sign([1]))
  }

  @Test func aFileOfAnotherLengthIsRefused() {
    for length in [0, 31, 33, 64] {
      #expect(throws: KeysError.wrongLength(got: length, expected: 32)) {
        try Identity(fileContent: [UInt8](repeating: 1, count: length))
      }
    }
  }

  @Test func twoIdentitiesShareNothing() {
    let first = Identity.random()
    let second = Identity.random()
    #expect(first.publicKey != second.publicKey)
    #expect(first.linkKeys.publicKey != second.linkKeys.publicKey)
  }

  /// RFC 8032 section 7.1, test 2.
  @Test func signingFollowsTheStandard() throws {
    let seed = try #require(
      Hex.decode("4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb"))
    let identity = try Identity(fileContent: seed)
    #expect(
      identity.publicKey.hex == "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c")
    #expect(
      Hex.encode(identity.sign([0x72]).bytes)
        == "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da"
        + "085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00")
  }

  /// The link key follows from the seed by a rule another implementation can follow.
  @Test func theLinkKeyIsTheKeyedHashOfItsPurpose() throws {
    let seed = [UInt8](repeating: 1, count: 32)
    let identity = try Identity(fileContent: seed)
    var secret = [UInt8](repeating: 0, count: 32)
    let purpose = Array("tabletalk/1 link key".utf8)
    _ = crypto_generichash(&secret, 32, purpose, UInt64(purpose.count), seed, 32)
    var publicKey = [UInt8](repeating: 0, count: 32)
    _ = crypto_scalarmult_base(&publicKey, secret)
    #expect(identity.linkKeys.publicKey == publicKey)
  }
}
