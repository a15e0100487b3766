package import Consensus
import Discovery
import Games
import Table
import Wire

/// The whole state as the page reads it: `state` of Protocol/local-api-state.md.
package struct PageState: Encodable, Sendable {
  /// Who I am.
  package struct Me: Encodable, Sendable {
    let key: PublicKey
    let tag: String
    @OrNull var name: String?
    @OrNull var proposedName: String?
  }

  /// Somebody else on this network.
  package struct Person: Encodable, Sendable {
    let key: PublicKey
    let tag: String
    let name: String
    let showTag: Bool
    let presence: String
    /// Where the path in use leads.
    let address: String
    /// By what it is heard there: `datagram`, `link` or `introduced`, then with who told of it.
    let via: String
    @OrNull var through: String?
    let paths: [PersonPath]
    /// Whether it hears this laptop's beacons.
    let hearsMe: Reach.HearsMe
    /// Seconds by which its clock is ahead of the own.
    @OrNull var clockAhead: Int?
    /// Two laptops speak with its key.
    let twice: Bool
    /// A link joins us; connections fail although it is heard.
    let linked: Bool
    let linkFails: Bool
    /// Has a star.
    let favourite: Bool
    /// The six words to compare in person; null until they were asked for.
    @OrNull var phrase: [String]?
  }

  /// One way by which somebody is heard.
  package struct PersonPath: Encodable, Sendable {
    let address: String
    @OrNull var interface: String?
    let via: String
    let inUse: Bool
  }

  /// Somebody on this network whose Tabletalk is of another version.
  package struct OtherPerson: Encodable, Sendable {
    let key: PublicKey
    let tag: String
    let name: String
    let version: Int
    /// What has to be done before both can play.
    let message: String
  }

  /// A table that can be joined.
  package struct OpenTable: Encodable, Sendable {
    let id: TableID
    let code: String
    let title: String
    let hostKey: PublicKey
    let hostName: String
    let hostTag: String
    let showHostTag: Bool
    let game: String
    let size: Int
    let minutes: Int
    let players: Int
    let seats: Int
    let joined: Bool
    @OrNull var place: String?
    @OrNull var startsAt: UInt64?
    let playing: Bool
    let open: Bool
    let watchable: Bool
  }

  /// A table of mine, in short.
  package struct MyTable: Encodable, Sendable {
    /// What its player should know.
    package struct Sign: Encodable, Sendable, Hashable {
      let kind: String
      let text: String
    }

    let id: TableID
    let code: String
    let title: String
    let phase: String
    @OrNull var startsAt: UInt64?
    let hostName: String
    let hostTag: String
    let showHostTag: Bool
    @OrNull var sign: Sign?
  }

  /// How this laptop meets others.
  package struct NetworkView: Encodable, Sendable {
    let interfaces: [InterfaceView]
    /// Whether `--interface` said which.
    let told: Bool
    let discoveryPort: UInt16
    let linkPort: UInt16
    /// What invitations say, with the port.
    @OrNull var address: String?
    @OrNull var warning: TableView.Notice?
    let looking: Looking
    let heard: Int
    let refused: Counter
    /// Whether the machine is being looked at right now, and whether it ever was.
    let checking: Bool
    let checked: Bool
    /// Addresses at which several people are heard.
    let sharedAddresses: [NetworkFacts.SharedAddress]
    let findings: [Finding]
  }

  /// Tables that this laptop helps to agree, without a seat.
  package struct Witnessing: Encodable, Sendable {
    /// It does when it is asked.
    let allowed: Bool
    let titles: [String]
    /// Those of them that can be watched: they stand in `tables` too.
    let watched: [TableID]
  }

  /// A built-in list of words.
  package struct Pack: Encodable, Sendable {
    let id: String
    let title: String
    let count: Int
    let words: [String]
  }

  let revision: Int
  let boot: String
  let screen: String
  let me: Me
  let people: [Person]
  let favourites: [Absent]
  let otherVersions: [OtherPerson]
  let muted: [PublicKey]
  let openTables: [OpenTable]
  let myTables: [MyTable]
  let tables: [SessionView]
  @OrNull var invitation: String?
  let network: NetworkView
  let witnessing: Witnessing
  /// The game for which somebody to play with is looked for.
  @OrNull var matching: GameKind?
  let packs: [Pack]
  @OrNull var lastWords: [String]?
  let wordLists: WordLists
  @OrNull var trouble: TableView.Notice?
  let refusals: [Peer.Refused]
  let invites: [Invite]
}

extension Peer {
  /// What the page shows at a time: what is left of a limit counts from there.
  package func pageState(revision: Int, boot: String, at time: Milliseconds) -> PageState {
    var peer = self
    peer.now = max(now, time)
    return peer.pageState(revision: revision, boot: boot)
  }

  private func pageState(revision: Int, boot: String) -> PageState {
    let shown = sessions.filter { !$0.isPutAway && !$0.hasQuit && !$0.isWitness }
    let views = shown.map { sessionView($0) }
    let watched = sessions.filter(\.isWatched)
    return PageState(
      revision: revision, boot: boot, screen: name == nil ? "welcome" : "home",
      me: PageState.Me(key: me, tag: me.tag, name: name, proposedName: setup.proposedName),
      people: people, favourites: absentFavourites, otherVersions: peopleWithOtherVersions,
      muted: mutedNames, openTables: openTables,
      myTables: zip(shown, views).map { myTable($0, $1) }.sorted { $0.order < $1.order },
      tables: views + watched.map { sessionView($0) },
      invitation: ownAddress.map { Invitation.node($0).line },
      network: networkView,
      witnessing: PageState.Witnessing(
        allowed: mayWitness,
        titles: sessions.filter { $0.isHelping && !$0.isPutAway && !$0.isJoining }
          .map(\.genesis.draft.title),
        watched: watched.map(\.id)),
      matching: matching?.game,
      packs: WordPack.all.map {
        PageState.Pack(id: $0.id, title: $0.title, count: $0.words.count, words: $0.words)
      },
      lastWords: lastWords,
      wordLists: wordListView,
      trouble: troubleNotice,
      refusals: refusals, invites: inviteViews)
  }

  /// Who is here, in a line for the terminal.
  package var company: String {
    let names = roster.neighbours.map(\.beacon.name).sorted()
    if names.isEmpty { return "nobody yet; people appear on the page by themselves" }
    return Peer.list(names, joinedBy: "and")
  }

  // MARK: Around

  private var people: [PageState.Person] {
    roster.neighbours.map { row in
      let beacon = row.beacon
      return PageState.Person(
        key: beacon.identity, tag: beacon.identity.tag, name: beacon.name,
        showTag: isShared(beacon.name, of: beacon.identity),
        presence: beacon.atTable ? "table" : "here", address: row.address.description,
        via: row.path?.how.word ?? "link", through: relay(of: row).map(nameInWords),
        paths: row.paths.map { path in
          PageState.PersonPath(
            address: path.address.description, interface: path.interface, via: path.how.word,
            inUse: path.address == row.address)
        }, hearsMe: row.reach.hearsMe, clockAhead: row.clock.seconds, twice: row.isTwice,
        linked: switchboard.link(to: beacon.identity) != nil, linkFails: linkFails(to: row),
        favourite: favourites[beacon.identity] != nil, phrase: phrase(with: beacon.identity))
    }.sorted { ($0.name, $0.key) < ($1.name, $1.key) }
  }

  /// Who passes on from and to somebody, or at least has told of him; nil for whoever is heard here.
  private func relay(of row: Neighbour) -> PublicKey? {
    if let link = switchboard.link(to: row.beacon.identity) { return link.through }
    return row.isHeard ? nil : row.introducers.first
  }

  /// Whether somebody else here has a name that looks like this one.
  func isShared(_ name: String, of key: PublicKey) -> Bool {
    if key != me, let own = self.name, PlayerName.looksLike(own, name) { return true }
    return roster.neighbours.contains {
      $0.beacon.identity != key && PlayerName.looksLike($0.beacon.name, name)
    }
  }

  private func nameInWords(of key: PublicKey) -> String {
    roster[key]?.beacon.name ?? "·\(key.tag)"
  }

  /// What is shown on every screen.
  private var troubleNotice: TableView.Notice? {
    if let trouble { return TableView.Notice(code: "cannotWrite", message: trouble) }
    guard isKeyTwice else { return nil }
    return TableView.Notice(
      code: "sameKeyTwice", message: SameKey.sentence(program: setup.program))
  }

  private var peopleWithOtherVersions: [PageState.OtherPerson] {
    otherVersions.people.filter { roster[$0.identity] == nil }.map {
      PageState.OtherPerson(
        key: $0.identity, tag: $0.identity.tag, name: $0.name, version: $0.version,
        message: $0.message)
    }.sorted { ($0.name, $0.key) < ($1.name, $1.key) }
  }

  private var openTables: [PageState.OpenTable] {
    let own = sessions.reversed().compactMap(\.notice).map { openTable($0, of: me, name ?? "") }
    let rows = roster.neighbours.flatMap { row in
      row.beacon.tables.map { (row.beacon, $0, heardTables.firstIndex(of: $0.table) ?? 0) }
    }
    return own
      + rows.sorted { $0.2 > $1.2 }.map { beacon, notice, _ in
        openTable(notice, of: beacon.identity, beacon.name)
      }
  }

  private func openTable(
    _ notice: TableNotice, of host: PublicKey, _ name: String
  ) -> PageState.OpenTable {
    PageState.OpenTable(
      id: notice.table, code: Invitation.digits(notice.code), title: notice.title,
      hostKey: host, hostName: name, hostTag: host.tag, showHostTag: isShared(name, of: host),
      game: notice.game, size: notice.size, minutes: notice.minutes, players: notice.players,
      seats: notice.seats, joined: sessions.contains { $0.id == notice.table && $0.isSatAt },
      place: notice.appointment?.place, startsAt: notice.appointment?.startsAt,
      playing: notice.isPlaying, open: notice.hasSeats && notice.players < notice.seats,
      watchable: notice.isWatchable)
  }

  private func myTable(_ session: TableSession, _ view: SessionView) -> PageState.MyTable {
    let host = session.genesis.draft.creator
    return PageState.MyTable(
      id: session.id, code: session.genesis.codeText, title: session.genesis.draft.title,
      phase: view.table.phase, startsAt: session.genesis.draft.appointment?.startsAt,
      hostName: host.name, hostTag: host.identity.tag,
      showHostTag: isShared(host.name, of: host.identity), sign: view.sign)
  }

  /// The address to invite to: one that other laptops can reach, if there is any.
  ///
  /// One of an interface on which others are heard comes first, then one of a network card, then
  /// IPv4. A link-local IPv6 address is told without the interface, which has another name elsewhere.
  var ownAddress: Address? {
    let sending = interfaces.filter(\.sends).map(\.name)
    var best: (rank: [Int], address: Address)?
    for view in interfaces where sending.contains(view.name) {
      guard let host = IPAddress(view.address), !host.isForNobody else { continue }
      let rank = [
        host.isLoopback ? 1 : 0, view.hears ? 0 : 1, Peer.rank(ofKind: view.kind),
        host.isV4 ? 0 : host.isShareable ? 1 : 2,
      ]
      guard best.map({ rank.lexicographicallyPrecedes($0.rank) }) ?? true else { continue }
      best = (rank, Address(host: host.on(zone: ""), port: setup.linkPort))
    }
    return best?.address
  }

  /// Others are rather at the far end of a cable or on the Wi-Fi than inside this laptop or a VPN.
  private static func rank(ofKind kind: String) -> Int {
    switch kind {
    case "wired", "wifi": 0
    case "tunnel": 1
    default: 2
    }
  }
}

extension Path.How {
  /// As the page is told.
  fileprivate var word: String {
    switch self {
    case .datagram: "datagram"
    case .link: "link"
    case .introduced: "introduced"
    }
  }
}

extension PageState.MyTable {
  /// Running tables first, then lobbies, then those that are over.
  fileprivate var order: Int {
    switch phase {
    case "playing", "dealing", "starting": 0
    case "lobby", "joining": 1
    default: 2
    }
  }
}
