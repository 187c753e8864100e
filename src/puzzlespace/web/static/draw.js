// Drawings of boards and pieces as SVG text, the same that the library draws: a cell is UNIT wide.

export const UNIT = 40;
const INSET = 0.06, DISC = 0.36, NEAR = 0.3;
const DISK = { high: 0.5, wide: 0.9, growth: 0.32, rod: 0.14, gap: 0.3 };
const SIDES = { L: [-0.5, 0], R: [0.5, 0], U: [0, -0.5], D: [0, 0.5] };
const STROKES = { "─": "LR", "│": "UD", "┌": "RD", "┐": "LD", "└": "UR", "┘": "UL", "├": "UDR", "┤": "UDL", "┬": "LRD", "┴": "LRU", "┼": "LRUD" };

const FIGURES = {
  cross: (s) => `M${-s},${-s}L${s},${s}M${-s},${s}L${s},${-s}`,
  bar: (s) => `M${-s},0L${s},0`,
  square: (s) => `M${-s},${-s}L${s},${-s}L${s},${s}L${-s},${s}Z`,
  triangle: (s) => `M0,${-1.1 * s}L${s},${0.7 * s}L${-s},${0.7 * s}Z`,
};

const number = (value) => String(Math.round(value * 100) / 100);
const escape = (text) => String(text).replace(/[&<>"']/g, (c) => `&#${c.charCodeAt(0)};`);

/** An element as text; attributes are escaped, the body is not. */
export function tag(name, attributes, body = "") {
  const words = Object.entries(attributes).map(
    ([key, value]) => ` ${key}="${escape(typeof value === "number" ? number(value) : value)}"`);
  return `<${name}${words.join("")}>${body}</${name}>`;
}

/** The box of the board in pixels: [left, top, width, height]. */
export function box(about) {
  const [left, top, right, bottom] = about.board.box;
  return [left, top, right - left, bottom - top].map((value) => value * UNIT);
}

/** Where a piece whose first cell is `cell` is drawn, in cells; disks of towers lie where the symbols say. */
export function home(about, cell, symbols) {
  if (!about.board.stacks) return about.board.middles[cell];
  const below = symbols.filter((peg, disk) => disk > cell && peg === symbols[cell]).length;
  return [pegAt(about, symbols[cell]), about.board.box[3] - 0.55 - (below + 0.5) * DISK.high];
}

const pegAt = (about, peg) => (peg + 0.5) * (diskWidth(about.cells - 1) + DISK.gap);
const diskWidth = (disk) => DISK.wide + DISK.growth * disk;

/** Everything beneath the pieces. */
export function ground(about, fill, colours) {
  if (about.board.stacks) return stand(about, colours);
  return about.board.grid ? squares(about, fill, colours) : graph(about, colours);
}

function squares(about, fill, colours) {
  const every = about.board.middles.map(([x, y]) => [x - 0.5, y - 0.5]);
  const shapes = [];
  if (about.kind === "slide") shapes.push(walls(about, every, colours));
  shapes.push(tag("path", { d: rounded(every, -0.05, 0.12), fill: colours.ground, stroke: colours.rim, "stroke-width": 1.5 }));
  if (about.kind === "jump") return shapes.join("") + lines(about, colours, 1.2) + places(about, colours, 0.17);
  shapes.push(tag("path", { d: every.map((square) => rounded([square], INSET, 0.1)).join(""), fill: colours.empty }));
  return shapes.join("") + gates(about, every, fill, colours);
}

/** In each cell that one piece alone may enter a square in its colour, with a broken line on it. */
function gates(about, every, fill, colours) {
  return (about.gates ?? []).map(([cell, letter]) => {
    const square = { d: rounded([every[cell]], 0.16, 0.1), fill: "none" };
    return tag("path", { ...square, stroke: fill(letter), "stroke-width": 0.11 * UNIT })
      + tag("path", { ...square, stroke: colours.rim, "stroke-width": 0.045 * UNIT, "stroke-dasharray": 0.12 * UNIT });
  }).join("");
}

function walls(about, every, colours) {
  const here = new Set(every.map(String));
  let d = "";
  about.board.rows.forEach((row, y) => row.forEach((_, x) => {
    if (here.has(String([x, y]))) return;
    const [mx, my, half] = [(x + 0.5) * UNIT, (y + 0.5) * UNIT, 0.4 * UNIT];
    d += `M${mx - half},${my}L${mx},${my - half}M${mx - half},${my + half}L${mx + half},${my - half}M${mx},${my + half}L${mx + half},${my}`;
  }));
  return d && tag("path", { d, stroke: colours.line, "stroke-width": 1.6, fill: "none" });
}

const graph = (about, colours) => lines(about, colours, 2) + places(about, colours, 0.2);

function lines(about, colours, thick) {
  const spots = about.board.middles;
  const d = about.board.edges.map(([a, b]) => edge(spots[a], spots[b], spots)).join("");
  return tag("path", { d, stroke: colours.line, "stroke-width": thick, fill: "none" });
}

function places(about, colours, radius) {
  return about.board.middles.map(([x, y]) => tag("circle",
    { cx: x * UNIT, cy: y * UNIT, r: radius * UNIT, fill: colours.hole, stroke: colours.rim, "stroke-width": 1 })).join("");
}

function stand(about, colours) {
  const [, , wide, high] = about.board.box;
  const tall = about.cells * DISK.high + 0.3;
  let shapes = plank(wide / 2, high - 0.5, wide - 0.1, 0.1, colours.rim);
  for (let peg = 0; peg < about.symbols; peg++) {
    shapes += plank(pegAt(about, peg), high - 0.55 - tall / 2, DISK.rod, tall, colours.rim);
    shapes += text(about.letters ? about.letters[peg][0] : String(peg + 1), 0.42, colours.ink,
      [pegAt(about, peg) * UNIT, (high - 0.2) * UNIT]);
  }
  return shapes;
}

function plank(x, y, wide, high, fill, line = {}) {
  return tag("rect", { x: (x - wide / 2) * UNIT, y: (y - high / 2) * UNIT, width: wide * UNIT, height: high * UNIT,
    rx: 0.35 * Math.min(wide, high) * UNIT, fill, ...line });
}

/** One piece, drawn around the middle of its first cell. */
export function sprite(about, cells, look, colours) {
  if (about.board.stacks) return disk(cells[0], colours);
  const [x0, y0] = about.board.middles[cells[0]];
  const spots = cells.map((cell) => [about.board.middles[cell][0] - x0, about.board.middles[cell][1] - y0]);
  const round = look.kind === "disc" || !about.board.grid;
  const body = round
    ? tag("circle", { r: DISC * UNIT, fill: look.fill, stroke: colours.disc, "stroke-width": 1.2 })
    : tag("path", { d: rounded(spots.map(([x, y]) => [x - 0.5, y - 0.5]), INSET, 0.12), fill: look.fill, stroke: colours.edge, "stroke-width": 1 });
  return body + parts(spots).map((part) => mark(look, heart(part), round ? DISC : 0.5 - INSET)).join("");
}

/** A whole board from the word of each cell, such as a goal; "*" and "." are left empty. */
export function picture(about, words, looks, colours) {
  const symbol = (word) => about.letters.findIndex((letters) => letters.includes(word));
  const taken = new Set(), symbols = words.map(symbol);
  let pieces = "";
  words.forEach((word, cell) => {
    if (taken.has(cell) || word === "*" || !looks[word]) return;
    const cells = [cell, ...(about.covers?.[symbols[cell]]?.[cell] ?? [])];
    cells.forEach((each) => taken.add(each));
    const [x, y] = home(about, cell, symbols).map((part) => part * UNIT);
    pieces += tag("g", { transform: `translate(${number(x)} ${number(y)})` }, sprite(about, cells, looks[word], colours));
  });
  return ground(about, (word) => looks[word]?.fill ?? colours.rim, colours) + pieces;
}

function disk(size, colours) {
  const fill = colours.hues[size % colours.hues.length];
  return plank(0, 0, diskWidth(size), DISK.high - 0.05, fill, { stroke: colours.edge, "stroke-width": 1 })
    + text(String(size + 1), 0.36, "#1c1c1c", [0, 0]);
}

function heart(spots) {
  const x = spots.reduce((sum, spot) => sum + spot[0], 0) / spots.length;
  const y = spots.reduce((sum, spot) => sum + spot[1], 0) / spots.length;
  const away = (spot, u, v) => Math.max(Math.abs(spot[0] - u), Math.abs(spot[1] - v));
  const around = [[-0.3, -0.3], [-0.3, 0.3], [0.3, -0.3], [0.3, 0.3]];
  if (around.every(([dx, dy]) => spots.some((spot) => away(spot, x + dx, y + dy) <= 0.5))) return [x, y];
  const far = (spot) => (spot[0] - x) ** 2 + (spot[1] - y) ** 2;
  return spots.reduce((best, spot) => (far(spot) < far(best) ? spot : best));
}

/** The squares of a piece by its parts: more than one where they stand apart. */
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
  if (FIGURES[look.mark]) return tag("path", { ...at, ...line, d: FIGURES[look.mark](0.17 * UNIT), "stroke-width": 0.08 * UNIT });
  if (STROKES[look.mark]) return tag("path", { ...at, ...line, d: strokes(look.mark, 1.84 * radius * UNIT), "stroke-width": 0.13 * UNIT });
  return text(look.mark, Math.min(radius > DISC ? 0.52 : 0.42, (2.9 * radius) / Math.max(broad(look.mark), 1)), look.ink, [x * UNIT, y * UNIT]);
}

const broad = (word) => [...word].reduce((sum, letter) => sum + (letter.codePointAt(0) > 0x2e7f ? 2 : 1), 0);

function text(word, size, fill, [x, y]) {
  return tag("text", { x, y: y + 0.36 * size * UNIT, "font-size": size * UNIT, fill, "text-anchor": "middle" }, escape(word));
}

function strokes(letter, size) {
  const [first, ...rest] = [...STROKES[letter]].map((side) => SIDES[side].map((part) => number(part * size)).join(","));
  return `M${first}L0,0${rest.map((end) => `L${end}`).join("M0,0")}`;
}

/** A line between two places in pixels, bent where it would run through another one. */
function edge([ax, ay], [bx, by], spots) {
  const [dx, dy] = [bx - ax, by - ay];
  const through = spots.some(([x, y]) => {
    const along = ((x - ax) * dx + (y - ay) * dy) / (dx * dx + dy * dy || 1);
    return along > 0.02 && along < 0.98 && Math.hypot(ax + along * dx - x, ay + along * dy - y) < NEAR;
  });
  const [a, b] = [[ax, ay], [bx, by]].map((spot) => spot.map((part) => number(part * UNIT)).join(","));
  if (!through) return `M${a}L${b}`;
  return `M${a}Q${number(((ax + bx) / 2 + dy * 0.35) * UNIT)},${number(((ay + by) / 2 - dx * 0.35) * UNIT)} ${b}`;
}

/** The outline of unit squares (corners in cells) joined into one, drawn `inset` cells inside with rounded corners. */
function rounded(corners, inset, radius) {
  return loops(corners).map((loop) => loop.map((corner, k) => {
    const come = way(loop.at(k - 1), corner), go = way(corner, loop[(k + 1) % loop.length]);
    const x = corner[0] - inset * (come[1] + go[1]), y = corner[1] + inset * (come[0] + go[0]);
    const spot = (px, py) => `${number(px * UNIT)},${number(py * UNIT)}`;
    return `${k ? "L" : "M"}${spot(x - come[0] * radius, y - come[1] * radius)}Q${spot(x, y)} ${spot(x + go[0] * radius, y + go[1] * radius)}`;
  }).join("") + "Z").join("");
}

const way = (a, b) => [Math.sign(b[0] - a[0]), Math.sign(b[1] - a[1])];

/** The corners of every closed outline, the inside on the right hand (y down). */
function loops(corners) {
  const taken = new Set(corners.map(String)), leaving = new Map();
  const side = (from, to, beside) => {
    if (!taken.has(String(beside))) leaving.set(String(from), [...(leaving.get(String(from)) ?? []), to]);
  };
  for (const [x, y] of corners) {
    side([x, y], [x + 1, y], [x, y - 1]);
    side([x + 1, y], [x + 1, y + 1], [x + 1, y]);
    side([x + 1, y + 1], [x, y + 1], [x, y + 1]);
    side([x, y + 1], [x, y], [x - 1, y]);
  }
  const found = [];
  while (leaving.size) {
    const first = [...leaving.keys()][0];
    const loop = [first.split(",").map(Number)];
    do loop.push(follow(leaving, loop.at(-2), loop.at(-1))); while (String(loop.at(-1)) !== first);
    loop.pop();
    found.push(loop.filter((here, k) => String(way(loop.at(k - 1), here)) !== String(way(here, loop[(k + 1) % loop.length]))));
  }
  return found;
}

/** Takes the edge that leaves `here`; where there are two, the one that turns right. */
function follow(leaving, before, here) {
  const ends = leaving.get(String(here));
  const right = before && String([here[0] - (here[1] - before[1]), here[1] + (here[0] - before[0])]);
  const index = Math.max(0, ends.findIndex((end) => String(end) === right));
  const [end] = ends.splice(index, 1);
  if (!ends.length) leaving.delete(String(here));
  return end;
}
