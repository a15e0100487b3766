import Testing

@testable import Sockets

@Suite struct EndpointTests {
  @Test(arguments: ["127.0.0.1:1", "192.168.1.5:47474", "0.0.0.0:65535", "255.255.255.255:80"])
  func whatIsReadIsPrintedAlike(text: String) throws {
    #expect(try #require(Endpoint(text)).description == text)
  }

  @Test func localhostIsAnAddress() {
    #expect(Endpoint("localhost:47474") == Endpoint(.loopback, port: 47_474))
  }

  @Test(arguments: [
    "", ":", "127.0.0.1", "127.0.0.1:", ":80", "127.0.0.1:0", "127.0.0.1:65536", "127.0.0.1:080",
    "127.0.0.1:+80", "127.0.0.1:99999999999999999999", "127.0.0:80", "127.0.0.1.1:80",
    "127.0.0.256:80", "127.0.0.01:80", "127.0.0.:80", "127..0.1:80", "1.2.3.4 :80", " 1.2.3.4:80",
    "0x7f.0.0.1:80", "example.org:80", "[::1]:80", "1.2.3.４:80",
  ])
  func anythingElseIsRefused(text: String) {
    #expect(Endpoint(text) == nil)
  }

  @Test func endpointsSortByNumber() {
    let sorted = ["9.0.0.1:2", "9.0.0.1:10", "10.0.0.1:1", "192.168.0.1:1"].map { Endpoint($0) }
    #expect(sorted.compactMap(\.self).sorted() == sorted)
  }
}
