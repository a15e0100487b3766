// What every new table is asked: its name, who may come to it, and how many must agree there.

import { h } from "../app/dom.js";
import { t } from "../app/text.js";
import { choice } from "./parts.js";

/**
 * What is usual, or something else that wants a sentence.
 * @param {string} name
 * @param {{ legend: string, usual: string, other: string, text: string }} said
 * @param {boolean} isOther
 * @param {(isOther: boolean) => void} set
 */
function either(name, { legend, usual, other, text }, isOther, set) {
  return [
    choice({
      name, legend, value: isOther, pick: set, options: [{ value: false, text: usual }, { value: true, text: other }],
    }),
    isOther ? h("p", { class: "quiet", key: `${name}-text` }, text) : null,
  ];
}

/**
 * @param {string} title
 * @param {(title: string) => void} set
 */
export function tableName(title, set) {
  return h("div", { class: "field" }, h("label", { for: "title" }, t("new.name")),
    h("input", {
      id: "title", value: title, maxlength: 40, autocomplete: "off", dir: "auto", placeholder: t("new.nameHint"),
      on: { input: (/** @type {Event} */ event) => set(/** @type {HTMLInputElement} */ (event.target).value) },
    }));
}

/**
 * @param {boolean} isPrivate
 * @param {(isPrivate: boolean) => void} set
 */
export function whoCanJoin(isPrivate, set) {
  return either("who", {
    legend: t("new.who"), usual: t("new.everybody"), other: t("new.invited"), text: t("new.invitedText"),
  }, isPrivate, set);
}

/**
 * @param {boolean} strict
 * @param {(strict: boolean) => void} set
 */
export function whoMustAgree(strict, set) {
  return either("agree", {
    legend: t("new.agree"), usual: t("new.most"), other: t("new.all"), text: t("new.allText"),
  }, strict, set);
}
