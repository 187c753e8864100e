// Boards and pieces as SVG text, as the library draws them (render/). A cell is UNIT wide.

import { groundLetters, isNamed, overlay, stacks, vessel } from "./floor.js";
import { columns, number, rounded, tag, text, UNIT } from "./shapes.js";

const MARGIN = 6;
const INSET = 0.06;
const DISC = 0.36;
const NEAR = 0.3;
const DISK = { high: 0.5, wide: 0.9, growth: 0.32, rod: 0.14, gap: 0.3 };
const PLANK_HIGH = 0.8;
const SIDES = { L: [-0.5, 0], R: [0.5, 0], U: [0, -0.5], D: [0, 0.5] };
const STROKES = {
  "─": "LR",
  "│": "UD",
  "┌": "RD",
  "┐": "LD",
  "└": "UR",
  "┘": "UL",
  "├": "UDR",
  "┤": "UDL",
  "┬": "LRD",
  "┴": "LRU",
  "┼": "LRUD",
};

/** The marks that are drawn as figures. */
export const FIGURES = {
  cross: (s) => `M${-s},${-s}L${s},${s}M${-s},${s}L${s},${-s}`,
  bar: (s) => `M${-s},0L${s},0`,
  square: (s) => `M${-s},${-s}L${s},${-s}L${s},${s}L${-s},${s}Z`,
  triangle: (s) => `M0,${-1.1 * s}L${s},${0.7 * s}L${-s},${0.7 * s}Z`,
};

/** The frame of a drawing, the board with a margin: [left, top, width, height]. */
export function frame(about) {
  const [left, top, right, bottom] = about.board.box.map((value) => value * UNIT);
  return [left - MARGIN, top - MARGIN, right - left + 2 * MARGIN, bottom - top + 2 * MARGIN];
}

/** The place of a piece with first cell `cell`, in cells. In towers a cell is a disk, and its symbol is its peg. */
export function home(about, cell, symbols) {
  if (!about.board.stacks) return about.board.middles[cell];
  const below = symbols.filter((peg, disk) => disk > cell && peg === symbols[cell]).length;
  return [pegAt(about, symbols[cell]), about.board.box[3] - 0.55 - (below + 0.5) * DISK.high];
}

/** The middle of a peg of towers, in cells from the left. */
export const pegAt = (about, peg) => (peg + 0.5) * (diskWidth(about.cells - 1) + DISK.gap);
const diskWidth = (disk) => DISK.wide + DISK.growth * disk;

/** The board without its pieces. */
export function ground(about, fill, colours) {
  if (about.board.stacks) return stand(about, colours);
  if (about.board.shape === "pile") return plate(about, colours);
  return about.board.grid ? squares(about, fill, colours) : graph(about, colours);
}

function squares(about, fill, colours) {
  if (about.board.tubes?.length) return stacks(about, colours);
  const every = about.board.middles.map(([x, y]) => [x - 0.5, y - 0.5]);
  const shapes = [];
  if (about.ground === "walls") shapes.push(walls(about, every, colours));
  shapes.push(
    tag("path", { d: rounded(every, -0.05, 0.12), fill: colours.ground, stroke: colours.rim, "stroke-width": 1.5 }),
  );
  if (about.ground === "holes") return shapes.join("") + lines(about, colours, 1.2) + places(about, colours, 0.17);
  shapes.push(tag("path", { d: every.map((square) => rounded([square], INSET, 0.1)).join(""), fill: colours.empty }));
  const letters = groundLetters(about, colours);
  const shown = gates(about, every, fill, colours) + onGround(about, every, colours) + exit(about, colours);
  return shapes.join("") + letters + shown;
}

/** An arrow beyond the border where the piece of the goal leaves the board. */
function exit(about, colours) {
  const corners = (about.exit ?? []).map((spot) => spot.map((part) => number(part * UNIT)).join(","));
  return corners.length ? tag("path", { d: `M${corners.join("L")}Z`, fill: colours.ink, class: "exit" }) : "";
}

/** Stop cells as rings, deflectors as diagonal bars, walls between cells as thick lines. */
function onGround(about, every, colours) {
  const stops = (about.stops ?? []).map((cell) => {
    const [cx, cy] = about.board.middles[cell].map((part) => part * UNIT);
    return tag("circle", { cx, cy, r: 0.3 * UNIT, fill: "none", stroke: colours.rim, "stroke-width": 0.05 * UNIT });
  });
  const stroke = (ends, thick) => {
    const d = ends.map((spots) => `M${spots.map(([x, y]) => `${number(x * UNIT)},${number(y * UNIT)}`).join("L")}`);
    const line = { fill: "none", stroke: colours.ink, "stroke-width": thick * UNIT, "stroke-linecap": "round" };
    return d.length ? tag("path", { d: d.join(""), ...line }) : "";
  };
  const bars = (about.deflectors ?? []).map(([cell, sign]) => {
    const [x, y] = every[cell];
    const [left, right] = sign === "/" ? [0.85, 0.15] : [0.15, 0.85];
    return [
      [x + 0.15, y + left],
      [x + 0.85, y + right],
    ];
  });
  return stops.join("") + stroke(bars, 0.09) + stroke(about.walls ?? [], 0.12);
}

/** Gates, the cells that only one piece may enter: a square in its colour with a dashed outline. */
function gates(about, every, fill, colours) {
  return (about.gates ?? [])
    .map(([cell, letter]) => {
      const square = { d: rounded([every[cell]], 0.16, 0.1), fill: "none" };
      return (
        tag("path", { ...square, stroke: fill(letter), "stroke-width": 0.11 * UNIT }) +
        tag("path", { ...square, stroke: colours.rim, "stroke-width": 0.045 * UNIT, "stroke-dasharray": 0.12 * UNIT })
      );
    })
    .join("");
}

function walls(about, every, colours) {
  const here = new Set(every.map(String));
  const squares = about.board.rows.flatMap((row, y) => row.map((_, x) => [x, y]));
  const d = squares.map((square) => (here.has(String(square)) ? "" : hatching(square))).join("");
  return d && tag("path", { d, stroke: colours.line, "stroke-width": 1.6, fill: "none" });
}

/** Three strokes across a square of the grid that is not a cell. */
function hatching([left, top]) {
  const [x, y, half] = [(left + 0.5) * UNIT, (top + 0.5) * UNIT, 0.4 * UNIT];
  return (
    `M${x - half},${y}L${x},${y - half}` +
    `M${x - half},${y + half}L${x + half},${y - half}` +
    `M${x},${y + half}L${x + half},${y}`
  );
}

const graph = (about, colours) =>
  zones(about, colours) + lines(about, colours, 2) + places(about, colours, 0.2) + groundLetters(about, colours);

/** The turntables of a ring: a band below the cells that one move turns over. */
function zones(about, colours) {
  const spots = (zone) => zone.map((cell) => about.board.middles[cell].map((part) => number(part * UNIT)).join(","));
  const band = (zone, wide, stroke) =>
    tag("path", {
      d: `M${spots(zone).join("L")}`,
      fill: "none",
      stroke,
      "stroke-width": wide * UNIT,
      "stroke-linecap": "round",
      "stroke-linejoin": "round",
    });
  return (about.board.zones ?? [])
    .map((zone) => band(zone, 1.12, colours.rim) + band(zone, 1.04, colours.ground))
    .join("");
}

/** What a pile stands on. */
function plate(about, colours) {
  const [, , wide, high] = about.board.box;
  return plank(wide / 2, high - 0.17, wide - 0.1, 0.16, colours.rim);
}

/** A piece of a pile: as wide as it is large, with a dark side up if it is turned over. */
function slice(about, word, colours) {
  const { high, wide, turned } = about.board;
  const line = { stroke: colours.edge, "stroke-width": 1.2 };
  const over = turned.includes(word);
  return (
    plank(0, 0, wide[word], high - 0.06, over ? "#7a4a21" : "#e8b04b", line) +
    text(word.replace("-", ""), 0.36, over ? "#ffffff" : "#1c1c1c", [0, 0])
  );
}

function lines(about, colours, thick) {
  const spots = about.board.middles;
  const d = about.board.edges.map(([a, b]) => edge(spots[a], spots[b], spots)).join("");
  return tag("path", { d, stroke: colours.line, "stroke-width": thick, fill: "none" });
}

function places(about, colours, radius) {
  return about.board.middles
    .map(([x, y]) =>
      tag("circle", {
        cx: x * UNIT,
        cy: y * UNIT,
        r: radius * UNIT,
        fill: colours.hole,
        stroke: colours.rim,
        "stroke-width": 1,
      }),
    )
    .join("");
}

function stand(about, colours) {
  const [, , wide, high] = about.board.box;
  const tall = about.cells * DISK.high + 0.3;
  let shapes = plank(wide / 2, high - 0.5, wide - 0.1, 0.1, colours.rim);
  for (let peg = 0; peg < about.symbols; peg++) {
    shapes += plank(pegAt(about, peg), high - 0.55 - tall / 2, DISK.rod, tall, colours.rim);
    shapes += text(about.letters ? about.letters[peg][0] : String(peg + 1), 0.42, colours.ink, [
      pegAt(about, peg) * UNIT,
      (high - 0.2) * UNIT,
    ]);
  }
  return shapes;
}

function plank(x, y, wide, high, fill, line = {}) {
  return tag("rect", {
    x: (x - wide / 2) * UNIT,
    y: (y - high / 2) * UNIT,
    width: wide * UNIT,
    height: high * UNIT,
    rx: 0.35 * Math.min(wide, high) * UNIT,
    fill,
    ...line,
  });
}

/** A piece, drawn around the middle of its first cell. */
export function sprite(about, cells, look, colours, word) {
  if (about.board.stacks) return disk(cells[0], colours);
  if (about.board.shape === "pile") return slice(about, word, colours);
  const most = about.vessels?.[cells[0]];
  if (most) return vessel(about, most, word, colours);
  const [x0, y0] = about.board.middles[cells[0]];
  const named = isNamed(about, cells[0]);
  const spots = cells.map((cell) => [about.board.middles[cell][0] - x0, about.board.middles[cell][1] - y0]);
  const round = (look.kind === "disc" && !named) || !about.board.grid;
  const body =
    look.kind === "plank"
      ? plank(0, 0, look.wide, PLANK_HIGH, look.fill, { stroke: colours.edge })
      : round
        ? tag("circle", { r: DISC * UNIT, fill: look.fill, stroke: colours.disc, "stroke-width": 1.2 })
        : tag("path", {
            d: rounded(
              spots.map(([x, y]) => [x - 0.5, y - 0.5]),
              INSET,
              0.12,
            ),
            fill: look.fill,
            stroke: look.kind === "trace" ? "none" : colours.edge,
            "stroke-width": 1,
          });
  const lower = ([x, y]) => [x, named && about.board.grid ? y + 0.13 : y];
  return (
    body +
    parts(spots)
      .map((part) => mark(look, lower(heart(part)), round ? DISC : 0.5 - INSET))
      .join("")
  );
}

/** A board with pieces, from the word of each cell. Cells with "*" or "." stay empty. */
export function picture(about, words, looks, colours) {
  const symbols = symbolsAt(about, words);
  const pieces = piecesIn(about, words, looks).map(({ word, cells }) => {
    const [x, y] = home(about, cells[0], symbols).map((part) => part * UNIT);
    const place = { transform: `translate(${number(x)} ${number(y)})` };
    return tag("g", place, sprite(about, cells, looks[word], colours, word));
  });
  const below = ground(about, (word) => looks[word]?.fill ?? colours.rim, colours);
  return below + pieces.join("") + overlay(about, words, looks, colours);
}

const symbolsAt = (about, words) => words.map((word) => about.letters.findIndex((letters) => letters.includes(word)));

/** The pieces in the word of each cell: {word, cells}. */
function piecesIn(about, words, looks) {
  const symbols = symbolsAt(about, words);
  const taken = new Set();
  return words.flatMap((word, cell) => {
    if (taken.has(cell) || word === "*" || !looks[word]) return [];
    const cells = [cell, ...(about.covers?.[symbols[cell]]?.[cell] ?? [])];
    for (const each of cells) taken.add(each);
    return [{ word, cells }];
  });
}

/**
 * Where the goal, also one in words, wants pieces: {word, cells} of each. None if there are several goals, or if the goal
 * says where all of `count` pieces are: then it is no place to look for.
 */
export function wanted(about, looks, count) {
  const [words, ...others] = about.pictures;
  if (!about.letters || about.board.stacks || about.board.shape === "pile") return [];
  if (!words)
    return (about.places ?? []).map(([cell, word]) => ({ word, cells: [cell] })).filter(({ word }) => looks[word]);
  if (others.length) return [];
  const pieces = piecesIn(about, words, looks);
  return pieces.length < count ? pieces : [];
}

/** The places of wanted pieces, drawn under the pieces: pale, in their colours. */
export const ghosts = (about, pieces, looks) =>
  pieces.map((each) => outline(about, each, looks, INSET, { fill: looks[each.word].fill, opacity: 0.3 })).join("");

/** The same as a broken line in the gaps between pieces; one that is partly on the place covers it. */
export function frames(about, pieces, looks, colours) {
  const line = { fill: "none", stroke: colours.ink, "stroke-width": 0.06 * UNIT, "stroke-dasharray": 0.12 * UNIT };
  return pieces.map((each) => outline(about, each, looks, 0, line)).join("");
}

function outline(about, { word, cells }, looks, inset, more) {
  const { middles, grid } = about.board;
  if (grid && looks[word].kind !== "disc") {
    const corners = cells.map((cell) => [middles[cell][0] - 0.5, middles[cell][1] - 0.5]);
    return tag("path", { d: rounded(corners, inset, 0.12), ...more });
  }
  const [cx, cy] = middles[cells[0]].map((part) => part * UNIT);
  return tag("circle", { cx, cy, r: (DISC + INSET - inset) * UNIT, ...more });
}

function disk(size, colours) {
  const fill = colours.hues[size % colours.hues.length];
  return (
    plank(0, 0, diskWidth(size), DISK.high - 0.05, fill, { stroke: colours.edge, "stroke-width": 1 }) +
    text(String(size + 1), 0.36, "#1c1c1c", [0, 0])
  );
}

/** The place of the mark of a piece: its centre if the mark fits there, else its square nearest to the centre. */
function heart(spots) {
  const x = spots.reduce((sum, spot) => sum + spot[0], 0) / spots.length;
  const y = spots.reduce((sum, spot) => sum + spot[1], 0) / spots.length;
  const away = (spot, u, v) => Math.max(Math.abs(spot[0] - u), Math.abs(spot[1] - v));
  const around = [
    [-0.3, -0.3],
    [-0.3, 0.3],
    [0.3, -0.3],
    [0.3, 0.3],
  ];
  if (around.every(([dx, dy]) => spots.some((spot) => away(spot, x + dx, y + dy) <= 0.5))) return [x, y];
  const far = (spot) => (spot[0] - x) ** 2 + (spot[1] - y) ** 2;
  return spots.reduce((best, spot) => (far(spot) < far(best) ? spot : best));
}

/** The connected parts of a piece. */
function parts(spots) {
  const found = [];
  for (const spot of spots) {
    const near = found.filter((part) => part.some(([x, y]) => Math.abs(spot[0] - x) + Math.abs(spot[1] - y) < 1.01));
    const joined = [...near.flat(), spot];
    found.splice(0, found.length, ...found.filter((part) => !near.includes(part)), joined);
  }
  return found;
}

function mark(look, [x, y], radius) {
  const at = { transform: `translate(${number(x * UNIT)} ${number(y * UNIT)})` };
  const line = { fill: "none", stroke: look.ink };
  if (look.mark === "" || look.mark === "dot") return tag("circle", { ...at, r: 0.09 * UNIT, fill: look.ink });
  if (look.mark === "ring") return tag("circle", { ...at, ...line, r: 0.17 * UNIT, "stroke-width": 0.07 * UNIT });
  if (FIGURES[look.mark])
    return tag("path", { ...at, ...line, d: FIGURES[look.mark](0.17 * UNIT), "stroke-width": 0.08 * UNIT });
  if (STROKES[look.mark])
    return tag("path", { ...at, ...line, d: strokes(look.mark, 1.84 * radius * UNIT), "stroke-width": 0.13 * UNIT });
  const [most, room] = radius > DISC ? [0.52, 2.9] : [0.42, 2.4]; // a circle is narrower above and below its middle
  const size = Math.min(most, (room * radius) / Math.max(columns(look.mark), 1), 1.8 * (look.wide || 1));
  return text(look.mark, size, look.ink, [x * UNIT, y * UNIT]);
}

function strokes(letter, size) {
  const [first, ...rest] = [...STROKES[letter]].map((side) => SIDES[side].map((part) => number(part * size)).join(","));
  return `M${first}L0,0${rest.map((end) => `L${end}`).join("M0,0")}`;
}

/** A line between two places, bent if it would run through another place. */
function edge([ax, ay], [bx, by], spots) {
  const [dx, dy] = [bx - ax, by - ay];
  const through = spots.some(([x, y]) => {
    const along = ((x - ax) * dx + (y - ay) * dy) / (dx * dx + dy * dy || 1);
    return along > 0.02 && along < 0.98 && Math.hypot(ax + along * dx - x, ay + along * dy - y) < NEAR;
  });
  const [a, b] = [
    [ax, ay],
    [bx, by],
  ].map((spot) => spot.map((part) => number(part * UNIT)).join(","));
  if (!through) return `M${a}L${b}`;
  return `M${a}Q${number(((ax + bx) / 2 + dy * 0.35) * UNIT)},${number(((ay + by) / 2 - dx * 0.35) * UNIT)} ${b}`;
}
