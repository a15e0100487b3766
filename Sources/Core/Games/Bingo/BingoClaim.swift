package import Wire
import CBOR

/// One "I heard it", from the claim to its end.
package struct BingoClaim: Hashable, Sendable {
  /// Where a claim stands.
  package enum State: UInt8, Sendable {
    case open = 0
    case accepted = 1
    case denied = 2
    /// Nobody, or too few, answered in time.
    case expired = 3
    /// Still open when the game ended.
    case undecided = 4
    /// Accepted, and then taken back by who made it.
    case takenBack = 5
  }

  /// How many milliseconds a vote runs (PRODUCT B15).
  package static let duration: UInt64 = 30_000

  /// Its number in the game, from 0.
  package let number: Int
  package let event: Int
  /// The seat that claimed first.
  package let by: Int
  package let opened: LogPlace
  /// Who decides, as it stood when the claim was made.
  package let voting: BingoSettings.Voting
  /// Seats that had not left then and were not away; only they vote.
  package let present: [Int]
  /// Everybody else who had a seat then was away.
  package let isDeserted: Bool
  /// Seats that heard it: the claimant and who claimed it too while it was open.
  package private(set) var finders: [Int]
  /// Seats for it, the claimant first.
  package private(set) var confirms: [Int]
  /// Seats against it.
  package private(set) var denials: [Int] = []
  package private(set) var state = State.open
  package private(set) var closed: LogPlace?
  /// Hash over every field but `closed`; kept, as most claims stand still in most blocks.
  private(set) var digest = Digest.zero

  init(
    number: Int, event: Int, by seat: Int, opened: LogPlace, voting: BingoSettings.Voting,
    present: [Int], isDeserted: Bool
  ) {
    self.number = number
    self.event = event
    by = seat
    self.opened = opened
    self.voting = voting
    self.present = present
    self.isDeserted = isDeserted
    finders = [seat]
    confirms = [seat]
    digest = currentDigest
  }

  // MARK: Changes

  /// Somebody else confirms.
  mutating func confirm(by seat: Int) {
    confirms.append(seat)
    digest = currentDigest
  }

  /// Somebody else has heard it too, which is his confirm (decision 2).
  mutating func share(with seat: Int) {
    finders.append(seat)
    confirm(by: seat)
  }

  /// Somebody denies.
  mutating func deny(by seat: Int) {
    denials.append(seat)
    digest = currentDigest
  }

  /// It is decided, or the game is over.
  mutating func close(as state: State, at place: LogPlace) {
    self.state = state
    closed = place
    digest = currentDigest
  }

  // MARK: Questions

  /// Confirms, the claimant's own with them, that settle it at once.
  package var needed: Int {
    switch voting {
    case .honour: 1
    case _ where isDeserted: 2
    case .majority: present.count / 2 + 1
    case .anyone: min(2, present.count)
    case .unanimous: present.count
    }
  }

  /// Those present who have not said anything.
  package var silent: [Int] {
    present.filter { !confirms.contains($0) && !denials.contains($0) }
  }

  /// What the votes so far come to, before time has run out.
  ///
  /// The claimant counts as one confirm; while more than one seat has not left no claim is accepted
  /// without somebody else's, not even when nobody else is present (decision 4).
  var verdict: State {
    if confirms.count >= needed { return .accepted }
    let enough = voting == .unanimous ? 1 : (present.count + 1) / 2
    if !denials.isEmpty && denials.count >= enough { return .denied }
    return .open
  }

  /// What they come to when time has run out.
  var verdictAtEnd: State {
    voting != .unanimous && confirms.count > denials.count && confirms.count > 1
      ? .accepted : .expired
  }

  var deadline: GameDeadline {
    GameDeadline(
      kind: "vote", subject: UInt64(number), opened: opened, duration: BingoClaim.duration)
  }

  private var currentDigest: Digest {
    Digest(
      .state,
      items: [
        CBOR(number), CBOR(event), CBOR(by), CBOR(opened.height), CBOR(opened.index),
        .text(voting.rawValue), list(present), list(finders), list(confirms), list(denials),
        CBOR(state.rawValue),
      ] + (isDeserted ? [.bool(true)] : []))
  }

  private func list(_ seats: [Int]) -> CBOR { .array(seats.map { CBOR($0) }) }
}
