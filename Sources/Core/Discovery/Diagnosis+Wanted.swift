/// What trying the address of somebody who should be here has shown.
extension Diagnosis {
  static func wanted(_ facts: NetworkFacts) -> [Finding] {
    facts.wanted.map { one in
      switch one.outcome {
      case .answers: answers(one, facts)
      case .refuses:
        Finding(
          .peerRefuses, .trouble,
          "The laptop at \(one.host) is there, but Tabletalk does not listen on its port \(one.port). "
            + "Ask for a new invitation line.")
      case .silent: silent(one, facts)
      case .drops:
        Finding(
          .peerDrops, .trouble,
          one.isNear
            ? "The laptop at \(one.host) is there, but drops connections to TCP \(one.port). Most "
              + "likely its firewall: run tabletalk doctor there."
            : "Nobody answers at \(one.address), which is in another network. Check the address, and "
              + "that no firewall between the two drops TCP \(one.port).")
      case .everybody:
        Finding(
          .peerNoWay, .trouble,
          "\(one.host) is the address of everybody on a network, not of one laptop. Ask for a new "
            + "invitation line.")
      case .noWay(let failure):
        Finding(
          .peerNoWay, .trouble,
          "This laptop has no way to \(one.host): it is in a network that this one is not connected "
            + "to. Join the same network.",
          because: failure.text)
      }
    }
  }

  private static func answers(_ one: NetworkFacts.Wanted, _ facts: NetworkFacts) -> Finding {
    // Who is heard by the other kind of address may be the same one.
    let isIPv4 = IPAddress(one.host)?.isV4
    let isHeard = facts.people.contains {
      $0.isHeard && ($0.host == one.host || IPAddress($0.host)?.isV4 != isIPv4)
    }
    let isTested = facts.listened != nil || facts.node == .running
    guard !isHeard, isTested, one.isNear else {
      return Finding(.peerAnswers, .ok, "Tabletalk answers at \(one.address).")
    }
    return Finding(
      .broadcastsLost, .note,
      "Tabletalk answers at \(one.address), but is not heard by itself: its player has no name yet, or "
        + "broadcasts do not come through. The invitation line works.")
  }

  private static func silent(
    _ one: NetworkFacts.Wanted, _ facts: NetworkFacts
  ) -> Finding {
    let heard = facts.people.filter { $0.isHeard && $0.host != one.host }
    guard one.othersAnswer.isEmpty, heard.isEmpty else {
      return Finding(
        .peerSilent, .trouble,
        "Nobody answers at \(one.host), while others on this network do. Check the address, and that "
          + "the laptop is on and in this network.")
    }
    let apart =
      "This Wi-Fi keeps devices apart, no program can cross it. Use a phone hotspot, a cable or a VPN "
      + "address."
    guard let gateway = one.gateway else {
      return Finding(
        .peerSilent, .trouble,
        "Nobody answers at \(one.host). Check that the laptop is on and in this network. If it is: "
          + apart)
    }
    return Finding(
      .devicesKeptApart, .trouble, apart,
      because:
        "Of this network only its way out (\(gateway)) answers, \(one.host) does not. It would be "
        + "the same if that laptop were switched off.")
  }
}
