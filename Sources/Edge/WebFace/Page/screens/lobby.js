// Before the game: who sits here, what is agreed on, and why Start is not possible yet.

import { h } from "../app/dom.js";
import { inWords, t, tx } from "../app/text.js";
import { face } from "../components/face.js";
import { appointment } from "../components/appointment.js";
import { askNearby } from "../components/invites.js";
import { ownMask } from "../components/masks.js";
import { copyInvitation, fullName, icon, joined, sign, typed, witnesses } from "../components/parts.js";

/** Chairs drawn at least, where the table has room for so many. */
const CHAIRS = 6;

/**
 * @param {import("../types").Model} model
 * @param {import("../types").Table} table
 * @param {import("../games/games.js").GamePage} game
 * @returns {import("../types").Child}
 */
export function lobbyScreen(model, table, game) {
  return h("div", { class: "lobby", key: "lobby" },
    h("h1", null, t("lobby.title")),
    around(model, table),
    go(model, table),
    game.lobby(model, table),
    h("section", { key: "rules", class: "card", "aria-labelledby": "rules" },
      h("h2", { id: "rules" }, t(game.titles.rules)), game.settings(model, table)));
}

/**
 * @param {import("../types").Model} model
 * @param {import("../types").Table} table
 */
function around(model, table) {
  const { actions } = model;
  const seats = table.seats.filter((seat) => seat.presence !== "left");
  const me = seats.find((seat) => seat.me);
  const others = seats.filter((seat) => !seat.me);
  const free = Math.max(0, Math.min(table.seatLimit, CHAIRS) - seats.length);
  const places = [...others.map(seatView), ...Array.from({ length: free }, (_, index) => chair(index))];
  const above = Math.ceil((places.length + 1) / 2);
  const lower = places.slice(above);
  if (me) lower.splice(Math.floor(lower.length / 2), 0, seatView(me));
  /** @param {"leave" | "cancel"} dialog @param {string} text */
  const away = (dialog, text) => h("button", {
    key: dialog, class: "button plain", type: "button", on: { click: () => actions.set({ dialog }) },
  }, text);
  return h("section", { key: "who", class: "card", "aria-labelledby": "who" },
    h("div", { class: "card-head" }, h("h2", { id: "who" }, t("lobby.who")),
      h("span", { class: "quiet" }, t("home.seats", { n: seats.length, of: table.seatLimit }))),
    h("ul", { class: "round" }, places.slice(0, above),
      h("li", { key: "top", class: "top" },
        table.pretend ? h("strong", { class: "slab" }, t("table.pretend")) : [
          // The code of a private table leads nowhere without the rest of the invitation.
          table.private ? sign("wait", "lock", t("lobby.private")) : [
            h("span", { class: "quiet" }, t("lobby.code")),
            h("strong", { class: "code" }, h("span", { "aria-hidden": "true" }, table.code),
              h("span", { class: "unseen" }, [...table.code].join(" "))),
          ],
          copyInvitation(model, table.invitation, table.private),
        ]),
      lower),
    me ? h("p", { key: "me", class: nextStep(table) === "ready" ? "row due" : "row" },
      h("button", {
        class: table.ready ? "button" : "button primary", type: "button", "aria-pressed": String(table.ready),
        on: { click: () => void actions.act("ready", { table: table.id, ready: !table.ready }) },
      }, icon(table.ready ? "tick" : "chair"), t("lobby.ready")),
      table.mine && others.every((seat) => seat.pretend) ? null : away("leave", t("lobby.leave")),
      table.mine ? away("cancel", t("lobby.cancel")) : null)
      : h("p", { key: "me", class: "quiet" }, t("onlooker.title"), ". ", t("onlooker.lobby")),
    ownMask(table),
    appointment(model, table),
    askNearby(model, table),
    witnesses(table),
    inviting(model, table),
    table.promise ? h("p", { key: "promise", class: "quiet note-under" }, inWords(table.promise)) : null);
}

/**
 * What is to be done next here, which stays in view on a narrow screen.
 * @param {import("../types").Table} table
 */
function nextStep(table) {
  if (!table.ready) return "ready";
  return table.mine && table.start.possible ? "start" : null;
}

/**
 * With two or three at a table, others nearby may help to agree.
 * @param {import("../types").Model} model
 * @param {import("../types").Table} table
 */
function inviting({ actions }, table) {
  const { inviting: now } = table;
  if (!now?.possible) return null;
  return h("div", { key: "inviting", class: "stack" },
    h("p", { class: "row" }, h("button", {
      class: "button", type: "button", "aria-describedby": "invite-said",
      on: { click: () => void actions.act("inviteWitness", { table: table.id }) },
    }, icon("plus"), t("witness.invite"))),
    h("p", { id: "invite-said", class: "quiet", role: "status" }, t("witness.inviteText"),
      now.asked.length > 0 ? [" ", tx("witness.asked", { who: joined(now.asked), n: now.asked.length })] : null,
      now.refused.length > 0 ? [" ", tx("witness.refused", { who: joined(now.refused), n: now.refused.length })] : null));
}

/** @param {import("../types").Seat} seat */
function seatView(seat) {
  const away = seat.presence === "away";
  return h("li", { key: seat.player, class: "seat" },
    face(seat.key, "l", away),
    h("strong", null, typed(fullName(seat)), seat.me ? ` ${t("people.meMark")}` : null),
    away ? sign("away", "moon", t("people.away"))
      : seat.ready ? sign("good", "tick", t("lobby.isReady")) : sign("away", "wait", t("lobby.notReady")),
    seat.pretend ? h("span", { class: "quiet" }, t("people.pretend")) : null);
}

/** @param {number} index */
function chair(index) {
  return h("li", { key: `free-${index}`, class: "seat" }, h("span", { class: "chair" }, icon("chair")),
    h("span", { class: "quiet" }, t("lobby.free")));
}

/**
 * @param {import("../types").Model} model
 * @param {import("../types").Table} table
 */
function go({ actions, state }, table) {
  const { start } = table;
  // Who played the round before sees at its result that there is another one.
  const before = state.tables.find((one) => one.successor?.id === table.id);
  const asked = (before?.seats ?? []).filter((seat) => seat.presence !== "left" && !table.seats.some((one) => one.key === seat.key));
  const late = table.seats.filter((seat) => !seat.ready && !seat.me && seat.presence !== "left");
  const host = table.seats.find((seat) => seat.creator);
  const hint = !start.possible
    ? asked.length > 0 ? tx("lobby.askedAgain", { who: joined(asked.map(fullName)), n: asked.length }) : null
    : late.length === 0 ? t("lobby.allReady")
      : tx(table.mine ? "lobby.late" : "lobby.lateGuest", { who: joined(late.map(fullName)), n: late.length });
  return h("section", { key: "go", class: nextStep(table) === "start" ? "card go due" : "card go", "aria-label": t("lobby.startName") },
    h("p", { id: "why", class: "grow", role: "status" },
      h("strong", null, start.possible ? t("lobby.possible") : inWords(start.message ?? "")),
      hint === null ? null : h("span", { class: "quiet" }, hint)),
    table.mine ? h("button", {
      class: "button primary big", type: "button", "aria-disabled": start.possible ? null : "true", "aria-describedby": "why",
      on: { click: () => { if (start.possible) void actions.act("start", { table: table.id }); } },
    }, t("start.go"))
      : h("p", { class: "quiet" }, icon("wait"), tx("lobby.hostStarts", { who: typed(host?.name ?? "") })));
}
