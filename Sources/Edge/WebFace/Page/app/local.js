// What this browser remembers. Storage can be forbidden or full; the page then simply forgets.

/**
 * @param {Storage} storage
 * @param {string} name
 * @returns {any} what was kept, or null
 */
function read(storage, name) {
  try {
    return JSON.parse(storage.getItem(`tabletalk.${name}`) ?? "null");
  } catch {
    return null;
  }
}

/**
 * @param {Storage} storage
 * @param {string} name
 * @param {any} value null forgets it
 */
function write(storage, name, value) {
  try {
    if (value === null) storage.removeItem(`tabletalk.${name}`);
    else storage.setItem(`tabletalk.${name}`, JSON.stringify(value));
  } catch {
    // Nothing to be done about it, and nothing is lost but convenience.
  }
}

/** Kept until this tab is closed; survives a reload. */
export const tab = {
  /** @param {string} name @returns {any} */
  get: (name) => read(sessionStorage, name),
  /** @param {string} name @param {any} value */
  set: (name, value) => write(sessionStorage, name, value),
};

/** Kept for this browser: theme, keys, sound. */
export const browser = {
  /** @param {string} name @returns {any} */
  get: (name) => read(localStorage, name),
  /** @param {string} name @param {any} value */
  set: (name, value) => write(localStorage, name, value),
};
