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
    t("guide.claim"), t("guide.vote"), t("guide.same"), rulesText(rules), markingText(rules), t("guide.silent"), t("guide.mistake"),
    t("guide.over"), t("guide.keys"),
  ].map((text, index) => h("li", { key: index }, icon("dot"), h("p", null, text))));
}
