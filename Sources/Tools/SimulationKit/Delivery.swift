internal import CBOR
internal import Consensus
internal import Wire

// What becomes of messages: who hears what, and when.
extension Simulation {
  mutating func send(_ message: TableMessage, from: Int, to recipients: Recipients) {
    let others = nodes.indices.filter { other in
      guard links[from][other].isUp else { return false }
      if case .peer(let peer) = recipients { return nodes[other].person.identity == peer }
      return true
    }
    guard !others.isEmpty else { return }
    if nodes[from].liar != nil { return twist(message, from: from, to: others) }
    guard let verified = try? message.verified(by: CheapSignatures()) else {
      guard nodes[from].isHonest else { return }
      return oracle.fail(.exclusiveVotes, "node \(from) sends what does not verify", at: now)
    }
    for other in others {
      if case .status = message {} else if nodes[from].isHonest { sent += 1 }
      dispatch(verified, from: from, to: other)
    }
  }

  /// A liar says to each what it likes.
  private mutating func twist(_ message: TableMessage, from: Int, to others: [Int]) {
    nodes[from].memory.note(message)
    guard isLying, var scene = scene(of: from), var liar = nodes[from].liar else {
      for other in others { lie(Lie(message, to: other), from: from) }
      return
    }
    for other in others {
      for said in liar.says(message, to: other, in: &scene) {
        lie(Lie(said, to: other), from: from)
      }
    }
    random = scene.random
    nodes[from].liar = liar
  }

  /// What nobody's keys have signed does not pass the door.
  private mutating func lie(_ lie: Lie, from: Int) {
    guard links[from][lie.other].isUp,
      let verified = try? lie.message.verified(by: CheapSignatures())
    else { return }
    if case .proposal(let block, _) = lie.message { oracle.saw(block) }
    dispatch(verified, from: from, to: lie.other)
  }

  /// A liar speaks of its own accord.
  mutating func lie(_ node: Int) {
    guard isLying else { return }
    queue.push(.lie(node), at: now + random.number(50...600))
    guard nodes[node].pausedUntil <= now, var scene = scene(of: node), var liar = nodes[node].liar
    else { return }
    let lies = liar.acts(in: &scene)
    random = scene.random
    nodes[node].liar = liar
    for item in lies {
      nodes[node].memory.note(item.message)
      lie(item, from: node)
    }
  }

  private func scene(of node: Int) -> Scene? {
    guard let replica = nodes[node].replica else { return nil }
    let height = replica.finalHeight
    return Scene(
      person: nodes[node].person, table: founding.table, epoch: replica.epoch,
      view: replica.view, status: replica.status,
      tail: replica.chain(above: height > 3 ? height - 3 : 0),
      deadlines: replica.app.deadlines.map(\.id),
      others: nodes.indices.filter { links[node][$0].isUp }, now: now, random: random,
      memory: nodes[node].memory)
  }

  private mutating func dispatch(_ verified: Verified<TableMessage>, from: Int, to: Int) {
    let message = verified.body
    fold(4, UInt64(from) << 8 | UInt64(to), UInt64(message.kindNumber))
    let link = links[from][to]
    guard !link.isBlocked, !loses(message, from, to) else { return }
    var verified = verified
    if isStormy {
      if happens(.loss) { return }
      if weather[.garble] > 0, happens(.garble) {
        guard let other = garbled(message) else { return }
        verified = other
      }
    }
    let copies = isStormy && happens(.double) ? 2 : 1
    for _ in 0..<copies {
      let time = max(now, link.cloggedUntil) + random.number(1...weather.delay)
      queue.push(.deliver(verified, from: from, to: to, link: link.session), at: time)
    }
  }

  /// Counts and reports whether a fault of messages strikes.
  private mutating func happens(_ fault: Fault) -> Bool {
    guard random.chance(weather[fault]) else { return false }
    faults[fault] += 1
    return true
  }

  /// The message with some bytes changed, if anything would still take it for one: links are
  /// encrypted and would notice, but nothing may rest on that.
  private mutating func garbled(_ message: TableMessage) -> Verified<TableMessage>? {
    var bytes = message.cbor.encoded
    for _ in 0...random.below(3) {
      bytes[random.below(bytes.count)] ^= UInt8(truncatingIfNeeded: random.next() | 1)
    }
    if random.chance(20) { bytes.removeLast(random.below(bytes.count)) }
    return try? door(bytes)?.verified(by: CheapSignatures())
  }

  mutating func deliver(_ message: Verified<TableMessage>, from: Int, to: Int) {
    if nodes[to].liar != nil {
      nodes[to].memory.note(message.body)
      if isLying, var scene = scene(of: to), var liar = nodes[to].liar {
        let hears = liar.hears(message.body, from: from, in: &scene)
        random = scene.random
        nodes[to].liar = liar
        guard hears else { return }
      }
    }
    step(to, .received(message, from: nodes[from].person.identity))
  }
}

extension TableMessage {
  /// Its kind as a number, for the trace.
  var kindNumber: Int {
    switch self {
    case .vote: 0
    case .certificate: 1
    case .proposal: 2
    case .entry: 3
    case .passed: 4
    case .ready: 5
    case .status: 6
    case .getChain: 7
    case .chain: 8
    case .getBlock: 9
    case .block: 10
    case .evidence: 11
    case .evict: 12
    case .wish: 16
    case .recovery: 17
    case .assent: 18
    }
  }
}
