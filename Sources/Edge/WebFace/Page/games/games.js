// Which module draws which game. A game is added by one module with the same four functions, and one line here.

import * as bingo from "./bingo.js";

/**
 * @typedef {(model: import("../types").Model, table: import("../types").Table) => import("../types").Child} Part
 * @typedef {{ settings: Part, board: Part, result: Part, howTo: Part }} GamePage
 */

/** @type {Record<string, GamePage | undefined>} */
export const games = { bingo };
