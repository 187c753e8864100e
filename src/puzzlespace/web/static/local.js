// A puzzle that needs no server: the file has its rules and, if they are few, the distances of all positions.

import { Both, Listed, Looped, meets } from "./breadth.js";
import { WALKS } from "./deals.js";
import { levelsOf } from "./levels.js";
import { cellsOf, idOf, symbolsOf, wordsOf } from "./positions.js";
import { holds } from "./sentences.js";
import { nameOf } from "./ways.js";

const LOST = 0xffff; // entry of the distance table: no goal can be reached

const UNASKED = 2 ** 21; // bytes of a search that nobody asked for
const ASKED = 2 ** 28; // bytes of one that somebody asked for

export class LocalModel {
  /** kept: the data that web/standalone.py writes; see its `puzzle_data`. */
  static async open(kept) {
    const { keys, depths } = kept.table ?? {};
    const table = kept.table && tableOf(kept.table, await inflated(keys), await inflated(depths));
    return new LocalModel({ ...kept, table });
  }

  #levels;
  #left = new Map(); // without a table: how far some positions are
  #beyond = new Map(); // more moves than so many are some others away
  #both = null; // a search from both ends, which keeps what it found from the goals

  constructor({ about, rules, after, costs, free, stages, laws, goals, path, lost, table, program }) {
    Object.assign(this, { about, rules, after, costs, free, stages, laws, goals, lost, table, program });
    const automatic = new Set(stages.flatMap((stage) => stage.rules));
    this.made = rules.flatMap((_, number) => (automatic.has(number) ? [] : [number])); // by the player
    this.#learn(path.map((id) => this.#symbols(id)));
    if (lost) this.#left.set(about.start, Infinity);
  }

  async at(id) {
    return this.#at(this.#symbols(id));
  }

  /** A position with its distance. Without a table it is searched for: briefly if nobody asked for it (`unasked`). */
  async distance(id, { signal, unasked = false } = {}) {
    const at = this.#at(this.#symbols(id));
    if (at.state !== "unknown" || this.table || this.costs.length || this.free.length) return at;
    const { path, whole, beyond } = await this.#shortest(at.symbols, unasked ? UNASKED : ASKED, signal);
    if (path) this.#learn(path);
    else if (whole) this.#left.set(id, Infinity);
    else if (beyond > (this.#beyond.get(at.position) ?? 0)) this.#beyond.set(at.position, beyond);
    return this.#at(at.symbols);
  }

  /**
   * Searches from a position on: in compiled loops if the file has them and they are for what the cells show that never
   * change; from both ends if it can take moves back.
   */
  async #shortest(symbols, most, signal) {
    this.compiled ??= this.program && (await compiled(this.program));
    if (!this.compiled?.board.every((at, cell) => at >= 0 || symbols[cell] === Number(-1n - at))) {
      const following = (here) => [...this.#moves(here).values()].map(({ child }) => child);
      return new Listed(symbols, following, this.goals).shortest(most, signal);
    }
    if (!this.compiled.back_rules) return new Looped(this.compiled, this.goals, [symbols]).shortest(most, signal);
    this.#both ??= new Both(this.compiled, this.goals);
    return this.#both.shortest(symbols, most, signal);
  }

  /** Keeps how far the positions of a shortest solution are. */
  #learn(path) {
    let left = 0;
    [...path].reverse().forEach((symbols, place, all) => {
      if (place) left += this.costs.length ? this.#cost(this.#way(symbols, all[place - 1])) : 1;
      this.#left.set(this.#id(symbols), left);
    });
  }

  /** The rules of the move from one position to another. */
  #way(from, to) {
    const key = String(to);
    return [...this.#moves(from).values()].find(({ child }) => String(child) === key).path;
  }

  /** A shortest solution, by the table or by a search. */
  async solution(id, { signal } = {}) {
    const path = [id];
    const moves = [];
    const next = (at) => at.moves.find((move) => move.best);
    await this.distance(id, { signal });
    for (let move = next(this.#at(this.#symbols(id))); move; move = next(this.#at(this.#symbols(path.at(-1))))) {
      moves.push(move);
      path.push(move.to);
    }
    return { path: moves.length ? path : [], moves };
  }

  async path(id, options) {
    return (await this.solution(id, options)).path;
  }

  /** The greatest distance in the table, null without a table. */
  get deepest() {
    return this.table?.depths.reduce((most, depth) => (depth === LOST ? most : Math.max(most, depth)), 0) ?? null;
  }

  /** The distance of each level; null if there is no way to deal games. */
  get levels() {
    this.#levels ??= levelsOf(this.deepest);
    return this.deepest || this.about.reversible ? this.#levels : null;
  }

  /** Whether games are made by random moves. */
  get walked() {
    return !this.table;
  }

  /** A random position of a level, another than `id` if there is one: of its distance, or by a walk from the start. */
  async sample(id, level = "medium") {
    return this.table ? this.drawn(this.levels[level], id) : this.#walked(level, id);
  }

  /**
   * A random position of a distance in the table, another than `id` if there is one; null if there is none. depths:
   * what else is the depth of each position of the table.
   */
  drawn(depth, id = null, depths = this.table.depths) {
    const all = Array.from(depths.keys()).filter((number) => depths[number] === depth);
    if (!all.length) return null;
    const found = this.#id(this.unpacked(all[Math.floor(Math.random() * all.length)]));
    return found === id && all.length > 1 ? this.drawn(depth, id, depths) : found;
  }

  /** The end of a random walk from the start: neither solved nor `id`, unless it comes to nothing else. */
  #walked(level, id) {
    const start = this.about.start ?? this.about.goals[0];
    let at = this.#at(this.#symbols(start));
    const unfit = () => at.goal || at.position === id;
    for (let step = 0; at.moves.length && (step < WALKS[level] || (unfit() && step < 2 * WALKS[level])); step++) {
      at = this.#at(this.#symbols(at.moves[Math.floor(Math.random() * at.moves.length)].to));
    }
    return at.position;
  }

  /** The symbols of a key of the table. */
  unpacked(number) {
    const { bits, keys, positions } = this.table;
    const first = (8 * keys.length) / positions - bits * this.about.cells; // a key is padded on its left
    const bit = (place) => (keys[(place >> 3) * positions + number] >> (7 - (place & 7))) & 1;
    const symbol = (cell) =>
      Array.from({ length: bits }).reduce((sum, _, k) => 2 * sum + bit(first + cell * bits + k), 0);
    return Array.from({ length: this.about.cells }, (_, cell) => symbol(cell));
  }

  #symbols(id) {
    return symbolsOf(this.about, id);
  }

  #id(symbols) {
    return idOf(this.about, symbols);
  }

  #at(symbols) {
    const id = this.#id(symbols);
    const here = this.#depth(symbols) ?? (this.free.length ? this.#depth(least(this.#walks(symbols))) : null);
    const words = wordsOf(this.about, symbols);
    const pieces = this.#pieces(symbols);
    const firsts = pieces.map(([first]) => first);
    const solved = this.goals.some((goal) => meets(goal, symbols));
    const moves = [...this.#moves(symbols).values()].map(({ child, path }) => {
      const to = this.#depth(child);
      return {
        to: this.#id(child),
        ...this.#named(path, words, firsts),
        ...this.#told(to),
        cost: this.#cost(path),
        best: to !== null && to < Infinity && to === here - this.#cost(path),
      };
    });
    const beyond = this.#beyond.get(id) ?? null;
    return { position: id, symbols, words, pieces, goal: solved, ...this.#told(here), beyond, moves };
  }

  /** What a move counts. */
  #cost(path) {
    return this.costs.length ? path.reduce((sum, number) => sum + this.costs[number], 0) : 1;
  }

  #told(depth) {
    const state = this.#state(depth);
    return { distance: state === "known" ? depth : null, state };
  }

  #state(depth) {
    if (!this.goals.length) return "none";
    if (depth === null) return "unknown";
    return depth === Infinity ? "lost" : "known";
  }

  /**
   * The positions one move away, each with the sequence of rules that `Model.moves` of the library gives, or those that
   * `Model.ways` gives for listed moves.
   */
  #moves(symbols) {
    if (this.about.exhausts) return this.#exhausted(symbols);
    if (this.free.length) return this.#afterWalks(symbols);
    const found = new Map();
    const self = String(symbols);
    const listed = this.about.listed.length > 0;
    const start = [...this.made];
    if (this.costs.length) start.sort((a, b) => this.costs[b] - this.costs[a]); // the last way found is kept
    const layer = start.flatMap((number) => this.#made(symbols, [number], this.stages.length > 0));
    for (const { child: before, path } of this.#chains(layer)) {
      const child = this.#settled(before);
      if (this.laws.some((law) => holds(law, child))) continue;
      const key = String(child);
      const move = listed ? `${key}|${this.rules[path[0]].generator}` : key;
      if (key !== self && (!found.has(move) || !(listed || this.after.length))) found.set(move, { child, path });
    }
    return found;
  }

  /** The position after all that happens by itself; see `Stage` in model/metric.py. */
  #settled(symbols) {
    let [here, again] = [symbols, this.stages.length > 0];
    for (let pass = 0; again; pass++) {
      again = false;
      for (const { rules, once } of this.stages) {
        if (once && pass) continue;
        for (let next = this.#first(here, rules); next; next = once ? null : this.#first(here, rules)) {
          [here, again] = [next, true];
        }
      }
    }
    return here;
  }

  #first(symbols, numbers) {
    for (const number of numbers) {
      const [made] = this.#made(symbols, [number]);
      if (made) return made.child;
    }
    return null;
  }

  /** The positions after the first rules of moves and after those that may follow, each with its rules and its key. */
  *#chains(layer) {
    const seen = new Set();
    while (layer.length) {
      const following = [];
      for (const { child, path } of layer) {
        const key = String(child);
        yield { child, path };
        const next = this.after[path.at(-1)] ?? [];
        const state = `${key}|${next}`;
        if (!next.length || seen.has(state)) continue;
        seen.add(state);
        for (const number of next) following.push(...this.#made(child, [...path, number]));
      }
      layer = following;
    }
  }

  /** The positions one move away if rules that are free, such as steps of a player, may come before and after it. */
  #afterWalks(symbols) {
    const found = new Map();
    const walks = this.#walks(symbols);
    const self = String(least(walks));
    const paid = this.rules.flatMap((_, number) => (this.free.includes(number) ? [] : [number]));
    for (const { child: here, path: walk } of walks) {
      const layer = paid.flatMap((number) => this.#made(here, [number]));
      for (const { child, path } of this.#chains(layer)) {
        const settled = least(this.#walks(child));
        const key = String(settled);
        if (key !== self && !found.has(key)) found.set(key, { child: settled, path: [...walk, ...path] });
      }
    }
    return found;
  }

  /** The positions that free rules lead to, nearest first, each with its rules. */
  #walks(symbols) {
    const found = [{ child: symbols, path: [] }];
    const seen = new Set([String(symbols)]);
    for (const { child: here, path } of found) {
      for (const number of this.free) {
        for (const { child } of this.#made(here, [number])) {
          if (seen.has(String(child))) continue;
          seen.add(String(child));
          found.push({ child, path: [...path, number] });
        }
      }
    }
    return found;
  }

  /** The positions one move away if a move goes on until no rule of its group applies. */
  #exhausted(symbols) {
    const found = new Map();
    for (const group of new Map(this.after.map((each) => [String(each), each])).values()) {
      let [child, path, count] = [symbols, [], -1];
      while (path.length > count) {
        count = path.length;
        for (const number of group) {
          const [made] = this.#made(child, [...path, number]);
          if (made) ({ child, path } = made);
        }
      }
      const key = String(child);
      if (path.length && !found.has(key)) found.set(key, { child, path });
    }
    return found;
  }

  /** The position after the last rule of a path; none if it does not apply, or changes nothing. */
  #made(symbols, path, still = false) {
    const { cells, need, source, table } = this.rules[path.at(-1)];
    if (!cells.every((cell, k) => need[k] === null || need[k].includes(symbols[cell]))) return [];
    const child = [...symbols];
    cells.forEach((cell, k) => {
      const old = symbols[cells[source[k]]];
      child[cell] = table[k] === null ? old : table[k][old];
    });
    return still || child.some((symbol, cell) => symbol !== symbols[cell]) ? [{ child, path }] : [];
  }

  /** A move's name as the library gives it, its steps, its piece and its target. */
  #named(path, words, firsts) {
    const rules = path.map((number) => this.rules[number]);
    const all = rules.map((rule) => rule.motion).filter(Boolean);
    const paid = all.filter(([, , , free]) => !free);
    const motions = paid.length ? paid : all;
    const steps = rules.map((rule) => rule.step);
    if (!motions.length) {
      const way = powers(rules.map((rule) => rule.step.name));
      return { name: way, movers: [], way, steps, piece: null, target: null };
    }
    if (this.about.exhausts) {
      return { name: motions[0][2], movers: [], way: motions[0][2], steps, piece: null, target: null };
    }
    const train = motions.length > 1 && motions[1][1] === motions[0][0];
    if (train) motions.reverse();
    const origins = train ? motions.map(([origin]) => origin) : [motions[0][0]];
    const [first, last] = train ? [motions[0], motions[0]] : [motions[0], motions.at(-1)];
    const { named, board } = this.about;
    const row = (cell) => board.rows.findIndex((cells) => cells.includes(cell)) + 1;
    const route = [motions[0][0], ...motions.map(([, target]) => target)]
      .map((cell) => (named === "rows" ? row(cell) : board.names[cell]))
      .join("-");
    const ways = train ? [motions[0][2]] : motions.map(([, , direction]) => direction);
    const directed = named === "direction" && board.grid;
    const by = this.about.players && paid.length && !directed ? `by ${board.names[pusher(rules)]}` : "";
    const way = [directed ? powers(ways, " ") : route, motions.at(-1)[4], by].filter(Boolean).join(" ");
    const movers = named === "direction" ? origins : [];
    const name = nameOf(this.about, { movers, way }, words, firsts);
    return { name, movers, way, steps, piece: first[0], target: last[1] };
  }

  #pieces(symbols) {
    const blank = (symbol) => this.about.letters?.[symbol].join() === ".";
    return symbols.flatMap((symbol, cell) =>
      symbol === this.about.body || blank(symbol) ? [] : [cellsOf(this.about, symbols, cell)],
    );
  }

  /**
   * The distance of a position, by binary search in the sorted keys, or what searches have found without a table.
   * Infinity: no goal can be reached; null: unknown.
   */
  #depth(symbols) {
    if (this.lost && this.about.reversible) return Infinity; // as the start, which can be reached again
    if (!this.table) return this.#left.get(this.#id(symbols)) ?? null;
    const key = packed(symbols, this.table.bits);
    const { keys, depths, positions } = this.table;
    let low = 0;
    let high = positions - 1;
    while (low <= high) {
      const middle = (low + high) >> 1;
      const order = compare(keys, positions, middle, key);
      if (!order) return depths[middle] === LOST ? Infinity : depths[middle];
      if (order < 0) low = middle + 1;
      else high = middle - 1;
    }
    return null;
  }
}

/** The least of some positions: it stands for all that free rules lead to from each other. */
function least(walks) {
  const before = (a, b) => a.reduce((order, symbol, cell) => order || symbol - b[cell], 0) < 0;
  return walks.reduce((best, { child }) => (before(child, best) ? child : best), walks[0].child);
}

/** The cell in which the player who pushes a box was before the rules of a move. */
function pusher(rules) {
  const push = rules.findIndex(({ motion }) => motion && !motion[3]);
  const back = rules.slice(0, push).reverse();
  return back.reduce((cell, { motion }) => (motion?.[1] === cell ? motion[0] : cell), rules[push].step.carry[1][0]);
}

function powers(names, between = "") {
  const parts = [];
  for (const name of names) {
    if (parts.at(-1)?.[0] === name) parts.at(-1)[1] += 1;
    else parts.push([name, 1]);
  }
  const before = (name) => between || (/[0-9]$/.test(name) ? "^" : "");
  return parts.map(([name, count]) => (count > 1 ? `${name}${before(name)}${count}` : name)).join(" ");
}

function packed(symbols, bits) {
  let number = 0n;
  for (const symbol of symbols) number = (number << BigInt(bits)) | BigInt(symbol);
  const bytes = new Uint8Array(Math.ceil((symbols.length * bits) / 8));
  for (let k = bytes.length - 1; k >= 0; k--, number >>= 8n) bytes[k] = Number(number & 255n);
  return bytes;
}

function compare(keys, positions, number, key) {
  for (let k = 0; k < key.length; k++) {
    const byte = keys[k * positions + number];
    if (byte !== key[k]) return byte - key[k];
  }
  return 0;
}

/** A table of `web/standalone.py` (see its `Tabled`) from its bytes. */
export function tableOf({ bits, positions }, keys, split) {
  return { bits, positions, keys, depths: joinedBytes(split, positions) };
}

/** Numbers of two bytes from all their low bytes and all their high bytes. */
export const joinedBytes = (split, count) =>
  Uint16Array.from({ length: count }, (_, number) => split[number] | (split[count + number] << 8));

/** The loops and arrays of `program_data` in web/standalone.py. */
async function compiled({ loops, ...texts }) {
  const arrays = {};
  for (const name of Object.keys(texts)) arrays[name] = new BigInt64Array((await inflated(texts[name])).buffer);
  return { ...arrays, module: await WebAssembly.compile(await inflated(loops)) };
}

async function inflated(text) {
  const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}
