import Consensus
import SimulationKit
import Testing
import Wire

struct QuorumTests {
  @Test("The quorums of 1.2 for one to sixteen voters")
  func table() {
    let sizes = (1...16).map { Quorum.size(of: $0) }
    #expect(sizes == [1, 2, 2, 3, 4, 4, 5, 6, 6, 7, 8, 8, 9, 10, 10, 11])
  }
}
