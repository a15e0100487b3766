// The address says which screen is shown: `#`, `#new`, `#new/GAME`, `#network`, `#history/ID`, `#table/ID`. The token arrives in the same place, once, and is
// taken out of the address at once: `#token=TOKEN`, or `#token=TOKEN&go=table/ID` to open a table.

import { games } from "../games/games.js";
import { tab } from "./local.js";

/**
 * Takes a token out of the address, if there is one.
 * @returns {string | null} the token of this tab
 */
export function takeToken() {
  const match = /^#token=([^&]+)(?:&go=(.*))?$/.exec(location.hash);
  if (match) {
    tab.set("token", decodeURIComponent(match[1]));
    history.replaceState(null, "", match[2] ? `#${match[2]}` : location.pathname);
  }
  return tab.get("token");
}

/**
 * @returns {import("../types").Route}
 */
export function route() {
  const hash = location.hash.slice(1);
  const nothing = { table: null, game: null, list: null, past: null };
  if (hash === "network") return { ...nothing, screen: hash };
  if (hash === "new") return { ...nothing, screen: "new", game: "bingo" };
  const past = /^history(?:\/([0-9a-f]{64}))?$/.exec(hash);
  if (past) return { ...nothing, screen: "history", past: past[1] ?? null };
  const list = /^lists(?:\/(\d{1,9}))?$/.exec(hash);
  if (list) return { ...nothing, screen: "lists", list: list[1] ?? null };
  const game = /^new\/([a-z]+)$/.exec(hash);
  if (game && game[1] in games) return { ...nothing, screen: "new", game: game[1] };
  const match = /^table\/([0-9a-zA-Z-]+)$/.exec(hash);
  if (match) return { ...nothing, screen: "table", table: match[1] };
  return { ...nothing, screen: "home" };
}
