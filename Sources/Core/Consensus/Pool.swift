internal import Wire

/// Entries that are not in the final log yet.
///
/// Of one author and sequence the first is kept; an entry leaves only when its sequence is used in
/// the final state, or the final state says that it never fits (CONSENSUS 1.3).
struct Pool: Sendable {
  private struct Place: Comparable, Sendable {
    let author: PublicKey
    let sequence: UInt64

    static func < (left: Place, right: Place) -> Bool {
      (left.author, left.sequence) < (right.author, right.sequence)
    }
  }

  private var entries = SortedMap<Place, Entry>()
  private var order: [Place] = []

  var isEmpty: Bool { order.isEmpty }

  /// In the order in which they came.
  var inOrder: [Entry] { order.compactMap { entries[$0] } }

  /// Entries of one author, in order of sequence.
  func entries(by author: PublicKey) -> [Entry] {
    var out: [Entry] = []
    for index in entries.firstIndex(notBelow: Place(author: author, sequence: 0))..<entries.count {
      guard entries.keys[index].author == author else { break }
      out.append(entries.values[index])
    }
    return out
  }

  /// Whether exactly this entry waits here.
  func holds(_ entry: Entry) -> Bool {
    entries[Place(author: entry.author, sequence: entry.sequence)] == entry
  }

  /// What became of an entry that was offered.
  enum Inserted: Equatable {
    case new
    case known
    case refused(code: String)
  }

  /// Takes an entry in; one's own is taken even when strangers have filled the pool.
  mutating func insert(_ entry: Entry, isOwn: Bool = false) -> Inserted {
    let place = Place(author: entry.author, sequence: entry.sequence)
    if let held = entries[place] {
      return held == entry ? .known : .refused(code: "sequenceTaken")
    }
    guard isOwn || order.count < Limits.pool else { return .refused(code: "poolFull") }
    guard isOwn || entries(by: entry.author).count < Limits.poolPerAuthor else {
      return .refused(code: "poolFullOfAuthor")
    }
    entries[place] = entry
    order.append(place)
    return .new
  }

  /// Drops what the final state will never take.
  mutating func prune(with app: some Application) {
    guard !order.isEmpty else { return }
    entries.filter { _, entry in
      if case .never = app.admission(of: entry) { false } else { true }
    }
    if entries.count < order.count { order = order.filter { entries[$0] != nil } }
  }

  /// Whether any entry may stand in the log next.
  func hasAdmissible(in app: some Application) -> Bool {
    entries.values.contains { app.admission(of: $0) == .now }
  }

  /// Everything admissible, applied in the order in which it came, within the limits of a block.
  func batch<App: Application>(
    applyingTo app: inout App, height: UInt64
  ) -> [(entry: Entry, outcome: Outcome)] {
    var batch: [(entry: Entry, outcome: Outcome)] = []
    var perAuthor = SortedMap<PublicKey, Int>()
    var bytes = 0
    var rest = inOrder
    var progress = true
    while progress && batch.count < Limits.entriesPerBlock {
      progress = false
      var later: [Entry] = []
      for entry in rest {
        let used = perAuthor[entry.author] ?? 0
        guard used < Limits.entriesPerAuthor, batch.count < Limits.entriesPerBlock,
          bytes + entry.body.count <= Limits.entryBytesPerBlock
        else { continue }
        switch breaks("R2.1-order") ? .now : app.admission(of: entry) {
        case .never: continue
        case .later: later.append(entry)
        case .now:
          let place = LogPlace(height: height, index: UInt64(batch.count))
          batch.append((entry, app.apply(entry, at: place)))
          perAuthor[entry.author] = used + 1
          bytes += entry.body.count
          progress = true
        }
      }
      rest = later
    }
    return batch
  }
}
