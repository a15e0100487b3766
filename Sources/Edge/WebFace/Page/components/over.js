// What every result says: the rematch, that all laptops show the same, and how the draw was made.

import { h } from "../app/dom.js";
import { t, tx } from "../app/text.js";
import { card, icon, joined, playerNames, sign } from "./parts.js";

/**
 * @param {import("../types").Model} model
 * @param {import("../types").Table} table
 * @param {import("../types").Result} found
 */
export function rematch({ actions }, table, found) {
  if (!table.seats.some((seat) => seat.me)) return null;
  const asked = found.rematch.mine;
  return h("button", {
    key: "rematch", class: "button primary big", type: "button", "aria-disabled": asked ? "true" : null,
    on: { click: () => { if (!asked) void actions.act("rematch", { table: table.id }); } },
  }, icon(asked ? "wait" : "turn"), asked ? t("rematch.waiting") : t("rematch.go"));
}

/**
 * Who wants a rematch, until its table is there: then that is said, and read out.
 * @param {import("../types").Table} table
 * @param {import("../types").Result} found
 */
export function asked(table, found) {
  if (table.successor) return null;
  const others = found.rematch.asked.filter((player) => !table.seats.some((seat) => seat.me && seat.player === player));
  return h("p", { class: "quiet asked" }, others.length > 0
    ? tx("rematch.asked", { who: joined(playerNames(table, others)), n: others.length }) : found.rematch.mine ? t("rematch.wait") : null);
}

/** @param {import("../types").Result} found */
export function same({ same: { agreeing, of } }) {
  return h("p", { class: "signs", role: "group", "aria-label": t("agree.name") }, agreeing >= of
    ? sign("good", "tick", t("result.same", { agreeing, n: of }))
    : sign("away", "wait", t("result.same", { agreeing, n: of })));
}

/**
 * @param {import("../types").Table} table
 * @param {import("../types").Result} found
 * @param {string} [text] what came from the draw
 */
export function receipt(table, found, text = "receipt.text") {
  const paper = found.receipt;
  if (!paper) return null;
  return card("receipt", t("receipt.title"), "", h("div", { class: "stack" },
    paper.checked ? sign("good", "tick", t("receipt.checked")) : sign("wait", "alert", t("receipt.unchecked")),
    h("p", null, tx(text, { who: joined(playerNames(table, paper.people)), n: paper.people.length })),
    paper.silent.length > 0 ? h("p", { class: "quiet" },
      tx("receipt.silent", { who: joined(playerNames(table, paper.silent)), n: paper.silent.length })) : null,
    h("details", null, h("summary", null, t("receipt.details")),
      h("p", { class: "quiet" }, t("receipt.draw"), " ", h("code", null, paper.draw), h("br"),
        paper.size === null || paper.pool === null || paper.words === null ? null
          : t("receipt.pool", { size: paper.size, pool: paper.pool, words: paper.words })))));
}
