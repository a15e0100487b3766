// The one celebration: flags, falling tiles, and a pen that circles the line. Without movement where that is asked for.

import { h } from "../../app/dom.js";

const COLOURS = ["b", "p1", "o", "p2", "p3"];

/** A string of flags across the page. */
export function bunting() {
  const flags = Array.from({ length: 18 }, (_, index) => {
    const x = 33 + index * (1200 / 18);
    const along = (x % 600) / 600;
    const y = Math.round(8 + 84 * along * (1 - along));
    return h("path", { class: COLOURS[index % COLOURS.length], d: `M${Math.round(x) - 16} ${y}h32l-16 32z` });
  });
  return h("svg", {
    key: "bunting", class: "bunting", viewBox: "0 0 1200 64", preserveAspectRatio: "xMidYMin slice", "aria-hidden": "true",
  }, h("path", { class: "string", d: "M0 8Q300 50 600 8Q900 50 1200 8" }), h("g", null, flags));
}

/** Tiles that rain once, to the left and right of the names. Where they lie is always the same. */
export function confetti() {
  const tiles = Array.from({ length: 18 }, (_, index) => {
    const spread = (index * 73) % 190;
    const x = index % 2 === 0 ? 12 + spread : 1188 - spread;
    const y = 20 + (index * 97) % 240;
    const size = 10 + (index * 5) % 7;
    return h("rect", {
      class: COLOURS[index % COLOURS.length], x, y, width: size, height: size, rx: 3,
      transform: `rotate(${(index * 47) % 70 - 35} ${x} ${y})`,
    });
  });
  return h("svg", { class: "confetti", viewBox: "0 0 1200 300", preserveAspectRatio: "xMidYMid slice", "aria-hidden": "true" },
    tiles);
}

/**
 * A line drawn by hand around a row of height 20, from y 0 to 20 and x 0 to 100: one start, then curves.
 * @type {[number, number][]}
 */
const PEN = [
  [8, 0.8], [30, -0.7], [70, -0.6], [96, -0.1], [101, 0.1], [101.3, 4], [101, 10], [100.7, 16], [101, 20], [96, 20.2],
  [70, 20.8], [30, 20.6], [4, 20.2], [-0.8, 20], [-1, 16], [-0.8, 10], [-0.6, 4], [-1, 0], [5, -0.4], [9, -0.7],
  [14, -1], [19, -0.1],
];

/**
 * What the pen circles: one line, or the lines that a figure is made of. Corners and a whole board are not circled.
 * @param {import("../../types").Direction} direction
 * @param {number} index which row, column or diagonal, from 0
 * @param {number} size of the board
 * @returns {["row" | "column" | "diagonal", number][]}
 */
function strokes(direction, index, size) {
  switch (direction) {
  case "cross": return [["diagonal", 0], ["diagonal", 1]];
  case "frame": return [["row", 0], ["column", size - 1], ["row", size - 1], ["column", 0]];
  case "corners":
  case "blackout": return [];
  default: return [[direction, index]];
  }
}

/** The diagonal of a square of 100. */
const DIAGONAL = 100 * Math.SQRT2;

/**
 * @param {import("../../types").Direction} direction
 * @param {number} index
 * @param {number} size of the board
 */
export function lasso(direction, index, size) {
  const width = 100 / size;
  return strokes(direction, index, size).map(([way, at]) => {
    const points = PEN.map(([along, across]) => {
      const side = at * width + (across / 20) * width;
      // A diagonal is a row around the axis, turned into its corner.
      const [x, y] = way === "row" ? [along, side] : way === "column" ? [side, along]
        : [(along / 100) * DIAGONAL, (across / 20 - 0.5) * width];
      return `${x.toFixed(1)} ${y.toFixed(1)}`;
    });
    return h("svg", { key: `lasso-${way}-${at}`, class: "lasso", viewBox: "0 0 100 100", preserveAspectRatio: "none", "aria-hidden": "true" },
      h("path", {
        pathLength: 1, d: `M${points[0]}C${points.slice(1).join(" ")}`,
        transform: way !== "diagonal" ? null : at === 0 ? "rotate(45)" : "translate(100) rotate(135)",
      }));
  });
}
