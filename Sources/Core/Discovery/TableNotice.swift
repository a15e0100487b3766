import CBOR
package import Wire

/// A public table that is open for joining, or to be watched, as the beacon of whoever runs it announces it.
package struct TableNotice: Hashable, Sendable {
  package let table: TableID
  /// Five digits, 00000 to 99999.
  package let code: Int
  package let title: String
  /// The game's name, for example `bingo`.
  package let game: String
  /// Edge of the board.
  package let size: Int
  /// Planned length in minutes.
  package let minutes: Int
  package let players: Int
  package let seats: Int
  /// Where and when it is to be played, if that was said.
  package let appointment: Appointment?
  /// Its game is being played, so that a seat is for who comes late.
  package let isPlaying: Bool
  /// A seat may be asked for.
  package let hasSeats: Bool
  /// People may look on.
  package let isWatchable: Bool

  /// Names the fields.
  package init(
    table: TableID, code: Int, title: String, game: String, size: Int, minutes: Int, players: Int,
    seats: Int, appointment: Appointment? = nil, isPlaying: Bool = false, hasSeats: Bool = true,
    isWatchable: Bool = false
  ) {
    self.table = table
    self.code = code
    self.title = title
    self.game = game
    self.size = size
    self.minutes = minutes
    self.players = players
    self.seats = seats
    self.appointment = appointment
    self.isPlaying = isPlaying
    self.hasSeats = hasSeats
    self.isWatchable = isWatchable
  }

  /// Reads the fields.
  init(_ item: CBOR) throws(DecodeError) {
    let parts = try item.array("notice", count: 8...10)
    table = try TableID(parts[0], "notice.table")
    code = try parts[1].int("notice.code", in: 0...99_999)
    title = try parts[2].text("notice.title", maximum: Limits.titleBytes)
    guard PlainText.isTitle(title) else { throw .outOfRange("notice.title") }
    game = try parts[3].text("notice.game", maximum: 16)
    guard PlainText.isClean(game) else { throw .outOfRange("notice.game") }
    size = try parts[4].int("notice.size", in: 0...99)
    minutes = try parts[5].int("notice.minutes", in: 0...999)
    players = try parts[6].int("notice.players", in: 0...999)
    seats = try parts[7].int("notice.seats", in: 0...999)
    var more = parts.dropFirst(8)
    if let item = more.first, (try? item.array("notice.appointment")) != nil {
      appointment = try Appointment(item, "notice.appointment")
      more = more.dropFirst()
    } else {
      appointment = nil
    }
    guard more.count < 2 else { throw .wrongCount("notice") }
    let flags = try more.first?.int("notice.flags", in: 1...7) ?? 0
    isPlaying = flags & 1 != 0
    hasSeats = flags & 2 == 0
    isWatchable = flags & 4 != 0
  }

  /// 1 while it is played, 2 without seats, 4 where people may look on; 0, which is left out, in an
  /// ordinary lobby.
  private var flags: Int { (isPlaying ? 1 : 0) + (hasSeats ? 0 : 2) + (isWatchable ? 4 : 0) }

  /// The fields in order.
  var cbor: CBOR {
    let fields: [CBOR] = [
      table.cbor, CBOR(code), .text(title), .text(game), CBOR(size), CBOR(minutes),
      CBOR(players), CBOR(seats),
    ]
    return .array(
      fields + (appointment.map { [$0.cbor] } ?? []) + (flags == 0 ? [] : [CBOR(flags)]))
  }
}
