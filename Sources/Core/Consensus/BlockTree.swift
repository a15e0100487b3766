internal import Wire

/// What the next block stands on: a place in the log and the application there.
struct Base<App: Application>: Sendable {
  let hash: Digest
  /// 0 for the anchor of an epoch.
  let view: UInt64
  let height: UInt64
  let emptyRun: UInt64
  /// A seal, or a flush block above one: only flush blocks may follow in this epoch.
  let isSealed: Bool
  let app: App
  /// The application's hash, made once.
  let stateHash: Digest

  init(
    hash: Digest, view: UInt64, height: UInt64, emptyRun: UInt64, isSealed: Bool, app: App
  ) {
    self.hash = hash
    self.view = view
    self.height = height
    self.emptyRun = emptyRun
    self.isSealed = isSealed
    self.app = app
    stateHash = app.stateHash
  }
}

/// Bodies above the highest final block of the epoch, each with a copy of the application once it
/// has been judged.
struct BlockTree<App: Application>: Sendable {
  /// What came of judging a block.
  enum Verdict: Sendable {
    case unjudged
    case valid(Base<App>, [Outcome])
    /// Invalid for ever.
    case shownFalse(code: String)
  }

  struct Node: Sendable {
    let block: Block
    var verdict: Verdict
    /// The body is, or is about to be, on disk.
    var isPersisted: Bool
  }

  /// The highest final block, or the anchor.
  private(set) var root: Base<App>
  private var nodes = SortedMap<Digest, Node>()

  init(root: Base<App>) { self.root = root }

  subscript(hash: Digest) -> Node? { nodes[hash] }

  /// All bodies, in no meaningful order.
  var all: [Node] { nodes.values }

  /// Keeps a body; one that is held stays as it is.
  mutating func insert(_ block: Block, verdict: Verdict = .unjudged, isPersisted: Bool = false) {
    if nodes[block.hash] == nil {
      nodes[block.hash] = Node(block: block, verdict: verdict, isPersisted: isPersisted)
    }
  }

  /// Notes what came of judging.
  mutating func note(_ verdict: Verdict, of hash: Digest) {
    nodes.update(hash, to: { $0.verdict = verdict })
  }

  /// Notes that the body is written.
  mutating func notePersisted(_ hash: Digest) {
    nodes.update(hash, to: { $0.isPersisted = true })
  }

  /// The base a judged block makes, or the root.
  func base(_ hash: Digest) -> Base<App>? {
    if hash == root.hash { return root }
    guard case .valid(let base, _) = nodes[hash]?.verdict else { return nil }
    return base
  }

  /// Bodies from just above the root up to a block; nil where one is missing or it stands elsewhere.
  func path(to hash: Digest) -> [Node]? {
    var path: [Node] = []
    var next = hash
    while next != root.hash {
      guard let node = nodes[next], node.block.view > root.view else { return nil }
      path.append(node)
      next = node.block.parent
    }
    return path.reversed()
  }

  /// The first body that is missing between a block and the root; nil when there is none.
  func missing(under hash: Digest) -> Digest? {
    var next = hash
    while next != root.hash {
      guard let node = nodes[next] else { return next }
      guard node.block.view > root.view else { return nil }
      next = node.block.parent
    }
    return nil
  }

  /// Moves the root up and drops all that does not stand on it.
  mutating func advance(to base: Base<App>) {
    root = base
    let old = nodes
    nodes.filter { hash, node in
      var next = node
      while next.block.view > base.view {
        if next.block.parent == base.hash { return true }
        guard let parent = old[next.block.parent] else { return true }
        next = parent
      }
      return false
    }
  }
}
