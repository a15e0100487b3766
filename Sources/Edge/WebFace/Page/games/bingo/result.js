// The result: winners, the line drawn around, who spotted what, and that all laptops show the same.

import { h } from "../../app/dom.js";
import { plain, t, took, tx } from "../../app/text.js";
import "../../components/grid.js";
import { face } from "../../components/face.js";
import { card, fullName, icon, joined, playerNames, tileWord, typed } from "../../components/parts.js";
import { unmasking } from "../../components/masks.js";
import { asked, receipt, rematch, same } from "../../components/over.js";
import { PLACES } from "./players.js";
import { bunting, confetti, lasso } from "./party.js";
import { sharePicture, shareText } from "./share.js";

/**
 * @param {import("../../types").Model} model
 * @param {import("../../types").Table} table
 * @returns {import("../../types").Child}
 */
export function result(model, table) {
  const found = table.result;
  if (!found) return null;
  const me = table.seats.find((seat) => seat.me);
  const won = me !== undefined && found.winners.includes(me.player);
  // My own line if I have one, else the first winner's: that is the board worth looking at.
  const main = won && me ? me.player : found.winners[0] ?? me?.player ?? "";
  const others = found.boards.filter((board) => board.player !== main);
  return h("div", { class: "over", key: "over" },
    found.kind === "unfinished" ? null : bunting(),
    headline(model, table, found, won),
    h("div", { class: "play" },
      h("section", { class: "main-col", "aria-labelledby": "line", key: "line" },
        h("div", { class: "play-head" },
          h("h2", { id: "line" }, mainTitle(table, found, main, won)), same(found)),
        bigBoard(table, found, main, main === me?.player),
        h("p", { class: "quiet note-under" }, t("result.supportText"))),
      h("div", { class: "side-col", key: "side" },
        others.map((board) => smallBoard(table, found, board)),
        receipt(table, found)),
      h("div", { class: "under-col", key: "under" }, timeline(table, found))));
}

/**
 * @param {import("../../types").Model} model
 * @param {import("../../types").Table} table
 * @param {import("../../types").Result} found
 * @param {boolean} won
 */
function headline(model, table, found, won) {
  const names = playerNames(table, found.winners);
  const seats = found.winners.map((player) => table.seats.find((seat) => seat.player === player)?.key ?? player);
  const title = found.kind === "unfinished" ? h("h1", null, t("result.unfinished"))
    : h("h1", null, t(TITLES[found.kind]), " ", h("span", null, joined(names)));
  return h("section", { class: "win", key: "win" },
    found.kind === "unfinished" ? null : confetti(),
    h("div", { class: "win-said", role: "status", "aria-label": t("result.name") },
      h("p", { class: "podium" }, seats.map((key) => face(key, "xl"))),
      title,
      h("p", { class: "lead" }, explain(found, won)),
      laterPlaces(table)),
    h("p", { class: "row" }, rematch(model, table, found), h("a", { class: "button big", href: `#history/${table.id}` }, t("past.replay")),
      h("a", { class: "button big", href: "#" }, t("result.home"))),
    asked(table, found),
    unmasking(model, table),
    share(model, table, found));
}

/**
 * @param {import("../../types").Model} model
 * @param {import("../../types").Table} table
 * @param {import("../../types").Result} found
 */
function share({ actions }, table, found) {
  if (found.kind === "unfinished") return null;
  const text = () => {
    const said = shareText(table, found);
    void actions.copy(said, said.split("\n")[1], t("share.copied"));
  };
  const picture = async () => {
    const blob = await sharePicture(table, found);
    if (blob) actions.keep(blob, `bingo-${table.code}.png`);
    else actions.notice({ text: [t("share.noPicture")], tone: "bad" });
  };
  return h("p", { class: "row", key: "share" },
    h("button", { class: "button", type: "button", on: { click: text } }, icon("copy"), t("share.text")),
    h("button", { class: "button", type: "button", on: { click: () => void picture() } }, icon("star"), t("share.picture")));
}

/**
 * What is said of a complete line.
 * @type {Record<import("../../types").Direction, string>}
 */
const FULL = {
  row: "result.row", column: "result.column", diagonal: "result.diagonal", corners: "result.corners", cross: "result.cross",
  frame: "result.frame", blackout: "result.blackout",
};

/** @type {Record<string, string>} */
const TITLES = { line: "result.bingo", settled: "result.closest", lastPlayer: "result.over" };

/**
 * Who came second and third, where that was played for.
 * @param {import("../../types").Table} table
 */
function laterPlaces(table) {
  return table.places.length < 2 ? null : h("ol", { class: "places", start: 2, "aria-label": t("result.places") },
    table.places.slice(1).map((players, index) => h("li", { key: index },
      h("span", null, t(PLACES[index + 1])), " ", h("strong", null, joined(playerNames(table, players))))));
}

/** @param {import("../../types").Result} found @param {boolean} won */
function explain(found, won) {
  if (found.kind === "settled") return won && found.winners.length === 1 ? t("result.settledYou") : t("result.settled");
  if (found.kind === "unfinished") return t("result.unfinishedText");
  if (found.kind === "lastPlayer") return won ? t("result.lastYou") : t("result.last");
  if (won) return found.winners.length > 1 ? t("result.youShare") : took("result.youSoon", "result.you", found.seconds);
  return found.winners.length > 1 ? t("result.theyShare") : took("result.theySoon", "result.they", found.seconds);
}

/**
 * @param {import("../../types").Table} table
 * @param {import("../../types").Result} found
 * @param {string} main
 * @param {boolean} won
 */
function mainTitle(table, found, main, won) {
  const name = playerNames(table, [main])[0];
  const hasLine = found.lines.some((line) => line.player === main);
  if (!hasLine) return won || table.seats.some((seat) => seat.me && seat.player === main)
    ? t("board.title") : tx("result.boardOf", { who: typed(name) });
  return won ? t("result.yourLine") : tx("result.lineOf", { who: typed(name) });
}

/**
 * @param {import("../../types").Table} table
 * @param {import("../../types").Result} found
 * @param {string} player
 * @param {boolean} mine
 */
function bigBoard(table, found, player, mine) {
  const board = found.boards.find((one) => one.player === player);
  if (!board) return null;
  const size = Math.round(Math.sqrt(board.tiles.length));
  const name = mine ? t("board.title") : t("result.boardName", { who: plain(playerNames(table, [player])[0]) });
  return h("div", { class: "mat" }, h("div", { class: "ringed" },
    h("tt-grid", { class: `board n${size}`, role: "grid", "aria-label": name },
      Array.from({ length: size }, (_, row) => h("div", { role: "row" },
        board.tiles.slice(row * size, (row + 1) * size).map((tile, column) =>
          resultTile(tile, row, column))))),
    found.lines.filter((line) => line.player === player).map((line) => lasso(line.direction, line.index, size))));
}

/**
 * @param {import("../../types").Result["boards"][number]["tiles"][number]} tile
 * @param {number} row
 * @param {number} column
 */
function resultTile(tile, row, column) {
  const support = tile.support ? t("result.support", { yes: tile.support.confirms, n: tile.support.of }) : null;
  const word = tile.word === "" ? t("tile.free") : tile.word;
  const name = [t("tile.place", { row: row + 1, column: column + 1 }), plain(word),
    tile.marked ? t("tile.nameMarked") : t("tile.nameOpen"), support ?? "",
    tile.winning ? t("result.winning") : ""].filter(Boolean).join(", ");
  return h("div", {
    role: "gridcell", class: `tile still${tile.marked ? " is-marked" : ""}${tile.winning ? " is-winning" : ""}`, "aria-label": name,
    tabindex: row === 0 && column === 0 ? "0" : "-1",
  },
    tileWord(word),
    tile.marked || tile.support ? h("span", { class: "tile-state" }, tile.marked ? icon("tick") : null,
      tile.support ? h("span", { class: "count" }, t("result.tile", { yes: tile.support.confirms, of: tile.support.of })) : null)
      : null);
}

/**
 * @param {import("../../types").Table} table
 * @param {import("../../types").Result} found
 * @param {import("../../types").Result["boards"][number]} board
 */
function smallBoard(table, found, board) {
  const seat = table.seats.find((one) => one.player === board.player);
  const name = seat ? fullName(seat) : t("people.somebody");
  const size = Math.round(Math.sqrt(board.tiles.length));
  const line = found.lines.find((one) => one.player === board.player);
  const marked = board.tiles.filter((tile) => tile.marked).length;
  const text = line ? t(FULL[line.direction], { n: line.index + 1 }) : t("result.noLine");
  return h("section", { key: board.player, class: "card small-board", "aria-label": t("result.boardName", { who: plain(name) }) },
    h("div", { class: `small-mat n${size}`, "aria-hidden": "true" }, board.tiles.map((tile) =>
      h("i", { class: tile.winning ? "won" : tile.marked ? "on" : null }))),
    h("div", { class: "grow" },
      h("h3", null, seat?.me ? t("board.title") : tx("result.boardOf", { who: typed(name) })),
      h("p", null, text),
      h("p", { class: "quiet" }, t("result.tiles", { n: marked }),
        line && found.winners.length > 1 ? ` ${t("result.together")}` : null)));
}

/** @param {import("../../types").Table} table @param {import("../../types").Result} found */
export function timeline(table, found) {
  return card("when", t("result.timeline"), "",
    found.timeline.length === 0 ? h("p", { class: "quiet" }, t("result.nothing")) : null,
    h("ol", { class: "timeline" }, found.timeline.map((line, index) => {
      const keys = line.who.map((player) => table.seats.find((seat) => seat.player === player)?.key ?? player);
      return h("li", { key: index, class: line.winning ? "last" : null },
        h("span", { class: "when" }, t("result.minute", { n: Math.floor(line.atMs / 60_000) + 1 })),
        h("span", { class: "faces" }, keys.slice(0, 2).map((key) => face(key, "s"))),
        h("p", null, h("strong", null, joined(playerNames(table, line.who))), " ",
          tx("word.quoted", { word: typed(line.word) }),
          line.who.length > 1 ? `, ${t("result.heardTogether")}` : null, " ",
          h("span", { class: "support" }, t("result.support", { yes: line.confirms, n: line.of }))));
    })));
}
