internal import CBOR
package import Consensus
package import Wire

/// The smallest application that has all a table has: seats, a start, seals, void entries,
/// deadlines that some entries meet, leaving.
package struct ToyTable: Application {
  /// A place at the table.
  package struct Seat: Hashable, Sendable {
    package let player: PublicKey
    package let voter: PublicKey
    package let identity: PublicKey
    /// The sequence of the next entry.
    package var next: UInt64
    package var hasLeft = false
    /// Its key votes.
    package var votes: Bool
    /// It was taken out for a lie.
    package var hasLied = false
    /// It only helps to agree (S10).
    package var isWitness = false
  }

  /// A deadline that runs until an entry meets it or voters end it.
  package struct Wait: Hashable, Sendable {
    package let id: Digest
    package let opener: PublicKey
    package let duration: Milliseconds
  }

  package let table: TableID
  /// In the order in which they joined.
  package private(set) var seats: [Seat]
  package private(set) var isStarting = false
  package private(set) var hasStarted = false
  package private(set) var isOver = false
  package private(set) var sum: UInt64 = 0
  package private(set) var waits: [Wait] = []
  /// Deadlines that passed without being met.
  package private(set) var expired: UInt64 = 0

  /// A table whose creator sits and whose node votes.
  package init(table: TableID, creator: Person) {
    self.table = table
    seats = [
      Seat(
        player: creator.player, voter: creator.voter, identity: creator.identity, next: 1,
        votes: true)
    ]
  }

  /// What an entry does; written as its body.
  package enum Act: Hashable, Sendable {
    case join(voter: PublicKey, identity: PublicKey)
    /// The first entry of a witness.
    case watch(voter: PublicKey, identity: PublicKey)
    case start
    /// Above 9 the rules refuse it.
    case add(UInt64)
    /// Opens a deadline of so many milliseconds.
    case open(Milliseconds)
    /// Meets the oldest deadline that somebody else opened.
    case meet
    case leave
    case end

    /// As the body of an entry.
    package var body: [UInt8] {
      let item: CBOR =
        switch self {
        case .join(let voter, let identity): [0, voter.cbor, identity.cbor]
        case .watch(let voter, let identity): [7, voter.cbor, identity.cbor]
        case .start: [1]
        case .add(let n): [2, .unsigned(n)]
        case .open(let span): [3, .unsigned(span)]
        case .meet: [4]
        case .leave: [5]
        case .end: [6]
        }
      return item.encoded
    }

    init?(_ body: [UInt8]) {
      guard let parts = try? CBOR(decoding: body).array("act", count: 1...3),
        let kind = try? parts[0].int("act")
      else { return nil }
      switch (kind, parts.count) {
      case (0, 3), (7, 3):
        guard let voter = try? PublicKey(parts[1], "voter"),
          let identity = try? PublicKey(parts[2], "identity")
        else { return nil }
        self =
          kind == 0
          ? .join(voter: voter, identity: identity) : .watch(voter: voter, identity: identity)
      case (1, 1): self = .start
      case (2, 2):
        guard let n = try? parts[1].unsigned("n") else { return nil }
        self = .add(n)
      case (3, 2):
        guard let span = try? parts[1].unsigned("span") else { return nil }
        self = .open(span)
      case (4, 1): self = .meet
      case (5, 1): self = .leave
      case (6, 1): self = .end
      default: return nil
      }
    }
  }

  package var stateHash: Digest {
    let seats = seats.map { seat -> CBOR in
      [
        seat.player.cbor, seat.voter.cbor, .unsigned(seat.next), .bool(seat.hasLeft),
        .bool(seat.votes), .bool(seat.hasLied),
      ]
    }
    let witnesses = self.seats.filter(\.isWitness).map(\.voter.cbor)
    return Digest(
      .state, table.cbor, .array(seats + witnesses), .bool(isStarting), .bool(hasStarted),
      .bool(isOver),
      .unsigned(sum), .array(waits.map(\.id.cbor)), .unsigned(expired))
  }

  package func admission(of entry: Entry) -> Admission {
    guard let seat = seats.first(where: { $0.player == entry.author }) else {
      guard entry.sequence == 0 else { return .later }
      switch Act(entry.body) {
      case .join, .watch: break
      default: return .never(code: "notMember")
      }
      return isStarting || hasStarted ? .never(code: "tableStarted") : .now
    }
    if entry.sequence < seat.next { return .never(code: "sequenceUsed") }
    if seat.hasLeft { return .never(code: "hasLeft") }
    return entry.sequence == seat.next ? .now : .later
  }

  package mutating func apply(_ entry: Entry, at place: LogPlace) -> Outcome {
    guard let index = seats.firstIndex(where: { $0.player == entry.author }) else {
      switch Act(entry.body) {
      case .join(let voter, let identity):
        seats.append(
          Seat(player: entry.author, voter: voter, identity: identity, next: 1, votes: false))
      case .watch(let voter, let identity):
        seats.append(
          Seat(
            player: entry.author, voter: voter, identity: identity, next: 1, votes: false,
            isWitness: true))
      default: return .void(code: "notAJoin")
      }
      return .done
    }
    seats[index].next += 1
    switch Act(entry.body) {
    case nil, .join, .watch: return .void(code: "unknownAct")
    case .start:
      guard !isStarting, !hasStarted, index == 0 else { return .void(code: "notNow") }
      isStarting = true
    case .add(let n):
      guard n < 10 else { return .void(code: "tooMuch") }
      sum += n
    case .open(let duration):
      guard waits.count < 8 else { return .void(code: "tooManyWaits") }
      let id = Digest(
        .deadline, table.cbor, entry.author.cbor, .unsigned(place.height), .unsigned(place.index))
      waits.append(Wait(id: id, opener: entry.author, duration: duration))
    case .meet:
      guard let wait = waits.firstIndex(where: { $0.opener != entry.author }) else {
        return .void(code: "nothingToMeet")
      }
      waits.remove(at: wait)
    case .leave: seats[index].hasLeft = true
    case .end: isOver = true
    }
    return .done
  }

  package mutating func apply(deadline id: Digest, at place: LogPlace) throws(NotEffective) {
    guard let index = waits.firstIndex(where: { $0.id == id }) else { throw NotEffective() }
    waits.remove(at: index)
    expired += 1
  }

  package mutating func apply(_ change: VoterChange, at place: LogPlace) throws(NotEffective) {
    let wish = voterWish
    guard change.joiners.allSatisfy({ wish.joiners.contains($0.voter) }),
      change.evictions.isEmpty || wish.mayEvict,
      change.leavers.allSatisfy((wish.leavers + change.evicted).contains)
    else { throw NotEffective() }
    for index in seats.indices {
      if change.joiners.contains(where: { $0.voter == seats[index].voter }) {
        seats[index].votes = true
      }
      if change.leavers.contains(seats[index].voter) { seats[index].votes = false }
      if change.evictions.contains(where: { $0.isForLie && $0.target == seats[index].voter }) {
        seats[index].hasLied = true
      }
    }
    if isStarting {
      isStarting = false
      hasStarted = true
    }
  }

  package mutating func recover(_ voters: [PublicKey], at place: LogPlace) {
    for index in seats.indices { seats[index].votes = voters.contains(seats[index].voter) }
  }

  package var deadlines: [Deadline] {
    waits.map { Deadline(id: $0.id, duration: $0.duration) }
  }

  package func meets(_ deadline: Digest, with entry: Entry) -> Bool {
    guard case .meet = Act(entry.body) else { return false }
    return waits.first { $0.opener != entry.author }?.id == deadline
  }

  package var voterWish: VoterWish {
    guard isStarting || hasStarted, !isOver else { return .none }
    let leavers = seats.filter { $0.hasLeft && $0.votes }.map(\.voter)
    let hasRoom = seats.count { $0.votes && !$0.hasLeft } < Limits.voters
    let stays = seats.contains { $0.votes && !$0.hasLeft }
    let coming = hasRoom ? seats.filter { !$0.hasLeft && !$0.votes && !$0.hasLied } : []
    return VoterWish(
      joiners: coming.map(\.voter), witnesses: coming.filter(\.isWitness).map(\.voter),
      leavers: stays ? leavers : [], isStart: isStarting, mayEvict: hasStarted)
  }

  package func identity(ofVoter key: PublicKey) -> PublicKey? {
    seats.first { $0.voter == key }?.identity
  }
}

/// People who add, open, meet and err at a `ToyTable`.
package struct ToyWorkload: Workload {
  /// Makes it; it keeps nothing.
  package init() {}

  package func genesis(table: TableID, creator: Person) -> ToyTable {
    ToyTable(table: table, creator: creator)
  }

  package func join(_ person: Person) -> [UInt8] {
    ToyTable.Act.join(voter: person.voter, identity: person.identity).body
  }

  package func watch(_ person: Person) -> [UInt8] {
    ToyTable.Act.watch(voter: person.voter, identity: person.identity).body
  }

  package func start() -> [UInt8] { ToyTable.Act.start.body }
  package func leave() -> [UInt8] { ToyTable.Act.leave.body }
  package func end() -> [UInt8] { ToyTable.Act.end.body }

  package func act(_ person: Person, in app: ToyTable, _ random: inout Random) -> [UInt8] {
    switch random.below(10) {
    case 0..<6: ToyTable.Act.add(random.number(0...11)).body
    case 6, 7: ToyTable.Act.open(random.number(500...4_000)).body
    default: ToyTable.Act.meet.body
    }
  }

  package func seats(in app: ToyTable) -> Int { app.seats.count }
  package func sits(_ person: Person, in app: ToyTable) -> Bool {
    app.seats.contains { $0.player == person.player && !$0.hasLeft && !$0.isWitness }
  }

  package func hasStarted(_ app: ToyTable) -> Bool { app.hasStarted }
}
