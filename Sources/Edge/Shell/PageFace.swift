import Dispatch
import Foundation
import Peer
import Store
import WebFace
internal import Wire

/// What the page sees of the node: the state as JSON, the stream of events, answers to commands.
///
/// Lives on the shell's queue: that, and no lock, makes it safe to hand over.
final class PageFace: @unchecked Sendable {
  /// Changes within this time go out as one state: a person sees no difference.
  private static let pause = Duration.milliseconds(25)
  /// A long state, of many people, is not made more often than this share of the time allows, nor
  /// is it kept back for longer than a person bears.
  private static let share = 9
  private static let longestPause = Duration.milliseconds(100)
  /// What has been agreed is what people wait for: it goes out at once, with all that came with it,
  /// unless states would take more than this share of the time.
  private static let shareOfAgreed = 3
  /// Events kept for streams that come back.
  private static let memory = 2_048

  /// Names this run of the node; ids of events from another run mean nothing.
  private let boot: String
  private let queue: DispatchQueue
  private var web: WebFace?
  private var revision = 0
  private var eventNumber = 0
  private var kept: [(number: Int, entry: AgreedEntry)] = []
  /// When the state goes out that is to be sent; nil when none is.
  private var due: ContinuousClock.Instant?
  /// When the last one went out, and how long it took to make.
  private var last: (at: ContinuousClock.Instant, took: Duration)?
  /// An entry was agreed that no state shows yet.
  private var isAwaited = false
  var isChanged = true
  /// Streams have not been told of the last revision: somebody asked for it before they were.
  private var isUntold = false
  /// Answers that came out of the last steps, by the command's id.
  var answers: [CommandID: CommandReply] = [:]
  private let encoder = JSONEncoder()
  /// Told of every agreed entry; for measuring.
  var watch: (@Sendable (AgreedEntry) -> Void)?
  /// Told when an own entry has been signed; for measuring.
  var watchSigned: (@Sendable () -> Void)?

  /// Makes the face; `boot` is a random text.
  init(boot: String, queue: DispatchQueue) {
    self.boot = boot
    self.queue = queue
    encoder.outputFormatting = [.withoutEscapingSlashes]
  }

  /// Serves the page; returns the port that was bound.
  func start(
    port: UInt16, attempts: Int, token: String, for shell: NodeShell
  ) throws(WebFaceError) -> UInt16 {
    let handler = WebHandler(
      state: { shell.assumeIsolated { $0.pageState() } },
      command: { body in shell.assumeIsolated { $0.takeCommand(body) } },
      log: { table in shell.assumeIsolated { $0.tableLog(table) } },
      export: { table in shell.assumeIsolated { $0.exportedLog(table) } },
      history: { shell.assumeIsolated { $0.reply(200, $0.peer.pastGames) } },
      replay: { table in shell.assumeIsolated { $0.replay(of: table) } },
      prove: { LogCheck.reply(on: $0) },
      words: { list in shell.assumeIsolated { $0.words(of: list) } },
      wordFile: { list, format in shell.assumeIsolated { $0.wordFile(list, format) } },
      preview: { file, format in WordFileReader.preview(file, format) },
      eventsSince: { last in shell.assumeIsolated { $0.pageEvents(since: last) } })
    var settings = WebFace.Settings(port: port, token: token)
    settings.attempts = attempts
    settings.log = { [log = shell.log] in log.write(.warning, $0) }
    let web = try WebFace(settings: settings, queue: queue, handler: handler)
    self.web = web
    return web.port
  }

  /// Stops serving; the completion comes on another queue.
  func stop(completion: @escaping @Sendable () -> Void) {
    guard let web else { return completion() }
    web.stop(completion: completion)
    self.web = nil
  }

  // MARK: State

  /// The first revision that shows everything that has happened by now.
  var nextRevision: Int { isChanged ? revision + 1 : revision }

  /// The state of now; what it says of times and counts is never older than the asking.
  func state(of peer: Peer) -> [UInt8] {
    if isChanged {
      revision += 1
      isUntold = true
    }
    isChanged = false
    return encode(peer.pageState(revision: revision, boot: boot, at: Clock.monotonic))
  }

  func encode(_ value: some Encodable) -> [UInt8] {
    do {
      return Array(try encoder.encode(value))
    } catch {
      fatalError("the page's state cannot be encoded: \(error)")
    }
  }

  private func stateEvent(of peer: Peer) -> ServerSentEvent {
    let data = state(of: peer)
    return ServerSentEvent(id: "\(boot).\(eventNumber)", event: "state", data: data)
  }

  /// Sends the state soon, if it is another than the last one sent.
  func publishIfChanged(by shell: NodeShell) {
    guard isChanged, let web, web.hasStreams else { return }
    let now = ContinuousClock.now
    let took = last?.took ?? .zero
    let rest = min(
      took * (isAwaited ? PageFace.shareOfAgreed : PageFace.share), PageFace.longestPause)
    let next = max(isAwaited ? now : now + PageFace.pause, (last?.at ?? now) + rest)
    if let due, due <= next { return }
    due = next
    let delay = DispatchTimeInterval.microseconds(Int((next - now) / .microseconds(1)))
    queue.asyncAfter(deadline: .now() + delay) { [weak shell] in
      shell?.assumeIsolated { $0.publishState(due: next) }
    }
  }

  /// Sends the state that was to go out at that time, if nothing has sent it sooner.
  func publish(_ peer: Peer, due: ContinuousClock.Instant) {
    guard due == self.due else { return }
    self.due = nil
    guard let web, web.hasStreams, isChanged || isUntold else { return }
    let start = ContinuousClock.now
    web.publish([stateEvent(of: peer)])
    let end = ContinuousClock.now
    last = (end, end - start)
    isAwaited = false
    isUntold = false
  }

  // MARK: Agreed entries

  /// Tells every stream of an entry that is final here.
  func add(_ entry: AgreedEntry) {
    watch?(entry)
    isAwaited = true
    eventNumber += 1
    kept.append((eventNumber, entry))
    if kept.count > PageFace.memory { kept.removeFirst(PageFace.memory / 4) }
    if let web, web.hasStreams { web.publish([agreedEvent(eventNumber, entry)]) }
  }

  private func agreedEvent(_ number: Int, _ entry: AgreedEntry) -> ServerSentEvent {
    ServerSentEvent(id: "\(boot).\(number)", event: "agreed", data: encode(entry))
  }

  /// What a stream starts with: the entries it missed, if it belongs to this run, and the state.
  func events(since last: String?, of peer: Peer) -> [ServerSentEvent] {
    var out: [ServerSentEvent] = []
    let parts = last?.split(separator: ".") ?? []
    if parts.count == 2, parts[0] == boot, let number = Int(parts[1]) {
      out = kept.filter { $0.number > number }.map { agreedEvent($0.number, $0.entry) }
    }
    out.append(stateEvent(of: peer))
    return out
  }
}

/// What a command is answered with.
struct AnswerView: Encodable {
  var ok: Bool?
  var revision: Int?
  var table: String?
  var joining: Bool?
  var code: String?
  var message: String?
  var proposal: String?
}

extension NodeShell {
  func pageState() -> [UInt8] { face?.state(of: peer) ?? [] }

  func publishState(due: ContinuousClock.Instant) { face?.publish(peer, due: due) }

  func pageEvents(since last: String?) -> [ServerSentEvent] {
    face?.events(since: last, of: peer) ?? []
  }

  func tableLog(_ text: String) -> Reply {
    guard let id = TableID(hex: text), let log = peer.log(of: id, reading: rows) else {
      return reply(
        404,
        AnswerView(
          code: "noSuchTable",
          message: "This table is not on this laptop any more. Go back to Home."))
    }
    return reply(200, log)
  }

  func replay(of table: String) -> Reply {
    guard let replay = peer.replay(of: table, reading: rows) else {
      return reply(
        404,
        AnswerView(
          code: "noSuchGame",
          message: "No game of that name is over on this laptop. Look under Past games."))
    }
    return reply(200, replay)
  }

  /// The rows of one table in the store; what waits is written first.
  private func rows(of table: TableID) -> StoredRows? {
    try? StoredRows(store, of: table)
  }

  func exportedLog(_ table: String) -> Reply {
    do throws(ExportFault) {
      let file = try peer.exportedLog(of: table, reading: rows)
      return Reply(file: file.bytes, name: file.name, type: "application/cbor-seq")
    } catch {
      return reply(
        error.isMissing ? 404 : 409, AnswerView(code: error.code, message: error.message))
    }
  }

  func reply(_ status: Int, _ body: some Encodable) -> Reply {
    Reply(status: status, body: face?.encode(body) ?? [])
  }

  /// Takes a command; what it promises is on the disk before it is answered.
  func takeCommand(_ body: [UInt8]) -> Reply {
    let id: CommandID
    let command: Command
    do {
      (id, command) = try CommandReader.read(body)
    } catch {
      return reply(400, AnswerView(code: error.code, message: error.message))
    }
    handle(.command(command, id: id))
    if face?.answers[id] == nil { settle() }
    defer { face?.answers = [:] }
    let revision = face?.nextRevision
    return switch face?.answers[id] {
    case .accepted(let table):
      reply(200, AnswerView(ok: true, revision: revision, table: table?.hex))
    case .refused(let code, let message, let proposal):
      reply(409, AnswerView(code: code, message: message, proposal: proposal))
    case .joining, nil: reply(200, AnswerView(ok: true, revision: revision, joining: true))
    }
  }
}
