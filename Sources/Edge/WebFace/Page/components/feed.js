// What happened: newest first, each line as a sentence with a shape or a face.

import { h } from "../app/dom.js";
import { namesText, plain, t, tx } from "../app/text.js";
import { face } from "./face.js";
import { icon, joined, playerNames, typed } from "./parts.js";

/**
 * Sentence and shape of each kind; null shows the face of who did it.
 * @type {Record<import("../types").FeedKind, [string, string | null]>}
 */
const LINES = {
  joined: ["feed.joined", null],
  left: ["feed.left", "door"],
  started: ["feed.started", null],
  dealt: ["feed.dealt", "table"],
  confirmed: ["feed.confirmed", null],
  denied: ["feed.denied", "cross"],
  expired: ["feed.expired", "wait"],
  away: ["feed.away", "moon"],
  back: ["feed.back", null],
  lineComplete: ["feed.line", "flag"],
  won: ["feed.won", "tick"],
  lastPlayer: ["feed.lastPlayer", "tick"],
  placed: ["feed.placed", "flag"],
  takenBack: ["feed.takenBack", "undo"],
  settleAsked: ["feed.settleAsked", "flag"],
  settled: ["feed.settled", "tick"],
  cancelled: ["feed.cancelled", "cross"],
  gaveUp: ["feed.gaveUp", "flag"],
  ranOut: ["feed.ranOut", "wait"],
  drawn: ["feed.drawn", "tick"],
  forfeited: ["feed.forfeited", "flag"],
  lied: ["feed.lied", "flag"],
  joinedLate: ["feed.joinedLate", null],
  takenOff: ["feed.takenOff", "door"],
  letBack: ["feed.letBack", null],
  locked: ["feed.locked", "lock"],
  unlocked: ["feed.unlocked", "lock"],
  runs: ["feed.runs", "chair"],
  wentOn: ["feed.wentOn", "moon"],
};

/**
 * A line as one sentence, for what is read out.
 * @param {import("../types").Table} table
 * @param {{ kind: string, who: string[], word: string | null, confirms: number, denials: number }} line
 * @returns {string}
 */
export function feedText(table, { kind, who, word, confirms, denials }) {
  const sentence = kind === "marked" ? "past.marked" : LINES[/** @type {import("../types").FeedKind} */ (kind)]?.[0] ?? "past.start";
  return t(sentence, {
    who: namesText(playerNames(table, who)), n: who.length, word: word === null ? "" : plain(word), yes: confirms, no: denials,
  });
}

/**
 * @param {import("../types").Model} model
 * @param {import("../types").Table} table
 * @param {string} title
 * @param {(line: import("../types").FeedLine) => import("../types").Child} [more] what stands behind a line
 * @returns {import("../types").View}
 */
export function feed(model, table, title, more = () => null) {
  return h("section", { key: "feed", class: "card feed-card", "aria-labelledby": "feed" },
    h("h2", { id: "feed" }, title),
        h("ol", { class: "feed", tabindex: "0", "aria-labelledby": "feed" }, table.feed.map((line) => {
      const known = LINES[line.kind];
      if (!known) return null;
      const [sentence, shape] = known;
      const seat = table.seats.find((one) => one.player === line.who[0]);
      return h("li", { key: line.index },
        shape === null && seat ? face(seat.key, "s") : icon(shape ?? "dot"),
        h("p", null, tx(sentence, {
          who: h("strong", null, joined(playerNames(table, line.who))), n: line.who.length,
          word: line.word === null ? "" : typed(line.word), yes: line.confirms, no: line.denials,
        }), more(line)),
        h("span", { class: "when" }, age(line.ageMs + performance.now() - model.at)));
    })));
}

/** @param {number} ms */
function age(ms) {
  const minutes = Math.floor(ms / 60_000);
  return minutes < 1 ? t("feed.now") : t("feed.minutes", { n: minutes });
}
