#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif
import Discovery
import Dispatch
import Foundation
import Peer
import Sockets
import Store
import Synchronization

/// The program `tabletalk`: reads the command line, starts a node or finds the one that runs, and
/// ends it on Ctrl-C.
package enum Program {
  /// How long a node that is just starting is waited for by a second start.
  private static let patience: UInt64 = 5_000

  /// Runs it to its end; never returns.
  package static func run() -> Never {
    signal(SIGPIPE, SIG_IGN)
    let options: Options
    do throws(Options.UsageError) {
      options = try Options(arguments: Array(CommandLine.arguments.dropFirst()))
      // Before there is a folder, which nobody wants who has mistyped.
      try options.checkInterfaces(among: NetworkInterface.allNames())
    } catch {
      misunderstood(error)
    }
    switch options.action {
    case .help: say(Options.help)
    case .version: say(Version.line)
    case .verify(let file): exit(LogCheck(file: file, printsJSON: options.printsJSON).run())
    case .quoridor(let command): exit(command.run())
    case .start, .join, .doctor, .export: break
    }
    do throws(DataFolderError) {
      let path = try folderPath(options)
      if case .doctor(let texts) = options.action { examine(options, folder: path, texts) }
      if case .export(let table) = options.action {
        exit(LogExport(table: table, output: options.output, folder: path).run())
      }
      guard let folder = try hold(path) else { openRunning(options, folder: path) }
      start(options, folder: folder)
    } catch {
      fail(error.message)
    }
  }

  private static func misunderstood(_ error: Options.UsageError) -> Never {
    Log.put("tabletalk: \(error.message) Try \(ProgramName.own) --help.\n")
    exit(2)
  }

  private static func say(_ text: String) -> Never {
    Log.write(text + "\n", to: 1)
    exit(0)
  }

  /// Takes the folder; nil when another node has it.
  private static func hold(_ path: String) throws(DataFolderError) -> DataFolder? {
    do throws(DataFolderError) {
      return try DataFolder(path: path)
    } catch {
      guard case .heldBy = error else { throw error }
      return nil
    }
  }

  private static func folderPath(_ options: Options) throws(DataFolderError) -> String {
    if let data = options.data {
      return data.hasPrefix("/") ? data : FileManager.default.currentDirectoryPath + "/" + data
    }
    #if canImport(Darwin)
      let convention = DataFolder.Convention.macOS
    #else
      let convention = DataFolder.Convention.xdg
    #endif
    return try DataFolder.defaultPath(
      environment: ProcessInfo.processInfo.environment, convention: convention)
  }

  private static func fail(_ message: String) -> Never {
    Log.put("tabletalk: \(message)\n")
    exit(1)
  }

  // MARK: The doctor

  /// Looks at the network, prints what is found and ends: 0 healthy, 1 something wrong.
  private static func examine(_ options: Options, folder: String, _ texts: [String]) -> Never {
    var wanted = options.peers
    if !texts.isEmpty {
      let text = texts.joined(separator: " ")
      do throws(Options.UsageError) {
        guard let address = Invitation(text)?.address else {
          throw Options.UsageError(
            message: "doctor takes an invitation or an address, for example 192.168.1.5:47474, not "
              + "\(text).")
        }
        try Options.check(address)
        wanted.append(address)
      } catch {
        misunderstood(error)
      }
    }
    exit(
      Doctor(options: options, folder: folder, wanted: wanted, printsJSON: options.printsJSON).run()
    )
  }

  // MARK: The first start

  private static func start(_ options: Options, folder: DataFolder) -> Never {
    let level = LogLevel(name: options.log) ?? .warning
    let signals = Signals()
    let node: Node
    do throws(StartError) {
      node = try Node.start(options, folder: folder, log: Log(level: level))
    } catch {
      fail(error.message)
    }
    let address = page(node.page, for: options)
    Log.write("Your page:      \(address)\n", to: 1)
    Log.write("Here with you:  \(node.shell.company())\n", to: 1)
    Log.write("To stop:        press Ctrl-C, or close this terminal\n", to: 1)
    if options.opens { Browser.open(address) }
    signals.wait()
    node.stop()
    exit(0)
  }

  /// The address to open: an invitation rides in the fragment, which stays on this laptop.
  private static func page(_ page: String, for options: Options) -> String {
    guard case .join(let invitation) = options.action else { return page }
    let allowed = CharacterSet(charactersIn: "0123456789abcdefghijklmnopqrstuvwxyz.")
    let text = invitation.addingPercentEncoding(withAllowedCharacters: allowed) ?? ""
    return page + "&go=join/" + text
  }

  // MARK: A second start

  /// Another process holds the folder: show its page, and end well.
  private static func openRunning(_ options: Options, folder: String) -> Never {
    let deadline = Clock.monotonic + patience
    repeat {
      if let file = try? NodeFile.read(folder: folder) {
        let address = page(file.page, for: options)
        Log.write("Tabletalk runs already: \(address)\n", to: 1)
        if options.opens { Browser.open(address) }
        exit(0)
      }
      usleep(50_000)
    } while Clock.monotonic < deadline
    fail("Tabletalk runs already in this folder, but does not say where. Stop it, then try again.")
  }
}

extension Invitation {
  /// Where it leads, if it says so.
  fileprivate var address: Address? {
    switch self {
    case .table(_, let address), .node(let address): address
    default: nil
    }
  }
}

extension LogLevel {
  /// Reads `debug`, `info`, `warning` or `error`.
  init?(name: String) {
    guard let level = LogLevel.allCases.first(where: { "\($0)" == name }) else { return nil }
    self = level
  }
}

/// Waits for the signals that mean "stop".
private struct Signals {
  private let sources: [any DispatchSourceSignal]
  private let semaphore = DispatchSemaphore(value: 0)

  init() {
    let semaphore = semaphore
    sources = [SIGINT, SIGTERM, SIGHUP].map { number in
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(
        signal: number, queue: .global(qos: .userInitiated))
      source.setEventHandler { semaphore.signal() }
      source.activate()
      return source
    }
  }

  func wait() { semaphore.wait() }
}
