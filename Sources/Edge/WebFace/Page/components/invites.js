// Asking people nearby to a table, and being asked.

import { h } from "../app/dom.js";
import { t, tx } from "../app/text.js";
import { games } from "../games/games.js";
import { placeAndStart } from "./appointment.js";
import { face } from "./face.js";
import { card, fullName, icon, sign, typed } from "./parts.js";

/**
 * Tables that others have asked me to.
 * @param {import("../types").Model} model
 */
export function invitesCard({ state, actions }) {
  if (state.invites.length === 0) return null;
  return card("asked", t("asked.title"), "", h("ul", { class: "list" }, state.invites.map((invite) => {
    const taken = invite.conflict !== null;
    const accept = async () => {
      const answer = await actions.act("acceptInvite", { table: invite.table });
      if (answer.ok) actions.go(`table/${answer.table ?? invite.table}`);
    };
    const why = `taken-${invite.table.slice(0, 12)}`;
    return h("li", { key: invite.table },
      face(invite.fromKey),
      h("div", { class: "grow" },
        h("p", null, h("strong", null, typed(invite.title))),
        h("p", { class: "quiet" }, tx("asked.by", { who: typed(invite.fromName) }), " ", placeAndStart(invite)),
        taken ? h("p", { id: why }, sign("wait", "alert", tx("asked.taken", { title: typed(invite.conflict ?? "") }))) : null),
      h("button", {
        class: "button primary", type: "button", "aria-disabled": taken ? "true" : null, "aria-describedby": taken ? why : null,
        on: { click: taken ? () => {} : () => void accept() },
      }, t("asked.accept"), h("span", { class: "unseen" }, " ", invite.title)),
      h("button", {
        class: "button", type: "button", on: { click: () => void actions.act("declineInvite", { table: invite.table }) },
      }, t("asked.decline"), h("span", { class: "unseen" }, " ", invite.title)));
  })));
}

/**
 * People nearby who do not sit at a table yet, to be asked to it.
 * @param {import("../types").Model} model
 * @param {import("../types").Table} table
 */
export function askNearby({ state, actions }, table) {
  if (table.pretend || !games[table.game]) return null;
  const people = state.people.filter((person) =>
    person.presence !== "away" && !table.seats.some((seat) => seat.key === person.key && seat.presence !== "left"));
  if (people.length === 0) return null;
  return h("details", { key: "nearby", class: "ask-nearby" }, h("summary", null, t("asked.nearby", { n: people.length })),
    h("ul", { class: "list" }, people.map((person) => {
      const row = table.asked.find((one) => one.key === person.key);
      const ask = () => void actions.act("invite", { table: table.id, person: person.key });
      return h("li", { key: person.key },
        face(person.key, "s"),
        h("p", { class: "grow" }, h("strong", null, typed(fullName(person))), " ",
          !row ? null : row.declined ? sign("away", "cross", t("asked.declined")) : sign("wait", "wait", t("asked.waits"))),
        h("button", { class: "button", type: "button", on: { click: ask } },
          icon("plus"), t(row ? "asked.again" : "asked.go"), h("span", { class: "unseen" }, " ", fullName(person))));
    })));
}
