// The result to be shown to others: as a few lines of text for a chat, and as a picture.

import { namesText, plain, t, took } from "../../app/text.js";
import { playerNames } from "../../components/parts.js";

/** Width of the picture, its margin and the height of its head, in pixels. */
const WIDTH = 1080;
const MARGIN = 60;
const HEAD = 280;
const FOOT = 90;

/** Open, marked, winning: told apart by shape, not only by colour. */
const OPEN = "⬜";
const MARKED = "🟦";
const WINNING = "⭐";

/**
 * @param {{ marked: boolean, winning: boolean }[]} tiles row by row
 * @returns {string} a line a row
 */
function boardText(tiles) {
  const size = Math.round(Math.sqrt(tiles.length));
  return Array.from({ length: size }, (_, row) =>
    tiles.slice(row * size, (row + 1) * size)
      .map((tile) => (tile.winning ? WINNING : tile.marked ? MARKED : OPEN)).join("")).join("\n");
}

/**
 * What is said of a result in a chat: who won what, and the shape of the board without its words.
 * @param {import("../../types").Table} table
 * @param {import("../../types").Result} found
 * @returns {string}
 */
export function shareText(table, found) {
  const board = shown(table, found);
  const lines = [t("share.title", { title: plain(table.title) }), outcome(table, found)];
  return [...lines, ...(board ? [boardText(board.tiles)] : [])].join("\n");
}

/**
 * The board worth showing: the first winner's, else anybody's.
 * @param {import("../../types").Table} table
 * @param {import("../../types").Result} found
 */
function shown(table, found) {
  return found.boards.find((board) => board.player === found.winners[0]) ?? found.boards[0] ?? null;
}

/**
 * @param {import("../../types").Table} table
 * @param {import("../../types").Result} found
 */
function outcome(table, found) {
  if (found.winners.length === 0) return t("share.nobody");
  const who = namesText(playerNames(table, found.winners));
  if (found.kind === "settled") return t("share.closest", { who });
  if (found.kind === "lastPlayer") return t("tell.lastPlayer", { who });
  return `${t("tell.bingo", { who, n: found.winners.length })} ${took("share.afterSoon", "share.after", found.seconds)}`;
}

/**
 * Draws the winning board.
 * @param {import("../../types").Table} table
 * @param {import("../../types").Result} found
 * @returns {Promise<Blob | null>} a PNG; null where the browser cannot make one
 */
export function sharePicture(table, found) {
  const board = shown(table, found);
  const size = board ? Math.round(Math.sqrt(board.tiles.length)) : 0;
  const canvas = document.createElement("canvas");
  canvas.width = WIDTH;
  canvas.height = HEAD + (board ? WIDTH - 2 * MARGIN : 0) + FOOT;
  const pen = canvas.getContext("2d");
  if (!pen) return Promise.resolve(null);
  const look = looks();
  pen.fillStyle = look.paper;
  pen.fillRect(0, 0, canvas.width, canvas.height);
  pen.fillStyle = look.ink;
  pen.textBaseline = "middle";
  text(pen, t("share.title", { title: plain(table.title) }), MARGIN, 80, WIDTH - 2 * MARGIN, 40, look.text);
  text(pen, outcome(table, found), MARGIN, 185, WIDTH - 2 * MARGIN, 52, look.slab, 2);
  if (board) {
    const edge = (WIDTH - 2 * MARGIN) / size;
    board.tiles.forEach((tile, index) => drawTile(pen, look, tile,
      MARGIN + (index % size) * edge, HEAD + Math.floor(index / size) * edge, edge));
  }
  pen.fillStyle = look.quiet;
  text(pen, t("share.foot"), MARGIN, canvas.height - FOOT / 2, WIDTH - 2 * MARGIN, 28, look.text);
  return new Promise((resolve) => canvas.toBlob(resolve, "image/png"));
}

/** Colours and faces of the page as it is now. */
function looks() {
  // Only a colour that stands on an element is worked out; a token alone is the text of it.
  const probe = document.createElement("i");
  document.body.append(probe);
  const read = (/** @type {string} */ name) => {
    probe.style.setProperty("color", `var(--${name})`);
    return getComputedStyle(probe).color;
  };
  const root = getComputedStyle(document.documentElement);
  const found = {
    paper: read("paper"), ink: read("ink"), quiet: read("ink-2"), tile: read("tile"), line: read("line-strong"),
    blue: read("blue"), onBlue: read("on-blue"), orange: read("orange"),
    text: root.getPropertyValue("--text"), slab: root.getPropertyValue("--slab"),
  };
  probe.remove();
  return found;
}

/**
 * @param {CanvasRenderingContext2D} pen
 * @param {ReturnType<typeof looks>} look
 * @param {import("../../types").Result["boards"][number]["tiles"][number]} tile
 * @param {number} x
 * @param {number} y
 * @param {number} edge
 */
function drawTile(pen, look, tile, x, y, edge) {
  const [left, top] = [x + edge * 0.04, y + edge * 0.04];
  const [right, bottom] = [x + edge * 0.96, y + edge * 0.96];
  const round = edge * 0.08;
  pen.beginPath();
  pen.moveTo(left + round, top);
  pen.arcTo(right, top, right, bottom, round);
  pen.arcTo(right, bottom, left, bottom, round);
  pen.arcTo(left, bottom, left, top, round);
  pen.arcTo(left, top, right, top, round);
  pen.closePath();
  pen.fillStyle = tile.marked ? look.blue : look.tile;
  pen.fill();
  pen.lineWidth = tile.winning ? edge * 0.05 : 2;
  pen.strokeStyle = tile.winning ? look.orange : look.line;
  pen.stroke();
  pen.fillStyle = tile.marked ? look.onBlue : look.ink;
  pen.textAlign = "center";
  const word = tile.word === "" ? t("tile.free") : tile.word;
  text(pen, word, x + edge / 2, y + edge * (tile.marked ? 0.44 : 0.5), edge * 0.84, edge * 0.15, look.text, 4);
  // Marked tiles are told by a shape too.
  if (tile.marked) text(pen, tile.winning ? "★" : "✓", x + edge / 2, y + edge * 0.84, edge, edge * 0.14, look.text);
  pen.textAlign = "start";
}

/**
 * Writes a text in at most so many lines, smaller where it is long.
 * @param {CanvasRenderingContext2D} pen
 * @param {string} words
 * @param {number} x
 * @param {number} y the middle of it
 * @param {number} width
 * @param {number} height of a letter
 * @param {string} family
 * @param {number} most
 */
function text(pen, words, x, y, width, height, family, most = 1) {
  for (let size = height; ; size *= 0.9) {
    pen.font = `600 ${size}px ${family}`;
    const lines = broken(pen, words, width);
    const fits = lines.length <= most && lines.every((line) => pen.measureText(line).width <= width);
    if (!fits && size > height * 0.35) continue;
    lines.slice(0, most).forEach((line, index) =>
      pen.fillText(line, x, y + (index - (Math.min(lines.length, most) - 1) / 2) * size * 1.2, width));
    return;
  }
}

/**
 * @param {CanvasRenderingContext2D} pen
 * @param {string} words
 * @param {number} width
 * @returns {string[]}
 */
function broken(pen, words, width) {
  /** @type {string[]} */
  const lines = [];
  for (const word of words.split(/\s+/)) {
    const last = lines.at(-1);
    if (last !== undefined && pen.measureText(`${last} ${word}`).width <= width) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}
