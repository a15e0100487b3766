import Testing
import TestSupport

@testable import Discovery

/// Protocol/vectors/address.json, which Python's `ipaddress` made.
private struct AddressVectors: Decodable {
  struct Read: Decodable {
    let text: String
    let canonical: String
    let bytes: String
  }

  let read: [Read]
  let refused: [String]
}

@Suite struct AddressTests {
  private let vectors: AddressVectors

  init() throws { vectors = try Vectors.load("address.json", as: AddressVectors.self) }

  @Test func `are read and written as another implementation does`() throws {
    for vector in vectors.read {
      let address = try #require(IPAddress(vector.text), "\(vector.text)")
      #expect(address.description == vector.canonical)
      #expect(IPAddress(vector.canonical) == address)
      #expect(
        address.bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
          == vector.bytes)
      #expect(IPAddress(bytes: address.bytes) == address.on(zone: ""))
    }
  }

  @Test func `are refused where another implementation or our own rules refuse them`() {
    for text in vectors.refused { #expect(IPAddress(text) == nil, "\(text)") }
  }

  @Test(arguments: [
    "192.168.1.5:47474", "[fe80::1%eth0]:47474", "[2001:db8::1]:1", "[::1]:65535",
  ])
  func `with a port are written as they are read`(text: String) throws {
    #expect(try #require(Address(text)).description == text)
  }

  @Test(arguments: [
    "", ":", "[]:1", "[::1", "::1]:1", "[::1]", "[::1]:", "[::1]:0", "[::1]:01", "[::1]:65536",
    "[::1] :1", "[1.2.3.4]:1", "::1:1", "1.2.3.4", "1.2.3.4:", "1.2.3.4:1:1", "[::1]:1:1",
    "[[::1]]:1",
    "x:1", "[localhost]:1",
  ])
  func `with a port are read strictly`(text: String) { #expect(Address(text) == nil) }

  @Test func `take the port to assume`() {
    #expect(Address("[fe80::1]", defaultPort: 5)?.description == "[fe80::1]:5")
    #expect(Address("localhost", defaultPort: 5)?.description == "127.0.0.1:5")
    #expect(Address("[::ffff:10.0.0.1]:5")?.description == "10.0.0.1:5")
  }

  @Test(arguments: [
    ("192.168.1.5", true), ("169.254.3.4", true), ("2001:db8::1", true), ("fd00::1", true),
    ("127.0.0.1", false), ("::1", false), ("fe80::1%eth0", false), ("224.0.0.1", false),
    ("255.255.255.255", false), ("0.0.0.0", false), ("::", false), ("ff12::1", false),
  ])
  func `are passed on only where they mean the same place`(text: String, isShareable: Bool) throws {
    #expect(try #require(IPAddress(text)).isShareable == isShareable)
  }

  @Test func `have a zone only on a link`() {
    #expect(IPAddress("fe80::1")?.on(zone: "eth0").description == "fe80::1%eth0")
    #expect(IPAddress("fe80::1%eth0")?.on(zone: "").description == "fe80::1")
    #expect(IPAddress("2001:db8::1")?.on(zone: "eth0").description == "2001:db8::1")
    #expect(IPAddress("10.0.0.1")?.on(zone: "eth0").description == "10.0.0.1")
  }

  @Test func `of one laptop count as one`() {
    #expect(IPAddress("2001:db8::1")?.network == IPAddress("2001:db8::ffff:1")?.network)
    #expect(IPAddress("2001:db8::1")?.network != IPAddress("2001:db8:0:1::1")?.network)
    #expect(IPAddress("fe80::1%a")?.network != IPAddress("fe80::1%b")?.network)
    #expect(IPAddress("10.0.0.1")?.network != IPAddress("10.0.0.2")?.network)
    #expect(IPAddress.loopback6.network == .loopback6)
  }

  @Test func `have one form on the wire`() {
    #expect(IPAddress(bytes: [UInt8](repeating: 0, count: 10) + [255, 255, 10, 0, 0, 1]) == nil)
    for count in [0, 3, 5, 8, 15, 17] {
      #expect(IPAddress(bytes: [UInt8](repeating: 1, count: count)) == nil)
    }
  }

  @Test func `sort IPv4 first, each as the number it is`() {
    let texts = [
      "9.0.0.1:2", "9.0.0.1:10", "10.0.0.1:1", "[::1]:1", "[fe80::1%a]:1", "[fe80::1%b]:1",
    ]
    let sorted = texts.map { Address($0)! }
    #expect(sorted.reversed().sorted() == sorted)
  }
}
