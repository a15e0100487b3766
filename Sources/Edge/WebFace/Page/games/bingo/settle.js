// The meeting is over before anybody has won: more than half end the game as it stands.

import { h } from "../../app/dom.js";
import { t, tx } from "../../app/text.js";
import { icon, joined, playerNames } from "../../components/parts.js";

/**
 * @param {import("../../types").Model} model
 * @param {import("../../types").Table} table
 * @param {boolean} wish
 */
function ask({ actions }, table, wish) {
  return () => void actions.act("settle", { table: table.id, wish });
}

/**
 * Offered when somebody asks for it, and when the planned time is nearly over.
 * @param {import("../../types").Model} model
 * @param {import("../../types").Table} table
 */
export function settleCard(model, table) {
  const { settling } = table;
  if (table.phase !== "playing" || !settling || (settling.asked.length === 0 && !settling.isDue && !settling.mine)) return null;
  const me = table.seats.find((seat) => seat.me)?.player;
  const others = settling.asked.filter((player) => player !== me);
  const missing = settling.needed - others.length - (settling.mine ? 1 : 0);
  return h("section", { key: "settle", class: "bubble ask", "aria-label": t("settle.name") },
    h("div", { class: "stack" },
      h("p", { role: "status" }, others.length > 0
        ? tx("settle.asked", { who: joined(playerNames(table, others)), n: others.length })
        : t(settling.mine ? "settle.mine" : "settle.due")),
      missing > 0 && (settling.mine || others.length > 0)
        ? h("p", { class: "quiet" }, t("settle.missing", { n: missing })) : null,
      h("div", { class: "row" }, settling.mine
        ? h("button", { key: "no", class: "button", type: "button", on: { click: ask(model, table, false) } },
          icon("undo"), t("settle.takeBack"))
        : h("button", { key: "yes", class: "button", type: "button", on: { click: ask(model, table, true) } },
          icon("flag"), t("settle.go")))));
}

/**
 * Always there, where one looks for it.
 * @param {import("../../types").Model} model
 * @param {import("../../types").Table} table
 */
export function settleButton(model, table) {
  const { settling } = table;
  if (!settling || settling.mine || settling.asked.length > 0 || settling.isDue) return null;
  return h("div", { class: "stack", key: "settle" },
    h("p", { class: "row" }, h("button", { class: "button plain", type: "button", on: { click: ask(model, table, true) } },
      icon("flag"), t("settle.go"))),
    h("p", { class: "quiet" }, t("settle.text")));
}
