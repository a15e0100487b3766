// Leads to New table.

import { h } from "../app/dom.js";
import { t } from "../app/text.js";

/**
 * @param {import("../types").Model} model
 * @param {string} game
 * @param {string} className
 * @param {string} title the key of what it says
 * @returns {import("../types").View}
 */
export function newTableButton({ actions }, game, className, title) {
  return h("button", {
    key: game, class: className, type: "button", on: { click: () => actions.go(`new/${game}`) },
  }, t(title));
}
