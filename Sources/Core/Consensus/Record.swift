package import CBOR
internal import Wire

/// One thing a replica must not forget, as a row of a key-value table (CONSENSUS 1.5).
///
/// The Shell stores `(kind, key) -> value` under the table's id, a later row replacing an earlier
/// one, and deletes the row where `value` is nil. Rows become durable in the order in which they
/// were asked for: what a sync keeps is always a prefix.
package struct Record: Hashable, Sendable {
  /// What the row holds; the raw value is stored.
  package enum Kind: UInt8, Sendable, CaseIterable {
    /// A block's body, by its hash.
    case block = 0
    /// A certificate, by epoch, view, kind and block.
    case certificate = 1
    /// An own vote, by epoch, view and kind; never replaced by another.
    case vote = 2
    /// An epoch that began, by its number; the one before it is closed.
    case epoch = 3
    /// How long an open deadline has run here, by its id.
    case clock = 4
    /// This own voter key was seen to have signed what this log does not know.
    case amnesia = 5
    /// What proves that a voter lied, by its key.
    case evidence = 6
    /// A step of going on below a quorum, by the step and the recovery's id.
    case recovery = 8
  }

  package let kind: Kind
  package let key: [UInt8]
  /// Nil deletes the row.
  package let value: [UInt8]?
  /// No sync is needed for its sake; `persisted(through:)` may pass it before it is durable.
  package let isLazy: Bool

  init(_ kind: Kind, key: [UInt8], value: [UInt8]?, isLazy: Bool) {
    self.kind = kind
    self.key = key
    self.value = value
    self.isLazy = isLazy
  }

  /// Reads a stored row back; nil for a kind this version does not know.
  package init?(kind: UInt8, key: [UInt8], value: [UInt8]) {
    guard let kind = Kind(rawValue: kind) else { return nil }
    self.init(kind, key: key, value: value, isLazy: false)
  }
}

/// Why stored rows do not make a replica again; the table is then unreadable (CONSENSUS 1.5).
package enum RestoreError: Error, Equatable, Sendable {
  /// A row cannot be read.
  case malformed(Record.Kind, DecodeError)
  /// The rows contradict one another.
  case inconsistent(Record.Kind)
  /// The bytes of a row have changed on the disk; of which kind, where its key tells.
  case damaged(Record.Kind?)

  /// A stable name for counters and logs.
  package var code: String {
    switch self {
    case .malformed: "recordMalformed"
    case .inconsistent: "recordInconsistent"
    case .damaged: "recordDamaged"
    }
  }
}

extension Record {
  /// `epoch ‖ view ‖ kind`, numbers big-endian, so that rows lie in the order of the log.
  static func key(_ epoch: Digest, _ view: UInt64, _ kind: VoteKind) -> [UInt8] {
    epoch.bytes + bigEndian(view) + [kind.rawValue]
  }

  /// Takes `epoch ‖ view ‖ kind` apart.
  static func place(_ key: [UInt8]) -> (epoch: Digest, view: UInt64, kind: VoteKind)? {
    guard key.count == 41, let epoch = Digest(key[0..<32]), let kind = VoteKind(rawValue: key[40])
    else { return nil }
    return (epoch, key[32..<40].reduce(0) { $0 << 8 | UInt64($1) }, kind)
  }

  static func bigEndian(_ n: UInt64) -> [UInt8] {
    stride(from: UInt64(56), through: 0, by: -8).map { UInt8(truncatingIfNeeded: n >> $0) }
  }

  /// The body of a block; `isLazy` when no own vote rests on it.
  static func block(_ block: Block, isLazy: Bool) -> Record {
    Record(.block, key: block.hash.bytes, value: block.cbor.encoded, isLazy: isLazy)
  }

  static func certificate(_ certificate: Certificate, isLazy: Bool) -> Record {
    let subject = certificate.subject
    return Record(
      .certificate,
      key: key(subject.epoch, subject.view, subject.kind) + subject.block.bytes,
      value: certificate.cbor.encoded, isLazy: isLazy)
  }

  static func epoch(_ epoch: Epoch) -> Record {
    let value: CBOR = [
      epoch.id.cbor, epoch.anchor.cbor, .unsigned(epoch.anchorHeight),
      .array(epoch.voters.map(\.cbor)),
    ]
    return Record(.epoch, key: bigEndian(epoch.number), value: value.encoded, isLazy: true)
  }

  static func amnesia(of voter: PublicKey) -> Record {
    Record(.amnesia, key: voter.bytes, value: [], isLazy: false)
  }
  /// A proof, by the key that it is about.
  static func evidence(_ evidence: Evidence) -> Record {
    Record(.evidence, key: evidence.culprit.bytes, value: evidence.cbor.encoded, isLazy: false)
  }
}
