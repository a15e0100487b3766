/// Why a secret cannot be used.
package enum KeysError: Error, Equatable, Sendable {
  /// A stored secret has another length than its kind.
  case wrongLength(got: Int, expected: Int)
  /// A stored row is not one that this code wrote, or its public key does not follow from it.
  case damagedRow
  /// No secret of this name is held.
  case unknown
  /// A secret of this name is held already.
  case exists

  /// A stable name for logs and programs.
  package var code: String {
    switch self {
    case .wrongLength: "keyWrongLength"
    case .damagedRow: "keyDamaged"
    case .unknown: "keyUnknown"
    case .exists: "keyExists"
    }
  }

  /// One sentence that says what to do next.
  package var message: String {
    switch self {
    case .wrongLength(let got, let expected):
      """
      The key file has \(got) bytes instead of \(expected). Restore it from a copy, or move it \
      away to become somebody new.
      """
    case .damagedRow:
      "A stored key is damaged. Restore the data folder from a copy; other tables are not touched."
    case .unknown: "The key for this is not in the data folder. Join the table again."
    case .exists: "This key exists already. This is a fault of Tabletalk."
    }
  }
}
