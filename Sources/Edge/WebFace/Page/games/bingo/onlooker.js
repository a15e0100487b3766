// The boards for somebody who looks on: as far as the rules show them, and nothing to press.

import { h } from "../../app/dom.js";
import { namesText, plain, t } from "../../app/text.js";
import { card, fullName, tileWord, icon } from "../../components/parts.js";

/**
 * @param {import("../../types").Table} table
 * @returns {import("../../types").Child}
 */
export function onlooker(table) {
  return h("div", { class: "stack", key: "onlooker" },
    h("p", { class: "quiet" }, t("onlooker.text")),
    table.boards.map(({ player, board }) => {
      const seat = table.seats.find((one) => one.player === player);
      const marked = board.tiles.filter((tile) => tile.state === "marked").map((tile) => plain(tile.word));
      const rows = Array.from({ length: board.size }, (_, row) => board.tiles.slice(row * board.size, (row + 1) * board.size));
      return card(`board-${player.slice(0, 8)}`, t("onlooker.board", { who: seat ? plain(fullName(seat)) : "" }), "",
        h("p", { class: "unseen" }, marked.length === 0 ? t("onlooker.none")
          : t("onlooker.marked", { n: marked.length, words: namesText(marked) })),
        h("div", { class: "mat", "aria-hidden": "true" }, h("div", { class: `board n${board.size} demo` },
          rows.map((tiles) => h("div", null, tiles.map((tile) => {
            const isMarked = tile.state === "marked" || tile.state === "free";
            return h("span", { key: tile.index, class: isMarked ? "tile is-marked" : "tile" }, tileWord(tile.word),
              isMarked ? h("span", { class: "tile-state" }, icon("tick")) : null);
          }))))));
    }));
}
