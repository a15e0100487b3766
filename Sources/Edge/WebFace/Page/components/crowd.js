// Who runs the table, who looks on, who was taken off; and for whoever runs it what can be done about it.

import { h } from "../app/dom.js";
import { plain, t, tx } from "../app/text.js";
import { fullName, icon, joined, sign, typed } from "./parts.js";

/**
 * @param {import("../types").Model} model
 * @param {import("../types").Table} table
 * @returns {import("../types").Child}
 */
export function crowd(model, table) {
  if (table.pretend || !["lobby", "starting", "dealing", "playing"].includes(table.phase)) return null;
  const { actions } = model;
  const host = table.seats.find((seat) => seat.runs);
  const n = table.watchers.length;
  const lock = () => void actions.act("lock", { table: table.id, on: !table.locked });
  return h("details", { key: "crowd", class: "card" },
    h("summary", null, n > 0 ? t("crowd.summary", { n }) : t("crowd.title")),
    h("div", { class: "stack" },
      h("p", null, table.mayRun ? t("crowd.runsMe") : host ? tx("crowd.runs", { who: typed(fullName(host)) }) : null),
      table.locked ? h("p", { key: "locked" }, sign("wait", "lock", t("crowd.locked"))) : null,
      table.mayRun ? h("p", { key: "lock" }, h("button", { class: "button", type: "button", on: { click: lock } },
        icon("lock"), t(table.locked ? "crowd.unlock" : "crowd.lock"))) : null,
      h("ul", { class: "list" }, table.seats.filter((seat) => !seat.me && (!seat.left || seat.takenOff))
        .map((seat) => personView(model, table, seat))),
      watchers(model, table)));
}

/**
 * @param {import("../types").Model} model
 * @param {import("../types").Table} table
 * @param {import("../types").Seat} seat
 */
function personView({ state, actions }, table, seat) {
  const who = plain(fullName(seat));
  const isMuted = state.muted.includes(seat.key);
  const runs = () => void actions.act(seat.takenOff ? "letBack" : "takeOff", { table: table.id, player: seat.player });
  const mute = () => void actions.act("mute", { person: seat.key, on: !isMuted });
  return h("li", { key: seat.player },
    h("p", { class: "grow" }, h("strong", null, typed(fullName(seat))),
      seat.takenOff ? sign("away", "door", t("crowd.off")) : seat.late ? sign("away", "wait", t("crowd.late")) : null,
      isMuted ? sign("away", "moon", t("crowd.muted")) : null),
    h("button", { key: "mute", class: "button plain", type: "button", on: { click: mute } },
      h("span", { "aria-hidden": "true" }, t(isMuted ? "crowd.unmute" : "crowd.mute")),
      h("span", { class: "unseen" }, t(isMuted ? "crowd.unmuteName" : "crowd.muteName", { who }))),
    table.mayRun ? h("button", { key: "off", class: "button", type: "button", on: { click: runs } },
      h("span", { "aria-hidden": "true" }, t(seat.takenOff ? "crowd.letBack" : "crowd.takeOff")),
      h("span", { class: "unseen" }, t(seat.takenOff ? "crowd.letBackName" : "crowd.takeOffName", { who }))) : null);
}

/**
 * @param {import("../types").Model} model
 * @param {import("../types").Table} table
 */
function watchers({ actions }, table) {
  if (table.game === "bingo" && table.settings.watching === "nobody") return null;
  const names = table.watchers.map((one) => one.name);
  const line = table.invitation.replace(/^tabletalk join /, "");
  return h("div", { key: "watchers", class: "stack" },
    h("p", { role: "status" }, names.length === 0 ? t("crowd.nobodyWatches")
      : tx("crowd.watchers", { n: names.length, who: joined(names) })),
    table.mayRun ? table.watchers.map((one) => h("p", { key: one.player }, h("button", {
      class: "button", type: "button",
      on: { click: () => void actions.act("takeOff", { table: table.id, player: one.player }) },
    }, t("crowd.takeOffName", { who: plain(one.name) })))) : null,
    table.game === "bingo" && !table.locked ? h("p", { key: "link" }, h("button", {
      class: "button plain", type: "button",
      on: { click: () => void actions.copy(t("crowd.linkText", { line }), t("crowd.linkText", { line }), t("crowd.linkCopied")) },
    }, icon("copy"), t("crowd.link"))) : null);
}
