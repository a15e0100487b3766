import Testing
import Wire

@Suite struct `What people type` {
  @Test(arguments: [
    "Bo", "René", "Rene\u{301}", "Anna Maria", "Ana 2", "山田", "👩‍💻 x", "🎲🎲",
    String(repeating: "🎲", count: 24), "a" + String(repeating: "\u{301}", count: 8) + "b",
  ])
  func `can be a name`(text: String) { #expect(PlainText.isName(text)) }

  @Test(arguments: [
    "", "A", String(repeating: "a", count: 25), " Ana", "Ana ", "Ana  B", "Ana\nB", "Ana\u{a0}B",
    "Ana\u{202e}", "An\u{200b}a", "Ana\u{f8ff}", "Ana\u{378}", "\u{301}\u{301}", "\u{301} \u{301}",
    "a" + String(repeating: "\u{301}", count: 9) + "b",
    String(repeating: "a\u{301}\u{301}", count: 20),
  ])
  func `can be no name`(text: String) { #expect(!PlainText.isName(text)) }

  @Test func `can be a title of one to forty characters`() {
    for text in ["x", String(repeating: "🎲", count: 40), "Monday stand-up"] {
      #expect(PlainText.isTitle(text))
    }
    for text in ["", String(repeating: "x", count: 41), "two\nlines"] {
      #expect(!PlainText.isTitle(text))
    }
  }
}
