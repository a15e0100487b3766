/// Which walls may be placed, with as few searches as can be.
///
/// A wall that fits is illegal when it closes some pawn's last path to its goal. Three questions, from the
/// cheapest to the dearest, and most walls never meet the last:
///
/// 1. Topology: walls and the board's edge are curves in the plane. A wall can cut a region off only if it
///    touches other walls or the edge at two or more of its three points (its ends and its middle).
/// 2. Witness: each pawn has one known path. A wall that leaves it open leaves that pawn its way.
/// 3. Flood: a search from the pawn whose path it cuts, and from no other.
///
/// A wall that closes a loop may still be legal: a pocket without a pawn, or with it on its goal's side.
extension Position {
  /// Walls that neither overlap nor cross another.
  var fitting: WallSet {
    let h = walls.horizontal
    let v = walls.vertical
    let besideH = (h &<< 1) & ~Board.slotColumnA | (h &>> 1) & ~Board.slotColumnH
    let besideV = v &<< 8 | v &>> 8
    return WallSet(horizontal: ~(h | v | besideH), vertical: ~(v | h | besideV))
  }

  /// Walls that would touch something at two of their points or more.
  ///
  /// The middle of slot s is point s. A wall holds its own point and the ones before and behind it, in its
  /// direction. For walls that fit, only other walls are meant by what touches.
  var touching: WallSet {
    let h = walls.horizontal
    let v = walls.vertical
    let heldByH = h | (h &<< 1) & ~Board.slotColumnA | (h &>> 1) & ~Board.slotColumnH
    let held = heldByH | v | v &<< 8 | v &>> 8
    let west = (held &<< 1) | Board.slotColumnA
    let east = (held &>> 1) | Board.slotColumnH
    let south = held &<< 8 | Board.slotRow1
    let north = held &>> 8 | Board.slotRow8
    return WallSet(
      horizontal: west & east | held & (west | east),
      vertical: south & north | held & (south | north))
  }

  /// Walls that the seat whose turn it is may place.
  ///
  /// `floods` counts the searches that it took.
  package func legalWalls(floods: inout Int) -> WallSet {
    guard wallCount(Int(mover)) > 0 else { return .none }
    var legal = fitting
    let doubtful = legal.intersection(touching)
    if doubtful.isEmpty { return legal }
    for seat in 0..<Int(seats) {
      let pawn = bit(of: seat)
      guard pawn != 0 else { continue }
      let goal = goal(of: seat)
      floods &+= 1
      var cut = cutting(doubtful.intersection(legal), from: pawn, to: goal)
      while let wall = cut.popFirst() {
        floods &+= 1
        if !isOpen(behind: wall, from: pawn, to: goal) { legal.remove(wall) }
      }
    }
    return legal
  }

  /// Whether a wall that fits leaves every pawn a path.
  func leavesPaths(_ wall: Wall) -> Bool {
    guard touching.contains(wall) else { return true }
    return (0..<Int(seats)).allSatisfy { seat in
      let pawn = bit(of: seat)
      return pawn == 0 || isOpen(behind: wall, from: pawn, to: goal(of: seat))
    }
  }

  /// Puts a wall down that fits, and closes the edges it lies on.
  @inline(__always)
  mutating func place(_ wall: Wall) {
    switch wall.direction {
    case .horizontal:
      walls.horizontal |= wall.bit
      openNorth &= ~Board.closedNorth(wall.slot)
    case .vertical:
      walls.vertical |= wall.bit
      openEast &= ~Board.closedEast(wall.slot)
    }
  }
}
