import CBOR
import Discovery
import Testing
import Wire

@testable import Peer

@Suite struct `Where others are` {
  private let key = PublicKey(raw: Digest(.state, .unsigned(1)).raw)

  private func frame(host: [UInt8], port: Int = 5) -> [UInt8] {
    CBOR.array([9, .array([[key.cbor, .bytes(host), CBOR(port)]])]).encoded
  }

  @Test(arguments: ["10.0.0.1:5", "[2001:db8::1]:5"])
  func `carry either kind of address`(text: String) throws {
    let address = try #require(Address(text))
    let message = LinkMessage.whereabouts([Whereabouts(key, address)])
    #expect(message.frame == frame(host: address.host.bytes))
    #expect(try LinkMessage(frame: message.frame) == message)
  }

  @Test func `lose the zone, which means nothing elsewhere`() throws {
    let address = try #require(Address("[fe80::1%eth0]:5"))
    let message = try LinkMessage(frame: LinkMessage.whereabouts([Whereabouts(key, address)]).frame)
    #expect(message == .whereabouts([Whereabouts(key, address.on(zone: ""))]))
  }

  @Test func `have one form`() {
    let mapped = [UInt8](repeating: 0, count: 10) + [255, 255, 10, 0, 0, 1]
    for host in [[], [1, 2, 3], [1, 2, 3, 4, 5], mapped, [UInt8](repeating: 1, count: 17)] {
      #expect(throws: DecodeError.self) { try LinkMessage(frame: frame(host: host)) }
    }
    #expect(throws: DecodeError.self) {
      try LinkMessage(frame: frame(host: [1, 2, 3, 4], port: 0))
    }
  }
}
