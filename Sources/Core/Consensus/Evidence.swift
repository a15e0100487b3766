package import Wire

extension Evidence {
  /// Whether it proves that its voter lied: a pure question, for anybody who holds the epoch.
  ///
  /// Its signatures have been checked before, at the door.
  package func verifies(in epoch: Epoch) -> Bool {
    guard self.epoch == epoch.id, epoch.has(culprit) else { return false }
    switch self {
    case .votes(let vote, let other):
      return vote.voter == other.voter && Evidence.contradict(vote.subject, other.subject)
    case .unjustified(let vote, let block):
      let subject = vote.subject
      return subject.kind != .nullify && subject.table == block.table && block.epoch == epoch.id
        && subject.block == block.hash && subject.view == block.view
        && block.change?.evictions.isEmpty != false
        && block.faultOfJustification(in: epoch) != nil
    }
  }

  /// The votes in it.
  var votes: [Vote] {
    switch self {
    case .votes(let vote, let other): [vote, other]
    case .unjustified(let vote, _): [vote]
    }
  }

  /// What a voter lied in, that two certificates show of each who signed both.
  static func between(_ left: Certificate, _ right: Certificate) -> [Evidence] {
    guard contradict(left.subject, right.subject) else { return [] }
    return left.votes.compactMap { vote in
      right.votes.first { $0.voter == vote.voter }.map { between(vote, $0) }
    }
  }
}

extension Block {
  /// Why its `just` does not allow its place in an epoch; nil when it does (R2.4).
  ///
  /// Nothing but the epoch is asked, so that everybody finds the same. Whether a finalization of the
  /// old seal is the right one needs the log and is judged elsewhere.
  package func faultOfJustification(in epoch: Epoch) -> String? {
    let just = justification
    guard view > parentView else { return "justParent" }
    if parentView == 0 {
      guard just.parent == nil, parent == epoch.anchor else { return "justParent" }
    } else {
      guard let certificate = just.parent, certificate.subject.kind != .nullify,
        certificate.subject.block == parent, certificate.subject.view == parentView,
        epoch.holds(certificate)
      else { return "justParent" }
    }
    let needsOldSeal = parentView == 0 && isSeal && epoch.startsFromSeal
    guard (just.oldSeal != nil) == needsOldSeal else { return "justOldSeal" }
    guard UInt64(just.nullifications.count) == view - parentView - 1 else {
      return "justNullifications"
    }
    for (offset, nullification) in just.nullifications.enumerated() {
      guard nullification.subject.kind == .nullify, epoch.holds(nullification),
        nullification.subject.view == parentView + 1 + UInt64(offset)
      else { return "justNullifications" }
    }
    return nil
  }
}
