import Dispatch

/// The numbers that bound what links may cost.
package struct LinkLimits: Equatable, Sendable {
  /// Links of any kind at a time: a table has at most 16 voters, the rest is room for observers,
  /// other tables and links that are about to be replaced.
  package var links = 128
  /// Inbound links whose other end has not yet proven who it is.
  package var halfOpen = 64
  /// Of those, from one address, so that one laptop cannot keep the others out.
  package var halfOpenPerAddress = 8
  /// How many addresses one IPv6 network (/64) counts for, since one laptop can have any number of
  /// them and a whole office has no other.
  package var addressesPerNetwork = 4
  /// The same for links that others pass on: in all, and by one of them.
  package var halfOpenRelayed = 16
  package var halfOpenPerRelay = 8
  /// How long a connect may take.
  package var connectSeconds = 5.0
  /// How long a handshake may take, counted from the connection.
  package var handshakeSeconds = 5.0
  /// Bytes a peer may send at once: four of the largest frames.
  package var burstBytes = 8 << 20
  /// Bytes a second a peer may send for long; one that sends more is read more slowly.
  package var bytesPerSecond = 2 << 20
  /// What a frame costs besides its bytes, for judging one is work, however short it is.
  ///
  /// It leaves 512 frames a second; a game at its busiest stays far below that.
  package var frameCost = 4_096
  /// Frames of one link handled before other work on the queue gets its turn.
  package var framesPerTurn = 16
  /// How many such budgets the peers at one address share, whatever their number, and as many more
  /// what they pass on from others.
  ///
  /// A few nodes on one machine are at ease with it; invented identities gain little.
  package var budgetsPerAddress = 4
  /// Bytes that may wait to be sent on one link; more closes it, since a peer that reads nothing
  /// for so long catches up faster on a new link.
  package var outgoingBytes = 4 << 20
  /// Bytes that may wait for a relayed link, on the link that carries it or while it is not read;
  /// more ends the relayed link and leaves the carrier up.
  package var relayedBytes = 2 << 20
  /// The same of all links to one address together; beyond it the one with the most is closed.
  package var outgoingBytesPerAddress = 8 << 20
  /// Bytes of begun and unfinished frames of all links to one address: four of the largest frames.
  ///
  /// Beyond it the link with the most is closed.
  package var unfinishedBytesPerAddress = 8 << 20
  /// How many times as much all addresses together may hold.
  package var addresses = 4
  /// How long a line of the log keeps others of its kind out.
  package var logSeconds = 10.0

  /// The usual numbers.
  package init() {}
}

extension DispatchTimeInterval {
  /// A time given in seconds, to the millisecond and at least one.
  init(seconds: Double) {
    self = .milliseconds(max(1, Int(seconds * 1_000)))
  }
}
