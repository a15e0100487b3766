// Length and house rules of a bingo table.

import { h } from "../../app/dom.js";
import { t } from "../../app/text.js";
import { choice } from "../../components/parts.js";
import { howToButton } from "../../components/how-to.js";
import { peopleRules } from "./people-rules.js";

/** Length of the meeting, the board that fits it, and how many words to draw from (measured; rules of bingo, 6.3). */
export const PRESETS = [
  { minutes: 15, size: 3, pool: 12 },
  { minutes: 30, size: 4, pool: 24 },
  { minutes: 60, size: 5, pool: 40 },
];

/**
 * @param {{ size: number, minutes: number }} rules the size chosen under House rules is shown with the length chosen
 * @param {boolean} disabled
 * @param {(minutes: number) => void} pick
 */
export function lengthChoice({ size, minutes }, disabled, pick) {
  return choice({
    name: "minutes", legend: t("length.legend"), value: minutes, disabled, pick,
    options: PRESETS.map((preset) => ({
      value: preset.minutes, text: t("length.minutes", { n: preset.minutes }),
      hint: t("rules.size", { size: preset.minutes === minutes ? size : preset.size }),
    })),
  });
}

/**
 * Name and sentence of each pattern.
 * @type {Record<import("../../types").Pattern, [string, string]>}
 */
const PATTERNS = {
  lines: ["pattern.lines", "pattern.linesText"], diagonals: ["pattern.diagonals", "pattern.diagonalsText"],
  corners: ["pattern.corners", "pattern.cornersText"], cross: ["pattern.cross", "pattern.crossText"],
  frame: ["pattern.frame", "pattern.frameText"], blackout: ["pattern.blackout", "pattern.blackoutText"],
};

/**
 * Name and sentence of each way to mark.
 * @type {Record<import("../../types").Marking, [string, string]>}
 */
const MARKINGS = {
  tap: ["marking.tap", "marking.tapText"], everyone: ["marking.everyone", "marking.everyoneText"],
  finder: ["marking.finder", "marking.finderText"],
};

/**
 * Name and sentence of each way to decide.
 * @type {Record<import("../../types").Voting, [string, string]>}
 */
const VOTINGS = {
  majority: ["voting.majorityShort", "voting.majority"], anyone: ["voting.anyoneShort", "voting.anyone"],
  unanimous: ["voting.unanimousShort", "voting.unanimous"], honour: ["voting.honourShort", "voting.honour"],
};

/** For how many places is played. */
const UNTIL = ["places.1", "places.2", "places.3"];

/**
 * Radio buttons for the keys of a table of names.
 * @template {string} T
 * @param {Record<T, [string, string]>} names
 */
function options(names) {
  return /** @type {T[]} */ (Object.keys(names)).map((value) => ({ value, text: t(names[value][0]) }));
}

/**
 * @param {import("../../types").Rules} rules
 * @param {boolean} disabled
 * @param {(change: Partial<import("../../types").Rules>) => void} set
 */
export function rulesChoice(rules, disabled, set) {
  const { size, marking, voting, pattern, freeCentre, places } = rules;
  return [
    choice({
      name: "size", legend: t("size.legend"), value: size, disabled, pick: (value) => set({ size: value }),
      options: [3, 4, 5, 6, 7].map((value) => ({ value, text: t("rules.size", { size: value }) })),
    }),
    size % 2 === 0 ? null : h("label", { class: "check", key: "free" },
      h("input", {
        type: "checkbox", checked: freeCentre, disabled,
        on: { change: (/** @type {Event} */ event) => set({ freeCentre: /** @type {HTMLInputElement} */ (event.target).checked }) },
      }),
      h("span", null, t("rules.freeCentre"))),
    choice({
      name: "pattern", legend: t("pattern.legend"), value: pattern, disabled, pick: (value) => set({ pattern: value }),
      options: options(PATTERNS),
    }),
    choice({
      name: "places", legend: t("places.legend"), value: places, disabled, pick: (value) => set({ places: value }),
      options: UNTIL.map((text, index) => ({ value: index + 1, text: t(text) })),
    }),
    choice({
      name: "marking", legend: t("marking.legend"), value: marking, disabled, pick: (value) => set({ marking: value }),
      options: options(MARKINGS),
    }),
    h("p", { class: "quiet", key: "marking-text" }, markingText({ marking })),
    choice({
      name: "voting", legend: t("voting.legend"), value: voting, disabled, pick: (value) => set({ voting: value }),
      options: options(VOTINGS),
    }),
    h("p", { class: "quiet", key: "rules-text" }, rulesText({ pattern, voting, places })),
    peopleRules(rules, disabled, set),
  ];
}

/**
 * What happens on the boards when a word is agreed.
 * @param {Pick<import("../../types").Rules, "marking">} rules
 */
export function markingText({ marking }) {
  return t(MARKINGS[marking][1]);
}

/**
 * The rules in sentences: what wins, who decides, and until when.
 * @param {Pick<import("../../types").Rules, "pattern" | "voting" | "places">} rules
 */
export function rulesText({ pattern, voting, places }) {
  return [t(PATTERNS[pattern][1]), t(VOTINGS[voting][1]), t("rules.together"), places > 1 ? t("places.text", { n: places }) : ""]
    .filter(Boolean).join(" ");
}

/**
 * @param {import("../../types").Model} model
 * @param {import("../../types").Table} table
 * @returns {import("../../types").Child}
 */
export function settings(model, table) {
  const { actions } = model;
  const { settings: now, maySet } = table;
  /** @param {Record<string, any>} change */
  const set = (change) => void actions.act("set", { table: table.id, ...change });
  return h("div", { class: "stack" },
    lengthChoice(now, !maySet, (minutes) =>
      set({ minutes, size: PRESETS.find((preset) => preset.minutes === minutes)?.size ?? now.size })),
    h("details", null, h("summary", null, t("rules.title")), h("div", { class: "stack" },
      rulesChoice(now, !maySet, set))),
    h("p", null, howToButton(model)),
    maySet ? null : h("p", { class: "quiet" }, t("rules.hostOnly")));
}
