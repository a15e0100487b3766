// Rules of a table of Quoridor, as its lobby agrees on them.

import { h } from "../../app/dom.js";
import { t, tx } from "../../app/text.js";
import { howToButton } from "../../components/how-to.js";
import { card, choice, playerNames, sign, typed } from "../../components/parts.js";
import { aloneCard, LEVELS } from "./practice.js";

/** @typedef {{ players: number, jumps: string, timed: boolean }} Rules */

/**
 * @param {Rules} rules
 * @param {boolean} disabled
 * @param {(change: Partial<Rules>) => void} set
 * @param {boolean} [hasTime] whether time can be limited
 */
export function rulesChoice({ players, jumps, timed }, disabled, set, hasTime = true) {
  return h("div", { class: "stack" },
    choice({
      name: "players", legend: t("duel.players"), value: players, disabled, pick: (value) => set({ players: value }),
      options: [
        { value: 2, text: t("duel.two"), hint: t("duel.twoHint") }, { value: 4, text: t("duel.four"), hint: t("duel.fourHint") },
      ],
    }),
    hasTime ? choice({
      name: "timed", legend: t("duel.time"), value: timed, disabled, pick: (value) => set({ timed: value }),
      options: [{ value: true, text: t("duel.timed") }, { value: false, text: t("duel.untimed") }],
    }) : null,
    hasTime ? h("p", { class: "quiet", key: "time-text" }, t(timed ? "duel.timedText" : "duel.untimedText")) : null,
    players === 4 ? [
      choice({
        name: "jumps", legend: t("duel.jumps"), value: jumps, disabled, pick: (value) => set({ jumps: value }),
        options: [{ value: "never", text: t("duel.never") }, { value: "sideways", text: t("duel.sideways") }],
      }),
      h("p", { class: "quiet", key: "jumps-text" }, t(jumps === "never" ? "duel.neverText" : "duel.sidewaysText")),
    ] : null);
}

/**
 * The rules of a table in sentences.
 * @param {import("../../types").Table} table
 */
export function rulesText(table) {
  const rules = table.quoridor?.settings;
  if (!rules) return "";
  return [
    rules.opponent ? t("duel.levelIs", { level: t(LEVELS[rules.opponent - 1]) }) : "",
    t(rules.timed ? "duel.timedText" : "duel.untimedText"),
    rules.players === 4 ? t(rules.jumps === "never" ? "duel.neverText" : "duel.sidewaysText") : "",
  ].filter(Boolean).join(" ");
}

/**
 * @param {import("../../types").Model} model
 * @param {import("../../types").Table} table
 * @returns {import("../../types").Child}
 */
export function settings(model, table) {
  const { actions } = model;
  const rules = table.quoridor?.settings;
  if (!rules) return null;
  return h("div", { class: "stack" },
    rulesChoice(rules, !table.maySet, (change) => void actions.act("set", { table: table.id, ...change })),
    h("p", null, howToButton(model)),
    table.maySet ? null : h("p", { class: "quiet" }, t("rules.hostOnly")));
}

/**
 * Who begins; and the computer, where nobody has come for a while.
 * @param {import("../../types").Model} model
 * @param {import("../../types").Table} table
 * @returns {import("../../types").Child}
 */
export function lobby(model, table) {
  const first = table.quoridor?.settings.first ?? null;
  const isKnown = first !== null && table.seats.some((seat) => seat.player === first);
  return [aloneCard(model, table), card("first", t("duel.first"), "",
    h("p", null, first === null ? t("duel.firstByDraw")
      : isKnown ? tx("duel.firstIs", { who: typed(playerNames(table, [first])[0]) }) : t("duel.firstIsOther")),
    sign("away", "table", t("duel.walls", { n: table.quoridor?.settings.players === 4 ? 5 : 10 })))];
}
