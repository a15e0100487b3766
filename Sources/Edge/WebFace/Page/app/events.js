// Server-Sent Events read by hand: EventSource cannot carry the token in a header.

/** @typedef {{ event: string, data: string, id: string | null }} ServerEvent */

/** Cuts a stream of text into events. */
export class EventReader {
  #rest = "";
  #event = "";
  /** @type {string[]} */
  #data = [];
  /** @type {string | null} */
  #id = null;

  /**
   * Takes the next piece and returns the events that it completes.
   * @param {string} piece
   * @returns {ServerEvent[]}
   */
  push(piece) {
    const lines = (this.#rest + piece).split("\n");
    this.#rest = lines.pop() ?? "";
    /** @type {ServerEvent[]} */
    const events = [];
    for (const line of lines) this.#line(line.endsWith("\r") ? line.slice(0, -1) : line, events);
    return events;
  }

  /**
   * @param {string} line
   * @param {ServerEvent[]} events
   */
  #line(line, events) {
    if (line === "") {
      if (this.#data.length > 0) {
        events.push({ event: this.#event || "message", data: this.#data.join("\n"), id: this.#id });
      }
      this.#event = "";
      this.#data = [];
      return;
    }
    if (line.startsWith(":")) return;
    const colon = line.indexOf(":");
    const field = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? "" : line.slice(colon + 1).replace(/^ /, "");
    if (field === "event") this.#event = value;
    else if (field === "data") this.#data.push(value);
    else if (field === "id") this.#id = value;
  }
}

/** First pause before connecting again, and the longest, in milliseconds. */
export const PAUSE_FIRST = 500;
export const PAUSE_LONGEST = 8000;
/** A comment comes every 15 s; when two are missing the line is dead even if the socket does not say so. */
const SILENCE = 35_000;

/**
 * What a stream reports. `opened` after each connection, `lost` after each end, `refused` when the token is wrong.
 * @typedef {{ opened(): void, lost(): void, refused(): void, event(event: ServerEvent): void }} Listener
 */

/** Keeps one stream of events open, for as long as the page lives. */
export class EventStream {
  #pause = PAUSE_FIRST;
  #stopped = false;
  /** @type {string | null} */
  #lastID = null;
  /** @type {AbortController | null} */
  #request = null;
  /** @type {(() => void) | null} */
  #wake = null;

  /**
   * @param {string} address
   * @param {() => Record<string, string>} headers
   * @param {Listener} listener
   */
  constructor(address, headers, listener) {
    this.address = address;
    this.headers = headers;
    this.listener = listener;
  }

  /**
   * Connects, and again whenever the stream ends, with pauses from 0.5 s doubling to 8 s.
   * @param {Promise<unknown>} ready the listener is told of nothing before this
   */
  async run(ready) {
    this.#stopped = false;
    while (!this.#stopped) {
      await this.#once(ready);
      if (this.#stopped) return;
      this.listener.lost();
      await new Promise((resolve) => {
        const timer = setTimeout(() => resolve(undefined), this.#pause);
        this.#wake = () => { clearTimeout(timer); resolve(undefined); };
      });
      this.#wake = null;
      this.#pause = Math.min(this.#pause * 2, PAUSE_LONGEST);
    }
  }

  /** Does not wait for the end of the pause. */
  hurry() {
    this.#wake?.();
  }

  /** Ends the stream and does not connect again. */
  stop() {
    this.#stopped = true;
    this.#request?.abort();
    this.#wake?.();
  }

  /** @param {Promise<unknown>} ready */
  async #once(ready) {
    const request = this.#request = new AbortController();
    let watch = setTimeout(() => request.abort(), SILENCE);
    try {
      const headers = this.headers();
      if (this.#lastID !== null) headers["Last-Event-ID"] = this.#lastID;
      const answer = await fetch(this.address, { headers, signal: request.signal, cache: "no-store" });
      await ready;
      if (answer.status === 401) {
        this.#stopped = true;
        this.listener.refused();
        return;
      }
      if (!answer.ok || !answer.body) return;
      this.#pause = PAUSE_FIRST;
      this.listener.opened();
      const reader = new EventReader();
      const decoder = new TextDecoder();
      const chunks = answer.body.getReader();
      for (;;) {
        const { done, value } = await chunks.read();
        if (done) return;
        clearTimeout(watch);
        watch = setTimeout(() => request.abort(), SILENCE);
        for (const event of reader.push(decoder.decode(value, { stream: true }))) {
          if (event.id !== null) this.#lastID = event.id;
          this.listener.event(event);
        }
      }
    } catch {
      // The node stopped, the laptop slept or the watch barked: all mean "connect again".
    } finally {
      clearTimeout(watch);
      request.abort();
    }
  }
}
