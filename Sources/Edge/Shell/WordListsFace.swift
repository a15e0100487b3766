import Games
import Peer
import WebFace

/// A list as the page gets it, and as a file of JSON.
struct WordListView: Encodable {
  var id: Int?
  let title: String
  let words: [String]
}

extension NodeShell {
  func words(of list: Int) -> Reply {
    guard let list = peer.wordList(list) else { return noSuchList }
    return reply(
      200, WordListView(id: list.id, title: list.title, words: list.words.map(\.text)))
  }

  func wordFile(_ list: Int, _ format: String) -> Reply {
    guard let list = peer.wordList(list) else { return noSuchList }
    let bytes: [UInt8]
    let type: String
    switch WordFile.Format(rawValue: format) {
    case .csv:
      // Spreadsheets take a text for UTF-8 only when it begins with the mark.
      bytes = [0xef, 0xbb, 0xbf] + Array(WordFile.separated(list.words).utf8)
      type = "text/csv; charset=utf-8"
    case .json:
      bytes = reply(200, WordListView(title: list.title, words: list.words.map(\.text))).body
      type = "application/json"
    case .txt, nil:
      bytes = Array(WordFile.lines(of: list.words).utf8)
      type = "text/plain; charset=utf-8"
    }
    return Reply(file: bytes, name: "words-\(list.id).\(format)", type: type)
  }

  private var noSuchList: Reply {
    reply(
      404,
      AnswerView(
        code: "noSuchList", message: "This list is not on this laptop any more. Choose another one."
      )
    )
  }
}
