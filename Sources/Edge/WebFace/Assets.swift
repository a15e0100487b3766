import CAssets

/// One file of the page as it is served.
///
/// Unchecked, as a pointer is not known to be sendable: this one leads to what never changes.
struct Asset: @unchecked Sendable {
  /// The path under which it is asked for.
  let path: String
  /// The media type.
  let type: String
  /// What tells this version of the file from others, with its quotes.
  let tag: String
  /// The bytes, which are part of the program or made once, and never change.
  let bytes: UnsafeRawBufferPointer

  /// All that is served as the page: the files, and the pieces that are made of them.
  static let served = Pieces.make(of: all)

  /// All files compiled into the program; the start page is at "/" and nowhere else.
  static let all: [Asset] = (0..<tabletalk_asset_count).map { index in
    let entry = tabletalk_asset_at(index).pointee
    let path = String(cString: entry.path)
    guard let type = mediaType(of: path) else { fatalError("no media type for \(path)") }
    let bytes = UnsafeRawBufferPointer(start: entry.bytes, count: entry.count)
    return Asset(path: path == "/index.html" ? "/" : path, type: type, bytes: bytes)
  }

  private init(path: String, type: String, bytes: UnsafeRawBufferPointer) {
    self.path = path
    self.type = type
    self.bytes = bytes
    tag = "\"\(String(Asset.digest(of: bytes), radix: 16))-\(bytes.count)\""
  }

  /// What is made once in a run of the program and stays to its end.
  init(path: String, type: String, made: [UInt8]) {
    let place = UnsafeMutableRawBufferPointer.allocate(byteCount: made.count, alignment: 1)
    place.copyBytes(from: made)
    self.init(path: path, type: type, bytes: UnsafeRawBufferPointer(place))
  }

  /// The media type of a file name; nil for a kind of file that the page does not have.
  static func mediaType(of path: String) -> String? {
    guard let dot = path.lastIndex(of: ".") else { return nil }
    return switch path[dot...] {
    case ".html": "text/html; charset=utf-8"
    case ".css": "text/css; charset=utf-8"
    case ".js": "text/javascript; charset=utf-8"
    case ".json": "application/json"
    case ".svg": "image/svg+xml"
    case ".png": "image/png"
    case ".woff2": "font/woff2"
    case ".txt": "text/plain; charset=utf-8"
    default: nil
    }
  }

  /// FNV-1a of 64 bits: names a version, and protects nothing.
  private static func digest(of bytes: UnsafeRawBufferPointer) -> UInt64 {
    bytes.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01b3 }
  }
}
