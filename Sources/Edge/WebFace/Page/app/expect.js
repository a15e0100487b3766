// A click shows at once: the state as it will be when the commands under way have been done. Only for the short time
// until the node's own state says so; if the command is refused it disappears by itself.

import { games } from "../games/games.js";

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
  case "ready":
    return {
      ...table,
      ready: command.ready,
      seats: table.seats.map((seat) => (seat.me ? { ...seat, ready: command.ready } : seat)),
    };
  case "rematch":
    return table.result
      ? { ...table, result: { ...table.result, rematch: { ...table.result.rematch, mine: true } } } : table;
  default:
    return games[table.game]?.expect(table, command) ?? table;
  }
}
