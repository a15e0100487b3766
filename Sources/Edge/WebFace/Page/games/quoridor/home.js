// What Home says of Quoridor.

import { h } from "../../app/dom.js";
import { t } from "../../app/text.js";
import { newTableButton } from "../../components/new-table-button.js";
import { sign } from "../../components/parts.js";
import { searchCard } from "./practice.js";

/** Squares with something on them, for the picture: pawns and legal squares of a middle game. */
const PICTURE = { a: [1, 2], b: [2, 1], dots: [[1, 1], [2, 2]] };

/**
 * @param {import("../../types").Model} model
 * @param {boolean} isMain
 * @returns {import("../../types").View}
 */
export function hero(model, isMain) {
  return h("section", { key: "hero-quoridor", class: "hero", "aria-labelledby": "hero-quoridor" },
    h("div", { class: "stack" },
      h("h2", { id: "hero-quoridor" }, t("duel.name")),
      h("p", null, t("duel.homeText")),
      h("p", { class: "row" }, newTableButton(model, "quoridor", isMain ? "button primary big" : "button big", "duel.new"), finding(model)),
      model.state.matching === "quoridor" ? h("p", { key: "looking", role: "status" }, sign("wait", "wait", t("duel.looking"))) : null,
      searchCard(model)),
    picture());
}

/**
 * Looks for somebody to play with, or does so no more.
 * @param {import("../../types").Model} model
 */
function finding({ state, actions }) {
  const on = state.matching === "quoridor";
  return h("button", {
    key: "find", class: "button", type: "button",
    on: { click: () => void actions.act("match", on ? {} : { game: "quoridor" }) },
  }, t(on ? "duel.stopLooking" : "duel.find"));
}

/** Four by four squares, two pawns, two walls. */
function picture() {
  const squares = Array.from({ length: 16 }, (_, index) => [index % 4, Math.floor(index / 4)]);
  return h("svg", { class: "q-picture", viewBox: "0 0 50 50", "aria-hidden": "true" },
    squares.map(([x, y]) => h("rect", { class: "q-square", x: x * 12.4 + 1, y: y * 12.4 + 1, width: 10, height: 10, rx: 1.5 })),
    PICTURE.dots.map(([x, y]) => h("circle", { class: "q-dot", cx: x * 12.4 + 6, cy: y * 12.4 + 6, r: 1.7 })),
    h("rect", { class: "wall", x: 1, y: 11.2, width: 22.4, height: 2, rx: 1 }),
    h("rect", { class: "wall", x: 36, y: 13.6, width: 2, height: 22.4, rx: 1 }),
    h("circle", { class: "pawn-0", cx: PICTURE.a[0] * 12.4 + 6, cy: PICTURE.a[1] * 12.4 + 6, r: 3.7 }),
    h("rect", { class: "pawn-1", x: PICTURE.b[0] * 12.4 + 2.5, y: PICTURE.b[1] * 12.4 + 2.5, width: 7, height: 7, rx: 1.2 }));
}

/**
 * What is played at an open table.
 * @param {import("../../types").OpenTable} table
 */
export function openText({ seats }) {
  return t("duel.tableText", { n: seats });
}
