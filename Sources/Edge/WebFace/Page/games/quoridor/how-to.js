// How Quoridor goes, with the rules of this table, in a few sentences.

import { h } from "../../app/dom.js";
import { t } from "../../app/text.js";
import { icon } from "../../components/parts.js";
import { rulesText } from "./settings.js";

/**
 * @param {import("../../types").Model} _model
 * @param {import("../../types").Table} table
 * @returns {import("../../types").Child}
 */
export function howTo(_model, table) {
  return h("ul", { class: "stack how-to" }, [
    t("duel.howAim"), t("duel.howTurn"), t("duel.howJump"), t("duel.howWall"), rulesText(table), t("duel.howTouch"), t("duel.howKeys"),
    t("duel.howWords"),
  ].map((text, index) => h("li", { key: index }, icon("dot"), h("p", null, text))));
}
