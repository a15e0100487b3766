// The hand that moves: whose it is, what it may do, what its wall would do, and the move itself.

import { plain, t } from "../../app/text.js";
import { playerNames } from "../../components/parts.js";
import { misfit, way } from "./geometry.js";

/** @typedef {import("../../types").Model} Model */
/** @typedef {import("../../types").Table} Table */
/** @typedef {import("./types").QuoridorBoard} Board */

/**
 * Whose pawn is moved from this page: mine, or at a table for people at one laptop that of whoever is to move.
 * @param {Table} table
 * @param {Board} board
 */
export function hand(table, board) {
  return table.pretend && table.quoridor?.settings.opponent === 0 ? board.toMove : board.mine;
}

/**
 * Whether a move can be chosen now.
 * @param {Table} table
 * @param {Board} board
 */
export function mayMove(table, board) {
  return board.toMove !== null && board.toMove === hand(table, board) && board.sending === null;
}

/** @param {Table} table @param {Board} board */
export function names(table, board) {
  return playerNames(table, board.players);
}

/**
 * Sends a move, once.
 * @param {Model} model
 * @param {Table} table
 * @param {Board} board
 * @param {string} move
 */
export function send({ actions, ui }, table, board, move) {
  actions.set({ play: { ...ui.play, wall: null, sure: false, at: move.length === 2 ? move : ui.play.at } });
  void actions.act("move", { table: table.id, move, turn: board.turn });
}

/**
 * What the wall that is being placed would do, in sentences.
 * @param {Table} table
 * @param {Board} board
 * @param {string} wall
 */
export function effect(table, board, wall) {
  if (!board.slots.includes(wall)) {
    const side = board.toMove ?? 0;
    return board.left[side] === 0 ? t("duel.noWalls") : t(misfit(board.walls, wall));
  }
  const all = names(table, board);
  return board.players.map((_, side) => {
    const pawn = board.pawns[side];
    if (pawn === null) return "";
    const steps = (way(board.players.length, side, pawn, [...board.walls, wall])?.length ?? 1) - 1;
    const old = board.steps[side];
    const who = plain(all[side]);
    if (side === hand(table, board)) {
      return steps === old ? t("duel.youKeep", { n: steps }) : t("duel.youNeed", { n: steps, old });
    }
    return steps === old ? t("duel.keeps", { who, n: steps }) : t("duel.needs", { who, n: steps, old });
  }).filter(Boolean).join(" ");
}

/** @param {string} wall */
export function turnedWall(wall) {
  return `${wall.slice(0, 2)}${wall[2] === "h" ? "v" : "h"}`;
}
