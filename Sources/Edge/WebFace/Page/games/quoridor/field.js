// The board as a picture that is also a grid for screen readers: 81 cells, one tab stop, walls in the grooves. It shows
// what it is given and tells what was pressed; what a press means is not decided here.

import { h } from "../../app/dom.js";
import { plain, t } from "../../app/text.js";
import { closed, isClosed, isGoal, isOnBoard, lookedAt, place, seen, seenWall, SIZE, square, wallAt, way } from "./geometry.js";

/** Sizes of the picture, in its own units: a square, a square with its groove, and where the first one is. */
const [TILE, STEP, LEFT, TOP] = [10, 12.4, 5, 4];

/**
 * @typedef {object} Scene
 * @property {number} turned quarter turns
 * @property {number} players
 * @property {(string | null)[]} pawns
 * @property {string[]} names of the players in the order of turns, plain text
 * @property {number | null} mine
 * @property {number | null} toMove
 * @property {string[]} walls
 * @property {string | null} last the last move
 * @property {string[]} legal squares to be marked
 * @property {number[]} ways whose shortest ways are drawn
 * @property {{ wall: string, fits: boolean } | null} preview
 * @property {string} at the square with the tab stop
 * @property {string} name
 */

/**
 * @typedef {object} Presses
 * @property {(square: string) => void} onSquare
 * @property {(wall: string) => void} onWall
 * @property {(key: string, square: string) => boolean} onKey whether the key meant something
 */

/** @param {number} index */
const x = (index) => LEFT + index * STEP;
/** @param {number} index */
const y = (index) => TOP + index * STEP;

/**
 * @param {Scene} scene
 * @param {(square: string) => void} onStop the focus has come to a square: it is the tab stop from now on
 * @param {Presses | null} presses null where nothing can be done but look
 * @returns {import("../../types").View}
 */
export function field(scene, onStop, presses) {
  const edges = closed(scene.walls);
  const rows = Array.from({ length: SIZE }, (_, down) => h("g", { role: "row" },
    Array.from({ length: SIZE }, (_unused, along) => cell(scene, edges, along, down))));
  return h("svg", {
    class: presses ? "q-board" : "q-board still", viewBox: "0 0 116 120.5", role: "grid", "aria-label": scene.name,
    on: {
      click: (/** @type {MouseEvent} */ event) => { if (presses) pressed(event, scene, presses); },
      keydown: (/** @type {KeyboardEvent} */ event) => keyed(event, scene, presses),
      focusin: (/** @type {FocusEvent} */ event) => {
        const name = /** @type {Element} */ (event.target).getAttribute("data-square");
        if (name !== null && name !== scene.at) onStop(name);
      },
    },
  }, rows, h("g", { "aria-hidden": "true", class: "q-above" }, edge(scene), scene.ways.map((side) => path(scene, side)),
    scene.walls.map((wall) => bar(scene, wall, wall === scene.last ? "wall last" : "wall")),
    scene.pawns.map((pawn, side) => (pawn === null ? null : pawnView(scene, pawn, side))),
    scene.preview === null ? null
      : bar(scene, scene.preview.wall, scene.preview.fits ? "preview" : "preview misfit")));
}

/**
 * @param {Scene} scene
 * @param {Set<string>} edges
 * @param {number} along
 * @param {number} down
 */
function cell(scene, edges, along, down) {
  const here = lookedAt(scene.turned, along, down);
  const name = square(here);
  const legal = scene.legal.includes(name);
  const goals = scene.pawns.map((_, side) => side).filter((side) => isGoal(scene.players, side, here));
  const colour = goals.length === 0 ? "" : goals.includes(scene.mine ?? 0) ? `goal-${scene.mine ?? 0}` : `goal-${goals[0]}`;
  return h("g", {
    role: "gridcell", "data-square": name, tabindex: name === scene.at ? "0" : "-1",
    class: [colour, legal ? "legal" : "", scene.last === name ? "last" : ""].filter(Boolean).join(" ") || null,
    "aria-label": cellName(scene, edges, here, along, down),
  },
    h("rect", { x: x(along), y: y(down), width: TILE, height: TILE, rx: 1.5 }),
    legal ? h("circle", { cx: x(along) + TILE / 2, cy: y(down) + TILE / 2, r: 1.7 }) : null);
}

/**
 * "e4, your pawn, wall above": as the player sees it.
 * @param {Scene} scene
 * @param {Set<string>} edges
 * @param {import("./geometry.js").Place} here
 * @param {number} along
 * @param {number} down
 */
function cellName(scene, edges, here, along, down) {
  const name = square(here);
  const side = scene.pawns.indexOf(name);
  /** @param {number} aside @param {number} ahead */
  const wall = (aside, ahead) => {
    const next = lookedAt(scene.turned, along + aside, down + ahead);
    return isOnBoard(next) && isClosed(edges, here, next);
  };
  return [
    name,
    side < 0 ? "" : side === scene.mine ? t("duel.yourPawn") : t("duel.pawnOf", { who: plain(scene.names[side]) }),
    scene.legal.includes(name) ? t("duel.mayMove") : "",
    wall(0, -1) ? t("duel.wallAbove") : "", wall(1, 0) ? t("duel.wallRight") : "",
    wall(0, 1) ? t("duel.wallBelow") : "", wall(-1, 0) ? t("duel.wallLeft") : "",
  ].filter(Boolean).join(", ");
}

/**
 * A wall, lying or standing, as it is seen.
 * @param {Scene} scene
 * @param {string} wall
 * @param {string} className
 */
function bar(scene, wall, className) {
  const { x: along, y: down, lying } = seenWall(scene.turned, wall);
  const thick = className.startsWith("preview") ? 2.8 : 2;
  const middle = { x: x(along) + TILE + (STEP - TILE) / 2, y: y(down) + TILE + (STEP - TILE) / 2 };
  const long = STEP + TILE - 0.4;
  return h("rect", {
    key: `${className} ${wall}`, class: className, rx: 1,
    x: middle.x - (lying ? long : thick) / 2, y: middle.y - (lying ? thick : long) / 2,
    width: lying ? long : thick, height: lying ? thick : long,
  });
}

/** Circle, square, triangle, diamond: each side has a shape of its own besides its colour. */
const SHAPES = [
  (/** @type {number} */ cx, /** @type {number} */ cy) => h("circle", { class: "pawn-0", cx, cy, r: 3.9 }),
  (/** @type {number} */ cx, /** @type {number} */ cy) =>
    h("rect", { class: "pawn-1", x: cx - 3.6, y: cy - 3.6, width: 7.2, height: 7.2, rx: 1.2 }),
  (/** @type {number} */ cx, /** @type {number} */ cy) =>
    h("path", { class: "pawn-2", d: `M${cx} ${cy - 4.6}l4.700 8.200h-9.400z` }),
  (/** @type {number} */ cx, /** @type {number} */ cy) =>
    h("path", { class: "pawn-3", d: `M${cx} ${cy - 4.7}l4.700 4.700-4.700 4.700-4.700-4.700z` }),
];

/**
 * @param {Scene} scene
 * @param {string} pawn
 * @param {number} side
 */
function pawnView(scene, pawn, side) {
  const [along, down] = seen(scene.turned, place(pawn));
  const [cx, cy] = [x(along) + TILE / 2, y(down) + TILE / 2];
  return h("g", { key: `pawn ${side}` },
    scene.toMove === side ? h("circle", { class: "turn-ring", cx, cy, r: 4.9 }) : null,
    SHAPES[side](cx, cy),
    h("text", { class: `initial i-${side}`, x: cx, y: cy + (side === 2 ? 2.6 : 1.6) }, [...scene.names[side]][0] ?? ""));
}

/**
 * A pawn's shape by itself, for a list.
 * @param {number} side
 */
export function shape(side) {
  return h("svg", { class: "q-shape", viewBox: "0 0 10 10", "aria-hidden": "true" }, SHAPES[side](5, 5));
}

/**
 * @param {Scene} scene
 * @param {number} side
 */
function path(scene, side) {
  const pawn = scene.pawns[side];
  const squares = pawn === null ? null : way(scene.players, side, pawn, scene.walls);
  if (!squares) return null;
  const points = squares.map((one) => {
    const [along, down] = seen(scene.turned, place(one));
    return `${(x(along) + TILE / 2).toFixed(1)},${(y(down) + TILE / 2).toFixed(1)}`;
  });
  return h("polyline", { key: `way ${side}`, class: `way way-${side}`, points: points.join(" ") });
}

/**
 * Letters and digits at the edge.
 * @param {Scene} scene
 */
function edge(scene) {
  return Array.from({ length: SIZE }, (_, index) => {
    const below = square(lookedAt(scene.turned, index, 8));
    const beside = square(lookedAt(scene.turned, 0, index));
    const isUpright = scene.turned % 2 === 0;
    return [
      h("text", { x: x(index) + TILE / 2, y: 118.4 }, isUpright ? below[0] : below[1]),
      h("text", { x: 2.4, y: y(index) + TILE / 2 + 1.3 }, isUpright ? beside[1] : beside[0]),
    ];
  });
}

/**
 * A press on a square is one on that square; anywhere else it is one on the nearest groove.
 * @param {MouseEvent} event
 * @param {Scene} scene
 * @param {Presses} presses
 */
function pressed(event, scene, presses) {
  const svg = /** @type {Element} */ (event.currentTarget);
  const box = svg.getBoundingClientRect();
  const scale = 116 / box.width;
  const [px, py] = [(event.clientX - box.left) * scale - LEFT, (event.clientY - box.top) * scale - TOP];
  const [along, down] = [Math.floor(px / STEP), Math.floor(py / STEP)];
  const [fx, fy] = [px - along * STEP, py - down * STEP];
  const isInside = along >= 0 && along < SIZE && down >= 0 && down < SIZE;
  // A finger hides what it presses: near the edge of a square it means the groove, for a wall is built only by a second press.
  const slack = /** @type {PointerEvent} */ (event).pointerType === "touch" ? 1.4 : 0;
  const isOn = (/** @type {number} */ at) => at >= slack && at <= TILE - slack;
  if (isInside && isOn(fx) && isOn(fy) && scene.preview === null) {
    const name = square(lookedAt(scene.turned, along, down));
    if (scene.legal.includes(name) || scene.pawns.includes(name)) {
      presses.onSquare(name);
      return;
    }
  }
  /** @param {number} at */
  const crossing = (at) => Math.max(0, Math.min(SIZE - 2, Math.round((at - TILE - (STEP - TILE) / 2) / STEP)));
  const [cx, cy] = [crossing(px), crossing(py)];
  const middle = TILE + (STEP - TILE) / 2;
  // Nearer to the groove that lies than to the one that stands.
  const lying = Math.abs(py - (cy * STEP + middle)) <= Math.abs(px - (cx * STEP + middle));
  presses.onWall(wallAt(scene.turned, cx, cy, lying));
}

/**
 * @param {KeyboardEvent} event
 * @param {Scene} scene
 * @param {Presses | null} presses
 */
function keyed(event, scene, presses) {
  if (event.ctrlKey || event.altKey || event.metaKey) return;
  const target = /** @type {Element} */ (event.target).closest("[data-square]");
  const name = target?.getAttribute("data-square");
  if (!name) return;
  if (presses?.onKey(event.key, name)) {
    event.preventDefault();
    return;
  }
  const [along, down] = seen(scene.turned, place(name));
  const to = /** @type {Record<string, [number, number]>} */ ({
    ArrowUp: [along, down - 1], ArrowDown: [along, down + 1], ArrowLeft: [along - 1, down], ArrowRight: [along + 1, down],
    Home: [0, down], End: [SIZE - 1, down],
  })[event.key];
  if (!to) return;
  event.preventDefault();
  const next = lookedAt(scene.turned, to[0], to[1]);
  if (!isOnBoard(next)) return;
  const cell = /** @type {Element} */ (event.currentTarget).querySelector(`[data-square="${square(next)}"]`);
  if (cell instanceof SVGElement) cell.focus();
}
