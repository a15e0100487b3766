import Discovery
import Testing

@testable import Shell

@Suite struct OptionsTests {
  private func trouble(_ arguments: String...) -> String? {
    do throws(Options.UsageError) {
      _ = try Options(arguments: arguments)
      return nil
    } catch {
      return error.message
    }
  }

  @Test func aFlagThatIsNotThereIsSaidToBeSoAndTheOthersAreListed() throws {
    for arguments in [
      ["--nonsense"], ["--nonsense", "5"], ["--nonsense=5"], ["--nonsense", "--json"],
    ] {
      var message: String?
      do throws(Options.UsageError) { _ = try Options(arguments: arguments) } catch {
        message = error.message
      }
      let said = try #require(message)
      #expect(said.hasPrefix("there is no flag --nonsense. There are: --name "))
      for line in Options.help.split(separator: "\n") where line.hasPrefix("      --") {
        #expect(said.contains(" \(line.split(separator: " ")[0])"), "\(line)")
      }
    }
  }

  @Test func aFlagWithoutItsValueTakesNoOtherFlagForOne() {
    for flag in ["--name", "--data", "--interface", "--peer", "--port", "--web-port", "--log"] {
      #expect(trouble(flag) == "\(flag) needs a value.")
      #expect(trouble(flag, "--no-open") == "\(flag) needs a value.")
    }
  }

  @Test(arguments: ["", " ", "A", "Ana\u{1}B", String(repeating: "a", count: 25)])
  func aNameThatNobodyCanBearIsAMistakeOfTheCommandLine(_ name: String) {
    #expect(trouble("--name=\(name)")?.hasPrefix("--name takes 2 to 24 characters") == true)
  }

  @Test func aNameIsTakenAsItIsBorne() throws {
    #expect(try Options(arguments: ["--name", "  Ana  Lu "]).name == "Ana Lu")
    let name = try #require(try Options(arguments: ["--name", "Zoe\u{308}"]).name)
    #expect(Array(name.utf8) == Array("Zo\u{eb}".utf8))
    #expect(try Options(arguments: ["--name=--x"]).name == "--x")
  }

  @Test(arguments: ["x", "10.0.0.1:0", "10.0.0.1:99999", "host.example", "fe80::1"])
  func aPeerThatIsNoAddressIsAMistakeOfTheCommandLine(_ peer: String) {
    #expect(trouble("--peer", peer)?.hasPrefix("--peer takes HOST:PORT") == true)
  }

  @Test(arguments: ["0.0.0.0", "255.255.255.255:1", "224.0.0.1", "[ff02::1%eth0]", "[::]:47474"])
  func aPeerThatIsNoLaptopIsSaidToBeNone(_ peer: String) throws {
    let message = try #require(trouble("--peer", peer))
    #expect(
      message.contains("stands for many laptops or for none")
        || message.hasPrefix("--peer takes HOST:PORT"))
  }

  @Test func peersAreRead() throws {
    let options = try Options(arguments: ["--peer", "10.0.0.1", "--peer=[fe80::5%eth0]:9"])
    #expect(options.peers.map(\.description) == ["10.0.0.1:47474", "[fe80::5%eth0]:9"])
  }

  @Test func anInterfaceThatIsNotThereIsNamedWithThoseThatAre() throws {
    let options = try Options(arguments: ["--interface", "lo", "--interface", "nope"])
    #expect(throws: Never.self) { try options.checkInterfaces(among: ["lo", "nope"]) }
    #expect(
      throws: Options.UsageError(
        message: "there is no network interface nope. There are: lo eth0.")
    ) { try options.checkInterfaces(among: ["lo", "eth0"]) }
  }

  @Test(arguments: [
    ("tabletalk", "/home/ana", "tabletalk"),
    ("", "/home/ana", "tabletalk"),
    ("/usr/bin/tabletalk", "/home/ana", "tabletalk"),
    ("/opt/tabletalk/tabletalk", "/home/ana", "/opt/tabletalk/tabletalk"),
    ("./tabletalk", "/home/ana", "./tabletalk"),
    (".build/release/tabletalk", "/src/games", ".build/release/tabletalk"),
    (".build/x86_64-unknown-linux-gnu/debug/tabletalk", "/src/games", "swift run tabletalk"),
    (
      "/src/games/.build/x86_64-unknown-linux-gnu/release/tabletalk", "/src/games/Tests",
      "swift run -c release tabletalk"
    ),
    (
      "/src/games/.build/x86_64-unknown-linux-gnu/release/tabletalk", "/src/gamesome",
      "/src/games/.build/x86_64-unknown-linux-gnu/release/tabletalk"
    ),
    (
      "/src/games/.build/packages/x/release/tabletalk", "/src/games",
      "/src/games/.build/packages/x/release/tabletalk"
    ),
    ("/home/ana b/it's/tabletalk", "/", "'/home/ana b/it'\\''s/tabletalk'"),
  ])
  func theProgramIsNamedAsItWasStarted(_ argument: String, _ folder: String, _ words: String) {
    #expect(ProgramName.words(of: argument, in: folder, path: "/usr/local/bin:/usr/bin") == words)
  }
}
