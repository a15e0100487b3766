// Quoridor's page: hero on Home, New table, lobby, board, result.

export { board } from "./quoridor/board.js";
export { dialog } from "./quoridor/tools.js";
export { expect } from "./quoridor/expect.js";
export { happenings } from "./quoridor/happenings.js";
export { hero, openText } from "./quoridor/home.js";
export { howTo } from "./quoridor/how-to.js";
export { lobby, settings } from "./quoridor/settings.js";
export { newTable } from "./quoridor/new-table.js";
export { past, result } from "./quoridor/result.js";

/** Sentences of this game: what its screens are called. */
export const titles = { new: "duel.new", won: "duel.wonTitle", rules: "duel.rules", quit: "duel.quitText" };
