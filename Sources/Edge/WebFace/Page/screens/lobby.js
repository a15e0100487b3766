// Before the game: who sits here, which words, how long, and why Start is not possible yet.

import { h } from "../app/dom.js";
import { t, tx } from "../app/text.js";
import { face } from "../components/face.js";
import { copyInvitation, fullName, icon, joined, sign, typed, witnesses } from "../components/parts.js";

/** Chairs drawn at least, and words shown before "Show all". */
const CHAIRS = 6;
const FEW = 16;

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
    words(model, table),
    h("section", { key: "rules", class: "card", "aria-labelledby": "rules" },
      h("h2", { id: "rules" }, t("lobby.rules")), game.settings(model, table)));
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
  const leave = () => actions.set({ dialog: table.mine ? "cancel" : "leave" });
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
    h("p", { class: "row" },
      h("button", {
        class: table.ready ? "button" : "button primary", type: "button", "aria-pressed": String(table.ready),
        on: { click: () => void actions.act("ready", { table: table.id, ready: !table.ready }) },
      }, icon(table.ready ? "tick" : "chair"), t("lobby.ready")),
      h("button", { class: "button plain", type: "button", on: { click: leave } },
        table.mine ? t("lobby.cancel") : t("lobby.leave"))),
    witnesses(table),
    table.promise ? h("p", { key: "promise", class: "quiet note-under" }, table.promise) : null);
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
function go({ actions }, table) {
  const { start } = table;
  const late = table.seats.filter((seat) => !seat.ready && !seat.me && seat.presence !== "left");
  const host = table.seats.find((seat) => seat.creator);
  const hint = !start.possible ? null
    : late.length === 0 ? t("lobby.allReady")
      : tx(table.mine ? "lobby.late" : "lobby.lateGuest", { who: joined(late.map(fullName)), n: late.length });
  return h("section", { key: "go", class: "card go", "aria-label": t("lobby.startName") },
    h("p", { id: "why", class: "grow", role: "status" },
      h("strong", null, start.possible ? t("lobby.possible") : start.message ?? ""),
      hint === null ? null : h("span", { class: "quiet" }, hint)),
    table.mine ? h("button", {
      class: "button primary big", type: "button", "aria-disabled": start.possible ? null : "true", "aria-describedby": "why",
      on: { click: () => { if (start.possible) void actions.act("start", { table: table.id }); } },
    }, t("start.go"))
      : h("p", { class: "quiet" }, icon("wait"), tx("lobby.hostStarts", { who: typed(host?.name ?? "") })));
}

/**
 * @param {import("../types").Model} model
 * @param {import("../types").Table} table
 */
function words(model, table) {
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
    h("form", { class: "joined", on: { submit: suggest } },
      h("div", { class: "field" }, h("label", { for: "suggest" }, t("words.suggest")),
        h("input", { id: "suggest", name: "word", autocomplete: "off", maxlength: 60, dir: "auto" })),
      h("button", { class: "button", type: "submit" }, icon("plus"), t("words.add"))),
    limits ? h("p", { key: "limits", class: "quiet gap" }, limits) : null,
    h("ul", { class: "words" }, shown.map((item) => wordView(model, table, item))),
    list.items.length > FEW ? h("p", { key: "all" }, h("button", {
      class: "button plain", type: "button", on: { click: () => actions.set({ allWords: !ui.allWords }) },
    }, ui.allWords ? t("words.fewer") : t("words.all", { n: list.items.length }))) : null);
}

/**
 * @param {import("../types").Model} model
 * @param {import("../types").Table} table
 * @param {import("../types").WordItem} item
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
