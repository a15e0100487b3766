import CBOR
import Consensus
import Games
import Table
import Wire

/// A person's keys, easy to tell apart; nobody signs with them.
struct Person: Hashable {
  let number: UInt64
  let name: String

  init(_ number: UInt64, _ name: String = "") {
    self.number = number
    self.name = name.isEmpty ? "Person \(number)" : name
  }

  private func key(_ role: String) -> PublicKey {
    PublicKey(raw: Digest(.state, "test", .text(role), .unsigned(number)).raw)
  }

  var identity: PublicKey { key("identity") }
  var player: PublicKey { key("player") }
  var voter: PublicKey { key("voter") }
  var member: Member {
    Member(identity: identity, player: player, voter: voter, generation: 0, name: name)
  }
  var join: Act {
    .join(Act.Join(identity: identity, voter: voter, generation: 0, name: name))
  }

  /// What it draws with.
  func secret(_ draw: UInt64) -> Digest {
    Digest(.state, "secret", .unsigned(number), .unsigned(draw))
  }
}

let ana = Person(0, "Ana")
let bo = Person(1, "Bo")
let cy = Person(2, "Cy")
let di = Person(3, "Di")

/// Sixty-four bytes that nobody checks here.
let signature: Signature = {
  guard let signature = Signature([UInt8](repeating: 7, count: 64)) else { fatalError("64 bytes") }
  return signature
}()

/// Words that are easy to tell apart.
func words(_ count: Int) -> [Word] {
  (0..<count).compactMap { try? Word(typed: "Phrase number \($0)") }
}

/// A genesis by Ana.
func genesis(
  words count: Int = 12, size: Int = 3, practice: Bool = false, pretend: [PretendMember] = [],
  previous: Genesis.Previous? = nil, change: (inout Genesis.Draft) -> Void = { _ in }
) throws(Genesis.Fault) -> Genesis {
  var draft = Genesis.Draft(
    code: 48_213, title: "Monday meeting",
    setup: .bingo(
      BingoSetup(settings: BingoSettings(size: size, minutes: 15), words: words(count))),
    practice: practice, pretend: pretend, previous: previous,
    nonce: [UInt8](repeating: 9, count: 16), creator: ana.member)
  change(&draft)
  return try Genesis(
    draft: draft, signatures: draft.creator.keys.map { KeySignature($0, signature) })
}

/// Something that drove a table, as `Protocol/vectors/table.json` has it.
struct Step: Codable, Equatable {
  /// `entry`, `deadline`, `voters` or `recovery`.
  let kind: String
  let height: UInt64
  let index: UInt64
  /// The encoding of an entry, of a change of voters or of the keys that go on; the id of a deadline.
  let bytes: String
  /// `done`, or the code of a void entry.
  let outcome: String
  /// The state hash afterwards.
  let state: String
}

/// A table from its genesis on, as the vectors have it.
struct Transcript: Codable, Equatable {
  let genesis: String
  let state: String
  let steps: [Step]
}

/// A table with the places of its log counted along.
final class Log {
  private(set) var table: Table
  private(set) var height: UInt64 = 0
  private(set) var steps: [Step] = []

  init(_ genesis: Genesis) { table = Table(genesis) }

  convenience init(words count: Int = 12) throws {
    self.init(try genesis(words: count))
  }

  var place: LogPlace { LogPlace(height: height, index: 0) }

  /// The author's next entry.
  func entry(
    _ author: PublicKey, _ act: Act, sequence: UInt64? = nil, turn: UInt64 = 0,
    cosigners: [PublicKey] = []
  ) -> Entry {
    var next: UInt64 = 0
    if let witness = table.witness(of: author) { next = table.witnesses[witness].nextSequence }
    if let watcher = table.watcher(of: author) { next = table.watchers[watcher].nextSequence }
    if let seat = table.seat(of: author) { next = table.seats[seat].nextSequence }
    let draft = Entry.Draft(
      table: table.id, author: author, sequence: sequence ?? next, turn: turn, body: act.encoded)
    return Entry(
      draft: draft, signature: signature,
      cosignatures: cosigners.map { KeySignature($0, signature) })
  }

  /// A person's join, cosigned as it must be.
  func join(_ person: Person) -> Entry {
    entry(person.player, person.join, sequence: 0, cosigners: [person.identity, person.voter])
  }

  /// Applies an entry; "done", the code of a void one, or why it is not admissible.
  @discardableResult
  func apply(_ entry: Entry) -> String {
    switch table.admission(of: entry) {
    case .later: return "later"
    case .never(let code): return "never: \(code)"
    case .now: break
    }
    height += 1
    let outcome =
      switch table.apply(entry, at: place) {
      case .done: "done"
      case .void(let code): code
      }
    note("entry", entry.cbor.encoded, outcome)
    return outcome
  }

  private func note(_ kind: String, _ bytes: [UInt8], _ outcome: String) {
    steps.append(
      Step(
        kind: kind, height: place.height, index: place.index, bytes: Hex.encode(bytes),
        outcome: outcome, state: table.stateHash.hex))
  }

  /// A person acts.
  @discardableResult
  func does(_ person: Person, _ act: Act) -> String { apply(entry(person.player, act)) }

  @discardableResult
  func plays(_ person: Person, _ move: BingoMove) -> String { does(person, .move(move)) }

  /// A person's laptop offers to help to agree.
  @discardableResult
  func witnesses(_ person: Person) -> String {
    let act = Act.witness(
      Act.Join(identity: person.identity, voter: person.voter, generation: 0, name: person.name))
    return apply(
      entry(person.player, act, sequence: 0, cosigners: [person.identity, person.voter]))
  }

  @discardableResult
  func joins(_ person: Person) -> String { apply(join(person)) }

  /// A person comes to look on.
  @discardableResult
  func watches(_ person: Person) -> String {
    let act = Act.watch(
      Act.Join(identity: person.identity, voter: person.voter, generation: 0, name: person.name))
    return apply(
      entry(person.player, act, sequence: 0, cosigners: [person.identity, person.voter]))
  }

  /// Ends the open limit of time of a kind and subject; false when there is none.
  @discardableResult
  func passes(_ kind: String, _ subject: UInt64, opened: LogPlace? = nil) -> Bool {
    let places =
      opened.map { [$0] } ?? (0...height).map { LogPlace(height: $0, index: 0) }
    for place in places {
      let id = table.deadlineID(
        of: GameDeadline(kind: kind, subject: subject, opened: place, duration: 0))
      guard table.deadlines.contains(where: { $0.id == id }) else { continue }
      return passes(id)
    }
    return false
  }

  @discardableResult
  func passes(_ id: Digest) -> Bool {
    height += 1
    do throws(NotEffective) { try table.apply(deadline: id, at: place) } catch { return false }
    note("deadline", id.bytes, "done")
    return true
  }

  /// A seal.
  @discardableResult
  func seals(in joiners: [Person] = [], out leavers: [Person] = []) -> Bool {
    height += 1
    let change = VoterChange(
      joiners: joiners.map {
        Ready(
          table: table.id, epoch: .zero, block: .zero, voter: $0.voter, signature: signature)
      }, leavers: leavers.map(\.voter))
    do throws(NotEffective) { try table.apply(change, at: place) } catch { return false }
    note("voters", change.cbor.encoded, "done")
    return true
  }

  /// A seal that takes somebody out who has not left; what stands against him is for others to judge.
  @discardableResult
  func evicts(_ person: Person, forLie isLie: Bool) -> Bool {
    height += 1
    let votes = [UInt8(1), 2].map { number in
      Vote(
        subject: VoteSubject(
          table: table.id, epoch: .zero, view: 1, kind: .notarize,
          block: Digest(ofBytes: [number])), voter: person.voter, signature: signature)
    }
    let eviction =
      isLie ? Eviction(.between(votes[0], votes[1])) : Eviction(of: person.voter, by: [])
    let change = VoterChange(joiners: [], leavers: [], evictions: [eviction])
    do throws(NotEffective) { try table.apply(change, at: place) } catch { return false }
    note("voters", change.cbor.encoded, "done")
    return true
  }

  /// Those who are here go on without the others.
  func recovers(_ people: [Person]) {
    height += 1
    let voters = people.map(\.voter).sorted()
    table.recover(voters, at: place)
    note("recovery", CBOR.array(voters.map(\.cbor)).encoded, "done")
  }

  @discardableResult
  func commits(_ person: Person, draw: UInt64 = 0) -> String {
    does(
      person,
      .commit(
        draw: draw,
        commitment: Draw.commitment(
          table: table.id, draw: draw, player: person.player, secret: person.secret(draw))))
  }

  @discardableResult
  func reveals(_ person: Person, draw: UInt64 = 0) -> String {
    does(person, .reveal(draw: draw, secret: person.secret(draw)))
  }

  /// Joins the guests and starts, up to the seal.
  func starts(with guests: [Person]) {
    for guest in guests { joins(guest) }
    does(ana, .start)
    seals(in: guests)
  }

  /// A game that is being played by Ana and the guests.
  static func playing(_ guests: [Person], words count: Int = 9) throws -> Log {
    let log = try Log(words: count)
    log.starts(with: guests)
    for person in [ana] + guests { log.commits(person) }
    for person in [ana] + guests { log.reveals(person) }
    return log
  }

  var bingo: Bingo? {
    if case .bingo(let game) = table.game { return game }
    return nil
  }

  /// Everybody who must agrees on a word that Ana claims.
  func agree(on event: Int, guests: [Person]) {
    plays(ana, .claim(event: event))
    let number = (bingo?.claims.count ?? 0) - 1
    for guest in guests { plays(guest, .vote(claim: number, confirm: true)) }
  }
}

extension AnyGameView {
  /// The view of a bingo table.
  var asBingo: BingoView? { if case .bingo(let view) = self { view } else { nil } }
}

extension AnyResultView {
  /// The recap of a game of bingo.
  var asBingo: BingoResultView? { if case .bingo(let view) = self { view } else { nil } }
}
