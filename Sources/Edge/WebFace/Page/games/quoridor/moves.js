// The moves of a game as a list, round by round, and as text.

import { h } from "../../app/dom.js";
import { t } from "../../app/text.js";
import { icon, typed } from "../../components/parts.js";
import { names } from "./hand.js";

/**
 * The game as people write it: `1. e2 e8 2. e3 e7`.
 * @param {import("./types").QuoridorBoard} board
 */
export function movesText(board) {
  const count = board.players.length;
  return board.turns.map(({ move }, index) => (index % count === 0 ? `${index / count + 1}. ${move}` : move)).join(" ");
}

/**
 * Turns by rounds, each under who moved: a round ends when somebody's turn comes again, whoever has given up meanwhile.
 * @param {import("./types").QuoridorBoard} board
 * @returns {(number | undefined)[][]} indices of turns
 */
function rounds(board) {
  /** @type {(number | undefined)[][]} */
  const rows = [];
  board.turns.forEach(({ side }, index) => {
    const before = board.turns[index - 1];
    if (!before || side <= before.side) rows.push([]);
    rows[rows.length - 1][side] = index;
  });
  return rows;
}

/**
 * @param {import("../../types").Model} model
 * @param {import("../../types").Table} table
 * @param {import("./types").QuoridorBoard} board
 * @param {number | null} shown how many turns the board shows; null for all
 */
export function moves({ actions }, table, board, shown) {
  const count = board.players.length;
  const rows = rounds(board);
  const current = (shown ?? board.turns.length) - 1;
  const all = names(table, board);
  return h("section", { key: "moves", class: "card", "aria-labelledby": "moves-title" },
    h("h2", { id: "moves-title" }, t("duel.moves")),
    rows.length === 0 ? h("p", { class: "quiet" }, t("duel.noMoves")) : h("div", { class: "moves-box", tabindex: "0", role: "group", "aria-labelledby": "moves-title" },
      h("table", { class: "moves" },
        h("thead", null, h("tr", null, h("th", { scope: "col" }, h("span", { class: "unseen" }, t("duel.round"))),
          all.map((name, side) => h("th", { key: side, scope: "col" }, typed(name))))),
        h("tbody", null, rows.map((row, round) => h("tr", { key: round },
          h("th", { scope: "row" }, `${round + 1}.`),
          Array.from({ length: count }, (_unused, place) => {
            const index = row[place];
            const turn = index === undefined ? null : board.turns[index];
            return h("td", { key: place, "aria-current": index === current ? "true" : null },
              turn ? turn.ranOut ? t("duel.ranOut") : turn.move : "");
          })))))),
    rows.length === 0 ? null : h("p", null, h("button", {
      class: "button plain", type: "button",
      on: { click: () => void actions.copy(movesText(board), movesText(board), t("duel.copied")) },
    }, icon("copy"), t("duel.copyMoves"))));
}
