// What happened at a table of bingo that a player would want to be told.

import { namesText, plain, t } from "../../app/text.js";
import { playerNames } from "../../components/parts.js";

/**
 * @param {import("../../types").Table} old
 * @param {import("../../types").Table} table
 * @param {number} fresh how long something is news, in milliseconds
 * @returns {import("../../types").Happening[]}
 */
export function happenings(old, table, fresh) {
  /** @type {import("../../types").Happening[]} */
  const found = [];
  /** @param {import("../../types").Happening["kind"]} kind @param {string} id @param {string} text */
  const add = (kind, id, text) => found.push({ kind, id: `${table.id}-${kind}-${id}`, text, table: table.id });

  for (const claim of table.claims) {
    if (!claim.mayVote || claim.myVote !== null || old.claims.some((one) => one.id === claim.id)) continue;
    add("vote", claim.id,
      t("tell.vote", { who: namesText(playerNames(table, claim.by)), word: plain(claim.word), n: claim.by.length }));
  }
  const newest = old.feed[0]?.index ?? -1;
  for (const line of table.feed) {
    if (line.index <= newest || line.ageMs > fresh) break;
    if (line.word === null || !old.claims.some((one) => one.mine && one.word === line.word)) continue;
    const word = plain(line.word);
    const counts = { word, yes: line.confirms, no: line.denials };
    if (line.kind === "confirmed") add("decided", String(line.index), t("tell.confirmed", counts));
    if (line.kind === "denied") add("decided", String(line.index), t("tell.denied", counts));
    if (line.kind === "expired") add("decided", String(line.index), t("tell.expired", counts));
  }
  const me = table.seats.find((seat) => seat.me);
  if (table.phase === "playing" && me?.oneAway && !old.seats.find((seat) => seat.me)?.oneAway) {
    add("oneAway", String(me.marked), t("tell.oneAway"));
  }
  if (table.phase === "over" && old.phase !== "over" && table.result) {
    add(table.result.kind === "line" ? "bingo" : "over", "", overText(table, table.result));
  }
  return found;
}

/**
 * @param {import("../../types").Table} table
 * @param {import("../../types").Result} result
 * @returns {string}
 */
function overText(table, result) {
  if (result.kind === "unfinished") return t("tell.unfinished");
  const who = namesText(playerNames(table, result.winners));
  if (result.kind === "lastPlayer") return t("tell.lastPlayer", { who });
  if (result.kind === "settled") return t("tell.settled", { who });
  return t("tell.bingo", { who, n: result.winners.length });
}
