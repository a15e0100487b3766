/// How good a position is for one player, from what is known without looking ahead.
///
/// In hundredths of a step.
struct Evaluation {
  /// A game that is won at once; later wins count less.
  static let win = 30_000
  /// Scores beyond this are wins or losses that have been seen to the end.
  static let sure = 29_000

  /// A step less to go.
  var step = 100
  /// To be the one who moves.
  var tempo = 60
  /// A wall in hand.
  var wall = 120
  /// The race is won if nobody places a wall any more, and the other cannot.
  var race = 600

  /// For `hero`; `distances` and walls in `left` are of the position after a move, `mover` moves next.
  @inline(__always)
  func score(
    seats: Int, hero: Int, mover: Int, distances: SIMD4<Int32>, left: SIMD4<Int32>
  ) -> Int {
    if seats == 2 {
      let other = hero ^ 1
      return duel(
        Int(distances[hero]), Int(distances[other]), Int(left[hero]), Int(left[other]),
        mover == hero)
    }
    return crowd(hero: hero, mover: mover, distances: distances, left: left)
  }

  @inline(__always)
  private func duel(_ own: Int, _ other: Int, _ walls: Int, _ others: Int, _ moves: Bool) -> Int {
    var out = (other &- own) &* step &+ (walls &- others) &* wall &+ (moves ? tempo : 0 &- tempo)
    // Who has no walls cannot stop a race that is lost.
    if others == 0 && own &+ (moves ? 0 : 1) <= other { out &+= race }
    if walls == 0 && other &+ (moves ? 1 : 0) <= own { out &-= race }
    return out
  }

  /// Against several: the nearest to their goal counts most.
  private func crowd(
    hero: Int, mover: Int, distances: SIMD4<Int32>, left: SIMD4<Int32>
  ) -> Int {
    var nearest = Int.max
    var sum = 0
    var count = 0
    var walls = 0
    for seat in 0..<4 where seat != hero && distances[seat] >= 0 {
      // In quarters of a step: who moves earlier is that much nearer.
      let turns = (seat &- mover) & 3
      let time = Int(distances[seat]) &* 4 &+ turns
      nearest = min(nearest, time)
      sum &+= time
      count &+= 1
      walls &+= Int(left[seat])
    }
    guard count > 0 else { return Evaluation.win }
    let own = Int(distances[hero]) &* 4 &+ ((hero &- mover) & 3)
    let ahead = (nearest &- own) &* 3 &+ (sum / count &- own)
    return ahead &* step / 16 &+ Int(left[hero]) &* wall &- walls / count &* wall / 2
  }
}
