import Discovery
import Testing
import Wire

@testable import Peer

@Suite struct `Looking after people between frames` {
  /// What is told and changed in one step must not be forgotten in the next, in which nothing is.
  @Test(arguments: [1, 2, 7])
  func `a new table is in a beacon at once, whatever else comes to pass meanwhile`(
    pause: UInt64
  ) throws {
    let world = World("Ana")
    world.run(for: 2_000)
    var announced: [TableID] = []
    world.onEffect = { laptop, effect in
      switch effect {
      case .broadcast(let bytes, _):
        announced += (try? Beacon(datagram: bytes))?.tables.map(\.table) ?? []
      case .changed:
        // Something that changes nothing, as frames by the thousand do while a table agrees.
        world.after(pause) { $0.deliver(.persisted(through: 0), to: laptop) }
      default: break
      }
    }
    let table = try world.makeTable()
    // Whoever has the code may type it at once.
    world.run(for: 2)
    #expect(announced.contains(table))
  }
}
