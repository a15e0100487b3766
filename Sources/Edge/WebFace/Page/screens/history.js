// Past games on this laptop: which there were, and each of them step by step.

import { h } from "../app/dom.js";
import { inWords, namesText, t } from "../app/text.js";
import { onDay } from "../app/when.js";
import { card, icon, sign, typed } from "../components/parts.js";
import { games } from "../games/games.js";
import { detailsPart } from "./details.js";

/** What is under way at first. */
export const FRESH_PAST = { games: null, over: null, of: null, replay: null, proof: null, isProving: false };

/**
 * @param {import("../types").Model} model
 * @returns {import("../types").Child}
 */
export function historyScreen(model) {
  const { ui, route } = model;
  if (route.past !== null) return one(model, route.past);
  return h("div", { class: "history", key: "history" },
    h("h1", null, t("past.title")),
    ui.past.games === null ? h("p", { class: "lead", role: "status" }, t("past.opening"))
      : ui.past.games.length === 0 ? h("div", { class: "card stack" }, h("p", null, t("past.none")),
        h("p", null, h("a", { class: "button primary", href: "#" }, t("table.home"))))
        : card("games", t("past.games"), "", h("ul", { class: "list" }, ui.past.games.map((game) => h("li", { key: game.id },
          h("p", { class: "grow" }, h("strong", null, typed(game.title)),
            h("span", { class: "quiet" }, onDay(game.endedAt), ", ", namesText(game.people))),
          game.winners.length > 0 ? sign("good", "tick", t("past.won", { who: namesText(game.winners), n: game.winners.length }))
            : sign("away", "dot", t("result.unfinished")),
          h("a", { class: "button", href: `#history/${game.id}` }, t("past.open"),
            h("span", { class: "unseen" }, " ", game.title, ", ", onDay(game.endedAt))))))));
}

/**
 * @param {import("../types").Model} model
 * @param {string} id
 */
function one(model, id) {
  const { ui } = model;
  const replay = ui.past.of === id ? ui.past.replay : null;
  if (replay === null) {
    const missing = ui.past.of === `${id} missing`;
    return h("section", { class: "gate", key: "opening", role: "status" },
      h("p", { class: "lead" }, missing ? t("past.gone") : t("past.opening")),
      missing ? h("p", null, h("a", { class: "button primary big", href: "#history" }, t("past.all"))) : null);
  }
  const { table } = replay;
  const winners = (table.result?.winners ?? []).map((player) =>
    table.seats.find((seat) => seat.player === player)?.name ?? t("people.somebody"));
  return h("div", { class: "past", key: id },
    h("p", null, h("a", { class: "link", href: "#history" }, t("past.all"))),
    h("h1", null, typed(table.title)),
    h("p", { class: "lead" }, onDay(replay.endedAt), ". ",
      winners.length > 0 ? t("past.won", { who: namesText(winners), n: winners.length }) : t("result.unfinished")),
    games[table.game]?.past(model, replay),
    proof(model, id),
    detailsPart(model, table));
}

/**
 * What the log of the game proves: checked on this laptop, from the first signature on.
 * @param {import("../types").Model} model
 * @param {string} id
 */
function proof({ ui, actions }, id) {
  const { proof: found, isProving } = ui.past;
  return card("proof", t("past.proof"), "", h("div", { class: "stack" },
    h("p", null, t("past.proofText")),
    h("p", null, h("button", {
      class: "button", type: "button", "aria-disabled": isProving ? "true" : null,
      on: { click: () => { if (!isProving) void actions.prove(id); } },
    }, icon("tick"), t("past.prove"))),
    h("div", { role: "status", class: "stack-tight" }, isProving ? h("p", null, t("past.proving")) : null,
      found === null ? null : found.message !== null ? sign("wait", "alert", inWords(found.message) || t("past.notProved")) : [
        h("p", null, sign("good", "tick", t("past.proved"))),
        h("ul", { class: "bullets", lang: "en" }, found.proves.map((line) => h("li", { key: line }, line))),
        found.doesNotProve.length === 0 ? null : h("p", { key: "not" }, t("past.provesNot")),
        h("ul", { class: "bullets", key: "limits", lang: "en" }, found.doesNotProve.map((line) => h("li", { key: line }, line))),
      ])));
}
