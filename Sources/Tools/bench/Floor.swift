import Foundation
import Keys
import Shell
import Wire

/// What no commit can be faster than on this machine, measured in the same run.
struct Floor {
  private let sync: Duration
  private let sign: Duration
  private let verify: Duration
  private let roundTrip: Duration

  private static let rounds = 300

  /// Measures the four, medians.
  init() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
      "tabletalk-floor-\(ProcessInfo.processInfo.processIdentifier)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let probe = try SyncProbe(folder: folder.path)
    sync = Self.median { probe.writeAndSync() }
    let key = SigningKey.random()
    let message = [UInt8](repeating: 1, count: 200)
    sign = Self.median { _ = key.sign(message) }
    let signature = key.sign(message)
    verify = Self.median { _ = Ed25519().accepts(signature, over: message, by: key.publicKey) }
    let echo = try EchoProbe()
    roundTrip = Self.median { echo.roundTrip() }
  }

  /// Gossip, proposal, notarize, finalize: each one message, and a sync, a signature and a
  /// verification for each of the three votes on the way.
  var fourHops: Duration { (roundTrip / 2) * 4 + (sync + sign + verify) * 3 }
  /// Proposal and votes of the only voter: three syncs in a row.
  var oneNode: Duration { (sync + sign) * 2 }

  /// Entries a second when all processors do nothing but verify each entry once on each node.
  func mostVerified(by nodes: Int) -> Double {
    Double(ProcessInfo.processInfo.activeProcessorCount) / (Double(nodes) * (verify / .seconds(1)))
  }

  func print() {
    Report.print("one write and fdatasync", [sync])
    Report.print("one Ed25519 signature", [sign])
    Report.print("one verification", [verify])
    Report.print("one TCP round trip", [roundTrip])
    Report.print("floor of four hops", [fourHops])
  }

  private static func median(_ body: () -> Void) -> Duration {
    let clock = ContinuousClock()
    return (0..<rounds).map { _ in clock.measure(body) }.sorted()[rounds / 2]
  }
}
