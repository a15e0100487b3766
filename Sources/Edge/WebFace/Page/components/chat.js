// What people at the table say. It is read out while it is open, and never moves what is under the finger.

import { h } from "../app/dom.js";
import { t } from "../app/text.js";
import { fullName, typed } from "./parts.js";

/** Characters of a line; the node counts too. */
const MOST = 200;

/**
 * @param {import("../types").Model} model
 * @param {import("../types").Table} table
 * @returns {import("../types").Child}
 */
export function chat({ actions }, table) {
  if (!table.maySay && table.chat.length === 0) return null;
  const say = async (/** @type {SubmitEvent} */ event) => {
    event.preventDefault();
    const form = /** @type {HTMLFormElement} */ (event.target);
    const text = String(new FormData(form).get("text") ?? "").trim();
    if (text === "") return;
    const answer = await actions.act("say", { table: table.id, text });
    if (answer.ok) form.reset();
  };
  return h("details", { key: "chat", class: "card chat" },
    h("summary", null, t("chat.title", { n: table.chat.length })),
    h("div", { class: "stack" },
      h("div", { class: "chat-log", role: "log", "aria-label": t("chat.log"), tabindex: "0" },
        h("ol", null, table.chat.map((line) => h("li", { key: line.index },
          h("strong", null, typed(who(table, line))), " ", typed(line.text))))),
      table.chat.length === 0 ? h("p", { class: "quiet" }, t("chat.empty")) : null,
      table.maySay ? h("form", { key: "say", class: "joined", on: { submit: say } },
        h("div", { class: "field" }, h("label", { for: "say" }, t("chat.label")),
          h("input", { id: "say", name: "text", autocomplete: "off", maxlength: MOST, dir: "auto" })),
        h("button", { class: "button", type: "submit" }, t("chat.send"))) : null));
}

/** @param {import("../types").Table} table @param {import("../types").ChatLine} line */
function who(table, line) {
  const seat = table.seats.find((one) => one.key === line.key);
  return seat ? fullName(seat) : t("people.somebody");
}
