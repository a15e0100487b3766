/// From facts to findings: what is wrong, why, and what to do; the worst first.
///
/// A pure function. Trouble is only said on evidence: that nobody else is here is none.
package enum Diagnosis {
  /// The version of the protocol that this program speaks, for those who speak another.
  private static let version = Beacon.protocolVersion
  /// A clock that is off by less is not worth a word.
  private static let clockTolerance: UInt = 60
  /// A clock that is off by more, in seconds, shows no time at all: about a year.
  private static let absurd: UInt = 365 * 86_400
  /// Findings of one kind about people; more are told by their number.
  private static let peopleNamed = 5

  /// Every finding, troubles first, then notes, then what is as it should be.
  package static func findings(_ facts: NetworkFacts) -> [Finding] {
    let all =
      node(facts) + sending(facts) + firewalls(facts) + ports(facts) + route(facts)
      + wanted(facts) + people(facts) + versions(facts) + company(facts)
    return Finding.Severity.allCases.flatMap { severity in all.filter { $0.severity == severity } }
  }

  private static func node(_ facts: NetworkFacts) -> [Finding] {
    var out: [Finding] = []
    switch facts.node {
    case .running: break
    case .notRunning:
      out.append(
        Finding(
          .notRunning, .note,
          facts.others.isEmpty
            ? "Tabletalk does not run on this laptop, so nobody can see you. Start it: \(facts.program)"
            : "Tabletalk does not run with the data folder that was looked at."))
    case .silent(let process):
      out.append(
        Finding(
          .notAnswering, .trouble,
          "Tabletalk runs on this laptop, but does not answer. End it and start it again.",
          command: process.map { "kill \($0)" }))
    }
    out += otherFolder(facts)
    if facts.isKeyTwice {
      out.append(Finding(.sameKeyTwice, .trouble, SameKey.sentence(program: facts.program)))
    }
    return out
  }

  /// Who plays on one laptop with another has two folders, and may have meant the other.
  private static func otherFolder(_ facts: NetworkFacts) -> [Finding] {
    guard let first = facts.others.first?.folder else { return [] }
    let (folders, which) =
      facts.others.count > 1
      ? ("other data folders", "one of them") : ("another data folder", "it")
    return [
      Finding(
        .otherFolder, .note,
        "Tabletalk runs on this laptop with \(folders): \(list(facts.others.map(name))). Ask about "
          + "\(which) like this.",
        command: "\(facts.program) doctor --data \(ShellWord.quoted(first))")
    ]
  }

  // MARK: Sending

  private static func sending(_ facts: NetworkFacts) -> [Finding] {
    let senders = facts.interfaces.filter(\.sends)
    guard !senders.isEmpty, senders.contains(where: { !$0.isLoopback }) || onlyLoopback(facts)
    else {
      return [
        Finding(
          .noNetwork, .trouble,
          "This laptop is on no network. Connect it to the one your friends are on.")
      ]
    }
    let failing = senders.compactMap { one in one.lastError.map { (one.name, $0) } }
    if facts.system == .macOS, failing.contains(where: { $0.1.name == "EHOSTUNREACH" }) {
      return [
        Finding(
          .localNetworkPrivacy, .trouble,
          "macOS does not let Tabletalk use the local network. Allow it under System Settings, "
            + "Privacy & Security, Local Network.",
          because: failing.first?.1.text,
          command:
            "open 'x-apple.systempreferences:com.apple.preference.security?Privacy_LocalNetwork'")
      ]
    }
    // The loopback never fails, and helps nobody on another laptop.
    let leaving = senders.filter { !$0.isLoopback }
    if let first = failing.first,
      (leaving.isEmpty ? senders : leaving).allSatisfy({ $0.lastError != nil })
    {
      return [
        Finding(
          .sendFails, .trouble,
          "This laptop cannot send on its network. Check the connection and the firewall, or join by an "
            + "invitation line.",
          because: first.1.text)
      ]
    }
    let partly = failing.map { name, error in
      Finding(
        .sendFailsOnOne, .note,
        "Sending on \(name) fails: people on that network do not see you. \(error.text)")
    }
    let well = senders.filter { $0.lastError == nil }
    let names = list(well.map { "\($0.name) (\($0.address))" })
    return partly + [
      Finding(
        .listening, .ok,
        facts.node == .running
          ? "Tabletalk sends and listens on \(names)." : "Tabletalk can send on \(names).")
    ]
  }

  /// Whoever says `--interface lo` plays with people on the same laptop.
  private static func onlyLoopback(_ facts: NetworkFacts) -> Bool {
    facts.isLoopbackMeant && facts.interfaces.allSatisfy(\.isLoopback)
  }

  // MARK: Ports

  private static func ports(_ facts: NetworkFacts) -> [Finding] {
    var out: [Finding] = []
    for port in facts.ports {
      switch (port.use, port.state) {
      case (_, .free), (_, .ours): break
      case (.discovery, .taken(let holder)):
        out.append(
          Finding(
            .discoveryPortTaken, .trouble,
            "UDP \(port.number) is held by \(name(holder)), so Tabletalk hears nobody by itself. End "
              + "that program and start Tabletalk again; until then use invitation lines.",
            command: command(holder, "-lunp", port.number)))
      case (.discovery, .shared(let holder)):
        out.append(
          Finding(
            .discoveryPortShared, .note,
            "UDP \(port.number) is also open in \(name(holder)). Both hear what is broadcast."))
      case (.links, .taken(let holder)), (.links, .shared(let holder)):
        out.append(
          Finding(
            .linkPortTaken, port.isFixed ? .trouble : .note,
            "TCP \(port.number) is held by \(name(holder)). "
              + (port.isFixed
                ? "End that program, or choose another port with --port."
                : "Tabletalk takes the next free port by itself."),
            command: command(holder, "-ltnp", port.number)))
      }
    }
    let isWell = out.allSatisfy { $0.code == .discoveryPortShared }
    if !facts.ports.isEmpty, isWell {
      let names = facts.ports.map { "\($0.use == .discovery ? "UDP" : "TCP") \($0.number)" }
      let are = facts.node == .running ? "are Tabletalk’s" : "are free"
      out.append(Finding(.portsFree, .ok, "\(list(names)) \(are)."))
    }
    return out
  }

  private static func name(_ holder: NetworkFacts.Holder) -> String {
    if let folder = holder.folder, let process = holder.process {
      return "the Tabletalk of \(folder) (process \(process))"
    }
    return switch (holder.program, holder.process) {
    case (let program?, let process?): "\(program) (process \(process))"
    case (let program?, nil): program
    case (nil, let process?): "process \(process)"
    case (nil, nil): "a program of somebody else"
    }
  }

  /// Who holds a port only root may ask.
  private static func command(
    _ holder: NetworkFacts.Holder, _ flags: String, _ port: UInt16
  ) -> String? {
    holder.process == nil ? "sudo ss \(flags) 'sport = :\(port)'" : nil
  }

  // MARK: The way out

  private static func route(_ facts: NetworkFacts) -> [Finding] {
    guard let route = facts.route, route.isTunnel else { return [] }
    let heard = facts.people.contains(where: \.isHeard)
    return [
      Finding(
        .vpnRoute, heard ? .note : .trouble,
        "All traffic of this laptop goes through a VPN (\(route.device))"
          + (heard
            ? ". Others are heard all the same."
            : ", and nobody is heard. Pause the VPN, or allow the local network in its settings."))
    ]
  }

  // MARK: Versions and company

  private static func versions(_ facts: NetworkFacts) -> [Finding] {
    facts.strangers.prefix(peopleNamed).map { one in
      Finding(
        one.version > version ? .versionNewer : .versionOlder, .note,
        OtherVersion.message(one.name, version: one.version),
        because: "\(one.name)’s speaks version \(one.version), yours version \(version).")
    }
  }

  private static func company(_ facts: NetworkFacts) -> [Finding] {
    let heard = facts.people.filter(\.isHeard)
    guard heard.isEmpty else {
      return [Finding(.peopleHeard, .ok, "Heard: \(list(heard.map(\.name))).")]
    }
    let time = facts.listened.map { " in \($0) s" } ?? ""
    return [
      Finding(
        .nobodyHeard, .note,
        "Nobody else was heard\(time). That is as it should be where nobody else has Tabletalk open."
      )
    ]
  }

  /// Names as a person lists them.
  static func list(_ names: [String]) -> String {
    let shown = names.count > 8 ? names.prefix(7) + ["\(names.count - 7) more"] : names[...]
    guard let last = shown.last, shown.count > 1 else { return shown.first ?? "" }
    return "\(shown.dropLast().joined(separator: ", ")) and \(last)"
  }
}

// MARK: People

extension Diagnosis {
  private static func people(_ facts: NetworkFacts) -> [Finding] {
    oneWay(facts) + links(facts) + oneAddress(facts) + clocks(facts)
  }

  private static func oneWay(_ facts: NetworkFacts) -> [Finding] {
    // Whom a link joins as well can be played with: worth a note, no more.
    let heard = facts.people.filter { $0.isHeard && $0.hearsMe != nil && !$0.isLinked }
    let deaf = heard.filter { $0.hearsMe == false }
    var out: [Finding] = []
    if deaf.count > 1, deaf.count == heard.count {
      out.append(
        Finding(
          .oneWay, .trouble,
          "I hear \(list(deaf.map(\.name))), none of them hears me. Something keeps back what this "
            + "laptop sends: a firewall here, a VPN, or the access point."))
    } else {
      out += deaf.prefix(peopleNamed).map { one in
        Finding(
          .oneWay, .trouble,
          "I hear \(one.name), \(one.name) does not hear me. Most often a firewall there keeps out UDP "
            + "\(facts.discoveryPort): tabletalk doctor on that laptop says how to open it.")
      }
    }
    let mute = facts.people.filter { !$0.isHeard && $0.hearsMe == true }
    let fix = facts.firewalls.first { $0.discovery != .open }.flatMap { repair($0, facts) }
    out += mute.prefix(peopleNamed).map { one in
      Finding(
        .oneWayIn, .trouble,
        "\(one.name) hears me, I do not hear \(one.name). Most likely a firewall on this laptop drops "
          + "UDP \(facts.discoveryPort).",
        command: fix)
    }
    return out
  }

  private static func links(_ facts: NetworkFacts) -> [Finding] {
    let failing = facts.people.filter { $0.isHeard && $0.linkFails && !$0.isLinked }
    var out = failing.prefix(peopleNamed).map { one in
      Finding(
        .linkFails, .trouble,
        "\(one.name) is heard, but takes no connection, so you cannot play together. Most likely a "
          + "firewall on \(one.name)’s laptop: ask \(one.name) to run tabletalk doctor.")
    }
    // Linked both ways and heard by neither: the network itself does not carry broadcasts.
    let linked = facts.people.filter { $0.isLinked && !$0.isHeard && $0.hearsMe != true }
    let dropped =
      facts.firewalls.contains { $0.discovery == .dropped }
      || facts.interfaces.contains { $0.comesBack == false }
    if !linked.isEmpty, !facts.people.contains(where: \.isHeard), !dropped {
      out.append(
        Finding(
          .broadcastsLost, .note,
          "You are connected with \(list(linked.map(\.name))), but hear nobody by yourself: this "
            + "network does not carry broadcasts. Invitation lines work."))
    }
    return out
  }

  private static func oneAddress(_ facts: NetworkFacts) -> [Finding] {
    facts.sharedAddresses.prefix(peopleNamed).map { one in
      Finding(
        .addressTwice, .trouble,
        "\(list(one.names)) have the same address, \(one.host): connections reach now one, now the "
          + "other. Take one of these laptops off the network and connect it again, so that it gets "
          + "an address of its own.")
    }
  }

  private static func clocks(_ facts: NetworkFacts) -> [Finding] {
    let off = facts.people.compactMap { one in
      one.clockAhead.flatMap { $0.magnitude > clockTolerance ? (one.name, $0) : nil }
    }
    return off.prefix(peopleNamed).map { name, seconds in
      // No clock that is set at all is years off: a number would only distract.
      let what =
        seconds.magnitude > absurd
        ? "The clock of \(name)’s laptop, or of this one, is wrong."
        : "\(name)’s clock is \(span(seconds.magnitude)) "
          + "\(seconds > 0 ? "ahead of" : "behind") this one."
      return Finding(
        .clockDifference, .note,
        "\(what) Games go on unharmed; the times that are shown differ.")
    }
  }

  /// A time as a person says it.
  private static func span(_ seconds: UInt) -> String {
    switch seconds {
    case ..<120: "\(seconds) seconds"
    case ..<7_200: "\(seconds / 60) minutes"
    case ..<172_800: "\(seconds / 3_600) hours"
    default: "\(seconds / 86_400) days"
    }
  }
}
