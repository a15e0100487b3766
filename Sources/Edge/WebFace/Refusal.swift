/// Why a request is not served, each with an HTTP status, a stable code and what to do next.
enum Refusal: Error, CaseIterable, Equatable, Sendable {
  /// The Host header is not ours: a foreign name that was made to lead to this machine.
  case wrongHost
  /// The Origin header names another page.
  case wrongOrigin
  /// The browser says that another site made the request.
  case wrongSite
  /// The token is missing or is not the right one.
  case tokenMissing
  /// There is nothing at this path.
  case notFound
  /// The path takes other methods only.
  case wrongMethod
  /// The body is not declared as JSON.
  case wrongType
  /// The body is longer than its limit.
  case tooLong
  /// The file is longer than its limit.
  case fileTooLong
  /// The server is about to end.
  case stopping
  /// A newer stream has taken the place of this one; only ever the last event of a stream.
  case tooManyPages

  /// The HTTP status.
  var status: Int {
    switch self {
    case .wrongHost, .wrongOrigin, .wrongSite: 403
    case .tokenMissing: 401
    case .notFound: 404
    case .wrongMethod: 405
    case .wrongType: 415
    case .tooLong, .fileTooLong: 413
    case .stopping, .tooManyPages: 503
    }
  }

  /// The stable name of the case.
  var code: String { String(describing: self) }

  /// One sentence for people that says what to do next.
  var message: String {
    switch self {
    case .wrongHost: "Open the page at the address that tabletalk printed."
    case .wrongOrigin, .wrongSite: "Only Tabletalk's own page may ask; open it from its address."
    case .tokenMissing: "Run tabletalk again, it opens this page."
    case .notFound: "There is nothing here; open the page at its start."
    case .wrongMethod: "This address takes other methods; see the Allow header."
    case .wrongType: "Send the command as application/json."
    case .tooLong: "Send at most 256 KiB at once."
    case .fileTooLong: "A file of words has at most 1 MiB; take a part of it."
    case .stopping: "Tabletalk is ending; start it again."
    case .tooManyPages: "The page is open in too many places; close one and load this one again."
    }
  }

  /// The JSON sent with it; codes and messages hold nothing that JSON would escape.
  var reply: Reply {
    Reply(status: status, body: json)
  }

  /// The last event of a stream that is ended on purpose.
  var farewell: [UInt8] {
    ServerSentEvent(id: nil, event: "closed", data: json).encoded
  }

  private var json: [UInt8] {
    Array("{\"code\":\"\(code)\",\"message\":\"\(message)\"}".utf8)
  }
}
