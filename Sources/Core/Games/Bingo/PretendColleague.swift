package import Wire
import CBOR

/// How a pretend colleague of "Try it now" plays: when it hears what, and how it votes.
///
/// Repeatable: the same seed, asked at the same times about the same views, acts the same. It
/// plays by its seat's view alone, as a person would.
package struct PretendColleague: Sendable {
  /// How it votes.
  package enum Manner: Sendable {
    /// Has heard everything.
    case optimist
    /// Denies one claim in four.
    case sceptic
  }

  /// The two colleagues of a try-out, by name.
  package static let cast: [(name: String, manner: Manner)] = [
    ("Kim", .optimist), ("Pat", .sceptic),
  ]

  /// Milliseconds from one claim of its own to the next: with two colleagues and a person who
  /// plays along, a 3 by 3 board takes about two minutes.
  private static let claimPause = (least: 60_000, spread: 24_000)
  private static let firstClaim = (least: 8_000, spread: 22_000)
  private static let answer = (least: 2_500, spread: 4_000)
  private static let mark = (least: 2_000, spread: 2_000)

  private let manner: Manner
  private let seed: Digest
  private var stream: DigestStream
  private var nextClaim: UInt64
  private var nextMark: UInt64?

  /// A colleague of its own kind for each seed.
  package init(seed: Digest, manner: Manner) {
    self.seed = seed
    self.manner = manner
    stream = DigestStream(key: seed)
    nextClaim = PretendColleague.pause(PretendColleague.firstClaim, &stream)
  }

  private static func pause(
    _ range: (least: Int, spread: Int), _ stream: inout DigestStream
  ) -> UInt64 {
    UInt64(range.least + stream.below(range.spread))
  }

  /// What it does now, at most one thing; ask again after half a second or so.
  ///
  /// `view` is that of its seat, with `leftMs` of open claims filled in; `elapsed` counts
  /// milliseconds since the boards were dealt.
  package mutating func act(on view: BingoView, elapsed: UInt64) -> BingoMove? {
    vote(on: view) ?? settle(on: view) ?? mark(on: view, elapsed: elapsed)
      ?? claim(on: view, elapsed: elapsed)
  }

  /// Whoever wants the meeting to be over has the colleagues with him.
  private func settle(on view: BingoView) -> BingoMove? {
    guard let settling = view.settling, !settling.asked.isEmpty, !settling.mine else { return nil }
    return .settle(true)
  }

  private func vote(on view: BingoView) -> BingoMove? {
    for claim in view.claims where claim.mayVote && claim.myVote == nil {
      var stream = DigestStream(key: Digest(.draw, seed.cbor, .unsigned(UInt64(claim.number))))
      let age = claim.ofMs - min(claim.leftMs, claim.ofMs)
      guard age >= PretendColleague.pause(PretendColleague.answer, &stream) else { continue }
      let denies = manner == .sceptic && stream.below(4) == 0
      return .vote(claim: claim.number, confirm: !denies)
    }
    return nil
  }

  private mutating func mark(on view: BingoView, elapsed: UInt64) -> BingoMove? {
    guard let tile = view.board?.tiles.first(where: { $0.state == .confirmed }) else {
      nextMark = nil
      return nil
    }
    guard let due = nextMark else {
      nextMark = elapsed + PretendColleague.pause(PretendColleague.mark, &stream)
      return nil
    }
    guard elapsed >= due else { return nil }
    nextMark = nil
    return tile.event.map { .mark(event: $0) }
  }

  private mutating func claim(on view: BingoView, elapsed: UInt64) -> BingoMove? {
    guard elapsed >= nextClaim else { return nil }
    let tiles = (view.board?.tiles ?? []).filter {
      $0.state == .open && $0.claim == nil && $0.claimsLeft > 0
    }
    guard !tiles.isEmpty else { return nil }
    nextClaim = elapsed + PretendColleague.pause(PretendColleague.claimPause, &stream)
    return tiles[stream.below(tiles.count)].event.map { .claim(event: $0) }
  }
}
