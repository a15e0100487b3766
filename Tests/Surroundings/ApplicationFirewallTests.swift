import Discovery
import Testing

@testable import Surroundings

/// Output as macOS's manuals and users show it; nothing of this was tried on a Mac.
@Suite struct ApplicationFirewallTests {
  private let apps = """
    ALF: total number of apps = 2

    1 :  /Applications/Music.app
    \t ( Allow incoming connections )

    2 :  /usr/local/bin/tabletalk
    \t ( Block incoming connections )
    """

  private func fact(_ state: String, _ all: String, _ apps: String) -> NetworkFacts.Firewall? {
    ApplicationFirewall.fact(
      program: "/usr/local/bin/tabletalk", state: state, blockAll: all, apps: apps)
  }

  private let on = "Firewall is enabled. (State = 1)\n"
  private let some = "Firewall has block all state set to disabled.\n"

  @Test func aFirewallThatIsOffIsNone() {
    #expect(fact("Firewall is disabled. (State = 0)\n", some, apps) == nil)
  }

  @Test func aProgramThatIsBlockedIsNamed() {
    #expect(fact(on, some, apps)?.discovery == .dropped)
    #expect(fact(on, some, apps)?.program == "/usr/local/bin/tabletalk")
  }

  @Test func aProgramThatIsAllowedIsOpen() {
    let allowed = apps.replacing("Block", with: "Allow")
    #expect(fact(on, some, allowed)?.discovery == .open)
  }

  @Test func aProgramThatIsNotListedIsUnknown() {
    #expect(fact(on, some, "ALF: total number of apps = 0\n")?.discovery == .unknown)
  }

  @Test func blockAllBlocksAll() {
    let all = "Firewall has block all state set to enabled.\n"
    #expect(fact(on, all, "")?.links == .dropped)
    #expect(
      fact("Firewall is blocking all non-essential incoming connections. (State = 2)\n", some, "")
        != nil)
  }
}
