// What can be done at a board of Quoridor besides pressing it: squares and walls by name, questions, giving up.

import { h } from "../../app/dom.js";
import { inWords, plain, t, tx } from "../../app/text.js";
import { ask } from "../../components/dialog.js";
import { howToButton } from "../../components/how-to.js";
import { card, icon, playerNames, sign, typed, witnesses } from "../../components/parts.js";
import { volume } from "../../components/volume.js";
import { effect, hand, mayMove, names, send, turnedWall } from "./hand.js";
import { rulesText } from "./settings.js";

/** @typedef {import("../../types").Model} Model */
/** @typedef {import("../../types").Table} Table */
/** @typedef {import("./types").QuoridorBoard} Board */

/**
 * The wall that is being placed, and squares and walls by name.
 * @param {Model} model
 * @param {Table} table
 * @param {Board} board
 */
export function moveCard(model, table, board) {
  const { actions, ui } = model;
  const { play } = ui;
  if (hand(table, board) === null) return null;
  const free = mayMove(table, board);
  const wall = free ? play.wall ?? null : null;
  const fits = wall !== null && board.slots.includes(wall);
  /** @param {Record<string, any>} change */
  const set = (change) => actions.set({ play: { ...play, ...change } });
  const submit = (/** @type {SubmitEvent} */ event) => {
    event.preventDefault();
    const form = /** @type {HTMLFormElement} */ (event.target);
    const text = String(new FormData(form).get("move") ?? "").trim().toLowerCase();
    if (typedMove(model, table, board, text)) form.reset();
  };
  return h("section", { key: "move", class: wall === null ? "card tools" : "card tools placing", "aria-labelledby": "move-title" },
    h("h2", { id: "move-title" }, wall === null ? t("duel.moveTitle") : t("duel.preview", { wall })),
    wall === null ? [
      h("p", { key: "squares", class: "squares", role: "group", "aria-label": t("duel.moveTo") }, free
        ? board.squares.map((name) => h("button", {
          key: name, class: "button", type: "button", on: { click: () => send(model, table, board, name) },
        }, name)) : h("span", { class: "quiet" }, t("duel.notYourTurn"))),
      h("p", { key: "start-wall" }, h("button", {
        class: "button", type: "button", "aria-keyshortcuts": "w", "aria-disabled": free && board.slots.length > 0 ? null : "true",
        on: { click: () => { if (free && board.slots.length > 0) set({ wall: board.slots.includes("e4h") ? "e4h" : board.slots[0], sure: true }); } },
      }, icon("plus"), t("duel.placeWall"))),
    ] : [
      h("p", { key: "effect" }, fits ? null : sign("wait", "cross", t("duel.misfit")), fits ? null : " ", effect(table, board, wall)),
      h("div", { key: "row", class: "row" },
        h("button", {
          class: "button primary", type: "button", "aria-disabled": fits ? null : "true",
          on: { click: () => { if (fits) send(model, table, board, wall); } },
        }, icon("tick"), t("duel.build")),
        h("button", {
          class: "button", type: "button", "aria-keyshortcuts": "r", on: { click: () => set({ wall: turnedWall(wall), sure: true }) },
        }, icon("turn"), t("duel.turnIt"), h("kbd", { "aria-hidden": "true" }, "R")),
        h("button", { class: "button plain", type: "button", on: { click: () => set({ wall: null, sure: false }) } }, t("duel.cancel"))),
    ],
    h("form", { key: "type", class: "joined", on: { submit } },
      h("div", { class: "field" }, h("label", { for: "q-move" }, t("duel.type")),
        h("input", {
          id: "q-move", name: "move", placeholder: t("duel.typeHint"), autocomplete: "off", spellcheck: "false", autocapitalize: "off",
          "aria-describedby": "q-said",
        })),
      h("button", { class: "button", type: "submit" }, t("duel.play"))),
    h("p", { key: "said", id: "q-said", class: "said quiet", role: "status" }, play.said ?? ""));
}

/**
 * A move, or a question about the board.
 * @param {Model} model
 * @param {Table} table
 * @param {Board} board
 * @param {string} text
 * @returns {boolean} whether it was understood
 */
function typedMove(model, table, board, text) {
  const { actions, ui } = model;
  /** @param {string} said */
  const answer = (said) => {
    actions.set({ play: { ...ui.play, said } });
    return true;
  };
  if (text === "") return false;
  if (text === "where") return answer(where(table, board));
  if (text === "moves") return answer(t("duel.choices", { squares: board.squares.join(", ") }));
  if (!mayMove(table, board)) {
    answer(t(board.sending !== null ? "duel.onItsWay" : "duel.notYourTurn"));
    return false;
  }
  if (board.squares.includes(text) || board.slots.includes(text)) {
    actions.set({ play: { ...ui.play, said: "" } });
    send({ ...model, ui: { ...ui, play: { ...ui.play, said: "" } } }, table, board, text);
    return true;
  }
  answer(/^[a-h][1-8][hv]$/.test(text) ? `${t("duel.misfit")} ${effect(table, board, text)}`
    : /^[a-i][1-9]$/.test(text) ? t("duel.cannotGo", { square: text, squares: board.squares.join(", ") }) : t("duel.noMove"));
  return false;
}

/**
 * Pawns, walls left, shortest ways.
 * @param {Table} table
 * @param {Board} board
 */
function where(table, board) {
  return names(table, board).map((name, side) => (board.pawns[side] === null ? "" : t("duel.where", {
    who: side === board.mine ? t("duel.you") : plain(name), square: board.pawns[side] ?? "", n: board.left[side], steps: board.steps[side],
  }))).filter(Boolean).join(" ");
}

/**
 * What is said of each question, to who asked and to the others.
 * @type {Record<"draw" | "takeBack" | "end", [string, string]>}
 */
export const QUESTIONS = {
  draw: ["duel.askedDraw", "duel.asksDraw"], takeBack: ["duel.askedBack", "duel.asksBack"], end: ["duel.askedEnd", "duel.asksEnd"],
};

/**
 * A draw or a move to be taken back is asked for.
 * @param {Model} model
 * @param {Table} table
 * @param {Board} board
 */
export function askedCard({ actions }, table, board) {
  const { asked } = board;
  if (!asked) return null;
  /** @param {boolean} yes */
  const answer = (yes) => () => void (yes && asked.question === "end" ? actions.act("askEnd", { table: table.id })
    : actions.act("answer", { table: table.id, yes, turn: board.turn }));
  const [own, others] = QUESTIONS[asked.question];
  const who = typed(playerNames(table, [asked.by])[0]);
  return h("section", { key: "asked", class: "bubble ask", role: "status", "aria-label": t("duel.question") },
    h("p", null, asked.mine ? t(own) : tx(others, { who })),
    h("div", { class: "row" }, asked.mine
      ? h("button", { class: "button", type: "button", on: { click: answer(false) } }, t("duel.neverMind"))
      : asked.mayAnswer ? [
        h("button", { class: "button primary", type: "button", on: { click: answer(true) } }, icon("tick"), t("duel.agree")),
        h("button", { class: "button", type: "button", on: { click: answer(false) } }, icon("cross"), t("duel.playOn")),
      ] : h("span", { class: "quiet" }, t("duel.answered"))));
}

/**
 * @param {Model} model
 * @param {Table} table
 * @param {Board} board
 */
export function options(model, table, board) {
  const { actions, ui, prefs } = model;
  const { play } = ui;
  /** @param {string} kind */
  const act = (kind) => () => void actions.act(kind, { table: table.id, turn: board.turn });
  const plays = board.mine !== null && board.pawns[board.mine] !== null && table.waiting?.code !== "ending";
  return card("options", t(board.mine === null ? "watch.title" : "options.title"), "", h("div", { class: "stack" },
    h("p", { class: "row" },
      h("button", {
        class: "button", type: "button", "aria-pressed": String(play.ways ?? false),
        on: { click: () => actions.set({ play: { ...play, ways: !play.ways } }) },
      }, icon("flag"), t("duel.ways")),
      plays && board.mayTakeBack ? h("button", { key: "back", class: "button", type: "button", on: { click: act("askTakeBack") } },
        icon("undo"), t("duel.takeBack")) : null,
      plays && board.mayOfferDraw ? h("button", { key: "draw", class: "button", type: "button", on: { click: act("offerDraw") } },
        icon("table"), t("duel.offerDraw")) : null,
      plays ? h("button", {
        key: "giveUp", class: "button", type: "button", on: { click: () => actions.set({ dialog: "giveUp" }) },
      }, icon("flag"), t("duel.giveUp")) : null),
    h("p", { class: "row" },
      h("button", {
        class: "button", type: "button", "aria-pressed": String(prefs.tell), on: { click: () => void actions.askToTell() },
      }, icon(prefs.tell ? "tick" : "bell"), t("tell.button")),
      board.mine === null ? h("a", { key: "home", class: "button plain", href: "#" }, icon("door"), t("watch.stop"))
        : h("button", {
          key: "quit", class: "button plain", type: "button", on: { click: () => actions.set({ dialog: "quit" }) },
        }, icon("door"), t("quit.go")),
      howToButton(model)),
    volume(model),
    h("p", { class: "quiet" }, rulesText(table)),
    witnesses(table),
    table.promise ? h("p", { class: "quiet", key: "promise" }, inWords(table.promise)) : null));
}

/**
 * Giving up asks once.
 * @param {Model} model
 * @param {Table} table
 * @returns {import("../../types").Child}
 */
export function dialog({ ui, actions }, table) {
  const board = table.quoridor?.board;
  if (ui.dialog !== "giveUp" || !board) return null;
  const close = () => actions.set({ dialog: null });
  return ask({
    title: t("duel.giveUpTitle"), text: t("duel.giveUpText"), yes: t("duel.giveUp"), no: t("duel.playOn"), onNo: close,
    onYes: () => {
      close();
      void actions.act("giveUp", { table: table.id });
    },
  });
}
