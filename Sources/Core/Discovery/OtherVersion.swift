package import CBOR
package import Wire

/// The part of a beacon that stays the same in every version, as far as another version is read.
///
/// Its first three fields are version, identity and name; its last is the identity's signature over
/// all before it, under the tag of beacons.
package struct ForeignBeacon: Statement, Hashable {
  package let version: Int
  package let identity: PublicKey
  package let name: String
  private let signed: [UInt8]
  private let signature: Signature

  /// Reads the fields; `unknownKind("beacon.version")` for the version this program speaks.
  package init(_ item: CBOR) throws(DecodeError) {
    let parts = try item.array("beacon", count: Beacon.elements)
    version = try parts[0].int("beacon.version", in: 0...9_999)
    guard version != Beacon.protocolVersion else { throw .unknownKind("beacon.version") }
    identity = try PublicKey(parts[1], "beacon.identity")
    name = try parts[2].text("beacon.name", maximum: Limits.nameBytes)
    guard PlainText.isName(name) else { throw .outOfRange("beacon.name") }
    signature = try Signature(parts[parts.count - 1], "beacon.signature")
    signed = CBOR.array([.text(Tag.beacon.rawValue)] + parts.dropLast()).encoded
  }

  /// Reads a datagram up to the signature door.
  package init(datagram: [UInt8]) throws(DecodeError) {
    try self.init(Beacon.item(in: datagram))
  }

  package var signedBytes: [UInt8] { signed }
  package var signatures: [KeySignature] { [KeySignature(identity, signature)] }
}

/// Somebody here with a Tabletalk of another version.
package struct OtherVersion: Hashable, Sendable {
  package let identity: PublicKey
  package let name: String
  package let version: Int
  /// Where the first beacon came from: whoever repeats it elsewhere moves nobody.
  let host: IPAddress
  /// When the newest beacon came, in milliseconds of the monotonic clock.
  package let heardAt: UInt64

  /// What has to be done before both can play.
  package var message: String { OtherVersion.message(name, version: version) }

  static func message(_ name: String, version: Int) -> String {
    version > Beacon.protocolVersion
      ? "\(name) has a newer Tabletalk. Update yours to play together."
      : "\(name) has an older Tabletalk. \(name) must update it before you can play together."
  }
}

/// The people with other versions: bounded, and forgotten when nothing is heard of them.
///
/// Keys cost nothing, so an address has its share; beyond it, and where the list is full, whoever was
/// heard longest ago makes room at the address with the most people.
package struct OtherVersions: Hashable, Sendable {
  /// People at the most.
  package static let capacity = 32
  /// Of them at one address: some nodes on one laptop, or behind one router.
  package static let capacityPerAddress = 4
  /// How long one is shown, in milliseconds: what another version calls a period is not known, and
  /// three of the longest usual ones with a second make this.
  package static let patience: UInt64 = 91_000

  /// Ascending by key.
  package private(set) var people: [OtherVersion] = []

  /// Nobody yet.
  package init() {}

  /// Takes in what has come through the door, from an address; returns whether somebody is shown
  /// otherwise than before.
  package mutating func hear(
    _ verified: Verified<ForeignBeacon>, from host: IPAddress, at now: UInt64
  ) -> Bool {
    let beacon = verified.body
    let known = people.firstIndex { $0.identity == beacon.identity }
    let old = known.map { people.remove(at: $0) }
    if old == nil { makeRoom(at: host) }
    let row = OtherVersion(
      identity: beacon.identity, name: beacon.name, version: beacon.version,
      host: old?.host ?? host, heardAt: now)
    people.insert(row, at: people.firstIndex { $0.identity > row.identity } ?? people.count)
    return old?.name != row.name || old?.version != row.version
  }

  private mutating func makeRoom(at host: IPAddress) {
    let counts = people.map { row in people.count { $0.host == row.host } }
    let own = people.count { $0.host == host }
    let isShareUsedUp = own >= OtherVersions.capacityPerAddress && !host.isLoopback
    guard isShareUsedUp || people.count >= OtherVersions.capacity else { return }
    let most = counts.max()
    let crowd = zip(people, counts).filter { row, count in
      isShareUsedUp ? row.host == host : count == most
    }.map(\.0)
    let oldest = crowd.min { $0.heardAt < $1.heardAt }
    people.removeAll { $0.identity == oldest?.identity }
  }

  /// Drops somebody who is heard with the own version now.
  package mutating func drop(_ key: PublicKey) -> Bool {
    let count = people.count
    people.removeAll { $0.identity == key }
    return people.count < count
  }

  /// Drops whoever has been silent too long; returns whether there was one.
  package mutating func expire(at now: UInt64) -> Bool {
    let count = people.count
    people.removeAll { $0.heardAt + OtherVersions.patience <= now }
    return people.count < count
  }

  /// When the next one is dropped.
  package var nextExpiry: UInt64? {
    people.map { $0.heardAt + OtherVersions.patience }.min()
  }
}
