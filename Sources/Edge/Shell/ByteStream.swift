import Sockets

/// What the bytes of a link travel on: a connection of its own, or another link.
protocol ByteStream: AnyObject {
  /// Bytes that wait to be sent below it.
  var pendingCount: Int { get }
  /// Takes bytes to be sent, all of them or none.
  func send(_ bytes: [UInt8]) -> StreamConnection.SendResult
  /// Hands nothing out until `resumeReading`.
  func pauseReading()
  /// Goes on handing out what has come.
  func resumeReading()
  /// Ends it at once.
  func close()
  /// Ends it after what waits has been sent.
  func finish()
}

extension StreamConnection: ByteStream {}
