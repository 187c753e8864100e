// Puzzles to begin with, one for each way of moving, and the listed moves of grids of any size.

import { cellName } from "./pzl.js";

const range = (count) => Array.from({ length: count }, (_, k) => k);

const line = (wide, high) => ({
  rows: range(high).map((y) => range(wide).map((x) => cellName(x, y))),
  columns: range(wide).map((x) => range(high).map((y) => cellName(x, y))),
});

function along(wide, high, move) {
  const { rows, columns } = line(wide, high);
  const told = (name, lines) =>
    lines.flatMap((cells, k) => (cells.length > 1 ? [`${name}${k + 1}: ${move(cells.join(" "))}`] : []));
  return [...told("row", rows), ...told("col", columns)];
}

function lamps(wide, high) {
  const around = (x, y) =>
    [
      [x, y - 1],
      [x - 1, y],
      [x, y],
      [x + 1, y],
      [x, y + 1],
    ].filter(([u, v]) => u >= 0 && v >= 0 && u < wide && v < high);
  return range(wide * high).map((cell) => {
    const [x, y] = [cell % wide, Math.floor(cell / wide)];
    const changed = around(x, y).map((spot) => `~${cellName(...spot)}`);
    return `${cellName(x, y)}: ${changed.join(" ")}`;
  });
}

/** The listed moves of a grid, by kind: (wide, high) => rows. */
const LISTED = {
  lamps,
  lines: (wide, high) => along(wide, high, (cells) => `flip ${cells}`),
  loops: (wide, high) => along(wide, high, (cells) => `(${cells})`),
};

/** The moves of a file for another size, if they are one of these lists; else null. */
export function resized(file, wide, high) {
  const said = file.value("moves");
  const kind = Object.keys(LISTED).find((name) => LISTED[name](file.wide, file.high).join(" ") === said);
  return kind ? LISTED[kind](wide, high) : null;
}

/** The rows of `moves:` for a grid whose rows and columns can be pushed round. */
export const loops = LISTED.loops;

const moves = (kind) => `moves:\n  ${LISTED[kind](3, 3).join("\n  ")}\n`;
const BOARD = `board:\n${line(3, 3)
  .rows.map((row) => `  ${row.join(" ")}`)
  .join("\n")}\n`;
const DARK = "picture:\n  x: colour gold, glyph ●\n  o: colour black, glyph ○\n";
const drawn = (key, rows) =>
  `${key}:\n${rows
    .split("/")
    .map((row) => `  ${row.trim()}`)
    .join("\n")}\n`;

const GAME = `OBJECTS
Background
#ece3d0 #ded3bc
00000
00010
00000
01000
00000

Wall
#7a6a5a #5e5145
00010
11111
01000
11111
00010

Pit
#2b2b2b #555555
.....
.000.
.010.
.000.
.....

Gem
#0072b2 #56b4e9
..0..
.010.
01110
.010.
..0..

Player
#d55e00 #2b2b2b
.000.
01010
00000
.000.
.0.0.

LEGEND
. = Background
# = Wall
o = Pit
* = Gem
P = Player

SOUNDS

COLLISIONLAYERS
Background
Pit
Wall, Gem, Player

RULES
[ > Player | Gem ] -> [ > Player | > Gem ]
[ > Player | Pit ] -> [ Player | Pit ]
late [ Gem Pit ] -> [ ]

WINCONDITIONS
no Pit

LEVELS
message Push a gem into each pit

#######
#.....#
#P.*.o#
#.*...#
#...o.#
#######

#######
#.o.o.#
#.***.#
#..P..#
#..o..#
#######
`;

/** The texts of the templates by name; each needs a title. */
export const TEMPLATES = {
  tiles: `rule: slide\ncount: step\n${drawn("start", "1 2 3/7 4 5/. 8 6")}${drawn("goal", "1 2 3/4 5 6/7 8 .")}`,
  blocks: `rule: slide\ncount: step\nblocks: all\n${drawn("start", "AAB./AAC./DDEE/FG..")}${drawn("goal", "****/****/**AA/**AA")}`,
  cars: `rule: slide along\ncount: run\nblocks: all\n${drawn("start", "BB...C/D..E.C/DAAE.C/D..E../F...GG/F.HHH.")}${drawn("goal", "******/******/****AA/******/******/******")}`,
  gliding: `rule: glide\ncount: piece\nedge: forbidden\n${drawn("start", "B.X../...../...../...../.C.AD")}${drawn("goal", "*****/*****/**X**/*****/*****")}`,
  boxes: `rule: push\n${drawn("start", "...../.$$../..@../....#")}${drawn("goal", "$***$/*****/*****/****#")}`,
  pegs: `rule: jump\ncount: chain\n${drawn("start", "o . o o/o o o o/o o o o/o o o o")}goal: any one peg\n`,
  lamps: `rule: apply\ncount: step\n${BOARD}${drawn("start", "x o o/o x o/o o x")}${drawn("goal", "o o o/o o o/o o o")}${moves("lamps")}swap: x <-> o\n${DARK}`,
  lines: `rule: apply\ncount: step\n${BOARD}${drawn("start", "x o x/o x x/x x x")}${drawn("goal", "o o o/o o o/o o o")}${moves("lines")}swap: x <-> o\n${DARK}`,
  loops: `rule: apply\ncount: step\n${BOARD}${drawn("start", "C B A/A B C/C A B")}${drawn("goal", "A A A/B B B/C C C")}${moves("loops")}`,
  changes: `rule: change\nmoves:\n  step: F . -> . F  right\n  hop: F T . -> . T F  right\n  step: T . -> . T  left\n  hop: T F . -> . F T  left\n${drawn("start", "F F F . T T T")}${drawn("goal", "T T T . F F F")}`,
  stacks: `rule: stack\nput: on equal\n${drawn("start", "R G B R/G B R G/B R G B/. . . ./. . . .")}goal: rows alike\n`,
  game: GAME,
  empty: `rule: slide\ncount: step\n${drawn("start", "A.../..../..../....")}${drawn("goal", "****/****/****/***A")}`,
};
