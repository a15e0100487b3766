// Squares and walls: where they are, what they close, and how far it is. Columns and rows count from 0 at a1.

/** @typedef {{ column: number, row: number }} Place */

/** Squares of a row. */
export const SIZE = 9;

/**
 * @param {string} text a square like e2, or the start of a wall
 * @returns {Place}
 */
export function place(text) {
  return { column: text.charCodeAt(0) - 97, row: Number(text[1]) - 1 };
}

/** @param {Place} place */
export function square({ column, row }) {
  return `${"abcdefghi"[column]}${row + 1}`;
}

/**
 * Quarter turns by which a player sees the board turned, so that the own pawn comes from below.
 * @param {number} players
 * @param {number} side
 */
export function quarters(players, side) {
  return players === 2 ? side * 2 : side;
}

/**
 * Where a square is seen: x from the left, y from the top.
 * @param {number} turned quarter turns
 * @param {Place} place
 * @returns {[number, number]}
 */
export function seen(turned, { column, row }) {
  return /** @type {[number, number]} */ ([
    [column, 8 - row], [8 - row, 8 - column], [8 - column, row], [row, column],
  ][turned]);
}

/**
 * The square that is seen at x from the left, y from the top.
 * @param {number} turned
 * @param {number} x
 * @param {number} y
 * @returns {Place}
 */
export function lookedAt(turned, x, y) {
  return [
    { column: x, row: 8 - y }, { column: 8 - y, row: 8 - x }, { column: 8 - x, row: y }, { column: y, row: x },
  ][turned];
}

/**
 * The wall around a crossing of grooves that is seen right and below of x, y.
 * @param {number} turned
 * @param {number} x 0 to 7
 * @param {number} y 0 to 7
 * @param {boolean} lying as it is seen
 */
export function wallAt(turned, x, y, lying) {
  const one = lookedAt(turned, x, y);
  const other = lookedAt(turned, x + 1, y + 1);
  const corner = { column: Math.min(one.column, other.column), row: Math.min(one.row, other.row) };
  return `${square(corner)}${lying === (turned % 2 === 0) ? "h" : "v"}`;
}

/**
 * How a wall is seen: the crossing that is its middle, and whether it lies.
 * @param {number} turned
 * @param {string} wall
 */
export function seenWall(turned, wall) {
  const corner = place(wall);
  const [x1, y1] = seen(turned, corner);
  const [x2, y2] = seen(turned, { column: corner.column + 1, row: corner.row + 1 });
  return { x: Math.min(x1, x2), y: Math.min(y1, y2), lying: (wall[2] === "h") === (turned % 2 === 0) };
}

/** @param {Place} one @param {Place} other */
const edge = (one, other) => [square(one), square(other)].sort().join();

/**
 * The edges between squares that walls close.
 * @param {string[]} walls
 * @returns {Set<string>}
 */
export function closed(walls) {
  const edges = new Set();
  for (const wall of walls) {
    const { column, row } = place(wall);
    for (const on of [0, 1]) {
      edges.add(wall[2] === "h" ? edge({ column: column + on, row }, { column: column + on, row: row + 1 })
        : edge({ column, row: row + on }, { column: column + 1, row: row + on }));
    }
  }
  return edges;
}

/** Up, right, down, left as seen from below. */
export const WAYS = [[0, -1], [1, 0], [0, 1], [-1, 0]];

/**
 * Whether a side has arrived on a square.
 * @param {number} players
 * @param {number} side
 * @param {Place} place
 */
export function isGoal(players, side, { column, row }) {
  return players === 2 ? row === (side === 0 ? 8 : 0) : [row === 8, column === 8, row === 0, column === 0][side];
}

/**
 * Whether a wall is between two squares beside one another.
 * @param {Set<string>} edges
 * @param {Place} one
 * @param {Place} other
 */
export function isClosed(edges, one, other) {
  return edges.has(edge(one, other));
}

/** @param {Place} place */
export function isOnBoard({ column, row }) {
  return column >= 0 && column < SIZE && row >= 0 && row < SIZE;
}

/**
 * One shortest way of a pawn to its goal, were it alone on the board, its own square first.
 * @param {number} players
 * @param {number} side
 * @param {string} from
 * @param {string[]} walls
 * @returns {string[] | null} null where there is no way
 */
export function way(players, side, from, walls) {
  const edges = closed(walls);
  /** @type {Map<string, string | null>} */
  const before = new Map([[from, null]]);
  const queue = [from];
  for (let at = queue.shift(); at !== undefined; at = queue.shift()) {
    const here = place(at);
    if (isGoal(players, side, here)) {
      const out = [];
      for (let step = /** @type {string | null} */ (at); step !== null; step = before.get(step) ?? null) out.unshift(step);
      return out;
    }
    for (const [aside, ahead] of WAYS) {
      const next = { column: here.column + aside, row: here.row + ahead };
      if (!isOnBoard(next) || before.has(square(next)) || isClosed(edges, here, next)) continue;
      before.set(square(next), at);
      queue.push(square(next));
    }
  }
  return null;
}

/**
 * Why a wall cannot stand where it is not among those that can.
 * @param {string[]} walls
 * @param {string} wall
 * @returns {"duel.crosses" | "duel.overlaps" | "duel.closes"}
 */
export function misfit(walls, wall) {
  if (walls.some((one) => one.slice(0, 2) === wall.slice(0, 2) && one !== wall)) return "duel.crosses";
  const { column, row } = place(wall);
  const beside = [-1, 0, 1].map((on) =>
    `${square(wall[2] === "h" ? { column: column + on, row } : { column, row: row + on })}${wall[2]}`);
  return walls.some((one) => beside.includes(one)) ? "duel.overlaps" : "duel.closes";
}

/**
 * The board after the first `count` turns.
 * @param {import("./types").QuoridorBoard} board
 * @param {number} count
 * @returns {{ pawns: (string | null)[], walls: string[], last: string | null }}
 */
export function after(board, count) {
  if (count >= board.turns.length) return { pawns: board.pawns, walls: board.walls, last: board.turns.at(-1)?.move ?? null };
  const pawns = board.players.length === 2 ? ["e1", "e9"] : ["e1", "a5", "e9", "i5"];
  const walls = [];
  for (const { side, move } of board.turns.slice(0, count)) {
    if (move.length === 2) pawns[side] = move;
    else if (move !== "pass") walls.push(move);
  }
  return { pawns, walls, last: count === 0 ? null : board.turns[count - 1].move };
}
