// The six words that two people read out to each other, to be sure whose laptop they see.

import { h } from "../app/dom.js";
import { plain, t } from "../app/text.js";
import { show } from "./dialog.js";
import { fullName, sign } from "./parts.js";

/**
 * The button next to somebody's name.
 * @param {import("../types").Person} person
 * @param {import("../types").Actions} actions
 * @returns {import("../types").View}
 */
export function compareButton(person, actions) {
  const compare = () => {
    actions.set({ dialog: `compare ${person.key}` });
    if (person.phrase === null) void actions.act("compare", { person: person.key });
  };
  return h("button", { class: "button plain small", type: "button", title: t("compare.hint"), on: { click: compare } },
    t("compare.go"), h("span", { class: "unseen" }, " ", t("compare.with", { name: plain(fullName(person)) })));
}

/**
 * The dialog, while it is open.
 * @param {import("../types").Model} model
 * @returns {import("../types").View | null}
 */
export function comparing({ state, ui, actions }) {
  const person = state.people.find((one) => ui.dialog === `compare ${one.key}`);
  if (!person) return null;
  const name = plain(person.name);
  return show({ title: t("compare.title", { name }), done: t("compare.done"), onDone: () => actions.set({ dialog: null }) },
    h("p", null, t("compare.text", { name })),
    person.phrase === null ? sign("away", "wait", t("compare.wait"))
      : h("ol", { class: "phrase", "aria-label": t("compare.words") }, person.phrase.map((word) => h("li", null, word))),
    h("p", { class: "quiet" }, t("compare.tag", { name, tag: person.tag })));
}
