// For whom my claim waits, and for how long.

import { tx } from "../../app/text.js";
import { seconds } from "../../components/countdown.js";
import { joined, playerNames, typed } from "../../components/parts.js";

/**
 * @param {import("../../types").Model} model
 * @param {import("../../types").Table} table
 * @param {import("../../types").Tile} tile
 * @returns {import("../../types").Child}
 */
export function waitingFor(model, table, tile) {
  const claim = table.claims.find((one) => one.id === tile.claim);
  const word = typed(tile.word);
  const left = seconds(model, claim?.leftMs ?? tile.leftMs);
  const silent = claim?.silent.filter((player) => !table.seats.some((seat) => seat.me && seat.player === player)) ?? [];
  if (silent.length === 0) return tx("heard.waiting", { word, seconds: left });
  return tx("heard.waitingFor", { word, seconds: left, who: joined(playerNames(table, silent), "disjunction") });
}
