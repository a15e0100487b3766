import Discovery
import Testing

@testable import Peer

@Suite struct `The address to invite to` {
  private func chosen(_ views: [InterfaceView]) throws -> String? {
    let world = World("Ana")
    world.deliver(.interfaces(views), to: ana)
    return try #require(world[ana].peer).ownAddress?.hostText
  }

  private func view(
    _ name: String, _ address: String, kind: String, sends: Bool = true, hears: Bool = false
  ) -> InterfaceView {
    InterfaceView(
      name: name, address: address, broadcast: "", sends: sends, lastError: nil, kind: kind,
      hears: hears)
  }

  @Test func `is of a network card before containers, tunnels and loopback`() throws {
    let views = [
      view("lo", "127.0.0.1", kind: "loopback"), view("docker0", "172.17.0.1", kind: "virtual"),
      view("tun0", "10.8.0.2", kind: "tunnel"), view("wlan0", "192.168.1.5", kind: "wifi"),
    ]
    #expect(try chosen(views) == "192.168.1.5")
    #expect(try chosen(views.reversed()) == "192.168.1.5")
  }

  @Test func `is of an interface where others are heard before any other`() throws {
    let views = [
      view("eth0", "192.168.1.5", kind: "wired"),
      view("vboxnet0", "192.168.56.1", kind: "virtual", hears: true),
    ]
    #expect(try chosen(views) == "192.168.56.1")
  }

  @Test func `is IPv4 before IPv6, and never names an interface of this laptop`() throws {
    let link = view("eth0", "fe80::5%eth0", kind: "wired")
    let wide = view("eth0", "2001:db8::5", kind: "wired", sends: false)
    #expect(try chosen([link, wide, view("eth0", "10.0.0.5", kind: "wired")]) == "10.0.0.5")
    #expect(try chosen([link, wide]) == "2001:db8::5")
    #expect(try chosen([link]) == "fe80::5")
  }

  @Test func `is the loopback one where there is no other, and none where nothing sends`() throws {
    #expect(try chosen([view("lo", "127.0.0.1", kind: "loopback")]) == "127.0.0.1")
    #expect(try chosen([view("eth0", "10.0.0.5", kind: "wired", sends: false)]) == nil)
    #expect(try chosen([]) == nil)
  }

  @Test func `counts are no news for the page`() throws {
    let world = World("Ana")
    var counted = view("eth0", "10.0.0.5", kind: "wired")
    world.deliver(.interfaces([counted]), to: ana)
    var changes = 0
    world.onEffect = { _, effect in if case .changed = effect { changes += 1 } }
    counted.sent = 7
    counted.heardAt = 1
    world.deliver(.interfaces([counted]), to: ana)
    #expect(changes == 0)
    #expect(world[ana].peer?.interfaces == [counted])
    counted.lastError = "no"
    world.deliver(.interfaces([counted]), to: ana)
    #expect(changes == 1)
  }
}
