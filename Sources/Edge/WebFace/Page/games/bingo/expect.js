// A click at a table of bingo, as it will be when it has been done.

/**
 * @param {import("../../types").Table} table
 * @param {Record<string, any>} command
 * @returns {import("../../types").Table}
 */
export function expect(table, command) {
  switch (command.kind) {
  case "claim":
    return withTile(table, command.tile, (tile) =>
      tile.state !== "open" && tile.state !== "undo" && tile.state !== "denied" ? tile
        : command.now ? { ...tile, state: "sending", askAgain: false, undoMs: null, waitMs: null }
          : { ...tile, state: "undo", askAgain: false, waitMs: null });
  case "undo":
    return withTile(table, command.tile, (tile) => ({ ...tile, state: "open", undoMs: null }));
  case "mark":
    return withTile(table, command.tile, (tile) => ({ ...tile, state: "marked", oneAway: false }));
  case "vote":
    return {
      ...table,
      claims: table.claims.map((claim) =>
        claim.id === command.claim ? { ...claim, myVote: command.confirm ? "confirm" : "deny" } : claim),
    };
  case "set":
    return {
      ...table,
      settings: withRules(table.settings, command),
    };
  case "veto":
    return {
      ...table,
      words: {
        ...table.words,
        items: table.words.items.map((item) => (item.text === command.word ? { ...item, struck: true } : item)),
      },
    };
  case "takeBack":
    return { ...table, takeBack: null };
  case "settle":
    return { ...table, settling: table.settling ? { ...table.settling, mine: command.wish } : null };
  case "voting":
    return { ...table, voting: command.voting, voteHelp: null };
  default:
    return table;
  }
}

/**
 * A free centre needs a middle: of another size it is not there.
 * @param {import("../../types").Settings} now
 * @param {Record<string, any>} change
 * @returns {import("../../types").Settings}
 */
function withRules(now, change) {
  const { size, minutes, marking, voting, pattern, freeCentre, places, suggesting, latecomers, watching } = { ...now, ...change };
  return {
    ...now, size, minutes, marking, voting, pattern, freeCentre: freeCentre && size % 2 === 1, places, suggesting, latecomers,
    watching,
  };
}

/**
 * @param {import("../../types").Table} table
 * @param {number} index
 * @param {(tile: import("../../types").Tile) => import("../../types").Tile} change
 * @returns {import("../../types").Table}
 */
function withTile(table, index, change) {
  if (!table.board) return table;
  const tiles = table.board.tiles.map((tile) => (tile.index === index ? change(tile) : tile));
  return { ...table, board: { ...table.board, tiles } };
}
