import Keys
import Shell
import Wire

/// What no commit can be faster than: one sync, one signature, one verification.
struct Bounds {
  let rounds: Int

  func print(folder: String) throws {
    let probe = try SyncProbe(folder: folder)
    Report.print("one write and sync", measure { probe.writeAndSync() })
    let key = SigningKey(seed: .random(count: 32))
    let message = [UInt8](repeating: 1, count: 200)
    Report.print("one signature", measure { _ = key.sign(message) })
    let signature = key.sign(message)
    Report.print(
      "one verification",
      measure { _ = Ed25519().accepts(signature, over: message, by: key.publicKey) })
  }

  private func measure(_ body: () -> Void) -> [Duration] {
    let clock = ContinuousClock()
    return (0..<rounds).map { _ in clock.measure(body) }
  }
}
