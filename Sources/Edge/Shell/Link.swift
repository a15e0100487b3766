import Discovery
import SecureChannel
import Sockets
import Wire

/// One link of a `LinkSet`: what it travels on and how far its encryption has come.
final class Link {
  /// Where a link leads that travels on another.
  struct Route {
    let stream: RelayedStream
    /// Who passes it on: the peer of the link it travels on.
    let relay: PublicKey

    var channel: RelayedStream.Channel { stream.channel }
    /// Whose budget is charged for what comes on it.
    var payer: LinkBudgets.Payer { .channel(channel.peer, through: relay) }
  }

  let id: LinkID
  /// The other end of the connection; of the one that carries it, if the link is relayed.
  let remote: Address
  let isOutbound: Bool
  var stream: (any ByteStream)?
  /// Nil for a link with a connection of its own.
  var route: Route?
  var reader = RecordReader()
  /// There until the other end has proven its identity.
  var handshake: Handshake?
  /// There from then on.
  var transport: Transport?
  var identity: PublicKey?
  /// Ends a handshake that takes too long; later, resumes reading when the budget is refilled.
  var alarm: Alarm?
  /// Bytes of a frame that has begun and not come to its end.
  var unfinished = 0

  init(id: LinkID, remote: Address, isOutbound: Bool, local: LinkIdentity) {
    self.id = id
    self.remote = remote
    self.isOutbound = isOutbound
    self.handshake = Handshake(role: isOutbound ? .initiator : .responder, local: local)
  }

  /// The other end has dialled, and not yet said who it is.
  var isHalfOpen: Bool { !isOutbound && identity == nil }

  /// The other end, for the log.
  var name: String { route.map { "\($0.channel.peer)" } ?? "\(remote)" }

  /// What one message of the stream led to.
  enum Step {
    /// An answer of the handshake is to be sent.
    case answer([UInt8])
    /// The handshake is done; `answer` is still to be sent, if there is one.
    case up(PublicKey, handshakeHash: Digest, answer: [UInt8]?)
    /// A whole frame came.
    case frame([UInt8])
    /// A record came that did not complete a frame, or nothing more is there.
    case part
    case nothing
  }

  /// Handles the next whole message that has come in.
  func step() throws(ChannelError) -> Step {
    if transport != nil {
      guard let record = try reader.next(allowed: Transport.recordLengths) else { return .nothing }
      guard let frame = try transport?.open(record) else {
        unfinished += record.count
        return .part
      }
      unfinished = 0
      return .frame(frame)
    }
    guard let lengths = handshake?.incomingLengths,
      let message = try reader.next(allowed: lengths)
    else { return .nothing }
    let answer = try handshake?.receive(message)
    guard handshake?.isDone == true, let done = handshake.take() else {
      return answer.map { .answer($0) } ?? .part
    }
    let secured = try done.finish()
    let identity = secured.identity
    let handshakeHash = secured.binding
    self.identity = identity
    transport = secured.takeTransport()
    return .up(identity, handshakeHash: handshakeHash, answer: answer)
  }
}
