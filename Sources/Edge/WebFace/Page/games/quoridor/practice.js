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
 * When somebody was first seen alone, by where.
 * @type {Map<string, number>}
 */
const alone = new Map();

/**
 * Whether somebody has waited for a while for others to come; has the page drawn again when that is so.
 * @param {import("../../types").Model} model
 * @param {string} place
 * @param {boolean} isAlone
 */
function hasWaited({ actions }, place, isAlone) {
  if (!isAlone) {
    alone.delete(place);
    return false;
  }
  const since = alone.get(place) ?? performance.now();
  if (!alone.has(place)) {
    alone.set(place, since);
    setTimeout(() => actions.set({}), ALONE + 50);
  }
  return performance.now() - since >= ALONE;
}

/**
 * The computer, while nobody else comes.
 * @param {import("../../types").Model} model
 * @param {string} text
 * @param {number} players
 */
function offer(model, text, players) {
  const start = async () => {
    const answer = await practise(model, { players, opponent: 2 });
    if (answer.ok && answer.table) model.actions.go(`table/${answer.table}`);
  };
  return h("section", { key: "alone", class: "bubble ask", role: "status", "aria-label": t("duel.aloneName") },
    h("p", { class: "lead" }, text),
    h("div", { class: "row" }, h("button", { class: "button primary", type: "button", on: { click: start } }, t("duel.aloneGo"))));
}

/**
 * Nobody to play with has been found for a while. The search goes on.
 * @param {import("../../types").Model} model
 */
export function searchCard(model) {
  const { matching } = model.state;
  return hasWaited(model, "search", matching === "quoridor") ? offer(model, t("duel.searchAlone"), 2) : null;
}

/**
 * Nobody has sat down for a while: the computer is there. The table stays open.
 * @param {import("../../types").Model} model
 * @param {import("../../types").Table} table
 */
export function aloneCard(model, table) {
  const isAlone = table.mine && !table.seats.some((seat) => !seat.me && seat.presence !== "left");
  return hasWaited(model, table.id, isAlone) ? offer(model, t("duel.alone"), table.quoridor?.settings.players ?? 2) : null;
}
