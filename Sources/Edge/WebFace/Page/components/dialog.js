// A question that wants an answer before anything else. Escape, and a click beside it, mean no.

import { h } from "../app/dom.js";

/** `<tt-ask>` around one `<dialog>`: opens it as soon as it is there and tells when it was closed. */
class Ask extends HTMLElement {
  #opener = document.activeElement;

  connectedCallback() {
    // The view puts the dialog in after this element: wait for it.
    queueMicrotask(() => {
      const dialog = this.querySelector("dialog");
      if (!dialog || dialog.open || !this.isConnected) return;
      dialog.addEventListener("close", () => this.dispatchEvent(new CustomEvent("closed")));
      dialog.addEventListener("click", (event) => { if (event.target === dialog) dialog.close(); });
      dialog.showModal();
    });
  }

  disconnectedCallback() {
    if (this.#opener instanceof HTMLElement && this.#opener.isConnected) this.#opener.focus();
  }
}
customElements.define("tt-ask", Ask);

/**
 * @param {{ title: string, onClosed: () => void, describedBy?: string }} frame
 * @param {...import("../types").Child} content
 * @returns {import("../types").View}
 */
function box({ title, onClosed, describedBy }, ...content) {
  return h("tt-ask", { key: "ask", on: { closed: onClosed } },
    h("dialog", { class: "ask-box", "aria-labelledby": "ask-title", "aria-describedby": describedBy },
      h("h2", { id: "ask-title" }, title), ...content));
}

/**
 * @param {string} text
 * @param {() => void} click
 * @param {boolean} [primary]
 */
function button(text, click, primary = false) {
  return h("button", { class: primary ? "button primary" : "button", type: "button", on: { click } }, text);
}

/**
 * Something to look at, with one way out.
 * @param {{ title: string, done: string, onDone: () => void }} frame
 * @param {...import("../types").Child} content
 * @returns {import("../types").View}
 */
export function show({ title, done, onDone }, ...content) {
  return box({ title, onClosed: onDone }, ...content, h("div", { class: "row" }, button(done, onDone, true)));
}

/**
 * @param {{ title: string, text: string, yes: string, no: string, onYes: () => void, onNo: () => void }} question
 * @returns {import("../types").View}
 */
export function ask({ title, text, yes, no, onYes, onNo }) {
  return box({ title, onClosed: onNo, describedBy: "ask-text" },
    h("p", { id: "ask-text" }, text),
    h("div", { class: "row" }, button(no, onNo, true), button(yes, onYes)));
}
