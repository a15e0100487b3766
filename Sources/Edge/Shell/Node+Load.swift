import Dispatch
import Peer
import Wire

/// What measuring needs of a node beside its page.
extension Node {
  /// Puts entries into a table's log that its rules will find void; see `Peer.load`.
  package func load(_ table: String, count: Int) {
    guard let id = TableID(hex: table) else { return }
    let shell = shell
    shell.queue.sync { shell.assumeIsolated { $0.handle(.load(id, count: count)) } }
  }

  /// Calls back, on the node's queue, when an own entry has been signed.
  package func watchSigned(_ watch: @escaping @Sendable () -> Void) {
    let shell = shell
    shell.queue.sync { shell.assumeIsolated { $0.face?.watchSigned = watch } }
  }
}
