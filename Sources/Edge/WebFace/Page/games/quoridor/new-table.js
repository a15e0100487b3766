// New table of Quoridor: with people on this network, against the computer, or with people at this laptop.

import { h } from "../../app/dom.js";
import { inWords, t } from "../../app/text.js";
import { whoIsNamed } from "../../components/masks.js";
import { tableName, whoCanJoin } from "../../components/access.js";
import { card, choice, sign } from "../../components/parts.js";
import { LEVELS, practise } from "./practice.js";
import { rulesChoice } from "./settings.js";

/**
 * @param {import("../../types").Model} model
 * @returns {import("../../types").Child}
 */
export function newTable(model) {
  const { ui, actions } = model;
  const rules = {
    against: "people", level: 2, players: 2, jumps: "never", timed: true, title: "", private: false, anonymous: false, moves: "", refused: null, ...ui.play,
  };
  /** @param {Record<string, any>} change */
  const set = (change) => actions.set({ play: { ...rules, refused: null, ...change } });
  const isHere = rules.against !== "people";
  const fields = { players: rules.players, jumps: rules.players === 4 ? rules.jumps : undefined };
  const start = async () => {
    const answer = isHere ? await practise(model, {
      ...fields, opponent: rules.against === "here" ? 0 : rules.level, moves: rules.moves.trim() || undefined,
    })
      : await actions.send("createTable", {
        game: "quoridor", title: rules.title.trim() || undefined, timed: rules.timed, private: rules.private || undefined,
        anonymous: rules.anonymous || undefined, ...fields,
      });
    if (!answer.ok) set({ refused: inWords(answer.message) });
    else if (answer.table) actions.go(`table/${answer.table}`);
  };
  return h("form", {
    class: "new-table", on: {
      submit: (/** @type {Event} */ event) => {
        event.preventDefault();
        void start();
      },
    },
  },
    h("h1", null, t("duel.new")),
    h("div", { class: "home-col" },
      card("against-card", t("duel.against"), "", h("div", { class: "stack" },
        choice({
          name: "against", legend: t("duel.with"), value: rules.against, pick: (against) => set({ against }),
          options: [
            { value: "people", text: t("duel.people") }, { value: "computer", text: t("duel.computer") },
            { value: "here", text: t("duel.here") },
          ],
        }),
        h("p", { class: "quiet", key: "with-text" }, t(AGAINST[/** @type {keyof AGAINST} */ (rules.against)])),
        rules.against === "computer" ? choice({
          name: "level", legend: t("duel.level"), value: rules.level, pick: (level) => set({ level }),
          options: LEVELS.map((text, index) => ({ value: index + 1, text: t(text) })),
        }) : null)),
      card("rules", t("duel.rules"), "", rulesChoice(rules, false, set, !isHere)),
      isHere ? pasted(rules.moves, (moves) => set({ moves })) : null),
    h("div", { class: "home-col" },
      isHere ? null : card("who-card", t("duel.table"), "", h("div", { class: "stack" },
        rules.anonymous ? null : whoCanJoin(rules.private, (isPrivate) => set({ private: isPrivate })),
        whoIsNamed(rules.anonymous, (anonymous) => set({ anonymous })),
        tableName(rules.title, (title) => set({ title })))),
      h("div", { class: "card go", key: "go" },
        h("p", { class: "grow" }, h("strong", null, t("duel.newReady", { n: rules.players })),
          h("span", { class: "quiet" }, t(isHere ? "duel.opensHere" : rules.private || rules.anonymous ? "new.opensInvited" : "new.opens"))),
        h("button", { class: "button primary big", type: "submit" }, t("start.go")),
        rules.refused === null ? null : h("p", { class: "said", role: "alert" }, sign("wait", "alert", rules.refused)))));
}

/**
 * A game that was copied somewhere: looked through if it is over, else played on.
 * @param {string} moves
 * @param {(moves: string) => void} set
 */
function pasted(moves, set) {
  return h("details", { key: "pasted", class: "card" },
    h("summary", null, t("duel.paste")),
    h("div", { class: "field" }, h("label", { for: "q-moves" }, t("duel.pasteLabel")),
      h("textarea", {
        id: "q-moves", rows: 4, spellcheck: "false", autocapitalize: "off", placeholder: "1. e2 e8 2. e3 e7", value: moves, "aria-describedby": "q-moves-hint",
        on: { input: (/** @type {Event} */ event) => set(/** @type {HTMLTextAreaElement} */ (event.target).value) },
      })),
    h("p", { id: "q-moves-hint", class: "quiet" }, t("duel.pasteText")));
}

/** What is said of each way to play. */
const AGAINST = { people: "duel.peopleText", computer: "duel.computerText", here: "duel.hereText" };
