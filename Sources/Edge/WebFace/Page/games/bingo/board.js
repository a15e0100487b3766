// The board while it is played: tiles, what I heard, votes, players, what was heard so far.

import { h } from "../../app/dom.js";
import { plain, t, tx } from "../../app/text.js";
import "../../components/grid.js";
import { drain, seconds } from "../../components/countdown.js";
import { icon, tileWord, typed } from "../../components/parts.js";
import { reveal } from "../../components/reveal.js";
import { signs } from "../../components/signs.js";
import { heardSoFar } from "./heard.js";
import { onlooker } from "./onlooker.js";
import { options, players } from "./players.js";
import { settleCard } from "./settle.js";
import { voteHelp, votes } from "./votes.js";
import { waitingFor } from "./waiting.js";

/** How long a press can be taken back, in milliseconds; the node counts, this only draws. */
const UNDO = 2000;

/**
 * @param {import("../../types").Model} model
 * @param {import("../../types").Table} table
 * @returns {import("../../types").Child}
 */
export function board(model, table) {
  const plays = table.seats.some((seat) => seat.me);
  return h("div", { class: "play", key: "play" },
    h("section", { class: "main-col", "aria-labelledby": "mine", key: "board" },
      h("div", { class: "play-head" }, h("h1", { id: "mine" }, t(plays ? "board.title" : "onlooker.title")), signs(model, table)),
      plays ? [grid(model, table), heard(model, table), key()] : onlooker(table)),
    h("div", { class: "side-col", key: "side" },
      votes(model, table),
      voteHelp(model, table),
      plays ? settleCard(model, table) : null,
      players(model, table)),
    h("div", { class: "under-col", key: "under" },
      heardSoFar(model, table),
      options(model, table)));
}

/**
 * What a tile says under its word, and its shape.
 * @type {Record<string, [string, string, string]>}
 */
const LOOKS = {
  undo: ["is-waiting is-fresh", "wait", "tile.undo"],
  sending: ["is-waiting", "wait", "tile.sending"],
  waiting: ["is-waiting", "wait", "tile.waiting"],
  marked: ["is-marked", "tick", "tile.marked"],
  confirmed: ["is-confirmed", "dot", "tile.confirmed"],
  denied: ["is-denied", "cross", "tile.denied"],
  askAgain: ["is-silent", "turn", "tile.askAgain"],
  oneAway: ["is-one-away", "flag", "tile.oneAway"],
};

/**
 * @param {import("../../types").Model} model
 * @param {import("../../types").Table} table
 */
function grid(model, table) {
  const current = table.board;
  if (!current) return null;
  const rows = Array.from({ length: current.size }, (_, row) =>
    current.tiles.slice(row * current.size, (row + 1) * current.size));
  return h("div", { class: table.waiting ? "mat frozen" : "mat" },
    h("tt-grid", { class: `board n${current.size}`, role: "grid", "aria-label": t("board.title") },
      rows.map((tiles) => h("div", { role: "row" }, tiles.map((tile) => h("div", { role: "gridcell" },
        tileButton(model, table, tile)))))),
    reveal(model, table));
}

/**
 * @param {import("../../types").Model} model
 * @param {import("../../types").Table} table
 * @param {import("../../types").Tile} tile
 */
function tileButton(model, table, tile) {
  if (tile.state === "free") return freeTile(table, tile);
  const look = tile.state !== "open" ? tile.state : tile.askAgain ? "askAgain" : tile.oneAway ? "oneAway" : null;
  const [className, shape, word] = look ? LOOKS[look] : ["", "", ""];
  const kept = tile.state === "sending" && table.waiting !== null;
  const oneAway = tile.oneAway && look !== "oneAway" && tile.state !== "marked";
  return h("button", {
    class: ["tile", className, oneAway ? "also-one-away" : ""].filter(Boolean).join(" "), type: "button",
    tabindex: tile.index === 0 ? "0" : "-1", "aria-pressed": String(tile.state === "marked"),
    "aria-label": tileName(table, tile),
    on: {
      click: () => press(model, table, tile),
      keydown: (/** @type {KeyboardEvent} */ event) => {
        if (event.key !== "Escape" || tile.state !== "undo") return;
        event.preventDefault();
        undo(model, table, tile);
      },
    },
  },
    tileWord(tile.word),
    look ? h("span", { class: "tile-state" }, icon(shape), h("span", null, kept ? t("tile.kept") : t(word))) : null,
    tile.undoMs === null ? null : drain(model, tile.undoMs, UNDO));
}

/**
 * The tile in the middle, which holds no word: it is marked from the start.
 * @param {import("../../types").Table} table
 * @param {import("../../types").Tile} tile
 */
function freeTile(table, tile) {
  return h("button", {
    class: "tile is-marked is-free", type: "button", tabindex: "-1", "aria-pressed": "true", "aria-disabled": "true",
    "aria-label": tileName(table, tile),
  }, h("span", { class: "tile-word" }, t("tile.free")), h("span", { class: "tile-state" }, icon("tick")));
}

/**
 * What the name of a tile says of its state.
 * @type {Record<import("../../types").TileState, string>}
 */
const NAMES = {
  open: "tile.nameOpen", undo: "tile.nameUndo", sending: "tile.nameSending", waiting: "tile.nameWaiting", marked: "tile.nameMarked",
  confirmed: "tile.nameConfirmed", denied: "tile.nameDenied", free: "tile.nameMarked",
};

/**
 * "Row 2 column 3, circle back, not marked, one away".
 * @param {import("../../types").Table} table
 * @param {import("../../types").Tile} tile
 */
function tileName(table, tile) {
  const size = table.board?.size ?? 1;
  const place = t("tile.place", { row: Math.floor(tile.index / size) + 1, column: (tile.index % size) + 1 });
  return [place, tile.state === "free" ? t("tile.free") : plain(tile.word), t(NAMES[tile.state]), tile.askAgain ? t("tile.nameSilent") : "",
    tile.oneAway && tile.state !== "marked" ? t("tile.oneAway") : ""].filter(Boolean).join(", ");
}

/**
 * A press says what it does by the state of the tile; a second one within the 2 s sends at once.
 * @param {import("../../types").Model} model
 * @param {import("../../types").Table} table
 * @param {import("../../types").Tile} tile
 */
function press({ actions, at }, table, tile) {
  const fields = { table: table.id, tile: tile.index };
  const word = plain(tile.word);
  switch (tile.state) {
  case "open":
  case "undo": {
    // Somebody else has just claimed it: pressing the tile says yes and shares the credit, and a yes does not wait.
    const open = table.claims.some((claim) => claim.word === tile.word && claim.mayVote && claim.myVote === null);
    void actions.act("claim", { ...fields, now: open || tile.askAgain || tile.state === "undo" });
    break;
  }
  case "confirmed":
    void actions.act("mark", fields);
    break;
  case "denied": {
    const left = Math.ceil(((tile.waitMs ?? 0) - (performance.now() - at)) / 1000);
    if (left > 0) actions.notice({ text: [t("refused.wait", { word, n: left })], tone: "bad" });
    else void actions.act("claim", fields);
    break;
  }
  case "marked":
    actions.say(t("refused.marked", { word }));
    break;
  default:
    actions.say(t("refused.waiting", { word }));
  }
}

/**
 * @param {import("../../types").Model} model
 * @param {import("../../types").Table} table
 * @param {import("../../types").Tile} tile
 */
function undo({ actions }, table, tile) {
  void actions.act("undo", { table: table.id, tile: tile.index });
}

/**
 * What I heard and what becomes of it. Always there, so that nothing moves when a tile is pressed.
 * @param {import("../../types").Model} model
 * @param {import("../../types").Table} table
 */
function heard(model, table) {
  const tiles = table.board?.tiles ?? [];
  // The newest press first: its Undo must not be looked for.
  const busy = tiles.filter((tile) => tile.askAgain || tile.state === "undo" || tile.state === "sending"
    || tile.state === "waiting" || (tile.state === "denied" && tile.waitMs !== null))
    .sort((one, other) => Number(other.state === "undo") - Number(one.state === "undo"));
  const fresh = busy.some((tile) => tile.state === "undo");
  return h("ul", { class: fresh ? "heard has-fresh" : "heard", "aria-label": t("heard.name") },
    busy.length > 0 ? null : table.takeBack ? agreed(model, table, table.takeBack)
      : h("li", { key: "hint", class: "hint" }, icon("dot"), h("p", null, t(table.pretend ? "heard.hintAlone" : "heard.hint"))),
    busy.map((tile) => h("li", { key: tile.index, class: tile.state === "undo" ? "fresh" : null },
      heardLine(model, table, tile))));
}

/**
 * @param {import("../../types").Model} model
 * @param {import("../../types").Table} table
 * @param {import("../../types").Tile} tile
 */
function heardLine(model, table, tile) {
  const { actions } = model;
  const word = typed(tile.word);
  const fields = { table: table.id, tile: tile.index };
  switch (tile.state) {
  case "undo":
    return [icon("wait"), h("p", null, tx("heard.undo", { word, seconds: seconds(model, tile.undoMs) })),
      h("button", { class: "button", type: "button", on: { click: () => undo(model, table, tile) } },
        icon("undo"), t("heard.undoGo"))];
  case "sending":
    return [icon("wait"), h("p", null, tx(table.waiting ? "heard.kept" : "heard.sending", { word }))];
  case "waiting":
    return [icon("wait"), h("p", null, waitingFor(model, table, tile))];
  case "denied":
    return [icon("cross"), h("p", null, tx("heard.denied", { word, seconds: seconds(model, tile.waitMs) }))];
  default:
    return [icon("turn"), h("p", null, tx("heard.silent", { word })),
      h("button", {
        class: "button", type: "button", on: { click: () => void actions.act("claim", { ...fields, now: true }) },
      }, icon("turn"), t("heard.askAgain"))];
  }
}

/**
 * What was agreed last, if it was mine: until the next decision it may turn out to have been a mistake.
 * @param {import("../../types").Model} model
 * @param {import("../../types").Table} table
 * @param {{ claim: string, word: string }} newest
 */
function agreed({ actions }, table, { claim, word }) {
  return h("li", { key: "agreed", class: "hint" }, icon("tick"), h("p", null, tx("heard.agreed", { word: typed(word) })),
    h("button", {
      class: "button", type: "button", on: { click: () => void actions.act("takeBack", { table: table.id, claim }) },
    }, icon("undo"), t("heard.takeBack")));
}

/** What the tiles say. */
function key() {
  /** @param {string} state @param {string} shape @param {string} text */
  const line = (state, shape, text) => h("li", null,
    h("span", { class: `tile swatch ${state}`.trim(), "aria-hidden": "true" }, shape ? icon(shape) : null), text);
  return h("details", { key: "key", class: "key" }, h("summary", null, t("key.title")),
    h("ul", null,
      line("", "", t("key.open")), line("is-waiting", "wait", t("key.waiting")), line("is-marked", "tick", t("key.marked")),
      line("is-confirmed", "dot", t("key.confirmed")), line("is-denied", "cross", t("key.denied")),
      line("is-silent", "turn", t("key.silent")), line("is-one-away", "flag", t("key.oneAway"))),
    h("p", { class: "quiet" }, t("key.keys")));
}
