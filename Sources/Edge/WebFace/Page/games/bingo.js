// Meeting bingo's page: settings in the lobby, board, result.

export { board } from "./bingo/board.js";
export { howTo } from "./bingo/how-to.js";
export { result } from "./bingo/result.js";
export { lengthChoice, PRESETS, rulesChoice, settings } from "./bingo/settings.js";
