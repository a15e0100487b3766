package import CBOR
package import Quoridor

/// What a player does in a game of Quoridor; each names the turn that it is meant for.
///
/// Turns count everything that has ended one: moves, passes, turns that ran out, moves taken back.
package enum QuoridorMove: GameMove {
  case play(Move, turn: Int)
  case giveUp(turn: Int)
  case offerDraw(turn: Int)
  case askTakeBack(turn: Int)
  case askEnd(turn: Int)
  /// Yes or no to what is asked for: a draw, taking back, an end without a winner.
  case answer(Bool, turn: Int)

  /// Turns that are read: more than any game of people.
  static let mostTurns = 1 << 20

  /// Reads `[kind, turn]`, of a move and of an answer with one more.
  package init(_ item: CBOR) throws(DecodeError) {
    let parts = try item.array("quoridor", count: 2...3)
    let kind = try parts[0].unsigned("quoridor.kind")
    guard parts.count == (kind == 0 || kind == 4 ? 3 : 2) else { throw .wrongCount("quoridor") }
    let turn = try parts[1].int("quoridor.turn", in: 0...QuoridorMove.mostTurns)
    switch kind {
    case 0:
      let code = try parts[2].int("quoridor.code", in: 0...Move.codes - 1)
      guard let move = Move(code: UInt8(code)) else { throw .outOfRange("quoridor.code") }
      self = .play(move, turn: turn)
    case 1: self = .giveUp(turn: turn)
    case 2: self = .offerDraw(turn: turn)
    case 3: self = .askTakeBack(turn: turn)
    case 4: self = .answer(try parts[2].bool("quoridor.answer"), turn: turn)
    case 5: self = .askEnd(turn: turn)
    default: throw .unknownKind("quoridor.kind")
    }
  }

  /// `[kind, turn]`, of a move and of an answer with one more.
  package var cbor: CBOR {
    switch self {
    case .play(let move, let turn): [0, CBOR(turn), CBOR(Int(move.code))]
    case .giveUp(let turn): [1, CBOR(turn)]
    case .offerDraw(let turn): [2, CBOR(turn)]
    case .askTakeBack(let turn): [3, CBOR(turn)]
    case .askEnd(let turn): [5, CBOR(turn)]
    case .answer(let yes, let turn): [4, CBOR(turn), .bool(yes)]
    }
  }

  /// Whether it means one turn alone; giving up and ending are meant whatever has happened meanwhile.
  var isForOneTurn: Bool {
    switch self {
    case .giveUp, .askEnd: false
    case .play, .offerDraw, .askTakeBack, .answer: true
    }
  }

  /// The turn that it is meant for, or at which it was signed.
  package var turn: Int {
    switch self {
    case .play(_, let turn), .giveUp(let turn), .offerDraw(let turn), .askTakeBack(let turn),
      .askEnd(let turn), .answer(_, let turn):
      turn
    }
  }
}
