// The player's own word lists, as far as they do not stand in the state: words, files to read, files to save.

import { inWords } from "./text.js";
import { save } from "./save.js";

/** What the node reads; every other file is taken for lines of text. */
const FORMATS = /** @type {const} */ (["txt", "csv", "json"]);

/**
 * @param {string} api
 * @param {() => Record<string, string>} headers
 * @returns {import("../screens/lists-types").ListActions}
 */
export function listActions(api, headers) {
  /**
   * @param {string} path
   * @param {RequestInit} [options]
   * @returns {Promise<any>}
   */
  async function ask(path, options = {}) {
    try {
      const answer = await fetch(`${api}words/${path}`, { ...options, headers: headers() });
      const body = await answer.json();
      return answer.ok ? body : { message: inWords(body.message) };
    } catch {
      return { message: null };
    }
  }
  return {
    words: (list) => ask(String(list)),
    save: (list, format) => save(`${api}words/${list}/${format}`, headers()),
    preview(file) {
      const ending = /\.([a-z]+)$/i.exec(file.name)?.[1].toLowerCase() ?? "";
      const format = ending === "tsv" ? "csv" : FORMATS.find((one) => one === ending) ?? "txt";
      return ask(`preview/${format}`, { method: "POST", body: file });
    },
  };
}
