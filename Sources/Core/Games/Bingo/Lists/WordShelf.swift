import Wire

/// The word lists of this laptop, and what was taken off them last.
package struct WordShelf: Sendable {
  /// Lists at the most.
  package static let listLimit = 40

  /// What changed: the list as it is now, or nil when it is gone.
  package struct Change: Sendable {
    package let id: Int
    package let list: WordList?
  }

  /// What can be put back.
  package enum Deleted: Sendable {
    case list(WordList, at: Int)
    case word(Word, list: Int, at: Int)

    /// What it was called.
    package var name: String {
      switch self {
      case .list(let list, _): list.title
      case .word(let word, _, _): word.text
      }
    }
  }

  /// In the order they were made.
  package private(set) var lists: [WordList] = []
  /// Until something else is taken off, or it is put back.
  package private(set) var deleted: Deleted?
  private var nextID = 1

  /// No lists.
  package init() {}

  /// The lists that the disk holds, by their numbers.
  package init(_ lists: [WordList]) {
    self.lists = Array(lists.sorted { $0.id < $1.id }.prefix(WordShelf.listLimit))
    nextID = (lists.map(\.id).max() ?? 0) + 1
  }

  /// One of the lists.
  package subscript(id: Int) -> WordList? { lists.first { $0.id == id } }

  /// Does what the page asks, or refuses it and stays as it is.
  ///
  /// `makeList` (title, perhaps text), `nameList` (list, title), `deleteList` (list), `addWords`
  /// (list, text of one word a line), `deleteWord` (list, word), `putBack`.
  package mutating func apply(_ command: GameCommand) throws(IllegalMove) -> Change {
    switch command.kind {
    case "putBack": return try putBack()
    case "makeList":
      return try make(
        title: try need(command.text("title")), text: try command.text("text") ?? "")
    default: break
    }
    let id = try need(command.int("list"))
    guard let index = lists.firstIndex(where: { $0.id == id }) else { throw .noSuchList }
    switch command.kind {
    case "nameList":
      lists[index].title = try checked(title: try need(command.text("title")), besides: id)
    case "addWords": return try add(try need(command.text("text")), to: index)
    case "deleteWord":
      let text = try need(command.text("word"))
      guard let place = lists[index].words.firstIndex(where: { $0.text == text }) else {
        throw .noSuchListWord
      }
      deleted = .word(lists[index].words.remove(at: place), list: id, at: place)
    case "deleteList":
      deleted = .list(lists.remove(at: index), at: index)
      return Change(id: id, list: nil)
    default: throw .unreadableCommand
    }
    return Change(id: id, list: lists[index])
  }

  /// Keeps a list that somebody gave, under its title, or "Standup (2)" where that is taken.
  package mutating func keep(_ given: WordList) throws(IllegalMove) -> Change {
    guard lists.count < WordShelf.listLimit else { throw .tooManyLists }
    let taken = lists.map { PlainText.folded($0.title) }
    var title = given.title
    var number = 1
    while taken.contains(PlainText.folded(title)) {
      number += 1
      title = Self.title(given.title, number)
    }
    let list = WordList(id: nextID, title: title, words: given.words)
    nextID += 1
    lists.append(list)
    return Change(id: list.id, list: list)
  }

  /// A title with a number behind it, cut so that it is one.
  private static func title(_ title: String, _ number: Int) -> String {
    var stem = Substring(title)
    while !stem.isEmpty {
      let candidate = "\(stem) (\(number))"
      if PlainText.isTitle(candidate) { return candidate }
      stem = stem.dropLast()
    }
    return "(\(number))"
  }

  /// What was taken off cannot be put back any more.
  package mutating func forgetDeleted() { deleted = nil }

  private func need<Value>(_ value: Value?) throws(IllegalMove) -> Value {
    guard let value else { throw .unreadableCommand }
    return value
  }

  private func checked(title typed: String, besides id: Int?) throws(IllegalMove) -> String {
    let title = PlainText.cleaned(typed)
    guard PlainText.isTitle(title) else { throw .badListTitle }
    let key = PlainText.folded(title)
    guard !lists.contains(where: { $0.id != id && PlainText.folded($0.title) == key }) else {
      throw .listTitleTaken
    }
    return title
  }

  private mutating func make(title: String, text: String) throws(IllegalMove) -> Change {
    guard lists.count < WordShelf.listLimit else { throw .tooManyLists }
    let title = try checked(title: title, besides: nil)
    let reading = Words.read(text)
    let list = WordList(id: nextID, title: title, words: reading.words)
    nextID += 1
    lists.append(list)
    return Change(id: list.id, list: list)
  }

  /// A single word that cannot be taken is refused; of several those that can are.
  private mutating func add(_ text: String, to index: Int) throws(IllegalMove) -> Change {
    let reading = Words.read(text)
    if let fault = reading.faults.first, reading.words.isEmpty { throw IllegalMove(fault.fault) }
    guard !reading.words.isEmpty else { throw IllegalMove(.empty) }
    let old = lists[index].words
    let new = Words.unique(old + reading.words).dropFirst(old.count)
    guard !new.isEmpty else { throw .alreadyInList }
    let room = BingoSetup.wordLimit - old.count
    guard room > 0 else { throw .listFull }
    lists[index].words += new.prefix(room)
    return Change(id: lists[index].id, list: lists[index])
  }

  private mutating func putBack() throws(IllegalMove) -> Change {
    switch deleted {
    case nil: throw .nothingToPutBack
    case .list(let list, let place):
      guard lists.count < WordShelf.listLimit else { throw .tooManyLists }
      _ = try checked(title: list.title, besides: nil)
      lists.insert(list, at: min(place, lists.count))
      deleted = nil
      return Change(id: list.id, list: list)
    case .word(let word, let id, let place):
      guard let index = lists.firstIndex(where: { $0.id == id }) else { throw .noSuchList }
      guard !lists[index].words.contains(where: { $0.key == word.key }) else {
        throw .alreadyInList
      }
      guard lists[index].words.count < BingoSetup.wordLimit else { throw .listFull }
      lists[index].words.insert(word, at: min(place, lists[index].words.count))
      deleted = nil
      return Change(id: id, list: lists[index])
    }
  }
}

extension IllegalMove {
  package static let noSuchList = IllegalMove(
    "noSuchList", "This list is not on this laptop any more. Choose another one.")
  static let noSuchListWord = IllegalMove(
    "noSuchListWord", "This word is not in the list any more. There is nothing to do.")
  static let badListTitle = IllegalMove(
    "badListTitle", "A list has a name of 1 to 40 letters. Type another one.")
  static let listTitleTaken = IllegalMove(
    "listTitleTaken", "You have a list of this name already. Type another name.")
  static let tooManyLists = IllegalMove(
    "tooManyLists",
    "You have \(WordShelf.listLimit) lists, and no more can be kept. Delete one first.")
  static let nothingToPutBack = IllegalMove(
    "nothingToPutBack", "There is nothing to put back any more.")
}
