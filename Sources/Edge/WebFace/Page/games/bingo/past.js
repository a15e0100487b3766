// A game of bingo that is over, at any of its moments.

import { h } from "../../app/dom.js";
import { plain, t } from "../../app/text.js";
import "../../components/grid.js";
import { feedText } from "../../components/feed.js";
import { receipt } from "../../components/over.js";
import { icon, playerNames, tileWord, typed } from "../../components/parts.js";
import { slider } from "../../components/slider.js";
import { timeline } from "./result.js";

/** @typedef {import("../../screens/history-types").GameReplay} GameReplay */

/**
 * @param {import("../../types").Model} model
 * @param {GameReplay} replay
 * @returns {import("../../types").Child}
 */
export function past(model, replay) {
  const { ui, actions } = model;
  const { table, boards, moments } = replay;
  const all = moments.length;
  const at = Math.min(ui.play.step ?? all, all);
  const { marks, news } = marksAfter(replay, at);
  const me = table.seats.find((seat) => seat.me)?.player;
  const own = Math.max(0, boards.findIndex((board) => board.player === me));
  const shown = Math.min(ui.play.board ?? own, boards.length - 1);
  const name = boardName(table, boards[shown]?.player ?? "");
  const result = table.result;
  return h("div", { class: "play", key: "past" },
    h("section", { class: "main-col", "aria-labelledby": "replay", key: "board" },
      h("div", { class: "play-head" }, h("h2", { id: "replay" }, t("past.replay"))),
      boards.length === 0 ? null : h("div", { class: "mat" },
        bigBoard(replay, shown, marks[shown], news.filter(([board]) => board === shown).map(([, tile]) => tile), name)),
      slider({
        at, all, name: t("past.slider"), back: t("past.back"), forth: t("past.forth"), text: momentText(replay, at),
        go: (step) => actions.set({ play: { ...ui.play, step } }),
      })),
    h("div", { class: "side-col", key: "side" },
      h("section", { key: "boards", class: "card", "aria-labelledby": "boards" }, h("h2", { id: "boards" }, t("past.boards")),
        h("ul", { class: "list" }, boards.map((board, index) => h("li", { key: board.player },
          h("div", { class: `small-mat n${replay.size}`, "aria-hidden": "true" }, board.words.map((_, tile) =>
            h("i", { class: marks[index].has(tile) ? "on" : null }))),
          h("p", { class: "grow" }, h("strong", null, typed(playerNames(table, [board.player])[0])),
            h("span", { class: "quiet" }, " ", t("result.tiles", { n: marks[index].size }))),
          h("button", {
            class: "button", type: "button", "aria-pressed": String(index === shown),
            on: { click: () => actions.set({ play: { ...ui.play, board: index } }) },
          }, t("past.show"), h("span", { class: "unseen" }, " ", playerNames(table, [board.player])[0])))))),
      result ? receipt(table, result) : null),
    h("div", { class: "under-col", key: "under" }, result ? timeline(table, result) : null));
}

/**
 * Which tiles of each board are marked after so many moments, and which of them the last one has changed.
 * @param {GameReplay} replay
 * @param {number} count
 */
function marksAfter({ size, boards, moments }, count) {
  const centre = Math.floor(size * size / 2);
  // A free tile is marked from the start.
  const marks = boards.map((board) => new Set(board.words[centre] === "" ? [centre] : []));
  for (const moment of moments.slice(0, count)) {
    for (const [board, tile] of moment.marked) marks[board]?.add(tile);
    for (const [board, tile] of moment.unmarked) marks[board]?.delete(tile);
  }
  const last = moments[count - 1];
  return { marks, news: last ? [...last.marked, ...last.unmarked] : [] };
}

/** @param {GameReplay} replay @param {number} at */
function momentText({ table, moments }, at) {
  if (at === 0) return t("past.start");
  const { kind, atMs, who, word, confirms, denials } = moments[at - 1];
  const minute = t("result.minute", { n: Math.floor(atMs / 60_000) + 1 });
  const what = feedText(table, { kind, who, word, confirms, denials });
  return t("past.moment", { n: at, of: moments.length, minute, what });
}

/** @param {import("../../types").Table} table @param {string} player */
function boardName(table, player) {
  return table.seats.some((seat) => seat.me && seat.player === player) ? t("board.title")
    : t("result.boardName", { who: plain(playerNames(table, [player])[0] ?? "") });
}

/**
 * @param {GameReplay} replay
 * @param {number} index
 * @param {Set<number>} marked
 * @param {number[]} news
 * @param {string} name
 */
function bigBoard({ size, boards }, index, marked, news, name) {
  const { words } = boards[index];
  return h("tt-grid", { class: `board n${size}`, role: "grid", "aria-label": name },
    Array.from({ length: size }, (_, row) => h("div", { role: "row" },
      words.slice(row * size, (row + 1) * size).map((word, column) => {
        const tile = row * size + column;
        const isMarked = marked.has(tile);
        const text = word === "" ? t("tile.free") : word;
        return h("div", {
          role: "gridcell", tabindex: tile === 0 ? "0" : "-1",
          class: `tile still${isMarked ? " is-marked" : ""}${news.includes(tile) ? " is-winning" : ""}`,
          "aria-label": [t("tile.place", { row: row + 1, column: column + 1 }), plain(text),
            isMarked ? t("tile.nameMarked") : t("tile.nameOpen")].join(", "),
        }, tileWord(text), isMarked ? h("span", { class: "tile-state" }, icon("tick")) : null);
      }))));
}

