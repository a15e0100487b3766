// A click shows at once: the state as it will be when the commands under way have been done. Only for the short time
// until the node's own state says so; if the command is refused it disappears by itself.

/**
 * @param {import("../types").State} state
 * @param {import("./outbox.js").Sent[]} pending
 * @returns {import("../types").State}
 */
export function expected(state, pending) {
  if (pending.length === 0) return state;
  const tables = state.tables.map((table) =>
    pending.reduce((shown, { body }) => (body.table === table.id ? after(shown, body) : shown), table));
  return { ...state, tables };
}

/**
 * @param {import("../types").Table} table
 * @param {Record<string, any>} command
 * @returns {import("../types").Table}
 */
function after(table, command) {
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
  case "ready":
    return {
      ...table,
      ready: command.ready,
      seats: table.seats.map((seat) => (seat.me ? { ...seat, ready: command.ready } : seat)),
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
  case "rematch":
    return table.result
      ? { ...table, result: { ...table.result, rematch: { ...table.result.rematch, mine: true } } } : table;
  default:
    return table;
  }
}

/**
 * A free centre needs a middle: of another size it is not there.
 * @param {import("../types").Settings} now
 * @param {Record<string, any>} change
 * @returns {import("../types").Settings}
 */
function withRules(now, change) {
  const { size, minutes, marking, voting, pattern, freeCentre, places } = { ...now, ...change };
  return { ...now, size, minutes, marking, voting, pattern, freeCentre: freeCentre && size % 2 === 1, places };
}

/**
 * @param {import("../types").Table} table
 * @param {number} index
 * @param {(tile: import("../types").Tile) => import("../types").Tile} change
 * @returns {import("../types").Table}
 */
function withTile(table, index, change) {
  if (!table.board) return table;
  const tiles = table.board.tiles.map((tile) => (tile.index === index ? change(tile) : tile));
  return { ...table, board: { ...table.board, tiles } };
}
