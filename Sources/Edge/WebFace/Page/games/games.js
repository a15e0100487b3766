// Which module draws which game. A game is added by one module with the same parts, and one line here.

import * as bingo from "./bingo.js";
import * as quoridor from "./quoridor.js";

/**
 * @typedef {import("../types").Model} Model
 * @typedef {import("../types").Table} Table
 * @typedef {(model: Model, table: Table) => import("../types").Child} Part
 * @typedef {object} GamePage
 * @property {(model: Model, isMain: boolean) => import("../types").View} hero what Home says of the game
 * @property {(table: import("../types").OpenTable) => string} openText what is played at an open table, up to its host
 * @property {(model: Model) => import("../types").Child} newTable
 * @property {Part} settings rules in the lobby
 * @property {Part} lobby what else the lobby agrees on
 * @property {Part} board
 * @property {Part} result
 * @property {(model: Model, replay: import("../screens/history-types").GameReplay) => import("../types").Child} past a game that is over
 * @property {Part} howTo
 * @property {Part} [dialog] a question of the game's own, while one is open
 * @property {(old: Table, table: Table, fresh: number) => import("../types").Happening[]} happenings
 * @property {(table: Table, command: Record<string, any>) => Table} expect how a click shows before it is done
 * @property {{ new: string, won: string, rules: string, quit: string }} titles keys of sentences
 */

/** @type {Record<string, GamePage | undefined>} */
export const games = { bingo, quoridor };
