import Foundation
import Peer
import Sockets
import Store

/// `tabletalk export`: saves a table's log, from the node that runs or from its data folder.
struct LogExport {
  let table: String
  /// Nil for a name of its own in the working folder, `-` for standard output.
  let output: String?
  let folder: String

  /// How long a running node may take, and how much it may send.
  private static let patience = 30_000
  private static let limit = 256 << 20

  /// Saves it, and returns the exit code.
  func run() -> Int32 {
    do throws(Trouble) {
      let (name, bytes) = try file()
      try save(bytes, as: output ?? name)
      return 0
    } catch {
      Log.put("tabletalk: \(error.message)\n")
      return 1
    }
  }

  private struct Trouble: Error {
    let message: String

    init(_ message: String) { self.message = message }
  }

  private func save(_ bytes: [UInt8], as name: String) throws(Trouble) {
    if name == "-" { return FileHandle.standardOutput.write(Data(bytes)) }
    let options: Data.WritingOptions = output == nil ? .withoutOverwriting : .atomic
    do {
      try Data(bytes).write(to: URL(fileURLWithPath: name), options: options)
    } catch {
      throw Trouble(
        "\(name) cannot be written (\(error.localizedDescription)). Choose another file with -o.")
    }
    Log.write("Saved in \(name). To see what it proves: tabletalk verify \(name)\n", to: 1)
  }

  private func file() throws(Trouble) -> (name: String, bytes: [UInt8]) {
    guard FileManager.default.fileExists(atPath: folder + "/" + Store.fileName) else {
      throw Trouble("There are no saved games in \(folder). Choose another folder with --data.")
    }
    let held: DataFolder
    do throws(DataFolderError) {
      held = try DataFolder(path: folder)
    } catch {
      guard case .heldBy = error else { throw Trouble(error.message) }
      return try asked()
    }
    return try withExtendedLifetime(held) { () throws(Trouble) in try stored() }
  }

  /// From the data folder, which no node holds.
  private func stored() throws(Trouble) -> (name: String, bytes: [UInt8]) {
    let rows: StoredRows
    do throws(StoreError) {
      rows = try StoredRows(try Store(folder: folder))
    } catch { throw Trouble(error.message) }
    do throws(ExportFault) {
      let log = try rows.exportedLog(of: table)
      return (log.name, log.bytes)
    } catch { throw Trouble(error.message) }
  }

  /// From the node that holds the folder.
  private func asked() throws(Trouble) -> (name: String, bytes: [UInt8]) {
    let isPlain = table.utf8.allSatisfy { byte in
      (0x30...0x39).contains(byte) || (0x61...0x7a).contains(byte | 0x20)
    }
    guard isPlain, (1...64).contains(table.utf8.count) else {
      throw Trouble(ExportFault.noSuchTable.message)
    }
    guard let file = try? NodeFile.read(folder: folder), let page = NodePage(file.page),
      case .said(let answer) = page.get(
        "/api/v1/tables/\(table)/export", limit: Self.limit, milliseconds: Self.patience),
      let end = answer.firstRange(of: Array("\r\n\r\n".utf8))
    else {
      throw Trouble("Tabletalk runs in this folder and does not answer. Stop it, then try again.")
    }
    let head = String(decoding: answer[..<end.lowerBound], as: UTF8.self)
    let body = Array(answer[end.upperBound...])
    guard head.hasPrefix("HTTP/1.1 200") else {
      let refusal = try? JSONDecoder().decode([String: String].self, from: Data(body))
      throw Trouble(refusal?["message"] ?? ExportFault.noSuchTable.message)
    }
    let name = head.components(separatedBy: "filename=\"").dropFirst().first?
      .prefix { $0 != "\"" && $0 != "/" }
    return (name.map(String.init) ?? "tabletalk.ttlog", body)
  }
}
