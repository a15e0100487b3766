// All sentences of the page live in locales/*.json; code names them by key. A message is a text with {places},
// or one text per plural form chosen by the number `n`.

/** @typedef {string | Record<string, string>} Message */

/** The files of a language: what is said everywhere, then by screen and by game. Whoever adds a file names it here. */
const PARTS = ["", "-home", "-network", "-lobby", "-table", "-board", "-result", "-lists", "-quoridor"];

/** @type {Record<string, Message>} */
let catalog = {};
let plural = new Intl.PluralRules("en");

/**
 * Loads the sentences of a language.
 * @param {string} language a BCP 47 tag that has files in locales/
 */
export async function loadText(language) {
  const parts = await Promise.all(PARTS.map(async (part) => {
    const answer = await fetch(new URL(`../locales/${language}${part}.json`, import.meta.url));
    if (!answer.ok) throw new Error(`locales/${language}${part}.json: ${answer.status}`);
    return answer.json();
  }));
  catalog = Object.assign({}, ...parts);
  plural = new Intl.PluralRules(language);
  document.documentElement.lang = language;
}

/**
 * @param {string} key
 * @param {Record<string, any>} params
 * @returns {string}
 */
function message(key, params) {
  const found = catalog[key];
  if (typeof found === "string") return found;
  if (found === undefined) return key;
  return found[plural.select(Number(params.n))] ?? found.other ?? key;
}

/**
 * The sentence for a key as plain text, for names and titles.
 * @param {string} key
 * @param {Record<string, string | number>} [params]
 * @returns {string}
 */
export function t(key, params = {}) {
  return message(key, params).replace(/\{(\w+)\}/g, (place, name) =>
    name in params ? String(params[name]) : place);
}

/**
 * The sentence for a key with views in its places, for what is shown.
 * @param {string} key
 * @param {Record<string, import("../types").Child>} params
 * @returns {import("../types").Child[]}
 */
export function tx(key, params) {
  return message(key, params).split(/\{(\w+)\}/).map((part, index) =>
    index % 2 === 0 ? part : params[part] ?? `{${part}}`);
}

/** The end of a syllable: a vowel and what follows it, up to the sound that starts the next one. */
const SYLLABLE = /[aeiouy][^aeiouy]*?(?=(?:[bcdfgkpt][lr]|[cgpstw]h|[^aeiouy])[aeiouy])/gi;

/**
 * Soft hyphens for long words, so that a narrow tile breaks them between two syllables, and places to break behind
 * underscores and slashes. Some browsers have no dictionary to hyphenate by, and would break anywhere.
 * @param {string} text
 * @returns {string}
 */
export function soften(text) {
  return text.replace(/[a-z]{6,}/gi, syllables).replace(/[_/\\]+(?=.)/g, "$&\u200b");
}

/** @param {string} word */
function syllables(word) {
  return word.replace(SYLLABLE, (part, /** @type {number} */ from) => {
    const end = from + part.length;
    return end < 2 || word.length - end < 3 ? part : `${part}\u00ad`;
  });
}

/** Letters that are written from right to left, and the invisible marks that turn a line around. */
const TURNS = /[\u0590-\u08ff\u200e\u200f\u202a-\u202e\u2066-\u2069\ufb1d-\ufdff\ufe70-\ufefc]/;

/**
 * A typed word inside plain text: fenced in if it could turn the sentence around it.
 * @param {string} word
 * @returns {string}
 */
export function plain(word) {
  return TURNS.test(word) ? `\u2068${word}\u2069` : word;
}

/**
 * How names are joined. The sentences of the page put no comma before "and"; plain "en" would.
 * @param {"conjunction" | "disjunction"} type
 */
export function listFormat(type) {
  const language = document.documentElement.lang || "en";
  return new Intl.ListFormat(language === "en" ? "en-GB" : language, { type });
}

/**
 * "Ana", "Ana and Bo", "Ana, Bo and Cy" as plain text.
 * @param {string[]} names
 * @param {"conjunction" | "disjunction"} [type] "disjunction" joins with "or"
 * @returns {string}
 */
export function namesText(names, type = "conjunction") {
  return listFormat(type).format(names.map(plain));
}
