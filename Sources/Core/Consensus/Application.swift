package import Wire

/// Milliseconds of a monotonic clock, or a span of them.
package typealias Milliseconds = UInt64

/// Whether an entry may stand in the log next; what the rules of the game say is no part of it.
package enum Admission: Equatable, Sendable {
  /// Its author is a member and its sequence is the author's next.
  case now
  /// It may become so: an earlier entry of the author is missing.
  case later
  /// It never will: the code says why.
  case never(code: String)
}

/// What an entry did when it was applied.
package enum Outcome: Hashable, Sendable {
  case done
  /// The rules refused it: it used up its sequence and changed nothing else (CONSENSUS 1.3).
  case void(code: String)
}

/// A system entry that would do nothing in this state; a block that holds one is not valid.
package struct NotEffective: Error, Equatable, Sendable {
  /// Says why there is no effect.
  package init() {}
}

/// A limit of time that voters measure, each by its own monotonic clock (CONSENSUS 1.4).
package struct Deadline: Hashable, Sendable {
  /// `H(tag, table, kind, subject, height, index)` of the entry that opened it.
  package let id: Digest
  /// How long it runs from the moment a voter saw that entry final.
  package let duration: Milliseconds
  /// An identity: the clock stands at 0 while a link to it is up and runs while there is none (D4);
  /// nil for a deadline that runs from where it was opened.
  package let silent: PublicKey?

  /// Names a deadline.
  package init(id: Digest, duration: Milliseconds, silent: PublicKey? = nil) {
    self.id = id
    self.duration = duration
    self.silent = silent
  }
}

/// A voter key that is retired, and the one that comes for it: both in one seal, or neither.
package struct Succession: Hashable, Sendable {
  package let old: PublicKey
  package let new: PublicKey

  /// Pairs the two.
  package init(old: PublicKey, new: PublicKey) {
    self.old = old
    self.new = new
  }
}

/// Which changes of the voters a state wants.
package struct VoterWish: Hashable, Sendable {
  /// Voter keys of seats that do not vote yet and may, who comes in first before the others; none
  /// where there is no room.
  package let joiners: [PublicKey]
  /// Those of the joiners who have no seat: a game does not start for them alone (S10).
  package let witnesses: [PublicKey]
  /// Keys that end with the coming of another of the same seat (S11).
  package let successions: [Succession]
  /// Voter keys of seats that have left and still vote.
  package let leavers: [PublicKey]
  /// This is the seal of Start: it waits 3 s for all joiners (CONSENSUS 1.9).
  package let isStart: Bool
  /// Voters may be taken out who have not left (S7).
  package let mayEvict: Bool

  /// Names the wish; sorts the leavers.
  package init(
    joiners: [PublicKey] = [], witnesses: [PublicKey] = [], successions: [Succession] = [],
    leavers: [PublicKey] = [], isStart: Bool = false, mayEvict: Bool = false
  ) {
    self.successions = successions
    self.witnesses = witnesses
    self.mayEvict = mayEvict
    self.joiners = joiners
    self.leavers = leavers.sorted()
    self.isStart = isStart
  }

  /// Nothing to change.
  package static let none = VoterWish()
}

/// The state machine that a log drives: pure, total and the same on every laptop.
///
/// A replica keeps one copy per block that is notarized but not final, and one for the final tip;
/// so an application is a value and cheap to copy.
package protocol Application: Sendable {
  /// Hash over canonical bytes of everything that later outcomes depend on.
  var stateHash: Digest { get }
  /// Judges membership and sequence only; no clock, no rule of the game.
  func admission(of entry: Entry) -> Admission
  /// Applies an entry whose admission is `.now`; total.
  mutating func apply(_ entry: Entry, at place: LogPlace) -> Outcome
  /// Ends an open deadline; throws when it is not open, with the state untouched.
  mutating func apply(deadline id: Digest, at place: LogPlace) throws(NotEffective)
  /// Notes new voters; throws, with the state untouched, when a joiner is not in `voterWish`, a
  /// leaver is neither there nor evicted, or somebody is evicted where none may be.
  mutating func apply(_ change: VoterChange, at place: LogPlace) throws(NotEffective)
  /// Only these voters vote from now on: the others could not be reached (CONSENSUS 1.7, Lost
  /// quorum); total. The place is that of the block it stands on, after all that is in it.
  mutating func recover(_ voters: [PublicKey], at place: LogPlace)
  /// The deadlines that are open.
  var deadlines: [Deadline] { get }
  /// Whether a pending entry would meet the deadline, so that a holder must not pass it.
  func meets(_ deadline: Digest, with entry: Entry) -> Bool
  /// The changes of voters this state wants.
  var voterWish: VoterWish { get }
  /// The identity behind a voter key, to know whom a link reaches.
  func identity(ofVoter key: PublicKey) -> PublicKey?
  /// The game is over: one empty block may settle the tip (CONSENSUS rule 6).
  var isOver: Bool { get }
}
