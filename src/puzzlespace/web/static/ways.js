// Routes of pieces, and the move that a chosen cell, a direction or a swipe means.

/**
 * The name of a move: the letters of the pieces that it moves, the cell of the first one if several pieces have its
 * letter and the way has no cells, and the way. `words` has the letter in each cell, `firsts` the first cells of pieces.
 */
export function nameOf({ named, board }, { movers, way }, words, firsts) {
  const letters = [...new Set(movers.map((cell) => words[cell]))];
  const several = letters.some((letter) => firsts.filter((cell) => words[cell] === letter).length > 1);
  const place = several && named === "direction" && board.grid ? [board.names[movers[0]]] : [];
  return [...letters, ...place, way].join(" ");
}

/** The cells of what lies in `cell`: before a move, and after each of its steps. */
export function spread(move, cell) {
  const way = [cell];
  for (const step of move.steps) way.push(step.carry.find(([from]) => from === way.at(-1))?.[1] ?? way.at(-1));
  return way;
}

/** The same without the steps in which it stays. */
export function route(move, cell) {
  return spread(move, cell).filter((here, k, way) => !k || here !== way[k - 1]);
}

/** The cells that a move carries from, to, or changes. */
export const touched = (move) => new Set(move.steps.flatMap(({ change, carry }) => [...change, ...carry.flat()]));

const size = (move) => 1000 * move.steps.length + touched(move).size;

/** The cells that the first cell of a piece can go to, each with a move of the fewest steps and changed cells. */
export function targets(at, cells) {
  const found = new Map();
  for (const move of at.moves) {
    const end = route(move, cells[0]).at(-1);
    if (end === cells[0]) continue;
    if (!found.has(end) || size(move) < size(found.get(end))) found.set(end, move);
  }
  return found;
}

/** The move that brings a piece onto a cell; null if there is none, or more than one. */
export function towards(about, at, cells, cell) {
  const ends = targets(at, cells);
  if (ends.has(cell)) return ends.get(cell);
  const covered = (end) => about.covers?.[at.symbols[cells[0]]]?.[end] ?? [];
  const hits = [...ends].filter(([end]) => !cells.includes(cell) && covered(end).includes(cell));
  return hits.length === 1 ? hits[0][1] : null;
}

const lowest = (move) => Math.max(...touched(move));

/** The move that turns over a slice of a pile and all above it, or else the fewest below it, too; or null. */
function flipped(at, cell) {
  const fits = at.moves.filter((move) => lowest(move) >= cell);
  return fits.sort((a, b) => lowest(a) - lowest(b) || size(a) - size(b))[0] ?? null;
}

/** The slices of a pile that a press on a cell turns over. */
export function turnedBy(about, at, cell) {
  const move = about.board.shape === "pile" ? flipped(at, cell) : null;
  return move ? Array.from({ length: lowest(move) + 1 }, (_, each) => each) : [];
}

/** The listed move that a press on a cell means: a flip of a pile, the one with its name, the only one, or null. */
export function pressed(about, at, cell) {
  if (!about.listed.length || about.board.stacks) return null;
  if (about.board.shape === "pile") return flipped(at, cell);
  const named = at.moves.find((move) => move.name === about.board.names[cell]);
  if (named) return named;
  const near = at.moves.filter((move) => touched(move).has(cell));
  return near.length === 1 ? near[0] : null;
}

const WAYS = { "-1,0": "left", "1,0": "right", "0,-1": "up", "0,1": "down" };

/** The move that tilts the board in a direction; null if nothing moves. */
const tilted = (at, [dx, dy]) => at.moves.find((move) => move.way === WAYS[`${dx},${dy}`]) ?? null;

/** The only move of a player that goes in a direction; with `cells` of the player there. */
function walked(at, [dx, dy], cells) {
  const fits = at.moves.filter(({ steps }) => steps[0].name === WAYS[`${dx},${dy}`]);
  const mine = cells ? fits.filter((move) => touched(move).has(cells[0])) : fits;
  return mine.length === 1 ? mine[0] : null;
}

/** The only step of a player onto a free cell; null if there is none. */
export function entered(at, cell) {
  const fits = at.moves.filter(({ steps }) => steps[0].carry.length === 1 && steps[0].carry[0][1] === cell);
  return fits.length === 1 ? fits[0] : null;
}

/** The move that tilts the board in the direction of a swipe, or turns over the row or the column of a cell in which a swipe goes; null if there is none. */
export function swiped(about, at, cell, [dx, dy]) {
  if (about.gesture === "tilt") {
    const far = Math.abs(dx) > Math.abs(dy);
    return tilted(at, far ? [Math.sign(dx), 0] : [0, Math.sign(dy)]);
  }
  const { middles } = about.board;
  const axis = Math.abs(dx) > Math.abs(dy) ? 1 : 0;
  const along = (move) => [...touched(move)].every((each) => middles[each][axis] === middles[cell][axis]);
  const fits = at.moves.filter((move) => touched(move).has(cell) && along(move));
  return fits.sort((a, b) => size(a) - size(b))[0] ?? null;
}

/** The moves of a disk or of the top disk of a peg in towers, by the peg that they lead to. */
export function pegsOf(at, disk, symbols) {
  const found = new Map();
  for (const move of at.moves) {
    const after = symbols(move.to);
    const changed = after.flatMap((peg, cell) => (peg === at.symbols[cell] ? [] : [cell]));
    if (changed.length === 1 && changed[0] === disk) found.set(after[disk], move);
  }
  return found;
}

/** The move of the only piece that can go in a direction, one cell far if there is one, of fewest steps; else null. */
export function straight(about, at, [dx, dy], cells = null) {
  const { middles, grid } = about.board;
  if (!grid || about.listed.length) return null;
  if (about.gesture === "tilt") return tilted(at, [dx, dy]);
  if (about.gesture === "walk") return walked(at, [dx, dy], cells);
  const found = at.moves.flatMap((move) => {
    if (cells && move.piece !== cells[0]) return [];
    const way = route(move, move.piece);
    const [from, to] = [middles[move.piece], middles[way.at(-1)]];
    const [x, y] = [to[0] - from[0], to[1] - from[1]];
    const far = x * dx + y * dy;
    if (about.gesture === "send") return move.way === WAYS[`${dx},${dy}`] ? [{ move, far: 1 }] : [];
    return far > 0 && !(x * dy) && !(y * dx) ? [{ move, far }] : [];
  });
  const least = Math.min(...found.map(({ far }) => far));
  const near = found.filter(({ far }) => far === least).map(({ move }) => move);
  const ends = new Set(near.map((move) => `${move.piece} ${route(move, move.piece).at(-1)}`));
  return ends.size === 1 ? near.sort((a, b) => size(a) - size(b))[0] : null;
}

/** The index of the nearest place in a direction from `places[from]`, or null. */
export function nearest(places, from, [dx, dy]) {
  const [x, y] = places[from];
  let best = null;
  let least = Infinity;
  places.forEach(([u, v], each) => {
    const along = (u - x) * dx + (v - y) * dy;
    const aside = Math.abs((u - x) * dy) + Math.abs((v - y) * dx);
    if (along > 1 && along + 2 * aside < least && aside <= 2 * along) [best, least] = [each, along + 2 * aside];
  });
  return best;
}
