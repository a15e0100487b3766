import CBOR
import Consensus
import Games
import Table
import Wire

/// A table's replica, restored from rows or told things by members.
enum ReplicaTargets {
  private static func key(_ number: UInt8) -> PublicKey {
    guard let key = PublicKey([UInt8](repeating: number, count: 32)) else { fatalError("32 bytes") }
    return key
  }

  /// A table of somebody whose keys are all ones, twos and threes.
  private static let genesis: Genesis = {
    let creator = Member(
      identity: key(1), player: key(2), voter: key(3), generation: 0, name: "Ana")
    let words = (1...9).compactMap { try? Word(typed: "word \($0)") }
    let setup = AnySetup.bingo(
      BingoSetup(settings: BingoSettings(size: 3, minutes: 15), words: words))
    let draft = Genesis.Draft(
      code: 12_345, title: "Fuzz", setup: setup, nonce: [UInt8](repeating: 4, count: 16),
      creator: creator)
    guard let blank = Signature([UInt8](repeating: 0, count: 64)),
      let genesis = try? Genesis(
        draft: draft, signatures: creator.keys.map { KeySignature($0, blank) })
    else { fatalError("the draft makes a genesis") }
    return genesis
  }()

  /// The genesis with which an input may begin, else the one above.
  private static func genesis(at start: inout CBORSequence) -> Genesis {
    var sequence = start
    guard let bytes = try? sequence.next()?.bytes("genesis"),
      let own = try? Genesis(decoding: bytes)
    else { return genesis }
    start = sequence
    return own
  }

  private static func founding(_ genesis: Genesis) -> Founding {
    Founding(table: genesis.table, creator: genesis.draft.creator.voter)
  }

  /// A sequence of `[kind, key, value]`.
  static func rows(_ bytes: [UInt8]) {
    var records: [Record] = []
    var sequence = CBORSequence(bytes)
    let genesis = genesis(at: &sequence)
    while let parts = try? sequence.next()?.array("row", exactly: 3) {
      guard let kind = try? parts[0].int("kind", in: 0...255), let key = try? parts[1].bytes("key"),
        let value = try? parts[2].bytes("value"),
        let record = Record(kind: UInt8(kind), key: key, value: value)
      else { return }
      records.append(record)
    }
    let replica = try? Replica(
      restoring: records, founding: founding(genesis), voter: genesis.draft.creator.voter,
      app: Table(genesis), seed: 0, now: 0)
    guard var replica else { return }
    _ = replica.step(.tick(1))
    promise(replica.finalHeight == UInt64(replica.finalBlocks(above: 0).count), "heights count")
  }

  /// A sequence of numbers and table messages: time, links and what members say.
  static func messages(_ bytes: [UInt8]) {
    var sequence = CBORSequence(bytes)
    let genesis = genesis(at: &sequence)
    let peer = genesis.draft.creator.identity
    var replica = Replica(
      founding: founding(genesis), voter: key(9), app: Table(genesis), seed: 0, now: 0)
    var now: Milliseconds = 0
    _ = replica.step(.linkUp(peer))
    while let item = try? sequence.next() {
      if case .unsigned(let span) = item {
        now += span % 10_000
        _ = replica.step(.tick(now))
        continue
      }
      guard let message = try? TableMessage(item),
        let verified = try? message.verified(by: Gullible())
      else { return }
      for effect in replica.step(.received(verified, from: peer)) {
        if case .sign(let statement) = effect {
          promise(statement.voter == key(9), "a node signs with its own key only")
        }
      }
    }
    promise(replica.finalHeight == UInt64(replica.finalBlocks(above: 0).count), "heights count")
  }
}
