// What Home says of meeting bingo.

import { h } from "../../app/dom.js";
import { t } from "../../app/text.js";
import { newTableButton } from "../../components/new-table-button.js";
import { icon } from "../../components/parts.js";

/**
 * @param {import("../../types").Model} model
 * @param {boolean} isMain
 * @returns {import("../../types").View}
 */
export function hero(model, isMain) {
  return h("section", { key: "hero-bingo", class: "hero", "aria-labelledby": "hero-bingo" },
    h("div", { class: "stack" },
      h("h2", { id: "hero-bingo" }, t("home.bingo")),
      h("p", null, t("home.bingoText")),
      h("p", null, newTableButton(model, "bingo", isMain ? "button primary big" : "button big", "new.title"))),
    h("div", { class: "fan", "aria-hidden": "true" },
      demoTile("is-marked", t("demo.mute"), "tick"),
      demoTile("is-confirmed", t("demo.circle"), "dot"),
      demoTile("", t("demo.stop"), "")));
}

/**
 * What is played at an open table.
 * @param {import("../../types").OpenTable} table
 */
export function openText({ size, minutes }) {
  return t("home.tableText", { size, minutes });
}

/** @param {string} state @param {string} text @param {string} shape */
export function demoTile(state, text, shape) {
  return h("span", { class: `tile ${state}`.trim() }, h("span", { class: "tile-word" }, text),
    shape ? h("span", { class: "tile-state" }, icon(shape)) : null);
}
