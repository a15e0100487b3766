/// Every number that bounds what another node can make this one hold or do.
package enum Limits {
  /// Voters of a table (CONSENSUS 1.2: beyond 16 the votes would choke a Wi-Fi).
  package static let voters = 16
  /// Bytes of one entry's body: 500 words of 60 characters never travel in one entry but in the
  /// genesis; a suggested word, a settings change or a move stays far below.
  package static let entryBody = 4_096
  /// Keys that vouch for an entry besides its author: identity and voter key.
  package static let cosignatures = 2
  /// Entries of one author in the life of a table.
  package static let sequence: UInt64 = 1 << 32
  /// Entries in one block.
  package static let entriesPerBlock = 64
  /// Entries of one author in one block.
  package static let entriesPerAuthor = 16
  /// Bytes of the entries of one block together.
  package static let entryBytesPerBlock = 64 * 1_024
  /// Deadlines in one block.
  package static let deadlinesPerBlock = 32
  /// Nullifications that a block's justification may carry; more is refused, and the view before
  /// had to be settled by a block.
  package static let nullificationsPerBlock = 256
  /// Bytes of a whole proposal, and of every other message on a link.
  package static let message = 1_024 * 1_024
  /// Bytes of blocks in one answer to a request for the chain; one block always goes.
  package static let chainBytes = 512 * 1_024
  /// Blocks in one such answer.
  package static let chainBlocks = 256
  /// Views beyond the current one for which votes and certificates are kept one by one.
  package static let viewsAhead: UInt64 = 64
  /// Highest view, height and similar counters that are accepted at all.
  package static let counter: UInt64 = 1 << 48
  /// Entries that wait for their place, in all and from one author.
  package static let pool = 1_024
  package static let poolPerAuthor = 256
  /// Bytes of a genesis: 500 words of 60 characters at four bytes, and the rest.
  package static let genesis = 160 * 1_024
  /// Bytes of a name: 24 characters, four bytes each.
  package static let nameBytes = 96
  /// Bytes of a table's title: 40 characters, four bytes each.
  package static let titleBytes = 160
  /// Bytes of a table's place: 24 characters of two bytes each, so that three fit a beacon.
  package static let placeBytes = 48
  /// Bytes of a datagram: below every usual MTU, so that none is fragmented.
  package static let datagram = 1_200
}
