// Questions to the server: short ones, and streams of JSON lines (with raw bytes behind a line that announces them).

const DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const KEPT = 600;
const PATIENCE = 1500; // milliseconds that a distance waits for the table before it is searched for
const VISITOR = Math.random().toString(36).slice(2);

/** What the server said of a question that it could not answer: kind, message, and of mistakes in a file the place. */
export class Refused extends Error {
  constructor(error) {
    super(error.message);
    Object.assign(this, error);
  }
}

async function post(task, question, signal) {
  const body = JSON.stringify(question);
  const options = {
    method: "POST",
    headers: { "content-type": "application/json", "x-visitor": VISITOR },
    body,
    signal,
  };
  return fetch(`/api/${task}`, options).catch((error) => {
    throw error.name === "AbortError" ? error : new Refused({ kind: "offline", message: "" });
  });
}

function checked(line) {
  if (line.error) throw new Refused(line.error);
  return line;
}

/** The answer to a short question. */
export async function ask(task, question, signal) {
  const answer = await post(task, question, signal);
  return checked(await answer.json().catch(() => ({ error: { kind: "bug", message: "" } })));
}

/** The lines of a long answer; a line that announces raw bytes has them as `raw`. Aborting the signal ends the work. */
export async function* stream(task, question, signal) {
  const answer = await post(task, question, signal);
  if (!answer.ok) {
    checked(await answer.json());
    return;
  }
  const reader = answer.body.getReader();
  let parts = [],
    held = 0,
    done = false;
  const more = async () => {
    const { value, done: end } = await reader.read();
    if (end) throw new Refused({ kind: "offline", message: "" });
    parts.push(value);
    held += value.length;
  };
  const taken = (count) => {
    const all = new Uint8Array(held);
    parts.reduce((at, part) => (all.set(part, at), at + part.length), 0);
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

/** The last line of a long answer; `heard` is told of progress. */
export async function whole(task, question, signal, heard = () => {}) {
  let last = {};
  for await (const line of stream(task, question, signal)) {
    if (line.progress) heard(line.progress);
    last = { ...last, ...line };
  }
  return last;
}

/** The model of the player (docs/page.md): what it may do from a position, asked of the server. */
export class ServerModel {
  #kept = new Map();
  #measured = null;

  /** Told why a position cannot be solved, where that is found without a table. */
  impossible = () => {};

  /** source: {puzzle} or {text}, with the metric; at: the position that came with the puzzle. */
  constructor(source, about, at) {
    this.source = source;
    this.about = about;
    this.#keep(at);
  }

  #keep(at) {
    this.#kept.set(at.position, at);
    if (this.#kept.size > KEPT) this.#kept.delete(this.#kept.keys().next().value);
    return at;
  }

  /** Distances become known once this settles; searches wait for it a little. */
  set measured(promise) {
    this.#measured = promise.then(
      () => this.#kept.clear(),
      () => {},
    );
  }

  #soon() {
    return Promise.race([this.#measured, new Promise((done) => setTimeout(done, PATIENCE))]);
  }

  async at(position, { signal } = {}) {
    return this.#kept.get(position) ?? this.#keep(await ask("at", { ...this.source, position }, signal));
  }

  async distance(position, { signal } = {}) {
    await this.#soon();
    const at = await this.at(position, { signal });
    if (at.state !== "unknown") return at;
    const { reason, ...found } = await whole("search", { ...this.source, position }, signal);
    if (reason) this.impossible(reason);
    return this.#keep(found);
  }

  async path(position, { signal } = {}) {
    await this.#soon();
    return (await whole("path", { ...this.source, position }, signal)).path;
  }
}

/** The symbols of a position written as a short id. */
export function symbolsOf(about, id) {
  let number = 0n;
  for (const digit of id.slice(1)) number = number * 62n + BigInt(DIGITS.indexOf(digit));
  const found = new Array(about.cells),
    base = BigInt(about.symbols);
  for (let cell = about.cells - 1; cell >= 0; cell--) {
    found[cell] = Number(number % base);
    number /= base;
  }
  return found;
}

/** The short id of the symbols of a position. */
export function idOf(about, symbols) {
  const base = BigInt(about.symbols);
  let number = 0n,
    digits = "";
  for (const symbol of symbols) number = number * base + BigInt(symbol);
  for (; number; number /= 62n) digits = DIGITS[Number(number % 62n)] + digits;
  return `~${digits || "0"}`;
}

/** The word of each cell of a position, as far as its symbols tell; like pieces get their letters in reading order. */
export function wordsOf(about, symbols) {
  const used = {};
  return Array.from(symbols, (symbol) => {
    const letters = about.letters?.[symbol] ?? [];
    const index = (used[symbol] = (used[symbol] ?? -1) + 1);
    return letters[Math.min(index, letters.length - 1)] ?? ".";
  });
}
