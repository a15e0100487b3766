package import Discovery

/// What macOS's `socketfilterfw` says; read from recorded output, not tried on a Mac.
package enum ApplicationFirewall {
  /// Whether `--getglobalstate` says that it is on.
  package static func isOn(_ text: String) -> Bool {
    text.contains("State = 1") || text.contains("State = 2")
      || text.lowercased().contains("firewall is enabled")
  }

  /// Whether `--getblockall` says that everything is kept out.
  package static func blocksAll(_ text: String) -> Bool {
    let text = text.lowercased()
    return text.contains("block all state set to enabled")
      || text.contains("block all incoming connections enabled")
      || (text.contains("block all") && text.contains("enabled") && !text.contains("disabled"))
  }

  /// What `--listapps` says of a program: nil when it is not listed.
  ///
  /// The path stands in one line, what is done with it in the next.
  package static func isBlocked(_ program: String, in text: String) -> Bool? {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: true)
    for (line, next) in zip(lines, lines.dropFirst()) where line.contains(program) {
      let path = line.split(separator: ":", maxSplits: 1).last.map { trimmed($0) }
      if path == program { return next.lowercased().contains("block") }
    }
    return nil
  }

  private static func trimmed(_ text: Substring) -> String {
    var text = text.drop(while: \.isWhitespace)
    while text.last?.isWhitespace == true { text.removeLast() }
    return String(text)
  }

  /// The firewall as a fact, from the three answers; nil while it is off.
  package static func fact(
    program: String, state: String, blockAll: String, apps: String
  ) -> NetworkFacts.Firewall? {
    guard isOn(state) else { return nil }
    if blocksAll(blockAll) || isBlocked(program, in: apps) == true {
      return .init(.macOS, discovery: .dropped, links: .dropped, program: program)
    }
    // A program that is not listed is asked for at its first connection.
    let verdict = isBlocked(program, in: apps) == nil ? NetworkFacts.Verdict.unknown : .open
    return .init(.macOS, discovery: verdict, links: verdict, program: program)
  }
}
