// Heard so far: newest first, each line as a sentence with a shape or a face.

import { h } from "../../app/dom.js";
import { t, tx } from "../../app/text.js";
import { face } from "../../components/face.js";
import { icon, joined, playerNames, typed } from "../../components/parts.js";

/**
 * Sentence and shape of each kind; null shows the face of who did it.
 * @type {Record<import("../../types").FeedKind, [string, string | null]>}
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
  lied: ["feed.lied", "flag"],
  wentOn: ["feed.wentOn", "moon"],
};

/**
 * @param {import("../../types").Model} model
 * @param {import("../../types").Table} table
 * @returns {import("../../types").View}
 */
export function feed(model, table) {
  const me = table.seats.find((seat) => seat.me)?.player;
  /** @type {Set<string>} */
  const offered = new Set();
  return h("section", { key: "feed", class: "card feed-card", "aria-labelledby": "feed" },
    h("h2", { id: "feed" }, t("feed.title")),
    table.feed.length === 0 ? h("p", { class: "quiet" }, t("feed.none")) : null,
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
        }), again(model, table, line, me, offered)),
        h("span", { class: "when" }, age(line.ageMs + performance.now() - model.at)));
    })));
}

/**
 * One click asks again, at the newest line that tells of it.
 * @param {import("../../types").Model} model
 * @param {import("../../types").Table} table
 * @param {import("../../types").FeedLine} line
 * @param {string | undefined} me
 * @param {Set<string>} offered
 */
function again({ actions }, table, line, me, offered) {
  const { word } = line;
  if (line.kind !== "expired" || word === null || !me || !line.who.includes(me) || offered.has(word)) return null;
  const tile = table.board?.tiles.find((one) => one.word === word && one.askAgain);
  if (!tile) return null;
  offered.add(word);
  return [" ", h("button", {
    class: "link-button", type: "button",
    on: { click: () => void actions.act("claim", { table: table.id, tile: tile.index, now: true }) },
  }, t("heard.askAgain"))];
}

/** @param {number} ms */
function age(ms) {
  const minutes = Math.floor(ms / 60_000);
  return minutes < 1 ? t("feed.now") : t("feed.minutes", { n: minutes });
}
