// The people at the table with their progress, and what one can switch while playing.

import { h } from "../../app/dom.js";
import { inWords, t } from "../../app/text.js";
import { face } from "../../components/face.js";
import { card, fullName, icon, sign, typed, witnesses } from "../../components/parts.js";
import { howToButton } from "../../components/how-to.js";
import { volume } from "../../components/volume.js";
import { rulesText } from "./settings.js";
import { settleButton } from "./settle.js";

/** First, second and third place. */
export const PLACES = ["place.1", "place.2", "place.3"];

/**
 * @param {import("../../types").Model} _model
 * @param {import("../../types").Table} table
 * @returns {import("../../types").View}
 */
export function players(_model, table) {
  const { goal: size } = table.settings;
  return card("players", t("players.title"), "", h("ul", null, table.seats.map((seat) =>
    h("li", { key: seat.player, class: "player" },
      face(seat.key, "", seat.presence !== "here"),
      h("div", null,
        h("p", { class: "line" },
          h("strong", null, typed(fullName(seat)), seat.me ? ` ${t("people.meMark")}` : null,
            seat.pretend ? h("span", { class: "quiet" }, ` ${t("people.pretend")}`) : null),
          seat.late ? sign("away", "wait", t("crowd.late")) : null,
          state(table, seat, size)),
        h("span", { class: size > 9 ? "pips many" : "pips", "aria-hidden": "true" }, Array.from({ length: size }, (_, index) =>
          h("i", { class: index < seat.best ? "on" : index === seat.best && seat.oneAway ? "next" : null }))),
        h("p", { class: "quiet" }, t("players.line", { best: seat.best, size, n: seat.marked }),
          seat.presence === "away" ? ` ${t("players.kept")}` : null))))));
}

/**
 * @param {import("../../types").Table} table
 * @param {import("../../types").Seat} seat
 * @param {number} size
 */
function state(table, seat, size) {
  const place = table.places.findIndex((players) => players.includes(seat.player));
  if (place >= 0) return sign("good", "flag", t(PLACES[place]));
  if (seat.takenOff) return sign("away", "door", t("crowd.off"));
  if (seat.presence === "left") return sign("away", "door", t("players.left"));
  if (seat.presence === "away") return sign("away", "moon", t("people.away"));
  if (seat.oneAway) return sign("wait", "flag", t("tile.oneAway"));
  return h("span", { class: "quiet" }, t("players.best", { best: seat.best, size }));
}

/**
 * @param {import("../../types").Model} model
 * @param {import("../../types").Table} table
 * @returns {import("../../types").View}
 */
export function options(model, table) {
  const { prefs, actions } = model;
  return card("options", t("options.title"), "", h("div", { class: "stack" },
    h("p", { class: "row" },
      h("button", {
        class: "button", type: "button", "aria-pressed": String(prefs.tell), on: { click: () => void actions.askToTell() },
      }, icon(prefs.tell ? "tick" : "bell"), t("tell.button")),
      h("button", {
        class: "button plain", type: "button", on: { click: () => actions.set({ dialog: "quit" }) },
      }, icon("door"), t("quit.go")),
      howToButton(model)),
    h("p", { class: "quiet" }, t("tell.text")),
    h("label", { class: "check" },
      h("input", {
        type: "checkbox", checked: prefs.voteKeys,
        on: {
          change: (/** @type {Event} */ event) =>
            actions.pref({ voteKeys: /** @type {HTMLInputElement} */ (event.target).checked }),
        },
      }),
      h("span", null, t("options.keys"))),
    volume(model),
    h("p", { class: "quiet" }, rulesText({ ...table.settings, voting: table.voting })),
    table.seats.some((seat) => seat.me) ? settleButton(model, table) : null,
    witnesses(table),
    table.promise ? h("p", { class: "quiet", key: "promise" }, inWords(table.promise)) : null));
}
