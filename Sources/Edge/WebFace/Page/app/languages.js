// In which languages the page speaks, and which one at first.

/** Each by its own name, for who cannot read the others. */
export const LANGUAGES = [
  { tag: "en", name: "English" },
  { tag: "zh-Hant", name: "繁體中文" },
];

/**
 * The language that somebody chose, else the first of the browser's that there is, else English.
 * @param {unknown} chosen what this browser remembers
 * @param {readonly string[]} wished the browser's, best first
 * @returns {string}
 */
export function languageFor(chosen, wished) {
  if (LANGUAGES.some((one) => one.tag === chosen)) return String(chosen);
  for (const wish of wished) {
    const primary = wish.toLowerCase().split("-")[0];
    const found = LANGUAGES.find((one) => one.tag.toLowerCase().split("-")[0] === primary);
    if (found) return found.tag;
  }
  return LANGUAGES[0].tag;
}
