// Words that were suggested and wait for half of the table, or for the person who made it.

import { h } from "../../app/dom.js";
import { plain, t, tx } from "../../app/text.js";
import { icon, typed } from "../../components/parts.js";

/**
 * @param {import("../../types").Model} model
 * @param {import("../../types").Table} table
 * @returns {import("../../types").Child}
 */
export function proposals(model, table) {
  const waiting = table.words.proposals;
  if (waiting.length === 0) return null;
  return h("div", { key: "proposals", role: "group", "aria-labelledby": "proposals" },
    h("h3", { id: "proposals" }, t("wanted.title")),
    h("ul", { class: "list" }, waiting.map((one) => proposalView(model, table, one))));
}

/**
 * @param {import("../../types").Model} model
 * @param {import("../../types").Table} table
 * @param {import("../../types").Proposal} one
 */
function proposalView({ actions }, table, one) {
  const isCreators = table.settings.suggesting === "creator";
  const host = table.seats.find((seat) => seat.creator)?.name ?? "";
  const word = plain(one.text);
  const act = (/** @type {string} */ kind) => () => void actions.act(kind, { table: table.id, word: one.text });
  return h("li", { key: one.text },
    h("p", { class: "grow" }, h("strong", null, typed(one.text)),
      h("span", { class: "quiet" }, isCreators ? tx("wanted.creator", { who: typed(host) })
        : t("wanted.count", { have: one.wanted, need: one.needed }))),
    one.mayWant ? h("button", { key: "want", class: "button", type: "button", on: { click: act("want") } },
      icon("tick"), h("span", { "aria-hidden": "true" }, t(isCreators ? "wanted.take" : "wanted.want")),
      h("span", { class: "unseen" }, t(isCreators ? "wanted.takeName" : "wanted.wantName", { word }))) : null,
    one.mayDrop ? h("button", { key: "drop", class: "icon-button", type: "button", on: { click: act("veto") } },
      icon("cross"), h("span", { class: "unseen" }, t(one.mine ? "wanted.back" : "wanted.drop", { word }))) : null);
}
