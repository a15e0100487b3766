// Goes through a game that is over: a slider with a button on either side. Arrows, Home and End are the slider's own keys.

import { h } from "../app/dom.js";

/**
 * @param {{ at: number, all: number, name: string, text: string, back: string, forth: string, go: (step: number) => void }} slide
 *   `text` says what is shown at that step, and is read out
 * @returns {import("../types").Child}
 */
export function slider({ at, all, name, text, back, forth, go }) {
  /** @param {number} step */
  const to = (step) => go(Math.max(0, Math.min(all, step)));
  return [
    h("div", { class: "replay", key: "slider" },
      h("button", { class: "button", type: "button", "aria-disabled": at === 0 ? "true" : null, on: { click: () => to(at - 1) } },
        h("span", { class: "turns", "aria-hidden": "true" }, "‹"), h("span", { class: "unseen" }, back)),
      h("input", {
        type: "range", min: 0, max: all, value: at, "aria-label": name, "aria-valuetext": text,
        on: { input: (/** @type {Event} */ event) => to(Number(/** @type {HTMLInputElement} */ (event.target).value)) },
      }),
      h("button", { class: "button", type: "button", "aria-disabled": at === all ? "true" : null, on: { click: () => to(at + 1) } },
        h("span", { class: "turns", "aria-hidden": "true" }, "›"), h("span", { class: "unseen" }, forth))),
    h("p", { class: "quiet replay-text", key: "slider-text", role: "status" }, text),
  ];
}
