// Heard so far, with one click to ask again where nobody answered.

import { h } from "../../app/dom.js";
import { t } from "../../app/text.js";
import { feed } from "../../components/feed.js";

/**
 * @param {import("../../types").Model} model
 * @param {import("../../types").Table} table
 * @returns {import("../../types").View}
 */
export function heardSoFar(model, table) {
  const me = table.seats.find((seat) => seat.me)?.player;
  /** @type {Set<string>} */
  const offered = new Set();
  return feed(model, table, t("feed.title"), (line) => again(model, table, line, me, offered));
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
