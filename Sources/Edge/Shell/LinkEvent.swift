package import Discovery
package import Peer
package import SecureChannel
package import Sockets
package import Wire

/// The name of a link within this run of the node; never used twice.
package struct LinkID: Hashable, Comparable, Sendable, CustomStringConvertible {
  let number: UInt64

  package static func < (left: LinkID, right: LinkID) -> Bool { left.number < right.number }

  /// Such as "link 7".
  package var description: String { "link \(number)" }
}

/// What happens to links, in the order in which it happens.
///
/// A link that came up goes down exactly once; a dial that does not come up fails exactly once.
package enum LinkEvent: Sendable {
  /// The handshake is done and the other end has proven its identity.
  ///
  /// `handshakeHash` names this one link: both ends know it alike and nobody else's link has it.
  /// `through` is who passes the link on, nil for one with a connection of its own; `remote` then
  /// is the place of that one.
  case up(
    LinkID, identity: PublicKey, handshakeHash: Digest, remote: Address, isOutbound: Bool,
    through: PublicKey?)
  /// A whole frame came.
  case frame(LinkID, [UInt8])
  /// A link that was up is over.
  case down(LinkID, identity: PublicKey, LinkEnd)
  /// A dial did not lead to a link.
  case dialFailed(LinkID, to: Address, LinkEnd)
  /// A dial through another peer did not lead to a link.
  case relayedDialFailed(LinkID, to: PublicKey, through: PublicKey, LinkEnd)
}

/// Why a link is over or never came up.
package enum LinkEnd: Equatable, Sendable {
  /// The connection below ended.
  case connection(StreamEnd)
  /// The other end broke the protocol of the link, or something between changed the bytes.
  case channel(ChannelError)
  /// The handshake took too long.
  case handshakeTimedOut
  /// The other end reads too slowly for what is to be sent.
  case tooSlow
  /// There are as many links as may be.
  case tooManyLinks
  /// Who passed it on, or the far end by way of it, ended it.
  case relay(RelayEnd)
  /// The link it travelled on is over.
  case carrierEnded
  /// Somebody else answered than the peer it was to lead to.
  case wrongPeer
  /// Too many long messages from its address had begun and not come to their end.
  case unfinished
  /// It had not said who it is, and others came that wanted its place.
  case madeRoom
  /// This node closed it, for the reason given.
  case closedHere(String)

  /// A stable name for logs and programs.
  package var code: String {
    switch self {
    case .connection(let end): end.code
    case .channel(let error): error.code
    case .handshakeTimedOut: "handshakeTimedOut"
    case .tooSlow: "tooSlow"
    case .tooManyLinks: "tooManyLinks"
    case .relay(let end): end.code
    case .carrierEnded: "carrierEnded"
    case .wrongPeer: "wrongPeer"
    case .unfinished: "unfinished"
    case .madeRoom: "madeRoom"
    case .closedHere: "closedHere"
    }
  }

  /// What the far end of a relayed link is told; nil where it was the one that said so, or where
  /// nothing reaches it any more.
  var asRelayEnd: RelayEnd? {
    switch self {
    case .relay, .carrierEnded: nil
    case .tooManyLinks, .madeRoom: .tooMany
    case .tooSlow: .tooSlow
    default: .over
    }
  }
}

extension LinkEnd: CustomStringConvertible {
  /// A sentence saying what happened and what to do next.
  package var description: String {
    switch self {
    case .connection(let end): end.description
    case .channel(let error): error.description
    case .handshakeTimedOut:
      "The other end did not say in time who it is. Check that the address is one of Tabletalk."
    case .tooSlow:
      "The other laptop did not keep up with what was sent. The link is made anew by itself."
    case .tooManyLinks:
      "This laptop has as many links as it may. Close other tables, or wait until somebody leaves."
    case .relay(let end): end.description
    case .carrierEnded:
      "The laptop that passed it on is not reached any more. Another way is looked for by itself."
    case .wrongPeer:
      "Somebody else answered in the other's place. The link is not used."
    case .unfinished:
      "The other laptop began more long messages than it finished. The link is made anew by itself."
    case .madeRoom:
      "Many connections wait without saying who they are; the oldest made room. Nothing is to be done."
    case .closedHere(let reason): "This laptop closed the link: \(reason)."
    }
  }
}
