import Foundation
import Shell

/// What four nodes cost while they are in a game in which nobody acts, and how soon they agree then.
///
/// Nobody has the page open. Messages of the log are counted by the nodes themselves; keepalives,
/// which say where everybody stands, are none. The first seconds, in which late votes come and the
/// draw's deadlines close, are not counted.
struct GameIdleBench {
  let minutes: Double

  private static let nodes = 4
  private static let settling = 10.0

  func run() {
    do {
      let company = try Company(Self.nodes)
      defer { company.end() }
      let pages = try pages(of: company)
      let table = try Gathering.play(pages)
      Thread.sleep(forTimeInterval: Self.settling)
      let messages = try pages.map { try self.messages($0, table) }
      let (begin, early) = (ContinuousClock.now, try company.times())
      Thread.sleep(forTimeInterval: minutes * 60)
      let (end, late) = (ContinuousClock.now, try company.times())
      let said = try zip(pages, messages).map { try self.messages($0, table) - $1 }
      let span = (end - begin) / .seconds(60)
      print(
        String(
          format: "idle, %d nodes in a game in which nobody acts, %.1f minutes", Self.nodes, span))
      print("  consensus messages sent and received  \(said.reduce(0, +))  (must 0)")
      let each = zip(early, late).map { ($1 - $0) / span }
      print(
        "  processor seconds a minute of each    "
          + each.map { String(format: "%.4f", $0) }.joined(separator: "  "))
      print(
        String(
          format: "  processor seconds a minute for all    %.3f  (must 0.05, aim 0.02)",
          each.reduce(0, +)))
      Report.print("  then a claim until all see it", [try claim(pages, table)])
      Report.machine()
    } catch {
      print("bench: \(error)")
    }
  }

  private func pages(of company: Company) throws -> [PageClient] {
    var pages: [PageClient] = []
    for number in 1...Self.nodes {
      try Wait.until("the page of node \(number)") {
        guard let page = PageClient(folder: company.folder(number)) else { return false }
        pages.append(page)
        return true
      }
    }
    return pages
  }

  private func messages(_ page: PageClient, _ table: String) throws -> Int {
    try page.detail("messages", of: table) ?? -1
  }

  /// From the command to the moment when the last of the pages shows the claim.
  private func claim(_ pages: [PageClient], _ table: String) throws -> Duration {
    let begin = ContinuousClock.now
    _ = try pages[1].send(["kind": "claim", "table": table, "tile": 1, "now": true])
    try Wait.until("the claim at all four") {
      try pages.allSatisfy { (try $0.table(table)?["claims"] as? [Any])?.isEmpty == false }
    }
    return ContinuousClock.now - begin
  }
}
