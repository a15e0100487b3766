/// How often each of a bounded set of codes has occurred; ascending by code.
package struct Counter: Sendable, Equatable {
  /// Codes come from us, never from outside; the bound is a safeguard.
  static let capacity = 64

  package private(set) var rows: [(code: String, count: Int)] = []

  /// Nothing counted yet.
  package init() {}

  /// Counts one more.
  package mutating func count(_ code: String) {
    let index = rows.firstIndex { $0.code >= code } ?? rows.count
    if index < rows.count && rows[index].code == code {
      rows[index].count += 1
    } else if rows.count < Counter.capacity {
      rows.insert((code, 1), at: index)
    }
  }

  /// How often a code has occurred.
  package subscript(code: String) -> Int { rows.first { $0.code == code }?.count ?? 0 }

  package static func == (left: Counter, right: Counter) -> Bool {
    left.rows.elementsEqual(right.rows) { $0.code == $1.code && $0.count == $1.count }
  }
}

extension Counter: Encodable {
  /// A JSON object with a member per code.
  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: AnyKey.self)
    for row in rows { try container.encode(row.count, forKey: AnyKey(row.code)) }
  }
}

/// A member name known only when the program runs.
struct AnyKey: CodingKey {
  let stringValue: String
  var intValue: Int? { nil }

  init(_ text: String) { stringValue = text }
  init?(stringValue: String) { self.stringValue = stringValue }
  init?(intValue: Int) { nil }
}
