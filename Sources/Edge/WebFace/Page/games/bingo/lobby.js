// The words of a bingo table, as its lobby agrees on them.

import { h } from "../../app/dom.js";
import { t } from "../../app/text.js";
import { icon, sign, typed } from "../../components/parts.js";
import { proposals } from "./proposals.js";

/** Words shown before "Show all". */
const FEW = 16;

/**
 * @param {import("../../types").Model} model
 * @param {import("../../types").Table} table
 */
export function lobby(model, table) {
  const { ui, actions } = model;
  const list = table.words;
  const shown = ui.allWords ? list.items : list.items.slice(0, FEW);
  const suggest = async (/** @type {SubmitEvent} */ event) => {
    event.preventDefault();
    const form = /** @type {HTMLFormElement} */ (event.target);
    const word = String(new FormData(form).get("word") ?? "").trim();
    if (word === "") return;
    form.reset();
    await actions.act("suggest", { table: table.id, word });
  };
  const limits = [
    list.suggestionsLeft === null ? null : t("words.suggestionsLeft", { n: list.suggestionsLeft }),
    list.vetoesLeft === null ? null : t("words.vetoesLeft", { n: list.vetoesLeft }),
    list.duplicates > 0 ? t("words.mergedFull", { n: list.duplicates }) : null,
  ].filter((text) => text !== null).join(" ");
  return h("section", { key: "words", class: "card", "aria-labelledby": "words" },
    h("div", { class: "card-head" }, h("h2", { id: "words" }, t("words.title")),
      list.missing > 0 ? sign("wait", "flag", t("words.more", { n: list.missing }))
        : sign("good", "tick", t("words.enough"))),
    h("label", { class: "quiet", for: "meter" },
      t("words.meter", { n: list.count, need: list.need, size: table.settings.size })),
    h("progress", { class: "meter", id: "meter", max: list.need, value: Math.min(list.count, list.need) }),
    list.count > list.need ? h("p", { key: "lot", class: "quiet" }, t("words.lot", { n: list.count, need: list.need })) : null,
    list.thin && list.missing === 0 ? h("p", { key: "thin", class: "quiet" }, t("words.thin")) : null,
    table.seats.some((seat) => seat.me) ? h("form", { key: "suggest", class: "joined", on: { submit: suggest } },
      h("div", { class: "field" }, h("label", { for: "suggest" }, t("words.suggest")),
        h("input", { id: "suggest", name: "word", autocomplete: "off", maxlength: 60, dir: "auto" })),
      h("button", { class: "button", type: "submit" }, icon("plus"), t("words.add"))) : null,
    proposals(model, table),
    limits ? h("p", { key: "limits", class: "quiet gap" }, limits) : null,
    h("ul", { class: "words" }, shown.map((item) => wordView(model, table, item))),
    list.items.length > FEW ? h("p", { key: "all" }, h("button", {
      class: "button plain", type: "button", on: { click: () => actions.set({ allWords: !ui.allWords }) },
    }, ui.allWords ? t("words.fewer") : t("words.all", { n: list.items.length }))) : null);
}

/**
 * @param {import("../../types").Model} model
 * @param {import("../../types").Table} table
 * @param {import("../../types").WordItem} item
 */
function wordView({ actions }, table, item) {
  if (item.struck) {
    return h("li", { key: item.text, class: "struck" }, icon("cross"), h("del", null, typed(item.text)),
      h("span", null, t("words.struck")));
  }
  const by = table.seats.find((seat) => seat.player === item.by);
  return h("li", { key: item.text, class: item.mine ? "new" : null },
    item.mine ? h("span", { class: "sign wait" }, t("words.mine")) : null,
    h("span", { title: by && !item.mine ? t("words.by", { who: by.name }) : null }, typed(item.text)),
    item.mayTakeOut || (table.words.vetoesLeft ?? 0) > 0 ? h("button", {
      class: "icon-button", type: "button",
      on: { click: () => void actions.act("veto", { table: table.id, word: item.text }) },
    }, icon("cross"), h("span", { class: "unseen" },
      t(item.mayTakeOut ? "words.takeOut" : "words.veto", { word: item.text }))) : null);
}
