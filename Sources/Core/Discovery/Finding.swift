package import Wire

/// One thing that is right or wrong with the network, in a sentence for the person who looks.
package struct Finding: Hashable, Sendable, Encodable {
  /// How bad it is.
  package enum Severity: String, Hashable, Sendable, Encodable, CaseIterable {
    /// Something is wrong, and there is evidence of it.
    case trouble
    /// Worth knowing; may be as it should.
    case note
    /// As it should be.
    case ok
  }

  /// What was found; the raw values are stable, for programs to compare with.
  package enum Code: String, Hashable, Sendable, Encodable, CaseIterable {
    case noNetwork, sendFails, sendFailsOnOne, localNetworkPrivacy
    case firewallDrops, firewallHidden, firewallOpen
    case discoveryPortTaken, discoveryPortShared, linkPortTaken, portsFree
    case vpnRoute
    case devicesKeptApart, peerSilent, peerRefuses, peerDrops, peerNoWay, peerAnswers
    case oneWay, oneWayIn, linkFails, broadcastsLost
    case addressTwice, clockDifference, versionNewer, versionOlder, sameKeyTwice
    case notRunning, notAnswering, otherFolder, nobodyHeard, peopleHeard, listening
  }

  package let code: Code
  package let severity: Severity
  /// One sentence or a few: what is so, and what to do.
  package let message: String
  /// The evidence, where it says more than the message.
  @OrNull package var because: String?
  /// What to type in a terminal, exactly.
  @OrNull package var command: String?

  /// Names the fields.
  package init(
    _ code: Code, _ severity: Severity, _ message: String, because: String? = nil,
    command: String? = nil
  ) {
    self.code = code
    self.severity = severity
    self.message = message
    self.because = because
    self.command = command
  }
}
