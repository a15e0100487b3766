// What happened at a table of Quoridor that a player would want to be told.

import { namesText, plain, t } from "../../app/text.js";
import { playerNames } from "../../components/parts.js";
import { QUESTIONS } from "./tools.js";

/**
 * @param {import("../../types").Table} old
 * @param {import("../../types").Table} table
 * @returns {import("../../types").Happening[]}
 */
export function happenings(old, table) {
  /** @type {import("../../types").Happening[]} */
  const found = [];
  /**
   * @param {import("../../types").Happening["kind"]} kind
   * @param {string | number} id
   * @param {string} text
   * @param {import("../../types").Happening["tune"]} [tune]
   */
  const add = (kind, id, text, tune) => found.push({ kind, id: `${table.id}-${kind}-${id}`, text, table: table.id, tune });
  if (table.phase === "over" && old.phase !== "over" && table.result) {
    add(table.result.kind === "line" ? "bingo" : "over", "", overText(table, table.result), overTune(table, table.result));
    return found;
  }
  const before = old.quoridor?.board;
  const board = table.quoridor?.board;
  // Who looks on is not called.
  if (!board || board.mine === null || table.phase !== "playing") return found;
  const isNew = !before || before.turn !== board.turn;
  if (isNew) {
    const said = before ? lastTurn(table, board) : "";
    const mine = board.toMove !== null && board.toMove === board.mine;
    const tune = turnTune(before, board);
    if (mine) add("turn", board.turn, [said, t("duel.yourTurn")].filter(Boolean).join(" "), tune);
    // What I do myself is heard, and not told.
    else add("turn", board.turn, said, tune);
  }
  if (board.asked?.mayAnswer && !before?.asked?.mayAnswer) {
    add("asked", board.turn, t(QUESTIONS[board.asked.question][1],
      { who: namesText(playerNames(table, [board.asked.by])) }));
  }
  return found;
}

/**
 * @param {import("../../types").Table} table
 * @param {import("./types").QuoridorBoard} board
 */
function lastTurn(table, board) {
  const last = board.turns.at(-1);
  if (!last || last.side === board.mine) return "";
  const who = plain(playerNames(table, [board.players[last.side]])[0]);
  return t(last.ranOut ? "duel.didNothing" : last.move === "pass" ? "duel.passed" : "duel.played", { who, move: last.move });
}

/**
 * A step and a wall sound differently.
 * @param {import("./types").QuoridorBoard | null | undefined} before
 * @param {import("./types").QuoridorBoard} board
 */
function turnTune(before, board) {
  const last = board.turns.at(-1);
  if (!before || !last || last.ranOut || board.turns.length <= before.turns.length) return undefined;
  return last.move.length === 3 ? "wall" : "step";
}

/**
 * @param {import("../../types").Table} table
 * @param {import("../../types").Result} result
 */
function overTune(table, result) {
  if (result.winners.length === 0) return "decided";
  const me = table.seats.find((seat) => seat.me);
  return !me || result.winners.includes(me.player) ? "bingo" : "lost";
}

/**
 * @param {import("../../types").Table} table
 * @param {import("../../types").Result} result
 */
function overText(table, result) {
  if (result.winners.length === 0) return t(result.kind === "drawn" ? "duel.drawn" : "tell.unfinished");
  return t("duel.wonTitle", { who: namesText(playerNames(table, result.winners)) });
}
