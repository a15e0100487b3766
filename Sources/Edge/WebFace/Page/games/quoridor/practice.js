// Quoridor on this laptop alone: against the computer, or by people who share it.

import { h } from "../../app/dom.js";
import { t } from "../../app/text.js";

/** What the levels of the computer are called, the weakest first. */
export const LEVELS = ["duel.level1", "duel.level2", "duel.level3", "duel.level4"];

/** How long one sits alone until the computer is offered, in milliseconds. */
const ALONE = 20_000;

/**
 * Begins a game on this laptop.
 * @param {import("../../types").Model} model
 * @param {Record<string, any>} fields
 */
export function practise({ actions }, fields) {
  return actions.send("tryItNow", { game: "quoridor", ...fields });
}

/**
 * When somebody was first seen alone in a lobby, by its table.
 * @type {Map<string, number>}
 */
const alone = new Map();

/**
 * Nobody has sat down for a while: the computer is there. The table stays open.
 * @param {import("../../types").Model} model
 * @param {import("../../types").Table} table
 */
export function aloneCard(model, table) {
  const { actions } = model;
  if (!table.mine || table.seats.some((seat) => !seat.me && seat.presence !== "left")) {
    alone.delete(table.id);
    return null;
  }
  const since = alone.get(table.id) ?? performance.now();
  if (!alone.has(table.id)) {
    alone.set(table.id, since);
    setTimeout(() => actions.set({}), ALONE + 50);
  }
  if (performance.now() - since < ALONE) return null;
  const start = async () => {
    const answer = await practise(model, { players: table.quoridor?.settings.players, opponent: 2 });
    if (answer.ok && answer.table) actions.go(`table/${answer.table}`);
  };
  return h("section", { key: "alone", class: "bubble ask", role: "status", "aria-label": t("duel.aloneName") },
    h("p", { class: "lead" }, t("duel.alone")),
    h("div", { class: "row" }, h("button", { class: "button primary", type: "button", on: { click: start } }, t("duel.aloneGo"))));
}
