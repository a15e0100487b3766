// swift-tools-version: 6.2
import PackageDescription

/// With FUZZ=1 all code tells libFuzzer where it runs, for the program `fuzz` (Tests/Fuzz/README.md).
let isFuzzing = Context.environment["FUZZ"] == "1"
let instrumented: [SwiftSetting] = isFuzzing ? [.unsafeFlags(["-sanitize=fuzzer"])] : []

/// One strictness for every Swift target: warnings fail the build, imports say what they expose.
let strict: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
  .treatAllWarnings(as: .error),
]

/// The pure modules are optimized in every build: their tests play out thousands of games and faults.
let optimized: [SwiftSetting] = [.unsafeFlags(["-O"], .when(configuration: .debug))]

func core(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
  .target(
    name: name, dependencies: dependencies, path: "Sources/Core/\(name)",
    swiftSettings: strict + instrumented + optimized)
}

func edge(
  _ name: String, _ dependencies: [Target.Dependency] = [], exclude: [String] = []
) -> Target {
  .target(
    name: name, dependencies: dependencies, path: "Sources/Edge/\(name)", exclude: exclude,
    swiftSettings: strict + instrumented)
}

func tool(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
  .executableTarget(
    name: name, dependencies: dependencies, path: "Sources/Tools/\(name)",
    swiftSettings: strict + instrumented)
}

func tests(
  _ name: String, _ dependencies: [Target.Dependency], exclude: [String] = []
) -> Target {
  .testTarget(
    name: "\(name)Tests", dependencies: dependencies, path: "Tests/\(name)", exclude: exclude,
    swiftSettings: strict)
}

let package = Package(
  name: "Tabletalk",
  platforms: [.macOS(.v26)],
  products: [.executable(name: "tabletalk", targets: ["tabletalk"])],
  targets: [
    .systemLibrary(
      name: "CSodium", path: "Sources/C/CSodium", pkgConfig: "libsodium",
      providers: [.apt(["libsodium-dev"]), .brew(["libsodium"])]),
    .systemLibrary(
      name: "CSQLite", path: "Sources/C/CSQLite", pkgConfig: "sqlite3",
      providers: [.apt(["libsqlite3-dev"]), .brew(["sqlite"])]),
    .systemLibrary(
      name: "CMicroHTTPD", path: "Sources/C/CMicroHTTPD", pkgConfig: "libmicrohttpd",
      providers: [.apt(["libmicrohttpd-dev"]), .brew(["libmicrohttpd"])]),
    .target(
      name: "CAssets", path: "Sources/C/CAssets", cSettings: [.unsafeFlags(["-std=c23"])]),

    core("CBOR"),
    core("Wire", ["CBOR", "CSodium"]),
    // Rules and search of one game, which need nothing; optimized in every build, since their tests
    // count millions of positions.
    .target(
      name: "Quoridor", path: "Sources/Core/Quoridor",
      swiftSettings: strict + instrumented + [
        .unsafeFlags(["-O"], .when(configuration: .debug))
      ]),
    core("Discovery", ["Wire", "CBOR"]),
    core("Consensus", ["Wire", "CBOR"]),
    // Games takes Wire for hashes, the seeded stream, keys and places in the log.
    core("Games", ["Wire", "CBOR", "Quoridor"]),
    core("Table", ["Games", "Consensus", "Wire", "CBOR"]),
    // The exported log and its verifier.
    core("Archive", ["Table", "Games", "Consensus", "Wire", "CBOR"]),
    core("Peer", ["Archive", "Table", "Games", "Consensus", "Discovery", "Wire", "CBOR"]),

    edge("Keys", ["Wire", "CBOR", "CSodium"]),
    edge("SecureChannel", ["Keys", "Wire", "CBOR", "CSodium"]),
    edge("Sockets", ["Discovery"]),
    edge("Store", ["CSQLite", "CSodium"]),
    edge("Surroundings", ["Discovery"]),
    edge("WebFace", ["CMicroHTTPD", "CAssets"], exclude: ["Page"]),
    edge(
      "Shell",
      [
        "Peer", "Archive", "Table", "Games", "Consensus", "Discovery", "Wire", "CBOR", "Keys",
        "SecureChannel", "Sockets", "Store", "Surroundings", "WebFace", "Quoridor",
      ]),

    tool("tabletalk", ["Shell"]),
    // TestSupport has the rules of Quoridor without tricks, to compare with.
    tool(
      "bench",
      ["Shell", "Peer", "Discovery", "Keys", "Sockets", "Store", "Wire", "Quoridor", "TestSupport"]),

    .target(name: "TestSupport", path: "Tests/Support", swiftSettings: strict + instrumented),
    tests("Keys", ["Keys", "Wire", "CSodium"]),
    tests("Sockets", ["Sockets", "Discovery"]),
    tests(
      "Shell",
      [
        "Shell", "Peer", "Games", "Keys", "SecureChannel", "Sockets", "Discovery", "Store", "Wire",
        "Quoridor", "TestSupport",
      ]),
    tests("SecureChannel", ["SecureChannel", "Keys", "Wire", "CBOR", "CSodium", "TestSupport"]),
    .target(
      name: "SimulationKit", dependencies: ["Consensus", "Wire", "CBOR"],
      path: "Sources/Tools/SimulationKit", swiftSettings: strict + instrumented + optimized),
    tool("simulate", ["SimulationKit"]),
    // Millions of states: optimised in every build, so that its tests take seconds.
    .target(
      name: "SafetySearch", path: "Sources/Tools/SafetySearch",
      swiftSettings: strict + [.unsafeFlags(["-O"])]),
    tests(
      "Consensus",
      [
        "Consensus", "SimulationKit", "SafetySearch", "Wire", "CBOR", "CSodium", "TestSupport",
      ]),

    tests("Discovery", ["Discovery", "Wire", "CBOR", "CSodium", "TestSupport"]),
    tests("Store", ["Store", "CSQLite"]),
    tests("Surroundings", ["Surroundings", "Discovery"], exclude: ["Recorded"]),
    tests("WebFace", ["WebFace"]),
    tests("Tidy", []),
    tests("Table", ["Table", "Games", "Quoridor", "Consensus", "Wire", "CBOR", "TestSupport"]),
    tests("Games", ["Games", "Wire", "CBOR", "Quoridor", "TestSupport"]),
    tests("Quoridor", ["Quoridor", "TestSupport"]),
    tests("CBOR", ["CBOR", "TestSupport"]),
    tests(
      "Peer",
      [
        "Peer", "Archive", "Table", "Games", "Consensus", "Discovery", "Wire", "CBOR", "CSodium",
        "TestSupport",
      ]),
    tests("Archive", ["Archive", "Consensus", "Games", "Wire", "TestSupport"]),
    tests("Wire", ["Wire", "CBOR", "CSodium", "TestSupport"]),
  ]
)

// Of all this only what reads bytes from outside is built for `fuzz`: the pure modules, the encryption
// of links and, of the shell, the reader of commands.
if isFuzzing {
  let readers = package.targets.filter {
    $0.path?.hasPrefix("Sources/Core/") == true
      || ["CSodium", "Keys", "SecureChannel"].contains($0.name)
  }
  package.products = []
  package.targets =
    readers + [
      .target(
        name: "Shell", dependencies: ["Peer", "Games", "Wire"], path: "Sources/Edge/Shell/Commands",
        swiftSettings: strict + instrumented),
      .systemLibrary(name: "CFuzzer", path: "Sources/C/CFuzzer"),
      .executableTarget(
        name: "fuzz",
        dependencies: [
          "CFuzzer", "Archive", "Shell", "Peer", "Table", "Games", "Consensus", "Discovery", "Wire",
          "CBOR", "Keys", "SecureChannel",
        ], path: "Sources/Tools/fuzz", swiftSettings: strict + instrumented,
        linkerSettings: [.unsafeFlags(["-sanitize=fuzzer"]), .linkedLibrary("m")]),
    ]
}
