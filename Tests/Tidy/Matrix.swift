/// Who may import whom; `ls Sources` is the architecture and this is its other half.
enum Matrix {
  /// Modules of pure code, each with the only modules it may import.
  static let core: [String: Set<String>] = [
    "CBOR": [],
    "Quoridor": [],
    "Wire": ["CBOR", "CSodium"],
    "Discovery": ["Wire", "CBOR"],
    "Consensus": ["Wire", "CBOR"],
    "Games": ["Wire", "CBOR", "Quoridor"],
    "Table": ["Games", "Consensus", "Wire", "CBOR"],
    "Archive": ["Table", "Games", "Consensus", "Wire", "CBOR"],
    "Peer": ["Archive", "Table", "Games", "Consensus", "Discovery", "Wire", "CBOR"],
  ]

  /// Each edge has one job: the whole core, its own C library, and no other edge; only the link
  /// keys are secrets, and secret memory is the business of Keys.
  static let edge: [String: Set<String>] = [
    "Keys": coreModules.union(["CSodium"]),
    "SecureChannel": coreModules.union(["CSodium", "Keys"]),
    "Sockets": coreModules,
    "Store": coreModules.union(["CSQLite", "CSodium"]),
    "Surroundings": coreModules,
    "WebFace": coreModules.union(["CMicroHTTPD", "CAssets"]),
  ]

  static let coreModules = Set(core.keys)
  static let libraries: Set<String> = [
    "CSodium", "CSQLite", "CMicroHTTPD", "CAssets", "CFuzzer",
  ]
  static let tools: Set<String> = [
    "tabletalk", "SimulationKit", "SafetySearch", "simulate", "bench", "fuzz",
  ]
  /// What the toolchain brings; the two C libraries among them only where `#if` may choose.
  static let toolchain: Set<String> = [
    "Dispatch", "Foundation", "FoundationEssentials", "Synchronization",
  ]
  static let platform: Set<String> = ["Darwin", "Glibc"]
  /// Where a file may ask for the platform and import its C library: sockets and process in the
  /// shell's neighbourhood, and the one file that wraps the file system's calls for the store.
  static let platformPlaces = [
    "Sources/Edge/Sockets/", "Sources/Edge/Shell/", "Sources/Edge/Store/FileSystem.swift",
  ]

  static func isPlatformPlace(_ path: String) -> Bool {
    platformPlaces.contains(where: path.hasPrefix)
  }

  /// The modules that a file of this target may import, or nil when nobody knows the target.
  static func allowed(layer: String, name: String) -> Set<String>? {
    switch layer {
    case "Core": return core[name]
    case "Edge" where name == "Shell":
      return coreModules.union(edge.keys).union(libraries).union(toolchain)
    case "Edge":
      guard let own = edge[name] else { return nil }
      return own.union(toolchain)
    case "Tools" where name == "SimulationKit":
      return coreModules
    case "Tools" where name == "SafetySearch": return []
    case "Tools" where tools.contains(name):
      return coreModules.union(edge.keys).union(libraries).union(toolchain)
        .union(["Shell", "SimulationKit", "TestSupport"])
    case "C" where libraries.contains(name): return []
    default: return nil
    }
  }
}
