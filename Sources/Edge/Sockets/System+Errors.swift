#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Results and error numbers.
extension System {
  /// Runs a call that may find nothing to do, and returns nil then.
  ///
  /// One that a signal interrupts is repeated.
  static func attempt(_ call: String, _ body: () -> Int) throws(SocketError) -> Int? {
    while true {
      let result = body()
      let number = errno
      if result >= 0 { return result }
      if number == EINTR { continue }
      if number == EAGAIN || number == EWOULDBLOCK { return nil }
      throw SocketError(call: call, number: number)
    }
  }

  /// Turns a negative result into the error it stands for.
  @discardableResult
  static func check<Result: SignedInteger>(
    _ call: String, _ result: Result
  ) throws(SocketError) -> Result {
    guard result < 0 else { return result }
    throw SocketError(call: call, number: errno)
  }

  /// The system's own words for an error.
  static func message(for number: Int32) -> String {
    var text = [CChar](repeating: 0, count: 256)
    guard strerror_r(number, &text, text.count) == 0 else { return "Error \(number)" }
    return string(text)
  }

  static func string(_ text: [CChar]) -> String {
    String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  static func number(of known: SocketError.Known) -> Int32 {
    switch known {
    case .refused: ECONNREFUSED
    case .reset: ECONNRESET
    case .aborted: ECONNABORTED
    case .brokenPipe: EPIPE
    case .timedOut: ETIMEDOUT
    case .hostUnreachable: EHOSTUNREACH
    case .networkUnreachable: ENETUNREACH
    case .networkDown: ENETDOWN
    case .addressInUse: EADDRINUSE
    case .addressNotAvailable: EADDRNOTAVAIL
    case .noPermission: EACCES
    case .notPermitted: EPERM
    case .tooLong: EMSGSIZE
    case .tooManyFiles: EMFILE
    case .tooManyFilesInSystem: ENFILE
    case .noBuffers: ENOBUFS
    case .noMemory: ENOMEM
    case .noDevice: ENODEV
    case .wouldBlock: EAGAIN
    case .badDescriptor: EBADF
    case .invalid: EINVAL
    }
  }
}
