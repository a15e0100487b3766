// New table: words, length, Start. Everything else is under House rules.

import { h } from "../../app/dom.js";
import { inWords, t } from "../../app/text.js";
import { secondsOf } from "../../app/when.js";
import { lines, merge } from "../../app/words.js";
import { whoIsNamed } from "../../components/masks.js";
import { tableName, whoCanJoin, whoMustAgree } from "../../components/access.js";
import { placeAndTime } from "../../components/appointment.js";
import { card, icon, sign, typed } from "../../components/parts.js";
import { lengthChoice, PRESETS, rulesChoice } from "./settings.js";

/** How many words are shown before "Show all". */
const FEW = 16;

/**
 * @param {import("../../types").Model} model
 * @returns {import("../../types").Child}
 */
export function newTable(model) {
  const { state, ui, actions } = model;
  const fresh = ui.fresh;
  /** @param {Partial<import("../../types").NewTable>} change */
  const set = (change) => actions.set({ fresh: { ...fresh, touched: true, refused: null, ...change } });
  // Before anything is chosen the first pack lies on the table: two clicks from Home to a table.
  const packID = fresh.touched ? fresh.pack : fresh.pack ?? state.packs[0]?.id ?? null;
  const pack = state.packs.find((one) => one.id === packID) ?? null;
  const merged = merge(pack?.words ?? [], lines(fresh.own));
  const out = new Set(fresh.without);
  const kept = merged.words.filter((word) => !out.has(word));
  const preset = PRESETS.find((one) => one.minutes === fresh.minutes) ?? PRESETS[1];
  const size = fresh.size ?? preset.size;
  const freeCentre = fresh.rules.freeCentre && size % 2 === 1;
  const need = size * size - (freeCentre ? 1 : 0);
  const missing = Math.max(0, need - kept.length);

  const start = async () => {
    // What is shown as left out is not sent; duplicates are, since the table counts them too.
    const unfit = new Set([...merged.tooLong, ...merged.left]);
    const own = lines(fresh.own).filter((word) => !unfit.has(word)).join("\n");
    const answer = await actions.send("createTable", {
      title: fresh.title.trim() || undefined, size, minutes: fresh.minutes, ...fresh.rules, freeCentre,
      place: fresh.place.trim() || undefined, startsAt: secondsOf(fresh.when) ?? undefined,
      private: fresh.private || undefined, anonymous: fresh.anonymous || undefined,
      strict: fresh.strict || undefined,
      pack: pack?.id, own: own || undefined,
      without: fresh.without.length > 0 ? fresh.without : undefined,
    });
    if (!answer.ok) set({ refused: inWords(answer.message) });
    else if (answer.table) actions.go(`table/${answer.table}`);
  };

  return h("form", {
    class: "new-table", on: {
      submit: (/** @type {Event} */ event) => {
        event.preventDefault();
        if (missing === 0) void start();
      },
    },
  },
    h("h1", null, t("new.title")),
    h("div", { class: "home-col" },
      packs(state, packID, set),
      ownWords(model, set),
      chosen(merged, kept, fresh, set)),
    h("div", { class: "home-col" },
      card("length", t("length.title"), "", h("div", { class: "stack" },
        lengthChoice({ size, minutes: fresh.minutes }, false, (minutes) => set({ minutes, size: null, pack: packID })),
        h("p", { class: "quiet" }, t("new.sizeText", { size, need, pool: preset.pool })),
        h("details", null, h("summary", null, t("rules.title")), h("div", { class: "stack" },
          tableName(fresh.title, (title) => set({ title, pack: packID })),
          placeAndTime(fresh, (change) => set({ ...change, pack: packID })),
          rulesChoice({ ...fresh.rules, size, freeCentre }, false, ({ size: edge, ...rules }) =>
            set({ size: edge ?? fresh.size, rules: { ...fresh.rules, ...rules }, pack: packID })),
          // An anonymous table that is announced would say whose it is.
          fresh.anonymous ? null : whoCanJoin(fresh.private, (isPrivate) => set({ private: isPrivate, pack: packID })),
          whoIsNamed(fresh.anonymous, (anonymous) => set({ anonymous, pack: packID })),
          whoMustAgree(fresh.strict, (strict) => set({ strict, pack: packID })))))),
      h("div", { class: "card go", key: "go" },
        h("p", { id: "why", class: "grow" },
          h("strong", null, missing > 0 ? t("words.missing", { n: missing }) : t("new.ready", { n: kept.length })),
          h("span", { class: "quiet" }, t(fresh.private || fresh.anonymous ? "new.opensInvited" : "new.opens"))),
        h("button", {
          class: "button primary big", type: "submit", "aria-disabled": missing > 0 ? "true" : null, "aria-describedby": "why",
        }, t("start.go")),
        fresh.refused === null ? null : h("p", { class: "said", role: "alert" }, sign("wait", "alert", fresh.refused)))));
}

/** @param {Event} event */
function value(event) {
  return /** @type {HTMLInputElement | HTMLTextAreaElement} */ (event.target).value;
}

/**
 * @param {import("../../types").State} state
 * @param {string | null} packID
 * @param {(change: Partial<import("../../types").NewTable>) => void} set
 */
function packs(state, packID, set) {
  /** @param {string | null} id @param {string} name @param {string} hint */
  const option = (id, name, hint) => h("label", { key: id ?? "none", class: "pack" },
    h("input", {
      type: "radio", name: "pack", value: id ?? "", checked: id === packID,
      on: { change: () => set({ pack: id, allWords: false }) },
    }),
    h("span", null, h("strong", null, name), h("span", { class: "quiet" }, hint)));
  return card("packs", t("new.packs"), "", h("fieldset", null,
    h("legend", { class: "unseen" }, t("new.packs")),
    h("div", { class: "packs" },
      state.packs.map((pack) => option(pack.id, inWords(pack.title), t("words.count", { n: pack.count }))),
      option(null, t("new.noPack"), t("new.noPackText")))));
}

/**
 * @param {import("../../types").Model} model
 * @param {(change: Partial<import("../../types").NewTable>) => void} set
 */
function ownWords({ state, ui, actions }, set) {
  const { fresh } = ui;
  const last = state.lastWords;
  const pack = fresh.touched ? fresh.pack : fresh.pack ?? state.packs[0]?.id ?? null;
  const use = async (/** @type {number} */ list) => {
    const answer = await actions.lists.words(list);
    if ("words" in answer) set({ own: answer.words.join("\n"), pack });
    else actions.notice({ text: [answer.message ?? t("lists.notRead")], tone: "bad" });
  };
  return card("own", t("new.own"), "", h("div", { class: "stack" },
    h("div", { class: "field" }, h("label", { for: "own-words" }, t("new.ownLabel")),
      h("textarea", {
        id: "own-words", rows: 5, value: fresh.own, dir: "auto", spellcheck: "false",
        on: { input: (/** @type {Event} */ event) => set({ own: value(event), pack }) },
      })),
    last && last.length > 0 && fresh.own.trim() === "" ? h("p", { key: "last" }, h("button", {
      class: "button", type: "button", on: { click: () => set({ own: last.join("\n"), pack }) },
    }, icon("undo"), t("new.last", { n: last.length }))) : null,
    state.wordLists.lists.length > 0 && fresh.own.trim() === "" ? h("div", { key: "lists" },
      h("p", { class: "quiet" }, t("lists.use")),
      h("p", { class: "row" }, state.wordLists.lists.filter((list) => list.count > 0).map((list) => h("button", {
        key: list.id, class: "button", type: "button", on: { click: () => void use(list.id) },
      }, typed(list.title), " ", h("span", { class: "quiet" }, t("words.count", { n: list.count })))))) : null,
    h("p", { key: "link" }, h("a", { href: "#lists" }, t("lists.link")))));
}

/**
 * @param {import("../../app/words.js").Merged} merged
 * @param {string[]} kept
 * @param {import("../../types").NewTable} fresh
 * @param {(change: Partial<import("../../types").NewTable>) => void} set
 */
function chosen(merged, kept, fresh, set) {
  const out = new Set(fresh.without);
  const shown = fresh.allWords ? merged.words : merged.words.slice(0, FEW);
  const notes = [
    merged.duplicates > 0 ? t("words.merged", { n: merged.duplicates }) : null,
    merged.tooLong.length > 0 ? t("words.tooLong", { n: merged.tooLong.length }) : null,
    merged.left.length > 0 ? t("words.tooMany", { n: merged.left.length }) : null,
  ].filter((note) => note !== null);
  /** @param {string} word */
  const toggle = (word) => set({
    pack: fresh.pack, touched: fresh.touched,
    without: out.has(word) ? fresh.without.filter((one) => one !== word) : [...fresh.without, word],
  });
  return h("section", { key: "chosen", class: "card", "aria-labelledby": "chosen" },
    h("div", { class: "card-head" }, h("h2", { id: "chosen" }, t("new.chosen")),
      h("p", { class: "quiet", role: "status" },
        h("strong", null, t("words.count", { n: kept.length })), notes.map((note) => `, ${note}`))),
    merged.words.length === 0 ? h("p", { class: "quiet" }, t("new.noWords")) : null,
    h("ul", { class: "words" }, shown.map((word) => h("li", { key: word, class: out.has(word) ? "struck" : null },
      out.has(word) ? h("del", null, typed(word)) : h("span", null, typed(word)),
      h("button", { class: "icon-button", type: "button", on: { click: () => toggle(word) } },
        icon(out.has(word) ? "undo" : "cross"),
        h("span", { class: "unseen" }, t(out.has(word) ? "words.putBack" : "words.takeOut", { word })))))),
    merged.words.length > FEW ? h("p", { key: "all" }, h("button", {
      class: "button plain", type: "button",
      on: { click: () => set({ pack: fresh.pack, touched: fresh.touched, allWords: !fresh.allWords }) },
    }, fresh.allWords ? t("words.fewer") : t("words.all", { n: merged.words.length }))) : null);
}
