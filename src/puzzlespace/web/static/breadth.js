// A shortest solution found in the page: breadth-first, in compiled loops or, for few kinds of moves, in lists.

import { holds } from "./sentences.js";

const SLICE = 30; // milliseconds of work between two pauses, in which the page answers
const LOOK = 256; // positions between two looks at the clock
const MOST_LISTED = 2 ** 27; // bytes of positions in lists
const AT_ONCE = 100_000n; // positions that loops generate between two pauses
const MOST_AHEAD = 2 ** 26; // bytes to take a part of a layer one move further without keeping it

/** For how many positions there is room at first, and how many are looked up at once: neither changes an answer. */
export const thresholds = { room: 2 ** 11, chunk: 2 ** 12 };

// the fields of the loops' state, and what they say at their end: see kernels/program/fields.py
const [COUNT, ROOM, MASK, AT, END, BUDGET, , STATUS, WAITING, MARKING, MARKED] = Array(11).keys();
const [DONE, PAUSED, FULL] = Array(3).keys();
const STATE = { length: 13 };

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
 * a byte for each position, and marks or positions to look up. All layers are whole: one for which there is no room is
 * left out again.
 */
export class Looped {
  #memory = new WebAssembly.Memory({ initial: 2 });
  #at = {}; // the address of each array
  #end = 1024; // of all that is not moved; no array begins at 0
  #room = thresholds.room;
  #waiting = 2 ** 8;
  #refused = 0; // bytes that were too few for the next layer
  #ends = []; // of the layers

  /** compiled: the module, and the arrays of `for_browser` in engines/program. starts: the symbols of each. */
  constructor({ module, board, ...arrays }, goals, starts) {
    this.loops = new WebAssembly.Instance(module, { env: { memory: this.#memory } }).exports;
    this.goals = goals;
    this.board = [...board].map(Number);
    [this.bits, this.each, this.width] = [...arrays.rules.subarray(1, 4)].map(Number);
    for (const [name, { length }] of Object.entries({ ...arrays, state: STATE })) this.#keep(name, 8 * length);
    this.#grow(this.#end);
    for (const [name, array] of Object.entries(arrays)) this.#numbers(name, array.length).set(array);
    const words = starts.flatMap((start) => [...this.#packed(start)]);
    this.restart(BigInt64Array.from(words));
  }

  /** Begins anew with other positions, as words. */
  restart(words) {
    const count = words.length / this.width;
    while (this.#room < count) this.#room *= 2;
    this.#arrange();
    this.#numbers("words", words.length).set(words);
    this.#came(count).fill(0);
    this.#state[COUNT] = BigInt(count);
    this.#ends = [0, count];
    this.#refused = 0;
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
    return this.#end + room * (8 * (this.width + 2) + 1) + 8 * this.#waiting * (this.width + 3);
  }

  /** Gives each array that grows its place. */
  #arrange() {
    const came = this.#came(this.#at.came ? Number(this.#state[COUNT]) : 0).slice();
    this.#at.words = this.#end;
    this.#at.table = this.#at.words + 8 * this.#room * this.width;
    this.#at.parts = this.#at.table + 16 * this.#room;
    this.#at.came = this.#at.parts + 8 * this.#waiting * (this.width + 3);
    this.#at.marks = this.#at.came + this.#room;
    this.#grow(this.#at.marks + 8);
    this.#came(came.length).set(came);
  }

  /** For so many positions the numbers of the sets of rules that may lead on from them. */
  #came(count) {
    return new Uint8Array(this.#memory.buffer, this.#at.came, count);
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
    this.board.forEach((at, cell) => {
      if (at >= 0) words[Math.floor(at / this.each)] |= BigInt(symbols[cell]) << BigInt((at % this.each) * this.bits);
    });
    return words;
  }

  /** The symbols of the position with a number. */
  symbols(number) {
    const words = new BigUint64Array(this.#memory.buffer, this.#at.words + 8 * number * this.width, this.width);
    const low = (1n << BigInt(this.bits)) - 1n;
    const shown = (at) => words[Math.floor(at / this.each)] >> BigInt((at % this.each) * this.bits);
    return this.board.map((at) => (at < 0 ? -1 - at : Number(shown(at) & low)));
  }

  /** How many moves the last layer is away. */
  get depth() {
    return this.#ends.length - 2;
  }

  /** The last layer: its first number, and that after its last one. */
  get layer() {
    return this.#ends.slice(-2);
  }

  /** The positions of the last layer. */
  get last() {
    const [first, end] = this.layer;
    return end - first;
  }

  /** The words of the positions with numbers from `first` to before `end`: valid until the memory grows. */
  words(first, end) {
    const words = (end - first) * this.width;
    return new BigInt64Array(this.#memory.buffer, this.#at.words + 8 * first * this.width, words);
  }

  /** Room for so many marks, all 0. */
  #marks(count) {
    this.#grow(this.#at.marks + count);
    return new Uint8Array(this.#memory.buffer, this.#at.marks, count).fill(0);
  }

  /** The number of the first goal of the last layer, -1 without one. */
  #goal() {
    const [first, end] = this.layer;
    const marks = this.#marks(end - first);
    const state = this.#state;
    state[AT] = BigInt(first);
    state[END] = BigInt(end);
    this.#call("met", "rules", "goals", "allowed", "state", "words", "marks");
    const fits = (mark, at) => mark && this.goals.some((goal) => meets(goal, this.symbols(first + at)));
    const found = marks.findIndex(fits);
    return found < 0 ? -1 : first + found;
  }

  /**
   * The first position of the last layer of another search that is among those found here: its number there and here;
   * null if there is none.
   */
  async meeting(other, signal) {
    const [from, to] = other.layer;
    const { chunk } = thresholds;
    for (let first = from; first < to; first += chunk) {
      const end = Math.min(first + chunk, to);
      this.#grow(this.#at.marks + 8 * this.width * chunk);
      this.#numbers("marks", (end - first) * this.width).set(other.words(first, end));
      const state = this.#state;
      state[AT] = 0n;
      state[END] = BigInt(end - first);
      this.#call("meet", "rules", "state", "words", "table", "marks");
      if (state[MARKED] >= 0n) return [first + Number(state[AT]), Number(state[MARKED])];
      if (((first - from) / chunk) % 16 === 15) await pause(signal);
    }
    return null;
  }

  /** Expands a layer; whether there was room for all positions. */
  async #expand(first, last, most, signal) {
    const begun = this.#state;
    begun[AT] = BigInt(first);
    begun[END] = BigInt(last);
    begun[BUDGET] = AT_ONCE;
    for (;;) {
      this.#call("expand", "rules", "sets", "state", "words", "table", "parts", "marks", "came");
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

  /** Finds the next layer; false if `most` bytes are too few. Throws an AbortError. */
  async deepen(most, signal) {
    if (most <= this.#refused) return false;
    const [first, end] = this.layer;
    let whole = false;
    try {
      whole = await this.#expand(first, end, most, signal);
      if (!whole) this.#refused = most;
    } finally {
      const state = this.#state;
      if (whole) this.#ends.push(Number(state[COUNT]));
      else if (Number(state[COUNT]) > end) {
        state[COUNT] = BigInt(end);
        this.#index();
      }
    }
    return whole;
  }

  /**
   * The positions on a shortest way to a goal, as symbols.
   *
   * path: null if no goal was found; whole: whether all positions that can be reached were seen. `most` bytes are used
   * at most; beyond: the goal is more moves away if it was not found. Throws an AbortError.
   */
  async shortest(most, signal) {
    try {
      while (this.last) {
        const goal = this.#goal();
        if (goal >= 0) return { path: (await this.way(goal)).map((number) => this.symbols(number)), whole: true };
        if (!(await this.deepen(most, signal))) return { path: null, whole: false, beyond: this.depth };
      }
      return { path: null, whole: true };
    } catch (error) {
      if (!(error instanceof RangeError)) throw error; // the browser has no more memory
      return { path: null, whole: false };
    }
  }

  /** Numbers on a way to that of a position: in each layer before, one is marked from which a move leads on. */
  async way(number) {
    const path = [number];
    let layer = this.#ends.findIndex((end) => end > number) - 2;
    for (; layer >= 0; layer--) {
      const [first, last, end] = this.#ends.slice(layer, layer + 3);
      this.#marks(end - first)[path.at(-1) - first] = 1;
      const state = this.#state;
      state[MARKING] = 1n;
      state[MARKED] = BigInt(first);
      await this.#expand(first, last, Infinity);
      this.#state[MARKING] = 0n;
      path.push(first + new Uint8Array(this.#memory.buffer, this.#at.marks, last - first).indexOf(1));
    }
    return path.reverse();
  }
}

/**
 * Searches from a position and from the goals at once.
 *
 * All positions within `back.depth` moves of the goals are known; they are kept for the next search. If none of those
 * within `front.depth` moves of the position is among them, the goals are more moves away than both depths together. So
 * the first ones that meet are on a shortest way.
 */
export class Both {
  #arrays;
  #ends;
  #back = null;
  #running = null; // a search that was given up ends before the next one begins

  /** goals: each one position. */
  constructor({ back_rules, back_sets, ...arrays }, goals) {
    this.#arrays = arrays;
    this.back = { ...arrays, rules: back_rules, sets: back_sets };
    this.#ends = goals.map(({ need }) => need.map(([symbol]) => symbol));
  }

  /** As that of `Looped`. Half of the memory is for each end. */
  async shortest(...question) {
    const before = this.#running;
    const found = (async () => {
      await before?.catch(() => null);
      return this.#answered(...question);
    })();
    this.#running = found;
    return found;
  }

  async #answered(start, most, signal) {
    signal?.throwIfAborted();
    try {
      this.#back ??= new Looped(this.back, [], this.#ends);
      return await this.#searched(new Looped(this.#arrays, [], [start]), this.#back, most / 2, signal);
    } catch (error) {
      if (!(error instanceof RangeError)) throw error; // the browser has no more memory
      this.#back = null;
      return { path: null, whole: false };
    }
  }

  async #searched(front, back, most, signal) {
    for (;;) {
      const met = await back.meeting(front, signal);
      if (met) return this.#joined(front, await front.way(met[0]), [], back, met[1]);
      if (!front.last || !back.last) return { path: null, whole: true };
      const [less, more] = front.last <= back.last ? [front, back] : [back, front];
      if (!((await less.deepen(most, signal)) || (await more.deepen(most, signal)))) break;
    }
    return this.#ahead(front, back, signal);
  }

  /** Takes the last layer one move further, part by part, because there is no room to keep the next one. */
  async #ahead(front, back, signal) {
    const next = new Looped(this.#arrays, [], []);
    const [from, to] = front.layer;
    const { chunk } = thresholds;
    for (let first = from; first < to; first += chunk) {
      next.restart(front.words(first, Math.min(first + chunk, to)));
      if (!(await next.deepen(MOST_AHEAD, signal))) {
        return { path: null, whole: false, beyond: front.depth + back.depth };
      }
      const met = await back.meeting(next, signal);
      if (met) {
        const [before, last] = await next.way(met[0]);
        return this.#joined(front, await front.way(first + before), [next.symbols(last)], back, met[1]);
      }
      await pause(signal);
    }
    return { path: null, whole: false, beyond: front.depth + back.depth + 1 };
  }

  /** The positions on a way by numbers of one end, over some between, to a number of the other end, which comes last. */
  async #joined(front, numbers, between, back, number) {
    const rest = (await back.way(number)).reverse().map((each) => back.symbols(each));
    return { path: [...numbers.map((each) => front.symbols(each)), ...between, ...rest.slice(1)], whole: true };
  }
}
