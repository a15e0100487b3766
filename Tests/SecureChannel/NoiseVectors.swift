import Foundation

/// Protocol/vectors/noise.json, as far as the tests read it.
struct NoiseVectors: Decodable {
  let published: Published
  let link: Link

  struct Published: Decodable {
    let initPrologue: String
    let initStatic: String
    let initEphemeral: String
    let respStatic: String
    let respEphemeral: String
    let handshakeHash: String
    let messages: [Message]

    struct Message: Decodable {
      let payload: String
      let ciphertext: String
    }
  }

  struct Link: Decodable {
    let prologue: String
    let initiatorStatic: String
    let initiatorEphemeral: String
    let initiatorIdentity: String
    let responderStatic: String
    let responderEphemeral: String
    let responderIdentity: String
    let handshakeHash: String
    let messages: [Message]
    let frames: [Frame]

    struct Message: Decodable {
      let payload: String
      let message: String
    }

    struct Frame: Decodable {
      let from: String
      let length: Int
      let wireHash: String
      let wire: String?
    }
  }

  static func load() throws -> NoiseVectors {
    let file = URL(fileURLWithPath: #filePath)
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
      .appendingPathComponent("Protocol/vectors/noise.json")
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    return try decoder.decode(NoiseVectors.self, from: Data(contentsOf: file))
  }
}

/// Bytes from hexadecimal text; nil when it is not.
func bytes(hex: String) throws -> [UInt8] {
  struct NotHex: Error {}
  let digits = Array(hex)
  guard digits.count.isMultiple(of: 2) else { throw NotHex() }
  return try stride(from: 0, to: digits.count, by: 2).map { start in
    guard let byte = UInt8(String(digits[start...start + 1]), radix: 16) else { throw NotHex() }
    return byte
  }
}
