/// The layout of the database file and the way from each older layout to this one.
enum Schema {
  /// Marks the file as ours ("TabT"), so that a stranger's database is never written to.
  static let applicationID = 0x5461_6254

  /// The steps from an empty file to the present layout.
  ///
  /// The one at index n leads from version n to n + 1. Steps are only ever added.
  static let steps: [[String]] = [
    [
      """
      CREATE TABLE records (
        collection INTEGER NOT NULL, key BLOB NOT NULL, value BLOB NOT NULL,
        PRIMARY KEY (collection, key)
      ) WITHOUT ROWID
      """
    ],
    // Rows of before have none, and are taken as they are.
    ["ALTER TABLE records ADD COLUMN checksum INTEGER"],
  ]

  /// The version this program writes.
  static var version: Int { steps.count }

  /// Returns the version of the layout in the file; 0 when the file is empty.
  ///
  /// - Throws: `.newer` for a later version than ours, `.damaged` for a file that is not ours.
  static func versionFound(in connection: borrowing Connection) throws(StoreError) -> Int {
    let found = try connection.integer("PRAGMA user_version")
    let application = try connection.integer("PRAGMA application_id")
    let isEmpty = try connection.integer("SELECT count(*) FROM sqlite_schema") == 0
    if isEmpty, found == 0, application == 0 { return 0 }
    guard application == applicationID else {
      throw .damaged(reason: "the file is a database of another program")
    }
    guard found <= version else { throw .newer(version: found) }
    guard found > 0, !isEmpty else { throw .damaged(reason: "the file has no layout of ours") }
    return found
  }

  /// Brings the database from an older version to the present one, each step in a transaction.
  static func migrate(
    _ connection: borrowing Connection, from found: Int
  ) throws(StoreError) {
    for step in found..<version {
      try connection.execute("BEGIN IMMEDIATE")
      for sql in steps[step] { try connection.execute(sql) }
      try connection.execute("PRAGMA application_id = \(applicationID)")
      try connection.execute("PRAGMA user_version = \(step + 1)")
      try connection.execute("COMMIT")
    }
  }
}
