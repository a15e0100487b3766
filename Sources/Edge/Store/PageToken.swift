/// What the page needs to find the same door open after a restart of the node.
extension DataFolder {
  private static let tokenName = "page-token"
  private static let portName = "page-port"

  /// Reads the secret that opens the page, 32 hex digits, or makes it where there is none.
  ///
  /// It is kept so that open tabs survive a restart of the node.
  ///
  /// - Parameter renew: whether to make a new one, which shuts out every open tab.
  /// - Returns: the token, which is on the disk.
  /// - Throws: what the system said.
  package func pageToken(renew: Bool = false) throws(DataFolderError) -> String {
    if !renew, let bytes = try read(Self.tokenName), let token = Self.token(in: bytes) {
      return token
    }
    // The system's generator is a cryptographic one: getrandom, or arc4random on macOS.
    var generator = SystemRandomNumberGenerator()
    let digits = Array("0123456789abcdef".utf8)
    let token = (0..<32).map { _ in digits[Int(generator.next() as UInt64 >> 60)] }
    try write(Self.tokenName, token + [UInt8(ascii: "\n")])
    return String(decoding: token, as: UTF8.self)
  }

  /// Returns the port of the page at the last start; nil when none is known.
  package func lastPagePort() throws(DataFolderError) -> UInt16? {
    guard let bytes = try read(Self.portName) else { return nil }
    return UInt16(String(decoding: bytes, as: UTF8.self).prefix { $0 != "\n" })
  }

  /// Keeps the port of the page for the next start.
  package func keepPagePort(_ port: UInt16) throws(DataFolderError) {
    try write(Self.portName, Array("\(port)\n".utf8))
  }

  private static func token(in bytes: [UInt8]) -> String? {
    let digits = bytes.last == UInt8(ascii: "\n") ? bytes.dropLast() : bytes[...]
    let areHex = digits.allSatisfy { digit in
      (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit)
        || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(digit)
    }
    guard digits.count == 32, areHex else { return nil }
    return String(decoding: digits, as: UTF8.self)
  }
}
