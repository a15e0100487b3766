/// What a request says before its body.
struct RequestHead: Equatable, Sendable {
  /// The method, in the case the client wrote it.
  var method: String
  /// The path without its query, with escapes left as they are: no path of ours has any.
  var path: String
  /// The header fields in the order they came; a name may come more than once.
  var fields: [(name: String, value: String)]

  /// Returns the values of a header field, whose name is compared without regard to case.
  func values(_ name: String) -> [String] {
    fields.filter { $0.name.lowercased() == name }.map(\.value)
  }

  /// Returns the value of a header field that comes exactly once; nil otherwise.
  func value(_ name: String) -> String? {
    let values = values(name)
    return values.count == 1 ? values.first : nil
  }

  /// The body's length as the client declares it; nil when it does not, or not as a number.
  var declaredLength: Int? { value("content-length").flatMap { Int($0) } }

  /// Whether the body is declared as JSON, with parameters or without.
  var declaresJSON: Bool {
    guard let type = value("content-type")?.split(separator: ";").first else { return false }
    return String(type).trimmed.lowercased() == "application/json"
  }

  /// Whether the client reads gzip.
  var takesGzip: Bool {
    values("accept-encoding").contains { list in
      list.split(separator: ",").contains { String($0).trimmed.lowercased() == "gzip" }
    }
  }

  /// Whether the client says that it has this version of what it asks for.
  func hasVersion(_ tag: String) -> Bool {
    values("if-none-match").contains { list in
      list.split(separator: ",").contains { item in
        let known = String(item).trimmed
        return known == "*" || known == tag || known == "W/" + tag
      }
    }
  }

  static func == (left: RequestHead, right: RequestHead) -> Bool {
    left.method == right.method && left.path == right.path
      && left.fields.elementsEqual(right.fields, by: ==)
  }
}

extension String {
  /// The text without blanks at its ends.
  var trimmed: String {
    func isBlank(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
    let start = utf8.drop(while: isBlank)
    let end = start.lastIndex { !isBlank($0) }
    guard let end else { return "" }
    return String(decoding: start[...end], as: UTF8.self)
  }
}
