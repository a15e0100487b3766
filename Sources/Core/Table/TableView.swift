package import Games
package import Wire

/// What the page shows of a table: the `table` object of Protocol/local-api-state.md.
///
/// `Table.view(for:)` fills in what the log knows. What only the node knows stands at a neutral
/// value, for the node to replace: `invitation`, `presence`, `agrees`, `agreement`, `waiting`,
/// `away`, `proofs`, `successor`, `ageMs`, `atMs`, `seconds`, `same`; `details` is the node's alone.
package struct TableView: Encodable, Sendable, Hashable {
  /// A stable code with its sentence.
  package struct Notice: Encodable, Sendable, Hashable {
    package var code: String
    package var message: String

    /// Pairs a code with its sentence.
    package init(code: String, message: String) {
      self.code = code
      self.message = message
    }
  }

  /// Somebody's place at the table.
  package struct Seat: Encodable, Sendable, Hashable {
    /// Whether somebody can be reached.
    package enum Presence: String, Encodable, Sendable {
      case here
      case away
      case left
    }

    /// The identity; a pretend colleague's player key.
    package var key: PublicKey
    package var player: PublicKey
    package var name: String
    package var tag: String
    package var showTag: Bool
    package var me: Bool
    package var creator: Bool
    package var ready: Bool
    package var pretend: Bool
    package var presence: Presence
    package var left: Bool
    package var best: Int
    package var marked: Int
    package var oneAway: Bool
    package var agrees: Bool
    /// Runs the table.
    package var runs: Bool
    /// Came while the game was played.
    package var late: Bool
    /// Was taken off the table, and may be let back.
    package var takenOff: Bool
    /// Who it was, where it said so after an anonymous game.
    @OrNull package var shown: Shown?
  }

  /// Who was behind a seat of an anonymous table.
  package struct Shown: Encodable, Sendable, Hashable {
    package var key: PublicKey
    package var name: String
    package var tag: String
  }

  /// Somebody who looks on.
  package struct Watcher: Encodable, Sendable, Hashable {
    package var player: PublicKey
    package var name: String
    package var me: Bool
  }

  /// Whether the creator may start.
  package struct Start: Encodable, Sendable, Hashable {
    package var possible: Bool
    @OrNull package var code: String?
    @OrNull package var message: String?
  }

  /// Laptops that show the same agreed state.
  package struct Agreement: Encodable, Sendable, Hashable {
    package var agreeing: Int
    package var here: Int
    package var of: Int

    /// Names the three counts.
    package init(agreeing: Int, here: Int, of: Int) {
      self.agreeing = agreeing
      self.here = here
      self.of = of
    }
  }

  /// What the table waits for.
  package struct Waiting: Encodable, Sendable, Hashable {
    package var code: String
    package var message: String
    package var names: [String]
    package var choices: [String]
    /// The way on which `follow` leads, where that is one of the choices.
    package var way: String?

    /// Names what is waited for and what one may do.
    package init(
      code: String, message: String, names: [String], choices: [String], way: String? = nil
    ) {
      self.way = way
      self.code = code
      self.message = message
      self.names = names
      self.choices = choices
    }
  }

  /// Somebody whose laptop is proven to have lied.
  package struct Proof: Encodable, Sendable, Hashable {
    package var player: PublicKey
    package var name: String
    package var message: String

    /// Names whom it is about, and says what was done.
    package init(player: PublicKey, name: String, message: String) {
      self.player = player
      self.name = name
      self.message = message
    }
  }

  /// A line that somebody said.
  package struct ChatLine: Encodable, Sendable, Hashable {
    /// Counts from 0 on this laptop.
    package var index: Int
    /// Whose laptop said it.
    package var key: PublicKey
    package var text: String
    package var mine: Bool
    package var ageMs: UInt64

    /// Names the fields.
    package init(index: Int, key: PublicKey, text: String, mine: Bool, ageMs: UInt64) {
      self.index = index
      self.key = key
      self.text = text
      self.mine = mine
      self.ageMs = ageMs
    }
  }

  /// Something that happened.
  package struct FeedItem: Encodable, Sendable, Hashable {
    /// Counts from 0; an item keeps its number.
    package var index: Int
    package var kind: String
    package var who: [PublicKey]
    @OrNull package var word: String?
    package var confirms: Int
    package var denials: Int
    package var ageMs: UInt64
    /// Where it happened; not for the page.
    package var place: LogPlace

    private enum CodingKeys: CodingKey {
      case index, kind, who, word, confirms, denials, ageMs
    }
  }

  /// The table that came after.
  package struct Successor: Encodable, Sendable, Hashable {
    package var id: TableID
    package var code: String
    package var hostName: String
    package var kind: String

    /// Names the table that came after.
    package init(id: TableID, code: String, hostName: String, kind: String) {
      self.id = id
      self.code = code
      self.hostName = hostName
      self.kind = kind
    }
  }

  package var id: TableID
  package var code: String
  package var title: String
  /// Where and when it is to be played, in seconds since 1970; null where it was not said.
  @OrNull package var place: String?
  @OrNull package var startsAt: UInt64?
  package var game: GameKind
  package var phase: String
  @OrNull package var refusal: Notice?
  package var pretend: Bool
  /// Whether only people with the invitation can find it.
  package var isPrivate: Bool
  /// Whether three must all agree.
  package var isStrict: Bool
  /// Whether its log names nobody.
  package var isAnonymous: Bool
  package var invitation: String
  package var creatorKey: PublicKey
  package var mine: Bool
  package var maySet: Bool
  /// I run the table.
  package var mayRun: Bool
  /// Nobody new is let in.
  package var locked: Bool
  package var seats: [Seat]
  package var seatLimit: Int
  package var start: Start
  package var ready: Bool
  package var agreement: Agreement
  @OrNull package var waiting: Waiting?
  @OrNull package var promise: String?
  /// Names of those whose laptops help to agree without playing.
  package var witnesses: [String]
  /// Those who look on without a seat.
  package var watchers: [Watcher]
  package var away: [String]
  package var proofs: [Proof]
  package var feed: [FeedItem]
  /// What people say, the oldest first; the node's to fill in, like `maySay`.
  package var chat: [ChatLine] = []
  package var maySay = false
  @OrNull package var result: ResultView?
  @OrNull package var successor: Successor?
  /// The fields of the game: they stand beside the table's.
  package var play: AnyGameView

  private enum CodingKeys: CodingKey {
    case id, code, title, place, startsAt, game, phase, refusal, pretend, invitation, creatorKey
    case mine, maySet, `private`, strict, anonymous, mayRun, locked
    case seats, seatLimit, start, ready, agreement, waiting, promise, witnesses, watchers, away
    case proofs, feed, chat, maySay, result, successor
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(id, forKey: .id)
    try container.encode(code, forKey: .code)
    try container.encode(title, forKey: .title)
    try container.encode(place, forKey: .place)
    try container.encode(startsAt, forKey: .startsAt)
    try container.encode(game, forKey: .game)
    try container.encode(phase, forKey: .phase)
    try container.encode(refusal, forKey: .refusal)
    try container.encode(pretend, forKey: .pretend)
    try container.encode(isPrivate, forKey: .private)
    try container.encode(isStrict, forKey: .strict)
    try container.encode(isAnonymous, forKey: .anonymous)
    try container.encode(invitation, forKey: .invitation)
    try container.encode(creatorKey, forKey: .creatorKey)
    try container.encode(mine, forKey: .mine)
    try container.encode(maySet, forKey: .maySet)
    try container.encode(mayRun, forKey: .mayRun)
    try container.encode(locked, forKey: .locked)
    try container.encode(seats, forKey: .seats)
    try container.encode(seatLimit, forKey: .seatLimit)
    try container.encode(start, forKey: .start)
    try container.encode(ready, forKey: .ready)
    try container.encode(agreement, forKey: .agreement)
    try container.encode(waiting, forKey: .waiting)
    try container.encode(promise, forKey: .promise)
    try container.encode(witnesses, forKey: .witnesses)
    try container.encode(watchers, forKey: .watchers)
    try container.encode(away, forKey: .away)
    try container.encode(proofs, forKey: .proofs)
    try container.encode(feed, forKey: .feed)
    try container.encode(chat, forKey: .chat)
    try container.encode(maySay, forKey: .maySay)
    try container.encode(result, forKey: .result)
    try container.encode(successor, forKey: .successor)
    try play.encode(to: encoder)
  }
}

/// What the Result screen shows: `result` of Protocol/local-api-state.md.
package struct ResultView: Encodable, Sendable, Hashable {
  /// How the boards were drawn, for anyone to check.
  package struct Receipt: Encodable, Sendable, Hashable {
    /// Every opened secret fits what was laid down; a draw that does not is never dealt.
    package var checked: Bool
    /// The seed that the secrets came to.
    package var draw: Digest
    /// Whose secrets the boards come from.
    package var people: [PublicKey]
    /// Who has a board and had no say in the draw.
    package var silent: [PublicKey]
    /// Of the boards and words; nil in games without.
    @OrNull package var size: Int?
    @OrNull package var words: Int?
    @OrNull package var pool: Int?
  }

  /// Who wants to play again.
  package struct Rematch: Encodable, Sendable, Hashable {
    package var asked: [PublicKey]
    package var mine: Bool
  }

  package var kind: GameOutcome.Kind
  package var winners: [PublicKey]
  /// How long the game took, a second that has begun counted as one.
  package var seconds: Int
  package var same: TableView.Agreement
  @OrNull package var receipt: Receipt?
  package var rematch: Rematch
  /// The recap of the game: its fields stand beside these.
  package var recap: AnyResultView

  private enum CodingKeys: CodingKey {
    case kind, winners, seconds, same, receipt, rematch
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(kind, forKey: .kind)
    try container.encode(winners, forKey: .winners)
    try container.encode(seconds, forKey: .seconds)
    try container.encode(same, forKey: .same)
    try container.encode(receipt, forKey: .receipt)
    try container.encode(rematch, forKey: .rematch)
    try recap.encode(to: encoder)
  }
}
