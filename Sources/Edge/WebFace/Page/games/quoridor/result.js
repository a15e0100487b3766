// How a game of Quoridor ended, and how it went: a slider goes through its moves.

import { h } from "../../app/dom.js";
import { t, tx } from "../../app/text.js";
import { face } from "../../components/face.js";
import { unmasking } from "../../components/masks.js";
import { asked, receipt, rematch, same } from "../../components/over.js";
import { joined, playerNames } from "../../components/parts.js";
import { field } from "./field.js";
import { after, quarters } from "./geometry.js";
import { names } from "./hand.js";
import { moves } from "./moves.js";

/** @typedef {import("../../types").Table} Table */

/**
 * @param {import("../../types").Model} model
 * @param {Table} table
 * @returns {import("../../types").Child}
 */
export function result(model, table) {
  const found = table.result;
  if (!found) return null;
  const me = table.seats.find((seat) => seat.me);
  const won = me !== undefined && found.winners.includes(me.player);
  const board = table.quoridor?.board ?? null;
  return h("div", { class: "over", key: "over" },
    h("section", { class: "win", key: "win" },
      h("div", { class: "win-said", role: "status", "aria-label": t("result.name") },
        h("p", { class: "podium" }, found.winners.map((player) =>
          face(table.seats.find((seat) => seat.player === player)?.key ?? player, "xl"))),
        h("h1", null, headline(table, found, won)),
        h("p", { class: "lead" }, explain(table, found, won))),
      h("p", { class: "row" }, rematch(model, table, found), h("a", { class: "button big", href: "#" }, t("result.home"))),
      asked(table, found),
      unmasking(model, table)),
    board === null ? null : replay(model, table, found, board));
}

/**
 * A game that is over, for Past games.
 * @param {import("../../types").Model} model
 * @param {import("../../screens/history-types").GameReplay} found
 * @returns {import("../../types").Child}
 */
export function past(model, { table }) {
  const board = table.quoridor?.board ?? null;
  return table.result && board ? replay(model, table, table.result, board) : null;
}

/** @param {Table} table @param {import("../../types").Result} found @param {boolean} won */
function headline(table, found, won) {
  if (found.kind === "drawn") return t("duel.drawn");
  if (found.winners.length === 0) return t("result.unfinished");
  return won ? t("duel.youWin") : tx("duel.wins", { who: h("span", null, joined(playerNames(table, found.winners))) });
}

/** @param {Table} table @param {import("../../types").Result} found @param {boolean} won */
function explain(table, found, won) {
  const turns = table.quoridor?.board?.turns.length ?? 0;
  if (found.kind === "drawn") return t("duel.drawnText");
  if (found.kind === "lastPlayer") return t(won ? "duel.lastYou" : "duel.last");
  if (found.kind !== "line") return t("duel.unfinishedText");
  return t("duel.arrived", { n: turns });
}

/**
 * @param {import("../../types").Model} model
 * @param {Table} table
 * @param {import("../../types").Result} found
 * @param {import("./types").QuoridorBoard} board
 */
function replay(model, table, found, board) {
  const { ui, actions } = model;
  const all = board.turns.length;
  const at = Math.min(ui.play.step ?? all, all);
  const { pawns, walls, last } = after(board, at);
  /** @param {number} step */
  const go = (step) => actions.set({ play: { ...ui.play, step: Math.max(0, Math.min(all, step)) } });
  const text = at === 0 ? t("duel.atStart")
    : t("duel.atMove", { n: at, of: all, move: board.turns[at - 1].ranOut ? t("duel.ranOut") : board.turns[at - 1].move });
  return h("div", { class: "duel", key: "replay" },
    h("section", { class: "q-col", "aria-labelledby": "replay", key: "board" },
      h("div", { class: "play-head" }, h("h2", { id: "replay" }, t("duel.replay")), same(found)),
      h("div", { class: "q-mat" }, field({
        turned: quarters(board.players.length, board.mine ?? 0), players: board.players.length, pawns, walls, last,
        names: names(table, board), mine: board.mine, toMove: null, legal: [], ways: [], preview: null,
        at: ui.play.at ?? "e5", name: t("duel.boardName"),
      }, (at) => actions.set({ play: { ...ui.play, at } }), null)),
      h("div", { class: "replay" },
        h("button", { class: "button", type: "button", "aria-disabled": at === 0 ? "true" : null, on: { click: () => go(at - 1) } },
          h("span", { "aria-hidden": "true" }, "‹"), h("span", { class: "unseen" }, t("duel.back"))),
        h("input", {
          type: "range", min: 0, max: all, value: at, "aria-label": t("duel.slider"), "aria-valuetext": text,
          on: { input: (/** @type {Event} */ event) => go(Number(/** @type {HTMLInputElement} */ (event.target).value)) },
        }),
        h("button", { class: "button", type: "button", "aria-disabled": at === all ? "true" : null, on: { click: () => go(at + 1) } },
          h("span", { "aria-hidden": "true" }, "›"), h("span", { class: "unseen" }, t("duel.forth")))),
      h("p", { class: "quiet", role: "status" }, text)),
    h("div", { class: "side-q", key: "side" },
      moves(model, table, board, at),
      receipt(table, found, "duel.receipt")));
}
