package import Discovery
import Foundation
import Peer
import Wire

/// What the command line asks for.
package struct Options: Equatable, Sendable {
  /// What to do.
  package enum Action: Equatable, Sendable {
    /// Start the node, or open the one that runs.
    case start
    /// The same, and sit down at a table.
    case join(String)
    /// Say why friends are not seen; the texts name where some should be.
    case doctor([String])
    /// Save a table's log, named by its code or its id.
    case export(String)
    /// Judge a saved log.
    case verify(String)
    /// Something about Quoridor that needs no node.
    case quoridor(QuoridorCommand)
    case help
    case version
  }

  var action = Action.start
  /// The data folder; nil for the usual place.
  package var data: String?
  /// A name to go by, instead of asking on the Welcome screen.
  package var name: String?
  /// Interfaces to use; empty for all that can broadcast.
  package var interfaces: [String] = []
  /// TCP port for links; nil for 47474 or the next free one.
  package var port: UInt16?
  /// Port of the page; nil for the last one used, or 4747 or the next free one.
  package var webPort: UInt16?
  /// Nodes to reach where broadcast does not.
  package var peers: [Address] = []
  /// What links may cost; no flag changes it, only measuring does.
  package var linkLimits = LinkLimits()
  /// Whether to open the browser.
  package var opens = true
  /// Whether to make a new token for the page.
  package var renewsToken = false
  package var log = "warning"
  /// Whether the doctor and `verify` print for programs.
  package var printsJSON = false
  /// Where a log is saved; nil for a name of its own in the working folder, `-` for standard output.
  package var output: String?

  /// All defaults.
  package init() {}

  /// A command line that cannot be understood; `message` says why and what to do.
  package struct UsageError: Error, Equatable, Sendable {
    package let message: String
  }

  /// Reads the arguments after the program's name.
  ///
  /// Values stand behind a space or an equals sign. Throws for anything unknown or incomplete.
  package init(arguments: [String]) throws(UsageError) {
    if arguments.first == "quoridor" {
      // It has flags of its own, and needs no node.
      action = .quoridor(try QuoridorCommand(arguments: arguments.dropFirst()))
      return
    }
    var rest = arguments[...]
    var words: [String] = []
    while let argument = rest.popFirst() {
      guard argument.hasPrefix("-"), argument != "-" else {
        words.append(argument)
        continue
      }
      let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let flag = String(parts[0])
      if try takeSwitch(flag, hasValue: parts.count == 2) { continue }
      guard Options.flags.contains(flag) else {
        throw UsageError(
          message: "there is no flag \(flag). There are: "
            + (Options.flags + Options.switches).joined(separator: " ") + ".")
      }
      if parts.count == 2 {
        try take(flag, String(parts[1]))
      } else {
        // What looks like a flag is none's value; with an equals sign it may be.
        guard let value = rest.first, !value.hasPrefix("--") else {
          throw UsageError(message: "\(flag) needs a value.")
        }
        rest.removeFirst()
        try take(flag, value)
      }
    }
    guard action == .start else { return }
    switch words.first {
    case nil: break
    case "join":
      guard words.count > 1 else {
        throw UsageError(message: "join needs a code or an invitation, for example: join 48213")
      }
      // With the word "join", behind which a pasted message has its invitation.
      action = .join(words.joined(separator: " "))
    case "doctor": action = .doctor(Array(words.dropFirst()))
    case "export":
      guard words.count == 2 else {
        throw UsageError(message: "export needs a table's code or id, for example: export 48213")
      }
      action = .export(words[1])
    case "verify":
      guard words.count == 2 else {
        throw UsageError(message: "verify needs one file, for example: verify game.ttlog")
      }
      action = .verify(words[1])
    case "help": action = .help
    case .some(let word): throw UsageError(message: "there is no command \"\(word)\".")
    }
    if case .export = action {
    } else {
      guard output == nil else { throw UsageError(message: "-o is for export.") }
    }
    switch action {
    case .doctor, .verify: break
    default:
      guard !printsJSON else { throw UsageError(message: "--json is for doctor and verify.") }
    }
  }

  /// Flags with a value, and without one.
  private static let flags = [
    "--name", "--data", "--interface", "--peer", "--port", "--web-port", "--log", "-o",
  ]
  private static let switches = ["--no-open", "--new-token", "--json", "--version", "--help"]

  private mutating func takeSwitch(_ flag: String, hasValue: Bool) throws(UsageError) -> Bool {
    switch flag {
    case "--no-open": opens = false
    case "--new-token": renewsToken = true
    case "--json": printsJSON = true
    case "--help", "-h": action = .help
    case "--version": action = .version
    default: return false
    }
    guard !hasValue else { throw UsageError(message: "\(flag) takes no value.") }
    return true
  }

  private mutating func take(_ flag: String, _ value: String) throws(UsageError) {
    switch flag {
    case "--data":
      guard !value.isEmpty else { throw UsageError(message: "--data takes a folder.") }
      data = value
    case "-o":
      guard !value.isEmpty else { throw UsageError(message: "-o takes a file.") }
      output = value
    case "--name": name = try Options.name(value)
    case "--interface": interfaces.append(value)
    case "--port": port = try Options.port(flag, value)
    case "--web-port": webPort = try Options.port(flag, value)
    case "--peer": peers.append(try Options.peer(value))
    case "--log":
      guard ["debug", "info", "warning", "error"].contains(value) else {
        throw UsageError(message: "--log takes debug, info, warning or error.")
      }
      log = value
    default: invariant(false, "a flag that is not taken: \(flag)")
    }
  }

  private static func name(_ value: String) throws(UsageError) -> String {
    let name = PlayerName.trimmed(value.precomposedStringWithCanonicalMapping)
    guard PlayerName.isAllowed(name) else {
      throw UsageError(message: "--name takes 2 to 24 characters, without line breaks.")
    }
    return name
  }

  private static func peer(_ value: String) throws(UsageError) -> Address {
    guard let address = Address(value, defaultPort: Node.linkPort) else {
      throw UsageError(
        message:
          "--peer takes HOST:PORT with a numeric address, for example 192.168.1.5:47474 or [fe80::5%eth0]:47474, not \(value)."
      )
    }
    try check(address)
    return address
  }

  /// Refuses addresses that are no laptop's.
  static func check(_ address: Address) throws(UsageError) {
    guard !address.host.isForNobody else {
      throw UsageError(
        message:
          "\(address.hostText) stands for many laptops or for none. Name the address of one, for example 192.168.1.5:47474."
      )
    }
  }

  /// Refuses interfaces that are not there, of those that are.
  package func checkInterfaces(among known: [String]) throws(UsageError) {
    guard let missing = interfaces.first(where: { !known.contains($0) }) else { return }
    throw UsageError(
      message: "there is no network interface \(missing). "
        + (known.isEmpty ? "There is none." : "There are: \(known.joined(separator: " "))."))
  }

  private static func port(_ flag: String, _ value: String) throws(UsageError) -> UInt16 {
    guard let port = UInt16(value), port > 0 else {
      throw UsageError(message: "\(flag) takes a port from 1 to 65535.")
    }
    return port
  }

  /// What `--help` prints.
  ///
  /// The manual page in `.ci/packaging` names the same flags and commands: a test compares them.
  package static let help = """
    Tabletalk: games for people on one network, without a server.

    Usage: tabletalk [flags]                 start, and open the page in the browser
           tabletalk [flags] join INVITATION  start if need be, and sit down at a table
           tabletalk doctor [--json] [INVITATION]
                                             say why somebody is not seen, and what to do
           tabletalk export TABLE [-o FILE]  save a table's log, by its code or its id
           tabletalk verify [--json] FILE    say what a saved log proves, and what it does not
           tabletalk quoridor perft DEPTH [--position TEXT] [--divide]
                                             count sequences of legal moves
           tabletalk quoridor engine         let a program play against the computer, line by line

    An INVITATION is a code (48213), a line (48213@192.168.1.5:47474, or with a secret
    behind the code for a private table) or an address; a whole pasted message will do.

      --name NAME          the name to go by (2 to 24 characters)
      --data DIR           the folder that keeps your key and your tables
      --interface IF       use only this network interface; may be given several times
      --peer HOST:PORT     meet a node that broadcast does not reach; may be given several times
      --port PORT          port for other laptops (47474, or the next free one)
      --web-port PORT      port of the page on this laptop (4747, or the next free one)
      --no-open            do not open the browser
      --new-token          make a new key for the page; pages that are open stop working
      --log LEVEL          debug, info, warning (usual) or error
      --version            print the version, and the protocol it speaks
      --help               this text

    Exit codes: 0 well, 1 failed, 2 not understood. Ctrl-C stops.
    """
}
