/// Decides who may ask anything at all, before the request is looked at.
///
/// The server listens on 127.0.0.1 only, but every page in every browser of this machine can send
/// requests there. A foreign name may be made to lead to 127.0.0.1 (DNS rebinding): the Host header
/// still names it. A foreign page may post a form: the Origin header or Sec-Fetch-Site tell. What
/// is left, programs of other users of the machine, do not know the token.
struct Door: Sendable {
  private let hosts: [String]
  private let token: [UInt8]

  /// Makes the door of a server.
  ///
  /// - Parameters:
  ///   - port: the port it is bound to.
  ///   - token: the secret of the page.
  init(port: UInt16, token: String) {
    hosts = ["127.0.0.1:\(port)", "localhost:\(port)"]
    self.token = Array(token.utf8)
  }

  /// Refuses a request that does not come from our own page.
  func checkSource(of head: RequestHead) throws(Refusal) {
    guard let host = head.value("host"), hosts.contains(host.lowercased()) else {
      throw .wrongHost
    }
    let origins = head.values("origin")
    guard origins.allSatisfy({ origin in hosts.contains { "http://" + $0 == origin } }) else {
      throw .wrongOrigin
    }
    guard !head.values("sec-fetch-site").contains("cross-site") else { throw .wrongSite }
  }

  /// Refuses a request that does not carry the token.
  func checkToken(of head: RequestHead) throws(Refusal) {
    guard let offered = head.value("x-tabletalk-token"), isToken(Array(offered.utf8)) else {
      throw .tokenMissing
    }
  }

  /// Compares with the token in a time that does not depend on where they differ.
  private func isToken(_ offered: [UInt8]) -> Bool {
    guard !token.isEmpty, offered.count == token.count else { return false }
    var difference: UInt8 = 0
    for index in token.indices { difference |= token[index] ^ offered[index] }
    return difference == 0
  }
}
