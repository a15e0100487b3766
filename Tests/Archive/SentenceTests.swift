import Consensus
import Testing

@testable import Archive

@Suite struct `What people read` {
  @Test(arguments: [
    (0, "00:00 UTC on 1 January 1970"),
    (951_782_399_999, "23:59 UTC on 28 February 2000"),
    (951_782_400_000, "00:00 UTC on 29 February 2000"),
    (951_868_800_000, "00:00 UTC on 1 March 2000"),
    (1_767_225_599_000, "23:59 UTC on 31 December 2025"),
    (1_767_225_600_000, "00:00 UTC on 1 January 2026"),
    (4_107_542_400_000, "00:00 UTC on 1 March 2100"),
  ])
  func `is the day it was`(milliseconds: UInt64, text: String) {
    #expect(CalendarDate(milliseconds: milliseconds).text == text)
  }

  @Test func `names every fault once, and ends with a full stop`() {
    let codes = LogFault.sentences.map(\.code)
    #expect(Set(codes).count == codes.count)
    for (code, _) in LogFault.sentences {
      let fault = LogFault(.init(code, at: 17))
      #expect(fault.message.hasPrefix("Block 17 "))
      #expect(fault.message.hasSuffix("."))
      #expect(fault.block == 17)
    }
    #expect(LogFault(.init("somethingNew", at: 3)).message.hasPrefix("Block 3 breaks a rule"))
  }
}
