// What a list of words amounts to before the table has it. The table counts again by its own rules; this only shows a
// person, while typing, what to expect.

/** Longest word in characters, and most words of one table. */
export const WORD_LENGTH = 60;
export const WORDS_MOST = 500;

const segmenter = typeof Intl.Segmenter === "function" ? new Intl.Segmenter() : null;

/**
 * Characters as a person counts them: a flag or a family is one.
 * @param {string} text
 */
function length(text) {
  return segmenter ? [...segmenter.segment(text)].length : [...text].length;
}

/**
 * What two spellings of one word have in common: case, width, spaces and punctuation around it do not count.
 * @param {string} word
 */
export function sameness(word) {
  const folded = word.normalize("NFKC").toLowerCase().replace(/\s+/g, " ");
  return folded.replace(/^[\s\p{P}]+|[\s\p{P}]+$/gu, "") || folded.trim();
}

/**
 * @typedef {{ words: string[], duplicates: number, tooLong: string[], left: string[] }} Merged
 */

/**
 * Merges lists in order; the first spelling stays.
 * @param {string[][]} lists
 * @returns {Merged} `left`: those that did not fit any more
 */
export function merge(...lists) {
  /** @type {Merged} */
  const merged = { words: [], duplicates: 0, tooLong: [], left: [] };
  const seen = new Set();
  for (const word of lists.flat()) {
    const key = sameness(word);
    if (length(word) > WORD_LENGTH) merged.tooLong.push(word);
    else if (seen.has(key)) merged.duplicates += 1;
    else if (merged.words.length >= WORDS_MOST) merged.left.push(word);
    else {
      seen.add(key);
      merged.words.push(word);
    }
  }
  return merged;
}

/**
 * One word a line; empty lines and lines that start with # are skipped.
 * @param {string} text
 * @returns {string[]}
 */
export function lines(text) {
  return text.split(/\r\n|\r|\n/).map((line) => line.replace(/^\uFEFF/, "").trim())
    .filter((line) => line !== "" && !line.startsWith("#"));
}
