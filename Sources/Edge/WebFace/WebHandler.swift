/// What the page's requests are answered from; the web server itself knows nothing of tables.
///
/// Each closure is called on the queue given to `WebFace`, one at a time, while the server's only
/// thread waits for it. It must not wait for the server in turn.
package struct WebHandler: Sendable {
  /// Returns the whole state as one JSON object.
  package let state: @Sendable () -> [UInt8]
  /// Judges the body of a posted command, which nobody has parsed yet.
  package let command: @Sendable (_ body: [UInt8]) -> Reply
  /// Returns the log of a table, named by 1 to 64 letters, digits or hyphens.
  package let log: @Sendable (_ tableID: String) -> Reply
  /// Returns the log of a table as a file, named in the same way.
  package let export: @Sendable (_ tableID: String) -> Reply
  /// Returns the games that are over.
  package let history: @Sendable () -> Reply
  /// Returns one of them step by step, named in the same way.
  package let replay: @Sendable (_ tableID: String) -> Reply
  /// Says what an exported log proves; called beside the queue.
  package let prove: @Sendable (_ log: [UInt8]) -> Reply
  /// Returns the words of a list.
  package let words: @Sendable (_ list: Int) -> Reply
  /// Returns a list as a file of a format: `txt`, `csv` or `json`.
  package let wordFile: @Sendable (_ list: Int, _ format: String) -> Reply
  /// Reads a file of words, and keeps nothing of it.
  package let preview: @Sendable (_ file: [UInt8], _ format: String) -> Reply
  /// Returns the events a new stream starts with, given the id of the last event its client has.
  ///
  /// What is published after this call reaches the stream as well.
  package let eventsSince: @Sendable (_ lastEventID: String?) -> [ServerSentEvent]

  /// Makes a handler of its parts.
  package init(
    state: @escaping @Sendable () -> [UInt8],
    command: @escaping @Sendable (_ body: [UInt8]) -> Reply,
    log: @escaping @Sendable (_ tableID: String) -> Reply,
    export: @escaping @Sendable (_ tableID: String) -> Reply,
    history: @escaping @Sendable () -> Reply,
    replay: @escaping @Sendable (_ tableID: String) -> Reply,
    prove: @escaping @Sendable (_ log: [UInt8]) -> Reply,
    words: @escaping @Sendable (_ list: Int) -> Reply,
    wordFile: @escaping @Sendable (_ list: Int, _ format: String) -> Reply,
    preview: @escaping @Sendable (_ file: [UInt8], _ format: String) -> Reply,
    eventsSince: @escaping @Sendable (_ lastEventID: String?) -> [ServerSentEvent]
  ) {
    self.state = state
    self.command = command
    self.log = log
    self.export = export
    self.history = history
    self.replay = replay
    self.prove = prove
    self.words = words
    self.wordFile = wordFile
    self.preview = preview
    self.eventsSince = eventsSince
  }
}

/// An answer: JSON, or a file to be saved.
package struct Reply: Equatable, Sendable {
  /// The HTTP status.
  package let status: Int
  /// The JSON text, or the file.
  package let body: [UInt8]
  /// The file's name of letters, digits, dots and hyphens; nil for an answer in JSON.
  package let fileName: String?
  /// What the body is, as `Content-Type` says it.
  package let type: String

  /// Makes an answer in JSON.
  package init(status: Int, body: [UInt8]) {
    self.status = status
    self.body = body
    fileName = nil
    type = "application/json"
  }

  /// Makes an answer that is a file to be saved.
  package init(file: [UInt8], name: String, type: String) {
    status = 200
    body = file
    fileName = name
    self.type = type
  }
}

/// One event of the stream of events, as the HTML standard's section 9.2 defines it.
package struct ServerSentEvent: Equatable, Sendable {
  /// What a client that comes back names as the last it has; nil leaves its last one as it was.
  package let id: String?
  /// The kind; a `state` event is a whole snapshot and replaces those before it.
  package let event: String
  /// One line of JSON.
  package let data: [UInt8]

  /// Makes an event.
  package init(id: String?, event: String, data: [UInt8]) {
    self.id = id
    self.event = event
    self.data = data
  }

  /// The event as it is sent.
  var encoded: [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(data.count + 64)
    if let id { bytes += "id: \(id.withoutLineBreaks)\n".utf8 }
    bytes += "event: \(event.withoutLineBreaks)\n".utf8
    // A line break, legal between JSON tokens, would end the field: each line is a field then.
    for line in data.split(omittingEmptySubsequences: false, whereSeparator: isLineBreak) {
      bytes += "data: ".utf8
      bytes += line
      bytes.append(UInt8(ascii: "\n"))
    }
    bytes.append(UInt8(ascii: "\n"))
    return bytes
  }
}

private func isLineBreak(_ byte: UInt8) -> Bool {
  byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r")
}

extension String {
  /// The text without what would end a field of the stream, or make a client ignore an id.
  fileprivate var withoutLineBreaks: String {
    String(decoding: utf8.filter { !isLineBreak($0) && $0 != 0 }, as: UTF8.self)
  }
}
