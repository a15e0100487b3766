// Word lists: the player's own ones, kept on this laptop for other games.

import { h } from "../app/dom.js";
import { plain, inWords, t, tx } from "../app/text.js";
import { card, icon, sign, typed } from "../components/parts.js";
import { givenCard, givenWords, giveNearby } from "../components/given.js";
import { importing, pickFile } from "./lists-import.js";

/** What is under way at first. */
export const FRESH_LISTS = { of: null, words: null, word: "", title: "", refused: null, preview: null };

/**
 * @param {import("../types").Model} model
 * @returns {import("../types").Child}
 */
export function listsScreen(model) {
  const { state, route } = model;
  const open = state.wordLists.lists.find((one) => String(one.id) === route.list) ?? null;
  const given = state.wordLists.given.find((one) => String(one.list) === route.list) ?? null;
  return h("div", { class: "lists", key: "lists" },
    h("h1", null, t("lists.title")),
    h("div", { class: "home-col", key: "all" }, givenCard(model), all(model, open), putBack(model)),
    h("div", { class: "home-col", key: "one" },
      model.ui.lists.preview ? importing(model, open) : open ? one(model, open) : given ? givenWords(model, given) : null));
}

/**
 * @param {import("../types").Model} model
 * @param {import("./lists-types").WordListRow | null} open
 */
function all(model, open) {
  const { state, ui, actions } = model;
  const make = async () => {
    const answer = await actions.send("makeList", { title: ui.lists.title });
    actions.list(answer.ok ? { title: "", refused: null } : { refused: inWords(answer.message) });
  };
  return card("lists", t("lists.yours"), "", h("div", { class: "stack" },
    state.wordLists.lists.length === 0 ? h("p", { class: "quiet", key: "none" }, t("lists.none")) : null,
    h("ul", { class: "list", key: "rows" }, state.wordLists.lists.map((list) => h("li", { key: list.id },
      h("a", { class: "grow", href: `#lists/${list.id}`, "aria-current": list === open ? "true" : null },
        h("strong", null, typed(list.title)), " ", h("span", { class: "quiet" }, t("words.count", { n: list.count }))),
      h("button", {
        class: "icon-button", type: "button", on: { click: () => void actions.act("deleteList", { list: list.id }) },
      }, icon("cross"), h("span", { class: "unseen" }, t("lists.delete", { list: list.title })))))),
    field("list-title", t("lists.new"), t("lists.make"), ui.lists.title, (title) => actions.list({ title }), make),
    refusal(ui.lists.preview === null && open === null ? ui.lists.refused : null),
    pickFile(model)));
}

/**
 * @param {import("../types").Model} model
 * @param {import("./lists-types").WordListRow} list
 */
function one(model, list) {
  const { ui, actions } = model;
  const add = async () => {
    const answer = await actions.send("addWords", { list: list.id, text: ui.lists.word });
    actions.list(answer.ok ? { word: "", refused: null } : { refused: inWords(answer.message) });
    document.getElementById("list-word")?.focus();
  };
  const play = () => {
    actions.play(ui.lists.words ?? []);
  };
  return card("list", list.title, "", h("div", { class: "stack" },
    field("list-word", t("lists.word"), t("words.add"), ui.lists.word, (word) => actions.list({ word }), add),
    refusal(ui.lists.refused),
    h("p", { class: "quiet", role: "status", key: "count" }, t("words.count", { n: list.count })),
    h("ul", { class: "words", key: "words" }, (ui.lists.words ?? []).map((word) => h("li", { key: word },
      h("span", null, typed(word)),
      h("button", {
        class: "icon-button", type: "button",
        on: { click: () => void actions.act("deleteWord", { list: list.id, word }) },
      }, icon("cross"), h("span", { class: "unseen" }, t("words.takeOut", { word })))))),
    h("p", { class: "row", key: "do" },
      h("button", {
        class: "button primary", type: "button", disabled: list.count === 0, on: { click: play },
      }, t("lists.play")),
      /** @type {const} */ (["txt", "csv", "json"]).map((format) => h("button", {
        key: format, class: "button", type: "button", on: { click: () => void saveAs(actions, list, format) },
      }, t("lists.save", { format: format.toUpperCase() })))),
    giveNearby(model, list),
    h("p", { key: "close" }, h("a", { href: "#lists" }, t("lists.close")))));
}

/**
 * @param {import("../types").Actions} actions
 * @param {import("./lists-types").WordListRow} list
 * @param {"txt" | "csv" | "json"} format
 */
async function saveAs(actions, list, format) {
  if (!await actions.lists.save(list.id, format)) actions.notice({ text: [t("lists.notSaved")], tone: "bad" });
}

/** @param {import("../types").Model} model */
function putBack({ state, at, actions }) {
  const deleted = state.wordLists.putBack;
  // The node forgets it by itself; the page need not wait to hear of that.
  if (!deleted || performance.now() - at > deleted.milliseconds) return h("div", { key: "back", role: "status" });
  return h("div", { key: "back", role: "status", class: "card go" },
    h("p", null, tx("lists.deleted", { what: typed(deleted.name) })),
    h("button", { class: "button", type: "button", on: { click: () => void actions.act("putBack") } },
      icon("undo"), h("span", null, t("lists.putBack"))));
}

/** @param {string | null} message */
function refusal(message) {
  return message === null ? null : h("p", { key: "refused", role: "alert" }, sign("wait", "alert", plain(message)));
}

/**
 * One line of text and a button; Enter does it too.
 * @param {string} id
 * @param {string} label
 * @param {string} button
 * @param {string} value
 * @param {(text: string) => void} set
 * @param {() => Promise<void>} run
 */
function field(id, label, button, value, set, run) {
  return h("form", {
    key: id, class: "field", on: { submit: (/** @type {Event} */ event) => { event.preventDefault(); void run(); } },
  },
    h("label", { for: id }, label),
    h("p", { class: "row" },
      h("input", {
        id, class: "grow", value, autocomplete: "off", dir: "auto", maxlength: 240,
        on: { input: (/** @type {Event} */ event) => set(/** @type {HTMLInputElement} */ (event.target).value) },
      }),
      h("button", { class: "button", type: "submit" }, button)));
}
