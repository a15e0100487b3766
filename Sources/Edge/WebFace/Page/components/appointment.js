// Where and when: asked for at a new table, told in the lobby and in the lists, and saved for a calendar program.

import { h } from "../app/dom.js";
import { t } from "../app/text.js";
import { calendar, secondsOf, when } from "../app/when.js";
import { icon, sign, typed } from "./parts.js";

/**
 * @param {{ place: string, when: string }} fresh what was typed so far
 * @param {(change: { place?: string, when?: string }) => void} set
 */
export function placeAndTime(fresh, set) {
  const seconds = secondsOf(fresh.when);
  const text = (/** @type {Event} */ event) => /** @type {HTMLInputElement} */ (event.target).value;
  return [
    h("div", { class: "field", key: "place" }, h("label", { for: "place" }, t("place.label")),
      h("input", {
        id: "place", value: fresh.place, maxlength: 24, autocomplete: "off", dir: "auto", placeholder: t("place.hint"),
        on: { input: (/** @type {Event} */ event) => set({ place: text(event) }) },
      })),
    h("div", { class: "field", key: "when" }, h("label", { for: "when" }, t("soon.label")),
      h("input", {
        id: "when", type: "datetime-local", value: fresh.when, "aria-describedby": "when-text",
        on: { input: (/** @type {Event} */ event) => set({ when: text(event) }) },
      }),
      h("p", { id: "when-text", class: "quiet" }, seconds !== null && seconds * 1000 < Date.now() ? t("soon.past") : t("soon.text"))),
  ];
}

/**
 * "Floor 4, Mon 1 Dec, 15:00", for a row of a list; null where nothing was said.
 * @param {{ place: string | null, startsAt: number | null }} table
 * @returns {import("../types").Child}
 */
export function placeAndStart({ place, startsAt }) {
  if (place === null && startsAt === null) return null;
  return h("span", { class: "quiet", key: "appointment" },
    place === null ? null : typed(place), place !== null && startsAt !== null ? ", " : null,
    startsAt === null ? null : h("time", { datetime: new Date(startsAt * 1000).toISOString() }, when(startsAt)));
}

/**
 * What the lobby says of it.
 * @param {import("../types").Model} model
 * @param {import("../types").Table} table
 */
export function appointment({ actions, prefs }, table) {
  const { startsAt, place } = table;
  if (startsAt === null && place === null) return null;
  const save = () => {
    if (startsAt === null) return;
    const text = calendar({
      id: table.id, title: table.title, place, startsAt, minutes: table.settings?.minutes ?? 30, text: table.invitation,
      alarm: t("soon.alarm", { title: table.title }),
    });
    actions.keep(new Blob([text], { type: "text/calendar" }), `tabletalk-${table.code}.ics`);
  };
  return h("div", { key: "appointment", class: "stack-tight" },
    place === null ? null : h("p", null, sign("good", "door", t("place.at"), " ", typed(place))),
    startsAt === null ? null : [
      h("p", null, sign("wait", "bell", t("soon.at"), " ", h("time", { datetime: new Date(startsAt * 1000).toISOString() }, when(startsAt)))),
      h("p", { class: "row" },
        h("button", { class: "button", type: "button", on: { click: save } }, t("soon.save")),
        h("button", {
          class: "button", type: "button", "aria-pressed": String(prefs.tell), on: { click: () => void actions.askToTell() },
        }, icon("bell"), t("soon.remind"))),
    ]);
}
