// The positions that a person went through, for undo and redo, and the number of moves made.

/**
 * The positions shown so far, and which of them is shown now.
 *
 * A spot is {id, words, count, run, before, piece, name, distance, helped}; `words` are the letters on the board, `name`
 * is the move that led to it, `distance` its distance to the goal (null if it is unknown), and `helped` whether the
 * program helped on the way. A run begins at a position that no move led to. `count` moves lead from `run.begin` to
 * `id`, and `run.best` is the distance of `run.begin`, null if it is unknown. The last of them began at the spot
 * `before`, and its piece is now in the cell `piece`.
 */
export class PlayHistory {
  #spots = [];
  #place = -1;

  /** The spot shown now; one without a position before the first. */
  get spot() {
    return this.#spots[this.#place] ?? { id: null, count: 0, run: {} };
  }

  /** The spots of the run that is shown. */
  get game() {
    return this.#spots.filter((spot) => spot.run === this.spot.run);
  }

  /** The spot at which the run began, or undefined. */
  get begin() {
    return this.game[0];
  }

  /** The spot before the one shown, or undefined. */
  get before() {
    return this.#spots[this.#place - 1];
  }

  /** The spot after the one shown, or undefined. */
  get after() {
    return this.#spots[this.#place + 1];
  }

  /** Adds a position after the one shown and shows it. Later spots are dropped. The board sets its `words`. */
  visit(id) {
    this.#add({ id, count: 0, run: { begin: id, best: null }, before: null, piece: null, distance: null });
  }

  /** The same by a move. If moves are counted by piece, a piece moved again counts once, and back home not at all. */
  move(id, { piece, target, name, cost }, byPiece, helped = false) {
    const last = this.spot;
    const again = byPiece && last.before && piece === last.piece;
    const before = again ? last.before : last;
    if (again && id === before.id) this.#add({ ...before });
    else this.#add({ ...next(before, id, target, name, cost), helped: helped || last.helped });
  }

  #add(spot) {
    this.#spots = [...this.#spots.slice(0, this.#place + 1), spot];
    this.#place += 1;
  }

  /** Shows a spot again. */
  revisit(spot) {
    this.#place = this.#spots.indexOf(spot);
  }

  /** Puts a line of spots, the first of which is in the history, in place of all after that; shows one of them. */
  lay(line, index) {
    const from = this.#spots.indexOf(line[0]);
    this.#spots = [...this.#spots.slice(0, from), ...line];
    this.#place = from + index;
  }

  /** Keeps the distance of the position shown, of its run too if that begins there. */
  learn(distance) {
    const { id, run } = this.spot;
    this.spot.distance = distance ?? this.spot.distance;
    if (run.begin === id) run.best = distance ?? run.best;
  }
}

/** The spot after another one, by a move, which counts `cost`. */
function next(before, id, target, name, cost) {
  return { id, count: before.count + cost, run: before.run, before, piece: target, name, distance: null };
}

/** A shortest solution as a line of spots that begins with `base`. names: {name, words} of each move. */
export function lineOf(base, path, moves, names) {
  const line = [base];
  let left = moves.reduce((sum, { cost }) => sum + cost, 0);
  moves.forEach(({ target, cost }, index) => {
    const spot = next(line.at(-1), path[index + 1], target, names[index].name, cost);
    left -= cost;
    line.push({ ...spot, words: names[index].words, distance: left, helped: true });
  });
  return line;
}
