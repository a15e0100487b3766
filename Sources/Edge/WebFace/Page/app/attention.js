// The player is in another window. What wants attention is told by the title, a dot on the tab's picture and, after one
// click of consent, a notification with a short sound. The same events are read out when the page is in view.

import { games } from "../games/games.js";
import { browser } from "./local.js";
import { t } from "./text.js";

/** How long a decision is news, in milliseconds: a laptop that wakes up does not tell of the last hour. */
const NEWS_TIME = 15_000;

/** @typedef {import("../types").Happening} Happening */

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
    if (old) found.push(...(games[table.game]?.happenings(old, table, NEWS_TIME) ?? []));
  }
  return found;
}

/**
 * Pitches in hertz, one every 0.14 s: a vote or an answer is wanted, something was decided, somebody has won, I have lost,
 * a pawn steps, a wall is built.
 */
const TUNES = {
  vote: [659, 523], asked: [659, 523], decided: [523, 784], bingo: [523, 659, 784, 1047], lost: [392, 330, 262], step: [440], wall: [196, 147],
};

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
      if (browser.get("tell") === true || browser.get("volume") > 0) void this.#wakeAudio();
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
    this.#play(happening.kind === "bingo" ? "bingo" : "vote", 0.7);
    if (typeof Notification === "undefined" || Notification.permission !== "granted") return;
    try {
      const shown = new Notification(t("app.name"), { body: happening.text, tag: happening.id, icon: "mark.svg" });
      shown.onclick = () => { window.focus(); location.hash = happening.table === "" ? "" : `table/${happening.table}`; shown.close(); };
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
   * Sounds of the page in view, where the player wants them.
   * @param {keyof typeof TUNES} tune
   * @param {number} volume 0 to 1
   */
  async sound(tune, volume) {
    if (volume <= 0) return;
    await this.#wakeAudio();
    this.#play(tune, volume);
  }

  /**
   * @param {keyof typeof TUNES} tune
   * @param {number} volume
   */
  #play(tune, volume) {
    const audio = this.#audio;
    if (!audio || audio.state !== "running") return;
    TUNES[tune].forEach((pitch, index) => {
      const from = audio.currentTime + index * 0.14;
      const tone = audio.createOscillator();
      const loudness = audio.createGain();
      tone.frequency.value = pitch;
      loudness.gain.setValueAtTime(0.0001, from);
      loudness.gain.exponentialRampToValueAtTime(0.3 * volume, from + 0.02);
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
