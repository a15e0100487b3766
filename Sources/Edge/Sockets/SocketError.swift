/// A system call on a socket that failed.
package struct SocketError: Error, Equatable, Sendable {
  /// The call, as the manual names it.
  package let call: String
  /// The value of `errno`.
  package let number: Int32

  /// Notes which call failed with which number.
  package init(call: String, number: Int32) {
    self.call = call
    self.number = number
  }

  /// The constant's name, such as "ECONNREFUSED"; a stable code for logs and programs.
  package var name: String {
    Known(number: number)?.rawValue ?? "E\(number)"
  }
}

extension SocketError: CustomStringConvertible {
  /// A sentence saying what happened and what to do next.
  package var description: String {
    let sentence = Known(number: number)?.sentence ?? "\(System.message(for: number))."
    return "\(sentence) (\(call): \(name))"
  }
}

extension SocketError {
  /// The failures worth a sentence of our own; the raw value is the constant's name.
  enum Known: String, CaseIterable {
    case refused = "ECONNREFUSED"
    case reset = "ECONNRESET"
    case aborted = "ECONNABORTED"
    case brokenPipe = "EPIPE"
    case timedOut = "ETIMEDOUT"
    case hostUnreachable = "EHOSTUNREACH"
    case networkUnreachable = "ENETUNREACH"
    case networkDown = "ENETDOWN"
    case addressInUse = "EADDRINUSE"
    case addressNotAvailable = "EADDRNOTAVAIL"
    case noPermission = "EACCES"
    case notPermitted = "EPERM"
    case tooLong = "EMSGSIZE"
    case tooManyFiles = "EMFILE"
    case tooManyFilesInSystem = "ENFILE"
    case noBuffers = "ENOBUFS"
    case noMemory = "ENOMEM"
    case noDevice = "ENODEV"
    case wouldBlock = "EAGAIN"
    case badDescriptor = "EBADF"
    case invalid = "EINVAL"

    init?(number: Int32) {
      guard let found = Self.allCases.first(where: { $0.number == number }) else { return nil }
      self = found
    }

    var number: Int32 { System.number(of: self) }

    var sentence: String {
      switch self {
      case .refused:
        "Nobody listens at this address. Check that Tabletalk runs there and that the port is right."
      case .reset, .aborted, .brokenPipe:
        "The other end closed the connection. It is tried again by itself."
      case .timedOut:
        "Nobody answered. Check the address, and that no firewall between the two drops the port."
      case .hostUnreachable:
        """
        The system sends nothing to this address. Check the address; on a Mac, allow Tabletalk \
        under System Settings, Privacy & Security, Local Network.
        """
      case .networkUnreachable, .networkDown:
        "This network is not connected. Connect to the network the others are on."
      case .addressInUse:
        "Another program uses this port. Stop it, or choose another with --port."
      case .addressNotAvailable:
        "This laptop does not have this address any more. The networks are read again."
      case .noPermission, .notPermitted:
        """
        The system does not permit this. Check the firewall; ports below 1024 need more rights, \
        so choose a higher one with --port.
        """
      case .tooLong: "The message is longer than the network carries. This is a fault of Tabletalk."
      case .tooManyFiles, .tooManyFilesInSystem:
        "Too many connections are open. New ones wait until others end."
      case .noBuffers, .noMemory: "The system is short of memory for networks. It is tried again."
      case .noDevice: "This network adapter is gone. Name one that exists with --interface."
      case .wouldBlock: "The system was not ready. It is tried again."
      case .badDescriptor, .invalid:
        "The system did not accept the request. This is a fault of Tabletalk."
      }
    }
  }
}
