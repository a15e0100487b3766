// Seconds that count down by themselves between two states. They only show: every deadline runs in the node.

import { h } from "../app/dom.js";

/** @type {Set<Countdown>} */
const running = new Set();
/** @type {ReturnType<typeof setInterval> | undefined} */
let ticker;

/** `<tt-seconds until="...">`: whole seconds left until a moment of `performance.now()`. */
class Countdown extends HTMLElement {
  static observedAttributes = ["until", "of"];

  #shown = "";

  connectedCallback() {
    running.add(this);
    ticker ??= setInterval(() => { for (const one of running) one.show(); }, 200);
    this.show();
  }

  disconnectedCallback() {
    running.delete(this);
    if (running.size > 0) return;
    clearInterval(ticker);
    ticker = undefined;
  }

  attributeChangedCallback() {
    this.show();
  }

  /** @returns {void} */
  show() {
    const left = Math.max(0, Number(this.getAttribute("until")) - performance.now());
    const text = String(Math.ceil(left / 1000));
    if (this.#shown !== text) this.textContent = this.#shown = text;
    const of = Number(this.getAttribute("of"));
    if (of > 0) {
      const host = this.closest(".ring");
      if (host instanceof HTMLElement) host.style.setProperty("--left", (left / of).toFixed(3));
    }
  }
}
customElements.define("tt-seconds", Countdown);

/** `<tt-drain until="..." of="...">`: a bar that gets shorter. */
class Drain extends Countdown {
  show() {
    const left = Math.max(0, Number(this.getAttribute("until")) - performance.now());
    this.style.setProperty("--left", (left / Number(this.getAttribute("of") ?? 1)).toFixed(3));
  }
}
customElements.define("tt-drain", Drain);

/**
 * @param {import("../types").Model} model
 * @param {number} leftMs
 * @param {number} ofMs
 * @returns {import("../types").View}
 */
export function drain(model, leftMs, ofMs) {
  return h("tt-drain", {
    class: "drain", until: Math.round(model.at + leftMs), of: ofMs, own: true, "aria-hidden": "true",
  });
}

/**
 * Seconds left of a duration that the state named.
 * @param {import("../types").Model} model
 * @param {number | null} leftMs
 * @returns {import("../types").View}
 */
export function seconds(model, leftMs) {
  return h("tt-seconds", { until: Math.round(model.at + (leftMs ?? 0)), own: true });
}

/**
 * A ring that empties, with the seconds in it.
 * @param {import("../types").Model} model
 * @param {number} leftMs
 * @param {number} ofMs
 * @param {string} label
 * @returns {import("../types").View}
 */
export function ring(model, leftMs, ofMs, label) {
  return h("span", { class: "ring", role: "timer", "aria-label": label },
    h("svg", { viewBox: "0 0 36 36", "aria-hidden": "true" },
      h("circle", { cx: 18, cy: 18, r: 16 }),
      h("circle", { class: "run", cx: 18, cy: 18, r: 16, pathLength: 100 })),
    h("tt-seconds", { until: Math.round(model.at + leftMs), of: ofMs, own: true }));
}
