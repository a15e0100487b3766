internal import Wire

/// A finalization that conflicts with the own log, and the bodies below it as far as they came.
struct Fork: Sendable {
  let proof: Certificate
  /// Index of its epoch.
  let epoch: Int
  /// From the block that it makes final downwards.
  var bodies: [Block] = []
  /// The body that is to come; nil when the chains have met, or will never.
  var next: Digest?
  /// How often that body has been asked for.
  var asked = 0

  /// A body that nobody has is asked for no more often.
  static let mostAsked = 8
  /// Bodies of one such chain that are looked at.
  static let mostBodies = 256

  /// All that its chain quotes, and its own proof.
  var certificates: [Certificate] { [proof] + bodies.flatMap(\.justification.certificates) }
}

// Who lied, when two chains are final (R6.3): their certificates contradict one another somewhere.
extension Replica {
  /// Begins to look for who made a conflicting finalization.
  mutating func examine(_ proof: Certificate, in epoch: Int) {
    guard forks.count < 16, !forks.contains(where: { $0.proof.subject == proof.subject }),
      ledger.epochs[epoch].holds(proof)
    else { return }
    forks.append(Fork(proof: proof, epoch: epoch, next: proof.subject.block))
    follow(forks.count - 1)
  }

  /// A closed epoch's finalization at a view where the log has another block, or none.
  mutating func examineOld(_ certificate: Certificate) {
    let subject = certificate.subject
    guard subject.kind == .finalize,
      let number = ledger.epochs.firstIndex(where: { $0.id == subject.epoch }),
      number < ledger.epochs.count - 1, ledger.item(subject.block) == nil,
      subject.view <= ledger.lastView(of: number)
    else { return }
    examine(certificate, in: number)
  }

  /// Takes in a body that was asked for to see where chains part; whether it was one.
  mutating func takeForked(_ block: Block) -> Bool {
    guard let index = forks.firstIndex(where: { $0.next == block.hash }) else { return false }
    add(block, to: index)
    follow(index)
    if forks[index].epoch == ledger.epochs.count - 1 { judgeConflict(forks[index].proof) }
    return true
  }

  /// Somebody is linked who may have the bodies of another chain that nobody had.
  mutating func askAgain() {
    for index in forks.indices { forks[index].asked = 0 }
  }

  /// View and hash of what a block of a conflicting chain stands on.
  func forkedParent(of hash: Digest) -> (view: UInt64, hash: Digest)? {
    for fork in forks {
      if let block = fork.bodies.first(where: { $0.hash == hash }) {
        return (block.parentView, block.parent)
      }
    }
    return nil
  }

  /// Goes down as far as bodies are here.
  private mutating func follow(_ index: Int) {
    while let next = forks[index].next, let node = tree[next] { add(node.block, to: index) }
    blame(forks[index])
  }

  private mutating func add(_ block: Block, to index: Int) {
    let fork = forks[index]
    forks[index].bodies.append(block)
    forks[index].asked = 0
    wanted[block.hash] = nil
    let isOver =
      block.epoch != ledger.epochs[fork.epoch].id || block.parentView == 0
      || ledger.item(block.parent) != nil || fork.bodies.count + 1 >= Fork.mostBodies
    forks[index].next = isOver ? nil : block.parent
  }

  private mutating func blame(_ fork: Fork) {
    let epoch = ledger.epochs[fork.epoch]
    let shown = fork.certificates.filter(epoch.holds)
    for certificate in shown {
      let view = certificate.subject.view
      var held = ledger.certificates(in: fork.epoch, at: view)
      if epoch.id == self.epoch.id { held += rounds[view]?.certificates ?? [] }
      for other in held {
        for evidence in Evidence.between(other, certificate) { accuse(evidence) }
      }
    }
    for block in fork.bodies where block.faultOfJustification(in: epoch) != nil {
      for certificate in shown where certificate.subject.block == block.hash {
        for vote in certificate.votes { accuse(.unjustified(vote, block)) }
      }
    }
  }

  /// Bodies that are missing to see where chains part.
  var missingOfForks: [Digest] {
    forks.compactMap { $0.asked < Fork.mostAsked ? $0.next : nil }
  }

  /// Counts how often a body was asked for.
  mutating func noteAsked(_ hash: Digest) {
    for index in forks.indices where forks[index].next == hash { forks[index].asked += 1 }
  }
}

extension Ledger {
  /// What the log proves of a view of an epoch: its final block's certificates, or the nullification
  /// that the next block quotes.
  func certificates(in epoch: Int, at view: UInt64) -> [Certificate] {
    let index = firstItem(in: epoch, notBelow: view)
    guard index < items.count, items[index].epoch == epoch else { return [] }
    let item = items[index]
    if item.block.view > view {
      return item.block.justification.nullifications.filter { $0.subject.view == view }
    }
    let next = index + 1 < items.count && items[index + 1].epoch == epoch ? items[index + 1] : nil
    return [item.notarization, item.finalization, next?.block.justification.parent]
      .compactMap { $0 }
  }

  /// The highest view of an epoch with a final block here; 0 for none.
  func lastView(of epoch: Int) -> UInt64 {
    let index = firstItem(in: epoch + 1, notBelow: 0)
    guard index > 0, items[index - 1].epoch == epoch else { return 0 }
    return items[index - 1].block.view
  }

  /// Epochs and, within one, views ascend along the log.
  private func firstItem(in epoch: Int, notBelow view: UInt64) -> Int {
    var low = 0
    var high = items.count
    while low < high {
      let middle = (low + high) / 2
      let item = items[middle]
      if (item.epoch, item.block.view) < (epoch, view) { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
