// The address says which screen is shown: `#`, `#new`, `#network`, `#table/ID`. The token arrives in the same place, once, and is
// taken out of the address at once: `#token=TOKEN`, or `#token=TOKEN&go=table/ID` to open a table.

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
  if (hash === "new" || hash === "network") return { screen: hash, table: null };
  const match = /^table\/([0-9a-zA-Z-]+)$/.exec(hash);
  if (match) return { screen: "table", table: match[1] };
  return { screen: "home", table: null };
}
