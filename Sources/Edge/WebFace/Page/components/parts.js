// Small pieces that every screen uses.

import { h } from "../app/dom.js";
import { listFormat, soften, t, tx } from "../app/text.js";

/**
 * @param {string} name a symbol of the sprite in index.html
 * @returns {import("../types").View}
 */
export function icon(name) {
  return h("svg", { class: "i", "aria-hidden": "true" }, h("use", { href: `#${name}` }));
}

/**
 * A word or name that somebody typed: kept apart from the text around it, whichever way it is written.
 * @param {string} text
 * @returns {import("../types").View}
 */
export function typed(text) {
  return h("bdi", { class: "typed" }, text);
}

/**
 * The phrase on a tile. A long word moves to the next line whole, and is broken only where it is wider than the tile.
 * @param {string} phrase
 * @returns {import("../types").View}
 */
export function tileWord(phrase) {
  return h("span", { class: "tile-word", dir: "auto" }, phrase.split(/(\s+)/).map((part) => {
    const soft = soften(part);
    return soft === part ? part : h("span", { class: "whole" }, soft);
  }));
}

/**
 * A short statement with a shape: `tone` is "good", "wait" or "away".
 * @param {"good" | "wait" | "away"} tone
 * @param {string} name
 * @param {...import("../types").Child} text
 * @returns {import("../types").View}
 */
export function sign(tone, name, ...text) {
  return h("span", { class: `sign ${tone}` }, icon(name), h("span", null, text));
}

/**
 * A section with a heading that names it.
 * @param {string} id
 * @param {string} title
 * @param {string} className
 * @param {...import("../types").Child} children
 * @returns {import("../types").View}
 */
export function card(id, title, className, ...children) {
  return h("section", { key: id, class: `card ${className}`.trim(), "aria-labelledby": id },
    h("h2", { id }, title), children);
}

/**
 * One of a few, as a row of radio buttons.
 * @template T
 * @param {{ name: string, legend: string, value: T, options: { value: T, text: string, hint?: string }[],
 *   disabled?: boolean, pick: (value: T) => void }} choice
 * @returns {import("../types").View}
 */
export function choice({ name, legend, value, options, disabled = false, pick }) {
  return h("fieldset", { class: "choices", key: name },
    h("legend", null, legend),
    h("div", { class: "choice" }, options.map((option) =>
      h("label", { key: String(option.value) },
        h("input", {
          class: "unseen", type: "radio", name, disabled, value: String(option.value), checked: option.value === value,
          on: { change: () => pick(option.value) },
        }),
        h("span", null, option.text, option.hint ? h("small", null, option.hint) : null)))));
}

/**
 * A button that copies the line others need, and how to get Tabletalk in one more.
 * @param {import("../types").Model} model
 * @param {string} line
 * @param {boolean} primary
 * @returns {import("../types").View}
 */
export function copyInvitation(model, line, primary) {
  return h("button", {
    class: primary ? "button primary" : "button", type: "button",
    on: { click: () => void model.actions.copy(t("invite.text", { line }), line) },
  }, icon("copy"), t("invite.copy"));
}

/**
 * A name, with the short tag of the key where two people share it.
 * @param {{ name: string, tag: string, showTag: boolean }} person
 * @returns {string}
 */
export function fullName(person) {
  return person.showTag ? `${person.name}·${person.tag}` : person.name;
}

/**
 * The name of whoever made a table, told apart like any other.
 * @param {{ hostName: string, hostTag: string, showHostTag: boolean }} table
 * @returns {string}
 */
export function hostName(table) {
  return fullName({ name: table.hostName, tag: table.hostTag, showTag: table.showHostTag });
}

/**
 * The names of players at a table.
 * @param {import("../types").Table} table
 * @param {string[]} players
 * @returns {string[]}
 */
export function playerNames(table, players) {
  return players.map((player) => {
    const seat = table.seats.find((one) => one.player === player);
    return seat ? fullName(seat) : t("people.somebody");
  });
}

/**
 * Names as views, joined as the language does.
 * @param {string[]} names
 * @param {"conjunction" | "disjunction"} type
 * @returns {import("../types").Child[]}
 */
export function joined(names, type = "conjunction") {
  return listFormat(type).formatToParts(names).map((part) => (part.type === "element" ? typed(part.value) : part.value));
}

/**
 * Whose laptops help to agree without playing.
 *
 * @param {import("../types").Table} table
 * @returns {import("../types").Child}
 */
export function witnesses(table) {
  if (table.witnesses.length === 0) return null;
  return h("p", { key: "witnesses", class: "quiet" },
    tx("players.witness", { n: table.witnesses.length, who: joined(table.witnesses) }));
}
