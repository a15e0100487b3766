// How bingo goes, with the rules of this table, in a few sentences.

import { h } from "../../app/dom.js";
import { t } from "../../app/text.js";
import { icon } from "../../components/parts.js";
import { markingText, rulesText } from "./settings.js";

/**
 * @param {import("../../types").Model} _model
 * @param {import("../../types").Table} table
 * @returns {import("../../types").Child}
 */
export function howTo(_model, table) {
  const rules = { ...table.settings, voting: table.voting };
  return h("ul", { class: "stack how-to" }, [
    t("howTo.claim"), t("howTo.vote"), t("howTo.same"), rulesText(rules), markingText(rules), t("howTo.silent"), t("howTo.mistake"),
    t("howTo.over"), t("howTo.keys"),
  ].map((text, index) => h("li", { key: index }, icon("dot"), h("p", null, text))));
}

/**
 * Opens it.
 * @param {import("../../types").Model} model
 * @returns {import("../../types").View}
 */
export function howToButton({ actions }) {
  return h("button", {
    key: "how-to", class: "button plain", type: "button", "aria-keyshortcuts": "?", on: { click: () => actions.set({ dialog: "rules" }) },
  }, icon("table"), t("howTo.title"));
}
