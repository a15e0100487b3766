// The player is in another window. What wants attention is told by the title, a dot on the tab's picture and, after one
// click of consent, a notification with a short sound. The same events are read out when the page is in view.

import { namesText, plain, t } from "./text.js";
import { browser } from "./local.js";
import { playerNames } from "../components/parts.js";

/** How long a decision is news, in milliseconds: a laptop that wakes up does not tell of the last hour. */
const NEWS_TIME = 15_000;

/** @typedef {{ id: string, kind: "vote" | "decided" | "oneAway" | "bingo" | "over", text: string, table: string }} Happening */

/**
 * What happened between two states that a player would want to be told.
 * @param {import("../types").State} before
 * @param {import("../types").State} after
 * @returns {Happening[]}
 */
export function happenings(before, after) {
  /** @type {Happening[]} */
  const found = [];
  for (const table of after.tables) {
    const old = before.tables.find((one) => one.id === table.id);
    if (old) found.push(...ofTable(old, table));
  }
  return found;
}

/**
 * @param {import("../types").Table} old
 * @param {import("../types").Table} table
 * @returns {Happening[]}
 */
function ofTable(old, table) {
  /** @type {Happening[]} */
  const found = [];
  /** @param {Happening["kind"]} kind @param {string} id @param {string} text */
  const add = (kind, id, text) => found.push({ kind, id: `${table.id}-${kind}-${id}`, text, table: table.id });

  for (const claim of table.claims) {
    if (!claim.mayVote || claim.myVote !== null || old.claims.some((one) => one.id === claim.id)) continue;
    add("vote", claim.id,
      t("tell.vote", { who: namesText(playerNames(table, claim.by)), word: plain(claim.word), n: claim.by.length }));
  }
  const newest = old.feed[0]?.index ?? -1;
  for (const line of table.feed) {
    if (line.index <= newest || line.ageMs > NEWS_TIME) break;
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
 * @param {import("../types").Table} table
 * @param {import("../types").Result} result
 * @returns {string}
 */
function overText(table, result) {
  if (result.kind === "unfinished") return t("tell.unfinished");
  const who = namesText(playerNames(table, result.winners));
  if (result.kind === "lastPlayer") return t("tell.lastPlayer", { who });
  if (result.kind === "settled") return t("tell.settled", { who });
  return t("tell.bingo", { who, n: result.winners.length });
}

/** Shows and sounds what happened while the page was hidden. */
export class Attention {
  #count = 0;
  #text = "";
  /** @type {AudioContext | null} */
  #audio = null;

  constructor() {
    document.addEventListener("visibilitychange", () => {
      if (!document.hidden) this.#clear();
    });
    // A browser lets a page sound only after a click in it: use the first one if consent was given earlier.
    document.addEventListener("pointerdown", () => {
      if (browser.get("tell") === true) void this.#wakeAudio();
    }, { once: true });
  }

  /**
   * Asks the browser once. Called from a click.
   * @returns {Promise<boolean>} whether notifications are allowed
   */
  async consent() {
    await this.#wakeAudio();
    if (typeof Notification === "undefined") return false;
    if (Notification.permission === "default") await Notification.requestPermission();
    return Notification.permission === "granted";
  }

  /**
   * @param {Happening} happening
   * @param {boolean} loud consent was given
   */
  tell(happening, loud) {
    if (!document.hidden) return;
    this.#count += 1;
    this.#text = happening.text;
    setFavicon("mark-dot.svg");
    if (!loud) return;
    this.#beep(happening.kind === "bingo");
    if (typeof Notification === "undefined" || Notification.permission !== "granted") return;
    try {
      const shown = new Notification(t("app.name"), { body: happening.text, tag: happening.id, icon: "mark.svg" });
      shown.onclick = () => { window.focus(); location.hash = `table/${happening.table}`; shown.close(); };
    } catch {
      // Some browsers allow notifications to service workers only; title and dot have told already.
    }
  }

  /**
   * The title of the page: what wants attention comes first.
   * @param {string} plainTitle
   * @returns {string}
   */
  title(plainTitle) {
    return this.#count > 0 ? `(${this.#count}) ${this.#text}` : plainTitle;
  }

  #clear() {
    this.#count = 0;
    setFavicon("mark.svg");
  }

  async #wakeAudio() {
    try {
      this.#audio ??= new AudioContext();
      await this.#audio.resume();
    } catch {
      this.#audio = null;
    }
  }

  /**
   * Two short soft tones; three that rise for bingo.
   * @param {boolean} joyful
   */
  #beep(joyful) {
    const audio = this.#audio;
    if (!audio || audio.state !== "running") return;
    const tones = joyful ? [523, 659, 784] : [659, 523];
    tones.forEach((pitch, index) => {
      const from = audio.currentTime + index * 0.14;
      const tone = audio.createOscillator();
      const loudness = audio.createGain();
      tone.frequency.value = pitch;
      loudness.gain.setValueAtTime(0.0001, from);
      loudness.gain.exponentialRampToValueAtTime(0.2, from + 0.02);
      loudness.gain.exponentialRampToValueAtTime(0.0001, from + 0.25);
      tone.connect(loudness).connect(audio.destination);
      tone.start(from);
      tone.stop(from + 0.3);
    });
  }
}

/** @param {string} file */
function setFavicon(file) {
  const link = document.querySelector("link[rel=icon]");
  if (link?.getAttribute("href") !== file) link?.setAttribute("href", file);
}
