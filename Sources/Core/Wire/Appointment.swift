package import CBOR

/// Where and when a table is meant to be played, as its creator said (PRODUCT B25, B37).
///
/// For people to read and to be reminded of: no rule looks at either. At least one of the two is there.
package struct Appointment: Hashable, Sendable {
  /// A place in the building, such as "Floor 4": 1 to 24 characters.
  package let place: String?
  /// Seconds since 1970, UTC.
  package let startsAt: UInt64?

  /// Pairs a place with a time; nil where both are missing or the place cannot be one.
  package init?(place: String?, startsAt: UInt64?) {
    guard place != nil || startsAt != nil, place.map(Appointment.isPlace) ?? true,
      (startsAt ?? 0) <= Limits.counter
    else { return nil }
    self.place = place
    self.startsAt = startsAt
  }

  /// Whether a text can be a place: clean, 1 to 24 long, at most `Limits.placeBytes`.
  package static func isPlace(_ text: String) -> Bool {
    text.utf8.count <= Limits.placeBytes && PlainText.isClean(text)
      && (1...24).contains(PlainText.length(text))
  }

  /// Reads `[place or null, time or null]`.
  package init(_ item: CBOR, _ field: String) throws(DecodeError) {
    let parts = try item.array(field, exactly: 2)
    let made = Appointment(
      place: parts[0].isNull
        ? nil : try parts[0].text("\(field).place", maximum: Limits.placeBytes),
      startsAt: parts[1].isNull
        ? nil : try parts[1].unsigned("\(field).startsAt", maximum: Limits.counter))
    guard let made else { throw .outOfRange(field) }
    self = made
  }

  /// The two in order.
  package var cbor: CBOR {
    [place.map { .text($0) } ?? .null, startsAt.map { .unsigned($0) } ?? .null]
  }
}
