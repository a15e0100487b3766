// Meeting bingo's page: hero on Home, New table, lobby, board, result.

export { board } from "./bingo/board.js";
export { expect } from "./bingo/expect.js";
export { happenings } from "./bingo/happenings.js";
export { hero, openText } from "./bingo/home.js";
export { howTo } from "./bingo/how-to.js";
export { lobby } from "./bingo/lobby.js";
export { newTable } from "./bingo/new-table.js";
export { past } from "./bingo/past.js";
export { result } from "./bingo/result.js";
export { settings } from "./bingo/settings.js";

/** Sentences of this game: what its screens are called. */
export const titles = { new: "new.title", won: "table.wonTitle", rules: "lobby.rules", quit: "quit.text" };
