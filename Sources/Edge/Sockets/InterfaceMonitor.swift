package import Dispatch

/// Notices when the interfaces of this host change.
///
/// On Linux the kernel says so; everywhere `refresh`, called on an interval, finds out. Both read
/// the whole list and compare, so a change is reported once.
package final class InterfaceMonitor {
  /// The interfaces as last read, those the filter allows.
  package private(set) var interfaces: [NetworkInterface]
  private let filter: InterfaceFilter
  private let onChange: ([NetworkInterface]) -> Void
  private var notices: Descriptor?
  private var watch: Watch?
  private var buffer = [UInt8](repeating: 0, count: 8_192)

  /// Reads the list and starts to watch; `onChange` gets each new list on `queue`.
  package init(
    filter: InterfaceFilter, queue: DispatchQueue,
    onChange: @escaping ([NetworkInterface]) -> Void
  ) throws(SocketError) {
    self.filter = filter
    self.onChange = onChange
    self.interfaces = try Self.read(filter)
    // Where the kernel's notices are not to be had, the interval alone must do.
    guard let notices = try? System.interfaceChangeSocket() else { return }
    self.notices = notices
    watch = Watch(notices, .reading, queue: queue) { [weak self] in self?.noticed() }
    watch?.run()
  }

  /// Whether the system says when something changes; if not, only `refresh` finds out.
  package var isTold: Bool { watch != nil }

  /// Reads the list again and reports it if it differs from the last.
  package func refresh() throws(SocketError) {
    let found = try Self.read(filter)
    guard found != interfaces else { return }
    interfaces = found
    onChange(found)
  }

  /// Stops watching.
  package func close() {
    watch?.cancel()
    watch = nil
    notices = nil
  }

  private func noticed() {
    // What the notices say is not read: the whole list is. Bounded, as every loop on the queue.
    for _ in 0..<64 {
      guard let notices, let count = try? System.read(notices, into: &buffer), count > 0 else {
        break
      }
    }
    // A reading that fails is repeated at the caller's next interval.
    try? refresh()
  }

  private static func read(_ filter: InterfaceFilter) throws(SocketError) -> [NetworkInterface] {
    try NetworkInterface.all().filter { filter.allows(name: $0.name) }
  }
}
