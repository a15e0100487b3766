package import CBOR
package import Consensus
package import Discovery
package import Games
package import Wire

/// Names a connection for as long as it lives.
package typealias LinkID = UInt64

/// Names a request for keys until they are made.
package typealias KeyRequest = UInt64

/// The public halves of the keys made for one table; the secret halves never enter Core.
package struct TableKeys: Hashable, Sendable {
  package let player: PublicKey
  package internal(set) var voter: PublicKey
  package let pretend: [PublicKey]

  /// Names the keys.
  package init(player: PublicKey, voter: PublicKey, pretend: [PublicKey] = []) {
    self.player = player
    self.voter = voter
    self.pretend = pretend
  }

  /// Every one of them.
  var all: [PublicKey] { [player, voter] + pretend }
}

/// What a signature is wanted for; comes back with it.
package enum Purpose: Hashable, Sendable {
  case beacon(Beacon.Draft)
  /// The genesis of a table that is being made: by identity, player and voter key.
  case genesis(KeyRequest)
  /// An own entry, or one of a pretend colleague.
  case entry(TableID, author: PublicKey, sequence: UInt64)
  /// A statement of the replica at a table.
  case statement(TableID, ApprovedStatement)
}

/// An interface of this laptop, for the page and for invitations.
package struct InterfaceView: Hashable, Sendable, Encodable {
  package var name: String
  package var address: String
  package var broadcast: String
  package var sends: Bool
  @OrNull package var lastError: String?
  /// The constant's name of that error, such as `EHOSTUNREACH`.
  @OrNull package var lastErrorName: String?
  /// `loopback`, `wired`, `wifi`, `tunnel` or `virtual`.
  package var kind: String
  /// Bits of the address that name the network; null where the netmask is not of that kind.
  @OrNull package var prefix: Int?
  /// Datagrams and bytes since the start, by this interface and with this kind of address; what was
  /// heard came from other laptops.
  package var sent: Int
  package var sentBytes: Int
  package var heard: Int
  package var heardBytes: Int
  /// When the last one was heard, in milliseconds since 1970 by this laptop's clock; for display.
  @OrNull package var heardAt: UInt64?
  /// Whether others were heard on the interface lately.
  package var hears: Bool

  /// Names the fields.
  package init(
    name: String, address: String, broadcast: String, sends: Bool, lastError: String?,
    lastErrorName: String? = nil, kind: String = "wired", prefix: Int? = nil, sent: Int = 0,
    sentBytes: Int = 0, heard: Int = 0, heardBytes: Int = 0, heardAt: UInt64? = nil,
    hears: Bool = false
  ) {
    self.lastErrorName = lastErrorName
    self.kind = kind
    self.prefix = prefix
    self.sent = sent
    self.sentBytes = sentBytes
    self.heard = heard
    self.heardBytes = heardBytes
    self.heardAt = heardAt
    self.hears = hears
    self.name = name
    self.address = address
    self.broadcast = broadcast
    self.sends = sends
    self.lastError = lastError
  }

  /// The same without what changes with every datagram.
  var withoutCounts: InterfaceView {
    InterfaceView(
      name: name, address: address, broadcast: broadcast, sends: sends, lastError: lastError,
      kind: kind, prefix: prefix, hears: hears)
  }
}

/// Everything that can happen to a node.
package enum PeerEvent: Sendable {
  /// A datagram, unread, with the name of the interface on which it came; sent to everybody, or to
  /// this laptop alone.
  case datagram([UInt8], from: Address, on: String? = nil, isAlone: Bool = false)
  /// A link is up and its peer's identity proven.
  ///
  /// Its hash is known to both ends and to no other. `through` is who passes it on; `remote` then is
  /// the place of that one.
  case linkUp(
    LinkID, peer: PublicKey, handshakeHash: Digest, remote: Address, outbound: Bool,
    through: PublicKey? = nil)
  case frame(LinkID, [UInt8])
  case linkDown(LinkID)
  /// A dial came to nothing.
  case dialFailed(Address)
  /// A dial through somebody else came to nothing.
  case relayedDialFailed(PublicKey, through: PublicKey)
  /// The receiver of a channel that is passed on here does not keep up.
  case relayFull(Relay.Channel)
  case command(Command, id: CommandID)
  /// So many entries of mine at a table, for measuring; see `Peer.load`.
  case load(TableID, count: Int)
  /// Keys, and a table's secret where one was asked for.
  case keysMade(KeyRequest, TableKeys, secret: TableSecret?)
  /// Signatures by the keys that `PeerEffect.sign` named, in that order.
  case signed(Purpose, [KeySignature])
  /// The secret of one of this laptop's seats for one draw of a table; it is on the disk.
  case drawSecret(TableID, player: PublicKey, draw: UInt64, secret: Digest)
  /// Records up to this index are durable.
  case persisted(through: UInt64)
  /// The disk refused; says why to a person.
  case persistFailed(String)
  case interfaces([InterfaceView])
  /// A look at the machine has come to its end.
  case machine(NetworkFacts.Machine)
  /// A computer opponent has found its move for a turn; nil when there is none.
  case thought(TableID, turn: Int, move: CBOR?)
  /// Nothing but time.
  case tick
  /// The laptop slept.
  case woke
  /// The player stops the node.
  case stopping
}

/// What a node asks of the world, in order.
package enum PeerEffect: Sendable {
  /// Send to everybody on every allowed interface.
  /// To everybody; `alsoIPv6On` names the interfaces where somebody is heard by IPv6 only.
  case broadcast([UInt8], alsoIPv6On: [String])
  case datagram([UInt8], to: Address)
  case dial(Address)
  /// Dial a peer through another, to whom a link is up.
  case dialThrough(PublicKey, on: LinkID, to: PublicKey)
  /// Take in what the peer of a link has passed on to this node.
  case takeCarried(RelayFrame, on: LinkID)
  /// Send if the peer keeps up; if not, `relayFull` tells.
  case pass([UInt8], on: LinkID, of: Relay.Channel)
  /// Look at ports, firewalls and routes, and try these addresses; takes seconds, beside the queue.
  case lookAtMachine(wanted: [Address])
  /// Have a computer opponent think, on a thread of its own; what it thought of before at the table is void.
  case think(TableID, Thinking)
  case stopThinking(TableID)
  case send([UInt8], on: LinkID)
  case close(LinkID, reason: String)
  /// Write, in this order; all of one step's records in one transaction. Indexes grow by one. Lazy
  /// ones alone need not be written at once.
  case persist(StoredRecord, index: UInt64)
  case makeKeys(KeyRequest, pretend: Int, withSecret: Bool)
  /// Sign with the identity's alias at a table from now on, besides its other keys.
  case hold(Alias)
  /// Let go of keys and aliases, and of what their draws were made with: nothing signs with them any more.
  /// What is on the disk stays there.
  case forget([PublicKey])
  case sign(Purpose, bytes: [UInt8], with: [PublicKey])
  /// Make, or find again, the secret of one of this laptop's seats for one draw.
  case drawSecret(TableID, player: PublicKey, draw: UInt64)
  case wake(at: Milliseconds)
  case reply(CommandID, CommandReply)
  case agreed(AgreedEntry)
  /// The page's state is another than before.
  case changed
  case log(LogLevel, String)
}

/// How much a line of the log matters.
package enum LogLevel: Int, Comparable, Sendable, CaseIterable {
  case debug, info, warning, error

  package static func < (left: LogLevel, right: LogLevel) -> Bool {
    left.rawValue < right.rawValue
  }
}

/// A row of the store: put when it has a value, deleted when not.
package struct StoredRecord: Hashable, Sendable {
  /// What kinds of rows there are; numbers are never used again for something else.
  package enum Collection: Int, Sendable, CaseIterable {
    /// Name, starts, last words: one row each.
    case node = 1
    /// Secrets: written and read by the keys alone.
    case keys = 2
    /// One row a table.
    case tables = 3
    /// The replica's records, under the table's id.
    case log = 4
    /// Own entries from the moment they are decided, under table and sequence.
    case drafts = 5
  }

  package let collection: Collection
  package let key: [UInt8]
  package let value: [UInt8]?
  /// Nothing waits for it: it may reach the disk with what is written next, a little later.
  package let isLazy: Bool

  /// Names a row.
  package init(_ collection: Collection, key: [UInt8], value: [UInt8]?, isLazy: Bool = false) {
    self.collection = collection
    self.key = key
    self.value = value
    self.isLazy = isLazy
  }
}

/// An entry of a table's log that is final here, as `agreed` events and the log show it.
package struct AgreedEntry: Hashable, Sendable, Encodable {
  package let table: String
  /// Counts the entries of the log from 0.
  package let index: Int
  package let height: UInt64
  package let hash: String
  /// Player key; null for a system entry.
  package let author: String?
  package let kind: String
  package let outcome: String
  package let code: String?
}

extension PeerEvent {
  /// Comes by the thousand a second while a table agrees, and by itself makes nothing due but at the
  /// table.
  var isCalm: Bool {
    switch self {
    case .frame, .persisted, .signed, .drawSecret: true
    default: false
    }
  }
}
