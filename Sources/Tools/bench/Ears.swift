import Discovery
import Dispatch
import Sockets
import Synchronization
import Wire

/// Hears and counts beacons.
final class Ears {
  /// What was heard of one node.
  struct Count: Sendable {
    var node: PublicKey
    var datagrams = 0
    var bytes = 0
  }

  private final class Heard: Sendable {
    let counts = Mutex<[Count]>([])

    func note(_ node: PublicKey, _ bytes: Int) {
      counts.withLock { counts in
        let index = counts.firstIndex { $0.node == node } ?? counts.count
        if index == counts.count { counts.append(Count(node: node)) }
        counts[index].datagrams += 1
        counts[index].bytes += bytes
      }
    }
  }

  private let heard = Heard()
  private let listener: DatagramListener

  init() throws {
    listener = try DatagramListener(
      port: 47_474, filter: InterfaceFilter(names: [IdleBench.loopback]), limit: Limits.datagram,
      queue: DispatchQueue(label: "bench.ears")
    ) { [heard] datagram in
      guard let beacon = try? Beacon(datagram: datagram.bytes) else { return }
      heard.note(beacon.identity, datagram.bytes.count)
    }
  }

  /// What was heard since it was last asked.
  func take() -> [Count] {
    heard.counts.withLock { counts in
      defer { counts = [] }
      return counts
    }
  }
}
