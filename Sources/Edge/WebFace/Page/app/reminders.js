// A table that begins soon: told ten minutes and one minute before, once each, whatever screen is shown.

import { browser } from "./local.js";
import { namesText, plain, t } from "./text.js";
import { AHEAD } from "./when.js";

/** What was told is remembered for this browser, so that a reload does not tell it again. */
const KEPT = 100;

/**
 * What is to be told now.
 * @param {import("../types").State} state
 * @param {number} now milliseconds since 1970
 * @returns {import("../types").Happening[]}
 */
export function dueReminders(state, now) {
  /** @type {string[]} */
  const told = browser.get("reminded") ?? [];
  /** @type {import("../types").Happening[]} */
  const due = [];
  for (const table of state.tables) {
    if (table.startsAt === null || table.phase !== "lobby" || !table.seats.some((seat) => seat.me && !seat.left)) continue;
    const left = table.startsAt - now / 1000;
    // Whoever opens the page late hears of the nearest only.
    const ahead = AHEAD.filter((minutes) => left > 0 && left <= minutes * 60).at(-1);
    const id = `${table.id} ${ahead}`;
    if (ahead === undefined || told.includes(id)) continue;
    told.push(id);
    due.push({
      id: `soon-${id}`, kind: "soon", table: table.id,
      text: t("soon.starts", { title: plain(table.title), n: Math.max(1, Math.round(left / 60)) }),
    });
  }
  if (due.length > 0) browser.set("reminded", told.slice(-KEPT));
  return due;
}

/**
 * Invitations that have come since.
 * @param {import("../types").State} before
 * @param {import("../types").State} after
 * @returns {import("../types").Happening[]}
 */
export function newInvites(before, after) {
  return after.invites.filter((invite) => !before.invites.some((one) => one.table === invite.table)).map((invite) => ({
    id: `invite-${invite.table}`, kind: "asked", table: "",
    text: t("asked.told", { who: namesText([invite.fromName]), title: plain(invite.title) }),
  }));
}
