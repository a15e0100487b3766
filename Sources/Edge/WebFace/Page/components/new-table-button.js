// Leads to New table.

import { h } from "../app/dom.js";
import { t } from "../app/text.js";
import { games } from "../games/games.js";

/**
 * @param {import("../types").Model} model
 * @param {string} game
 * @param {string} className
 * @returns {import("../types").View}
 */
export function newTableButton({ actions }, game, className) {
  return h("button", {
    key: game, class: className, type: "button", on: { click: () => actions.go(`new/${game}`) },
  }, t(games[game]?.titles.new ?? "app.name"));
}
