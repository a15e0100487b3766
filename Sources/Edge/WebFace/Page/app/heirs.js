// An owner has left a lobby and it goes on at the next one's laptop: who looked at it looks at that table.

/** @typedef {import("../types").Table} Table */
/** @typedef {import("../types").State} State */

/**
 * Called off for good: not on its way to somebody else's laptop, and not made twice.
 * @param {Table} table
 * @param {State} state
 */
export function isCalledOff(table, state) {
  if (table.phase !== "cancelled" || table.waiting?.code === "handingOn") return false;
  return !state.tables.some((one) => one.id !== table.id && one.previous !== null && one.phase !== "cancelled"
    && (one.previous.id === table.id || one.previous.id === table.previous?.id));
}

/**
 * Tables that have just taken the place of another one's lobby.
 * @param {State} before
 * @param {State} next
 */
export function newHeirs(before, next) {
  return next.tables.filter((table) => isHeir(table, next)
    && (before.tables.find((one) => one.id === table.id)?.phase ?? "joining") === "joining");
}

/**
 * Where to look instead of at a table that is not there any more; null to stay.
 * @param {string | null | undefined} id
 * @param {State} state
 */
export function heirOf(id, state) {
  const there = state.tables.find((table) => table.id === id);
  if (!id || (there && there.phase !== "cancelled" && there.phase !== "joining")) return null;
  const from = there?.phase === "cancelled" && there.previous ? there.previous.id : id;
  return state.tables.find((table) => isHeir(table, state) && table.id !== id
    && (table.previous?.id === id || table.previous?.id === from)) ?? null;
}

/** @param {Table} table @param {State} state */
function isHeir(table, state) {
  const { previous } = table;
  if (previous?.kind !== "again" || table.phase === "joining" || table.phase === "cancelled") return false;
  // A lobby whose owner's laptop is merely away is left by a click.
  const old = state.tables.find((one) => one.id === previous.id);
  return !old || old.phase === "cancelled" || old.phase === "joining";
}
