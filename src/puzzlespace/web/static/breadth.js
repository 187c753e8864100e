// A shortest solution found in the page: breadth-first search over positions packed into words of 32 bits.

import { holds } from "./sentences.js";

const SLICE = 30; // milliseconds of work between two pauses, in which the page answers
const LOOK = 256; // positions between two looks at the clock

/** Whether a position, as symbols, meets a goal. */
export function meets({ need, counts, sentence }, symbols) {
  return (
    (sentence === null || holds(sentence, symbols)) &&
    symbols.every((symbol, cell) => need[cell] === null || need[cell].includes(symbol)) &&
    counts.every(([symbol, count]) => symbols.filter((each) => each === symbol).length === count)
  );
}

/**
 * The positions on a shortest way from the first position of a space to a goal, as symbols.
 *
 * path: null if no goal was found; whole: whether all positions that can be reached were seen. `most` bytes are used at
 * most. Throws an AbortError.
 */
export async function shortest(space, most, signal) {
  let clock = performance.now();
  for (let at = 0; at < space.size; at++) {
    const goal = at ? space.expand(at) : space.solved(0) ? 0 : space.expand(0);
    if (goal >= 0) return { path: space.path(goal), whole: true };
    if (space.bytes > most) return { path: null, whole: false };
    if (at % LOOK || performance.now() - clock < SLICE) continue;
    await new Promise((done) => setTimeout(done));
    signal?.throwIfAborted();
    clock = performance.now();
  }
  return { path: null, whole: true };
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
 * Positions of plain rules in words of 32 bits. A hash table says which were found.
 *
 * The moves of the position that is expanded are made one behind the other in `made`, so that rules which may follow
 * within the same move (`after` of the library's `Metric`) begin there.
 */
export class Packed {
  #field; // the bits of one cell
  #fits; // how many positions fit `made`
  #count = 0; // how many are there

  /** symbols: how many there are. start: its symbols. after: for each rule those that may follow it, or []. */
  constructor({ rules, after, goals }, symbols, start) {
    this.bits = Math.max(1, 32 - Math.clz32(symbols - 1));
    this.#field = 2 ** this.bits - 1;
    this.cells = start.length;
    this.each = Math.floor(32 / this.bits);
    this.words = Math.ceil(this.cells / this.each);
    this.goals = goals.map((goal) => ({ goal, ...this.#fixed(goal.need) }));
    this.rules = rules.map((rule) => this.#compiled(rule));
    this.#follow(after);
    this.#arrange(rules, start);
    this.size = 0;
    this.arena = new Uint32Array(this.words << 12);
    this.parents = new Int32Array(1 << 12);
    this.slots = new Int32Array(1 << 14);
    this.#fits = 16;
    this.made = new Uint32Array(16 * this.words);
    this.lists = new Int32Array(16);
    this.made.set(this.#packed(start));
    this.#add(0, -1);
  }

  get bytes() {
    return 4 * (this.arena.length + this.parents.length + this.slots.length);
  }

  #place(cell) {
    return [Math.floor(cell / this.each), (cell % this.each) * this.bits];
  }

  #packed(symbols) {
    const words = new Uint32Array(this.words);
    symbols.forEach((symbol, cell) => {
      const [word, shift] = this.#place(cell);
      words[word] |= symbol << shift;
    });
    return words;
  }

  #symbols(at) {
    return Array.from({ length: this.cells }, (_, cell) => {
      const [word, shift] = this.#place(cell);
      return (this.arena[at * this.words + word] >>> shift) & this.#field;
    });
  }

  /** The bits that cells with one possible symbol have: `want` among `mask`. */
  #fixed(need) {
    const mask = new Uint32Array(this.words);
    const want = new Uint32Array(this.words);
    need.forEach((allowed, cell) => {
      if (allowed?.length !== 1) return;
      const [word, shift] = this.#place(cell);
      mask[word] |= this.#field << shift;
      want[word] |= allowed[0] << shift;
    });
    return { mask, want };
  }

  #compiled({ cells, need, source, table }) {
    const every = new Array(this.cells).fill(null);
    cells.forEach((cell, k) => {
      every[cell] = need[k];
    });
    const { mask, want } = this.#fixed(every);
    const keep = new Uint32Array(this.words).fill(0xffffffff);
    const put = new Uint32Array(this.words);
    const tests = [];
    const copies = [];
    cells.forEach((cell, k) => {
      const [word, shift] = this.#place(cell);
      if (need[k] && need[k].length !== 1) {
        tests.push([word, shift, Array.from({ length: this.#field + 1 }, (_, symbol) => need[k].includes(symbol))]);
      }
      if (source[k] === k && table[k] === null) return;
      keep[word] &= ~(this.#field << shift);
      const from = need[source[k]];
      if (from?.length === 1) put[word] |= (table[k] === null ? from[0] : table[k][from[0]]) << shift;
      else {
        const [origin, right] = this.#place(cells[source[k]]);
        copies.push({ source: origin, right, target: word, left: shift, table: table[k] });
      }
    });
    return { mask, want, tests, keep, put, copies, list: -1 };
  }

  /** Gives each rule the number of the list of those that may follow it; -1: none. */
  #follow(after) {
    const numbers = new Map();
    this.followers = [];
    after.forEach((rules, number) => {
      const key = String(rules);
      if (!rules.length) return;
      if (!numbers.has(key)) numbers.set(key, this.followers.push(rules.map((each) => this.rules[each])) - 1);
      this.rules[number].list = numbers.get(key);
    });
  }

  /** Orders rules by a cell that must show one symbol: of those that a rule has, the one that is rarest in the start. */
  #arrange(rules, start) {
    const often = (symbol) => start.filter((each) => each === symbol).length;
    const triggers = new Map();
    this.always = [];
    rules.forEach(({ cells, need }, number) => {
      const single = cells.flatMap((cell, k) => (need[k]?.length === 1 ? [[cell, need[k][0]]] : []));
      if (!single.length) this.always.push(this.rules[number]);
      else {
        const [[cell, symbol]] = single.sort(([, one], [, other]) => often(one) - often(other));
        const none = Array.from({ length: this.#field + 1 }, () => []);
        if (!triggers.has(cell)) triggers.set(cell, none);
        triggers.get(cell)[symbol].push(this.rules[number]);
      }
    });
    this.triggers = [...triggers].map(([cell, rules]) => ({
      word: this.#place(cell)[0],
      shift: this.#place(cell)[1],
      rules,
    }));
  }

  /** Adds the positions one move on; returns the first goal among them, -1 without one. */
  expand(at) {
    const first = at * this.words;
    this.#count = 0;
    this.#make(this.always, this.arena, first);
    for (let k = 0; k < this.triggers.length; k++) {
      const { word, shift, rules } = this.triggers[k];
      this.#make(rules[(this.arena[first + word] >>> shift) & this.#field], this.arena, first);
    }
    for (let place = 0; place < this.#count; place++) {
      if (this.#add(place, at) && this.solved(this.size - 1)) return this.size - 1;
      if (this.lists[place] >= 0) this.#make(this.followers[this.lists[place]], this.made, place * this.words);
    }
    return -1;
  }

  /** Makes what rules make of the position that begins at a word of `from`. */
  #make(rules, from, first) {
    const field = this.#field;
    const { words } = this;
    for (let number = 0; number < rules.length; number++) {
      const { mask, want, tests, keep, put, copies, list } = rules[number];
      let word = 0;
      while (word < words && ((from[first + word] & mask[word]) ^ want[word]) === 0) word++;
      if (word < words) continue;
      if (tests.length && !tests.every(([at, shift, allowed]) => allowed[(from[first + at] >>> shift) & field]))
        continue;
      if (this.#count === this.#fits) from = this.#widen(from);
      const { made } = this;
      const to = this.#count * words;
      for (word = 0; word < words; word++) made[to + word] = (from[first + word] & keep[word]) | put[word];
      for (let k = 0; k < copies.length; k++) {
        const { source, right, target, left, table } = copies[k];
        const symbol = (from[first + source] >>> right) & field;
        made[to + target] |= (table === null ? symbol : table[symbol]) << left;
      }
      if (list < 0 || !this.#again(list)) this.lists[this.#count++] = list;
    }
  }

  /** Whether the position behind the last one was made already in this move, with the same rules that may follow. */
  #again(list) {
    const { made, words } = this;
    const last = this.#count * words;
    for (let place = 0; place < this.#count; place++) {
      if (this.lists[place] !== list) continue;
      let word = 0;
      while (word < words && made[place * words + word] === made[last + word]) word++;
      if (word === words) return true;
    }
    return false;
  }

  /** Makes room for more positions; returns the array that `from` is now. */
  #widen(from) {
    const { made, lists } = this;
    this.#fits *= 2;
    this.made = new Uint32Array(2 * made.length);
    this.lists = new Int32Array(2 * lists.length);
    this.made.set(made);
    this.lists.set(lists);
    return from === made ? this.made : from;
  }

  /** Adds the position at a place of `made` unless it is there; returns whether it was not. */
  #add(place, parent) {
    const { made, words } = this;
    const from = place * words;
    let slot = this.#slot(made, from);
    for (; this.slots[slot]; slot = (slot + 1) & (this.slots.length - 1)) {
      const first = (this.slots[slot] - 1) * words;
      let word = 0;
      while (word < words && this.arena[first + word] === made[from + word]) word++;
      if (word === words) return false;
    }
    if (this.size === this.parents.length) this.#grow();
    for (let word = 0; word < words; word++) this.arena[this.size * words + word] = made[from + word];
    this.parents[this.size] = parent;
    this.size += 1;
    this.slots[slot] = this.size;
    if (2 * this.size > this.slots.length) this.#rehash();
    return true;
  }

  /** Where the search for some words begins in the hash table. */
  #slot(from, first) {
    let hash = 0;
    for (let word = 0; word < this.words; word++) {
      hash = Math.imul(hash ^ from[first + word], 0x9e3779b1);
      hash ^= hash >>> 15;
    }
    return hash & (this.slots.length - 1);
  }

  #grow() {
    const arena = new Uint32Array(2 * this.arena.length);
    const parents = new Int32Array(2 * this.parents.length);
    arena.set(this.arena);
    parents.set(this.parents);
    Object.assign(this, { arena, parents });
  }

  #rehash() {
    this.slots = new Int32Array(4 * this.slots.length);
    for (let at = 0; at < this.size; at++) {
      let slot = this.#slot(this.arena, at * this.words);
      while (this.slots[slot]) slot = (slot + 1) & (this.slots.length - 1);
      this.slots[slot] = at + 1;
    }
  }

  /** Whether a position is a goal; most are told by their words. */
  solved(at) {
    const first = at * this.words;
    return this.goals.some(({ goal, mask, want }) => {
      for (let word = 0; word < this.words; word++) {
        if (((this.arena[first + word] & mask[word]) ^ want[word]) !== 0) return false;
      }
      return meets(goal, this.#symbols(at));
    });
  }

  path(at) {
    const found = [];
    for (let here = at; here >= 0; here = this.parents[here]) found.push(this.#symbols(here));
    return found.reverse();
  }
}
