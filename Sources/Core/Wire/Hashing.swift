package import CBOR
internal import CSodium

/// What a hash or a signature is about; part of the bytes, so that no meaning passes for another.
package enum Tag: String, Sendable, CaseIterable {
  case genesis = "tabletalk/1 genesis"
  case epoch = "tabletalk/1 epoch"
  case entry = "tabletalk/1 entry"
  case block = "tabletalk/1 block"
  case vote = "tabletalk/1 vote"
  case passed = "tabletalk/1 passed"
  case ready = "tabletalk/1 ready"
  case evict = "tabletalk/1 evict"
  case recovery = "tabletalk/1 recovery"
  case assent = "tabletalk/1 assent"
  case deadline = "tabletalk/1 deadline"
  case state = "tabletalk/1 state"
  case beacon = "tabletalk/1 beacon"
  case commit = "tabletalk/1 commit"
  case draw = "tabletalk/1 draw"
  case board = "tabletalk/1 board"
  case link = "tabletalk/1 link"
  case privateAsk = "tabletalk/1 private ask"
  case privateAnswer = "tabletalk/1 private answer"
  case phrase = "tabletalk/1 phrase"
  case alias = "tabletalk/1 alias"
}

extension Digest {
  /// BLAKE2b-256 of plain bytes (libsodium `crypto_generichash`, RFC 7693).
  package init(ofBytes bytes: [UInt8]) {
    var out = [UInt8](repeating: 0, count: 32)
    let result = crypto_generichash(&out, 32, bytes, UInt64(bytes.count), nil, 0)
    guard result == 0, let digest = Digest(out) else { fatalError("BLAKE2b failed") }
    self = digest
  }

  /// BLAKE2b-256 of the deterministic encoding of `[tag, item...]`.
  package init(_ tag: Tag, _ items: CBOR...) { self.init(tag, items: items) }

  /// The same over a list.
  package init(_ tag: Tag, items: [CBOR]) {
    self.init(ofBytes: CBOR.array([.text(tag.rawValue)] + items).encoded)
  }
}

/// An unbounded, repeatable stream of bytes: BLAKE2b of a key and a counter.
///
/// Shuffles and choices draw from it by rejection, so no value is favoured.
package struct DigestStream: Sendable {
  private let key: Digest
  private var counter: UInt64 = 0
  private var block: [UInt8] = []
  private var used = 0

  /// Starts the stream that belongs to `key`.
  package init(key: Digest) { self.key = key }

  /// The next eight bytes as a big-endian number.
  package mutating func next() -> UInt64 {
    if used == block.count {
      block = Digest(.draw, key.cbor, .unsigned(counter)).bytes
      counter += 1
      used = 0
    }
    defer { used += 8 }
    return block[used..<used + 8].reduce(0) { $0 << 8 | UInt64($1) }
  }

  /// A number below `bound`, each equally likely; `bound` must be positive.
  package mutating func below(_ bound: Int) -> Int {
    invariant(bound > 0, "a choice among \(bound)")
    let limit = UInt64.max - UInt64.max % UInt64(bound)
    while true {
      let value = next()
      if value < limit { return Int(value % UInt64(bound)) }
    }
  }

  /// Shuffles in place: Fisher-Yates from the last element down.
  package mutating func shuffle<Element>(_ items: inout [Element]) {
    for index in stride(from: items.count - 1, to: 0, by: -1) {
      items.swapAt(index, below(index + 1))
    }
  }
}
