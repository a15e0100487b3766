import Discovery
import Dispatch
import Sockets
import Testing

/// A plain TCP client that says what it is told and notices when it is shut out.
final class RawPeer: @unchecked Sendable {
  private let queue = DispatchQueue(label: "test.raw")
  private var connection: StreamConnection?
  private var received: [UInt8] = []
  private var end: StreamEnd?

  init(to endpoint: Address) throws {
    try queue.sync {
      connection = try StreamConnection(to: endpoint, queue: queue) { [weak self] event in
        guard let self else { return }
        switch event {
        case .connected: break
        case .bytes(let bytes): received += bytes
        case .closed(let reason): end = reason
        }
      }
    }
  }

  deinit {
    // The last to let go may be the connection itself, on its own queue: to wait for it would be for ever.
    nonisolated(unsafe) let held = connection
    queue.async { _ = held }
  }

  func send(_ bytes: [UInt8]) {
    queue.sync { _ = connection?.send(bytes) }
  }

  var isShutOut: Bool { queue.sync { end != nil } }
  var bytes: [UInt8] { queue.sync { received } }
}

/// Stands between two nodes and flips one byte of what the dialling one sends.
final class FlippingProxy: @unchecked Sendable {
  private let queue = DispatchQueue(label: "test.proxy")
  private let flipAt: Int
  private var listener: StreamListener?
  private var near: StreamConnection?
  private var far: StreamConnection?
  private var position = 0

  /// Forwards to `target`, flipping the byte number `flipAt` of the dialling side.
  init(to target: Address, flipAt: Int) {
    self.flipAt = flipAt
    self.target = target
  }

  private let target: Address

  deinit {
    nonisolated(unsafe) let held = (listener, near, far)
    queue.async { _ = held }
  }

  func listen() throws -> Address {
    try queue.sync {
      let made = try StreamListener(
        port: 0, filter: InterfaceFilter(names: [loopbackName]), queue: queue,
        onTrouble: { error in Issue.record("\(error)") },
        onConnection: { [weak self] accepted in self?.forward(accepted) })
      listener = made
      return Address(host: .loopback, port: made.local.port)
    }
  }

  private func forward(_ accepted: AcceptedStream) {
    near = try? StreamConnection(accepted, queue: queue) { [weak self] event in
      guard let self else { return }
      switch event {
      case .connected: break
      case .bytes(var bytes):
        let offset = flipAt - position
        if bytes.indices.contains(offset) { bytes[offset] ^= 1 }
        position += bytes.count
        _ = far?.send(bytes)
      case .closed: far?.close()
      }
    }
    far = try? StreamConnection(to: target, queue: queue) { [weak self] event in
      guard let self else { return }
      switch event {
      case .connected: break
      case .bytes(let bytes): _ = near?.send(bytes)
      case .closed: near?.close()
      }
    }
  }
}
