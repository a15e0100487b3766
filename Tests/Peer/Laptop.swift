import CBOR
import Discovery
import Peer
import Wire

/// One laptop of a `World`: a node that may run, its keys and disk, and what its page was shown.
struct Laptop {
  let name: String
  var host: IPAddress
  /// Addresses of further cards.
  var otherHosts: [IPAddress] = []
  /// Its addresses that nothing leaves or reaches any more.
  var deadHosts: [IPAddress] = []
  var keys: Keyring
  var disk = Disk()
  /// Nil while the node does not run.
  var peer: Peer?
  /// Counts the starts, so that nothing meant for an earlier run reaches a later one.
  var run: UInt64 = 0
  /// The wall clock, against that of the world, in milliseconds.
  var clockAhead: Int64 = 0
  /// The lid is half closed: nothing runs, what comes in waits.
  var isFrozen = false
  var waiting: [PeerEvent] = []
  /// Broadcasts reach it and leave it.
  var hasBroadcast = true
  /// Its name is given at the start, not on the Welcome screen.
  var isNamed = true
  /// Addresses given at the start.
  var peers: [Address] = []
  var alarm: UInt64?
  /// The node stops with this transaction: before it is durable, or right after.
  var crash: (commit: Int, isAfter: Bool)?

  var replies: [CommandID: CommandReply] = [:]
  /// Every entry the page was ever told of as agreed.
  var agreed: [AgreedEntry] = []
  /// Lines of the log that are errors.
  var errors: [String] = []

  static let port: UInt16 = 47_474
  static let datagramPort: UInt16 = 50_000

  var address: Address { Address(host: host, port: Laptop.port) }
  var liveHosts: [IPAddress] { ([host] + otherHosts).filter { !deadHosts.contains($0) } }
  var me: PublicKey { keys.identity }

  func takesLinks(at address: Address) -> Bool {
    address.port == Laptop.port && liveHosts.contains(address.host)
  }

  func setup(startedAt: UInt64) -> Peer.Setup {
    Peer.Setup(
      identity: me, name: isNamed ? name : nil, proposedName: nil,
      incarnation: max(Peer.lastIncarnation(in: disk.stored) + 1, startedAt / 1_000),
      startedAt: startedAt,
      linkPort: Laptop.port, discoveryPort: Laptop.port, peers: peers,
      seed: Digest(.draw, me.cbor, .unsigned(run)))
  }

  var interfaces: [InterfaceView] {
    [
      InterfaceView(
        name: "eth0", address: address.hostText, broadcast: "192.168.1.255", sends: true,
        lastError: nil, prefix: 24)
    ]
  }
}
