import Archive
import Foundation
import Store
import WebFace
import Wire

/// `tabletalk verify`: says what a saved log proves, and what it does not.
struct LogCheck {
  let file: String
  let printsJSON: Bool

  /// Judges, prints, and returns the exit code: 0 proven, 1 not.
  func run() -> Int32 {
    do throws(LogFault) {
      let proof = try LogVerifier.verify(try read(), checker: Ed25519())
      Log.write(printsJSON ? json(proof) : LogCheck.text(proof), to: 1)
      return 0
    } catch {
      let place = error.block.map { ", block \($0)" } ?? ""
      Log.write(
        printsJSON
          ? json(Refusal(fault: error))
          : "This log is not proven: \(error.message) (\(error.code)\(place))\n", to: 1)
      return 1
    }
  }

  /// What `--json` prints of a file that proves nothing.
  private struct Refusal: Encodable {
    let proven = false
    let code: String
    let message: String
    @OrNull var block: UInt64?

    init(fault: LogFault) {
      code = fault.code
      message = fault.message
      block = fault.block
    }
  }

  private func read() throws(LogFault) -> [UInt8] {
    guard let handle = FileHandle(forReadingAtPath: file) else {
      throw LogFault("noSuchFile", "\(file) cannot be opened. Check the name of the file.")
    }
    defer { try? handle.close() }
    do {
      let bytes = try handle.read(upToCount: GameLog.mostBytes + 1) ?? Data()
      guard bytes.count <= GameLog.mostBytes else {
        throw LogFault("fileTooLong", "\(file) is longer than any log. Check the name of the file.")
      }
      return Array(bytes)
    } catch let fault as LogFault {
      throw fault
    } catch {
      throw LogFault("fileUnreadable", "\(file) cannot be read. Check that it is a plain file.")
    }
  }

  private func json(_ value: some Encodable) -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    guard let data = try? encoder.encode(value) else { fatalError("a verdict has a JSON form") }
    return String(decoding: data, as: UTF8.self) + "\n"
  }

  /// For people.
  static func text(_ proof: LogProof) -> String {
    var out = "This log is proven: table \(proof.code)"
    if !proof.title.isEmpty { out += ", \(proof.title)" }
    out += ".\n\nWhat it proves\n"
    for sentence in proof.proves { out += "  - \(sentence)\n" }
    out += "\nWhat it does not prove\n"
    for sentence in proof.doesNotProve { out += "  - \(sentence)\n" }
    out += """

      Table id    \(proof.table.hex)
      Last block  \(proof.height)  \(proof.tip.hex)
      State hash  \(proof.state.hex)

      """
    return out
  }
}

extension LogCheck {
  /// What a log proves, for the page; a refusal where it proves nothing.
  static func reply(on log: [UInt8]) -> Reply {
    do {
      let proof = try LogVerifier.verify(log, checker: Ed25519())
      return Reply(status: 200, body: Array(try JSONEncoder().encode(proof)))
    } catch {
      let refusal = AnswerView(
        code: "logProvesNothing",
        message: "This log does not prove itself. Save it, and run tabletalk verify for the reason."
      )
      return Reply(status: 409, body: Array((try? JSONEncoder().encode(refusal)) ?? Data()))
    }
  }
}
