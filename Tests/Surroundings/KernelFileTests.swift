import Discovery
import Testing

@testable import Surroundings

@Suite struct KernelFileTests {
  private let head =
    "Iface\tDestination\tGateway \tFlags\tRefCnt\tUse\tMetric\tMask\t\tMTU\tWindow\tIRTT\n"

  @Test func theDefaultRouteWithTheSmallestMetricIsTaken() {
    let text =
      head + "wlan0\t00000000\t0101A8C0\t0003\t0\t0\t600\t00000000\t0\t0\t0\n"
      + "eth0\t00000000\tFE004D0A\t0003\t0\t0\t100\t00000000\t0\t0\t0\n"
      + "eth0\t00004D0A\t00000000\t0001\t0\t0\t100\t00FFFFFF\t0\t0\t0\n"
    #expect(DefaultRoute.ipv4(text) == DefaultRoute(device: "eth0", gateway: "10.77.0.254"))
  }

  @Test func twoHalvesGoBeforeTheDefaultRoute() {
    let text =
      head + "wlan0\t00000000\t0101A8C0\t0003\t0\t0\t600\t00000000\t0\t0\t0\n"
      + "tun0\t00000000\t0100080A\t0003\t0\t0\t0\t00000080\t0\t0\t0\n"
      + "tun0\t00000080\t0100080A\t0003\t0\t0\t0\t00000080\t0\t0\t0\n"
    #expect(DefaultRoute.ipv4(text) == DefaultRoute(device: "tun0", gateway: nil))
  }

  @Test func noRouteAndARouteThatRefusesAreNone() {
    #expect(DefaultRoute.ipv4(head) == nil)
    #expect(DefaultRoute.ipv4("") == nil)
    let refusing = head + "lo\t00000000\t00000000\t0201\t0\t0\t0\t00000000\t0\t0\t0\n"
    #expect(DefaultRoute.ipv4(refusing) == nil)
  }

  @Test func theDefaultRouteOfIPv6IsRead() {
    let zero = String(repeating: "0", count: 32)
    let gate = "fe80000000000000000000000000000" + "1"
    let text =
      "\(zero) 00 \(zero) 00 \(zero) ffffffff 00000001 00000000 00200200       lo\n"
      + "\(zero) 00 \(zero) 00 \(gate) 00000400 00000003 00000000 00000003    wlan0\n"
      + "\(zero) 00 \(zero) 00 \(zero) 00000100 00000003 00000000 00000001      wg0\n"
    #expect(DefaultRoute.ipv6Device(text) == "wg0")
    #expect(DefaultRoute.ipv6Device("") == nil)
  }

  @Test func onlyNeighboursThatAnsweredCount() {
    let text = """
      IP address       HW type     Flags       HW address            Mask     Device
      10.77.0.1        0x1         0x2         52:54:00:12:34:56     *        eth0
      10.77.0.12       0x1         0x0         00:00:00:00:00:00     *        eth0
      """
    #expect(
      FoundHost.kernelTable(text) == [.init(address: "10.77.0.1", device: "eth0", isSure: false)])
    let listing = """
      10.77.0.1 dev eth0 lladdr 52:54:00:12:34:56 REACHABLE
      10.77.0.11 dev eth0 lladdr 52:54:00:12:34:57 STALE
      10.77.0.12 dev eth0 FAILED
      10.77.0.13 dev eth0 INCOMPLETE
      """
    #expect(
      FoundHost.listing(listing) == [
        .init(address: "10.77.0.1", device: "eth0", isSure: true),
        .init(address: "10.77.0.11", device: "eth0", isSure: false),
      ])
    #expect(FoundHost.listing("") == [])
    let six = """
      fe80::1 dev eth0 lladdr 02:00:00:00:00:01 router REACHABLE
      fe80::5 dev eth0 lladdr 02:00:00:00:00:05 REACHABLE
      fe80::6 dev eth0 FAILED
      """
    let found = FoundHost.listing(six)
    #expect(found.map(\.isRouter) == [true, false])
    #expect(found.allSatisfy { !$0.isIPv4 && $0.isSure })
    let host = IPAddress.v6(high: 0xfe80 << 48, low: 5)
    #expect(found[1].isAt(host) && found[1].isAt(host.on(zone: "eth0")))
    #expect(!found[1].isAt(host.on(zone: "wlan0")))
  }

  @Test func socketsOfAPortAreFoundByInode() {
    let text = """
        sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
         7: 00000000:B972 00000000:0000 07 00000000:00000000 00:00000000 00000000  1000  0 53011 2 0
         8: 0100007F:0035 00000000:0000 07 00000000:00000000 00:00000000 00000000  1000  0 53012 2 0
      """
    #expect(PortHolders.inodes(text, port: 47_474, listening: false) == [53_011])
    #expect(PortHolders.inodes(text, port: 47_474, listening: true) == [])
    #expect(PortHolders.inode("socket:[53011]") == 53_011)
    #expect(PortHolders.inode("/dev/null") == nil)
    #expect(PortHolders.inode("socket:[x]") == nil)
    #expect(PortHolders.dataFolder("/home/ana/.local/share/tabletalk/tabletalk.db") != nil)
    #expect(PortHolders.dataFolder("/tmp/a\u{1b}na/tabletalk.db") == "/tmp/ana")
    #expect(PortHolders.dataFolder("/tmp/ana/tabletalk.db-wal") == nil)
  }

  @Test func theKernelsOwnFilesAreReadThoughTheyHaveNoSize() throws {
    let text = try #require(KernelFile.text("/proc/net/route"))
    #expect(text.hasPrefix("Iface"))
    #expect(KernelFile.text("/proc/nothing") == nil)
    #expect(KernelFile.text("/proc/net/route", limit: 5) == "Iface")
  }

  @Test func aToolIsAskedForALimitedTime() {
    #expect(Tool.ask("no-such-tool", []) == .missing)
    #expect(Tool.ask("echo", ["a b", "$HOME"]) == .said("a b $HOME\n", status: 0))
    #expect(Tool.ask("false", []) == .said("", status: 1))
    #expect(Tool.ask("sleep", ["60"], seconds: 1) == .silent)
    #expect(Tool.ask("yes", [], seconds: 5, limit: 1_000) == .silent)
  }
}
