// Gestures over moves that are told by what is before and after: what a move takes from one cell and gives to another.

import { symbolsOf } from "./positions.js";
import { touched } from "./ways.js";

const NONE = 4; // the level of a pair of cells that a move does not join

const outcomes = new WeakMap();

/** What a move leaves: the symbols `after` it, and the cells that its rules touch or that are different then. */
function outcome(about, at, move) {
  if (!outcomes.has(move)) {
    const after = symbolsOf(about, move.to);
    const own = touched(move);
    const near = new Set([...own, ...after.keys()].filter((cell) => own.has(cell) || after[cell] !== at.symbols[cell]));
    outcomes.set(move, { after, own, near });
  }
  return outcomes.get(move);
}

/** The cells that a finger means by one of them: a whole stack, else the cell. */
export const zone = (about, cell) => about.board.tubes?.find((tube) => tube.includes(cell)) ?? [cell];

/** The moves that lead to different positions, the first of each. */
export const different = (moves) => moves.filter(({ to }, k) => moves.findIndex((each) => each.to === to) === k);

/**
 * How well a move is said by a gesture from cell a to cell b: 1 if it takes what is in a to b, or pours it; 2 if it
 * takes something from a and puts something on b; 3 if it changes both; NONE.
 */
function level(about, at, move, a, b) {
  const { after, near } = outcome(about, at, move);
  if (a === b || !near.has(a) || !near.has(b)) return NONE;
  const word = (symbol) => about.letters[symbol][0];
  const [was, is, was2, is2] = [at.symbols[a], after[a], at.symbols[b], after[b]].map(word);
  if (about.vessels?.[a] && about.vessels[b]) return Number(is) < Number(was) && Number(is2) > Number(was2) ? 1 : NONE;
  if (is !== was && is2 !== was2) {
    if (is2 === was && was !== ".") return 1;
    if (is === "." && is2 !== ".") return 2;
  }
  return 3;
}

/** The cells that a gesture from a cell can end in, each with its moves; of each move those that say it best. */
export function endsOf(about, at, a) {
  const found = new Map();
  for (const move of grasped(about, at, a)) {
    const pairs = zone(about, a).flatMap((from) =>
      [...outcome(about, at, move).near].map((b) => ({ b, fits: level(about, at, move, from, b) })),
    );
    const best = Math.min(NONE - 1, ...pairs.map(({ fits }) => fits));
    for (const { b, fits } of pairs) {
      if (fits !== best || zone(about, a).includes(b)) continue;
      found.set(b, [...new Set([...(found.get(b) ?? []), move])]);
    }
  }
  return found;
}

/** The lowest cell of a stack that a move changes. */
const lowest = (about, at, move, a) => zone(about, a).find((cell) => outcome(about, at, move).near.has(cell));

/** The moves of a cell; those of a stack begin with the piece in the cell, if there are such. */
function grasped(about, at, a) {
  const all = at.moves.filter((move) => zone(about, a).some((cell) => outcome(about, at, move).near.has(cell)));
  const own = all.filter((move) => lowest(about, at, move, a) === a);
  return own.length ? own : all;
}

/** The moves that a gesture between two cells means. */
export function between(about, at, a, b) {
  const ends = endsOf(about, at, a);
  const exact = ends.get(b);
  return exact ?? [...new Set(zone(about, b).flatMap((cell) => ends.get(cell) ?? []))];
}

/** The moves that a press on a cell may mean: those whose rules touch it, else those that change it in the end. */
export function movesAt(about, at, cell) {
  const meant = zone(about, cell);
  const own = at.moves.filter((move) => meant.some((each) => outcome(about, at, move).own.has(each)));
  if (own.length) return own;
  return at.moves.filter((move) => meant.some((each) => outcome(about, at, move).near.has(each)));
}

/** The piece that is meant by a cell: in a stack the one there if moves begin with it, else the top one; or null. */
export function heldOf(about, at, cell) {
  const filled = zone(about, cell).filter((each) => about.letters[at.symbols[each]][0] !== ".");
  const begun =
    filled.includes(cell) && grasped(about, at, cell).some((move) => lowest(about, at, move, cell) === cell);
  return begun ? cell : (filled.at(-1) ?? null);
}

/** What a move carries, as [from, to]: each symbol that is new in a cell comes from the nearest cell that loses it. */
export function slides(about, at, move) {
  const { after } = outcome(about, at, move);
  const { middles } = about.board;
  const blank = (symbol) => about.letters[symbol][0] === ".";
  const changed = [...after.keys()].filter((cell) => after[cell] !== at.symbols[cell]);
  const left = new Set(changed.filter((cell) => !blank(at.symbols[cell])));
  return changed.flatMap((cell) => {
    if (blank(after[cell])) return [];
    const far = (from) => Math.hypot(middles[from][0] - middles[cell][0], middles[from][1] - middles[cell][1]);
    const from = [...left].filter((each) => at.symbols[each] === after[cell]).sort((a, b) => far(a) - far(b))[0];
    if (from === undefined) return [];
    left.delete(from);
    return [[from, cell]];
  });
}

/** The arrows of a hint: what a move carries, and from which vessel into which it pours. */
export function arrows(about, at, move) {
  const vessels = Object.keys(about.vessels ?? {}).map(Number);
  const poured = vessels.flatMap((a) => vessels.flatMap((b) => (level(about, at, move, a, b) === 1 ? [[a, b]] : [])));
  return poured.length ? poured : slides(about, at, move);
}

/** The names of moves to choose from; moves of one name are told apart by what is in their cells afterwards. */
export function namesOf(about, at, moves) {
  return moves.map((move) => {
    if (moves.filter(({ name }) => name === move.name).length === 1) return move.name;
    const { after } = outcome(about, at, move);
    const changed = [...after.keys()].filter((cell) => after[cell] !== at.symbols[cell]).slice(0, 3);
    return `${move.name}: ${changed.map((cell) => `${about.board.names[cell]} ${about.letters[after[cell]][0]}`).join(", ")}`;
  });
}

/** The only move of the chosen cell, of the player, or of the whole board in a direction: {move, end}, or null. */
export function headed(about, at, [dx, dy], chosen) {
  if (!about.board.grid) return null;
  const { middles } = about.board;
  const along = (a, b) => {
    const [x, y] = [middles[b][0] - middles[a][0], middles[b][1] - middles[a][1]];
    return x * dy || y * dx ? 0 : Math.max(0, x * dx + y * dy);
  };
  const player = about.actor === null ? -1 : at.symbols.indexOf(about.actor);
  const from = chosen?.[0] ?? player;
  const found = [];
  for (const move of at.moves) {
    if (from >= 0) {
      for (const b of outcome(about, at, move).near) {
        if (level(about, at, move, from, b) < NONE && along(from, b)) found.push({ move, end: b, far: along(from, b) });
      }
    } else if (about.tilts) {
      const ways = slides(about, at, move);
      if (ways.length && ways.every(([a, b]) => along(a, b))) found.push({ move, end: null, far: 1 });
    }
  }
  const least = Math.min(...found.map(({ far }) => far));
  const near = found.filter(({ far }) => far === least);
  if (different(near.map(({ move }) => move)).length !== 1) return null;
  const { move, end } = near[0];
  return { move, end: slides(about, at, move).find(([a]) => a === from)?.[1] ?? end };
}
