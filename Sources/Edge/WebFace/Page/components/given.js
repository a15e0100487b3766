// Word lists that go from one player to another: given, looked at, and kept or not.

import { h } from "../app/dom.js";
import { inWords, namesText, plain, t, tx } from "../app/text.js";
import { face } from "./face.js";
import { card, fullName, icon, typed } from "./parts.js";

/**
 * Lists that others give.
 * @param {import("../types").Model} model
 */
export function givenCard({ state, actions }) {
  const { given } = state.wordLists;
  if (given.length === 0) return null;
  return card("given", t("given.title"), "", h("ul", { class: "list" }, given.map((one) => h("li", { key: String(one.list) },
    face(one.fromKey),
    h("p", { class: "grow" }, saidBy(one)),
    h("a", { class: "button", href: `#lists/${one.list}` }, t("given.look"), h("span", { class: "unseen" }, " ", one.title)),
    answers(one, actions)))));
}

/**
 * The words of one of them.
 * @param {import("../types").Model} model
 * @param {import("../screens/lists-types").GivenList} one
 */
export function givenWords({ ui, actions }, one) {
  return card("given-list", one.title, "", h("div", { class: "stack" },
    h("p", { key: "by" }, saidBy(one)),
    h("p", { key: "do", class: "row" }, answers(one, actions)),
    h("ul", { class: "words", key: "words" }, (ui.lists.words ?? []).map((word) => h("li", { key: word }, h("span", null, typed(word))))),
    h("p", { key: "close" }, h("a", { href: "#lists" }, t("lists.close")))));
}

/** @param {import("../screens/lists-types").GivenList} one */
function saidBy(one) {
  return tx("given.by", {
    who: typed(one.fromName), title: h("strong", null, typed(one.title)), count: t("words.count", { n: one.count }),
  });
}

/**
 * @param {import("../screens/lists-types").GivenList} one
 * @param {import("../types").Actions} actions
 */
function answers(one, actions) {
  const answer = async (/** @type {boolean} */ keep) => {
    const reply = await actions.act("takeGiven", { list: one.list, keep });
    if (!reply.ok) return;
    if (keep) actions.notice({ text: [t("given.kept", { title: plain(one.title) })] });
    // What had the focus goes with the next state.
    document.getElementById("main")?.focus({ preventScroll: true });
  };
  const which = h("span", { class: "unseen" }, " ", one.title);
  return [
    h("button", { key: "keep", class: "button primary", type: "button", on: { click: () => void answer(true) } }, t("given.keep"), which),
    h("button", { key: "no", class: "button", type: "button", on: { click: () => void answer(false) } }, t("given.no"), which),
  ];
}

/**
 * People nearby, to give a list to.
 * @param {import("../types").Model} model
 * @param {import("../screens/lists-types").WordListRow} list
 */
export function giveNearby({ state, actions }, list) {
  const people = state.people.filter((person) => person.presence !== "away");
  if (people.length === 0 || list.count === 0) return null;
  const give = async (/** @type {import("../types").Person} */ person) => {
    const answer = await actions.send("giveList", { list: list.id, person: person.key });
    actions.notice(answer.ok
      ? { text: [t("given.sent", { who: namesText([fullName(person)]), title: plain(list.title) })] }
      : { text: [inWords(answer.message)], tone: "bad" });
  };
  return h("details", { key: "give", class: "ask-nearby" }, h("summary", null, t("given.nearby", { n: people.length })),
    h("ul", { class: "list" }, people.map((person) => h("li", { key: person.key },
      face(person.key, "s"),
      h("p", { class: "grow" }, h("strong", null, typed(fullName(person)))),
      h("button", { class: "button", type: "button", on: { click: () => void give(person) } },
        icon("plus"), t("given.give"), h("span", { class: "unseen" }, " ", fullName(person)))))));
}

/**
 * Lists that are given since the state before.
 * @param {import("../types").State} before
 * @param {import("../types").State} after
 */
export function newlyGiven(before, after) {
  return after.wordLists.given
    .filter((one) => !before.wordLists.given.some((old) => old.list === one.list))
    .map((one) => t("given.by", {
      who: namesText([one.fromName]), title: plain(one.title), count: t("words.count", { n: one.count }),
    }));
}
