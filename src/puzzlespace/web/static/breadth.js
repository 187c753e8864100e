// A shortest solution found in the page: breadth-first, in compiled loops or, for few kinds of moves, in lists.

import { holds } from "./sentences.js";

const SLICE = 30; // milliseconds of work between two pauses, in which the page answers
const LOOK = 256; // positions between two looks at the clock
const MOST_LISTED = 2 ** 27; // bytes of positions in lists
const AT_ONCE = 100_000n; // positions that loops generate between two pauses

// the fields of the loops' state, and what they say at their end: see kernels/program/fields.py
const [COUNT, ROOM, MASK, AT, END, BUDGET, , STATUS, WAITING, MARKING, MARKED] = Array(11).keys();
const [DONE, PAUSED, FULL] = Array(3).keys();
const STATE = { length: 12 };

/** Whether a position, as symbols, meets a goal. */
export function meets({ need, counts, sentence }, symbols) {
  return (
    (sentence === null || holds(sentence, symbols)) &&
    symbols.every((symbol, cell) => need[cell] === null || need[cell].includes(symbol)) &&
    counts.every(([symbol, count]) => symbols.filter((each) => each === symbol).length === count)
  );
}

/** Lets the page answer. Throws an AbortError. */
async function pause(signal) {
  await new Promise((done) => setTimeout(done));
  signal?.throwIfAborted();
}

/** Positions whose moves a function makes, from symbols: for rules of every kind, slowly. */
export class Listed {
  #found = new Map();
  #rows = [];
  #parents = [];

  /** following: gives the symbols of all positions one move on. */
  constructor(start, following, goals) {
    Object.assign(this, { following, goals });
    this.#add(start, -1);
  }

  #add(symbols, parent) {
    const key = String.fromCharCode(...symbols);
    if (this.#found.has(key)) return false;
    this.#found.set(key, this.#rows.length);
    this.#rows.push(symbols);
    this.#parents.push(parent);
    return true;
  }

  /** As that of `Looped`. */
  async shortest(most, signal) {
    let clock = performance.now();
    for (let at = 0; at < this.size; at++) {
      const goal = at ? this.expand(at) : this.solved(0) ? 0 : this.expand(0);
      if (goal >= 0) return { path: this.path(goal), whole: true };
      if (this.bytes > Math.min(most, MOST_LISTED)) return { path: null, whole: false };
      if (at % LOOK || performance.now() - clock < SLICE) continue;
      await pause(signal);
      clock = performance.now();
    }
    return { path: null, whole: true };
  }

  get size() {
    return this.#rows.length;
  }

  get bytes() {
    return this.size * (100 + 10 * this.#rows[0].length);
  }

  solved(at) {
    return this.goals.some((goal) => meets(goal, this.#rows[at]));
  }

  expand(at) {
    for (const child of this.following(this.#rows[at])) {
      if (this.#add(child, at) && this.solved(this.size - 1)) return this.size - 1;
    }
    return -1;
  }

  path(at) {
    return at < 0 ? [] : [...this.path(this.#parents[at]), this.#rows[at]];
  }
}

/**
 * Positions in compiled loops, of the library's `kernels/program`: a layer is a range of their numbers.
 *
 * The memory has, one behind the other, the arrays that stay, all positions found, the hash table, the parts of moves,
 * and marks.
 */
export class Looped {
  #memory = new WebAssembly.Memory({ initial: 2 });
  #at = {}; // the address of each array
  #end = 1024; // of all that is not moved; no array begins at 0
  #room = 2 ** 11;
  #waiting = 2 ** 8;

  /** compiled: the module, and the arrays `rules`, `sets`, `goals` and `allowed`. start: symbols. */
  constructor({ module, ...arrays }, goals, start) {
    this.loops = new WebAssembly.Instance(module, { env: { memory: this.#memory } }).exports;
    this.goals = goals;
    [this.cells, this.bits, this.each, this.width] = [...arrays.rules.subarray(0, 4)].map(Number);
    for (const [name, { length }] of Object.entries({ ...arrays, state: STATE })) this.#keep(name, 8 * length);
    this.#grow(this.#end);
    for (const [name, array] of Object.entries(arrays)) this.#numbers(name, array.length).set(array);
    this.#arrange();
    this.#numbers("words", this.width).set(this.#packed(start));
    this.#state[COUNT] = 1n;
    this.#index();
  }

  #keep(name, bytes) {
    this.#at[name] = this.#end;
    this.#end += bytes;
  }

  #grow(bytes) {
    const missing = bytes - this.#memory.buffer.byteLength;
    if (missing > 0) this.#memory.grow(Math.ceil(missing / 65536));
  }

  #numbers(name, length) {
    return new BigInt64Array(this.#memory.buffer, this.#at[name], length);
  }

  get #state() {
    return this.#numbers("state", STATE.length);
  }

  #call(name, ...arrays) {
    this.loops[name](...arrays.map((each) => this.#at[each]));
  }

  /** The bytes for so many positions. */
  #bytes(room) {
    return this.#end + 8 * room * (this.width + 2) + 8 * this.#waiting * (this.width + 3);
  }

  /** Gives each array that grows its place. */
  #arrange() {
    this.#at.words = this.#end;
    this.#at.table = this.#at.words + 8 * this.#room * this.width;
    this.#at.parts = this.#at.table + 16 * this.#room;
    this.#at.marks = this.#at.parts + 8 * this.#waiting * (this.width + 3);
    this.#grow(this.#at.marks + 8);
  }

  /** Makes the hash table. */
  #index() {
    this.#numbers("table", 2 * this.#room).fill(0n);
    const state = this.#state;
    state[ROOM] = BigInt(this.#room);
    state[MASK] = BigInt(2 * this.#room - 1);
    state[WAITING] = BigInt(this.#waiting);
    this.#call("enter", "rules", "state", "words", "table");
  }

  #packed(symbols) {
    const words = new BigInt64Array(this.width);
    symbols.forEach((symbol, cell) => {
      words[Math.floor(cell / this.each)] |= BigInt(symbol) << BigInt((cell % this.each) * this.bits);
    });
    return words;
  }

  #symbols(number) {
    const words = new BigUint64Array(this.#memory.buffer, this.#at.words + 8 * number * this.width, this.width);
    const low = (1n << BigInt(this.bits)) - 1n;
    const shown = (cell) => words[Math.floor(cell / this.each)] >> BigInt((cell % this.each) * this.bits);
    return Array.from({ length: this.cells }, (_, cell) => Number(shown(cell) & low));
  }

  /** Room for so many marks, all 0. */
  #marks(count) {
    this.#grow(this.#at.marks + count);
    return new Uint8Array(this.#memory.buffer, this.#at.marks, count).fill(0);
  }

  /** The number of the first goal of a layer, -1 without one. */
  #goal(first, last) {
    const marks = this.#marks(last - first);
    const state = this.#state;
    state[AT] = BigInt(first);
    state[END] = BigInt(last);
    this.#call("met", "rules", "goals", "allowed", "state", "words", "marks");
    const fits = (mark, at) => mark && this.goals.some((goal) => meets(goal, this.#symbols(first + at)));
    const found = marks.findIndex(fits);
    return found < 0 ? -1 : first + found;
  }

  /** Expands a layer; whether there was room for all positions. */
  async #expand(first, last, most, signal) {
    const begun = this.#state;
    begun[AT] = BigInt(first);
    begun[END] = BigInt(last);
    begun[BUDGET] = AT_ONCE;
    for (;;) {
      this.#call("expand", "rules", "sets", "state", "words", "table", "parts", "marks");
      const status = Number(this.#state[STATUS]);
      if (status === DONE) return true;
      if (status !== PAUSED) {
        if (this.#bytes(2 * this.#room) > most) return false;
        if (status === FULL) this.#room *= 2;
        else this.#waiting *= 2;
        this.#arrange();
        this.#index();
      }
      await pause(signal);
    }
  }

  /**
   * The positions on a shortest way to a goal, as symbols.
   *
   * path: null if no goal was found; whole: whether all positions that can be reached were seen. `most` bytes are used
   * at most. Throws an AbortError.
   */
  async shortest(most, signal) {
    const ends = [0, 1];
    try {
      while (ends.at(-1) > ends.at(-2)) {
        const goal = this.#goal(ends.at(-2), ends.at(-1));
        if (goal >= 0) return { path: await this.#way(goal, ends, signal), whole: true };
        if (!(await this.#expand(ends.at(-2), ends.at(-1), most, signal))) return { path: null, whole: false };
        ends.push(Number(this.#state[COUNT]));
      }
      return { path: null, whole: true };
    } catch (error) {
      if (!(error instanceof RangeError)) throw error; // the browser has no more memory
      return { path: null, whole: false };
    }
  }

  /** The positions on a way to one of the last layer: in each layer before, one is marked from which a move leads on. */
  async #way(goal, ends, signal) {
    const path = [this.#symbols(goal)];
    let number = goal;
    for (let layer = ends.length - 3; layer >= 0; layer--) {
      const [first, last, end] = ends.slice(layer, layer + 3);
      this.#marks(end - first)[number - first] = 1;
      const state = this.#state;
      state[MARKING] = 1n;
      state[MARKED] = BigInt(first);
      await this.#expand(first, last, Infinity, signal);
      number = first + new Uint8Array(this.#memory.buffer, this.#at.marks, last - first).indexOf(1);
      path.push(this.#symbols(number));
    }
    return path.reverse();
  }
}
