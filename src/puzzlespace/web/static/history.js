// The positions that a person went through, for undo and redo, and the number of moves made.

/**
 * The positions shown so far, and which of them is shown now.
 *
 * A spot is {id, words, count, run, before, piece}; `words` are the letters on the board. A run begins at a position that no move led to. `count` moves lead from `run.begin` to
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

  /** The spot at which the run began, or undefined. */
  get begin() {
    return this.#spots.find((spot) => spot.run === this.spot.run);
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
    this.#add({ id, count: 0, run: { begin: id, best: null }, before: null, piece: null });
  }

  /** The same by a move. If moves are counted by piece, a piece moved again counts once, and back home not at all. */
  move(id, { piece, target }, byPiece) {
    const last = this.spot;
    const again = byPiece && last.before && piece === last.piece;
    const before = again ? last.before : last;
    if (again && id === before.id) this.#add({ ...before });
    else this.#add({ id, count: before.count + 1, run: last.run, before, piece: target });
  }

  #add(spot) {
    this.#spots = [...this.#spots.slice(0, this.#place + 1), spot];
    this.#place += 1;
  }

  /** Shows a spot again. */
  revisit(spot) {
    this.#place = this.#spots.indexOf(spot);
  }

  /** Keeps the distance of the position shown if its run begins there. */
  learn(distance) {
    const { id, run } = this.spot;
    if (run.begin === id) run.best = distance ?? run.best;
  }
}
