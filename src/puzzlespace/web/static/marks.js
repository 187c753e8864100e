// Marks above the board as SVG text: the chosen piece, the cells it can go to, and the hint.

import { tag, UNIT } from "./shapes.js";
import { spread, touched } from "./ways.js";

const HEAD =
  '<defs><marker id="head" viewBox="0 0 10 10" refX="7" refY="5" markerWidth="4" markerHeight="4" orient="auto">' +
  '<path d="M0,0L10,5L0,10z" class="head"/></marker></defs>';

const circle = ([x, y], radius, more) => tag("circle", { cx: x, cy: y, r: radius * UNIT, ...more });

/** Rings on the cells of a piece, dots on the cells its first cell can go to. at(cell): its middle in SVG units. */
export function choice(cells, ends, at, colours) {
  const rings = cells.map((cell) =>
    circle(at(cell), 0.42, { fill: "none", stroke: colours.ink, "stroke-width": 4, class: "ring" }),
  );
  const dots = [...ends].map((cell) =>
    circle(at(cell), 0.15, { fill: colours.ink, stroke: colours.paper, "stroke-width": 2, class: "target" }),
  );
  return rings.join("") + dots.join("");
}

/**
 * An arrow along a move of the piece that covers `cells`. For a listed move a ring on the cell to press if there is one,
 * else arrows along its cycles, or rings on the cells that it changes. slides: what it carries, if it does not say so.
 */
export function pointer(move, cells, at, press, slides = []) {
  if (move.piece === null) {
    if (press !== null) return circle(at(press), 0.42, { class: "hint" });
    const ways = [...touched(move)].map((cell) => [cell, spread(move, cell).at(-1)]);
    const gone = [...ways.filter(([from, to]) => from !== to), ...slides];
    if (!gone.length) return ways.map(([cell]) => circle(at(cell), 0.42, { class: "hint" })).join("");
    return HEAD + gone.map(([from, to]) => arrow([at(from), at(to)])).join("");
  }
  const middle = (part) => cells.reduce((sum, cell) => sum + at(cell)[part], 0) / cells.length;
  const spots = spread(move, move.piece).map(at);
  const [lead] = spots;
  return HEAD + arrow(spots.map(([x, y]) => [x - lead[0] + middle(0), y - lead[1] + middle(1)]));
}

function arrow(spots) {
  const d = spots.map(([x, y], k) => `${k ? "L" : "M"}${x},${y}`).join("");
  return tag("path", { d, class: "hint", "marker-end": "url(#head)" });
}
