// Commands on their way to the node. Each has an id made here, is kept until it is answered, survives a reload of the
// page, and is sent again under the same id when no answer came: the node does it once.

import { tab } from "./local.js";

/**
 * `answered` is the revision whose state shows the effect, once known.
 * @typedef {{ id: string, body: Record<string, any>, boot: string | null, answered: number | null }} Sent
 */

/** How long one attempt may take, and the pauses between attempts, in milliseconds. */
const PATIENCE = 15_000;
const PAUSE_FIRST = 500;
const PAUSE_LONGEST = 8000;

/** Commands that a later refusal can still name; older ones are forgotten. */
const REMEMBERED = 40;

export class Outbox {
  /**
   * Commands without an answer, in the order in which they were given.
   * @type {Sent[]}
   */
  #queue;
  /**
   * Commands that are answered but not yet seen in a state.
   * @type {Sent[]}
   */
  #settling = [];
  /** @type {Sent[]} */
  #remembered;
  /** @type {Map<string, (answer: import("../types").Answer) => void>} */
  #waiting = new Map();
  /** The revision of the last state. */
  #shown = 0;
  #busy = false;
  #stopped = false;
  /** @type {(() => void) | null} */
  #wake = null;

  /**
   * @param {(body: Record<string, any>, signal: AbortSignal) => Promise<Response>} post
   * @param {() => void} changed called when the list of commands under way changes
   * @param {(sent: Sent, answer: import("../types").Answer) => void} answered called for every answer
   */
  constructor(post, changed, answered) {
    this.post = post;
    this.changed = changed;
    this.answered = answered;
    this.#queue = tab.get("outbox") ?? [];
    this.#remembered = tab.get("commands") ?? [];
  }

  /** What the page shows as done already. */
  get pending() {
    return [...this.#settling, ...this.#queue];
  }

  /** When the oldest command without an answer was begun, by `performance.now()`; null if there is none. */
  since = /** @type {number | null} */ (null);

  /**
   * Sends a command. The promise settles with the node's answer, which may be a refusal.
   * @param {string} kind
   * @param {Record<string, any>} [fields]
   * @param {string | null} [boot] the run of the node that the page sees
   * @returns {Promise<import("../types").Answer>}
   */
  send(kind, fields = {}, boot = null) {
    const id = commandID();
    /** @type {Sent} */
    const sent = { id, body: { id, kind, ...fields }, boot, answered: null };
    this.#queue.push(sent);
    this.#remembered = [...this.#remembered, sent].slice(-REMEMBERED);
    tab.set("commands", this.#remembered);
    this.#save();
    const promise = new Promise((resolve) => this.#waiting.set(id, resolve));
    this.changed();
    void this.flush();
    return promise;
  }

  /**
   * The command with an id, if it was sent from this tab not long ago.
   * @param {string} id
   * @returns {Record<string, any> | null}
   */
  recall(id) {
    return this.#remembered.find((sent) => sent.id === id)?.body ?? null;
  }

  /**
   * Forgets the commands whose effect is in the state now.
   * @param {import("../types").State} state
   */
  seen(state) {
    this.#shown = state.revision;
    this.#settling = this.#settling.filter((sent) =>
      sent.boot === state.boot && sent.answered !== null && sent.answered > state.revision);
  }

  /** Sends what is waiting, one after the other. */
  async flush() {
    if (this.#busy) {
      this.#wake?.();
      return;
    }
    this.#busy = true;
    let pause = PAUSE_FIRST;
    while (this.#queue.length > 0 && !this.#stopped) {
      this.since ??= performance.now();
      const sent = this.#queue[0];
      const answer = await this.#attempt(sent);
      if (answer === null) {
        await new Promise((resolve) => {
          const timer = setTimeout(() => resolve(undefined), pause);
          this.#wake = () => { clearTimeout(timer); resolve(undefined); };
        });
        this.#wake = null;
        pause = Math.min(pause * 2, PAUSE_LONGEST);
        continue;
      }
      pause = PAUSE_FIRST;
      this.since = null;
      this.#queue.shift();
      this.#save();
      // What was done looks as it was expected to look until a state shows it: that may have come before the answer.
      const settles = answer.ok && typeof answer.revision === "number" && answer.revision > this.#shown;
      if (settles) this.#settling.push({ ...sent, answered: answer.revision ?? null });
      this.#waiting.get(sent.id)?.(answer);
      this.#waiting.delete(sent.id);
      this.answered(sent, answer);
      if (!settles) this.changed();
    }
    this.since = null;
    this.#busy = false;
  }

  /** Keeps everything and sends nothing more. */
  stop() {
    this.#stopped = true;
  }

  /**
   * @param {Sent} sent
   * @returns {Promise<import("../types").Answer | null>} null when it must be sent again
   */
  async #attempt(sent) {
    const limit = new AbortController();
    const timer = setTimeout(() => limit.abort(), PATIENCE);
    try {
      const response = await this.post(sent.body, limit.signal);
      if (response.status === 200) return await response.json();
      if (response.status === 401) this.#stopped = true;
      else if (response.status >= 400 && response.status < 500) return { ...await response.json(), ok: false };
      return null;
    } catch {
      return null;
    } finally {
      clearTimeout(timer);
    }
  }

  #save() {
    tab.set("outbox", this.#queue.length > 0 ? this.#queue : null);
  }
}

/**
 * A fresh id: 128 random bits as hex digits.
 * @returns {string}
 */
function commandID() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
