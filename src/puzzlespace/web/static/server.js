// Questions to what answers the page: its server, or the files of a static site (site.js). Long answers of the server are
// streams of JSON lines, some with raw bytes after them.

import { levelsOf } from "./levels.js";

const KEPT = 600; // positions that are remembered
const LONGEST = 10_000; // milliseconds after which a short question counts as not answered
const PAUSE = 1000; // milliseconds between attempts to reach a server that does not answer
const QUIET = 300; // milliseconds that a position must be shown before its distance is searched for unasked
const LIMITS = ["seconds", "memory", "positions"]; // kinds of errors: a limit was reached
const PATIENCE = 1500; // milliseconds that a question for a distance waits for the table

/** An error that the server answered: kind, message, and for errors in a file line, column and hint. */
export class Refused extends Error {
  constructor(error) {
    super(error.message);
    Object.assign(this, error);
  }
}

const offline = () => new Refused({ kind: "offline", message: "" });

/** The server, as what answers: each a function, with the same arguments as the exported one. */
const server = {
  ask: asked,
  stream: streamed,
  back: serverReached,
  listing: async () => (await fetch("/api/catalogue")).json(),
  picture: (name, theme) => `/api/picture/${encodeURIComponent(name)}/${theme}`,
  link: () => "",
};

let source = server;

/** Lets something else than the server answer from now on. */
export const answeredBy = (other) => {
  source = other;
};

/** The answer to a short question. */
export const ask = (task, question, signal) => source.ask(task, question, signal);

/** The lines of a long answer, with raw bytes in `raw`. Aborting the signal ends the work. */
export const stream = (task, question, signal) => source.stream(task, question, signal);

/** The catalogue. */
export const listing = () => source.listing();

/** The address of the picture of a catalogue puzzle. */
export const pictureOf = (name, theme) => source.picture(name, theme);

/** The address of a page of its own that a puzzle has; "" if it has none. */
export const pageOf = (name) => source.link(name);

/** Resolves once what answers can be reached again. */
export const serverBack = () => source.back();

let returning = null;

function serverReached() {
  returning ??= reached().finally(() => {
    returning = null;
  });
  return returning;
}

async function reached() {
  for (let answer = null; !answer?.ok; ) {
    await new Promise((done) => setTimeout(done, PAUSE));
    const options = { cache: "no-store", signal: AbortSignal.timeout(LONGEST) };
    answer = await fetch("/static/icon.svg", options).catch(() => null);
  }
}

async function post(task, question, signal) {
  const body = JSON.stringify(question);
  const options = {
    method: "POST",
    headers: { "content-type": "application/json" },
    body,
    signal,
  };
  return fetch(`/api/${task}`, options).catch((error) => {
    throw error.name === "AbortError" ? error : offline();
  });
}

function checked(line) {
  if (line.error) throw new Refused(line.error);
  return line;
}

async function asked(task, question, signal) {
  const limit = AbortSignal.timeout(LONGEST);
  const answer = await post(task, question, signal ? AbortSignal.any([signal, limit]) : limit);
  const text = await answer.text().catch((error) => {
    throw error.name === "AbortError" ? error : offline();
  });
  return checked(parsed(text));
}

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return { error: { kind: "bug", message: "" } };
  }
}

async function* streamed(task, question, signal) {
  const answer = await post(task, question, signal);
  if (!answer.ok) {
    checked(await answer.json());
    return;
  }
  const reader = answer.body.getReader();
  let parts = [];
  let held = 0;
  let done = false;
  const more = async () => {
    const { value, done: end } = await reader.read().catch((error) => {
      throw error.name === "AbortError" ? error : offline();
    });
    if (end) throw offline();
    parts.push(value);
    held += value.length;
  };
  const taken = (count) => {
    const all = new Uint8Array(held);
    let at = 0;
    for (const part of parts) {
      all.set(part, at);
      at += part.length;
    }
    parts = [all.subarray(count)];
    held -= count;
    return all.slice(0, count);
  };
  const text = new TextDecoder();
  while (!done) {
    let end = -1;
    for (let at = 0, k = 0; end < 0; k++) {
      while (k >= parts.length) await more();
      const found = parts[k].indexOf(10);
      if (found >= 0) end = at + found;
      at += parts[k].length;
    }
    const line = checked(JSON.parse(text.decode(taken(end + 1))));
    if (line.bytes) {
      while (held < line.bytes) await more();
      line.raw = taken(line.bytes).buffer;
    }
    done = line.done;
    yield line;
  }
}

/** All lines of a long answer in one. `heard` is called with each progress. */
async function whole(task, question, signal, heard = () => {}) {
  let last = {};
  for await (const line of stream(task, question, signal)) {
    if (line.progress) heard(line.progress);
    last = { ...last, ...line };
  }
  return last;
}

/** The player's model (docs/page.md), with answers from the server. */
export class ServerModel {
  #kept = new Map();
  #measured = null;
  #away = null; // the moves to a win from each position of a level, once they are known
  #slow = false; // whether a search took longer than a brief one may

  /** Called with {reason, ja} if a search proves that a position cannot be solved. */
  impossible = () => {};

  /** The greatest distance to the goal, null until all positions are counted. */
  deepest = null;
  walked = false; // whether games are made by random moves, because no distances are known

  /** source: {puzzle} or {text}, and the metric. at: the position that came with the puzzle, the first to show. */
  constructor(source, about, at) {
    this.source = source;
    this.about = about;
    this.first = at.position;
    this.#keep(at);
  }

  #keep(told) {
    const at = this.#away ? this.#told(told) : told;
    this.#kept.set(at.position, at);
    if (this.#kept.size > KEPT) this.#kept.delete(this.#kept.keys().next().value);
    return at;
  }

  /** Takes the distances of all positions of a level: [positions, distances], -1 for no win. */
  learn([positions, distances]) {
    this.#away = new Map(positions.map((id, number) => [id, distances[number]]));
    this.deepest = distances.reduce((most, each) => Math.max(most, each), 0) || null;
    for (const [id, at] of this.#kept) this.#kept.set(id, this.#told(at));
  }

  #told(at) {
    const away = (id) => {
      const found = this.#away.get(id);
      if (found === undefined) return {};
      return found < 0 ? { distance: null, state: "lost" } : { distance: found, state: "known" };
    };
    const here = this.#away.get(at.position) ?? 0;
    const moves = at.moves.map((move) => {
      return { ...move, ...away(move.to), best: here > 0 && this.#away.get(move.to) === here - 1 };
    });
    return { ...at, ...away(at.position), moves };
  }

  /** All distances are known once this promise resolves to a table. Searches wait for it a little. */
  set measured(promise) {
    this.#measured = promise.then(
      (table) => table && !table.distances && this.#kept.clear(),
      () => {},
    );
  }

  #soon() {
    return Promise.race([this.#measured, new Promise((done) => setTimeout(done, PATIENCE))]);
  }

  async at(position, { signal } = {}) {
    return this.#kept.get(position) ?? this.#keep(await ask("at", { ...this.source, position }, signal));
  }

  /** A position with its distance. If nobody asked for it (`unasked`), it is only searched for briefly. */
  async distance(position, { signal, unasked = false } = {}) {
    await this.#soon();
    const at = await this.at(position, { signal });
    if (at.state !== "unknown") return at;
    if (unasked) await new Promise((done) => setTimeout(done, QUIET));
    if (unasked && (this.#slow || signal?.aborted)) return at;
    const answer = await this.#searched("search", position, signal, unasked);
    if (!answer) return at;
    const { reason, ja, ...found } = answer;
    if (reason) this.impossible({ reason, ja });
    return this.#keep(found);
  }

  /**
   * The answer to a search, which is tried briefly first: brief questions do not wait for long ones. If that takes too
   * long, null if nobody asked for it, else the answer to a long question.
   */
  async #searched(task, position, signal, unasked = false) {
    const question = { ...this.source, position };
    if (!this.#slow) {
      try {
        return await whole(task, { ...question, brief: true }, signal);
      } catch (error) {
        if (!LIMITS.includes(error.kind)) throw error;
        this.#slow = true;
      }
    }
    return unasked ? null : whole(task, question, signal);
  }

  /** Resolves once the server answers again. */
  back() {
    return serverBack();
  }

  async solution(position, { signal } = {}) {
    await this.#soon();
    const { path, moves } = await this.#searched("path", position, signal);
    return { path, moves };
  }

  async path(position, options) {
    return (await this.solution(position, options)).path;
  }

  /** The distance of each level; null if there is no way to deal games. */
  get levels() {
    return this.deepest || this.about.dealt ? levelsOf(this.deepest) : null;
  }

  /** A random position of a level, another than `position` if there is one. */
  async sample(position, level) {
    const depth = this.deepest ? levelsOf(this.deepest)[level] : undefined;
    if (this.#away) {
      const all = [...this.#away].flatMap(([id, away]) => (away === depth && id !== position ? [id] : []));
      return all[Math.floor(Math.random() * all.length)] ?? position;
    }
    return (await ask("sample", { ...this.source, position, level, depth })).position;
  }
}
