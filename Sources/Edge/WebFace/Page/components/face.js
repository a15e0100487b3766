// A face for a key. Pure: the same key gives the same picture on every laptop, without a request.
// The seed is the public key, never the name, so two people called Ana look different.

import { h } from "../app/dom.js";

const SVG = "http://www.w3.org/2000/svg";

const GROUND = ["#2f7f86", "#7a4e8c", "#b5533c", "#5f7d3a", "#a8741a", "#51657f", "#b44a6b", "#3a4e9a"];
const HEAD = ["#f8dd97", "#b4dfca", "#d8c7f3", "#f8c4ae", "#b9d9f4", "#f4bccb", "#ead8b8", "#cfe0a0"];
const INK = ["#33264a", "#173a4a", "#4a231a", "#263d24", "#1b2850", "#472d0b"];

const HAIR = [
  "",                                                                                              // none
  "M9 26a15 15 0 0 1 30 0c-5-1-9-3-11-7-3 4-10 7-19 7z",                                           // parting
  "M10 23a6 6 0 0 1 4-9 6 6 0 0 1 10-3 6 6 0 0 1 10 3 6 6 0 0 1 4 9c-6-4-22-4-28 0z",              // curls
  "M9 25a15 15 0 0 1 30 0zM6 23h36v4H6z",                                                          // cap
  "M20 9a4 4 0 1 1 8 0 4 4 0 0 1-1 2.600A15 15 0 0 1 39 25c-9-5-21-5-30 0a15 15 0 0 1 12-13.400z", // bun
  "M9 25l3-11 5 4 3-8 5 6 5-7 2 8 6-2 1 10c-8-4-22-4-30 0z",                                       // tufts
];

/**
 * Solid shapes and, after the bar, lines.
 * @type {[string, string][]}
 */
const EYES = [
  ["M16.5 29a2 2 0 1 0 4 0 2 2 0 1 0-4 0M27.5 29a2 2 0 1 0 4 0 2 2 0 1 0-4 0", ""],
  ["M16.800 29a1.700 2.800 0 1 0 3.400 0 1.700 2.800 0 1 0-3.400 0M27.800 29a1.700 2.800 0 1 0 3.400 0 1.700 2.800 0 1 0-3.400 0", ""],
  ["", "M15.5 30q3-4 6 0M26.5 30q3-4 6 0"],
  [
    "M16.600 29a1.400 1.400 0 1 0 2.800 0 1.400 1.400 0 1 0-2.800 0M28.600 29a1.400 1.400 0 1 0 2.800 0 1.400 1.400 0 1 0-2.800 0",
    "M14 29a4 4 0 1 0 8 0 4 4 0 1 0-8 0M26 29a4 4 0 1 0 8 0 4 4 0 1 0-8 0M22 29h4",
  ],
  ["M16.5 29a2 2 0 1 0 4 0 2 2 0 1 0-4 0", "M26.5 29h6"],
];

/** @type {[string, string][]} */
const MOUTH = [
  ["", "M19.5 34.500q4.5 4 9 0"],
  ["M18.5 34h11a5.5 5.5 0 0 1-11 0z", ""],
  ["", "M20 36q5 1 8-2"],
  ["M22 35.5a2 2 0 1 0 4 0 2 2 0 1 0-4 0", ""],
];

/**
 * Numbers that pick the parts: 32-bit FNV-1a over the seed, stepped once a choice. No security measure.
 * @param {string} seed
 * @returns {() => number}
 */
function choices(seed) {
  let state = 0x811c9dc5;
  /** @param {number} byte */
  const mix = (byte) => { state = Math.imul(state ^ byte, 0x01000193) >>> 0; };
  for (const byte of new TextEncoder().encode(seed)) mix(byte);
  return () => {
    mix(0x5a);
    return (state ^ (state >>> 15)) >>> 0;
  };
}

/**
 * @param {Element} parent
 * @param {string} tag
 * @param {Record<string, string | number>} attributes
 * @returns {Element}
 */
function draw(parent, tag, attributes) {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
  parent.append(element);
  return element;
}

/**
 * Draws the face of a key.
 * @param {string} seed
 * @returns {SVGSVGElement}
 */
export function drawFace(seed) {
  const next = choices(seed);
  /** @template T @param {T[]} list @returns {T} */
  const pick = (list) => list[next() % list.length];
  const ground = pick(GROUND);
  const head = pick(HEAD);
  const ink = pick(INK);
  const turn = pick([0, 90, 180, 270]);      // which corner of the speech bubble is the tail
  const hair = pick(HAIR);
  const eyes = pick(EYES);
  const mouth = pick(MOUTH);

  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("viewBox", "0 0 48 48");
  svg.setAttribute("aria-hidden", "true");
  svg.setAttribute("fill", ink);
  draw(svg, "path", {
    d: "M24 0a24 24 0 0 1 0 48H5a5 5 0 0 1-5-5V24A24 24 0 0 1 24 0z", fill: ground, transform: `rotate(${turn} 24 24)`,
  });
  draw(svg, "circle", { cx: 24, cy: 27, r: 15, fill: head });
  if (hair) draw(svg, "path", { d: hair });
  for (const [solid, line] of [eyes, mouth]) {
    if (solid) draw(svg, "path", { d: solid });
    if (line) {
      draw(svg, "path", { d: line, fill: "none", stroke: ink, "stroke-width": 2, "stroke-linecap": "round" });
    }
  }
  return svg;
}

/** `<tt-face seed="KEY">`: a picture that goes with a name beside it, so it has no name of its own. */
class Face extends HTMLElement {
  static observedAttributes = ["seed"];

  attributeChangedCallback() {
    this.replaceChildren(drawFace(this.getAttribute("seed") ?? ""));
  }
}
customElements.define("tt-face", Face);

/**
 * @param {string} key whose face
 * @param {string} [size] "s", "l", "xl" or nothing
 * @param {boolean} [away] drawn grey
 * @returns {import("../types").View}
 */
export function face(key, size = "", away = false) {
  const names = ["face", size, away ? "is-away" : ""].filter(Boolean).join(" ");
  return h("tt-face", { key: `face-${key}`, seed: key, class: names, own: true, "aria-hidden": "true" });
}
