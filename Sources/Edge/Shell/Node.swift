import Consensus
import Discovery
import Dispatch
import Foundation
import Keys
package import Peer
import SecureChannel
import Sockets
package import Store
import WebFace
import Wire

/// Why a node cannot start; `message` says what to do next.
package struct StartError: Error, Equatable, Sendable {
  package let code: String
  package let message: String
}

/// A node from its start to its end: folder, keys, log, sockets and page, put together.
package struct Node: Sendable {
  /// Where beacons go.
  static let discoveryPort: UInt16 = 47_474
  /// The first port tried for links, and for the page.
  static let linkPort: UInt16 = 47_474
  static let webPort: UInt16 = 4_747
  /// How many ports are tried, each the next, where none was asked for.
  static let attempts = 20

  let shell: NodeShell
  /// The page's address with its token.
  package let page: String
  private let folder: DataFolder
  private let face: PageFace

  /// Starts everything.
  ///
  /// Throws when the folder is held, damaged or cannot be used, or no port is free.
  package static func start(
    _ options: Options, folder: DataFolder, log: Log
  ) throws(StartError) -> Node {
    let store = try orFail { () throws(StoreError) in
      try Store(folder: folder.path)
    } message: {
      ($0.code, $0.message)
    }
    let rows = try orFail { () throws(StoreError) in
      try StoredRows(store)
    } message: {
      ($0.code, $0.message)
    }
    let (identity, isNew) = try orFail { () throws(IdentityError) in
      try folder.identity(owner: Peer.owner(in: rows))
    } message: {
      ($0.code, $0.message)
    }
    if store.wasCreated, !isNew {
      log.write(
        .warning,
        "no saved games are beside your key. If you had any, put tabletalk.db and tabletalk.db-wal back from a copy."
      )
    }

    let queue = DispatchQueue(label: "tabletalk", qos: .userInitiated)
    let network = try network(options, identity: identity, queue: queue, log: log)
    var setup = Peer.Setup(
      identity: identity.publicKey, name: options.name, proposedName: proposedName(),
      incarnation: max(Peer.lastIncarnation(in: rows) + 1, Clock.wall / 1_000),
      startedAt: Clock.wall, linkPort: network.linkPort, discoveryPort: discoveryPort,
      peers: options.peers,
      seed: Digest(ofBytes: SecretBytes.random(count: 32).withBytes { Array($0) }))
    setup.program = ProgramName.own
    setup.keepsToInterfaces = !options.interfaces.isEmpty
    let peer = Peer(setup: setup, rows: rows, now: Clock.monotonic)
    let keys = Keys(identity: identity)
    try restore(keys, needed: Set(peer.neededKeys), from: store)
    let shell = NodeShell(
      executor: QueueExecutor(queue: queue), peer: peer, keys: keys, store: store, log: log)
    let face = PageFace(boot: String(setup.incarnation, radix: 36), queue: queue)
    let token = try orFail { () throws(DataFolderError) in
      try folder.pageToken(renew: options.renewsToken)
    } message: {
      ($0.code, $0.message)
    }
    let port = try pagePort(options, folder: folder, face: face, token: token, shell: shell)
    shell.begin(network: network, face: face)

    let page = "http://127.0.0.1:\(port)/#token=\(token)"
    let node = Node(shell: shell, page: page, folder: folder, face: face)
    let file = NodeFile(
      pid: ProcessInfo.processInfo.processIdentifier, page: page,
      identity: identity.publicKey.hex, linkPort: network.linkPort,
      interfaces: shell.interfaceNames())
    try orFail { () throws(DataFolderError) in
      try folder.write(file)
      try folder.keepPagePort(port)
    } message: {
      ($0.code, $0.message)
    }
    return node
  }

  /// Ends it: a goodbye, everything written, nothing left behind but the data.
  package func stop() {
    shell.end()
    let done = DispatchSemaphore(value: 0)
    face.stop { done.signal() }
    _ = done.wait(timeout: .now() + .seconds(3))
    do {
      try folder.removeNodeFile()
    } catch {
      Log.put("tabletalk: \(error.message)\n")
    }
  }

  /// Takes a command as the page sends it; returns the HTTP status and the answer in JSON.
  package func command(_ body: [UInt8]) -> (status: Int, body: [UInt8]) {
    let shell = shell
    let reply = shell.queue.sync { shell.assumeIsolated { $0.takeCommand(body) } }
    return (reply.status, reply.body)
  }

  /// The state as the page reads it.
  package func state() -> [UInt8] {
    let shell = shell
    return shell.queue.sync { shell.assumeIsolated { $0.pageState() } }
  }

  /// Calls back, on the node's queue, for every entry that becomes final here.
  package func watchAgreed(_ watch: @escaping @Sendable (AgreedEntry) -> Void) {
    let shell = shell
    shell.queue.sync { shell.assumeIsolated { $0.face?.watch = watch } }
  }

  // MARK: Parts

  /// Runs a throwing part and turns its error into a start error.
  private static func orFail<Value, Failure: Error>(
    _ body: () throws(Failure) -> Value, message: (Failure) -> (String, String)
  ) throws(StartError) -> Value {
    do {
      return try body()
    } catch {
      let (code, text) = message(error)
      throw StartError(code: code, message: text)
    }
  }

  private static func restore(
    _ keys: Keys, needed: Set<PublicKey>, from store: Store
  ) throws(StartError) {
    do {
      let collection = StoredRecord.Collection.keys.rawValue
      for row in try store.load(collection: collection) {
        try keys.restore(rowKey: row.key, value: row.value, needed: needed)
      }
    } catch let error as StoreError {
      throw StartError(code: error.code, message: error.message)
    } catch {
      throw StartError(
        code: "keysDamaged",
        message:
          "The keys of your tables cannot be read. Put the data folder back from a copy, or choose another with --data."
      )
    }
  }

  private static func network(
    _ options: Options, identity: Identity, queue: DispatchQueue, log: Log
  ) throws(StartError) -> Network {
    try orFail { () throws(SocketError) in
      try Network(
        identity: LinkIdentity(
          identity: identity.publicKey, linkKeys: identity.linkKeys, sign: identity.sign),
        interfaces: options.interfaces, discoveryPort: discoveryPort,
        linkPort: options.port ?? linkPort, attempts: options.port == nil ? attempts : 1,
        limits: options.linkLimits, queue: queue, log: log)
    } message: { error in
      (
        "noLinkPort",
        "No port for other laptops could be opened: \(error). Choose another with --port."
      )
    }
  }

  private static func pagePort(
    _ options: Options, folder: DataFolder, face: PageFace, token: String, shell: NodeShell
  ) throws(StartError) -> UInt16 {
    let last = try orFail { () throws(DataFolderError) in
      try folder.lastPagePort()
    } message: {
      ($0.code, $0.message)
    }
    return try orFail { () throws(WebFaceError) in
      try face.start(
        port: options.webPort ?? last ?? webPort,
        attempts: options.webPort == nil ? attempts : 1, token: token, for: shell)
    } message: {
      ($0.code, $0.message)
    }
  }

  /// The person's name on this laptop, as a proposal.
  private static func proposedName() -> String? {
    let full = PlayerName.trimmed(NSFullUserName())
    let first = full.split(separator: " ").first.map(String.init) ?? full
    guard PlayerName.isAllowed(first), first != "root" else { return nil }
    return first.precomposedStringWithCanonicalMapping
  }
}

extension StoredRows {
  /// Reads every row that Core restores from, or those of one table; what waits is written first.
  init(_ store: Store, of table: TableID? = nil) throws(StoreError) {
    func load(_ collection: StoredRecord.Collection) throws(StoreError) -> [StoredRow] {
      try store.load(collection: collection.rawValue, prefix: table?.bytes ?? [])
    }
    func rows(_ loaded: [StoredRow]) -> [Row] { loaded.map { ($0.key, $0.value) } }
    let (tables, log) = (try load(.tables), try load(.log))
    self.init(
      // A name with a wrong letter is better than none.
      node: table == nil ? rows(try load(.node)) : [],
      tables: rows(tables.filter(\.isWhole)), log: rows(log.filter(\.isWhole)),
      drafts: rows(try load(.drafts).filter(\.isWhole)))
    damagedTables = tables.filter { !$0.isWhole }.map(\.key)
    damagedLog = log.filter { !$0.isWhole }.map(\.key)
  }
}
