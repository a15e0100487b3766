// Home: who is here, where one can sit down, and what to do when nobody else has come yet.

import { joinBy } from "../app/join.js";
import { h } from "../app/dom.js";
import { inWords, t } from "../app/text.js";
import { comparing } from "../components/compare.js";
import { face } from "../components/face.js";
import { card, copyInvitation, fullName, hostName, icon, sign, typed } from "../components/parts.js";
import { newTableButton } from "../components/new-table-button.js";
import { placeAndStart } from "../components/appointment.js";
import { givenCard } from "../components/given.js";
import { invitesCard } from "../components/invites.js";
import { absent } from "../components/star.js";
import { demoTile } from "../games/bingo/home.js";
import { games } from "../games/games.js";
import { people } from "./people.js";

/** Two colleagues who exist only on this laptop. At the table their faces come from keys, here from their names. */
const PRETEND = ["Kim", "Pat"];

/**
 * @param {import("../types").Model} model
 * @returns {import("../types").Child}
 */
export function homeScreen(model) {
  const { state } = model;
  const here = state.people.filter((person) => person.presence !== "away");
  const alone = here.length === 0 && state.invites.length === 0 && state.otherVersions.length === 0 && state.openTables.length === 0 && state.myTables.length === 0;
  return alone ? aloneScreen(model) : h("div", { class: "home", key: "home" },
    h("h1", null, t("home.hello"), " ", typed(state.me.name ?? "")),
    warning(model),
    h("div", { class: "home-col", key: "main" },
      invitesCard(model),
      givenCard(model),
      // Whoever was told to come looks for the table, and is not to set another one.
      myTables(model),
      openTables(model),
      watched(model),
      Object.values(games).map((game, index) => game?.hero(model, index === 0))),
    h("div", { class: "home-col", key: "side" },
      joinBox(model),
      people(model, somebody()),
      tryCard(model, false)),
    comparing(model));
}

/** @param {import("../types").Model} model */
function aloneScreen(model) {
  const { state } = model;
  return h("div", { class: "home alone", key: "alone" },
    h("h1", null, t("alone.title")),
    warning(model),
    h("div", { class: "home-col", key: "ask" },
      card("ask", t("alone.ask"), "", h("div", { class: "stack" },
        h("p", null, state.invitation ? t("alone.paste") : t("alone.noLine")),
        state.invitation ? h("code", { class: "invite" }, state.invitation) : null,
        h("p", { class: "row" },
          state.invitation ? copyInvitation(model, state.invitation, true) : null,
          somebody()),
        h("p", { class: "sign away" }, icon("wait"), h("span", null, t("alone.listening"))))),
      joinBox(model),
      state.favourites.length > 0 ? card("favourites", t("people.favourites"), "", h("ul", { class: "list" }, absent(model))) : null),
    h("div", { class: "home-col", key: "try" },
      tryCard(model, true),
      card("ahead", t("alone.ahead"), "", h("div", { class: "stack" },
        h("p", null, t("alone.aheadText")),
        h("p", { class: "row" }, Object.keys(games).map((game) => newTableButton(model, game, "button", games[game]?.titles.new ?? "app.name")))))));
}

/** @param {import("../types").Model} model */
function warning({ state }) {
  const found = state.network.warning;
  return found ? h("section", { key: "warning", class: "card warn", role: "status", "aria-label": t("network.title") },
    icon("alert"), h("p", null, inWords(found.message), " ", h("a", { href: "#network" }, t("home.openNetwork")))) : null;
}

/** Leads to what the network looks like from here. */
function somebody() {
  return h("a", { class: "link", href: "#network" }, t("home.somebody"));
}

/** @param {import("../types").Model} model */
function myTables({ state, actions }) {
  if (state.myTables.length === 0) return null;
  return card("my", t("home.my"), "", h("ul", { class: "list" }, state.myTables.map((table) => {
    const ended = table.phase === "over" || table.phase === "cancelled" || table.phase === "refused";
    const host = state.tables.find((one) => one.id === table.id)?.creatorKey;
    return h("li", { key: table.id },
      host ? face(host) : null,
      h("p", { class: "grow" }, h("strong", null, typed(table.title)), mySign(table),
        table.phase === "lobby" ? placeAndStart({ place: null, startsAt: table.startsAt }) : null),
      h("a", { class: "button", href: `#table/${table.id}` },
        table.phase === "over" ? t("home.look") : t("home.back"), h("span", { class: "unseen" }, " ", table.title)),
      ended ? h("button", {
        class: "icon-button", type: "button", on: { click: () => void actions.act("putAway", { table: table.id }) },
      }, icon("cross"), h("span", { class: "unseen" }, t("home.putAway", { title: table.title }))) : null);
  })));
}

/**
 * Games of others that this laptop helps to agree on, and that hide nothing.
 * @param {import("../types").Model} model
 */
function watched({ state }) {
  const tables = state.tables.filter((table) => state.witnessing.watched.includes(table.id));
  if (tables.length === 0) return null;
  return card("watch", t("watch.title"), "", h("ul", { class: "list" }, tables.map((table) => h("li", { key: table.id },
    face(table.creatorKey),
    h("p", { class: "grow" }, h("strong", null, typed(table.title)),
      h("span", { class: "quiet" }, table.seats.map((seat, index) => [index > 0 ? ", " : null, typed(fullName(seat))]))),
    h("a", { class: "button", href: `#table/${table.id}` }, t("watch.go"), h("span", { class: "unseen" }, " ", table.title))))));
}

/** @param {import("../types").MyTable} table */
function mySign(table) {
  /** @type {Record<string, ["good" | "wait" | "away", string]>} */
  const looks = {
    vote: ["wait", "wait"], decided: ["good", "tick"], away: ["away", "moon"], oneAway: ["wait", "flag"],
    turn: ["wait", "flag"], asked: ["wait", "wait"], bingo: ["good", "tick"], waiting: ["wait", "wait"],
  };
  if (table.sign) {
    const [tone, shape] = looks[table.sign.kind] ?? ["away", "dot"];
    return sign(tone, shape, inWords(table.sign.text));
  }
  return h("span", { class: "quiet" }, t("home.hosted", { who: hostName(table) }));
}

/** @param {import("../types").Model} model */
function openTables({ state, ui, actions }) {
  const wish = ui.search.trim().toLowerCase();
  const places = [...new Set(state.openTables.flatMap((table) => table.place ?? []))].sort();
  const place = places.includes(ui.place ?? "") ? ui.place : null;
  const shown = state.openTables.filter((table) => (place === null || table.place === place) && (
    wish === "" || `${table.title} ${hostName(table)} ${table.code}`.toLowerCase().includes(wish)));
  return h("section", { key: "open", class: "card", "aria-labelledby": "open" },
    h("div", { class: "card-head" }, h("h2", { id: "open" }, t("home.open")),
      h("span", { class: "quiet", role: wish || place ? "status" : null }, wish || place
        ? t("home.found", { n: shown.length, of: state.openTables.length })
        : state.openTables.length > 0 ? t("home.nearby", { n: state.openTables.length }) : null)),
    state.openTables.length > 1 || wish ? h("div", { class: "field search", key: "search" },
      h("label", { for: "search", class: "unseen" }, t("home.search")),
      h("input", {
        id: "search", type: "search", value: ui.search, placeholder: t("home.searchHint"), autocomplete: "off", dir: "auto",
        on: {
          input: (/** @type {Event} */ event) =>
            actions.set({ search: /** @type {HTMLInputElement} */ (event.target).value }),
        },
      })) : null,
    places.length > 0 ? h("div", { class: "field", key: "place" }, h("label", { for: "place-filter" }, t("place.filter")),
      h("select", {
        id: "place-filter", value: place ?? "",
        on: { change: (/** @type {Event} */ event) => actions.set({ place: /** @type {HTMLSelectElement} */ (event.target).value || null }) },
      }, h("option", { key: "all", value: "", selected: place === null }, t("place.everywhere")),
        places.map((one) => h("option", { key: one, value: one, selected: one === place }, one)))) : null,
    state.openTables.length === 0 ? h("p", { class: "quiet" }, t("home.noTables")) : null,
    state.openTables.length > 0 && shown.length === 0 ? h("p", { class: "quiet" }, t("home.noMatch")) : null,
    h("ul", { class: "list" }, shown.map((table) => openTable(table, actions))));
}

/**
 * @param {import("../types").OpenTable} table
 * @param {import("../types").Actions} actions
 */
function openTable(table, actions) {
  const full = !table.open;
  const go = async (/** @type {"joinTable" | "watch"} */ kind) => {
    const answer = await actions.act(kind, { table: table.id });
    if (answer.ok) actions.go(`table/${answer.table ?? table.id}`);
  };
  const join = () => void go("joinTable");
  return h("li", { key: table.id },
    face(table.hostKey),
    h("p", { class: "grow" }, h("strong", null, typed(table.title)),
      h("span", { class: "quiet" }, games[table.game]?.openText(table) ?? t("home.otherGame"), " ", typed(hostName(table))),
      placeAndStart(table),
      table.playing ? sign("away", "wait", t("latecomer.playing")) : null),
    h("p", { class: "quiet" }, chairs(table.players, table.seats), t("home.seats", { n: table.players, of: table.seats })),
    table.joined
      ? h("a", { class: "button", href: `#table/${table.id}` }, t("home.back"), h("span", { class: "unseen" }, " ", table.title))
      : h("button", { class: "button", type: "button", "aria-disabled": full ? "true" : null, on: { click: full ? () => {} : join } },
        full ? t("home.full") : t(table.playing ? "latecomer.join" : "home.join"), h("span", { class: "unseen" }, " ", table.title)),
    table.watchable && !table.joined ? h("button", { key: "watch", class: "button plain", type: "button", on: { click: () => void go("watch") } },
      t("latecomer.watch"), h("span", { class: "unseen" }, " ", table.title)) : null);
}

/**
 * One small chair a seat, as long as they are few.
 * @param {number} taken
 * @param {number} all
 */
function chairs(taken, all) {
  if (all > 8) return null;
  return h("span", { class: "chairs", "aria-hidden": "true" },
    Array.from({ length: all }, (_, index) => h("i", { class: index < taken ? "on" : null })));
}

/** @param {import("../types").Model} model */
function joinBox({ ui, actions }) {
  const submit = async (/** @type {SubmitEvent} */ event) => {
    event.preventDefault();
    const form = /** @type {HTMLFormElement} */ (event.target);
    const invitation = String(new FormData(form).get("code") ?? "").trim();
    if (await joinBy(actions, invitation)) form.reset();
  };
  return card("join", t("join.title"), "",
    h("form", { class: "joined", novalidate: true, on: { submit } },
      h("div", { class: "field" }, h("label", { for: "code" }, t("join.label")),
        h("input", {
          id: "code", name: "code", placeholder: "48213", autocomplete: "off", spellcheck: "false", autocapitalize: "off",
          "aria-describedby": "join-said", "aria-invalid": ui.joinRefused ? "true" : null,
        })),
      h("button", { class: "button", type: "submit" }, t("home.join"))),
    h("p", { id: "join-said", class: "said", role: "status" },
      ui.joinRefused ? sign("wait", "alert", ui.joinRefused)
        : ui.joining ? sign("away", "wait", t("join.looking"), " ", typed(ui.joining)) : null));
}

/**
 * @param {import("../types").Model} model
 * @param {boolean} big
 */
function tryCard({ actions }, big) {
  const start = async () => {
    const answer = await actions.act("tryItNow");
    if (answer.ok && answer.table) actions.go(`table/${answer.table}`);
  };
  const text = h("div", { class: "stack" },
    h("h2", { id: "try" }, big ? t("try.titleAlone") : t("try.title")),
    h("p", null, t("try.text")),
    h("ul", { class: "row" }, PRETEND.map((name) => h("li", { class: "person" }, face(name),
      h("span", null, h("strong", null, name), h("br"), h("span", { class: "quiet" }, t("people.pretend")))))),
    h("p", null, h("button", { class: big ? "button primary big" : "button", type: "button", on: { click: start } },
      t("try.go"))));
  if (!big) return h("section", { key: "try", class: "card", "aria-labelledby": "try" }, text);
  return h("section", { key: "try", class: "hero whole", "aria-labelledby": "try" }, h("div", { class: "try" }, text,
    h("div", { class: "mat", "aria-hidden": "true" }, h("div", { class: "board n3 demo" },
      h("div", null, demoTile("is-marked", t("demo.hello"), "tick"), demoTile("", t("demo.slide"), ""),
        demoTile("", t("demo.mute2"), "")),
      h("div", null, demoTile("", t("demo.win"), ""), demoTile("is-marked", t("demo.agenda"), "tick"),
        demoTile("is-confirmed", t("demo.nice"), "dot")),
      h("div", null, demoTile("", t("demo.coffee"), ""), demoTile("", t("demo.great"), ""),
        demoTile("is-one-away", t("demo.thanks"), "flag"))))));
}
