// Anonymous tables: people under names of that table alone, until they show who they were.

import { h } from "../app/dom.js";
import { t, tx } from "../app/text.js";
import { choice, fullName, icon, typed } from "./parts.js";

/**
 * @param {boolean} isAnonymous
 * @param {(isAnonymous: boolean) => void} set
 */
export function whoIsNamed(isAnonymous, set) {
  return [
    choice({
      name: "named", legend: t("masks.legend"), value: isAnonymous, pick: set,
      options: [{ value: false, text: t("masks.off") }, { value: true, text: t("masks.on") }],
    }),
    isAnonymous ? h("p", { class: "quiet", key: "named-text" }, t("masks.text")) : null,
  ];
}

/**
 * Who I am at such a table, and what that is worth.
 * @param {import("../types").Table} table
 */
export function ownMask(table) {
  const me = table.seats.find((seat) => seat.me);
  if (!table.anonymous || !me) return null;
  return h("p", { key: "mask", class: "note-under" }, tx("masks.you", { name: h("strong", null, typed(fullName(me))) }), " ",
    h("span", { class: "quiet" }, t("masks.worth")));
}

/**
 * After the game: who has shown who he was, and a button to do so.
 * @param {import("../types").Model} model
 * @param {import("../types").Table} table
 */
export function unmasking({ actions }, table) {
  if (!table.anonymous) return null;
  const shown = table.seats.filter((seat) => seat.shown !== null);
  const me = table.seats.find((seat) => seat.me);
  return h("div", { key: "masks", class: "stack" },
    shown.length > 0 ? h("ul", { class: "list", "aria-label": t("masks.shown") }, shown.map((seat) => h("li", { key: seat.player },
      h("p", null, tx("masks.was", {
        mask: typed(fullName(seat)), name: h("strong", null, typed(`${seat.shown?.name ?? ""}·${seat.shown?.tag ?? ""}`)),
      }))))) : null,
    me && me.shown === null ? h("p", { key: "show" }, h("button", {
      class: "button", type: "button", on: { click: () => void actions.act("showMe", { table: table.id }) },
    }, icon("here"), h("span", null, t("masks.show"))), " ", h("span", { class: "quiet" }, t("masks.forGood"))) : null);
}
