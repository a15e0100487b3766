import CBOR
package import Wire

/// A public table that is open for joining, as its creator's beacon announces it.
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

  /// Names the fields.
  package init(
    table: TableID, code: Int, title: String, game: String, size: Int, minutes: Int, players: Int,
    seats: Int, appointment: Appointment? = nil
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
  }

  /// Reads the fields.
  init(_ item: CBOR) throws(DecodeError) {
    let parts = try item.array("notice", count: 8...9)
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
    appointment = parts.count == 9 ? try Appointment(parts[8], "notice.appointment") : nil
  }

  /// The fields in order.
  var cbor: CBOR {
    let fields: [CBOR] = [
      table.cbor, CBOR(code), .text(title), .text(game), CBOR(size), CBOR(minutes),
      CBOR(players), CBOR(seats),
    ]
    return .array(fields + (appointment.map { [$0.cbor] } ?? []))
  }
}
