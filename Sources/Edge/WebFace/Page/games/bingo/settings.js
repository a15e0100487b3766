// Length and house rules of a bingo table.

import { h } from "../../app/dom.js";
import { t } from "../../app/text.js";
import { choice } from "../../components/parts.js";

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
 * @param {{ size: number, marking: import("../../types").Marking }} rules
 * @param {boolean} disabled
 * @param {(change: { size?: number, marking?: import("../../types").Marking }) => void} set
 */
export function rulesChoice({ size, marking }, disabled, set) {
  const markings = {
    tap: [t("marking.tap"), t("marking.tapText")],
    everyone: [t("marking.everyone"), t("marking.everyoneText")],
    finder: [t("marking.finder"), t("marking.finderText")],
  };
  return [
    choice({
      name: "size", legend: t("rules.sizeLegend"), value: size, disabled, pick: (value) => set({ size: value }),
      options: [3, 4, 5].map((value) => ({ value, text: t("rules.size", { size: value }) })),
    }),
    choice({
      name: "marking", legend: t("marking.legend"), value: marking, disabled, pick: (value) => set({ marking: value }),
      options: (/** @type {import("../../types").Marking[]} */ (["tap", "everyone", "finder"]))
        .map((value) => ({ value, text: markings[value][0] })),
    }),
    h("p", { class: "quiet", key: "marking-text" }, markings[marking][1]),
  ];
}

/**
 * @param {import("../../types").Model} model
 * @param {import("../../types").Table} table
 * @returns {import("../../types").Child}
 */
export function settings({ actions }, table) {
  const { settings: now, maySet } = table;
  /** @param {Record<string, any>} change */
  const set = (change) => void actions.act("set", { table: table.id, ...change });
  return h("div", { class: "stack" },
    lengthChoice(now, !maySet, (minutes) =>
      set({ minutes, size: PRESETS.find((preset) => preset.minutes === minutes)?.size ?? now.size })),
    h("details", null, h("summary", null, t("rules.title")), h("div", { class: "stack" },
      rulesChoice(now, !maySet, set),
      h("p", { class: "quiet" }, t("rules.text")))),
    maySet ? null : h("p", { class: "quiet" }, t("rules.hostOnly")));
}
