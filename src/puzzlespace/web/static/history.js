// The positions that a person went through, for undo and redo, and the number of moves made.

import { spread, touched } from "./ways.js";

/**
 * The positions shown so far, and which of them is shown now.
 *
 * A spot is {id, words, moves, count, run, before, made, name, distance, helped}; `words` are the letters on the board,
 * `moves` the moves from there, `name` is the move that led to it, `distance` its distance to the goal (null if it is
 * unknown), and `helped` whether the program helped on the way. A run begins at a position that no move led to. `count`
 * moves lead from `run.begin` to `id`, and `run.best` is the distance of `run.begin`, null if it is unknown. The last of
 * them began at the spot `before` and was made in the parts `made`.
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
    this.#add({ id, count: 0, run: { begin: id, best: null }, before: null, made: [], distance: null });
  }

  /**
   * The same by a move. If parts of moves are moves, too (`joins`), a move that goes on counts once, and back where it
   * began not at all: if one move of the spot `before` does the same as all parts.
   */
  move(id, move, joins, helped = false) {
    const last = this.spot;
    const { before } = last;
    const made = [...last.made, move];
    if (joins && before && id === before.id && same(made, [], made[0].piece)) this.#add({ ...before });
    else {
      const whole = joins && before?.moves?.find((each) => each.to === id && same(made, [each], each.piece));
      const spot = whole ? next(before, id, whole, made) : next(last, id, move, [move]);
      this.#add({ ...spot, helped: helped || last.helped });
    }
  }

  /** The spots at which the moves of the run began, up to the spot shown. */
  get line() {
    const line = [this.spot];
    while (line[0].before) line.unshift(line[0].before);
    return line;
  }

  /** The game that is shown, as data: spots with numbers in place of `run` and `before`. joins: see `move`. */
  stored(joins) {
    const { game, spot } = this;
    const spots = game.map(({ moves, before, run, record, made, ...rest }) => {
      return { ...rest, made: joins ? made : [], before: game.indexOf(before) };
    });
    return { spots, place: game.indexOf(spot), best: spot.run.best ?? null };
  }

  /** Takes up a stored game. */
  restore({ spots, place, best }) {
    const run = { begin: spots[0].id, best };
    this.#spots = [];
    for (const { before, ...rest } of spots) this.#spots.push({ ...rest, run, before: this.#spots[before] ?? null });
    this.#place = place;
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

/** The spot after another one, by a move that was made in some parts. */
function next(before, id, { name, cost }, made) {
  return { id, count: before.count + cost, run: before.run, before, made, name, distance: null };
}

/** Whether two sequences of moves bring what lies in `cell` to the same cell; null: in every cell. */
function same(made, others, cell) {
  const end = (moves, from) => moves.reduce((here, move) => spread(move, here).at(-1), from);
  const cells = cell === null ? [...made, ...others].flatMap((move) => [...touched(move)]) : [cell];
  return cells.every((each) => end(made, each) === end(others, each));
}

/** A shortest solution as a line of spots that begins with `base`. names: {name, words} of each move. */
export function lineOf(base, path, moves, names) {
  const line = [base];
  let left = moves.reduce((sum, { cost }) => sum + cost, 0);
  moves.forEach((move, index) => {
    const { name, words } = names[index];
    const spot = next(line.at(-1), path[index + 1], { ...move, name }, [move]);
    left -= move.cost;
    line.push({ ...spot, words, distance: left, helped: true });
  });
  return line;
}
