// What a board shows beside its pieces, as render/floor.py draws it: letters of the ground, names of cells, stacks, vessels.

import { columns, rounded, tag, text, UNIT } from "./shapes.js";

const DISC = 0.36;
const TUBE_GAP = 0.04;
const ROD = 0.14;
const BADGE = 0.18;
const NAME = 0.24;
const SMALL_NAME = 0.17;

/** Whether the name of a cell always is drawn. */
export const isNamed = (about, cell) => cell >= (about.board.named ?? Infinity);

/** A tinted cell for each letter of the ground; its rim is seen around a piece. */
export function groundLetters(about, colours) {
  return (about.floor ?? [])
    .map(([cell, letter]) => {
      const { fill, rim, ink } = colours.tints[letter];
      const [x, y] = about.board.middles[cell];
      const line = { fill, stroke: rim, "stroke-width": 0.1 * UNIT };
      const shape = about.board.grid
        ? tag("path", { d: rounded([[x - 0.5, y - 0.5]], 0.055, 0.1), ...line })
        : tag("circle", { cx: x * UNIT, cy: y * UNIT, r: (DISC + 0.07) * UNIT, ...line });
      return shape + text(letter, Math.min(0.46, 0.8 / columns(letter)), ink, [x * UNIT, y * UNIT]);
    })
    .join("");
}

/** A tube for each stack, or a rod if its pieces differ in size, with its number below it. */
export function stacks(about, colours) {
  const { tubes, wide, middles } = about.board;
  return tubes
    .map((cells, number) => {
      const [x, y] = middles[cells[0]];
      const box = (across, high, top) =>
        tag("rect", {
          x: (x - across / 2) * UNIT,
          y: (y + top) * UNIT,
          width: across * UNIT,
          height: high * UNIT,
          rx: 2,
          fill: colours.rim,
        });
      const corners = cells.map((cell) => [middles[cell][0] - 0.5, middles[cell][1] - 0.5]);
      const line = { fill: colours.ground, stroke: colours.rim, "stroke-width": 1.5 };
      const shape =
        wide > 1
          ? box(ROD, cells.length, 0.5 - cells.length) + box(wide - 4 * TUBE_GAP, 0.1, 0.42)
          : tag("path", { d: rounded(corners, TUBE_GAP, 0.2), ...line });
      return shape + text(String(number + 1), 0.3, colours.ink, [x * UNIT, (y + 0.78) * UNIT]);
    })
    .join("");
}

/** A vessel around the middle of its cell, filled as high as its number says. */
export function vessel(about, most, word, colours) {
  const held = Number(word) || 0;
  const high = (0.28 + (0.38 * most) / Math.max(...Object.values(about.vessels))) * UNIT;
  const [left, wide, floor] = [-0.36 * UNIT, 0.72 * UNIT, 0.44 * UNIT];
  const box = (height, fill) => tag("rect", { x: left, y: floor - height, width: wide, height, fill });
  const d = `M${left},${floor - high}V${floor}H${left + wide}V${floor - high}`;
  return (
    box(high, colours.empty) +
    box(high * Math.min(held / most, 1), colours.water) +
    tag("path", { d, fill: "none", stroke: colours.ink, "stroke-width": 0.04 * UNIT, "stroke-linejoin": "round" }) +
    text(String(held), 0.34, colours.ink, [0, floor - 0.22 * UNIT])
  );
}

/** What lies over the pieces: letters of the ground under them, small, and names of cells; `all`: of all cells. */
export function overlay(about, words, looks, colours, all = false) {
  const filled = (cell) => words[cell] !== "." && words[cell] !== "*";
  return badges(about, filled, colours) + names(about, words, filled, looks, colours, all);
}

function badges(about, filled, colours) {
  return (about.floor ?? [])
    .filter(([cell]) => filled(cell))
    .map(([cell, letter]) => {
      const [cx, cy] = about.board.middles[cell].map((part) => (part + 0.3) * UNIT);
      const { fill, rim } = colours.tints[letter];
      const shape = tag("circle", { cx, cy, r: BADGE * UNIT, fill, stroke: rim, "stroke-width": 0.04 * UNIT });
      return shape + text(letter, Math.min(0.26, 0.36 / columns(letter)), colours.ink, [cx, cy]);
    })
    .join("");
}

function names(about, words, filled, looks, colours, all) {
  const { grid, middles } = about.board;
  return about.board.names
    .map((name, cell) => {
      const own = isNamed(about, cell);
      if (!own && !all) return "";
      const size = Math.min(own ? NAME : SMALL_NAME, 0.86 / (0.78 * columns(name)));
      const square = own || !["disc", "plank"].includes(looks[words[cell]]?.kind);
      const onPiece = grid && filled(cell) && square && !about.vessels?.[cell];
      const [dx, dy] = grid ? (own ? [0, about.vessels?.[cell] ? -0.35 : -0.26] : [0.26, 0.34]) : [0.34, 0.44];
      const [x, y] = middles[cell];
      const ink = (onPiece && looks[words[cell]]?.ink) || colours.ink;
      return text(name, size, ink, [(x + dx) * UNIT, (y + dy) * UNIT]);
    })
    .join("");
}
