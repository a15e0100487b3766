import CBOR
import Consensus
import Games
import Table
import TestSupport
import Testing
import Wire

/// People under names that follow from their keys: two of them are called alike.
private let masks: [Person] = {
  let people = (100..<4_000).map { Person($0) }.map { person in
    Person(person.number, Moniker.name(of: person.identity))
  }
  for (index, one) in people.enumerated() {
    if let other = people[..<index].last(where: { $0.name == one.name }) {
      return [people[0], one, other, people[1]]
    }
  }
  return []
}()

/// An anonymous table from its lobby to where people show who they were.
func anonymousStory() throws -> Transcript {
  let log = Log(
    try genesis(words: 9) { draft in
      draft.isPrivate = true
      draft.isAnonymous = true
      draft.creator = masks[0].member
    })
  let state = log.table.stateHash.hex
  let own = Person(masks[3].number, "Di")
  #expect(log.joins(own) == "never: badName")
  for person in masks[1...3] { #expect(log.joins(person) == "done") }
  #expect(log.witnesses(Person(5)) == "never: noWitnesses")
  #expect(log.shows(masks[1], as: bo) == "notOver")
  log.does(masks[0], .start)
  log.seals(in: Array(masks[1...3]))
  for person in masks { log.commits(person) }
  for person in masks { log.reveals(person) }
  for person in masks.dropFirst() { log.does(person, .left) }
  #expect(log.table.phase == .over)
  #expect(log.does(masks[1], .show(Seat.Shown(identity: bo.identity, name: "Bo"))) == "badShow")
  #expect(log.shows(masks[1], as: Person(masks[2].number)) == "badShow")
  #expect(log.shows(masks[1], as: bo) == "done")
  #expect(log.shows(masks[1], as: cy) == "alreadyShown")
  #expect(log.shows(masks[0], as: ana) == "done")
  return Transcript(genesis: Hex.encode(log.table.genesis.encoded), state: state, steps: log.steps)
}

extension Log {
  /// Somebody says who sat there; that one signs as well.
  @discardableResult
  func shows(_ person: Person, as other: Person) -> String {
    apply(
      entry(
        person.player, .show(Seat.Shown(identity: other.identity, name: other.name)),
        cosigners: [other.identity]))
  }
}

@Suite struct `A table that names nobody` {
  private struct Masks: Decodable {
    struct Case: Decodable {
      let identity: String
      let secret: String
      let nonce: String
      let factor: String
      let alias: String
      let name: String
    }
    let adjectives: [String]
    let animals: [String]
    let cases: [Case]
  }

  @Test func `calls people as the vectors say`() throws {
    let masks = try Vectors.load("alias.json", as: Masks.self)
    #expect(Moniker.adjectives == masks.adjectives && Moniker.animals == masks.animals)
    #expect(Set(masks.adjectives).count == 64 && Set(masks.animals).count == 64)
    #expect(masks.cases.count == 8)
    for one in masks.cases {
      let secret = try #require(Hex.decode(one.secret).flatMap(TableSecret.init))
      let alias = Alias(secret: secret, nonce: try #require(Hex.decode(one.nonce)))
      let identity = try #require(PublicKey(hex: one.identity))
      #expect(Hex.encode(alias.factor(of: identity)) == one.factor)
      #expect(alias.key(of: identity)?.hex == one.alias)
      #expect(alias.key(of: identity).map(Moniker.name) == one.name)
    }
    // What is no key has no alias.
    let alias = Alias(
      secret: try #require(TableSecret([UInt8](repeating: 1, count: 16))), nonce: [])
    #expect(
      alias.key(of: PublicKey(raw: Digest(ofBytes: [7]).raw)) == nil
        || alias.key(of: PublicKey(raw: Digest(ofBytes: [8]).raw)) == nil
        || alias.key(of: PublicKey(raw: Digest(ofBytes: [9]).raw)) == nil)
  }

  @Test func `is private, and its people have no names of their own`() throws {
    func made(_ change: (inout Genesis.Draft) -> Void) -> Genesis.Fault? {
      do throws(Genesis.Fault) {
        _ = try genesis { draft in
          draft.isPrivate = true
          draft.isAnonymous = true
          draft.creator = masks[0].member
          change(&draft)
        }
        return nil
      } catch { return error }
    }
    #expect(made { _ in } == nil)
    #expect(made { $0.isPrivate = false } == .badAnonymous)
    #expect(made { $0.creator = ana.member } == .badAnonymous)
    for isStrict in [false, true] {
      for appointment in [nil, Appointment(place: "Floor 4", startsAt: nil)] {
        let genesis = try genesis { draft in
          draft.isPrivate = true
          draft.isAnonymous = true
          draft.isStrict = isStrict
          draft.appointment = appointment
          draft.creator = masks[0].member
        }
        let back = try Genesis(decoding: genesis.encoded)
        #expect(back == genesis && back.draft.isAnonymous && back.draft.isStrict == isStrict)
        #expect(back.draft.appointment == appointment)
      }
    }
  }

  @Test func `tells apart who is called alike, and shows who wants it when all is over`() throws {
    let log = Log(
      try genesis(words: 9) { draft in
        draft.isPrivate = true
        draft.isAnonymous = true
        draft.creator = masks[0].member
      })
    for person in masks[1...3] { log.joins(person) }
    #expect(masks[1].name == masks[2].name)
    #expect(log.table.seats[1].name == masks[1].name)
    #expect(log.table.seats[2].name == "\(masks[1].name) 2")
    // Who leaves the lobby and comes back is called as before.
    log.does(masks[1], .left)
    let again = Member(
      identity: masks[1].identity, player: bo.player, voter: bo.voter, generation: 0,
      name: masks[1].name)
    let join = Act.join(
      Act.Join(identity: again.identity, voter: again.voter, generation: 0, name: again.name))
    let entry = log.entry(
      again.player, join, sequence: 0, cosigners: [again.identity, again.voter])
    #expect(log.apply(entry) == "done")
    #expect(log.table.seats.last?.name == masks[1].name)
    #expect(try anonymousStory().steps.contains { $0.outcome == "badShow" })
  }

  @Test func `is the only one where anybody can be shown`() throws {
    let log = try Log(words: 9)
    log.joins(bo)
    log.does(ana, .start)
    log.seals(in: [bo])
    log.does(bo, .left)
    #expect(log.table.phase == .over)
    #expect(log.shows(ana, as: cy) == "badShow")
    #expect(log.shows(bo, as: cy) == "never: seatLeft")
  }
}
