// All sentences of the page live in locales/*.json; code names them by key. A message is a text with {places},
// or one text per plural form chosen by the number `n`.

/** @typedef {string | Record<string, string>} Message */

/** @type {Record<string, Message>} */
let catalog = {};
/**
 * What the node says: the English sentence, and what stands for it in this language.
 * @type {Record<string, string>}
 */
let sentences = {};
/** @type {{ pattern: RegExp, text: string }[]} */
let patterns = [];
let plural = new Intl.PluralRules("en");
let numbers = new Intl.NumberFormat("en");

/**
 * Loads the sentences of a language.
 * @param {string} language a BCP 47 tag that has files in locales/
 */
export async function loadText(language) {
  // All files of the language in one, each by what its name has behind the language; `-node` is what the node says.
  const answer = await fetch(new URL(`../locales/${language}.all.json`, import.meta.url));
  if (!answer.ok) throw new Error(`locales/${language}.all.json: ${answer.status}`);
  const { "-node": node = {}, ...parts } = await answer.json();
  sentences = node;
  patterns = Object.entries(sentences).filter(([sentence]) => /\{\w+\}/.test(sentence))
    .map(([sentence, text]) => ({ pattern: finder(sentence), text }));
  catalog = Object.assign({}, ...Object.values(parts));
  joins.clear();
  plural = new Intl.PluralRules(language);
  numbers = new Intl.NumberFormat(language);
  document.documentElement.lang = language;
  document.documentElement.dir = /^(ar|dv|fa|he|ku|ps|ur|yi)\b/.test(language) ? "rtl" : "ltr";
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
    name in params ? written(params[name]) : place);
}

/**
 * The sentence that tells how long something took: in seconds under a minute, else in minutes that have begun.
 * @param {string} inSeconds
 * @param {string} inMinutes
 * @param {number} seconds
 * @returns {string}
 */
export function took(inSeconds, inMinutes, seconds) {
  return seconds < 60 ? t(inSeconds, { n: seconds }) : t(inMinutes, { n: Math.ceil(seconds / 60) });
}

/**
 * A number as the language writes it; years and codes come as text.
 * @param {string | number} value
 * @returns {string}
 */
function written(value) {
  return typeof value === "number" ? numbers.format(value) : value;
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
 * What the node says in English, in the language of the page; as it came where that has no sentence for it.
 * @param {string} message
 * @returns {string}
 */
export function inWords(message) {
  if (message in sentences) return sentences[message];
  for (const { pattern, text } of patterns) {
    const found = pattern.exec(message);
    if (found) return text.replace(/\{(\w+)\}/g, (place, name) => listed(name, found.groups?.[name] ?? place));
  }
  return message;
}

/**
 * Names that the node has joined in English, joined as this language does.
 * @param {string} place
 * @param {string} text
 */
function listed(place, text) {
  return place === "names" || place === "who" ? listFormat(/ or /.test(text) ? "disjunction" : "conjunction")
    .format(text.split(/, | and | or /)) : text;
}

/**
 * An English sentence with {places} as what finds it, whatever stands in them.
 * @param {string} sentence
 */
function finder(sentence) {
  const parts = sentence.split(/\{(\w+)\}/);
  return new RegExp(`^${parts.map((part, index) =>
    (index % 2 === 1 ? `(?<${part}>.+?)` : part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"))).join("")}$`, "su");
}

/** @type {Map<string, Intl.ListFormat>} */
const joins = new Map();

/**
 * How names are joined. The sentences of the page put no comma before "and"; plain "en" would.
 * @param {"conjunction" | "disjunction"} type
 */
export function listFormat(type) {
  const language = document.documentElement.lang || "en";
  const found = joins.get(type) ?? new Intl.ListFormat(language === "en" ? "en-GB" : language, { type });
  joins.set(type, found);
  return found;
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
