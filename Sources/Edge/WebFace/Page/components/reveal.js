// 3, 2, 1: the boards are shown to all at about the same moment. It only covers: the game has begun.

import { h } from "../app/dom.js";
import { t } from "../app/text.js";

/** For how long the board is covered, from the deal, in milliseconds. */
const COVERED = 3000;

/** `<tt-reveal until="...">`: covers what it lies over until a moment of `performance.now()`. */
class Reveal extends HTMLElement {
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;

  connectedCallback() {
    this.show();
  }

  disconnectedCallback() {
    clearTimeout(this.#timer);
  }

  show() {
    const left = Number(this.getAttribute("until")) - performance.now();
    this.hidden = left <= 0 || matchMedia("(prefers-reduced-motion: reduce)").matches;
    this.textContent = this.hidden ? "" : String(Math.ceil(left / 1000));
    if (!this.hidden) this.#timer = setTimeout(() => this.show(), left % 1000 + 10);
  }
}
customElements.define("tt-reveal", Reveal);

/**
 * The cover, while the deal is news; nothing at a table on this laptop alone.
 * @param {import("../types").Model} model
 * @param {import("../types").Table} table
 */
export function reveal(model, table) {
  const dealt = table.feed.find((line) => line.kind === "dealt");
  if (!dealt || table.pretend) return null;
  const left = COVERED - dealt.ageMs;
  if (left <= 0) return null;
  return h("tt-reveal", { key: "reveal", class: "reveal", role: "timer", "aria-label": t("reveal.name"), until: Math.round(model.at + left), own: true });
}
