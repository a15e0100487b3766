import Foundation

/// A client that sends bytes as they are given and reads what comes, over one connection.
final class RawClient {
  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  private let descriptor: Int32
  /// What has come and has not been read.
  private(set) var unread: [UInt8] = []

  /// Connects to a port of 127.0.0.1; nothing waits longer than ten seconds.
  init(port: UInt16, address host: UInt32 = 0x7f00_0001) throws {
    let stream: Int32 = 1  // SOCK_STREAM, which is an enum on one system and a number on another
    descriptor = socket(AF_INET, numericCast(stream), 0)
    guard descriptor >= 0 else { throw Failure(description: "socket: \(errno)") }
    var patience = timeval(tv_sec: 10, tv_usec: 0)
    let size = socklen_t(MemoryLayout<timeval>.size)
    setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, size)
    setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &patience, size)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = host.bigEndian
    let result = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard result == 0 else {
      // The descriptor is closed by deinit: every property has its value already.
      throw Failure(description: "connect: \(errno)")
    }
  }

  deinit { close(descriptor) }

  func send(_ text: String) throws { try send(Array(text.utf8)) }

  func send(_ bytes: [UInt8]) throws {
    var done = 0
    while done < bytes.count {
      let count = bytes[done...].withUnsafeBytes {
        // The process must survive a server that has closed the connection.
        Foundation.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { throw Failure(description: "send: \(errno)") }
      done += count
    }
  }

  /// Reads on; false at the end of the connection.
  func receive() throws -> Bool {
    var buffer = [UInt8](repeating: 0, count: 65536)
    let count = recv(descriptor, &buffer, buffer.count, 0)
    if count == 0 || (count < 0 && errno == ECONNRESET) { return false }
    guard count > 0 else { throw Failure(description: "recv: \(errno)") }
    unread += buffer[..<count]
    return true
  }

  /// Reads up to and with a text, which must come.
  func read(through end: String) throws -> String {
    let pattern = Array(end.utf8)
    var from = 0
    while true {
      while from + pattern.count <= unread.count {
        if unread[from..<from + pattern.count].elementsEqual(pattern) {
          let found = String(decoding: unread[..<(from + pattern.count)], as: UTF8.self)
          unread.removeFirst(from + pattern.count)
          return found
        }
        from += 1
      }
      guard try receive() else {
        let rest = String(decoding: unread.prefix(2000), as: UTF8.self)
        throw Failure(description: "the connection ended before \(end.debugDescription): \(rest)")
      }
    }
  }

  func read(count: Int) throws -> [UInt8] {
    while unread.count < count {
      guard try receive() else { throw Failure(description: "the connection ended early") }
    }
    defer { unread.removeFirst(count) }
    return Array(unread[..<count])
  }

  /// Reads one response with a declared length or in chunks to its end.
  func response(hasBody: Bool = true) throws -> RawResponse {
    var response = try head()
    guard hasBody, response.status != 304 else { return response }
    if response.fields["transfer-encoding"] == "chunked" {
      while let chunk = try chunk() { response.body += chunk }
    } else if let length = response.fields["content-length"].flatMap({ Int($0) }) {
      response.body = try read(count: length)
    }
    return response
  }

  /// Reads the status and the header fields.
  func head() throws -> RawResponse {
    let lines = try read(through: "\r\n\r\n").components(separatedBy: "\r\n")
    let words = lines[0].split(separator: " ")
    guard words.count >= 2, let status = Int(words[1]) else {
      throw Failure(description: "no status line: \(lines[0])")
    }
    var fields: [String: String] = [:]
    for line in lines.dropFirst() {
      guard let colon = line.firstIndex(of: ":") else { continue }
      fields[line[..<colon].lowercased()] = line[line.index(after: colon)...]
        .trimmingCharacters(in: .whitespaces)
    }
    return RawResponse(status: status, fields: fields, body: [])
  }

  /// Reads one chunk; nil for the last, empty one.
  func chunk() throws -> [UInt8]? {
    let line = try read(through: "\r\n").dropLast()
    guard let size = Int(line.trimmingCharacters(in: .whitespaces), radix: 16) else {
      throw Failure(description: "no chunk size: \(line)")
    }
    let bytes = try read(count: size)
    _ = try read(through: "\r\n")
    return size == 0 ? nil : bytes
  }

  /// Reads one event of a stream, without its blank line; nil at the end of the stream.
  func event() throws -> String? {
    while true {
      if let end = eventText.range(of: "\n\n") {
        defer { eventText.removeSubrange(..<end.upperBound) }
        return String(eventText[..<end.lowerBound])
      }
      guard let bytes = try chunk() else { return nil }
      eventText += String(decoding: bytes, as: UTF8.self)
    }
  }

  private var eventText = ""

  /// Whether the server has closed the connection, after all that has come before was read.
  func isClosedByServer() throws -> Bool {
    while try receive() {}
    return true
  }
}

struct RawResponse {
  let status: Int
  let fields: [String: String]
  var body: [UInt8]

  var text: String { String(decoding: body, as: UTF8.self) }

  /// The code of a refusal, when the body is one: an object with a code and a message.
  var refusal: String? {
    guard fields["content-type"] == "application/json",
      let object = try? JSONDecoder().decode([String: String].self, from: Data(body)),
      Set(object.keys) == ["code", "message"], object["message"]?.hasSuffix(".") == true
    else { return nil }
    return object["code"]
  }
}
