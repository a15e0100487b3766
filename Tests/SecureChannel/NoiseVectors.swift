import TestSupport

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

    enum CodingKeys: String, CodingKey {
      case messages
      case initPrologue = "init_prologue"
      case initStatic = "init_static"
      case initEphemeral = "init_ephemeral"
      case respStatic = "resp_static"
      case respEphemeral = "resp_ephemeral"
      case handshakeHash = "handshake_hash"
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

      enum CodingKeys: String, CodingKey {
        case from, length, wire
        case wireHash = "wire_hash"
      }
    }

    enum CodingKeys: String, CodingKey {
      case prologue, messages, frames
      case initiatorStatic = "initiator_static"
      case initiatorEphemeral = "initiator_ephemeral"
      case initiatorIdentity = "initiator_identity"
      case responderStatic = "responder_static"
      case responderEphemeral = "responder_ephemeral"
      case responderIdentity = "responder_identity"
      case handshakeHash = "handshake_hash"
    }
  }

  static func load() throws -> NoiseVectors {
    try Vectors.load("noise.json")
  }
}
