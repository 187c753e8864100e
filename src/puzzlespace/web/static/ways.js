// Routes of pieces, and the move that a chosen cell or direction means.

/** The name of a move: the letters of the pieces in the cells `movers`, then its way. */
export function nameOf(movers, way, words) {
  return [...new Set(movers.map((cell) => words[cell])), way].join(" ");
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

/** The cells that the first cell of a piece can go to, each with a move of the fewest steps. */
export function targets(at, cells) {
  const found = new Map();
  for (const move of at.moves) {
    const end = route(move, cells[0]).at(-1);
    if (move.piece === null || end === cells[0]) continue;
    if (!found.has(end) || move.steps.length < found.get(end).steps.length) found.set(end, move);
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

/** The listed move of a cell: the one with its name, else the only one that changes it, else null. */
export function listedAt(about, at, cell) {
  const named = at.moves.find((move) => move.name === about.board.names[cell]);
  const touching = at.moves.filter((move) =>
    move.steps.some((step) => step.change.includes(cell) || step.carry.flat().includes(cell)),
  );
  return named ?? (touching.length === 1 ? touching[0] : null);
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
