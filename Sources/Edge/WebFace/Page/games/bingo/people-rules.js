// House rules about people: who takes suggested words, who may come late, who may look on.

import { h } from "../../app/dom.js";
import { t } from "../../app/text.js";
import { choice } from "../../components/parts.js";

/**
 * Name and sentence of each way to take words.
 * @type {Record<import("../../types").Suggesting, [string, string]>}
 */
const TAKING = {
  anyone: ["taking.anyone", "taking.anyoneText"], half: ["taking.half", "taking.halfText"],
  creator: ["taking.creator", "taking.creatorText"],
};

/** @type {Record<import("../../types").Watching, string>} */
const WATCHING = { nobody: "watching.nobody", progress: "watching.progress", boards: "watching.boards" };

/**
 * @param {import("../../types").Rules} rules
 * @param {boolean} disabled
 * @param {(change: Partial<import("../../types").Rules>) => void} set
 * @returns {import("../../types").Child[]}
 */
export function peopleRules({ suggesting, latecomers, watching }, disabled, set) {
  return [
    choice({
      name: "suggesting", legend: t("taking.legend"), value: suggesting, disabled,
      pick: (value) => set({ suggesting: value }),
      options: /** @type {(keyof typeof TAKING)[]} */ (Object.keys(TAKING)).map((value) => ({ value, text: t(TAKING[value][0]) })),
    }),
    h("p", { class: "quiet", key: "taking-text" }, t(TAKING[suggesting][1])),
    h("label", { class: "check", key: "late" },
      h("input", {
        type: "checkbox", checked: latecomers, disabled,
        on: { change: (/** @type {Event} */ event) => set({ latecomers: /** @type {HTMLInputElement} */ (event.target).checked }) },
      }),
      h("span", null, t("late.option"))),
    choice({
      name: "watching", legend: t("watching.legend"), value: watching, disabled, pick: (value) => set({ watching: value }),
      options: /** @type {(keyof typeof WATCHING)[]} */ (Object.keys(WATCHING)).map((value) => ({ value, text: t(WATCHING[value]) })),
    }),
  ];
}
