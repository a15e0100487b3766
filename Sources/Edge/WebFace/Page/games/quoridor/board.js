// Quoridor while it is played: two or four clocks, the board, the wall that is being placed, moves.

import { h } from "../../app/dom.js";
import { t, tx } from "../../app/text.js";
import { seconds } from "../../components/countdown.js";
import { face } from "../../components/face.js";
import { feed } from "../../components/feed.js";
import { fullName, sign, typed } from "../../components/parts.js";
import { signs } from "../../components/signs.js";
import { field, shape } from "./field.js";
import { place, quarters, seen, seenWall, SIZE, wallAt } from "./geometry.js";
import { effect, hand, mayMove, names, send, turnedWall } from "./hand.js";
import { moves } from "./moves.js";
import { askedCard, moveCard, options } from "./tools.js";

/** @typedef {import("../../types").Model} Model */
/** @typedef {import("../../types").Table} Table */
/** @typedef {import("./types").QuoridorBoard} Board */

/** Seconds of a turn, and of one after a turn that ran out. */
const [TURN, HASTY] = [40, 8];

/**
 * @param {Model} model
 * @param {Table} table
 * @returns {import("../../types").Child}
 */
export function board(model, table) {
  const now = table.quoridor?.board;
  if (!now) return null;
  return h("div", { class: now.players.length === 4 ? "duel of-four" : "duel", key: "duel" },
    h("section", { class: "clocks", "aria-label": t("duel.clocks"), key: "clocks" },
      h("h1", { class: "unseen" }, t("duel.name")),
      order(table, now).map((side) => clock(model, table, now, side))),
    h("section", { class: "q-col", "aria-label": t("duel.board"), key: "board" },
      h("div", { class: table.waiting ? "q-mat frozen" : "q-mat" },
        field(scene(model, table, now), (at) => model.actions.set({ play: { ...model.ui.play, at } }), presses(model, table, now))),
      h("div", { class: "q-under" }, turnText(table, now), signs(model, table))),
    h("div", { class: "side-q", key: "side" },
      askedCard(model, table, now),
      moveCard(model, table, now),
      moves(model, table, now, null),
      feed(model, { ...table, feed: table.feed.filter((line) => line.kind !== "dealt") }, t("duel.feed")),
      options(model, table, now)));
}

/**
 * Others first, then me, so that my clock stands next to my side of the board.
 * @param {Table} table
 * @param {Board} board
 */
function order(table, board) {
  const mine = board.mine ?? 0;
  const sides = board.players.map((_, side) => (mine + 1 + side) % board.players.length);
  return board.players.length === 2 || hand(table, board) !== null ? sides : board.players.map((_, side) => side);
}

/** What is said of where a pawn goes, by the quarter turns between it and who looks. */
const AIMS = ["duel.goesUp", "duel.goesRight", "duel.goesDown", "duel.goesLeft"];
const FORMS = ["duel.circle", "duel.square", "duel.triangle", "duel.diamond"];

/**
 * @param {Model} model
 * @param {Table} table
 * @param {Board} board
 * @param {number} side
 */
function clock(model, table, board, side) {
  const count = board.players.length;
  const seat = table.seats.find((one) => one.player === board.players[side]);
  const isOn = board.toMove === side;
  const isGone = board.pawns[side] === null;
  const apart = (quarters(count, side) - quarters(count, board.mine ?? 0) + 4) % 4;
  const all = count === 2 ? 10 : 5;
  const name = seat ? fullName(seat) : t("people.somebody");
  return h("div", { key: side, class: ["clock", isOn ? "on" : "", isGone ? "gone" : ""].filter(Boolean).join(" ") },
    face(seat?.key ?? board.players[side], "", seat?.presence === "away" && !table.pretend),
    h("p", { class: "who" }, h("strong", null, typed(name), seat?.me ? ` ${t("people.meMark")}` : null),
      h("span", { class: "quiet form" }, shape(side), `${t(FORMS[side])}, ${t(AIMS[apart])}`)),
    isGone ? sign("away", "flag", t("duel.gone")) : time(model, table, board, side),
    isGone ? null : h("p", { class: "left", key: "left" },
      h("span", null, h("span", { class: "stock", "aria-hidden": "true" }, Array.from({ length: all }, (_, index) =>
        h("i", { class: index < board.left[side] ? "on" : null }))), t("duel.wallsLeft", { n: board.left[side] })),
      h("span", null, t("duel.stepsToGo", { n: board.steps[side] }))));
}

/**
 * @param {Model} model
 * @param {Table} table
 * @param {Board} board
 * @param {number} side
 */
function time(model, table, board, side) {
  const isOn = board.toMove === side;
  if (!table.quoridor?.settings.timed) return isOn ? sign("wait", "flag", t("duel.toMove")) : null;
  if (isOn && table.waiting) return sign("away", "moon", t("agree.paused"));
  if (isOn && board.clock) {
    return h("span", { class: "time", role: "timer", "aria-label": t("vote.left") }, seconds(model, board.clock.leftMs), h("small", null, " s"));
  }
  return h("span", { class: "time" }, String(board.strikes[side] === 0 ? TURN : HASTY), h("small", null, " s"));
}

/**
 * Whose turn it is, in words.
 * @param {Table} table
 * @param {Board} board
 */
function turnText(table, board) {
  const side = board.toMove;
  if (side === null) return null;
  const who = names(table, board)[side];
  const hands = hand(table, board);
  return h("p", { class: "turn-text", role: "status", "aria-label": t("duel.turn") },
    board.sending !== null ? sign("wait", "wait", t(table.waiting ? "duel.kept" : "duel.sending", { move: board.sending }))
      : table.pretend && table.quoridor?.settings.opponent === 0
        ? sign("wait", "flag", tx("duel.turnOf", { who: typed(who) }))
        : hands === side ? sign("wait", "flag", t("duel.yourTurn"))
          : sign("away", "wait", tx("duel.turnOf", { who: typed(who) })));
}

/**
 * The board as it is shown now.
 * @param {Model} model
 * @param {Table} table
 * @param {Board} board
 * @returns {import("./field.js").Scene}
 */
export function scene(model, table, board) {
  const { play } = model.ui;
  const mine = hand(table, board);
  const free = mayMove(table, board);
  const wall = free ? play.wall ?? null : null;
  return {
    turned: quarters(board.players.length, board.mine ?? 0), players: board.players.length, pawns: board.pawns,
    names: names(table, board), mine, toMove: board.toMove, walls: board.walls, last: board.turns.at(-1)?.move ?? null,
    legal: free ? board.squares : [], ways: play.ways ? board.players.map((_, side) => side) : [],
    preview: board.sending?.length === 3 ? { wall: board.sending, fits: true }
      : wall === null ? null : { wall, fits: board.slots.includes(wall) },
    at: play.at ?? board.pawns[board.mine ?? 0] ?? "e5", name: t("duel.boardName"),
  };
}

/**
 * @param {Model} model
 * @param {Table} table
 * @param {Board} board
 * @returns {import("./field.js").Presses}
 */
function presses(model, table, board) {
  const { actions, ui } = model;
  const { play } = ui;
  const turned = quarters(board.players.length, board.mine ?? 0);
  const free = mayMove(table, board);
  const waits = () => actions.say(t(board.sending !== null ? "duel.onItsWay" : "duel.notYourTurn"));
  /** @param {string} name */
  const onSquare = (name) => {
    if (!free) waits();
    else if (board.squares.includes(name)) send(model, table, board, name);
    else actions.say(t("duel.choices", { squares: board.squares.join(", ") }));
  };
  /** @param {string | null} wall @param {boolean} sure @param {string} [at] */
  const show = (wall, sure, at) => {
    actions.set({ play: { ...play, wall, sure, at: at ?? play.at } });
    if (wall !== null) actions.say(sure ? `${t("duel.preview", { wall })}. ${effect(table, board, wall)}` : wall);
  };
  /** @param {string} wall */
  const onWall = (wall) => {
    if (!free) return waits();
    const same = play.wall && play.wall.slice(0, 2) === wall.slice(0, 2) && near(turned, play.wall, wall);
    show(same ? turnedWall(play.wall) : wall, true);
  };
  /** @param {string} key @param {string} name */
  const onKey = (key, name) => {
    if (!free) {
      if (key !== "Enter" && key !== " ") return false;
      waits();
      return true;
    }
    const wall = play.wall ?? null;
    if (key === "w" || key === "W") {
      const [along, down] = seen(turned, place(name));
      show(wall === null ? wallAt(turned, Math.min(along, SIZE - 2), Math.max(0, down - 1), true) : null, false, name);
      return true;
    }
    if (wall === null) {
      if (key !== "Enter" && key !== " ") return false;
      onSquare(name);
      return true;
    }
    if (key === "Escape") {
      show(null, false, name);
    } else if (key === "r" || key === "R") {
      show(turnedWall(wall), play.sure ?? false, name);
    } else if (key === "Enter" || key === " ") {
      if (!play.sure) show(wall, true, name);
      else if (board.slots.includes(wall)) send(model, table, board, wall);
      else actions.say(effect(table, board, wall));
    } else {
      const way = /** @type {Record<string, [number, number]>} */ ({
        ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0],
      })[key];
      if (!way) return false;
      const from = seenWall(turned, wall);
      const [along, down] = [from.x + way[0], from.y + way[1]];
      if (along >= 0 && along < SIZE - 1 && down >= 0 && down < SIZE - 1) show(wallAt(turned, along, down, from.lying), false, name);
    }
    return true;
  };
  return { onSquare, onWall, onKey };
}

/**
 * Whether a press that means one wall also means the one that is shown: it was on it.
 * @param {number} turned
 * @param {string} shown
 * @param {string} pressed
 */
function near(turned, shown, pressed) {
  return seenWall(turned, shown).lying === seenWall(turned, pressed).lying;
}
