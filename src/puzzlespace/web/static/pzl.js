// The text of a puzzle file: where its keys and the words of its drawings are, and changes that keep everything else.
// It does not judge the text: the server does (formats/pzl.py), and makes `grammar.js` (web/grammar.py).

import { GRAMMAR } from "./grammar.js";

/** All keys in the order in which a file is written; the values of those that have few. */
export const KEYS = GRAMMAR.keys;
export const VALUES = GRAMMAR.values;

const OWN = new Set(Object.values(GRAMMAR.kinds).flatMap(({ own }) => own));
const UNKNOWN = { own: null, counts: GRAMMAR.counts, peg: "", help: {} };

/** What the editor knows of the rule kind of a rule (web/grammar.py). */
export const kindOf = (rule) => GRAMMAR.kinds[rule.split(" ")[0]] ?? UNKNOWN;

/** Whether a key has a meaning for a rule kind: its own ones have it only for some. */
export function means(key, rule) {
  const { own } = kindOf(rule);
  return !own || own.includes(key) || !OWN.has(key);
}

/** The words that may go on a row of a key, if the rule kind has rows of before and after, or sentences. */
export function wordsOfRow(key, rule, row) {
  const { words } = GRAMMAR;
  const { sentences, patterns } = kindOf(rule);
  if (key === "forbid" || key === "goal") return sentences ? words.sentence : [];
  if (!patterns || !["moves", "after"].includes(key) || !/->/.test(row)) return [];
  return / if /.test(row) ? [...words.sentence, ...words[key]] : [...words.rows, ...words[key]];
}

const HEADING = new RegExp(`^[ \\t=]*(${GRAMMAR.sections.join("|")})[ \\t=]*$`, "gim");

/** Whether a text is probably meant as a PuzzleScript game, as `is_begun` of the library says. */
export const isGame = (text) =>
  new Set((text.match(HEADING) ?? []).map((row) => row.toLowerCase().replace(/[ \t=]/g, ""))).size > 1;

export const BLANK = GRAMMAR.blank;
export const NOTHING = GRAMMAR.nothing;
export const OPEN = GRAMMAR.open;

/** The most cells of a board. */
export const MOST_CELLS = GRAMMAR.cells;

const long = (word) => [...word].length;

/** The keys of a text in their order: {name, line, last, from, to, inline, rows: [{from, to, line}]}. */
export function entries(text) {
  const found = [];
  let from = 0;
  for (const [line, raw] of text.split("\n").entries()) {
    const start = from;
    from += raw.length + 1;
    if (!raw.trim() || raw.trimStart()[0] === ";") continue;
    let at = 0;
    if (!/^\s/.test(raw)) {
      const head = /^[^:;]*/.exec(raw)[0];
      const name = head
        .trim()
        .replace(/\s+/g, " ")
        .replace(/^goal 1$/, "goal");
      found.push({ name, line, last: line, from: start, to: start + raw.length, rows: [], inline: false });
      at = head.length + 1;
    }
    const entry = found.at(-1);
    if (!entry) continue;
    const quoted = GRAMMAR.texts.includes(entry.name.replace(/\[.*/, "")) && /^\s*"(?:[^"]|"")*"/.exec(raw.slice(at));
    const cut = raw.indexOf(";", at + (quoted ? quoted[0].length : 0));
    const part = raw.slice(at, cut < 0 ? undefined : cut);
    if (!part.trim()) continue;
    const lead = at + part.length - part.trimStart().length;
    entry.inline ||= line === entry.line;
    entry.rows.push({ from: start + lead, to: start + lead + part.trim().length, line });
    entry.last = line;
    entry.to = start + raw.length;
  }
  return found;
}

/** The rows of a drawing, {from, to, line, words: [{from, to, word}]}; `lone`: one column, with '#' beside each word. */
function drawing(text, entry) {
  const rows = [];
  for (const row of entry?.rows ?? []) {
    for (const part of text.slice(row.from, row.to).matchAll(/[^/]+/g)) {
      const said = part[0].trim();
      const from = row.from + part.index + part[0].indexOf(said);
      if (said) rows.push({ from, to: from + said.length, line: row.line, said });
    }
  }
  const spaced = rows.some(({ said }) => /\s/.test(said));
  for (const row of rows) {
    row.words = [...row.said.matchAll(spaced ? /\S+/g : /./gu)].map(({ 0: word, index }) => ({
      word,
      from: row.from + index,
      to: row.from + index + word.length,
    }));
  }
  const lone = spaced && rows.every(({ words }) => words.length === 2 && words[1].word === NOTHING);
  return { rows, spaced, lone, words: rows.map(({ words }) => (lone ? words.slice(0, 1) : words)) };
}

const isDrawn = (text, { rows }) =>
  rows.length > 0 &&
  (rows.length > 1 || !/^(start|any\s+one\s+peg|count\s.*=.*)$/.test(text.slice(rows[0].from, rows[0].to)));

/** Whether a goal is a sentence, as formats/pzl_doubts.py says it: in one row, and no drawing of symbols. */
function isSentence(text, { name, rows, inline }, symbols) {
  if (!/^goal/.test(name) || rows.length !== 1) return false;
  const said = text.slice(rows[0].from, rows[0].to).split(/[\s()]+/);
  const words = said.filter((word) => word);
  if (words.length < 2 || words.every((word) => symbols.has(word))) return false;
  const first = GRAMMAR.words.sentence.includes(words[0]) && !symbols.has(words[0]);
  return first || (inline && words.some((word) => /[=<>]/.test(word) && !symbols.has(word)));
}

/** The text with some parts replaced: [{from, to, put}], none of which overlap. */
function edited(text, edits) {
  const ordered = [...edits].sort((a, b) => b.from - a.from);
  return ordered.reduce((now, { from, to, put }) => now.slice(0, from) + put + now.slice(to), text);
}

/** A row with other words. The right end of each word stays in its column if there is room. */
function relaid(row, words, spaced, lone) {
  let out = "";
  for (const [k, { word, to }] of row.words.entries()) {
    const put = words[k] ?? (lone ? word : NOTHING);
    out += " ".repeat(spaced ? Math.max(k ? 1 : 0, to - row.from - out.length - put.length) : 0) + put;
  }
  return { from: row.from, to: row.to, put: out };
}

const letters = (column) =>
  (column < 26 ? "" : letters(Math.floor(column / 26) - 1)) + String.fromCharCode(97 + (column % 26));

/** The name of a cell of a plain grid: 'a1' is the first. */
export const cellName = (x, y) => letters(x) + (y + 1);

export class PuzzleFile {
  constructor(text) {
    this.text = text;
    this.entries = entries(text);
    this.drawings = {};
    const start = this.entry("start");
    const symbols = new Set(start ? drawing(text, start).words.flatMap((row) => row.map(({ word }) => word)) : []);
    const { sentences } = this.kind;
    for (const entry of this.entries) {
      const drawn = entry.name === "board" ? !entry.inline : /^(start|gates|goal( \d+)?)$/.test(entry.name);
      const said = !isDrawn(text, entry) || (sentences && isSentence(text, entry, symbols));
      if (drawn && !said) this.drawings[entry.name] ??= drawing(text, entry);
    }
    this.#lay();
  }

  entry(name) {
    return this.entries.find((each) => each.name === name);
  }

  /** The value of a key, its rows joined by spaces; null without the key. */
  value(name) {
    const entry = this.entry(name);
    return entry ? entry.rows.map(({ from, to }) => this.text.slice(from, to)).join(" ") : null;
  }

  /** The names of the goals: 'goal', 'goal 2' … */
  get goals() {
    const number = (name) => Number(name.slice(5) || 1);
    const names = this.entries.map(({ name }) => name).filter((name) => /^goal( \d+)?$/.test(name));
    return [...new Set(names)].sort((a, b) => number(a) - number(b));
  }

  get rule() {
    return (this.value("rule") ?? "").replace(/\s+/g, " ");
  }

  get kind() {
    return kindOf(this.rule);
  }

  /** The symbols of a list such as `blocks:`; 'all' is the word itself. */
  list(name) {
    return (this.value(name) ?? "").split(/[\s,]+/).filter(Boolean);
  }

  /**
   * The places of the board, in reading order, '#' among them on a grid.
   * grid    whether they are rows and columns
   * free    whether only their order matters
   * solid   whether the size can be changed, and cells removed
   */
  #lay() {
    const board = this.entry("board");
    const name = board?.inline ? this.value("board") : "";
    const base =
      this.drawings.board ?? this.drawings.start ?? this.goals.map((goal) => this.drawings[goal]).find(Boolean);
    const rows = base?.words ?? [];
    const even = rows.every(({ length }) => length === rows[0].length);
    this.base = base;
    const free = /^(hex|triangle)/.test(name) || this.entry("lines") || this.entry("links");
    this.grid = even && !free;
    this.free = Boolean(free) || (this.kind.lists && this.drawings.board !== undefined);
    this.solid = this.grid && (!name || /^grid\s/.test(name)) && !this.entry("ground");
    this.high = rows.length;
    this.wide = rows[0]?.length ?? 0;
    this.places = rows.flatMap((row, y) =>
      row.map((token, x) => ({ x, y, token })).filter(({ token }) => this.grid || token.word !== NOTHING),
    );
    this.cells = this.places.filter(({ token }) => token.word !== NOTHING).length;
  }

  /** The word of a drawing at each place, [row, index, word], or null if the drawing does not fit the board. */
  tokens(name) {
    const drawn = this.drawings[name];
    if (!drawn) return null;
    const rows = drawn.words;
    const every = rows.flatMap((row, y) => row.map(({ word }, x) => [y, x, word]));
    if (this.grid && rows.length === this.high && rows.every(({ length }) => length === this.wide)) return every;
    const cells = every.filter(([, , word]) => word !== NOTHING);
    if (cells.length !== this.cells || (this.grid && rows.length > 1)) return null;
    return this.places.map(({ token }) => (this.grid && token.word === NOTHING ? null : cells.shift()));
  }

  /** The words of a drawing at each place, or null if it does not fit. */
  words(name) {
    return this.tokens(name)?.map((token) => token?.[2] ?? NOTHING) ?? null;
  }

  /** The place of a line and a column of the text in a drawing: [its name, the place], or null. */
  spot(line, column) {
    const at =
      this.text
        .split("\n")
        .slice(0, line - 1)
        .join("\n").length +
      (line > 1 ? 1 : 0) +
      column -
      1;
    for (const [name, { words }] of Object.entries(this.drawings)) {
      const y = words.findIndex((row) => row.some(({ from, to }) => from <= at && at < to));
      if (y < 0) continue;
      const x = words[y].findIndex(({ from, to }) => from <= at && at < to);
      const place = this.tokens(name)?.findIndex((token) => token?.[0] === y && token[1] === x) ?? -1;
      return place < 0 ? null : [name, place];
    }
    return null;
  }

  /** The file with other words in some drawings: {name: the word of each place}. */
  drawn(words) {
    const edits = Object.entries(words).flatMap(([name, now]) => this.#redrawn(name, now));
    return new PuzzleFile(edited(this.text, edits));
  }

  #redrawn(name, now) {
    const { rows, spaced, lone, words } = this.drawings[name];
    const next = words.map((row) => row.map(({ word }) => word));
    const changed = new Set();
    for (const [place, token] of this.tokens(name).entries()) {
      if (!token || now[place] === token[2]) continue;
      next[token[0]][token[1]] = now[place];
      changed.add(token[0]);
    }
    const longer = !spaced && [...changed].some((y) => next[y].some((word) => long(word) > 1));
    if (longer) return rows.map((row, y) => ({ from: row.from, to: row.to, put: next[y].join(" ") }));
    return [...changed].map((y) => relaid(rows[y], next[y], spaced, lone));
  }

  /** The file with another size; new places are blank, or open in goals that leave cells open. */
  sized(wide, high) {
    let file = this;
    while (file.wide < wide) file = file.#each((name, drawn) => file.#wider(name, drawn));
    while (file.wide > wide) file = file.#each((_, drawn) => narrower(drawn));
    while (file.high < high) file = file.#each((name, drawn) => file.#higher(name, drawn));
    while (file.high > high) file = file.#each((_, drawn) => lower(file.text, drawn));
    if (!/^grid\s/.test(file.value("board") ?? "") || !file.entry("board").inline) return file;
    return file.set("board", `grid ${wide}x${high}`);
  }

  #each(change) {
    const fitting = Object.entries(this.drawings).filter(
      ([, { words }]) => words.length === this.high && words.every(({ length }) => length === this.wide),
    );
    return new PuzzleFile(
      edited(
        this.text,
        fitting.flatMap(([name, drawn]) => change(name, drawn)),
      ),
    );
  }

  /** What a new place shows in a drawing. */
  fill(name, x = 0, y = 0) {
    if (name === "board") {
      const taken = new Set(this.places.map(({ token }) => token.word));
      const name = (k) => (this.base.spaced ? (k ? `n${k}` : cellName(x, y)) : letters(k));
      return nth((k) => (taken.has(name(k)) ? null : name(k)));
    }
    if (name === "gates") return OPEN;
    if (name.startsWith("goal") && this.words(name)?.includes(OPEN)) return OPEN;
    if (!this.kind.lists) return BLANK;
    const words = this.words("start") ?? this.words(name) ?? [];
    return words.find((word) => word !== NOTHING && word !== OPEN) ?? BLANK;
  }

  #wider(name, { rows, spaced, lone }) {
    return rows.map(({ words }, y) => {
      const last = words.at(-1);
      const put = this.fill(name, this.wide, y);
      if (lone) return { ...last, put };
      const gap = spaced ? Math.max(1, words.length > 1 ? last.from - words.at(-2).to : 1) : 0;
      const room = spaced ? Math.max(1, gap + long(last.word) - long(put)) : 0;
      return { from: last.to, to: last.to, put: " ".repeat(room) + put };
    });
  }

  #higher(name, { rows, spaced, lone }) {
    const row = rows.at(-1);
    const words = row.words.map((_, x) => (lone && x ? NOTHING : this.fill(name, x, this.high)));
    const { put } = relaid(row, words, spaced, lone);
    const shared = rows.length > 1 && rows.at(-2).line === row.line;
    if (shared || this.entry(name).line === row.line) return [{ from: row.to, to: row.to, put: ` / ${put.trim()}` }];
    const begin = this.text.lastIndexOf("\n", row.from) + 1;
    const end = this.text.indexOf("\n", row.to);
    const at = end < 0 ? this.text.length : end;
    return [{ from: at, to: at, put: `\n${this.text.slice(begin, row.from)}${put}` }];
  }

  /** The file with a key set to one row. A new key stands in the usual order. */
  set(name, value) {
    const entry = this.entry(name);
    if (entry?.rows.length) {
      const [first, ...more] = entry.rows;
      const edits = more.map((row) => ({ from: this.text.lastIndexOf("\n", row.from), to: row.to, put: "" }));
      return new PuzzleFile(edited(this.text, [{ from: first.from, to: first.to, put: value }, ...edits]));
    }
    if (entry) return new PuzzleFile(edited(this.text, [{ from: entry.to, to: entry.to, put: ` ${value}` }]));
    return this.added(`${name}: ${value}`);
  }

  /** The file with more lines that begin with a key, in the usual order of keys. */
  added(lines) {
    const order = (name) => {
      const key = name.replace(/\[.*| \d+$/, "");
      return 1000 * KEYS.indexOf(key) + (key === "goal" ? Number(name.slice(5) || 1) : 0);
    };
    const mine = order(/^[^:]*/.exec(lines)[0].trim());
    const before = this.entries.filter(({ name }) => order(name) >= 0 && order(name) < mine).at(-1);
    const at = before?.to ?? this.entries[0]?.from ?? this.text.length;
    const put = before
      ? `\n${lines}`
      : `${this.text && at === this.text.length && !this.text.endsWith("\n") ? "\n" : ""}${lines}\n`;
    return new PuzzleFile(this.text.slice(0, at) + put + this.text.slice(at));
  }

  /** The file without a key. Its comments stay; with `kept` its lines become comments. */
  without(name, kept = false) {
    const entry = this.entry(name);
    if (!entry) return this;
    const lines = this.text.split("\n");
    const edits = lines.slice(entry.line, entry.last + 1).map((line) => {
      const comment = line.indexOf(";");
      return kept && line.trim() ? `; ${line}` : comment < 0 ? null : line.slice(comment);
    });
    lines.splice(entry.line, edits.length, ...edits.filter((line) => line !== null));
    return new PuzzleFile(lines.join("\n"));
  }

  /** The file with a drawing under a key, one word for each place. */
  redrawn(name, words) {
    const drawn = this.drawings[name];
    if (drawn && this.tokens(name)) return this.drawn({ [name]: words });
    const rows = this.#rows(words);
    const file = this.without(name);
    return file.added(`${name}:\n${rows.map((row) => `  ${row}`).join("\n")}`);
  }

  #rows(words) {
    const { rows, spaced, lone } = this.base;
    let at = 0;
    return rows.map((row) => {
      const next = row.words.map(({ word }, k) =>
        (lone && k) || (!this.grid && word === NOTHING) ? NOTHING : words[at++],
      );
      if (!spaced) return next.join(next.some((word) => long(word) > 1) ? " " : "");
      const lead = this.text.slice(this.text.lastIndexOf("\n", row.from) + 1, row.from);
      return (this.grid ? "" : lead.replace(/\S/g, " ").slice(2)) + relaid(row, next, spaced, lone).put;
    });
  }

  /** The file for another rule: keys that have no meaning for it become comments. */
  ruled(rule) {
    const { own, counts, peg } = kindOf(rule);
    const foreign = [...OWN].filter((key) => !own.includes(key));
    let file = foreign.reduce((now, key) => now.without(key, true), this.set("rule", rule));
    if (file.entry("count") && !(file.value("count") in counts)) file = file.set("count", Object.keys(counts)[0]);
    for (const goal of file.goals) {
      if (!peg && /^any\s/.test(file.value(goal))) file = file.without(goal, true);
    }
    return file;
  }
}

function narrower({ rows, spaced, lone, words }) {
  if (lone || words[0].length < 2) return [];
  return rows.map(({ words: row }) => {
    const [before, last] = row.slice(-2);
    if (spaced && row.length === 2) return { from: last.from, to: last.to, put: NOTHING };
    return { from: before.to, to: last.to, put: "" };
  });
}

function lower(text, { rows }) {
  const [before, last] = rows.slice(-2);
  if (before.line === last.line) return [{ from: before.to, to: last.to, put: "" }];
  const end = text.indexOf("\n", last.to);
  const rest = text.slice(last.to, end < 0 ? text.length : end);
  if (rest.includes(";")) return [{ from: last.from, to: last.to, put: "" }];
  // a row that '/' ends has another after it
  const slash = /\/\s*$/.exec(text.slice(before.to, text.indexOf("\n", before.to)));
  const from = slash ? before.to : text.lastIndexOf("\n", last.from);
  return [{ from, to: end < 0 ? text.length : end, put: "" }];
}

/** The first answer that is not null for 0, 1, 2 … */
function nth(answer) {
  for (let k = 0; ; k++) {
    const found = answer(k);
    if (found !== null) return found;
  }
}

/** A symbol for a new piece: the next number if all pieces are numbers, else a letter that no drawing shows. */
export function fresh(file) {
  const shown = Object.keys(file.drawings).filter((name) => name !== "board");
  const taken = new Set(shown.flatMap((name) => file.words(name) ?? []));
  const pieces = [...taken].filter((word) => ![BLANK, NOTHING, OPEN].includes(word));
  if (pieces.length && pieces.every((word) => /^\d+$/.test(word))) return String(Math.max(...pieces.map(Number)) + 1);
  const abc = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
  const letter = (k) => abc[k] ?? String.fromCodePoint(0x3b1 + k - abc.length); // then Greek and Cyrillic
  return nth((k) => (taken.has(letter(k)) || !/\p{L}/u.test(letter(k)) ? null : letter(k)));
}
