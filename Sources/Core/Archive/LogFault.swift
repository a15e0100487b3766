package import Wire
import CBOR
import Consensus

/// The first fault of a file that does not prove a log: a stable code, and a sentence for people.
package struct LogFault: Error, Hashable, Sendable, Encodable {
  package let code: String
  package let message: String
  /// The block that it is in; nil where it is in none.
  @OrNull package var block: UInt64?

  /// Names a fault.
  package init(_ code: String, _ message: String, block: UInt64? = nil) {
    self.code = code
    self.message = message
    self.block = block
  }

  static let notALog = LogFault(
    "notALog", "This is not a log that Tabletalk saved.")
  static let otherVersion = LogFault(
    "otherVersion",
    "This log was saved by another version of Tabletalk. Verify it with the newest one.")
  static let cutShort = LogFault(
    "cutShort", "The file ends before the log does: a part of it is missing.")
  static let moreAfterEnd = LogFault(
    "moreAfterEnd", "The file goes on after the end of the log.")
  static let otherEnd = LogFault(
    "otherEnd", "The last row promises another log than the rows before it.")
  static let outOfOrder = LogFault(
    "outOfOrder", "The rows of the file are not in the order of a log.")
  static let evidenceProvesNothing = LogFault(
    "evidenceProvesNothing", "The file accuses somebody with votes that prove no lie.")
  static let genesisSignature = LogFault(
    "genesisSignature", "The table's first page is not signed by whoever made the table.")

  /// A row that cannot be read.
  init(_ error: DecodeError, row: Int) {
    if case .truncated = error {
      self = .cutShort
    } else {
      self.init(
        error.code, "Row \(row) of the file is not what a log holds, so it was changed or damaged.")
    }
  }

  /// Something in a block is not signed as it says.
  init(_ error: WireError, at height: UInt64) {
    self.init(
      error.code, "Block \(height) holds a signature that is not by the key it names.",
      block: height)
  }

  /// A rule that a block breaks.
  init(_ fault: AuditFault) {
    let sentence = LogFault.sentences.first { $0.code == fault.code }?.sentence
    self.init(
      fault.code,
      "Block \(fault.height) \(sentence ?? "breaks a rule of the log"), so it cannot stand there.",
      block: fault.height)
  }

  /// What each rule of the log says of a block that breaks it.
  package static let sentences: [(code: String, sentence: String)] = [
    ("otherTable", "belongs to another table"),
    ("blockElsewhere", "belongs to another table or to other voters"),
    ("blockOtherEpoch", "belongs to voters whose turn it was not"),
    ("blockParent", "does not stand on the block before it"),
    ("blockView", "is of a turn that was over"),
    ("blockHeight", "has the wrong number"),
    ("blockState", "starts from another state of the game than the one before it left"),
    ("blockEmptyRun", "counts empty blocks wrongly"),
    ("blockTooManyEmpty", "is one empty block too many"),
    ("blockAfterSeal", "holds something after a change of voters"),
    ("blockTooLarge", "is larger than blocks may be"),
    ("blockTooManyOfAuthor", "holds too much of one player"),
    ("blockConflicts", "contradicts what was final before it"),
    ("justParent", "lacks the votes for the block before it"),
    ("justOldSeal", "lacks the votes for the last change of voters"),
    ("justNullifications", "lacks the votes that let it skip a turn"),
    ("entryNotAdmissible", "holds an act that was not its player's next"),
    ("deadlineNotQuorum", "ends a time for which too few laptops said that it was over"),
    ("deadlineNotOpen", "ends a time that did not run"),
    ("sealTooNarrow", "changes the voters with too few of those who stay"),
    ("sealReady", "lets somebody vote who did not ask to"),
    ("sealLeaver", "ends the vote of somebody who had none"),
    ("sealTooManyVoters", "makes more voters than a table may have"),
    ("sealNotEffective", "changes the voters as nobody asked for"),
    ("recoveryOther", "is left by people who did not vote there or did not all sign"),
    ("certificateOther", "carries votes for another block"),
    ("certificateNotQuorum", "carries votes that are too few or not of voters"),
    ("conflictingFinal", "is final beside another block of the same place"),
    ("notFinal", "was never voted final"),
  ]
}
