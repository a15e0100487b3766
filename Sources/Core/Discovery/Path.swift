package import Wire

/// One way by which somebody is heard, and can be dialled.
package struct Path: Hashable, Sendable {
  /// By what the last sign came.
  package enum How: Hashable, Sendable {
    case datagram
    case link
    /// Somebody who reaches both tells of it, or passes a link on.
    case introduced(by: PublicKey)
  }

  /// Where links are dialled; a neighbour has one path for each.
  package let address: Address
  /// Name of the own interface on which the last datagram came.
  package internal(set) var interface: String?
  package internal(set) var how: How
  /// When the last sign of life came by this path, in milliseconds of the monotonic clock.
  package internal(set) var heardAt: UInt64
  /// The highest sequence among the beacons that came by it.
  var sequence: UInt64 = 0
  /// When a datagram came last.
  var datagramAt: UInt64?
  /// When something came last on a link by it.
  private var linkAt: UInt64?
  private var introducer: PublicKey?
  /// When a dial failed here or a link broke, unless something was heard since.
  var failedAt: UInt64?

  init(address: Address, how: How, interface: String?, heardAt: UInt64) {
    self.address = address
    self.how = how
    self.interface = interface
    self.heardAt = heardAt
  }

  /// Notes a sign of life; a datagram tells more than a link, and a link more than hearsay.
  mutating func heard(_ how: How, interface: String?, at now: UInt64, span: UInt64) {
    switch how {
    case .datagram:
      datagramAt = now
      self.interface = interface ?? self.interface
    case .link: linkAt = now
    case .introduced(let key): introducer = key
    }
    heardAt = now
    // Who only tells of somebody proves nothing about the path.
    if how == .datagram || how == .link { failedAt = nil }
    settle(at: now, span: span)
  }

  /// What the path is heard by now: the best of what still counts.
  mutating func settle(at now: UInt64, span: UInt64) {
    if hasDatagrams(at: now, span: span) {
      how = .datagram
    } else if let linkAt, now < linkAt + span {
      how = .link
    } else if let introducer {
      how = .introduced(by: introducer)
    }
  }

  /// When `how` may change by time alone, or the path dies.
  func nextExpiry(span: UInt64) -> UInt64 {
    switch how {
    case .datagram: (datagramAt ?? heardAt) + span
    case .link: (linkAt ?? heardAt) + span
    case .introduced: heardAt + span
    }
  }

  /// Whether datagrams still come by it.
  func hasDatagrams(at now: UInt64, span: UInt64) -> Bool {
    datagramAt.map { now < $0 + span } ?? false
  }

  mutating func stoodStill(for span: UInt64) {
    heardAt += span
    datagramAt = datagramAt.map { $0 + span }
    linkAt = linkAt.map { $0 + span }
    failedAt = failedAt.map { $0 + span }
  }
}
