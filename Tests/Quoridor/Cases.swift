import Foundation
import Quoridor
import TestSupport
import Testing

/// The data of `Protocol/conformance/quoridor`.
enum Cases {
  struct Case: Decodable, CustomTestStringConvertible {
    let id: String
    let white_pawn: String
    let black_pawn: String
    let walls: [String]
    let white_walls_left: Int
    let black_walls_left: Int
    let to_move: String
    let moves_from_start: [String]
    let legal_pawn_moves: [String]
    let legal_wall_moves: [String]
    let legal_count: Int
    let perft: [String: UInt64]
    let walls_that_fit_but_cut_a_path: [String: [String]]
    let walls_that_do_not_fit: [String: [String]]
    let shortest_path: [String: Int]
    let key_moves: [String: Bool]?

    var testDescription: String { id }

    /// As this project writes it.
    var text: String {
      let walls = walls.isEmpty ? "-" : walls.joined(separator: ",")
      return "\(walls)/\(white_pawn),\(black_pawn)/\(white_walls_left),\(black_walls_left)/"
        + (to_move == "white" ? "1" : "2")
    }

    var position: Position { get throws { try Position(text: text) } }
  }

  struct WholeGame: Decodable, CustomTestStringConvertible {
    struct Final: Decodable {
      let white_pawn: String
      let black_pawn: String
      let white_walls_left: Int
      let black_walls_left: Int
      let walls: [String]
    }

    let id: String
    let moves: [String]
    let winner: String?
    let legal_counts: [Int]
    let final: Final

    var testDescription: String { id }
  }

  private struct Positions: Decodable { let positions: [Case] }
  private struct Games: Decodable { let games: [WholeGame] }

  static let positions = load("positions.json", as: Positions.self)?.positions ?? []
  static let games = load("games.json", as: Games.self)?.games ?? []

  /// A line of `legal_counts_2p_4p.txt`.
  struct Line: CustomTestStringConvertible {
    let number: Int
    let players: Position.Players
    let moves: [String]
    let counts: [Int]
    let isOver: Bool

    var testDescription: String { "line \(number)" }
  }

  static let lines: [Line] = {
    let file = folder.appendingPathComponent("legal_counts_2p_4p.txt")
    let text = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
    return text.split(separator: "\n").enumerated().compactMap { index, line in
      let parts = line.split(separator: "|")
      guard !line.hasPrefix("#"), parts.count == 4, let count = Int(parts[0]),
        let players = Position.Players(rawValue: count)
      else { return nil }
      return Line(
        number: index + 1, players: players, moves: parts[1].split(separator: " ").map(String.init),
        counts: parts[2].split(separator: " ").compactMap { Int($0) }, isOver: parts[3] == "over")
    }
  }()

  private static let folder = Vectors.folder.deletingLastPathComponent()
    .appendingPathComponent("conformance/quoridor")

  private static func load<Content: Decodable>(_ name: String, as: Content.Type) -> Content? {
    try? Vectors.load("../conformance/quoridor/\(name)")
  }
}

/// Reads a move that a test has written.
func move(_ text: String) throws -> Move {
  guard let move = Move(text) else { throw Misread(text: text) }
  return move
}

/// A move that a test has mistyped.
struct Misread: Error { let text: String }
