// The star: people who are to be found again, and those of them who are not here.

import { h } from "../app/dom.js";
import { plain, t } from "../app/text.js";
import { face } from "./face.js";
import { fullName, icon, sign, typed } from "./parts.js";

/**
 * @param {{ key: string, name: string, tag: string, showTag: boolean }} person
 * @param {boolean} isOn
 * @param {import("../types").Actions} actions
 * @returns {import("../types").View}
 */
export function star(person, isOn, actions) {
  const press = async (/** @type {Event} */ event) => {
    const button = /** @type {HTMLElement} */ (event.currentTarget);
    const row = button.closest("li");
    const next = [row?.nextElementSibling, row?.previousElementSibling]
      .map((one) => one?.querySelector("button.star")).find((one) => one instanceof HTMLElement);
    const answer = await actions.act("favourite", { person: person.key, on: !isOn });
    if (!answer.ok || !row?.classList.contains("absent")) return;
    // The row goes: who works by keys is not to begin anew at the top.
    const { activeElement } = document;
    if (activeElement !== button && activeElement !== document.body) return;
    (next instanceof HTMLElement && next.isConnected ? next : document.getElementById("main"))?.focus();
  };
  return h("button", {
    class: "icon-button star", type: "button", "aria-pressed": isOn ? "true" : "false", title: t("people.starHint"), on: { click: press },
  },
    icon("star"), h("span", { class: "unseen" }, t("people.favourite", { name: plain(fullName(person)) })));
}

/**
 * One row a favourite who is not here.
 * @param {import("../types").Model} model
 * @returns {import("../types").View[]}
 */
export function absent({ state, actions }) {
  return state.favourites.map((person) => h("li", { key: person.key, class: "absent" },
    face(person.key, "", true),
    h("p", { class: "grow" }, h("strong", null, typed(fullName(person))), sign("away", "moon", t("people.notHere"))),
    star(person, true, actions)));
}
