// What answers on a static site: files with the rules and distances of its puzzles (web/site_data.py), and for all other
// questions Python in the browser, if the site has it.

import { drawn } from "./depths.js";
import { joinedBytes, LocalModel, tableOf } from "./local.js";
import { isPosition } from "./positions.js";
import { isGame } from "./pzl.js";
import { Refused } from "./server.js";
import { WORDS } from "./words.js";

const PAUSE = 1000; // milliseconds between attempts to reach the site

const refused = (kind) => new Refused({ kind, message: WORDS.en.errors[kind], ja: { message: WORDS.ja.errors[kind] } });

/** The name of a puzzle as that of a file, as web/site.py makes it. */
const slug = (name) => name.replaceAll(":", "-").replaceAll(",", "-");

export class Site {
  #files;
  #root;
  #python;
  #searches;
  #puzzles = new Map();
  #listing = null;

  /**
   * files: the address of the folder with the site's files. python: what answers other questions, or null; searches: what
   * searches levels of games, while `python` plays them.
   */
  constructor(files, python = null, searches = null) {
    this.#files = files;
    this.#python = python;
    this.#searches = searches;
    this.#root = new URL("../../", files);
  }

  /** The answer to a short question. */
  async ask(task, question, signal) {
    const stored = await this.#stored(question);
    if (!stored) return this.#asked(task, question, signal);
    if (stored.about.game) return this.#played(task, stored, question, signal);
    if (task === "sample") return this.#sample(await this.#counted(stored), question);
    const at = await this.#at(stored.model, question.position);
    if (task === "at") return at;
    return { about: stored.about, at: await this.#unsolved(stored, at, question), known: null, lost: stored.kept.lost };
  }

  /** The lines of a long answer. */
  async *stream(task, question, signal) {
    const stored = await this.#stored(question);
    if (stored?.about.game || isGame(question.text ?? "")) {
      yield* this.#searched(task, stored, question, signal);
      return;
    }
    const answer = stored && (await this.#answer(task, await this.#counted(stored), question, signal));
    if (answer) yield { ...answer, done: true };
    else if (!this.#python) throw refused("absent");
    else if (stored && question.brief && !this.#python.started) yield unasked(task);
    else yield* here(this.#python.stream(task, meant(stored, question), signal));
  }

  /** The answer of Python to a short question. */
  async #asked(task, question, signal) {
    if (!this.#python) throw refused(question.text ? "unread" : "unknown");
    let found = {};
    for await (const line of this.#python.stream(task, question, signal)) found = { ...found, ...line };
    return found;
  }

  /** The answer to a short question about a level: the site has where it begins, and Python plays it. */
  async #played(task, { about, kept }, question, signal) {
    const asked = () => this.#asked(task === "open" ? "at" : task, leveled(about, question), signal);
    if (task !== "open") return asked();
    if (!question.position && !this.#python?.started) asked().catch(() => {}); // Python is there when an input is made
    return { about, at: question.position ? await asked() : kept.at, known: null, lost: null };
  }

  /** The lines of a long answer about a level. Searches that nobody asked for are not made. */
  async *#searched(task, stored, question, signal) {
    if (task === "measure" && stored?.kept.counted) {
      const table = JSON.parse(new TextDecoder().decode(await this.#inflated(`${stored.file}.table`)));
      yield { table: { ...table, where: "site" }, done: true };
    } else if (!this.#searches) throw refused("absent");
    else if (question.brief) yield unasked(task);
    else yield* here(this.#searches.stream(task, stored ? leveled(stored.about, question) : question, signal));
  }

  async back() {
    for (let answer = null; !answer?.ok; ) {
      await new Promise((done) => setTimeout(done, PAUSE));
      answer = await fetch(new URL("index.html", this.#root), { cache: "no-store" }).catch(() => null);
    }
  }

  async listing() {
    this.#listing ??= this.#file("catalogue.json").then((answer) => answer.json());
    this.#listing.catch(() => {
      this.#listing = null;
    });
    return this.#listing;
  }

  picture(name, theme) {
    return new URL(`pictures/${encodeURIComponent(slug(name))}-${theme === "grey" ? "light" : theme}.svg`, this.#files);
  }

  /** The page of a puzzle, if it has one. */
  link(name) {
    return new URL(`puzzles/${encodeURIComponent(slug(name))}/`, this.#root).href;
  }

  async #answer(task, { model, kept }, question, signal) {
    const at = ["search", "path"].includes(task) ? await this.#at(model, question.position) : null;
    if (task === "measure") return kept.summary && { table: { ...kept.summary, where: "site" } };
    const found = at && (await model.distance(at.position, { signal, unasked: question.brief }));
    if (found?.state === "unknown") return null;
    if (task === "search") return { ...found, reason: "", ...(found.state === "lost" && model.lost) };
    if (task === "path") return model.solution(at.position);
    if (task === "map") return kept.map && (await this.#map(model, kept));
    if (task === "make")
      return question.one || !model.table || !kept.summary ? null : made(model, kept, question.depth);
    if (task !== "copy" || question.what !== "svg") return null;
    return { type: "image/svg+xml", text: svgOf(model.about, await this.#at(model, question.position), question) };
  }

  /** A position; an error if it is none of this puzzle. */
  async #at(model, id) {
    const at = await model.at(id || (model.about.start ?? model.about.goals[0]));
    if (id && (at.position !== id || !isPosition(model.about, at.symbols))) throw refused("position");
    return at;
  }

  /** The position to begin with: another one if nobody asked for it and it is solved. */
  async #unsolved(stored, at, { position }) {
    if (position || !at.goal || !at.moves.length) return at;
    const { model } = await this.#counted(stored);
    return model.at(model.levels ? await model.sample(at.position, "medium") : at.position);
  }

  async #sample({ model, kept }, { position, depth, level }) {
    const asked = model.table && Number.isInteger(depth);
    const shown = asked && !level && kept.summary.origin === "start"; // a depth of the table is one from the start
    if (shown && !kept.map) throw refused("absent");
    const layers = shown
      ? joinedBytes((await this.#mapped(model)).subarray(12 * kept.map.count), kept.map.count)
      : undefined;
    const found = asked ? model.drawn(depth, position, layers) : null;
    return model.at(found ?? (await model.sample(position, level || "medium")));
  }

  /** The rules of a puzzle, null if the site does not have it. */
  async #stored({ puzzle, text, metric, level }) {
    if (text || !puzzle) return null;
    const key = `${puzzle}@${metric ?? ""}@${level ?? ""}`;
    if (!this.#puzzles.has(key)) this.#puzzles.set(key, this.#opened(puzzle, metric, level));
    const opened = this.#puzzles.get(key);
    opened.catch(() => this.#puzzles.delete(key));
    return opened;
  }

  async #opened(name, metric, level = 1) {
    const first = `puzzles/${slug(name)}`;
    const named = (await this.#read(`${first}.puzzle`)) ?? (await this.#meant(name));
    if (!named) return null;
    const { about } = named;
    if (about.game) {
      const file = level > 1 ? `${first}@${Math.min(level, about.game.levels)}` : first;
      const kept = level > 1 ? await this.#read(`${file}.puzzle`) : named;
      return { about: { ...kept.about, text: about.text }, kept, file };
    }
    const file = `puzzles/${slug(about.name)}${metric && metric !== about.metric ? `@${metric}` : ""}`;
    const kept = metric && metric !== about.metric ? await this.#read(`${file}.puzzle`) : named;
    if (!kept) return null;
    return { about: kept.about, kept, file, model: new LocalModel({ ...kept, table: null }) };
  }

  /** A puzzle by another of its names. */
  async #meant(word) {
    const wanted = word.normalize("NFKC").toLowerCase().trim();
    const { puzzles } = await this.listing();
    const found = puzzles.find(({ aliases, titles }) =>
      [...aliases, ...Object.values(titles)].some((name) => name.normalize("NFKC").toLowerCase() === wanted),
    );
    return found ? this.#read(`puzzles/${slug(found.name)}.puzzle`) : null;
  }

  /** A puzzle with its table, which is fetched when it is needed first. */
  async #counted(stored) {
    const { kept, file, model } = stored;
    if (!kept.table || model.table) return stored;
    stored.table ??= this.#inflated(`${file}.table`).then((bytes) => {
      const end = bytes.length - 2 * kept.table.positions;
      model.table = tableOf(kept.table, bytes.subarray(0, end), bytes.subarray(end));
    });
    await stored.table.catch((error) => {
      stored.table = null;
      throw error;
    });
    return stored;
  }

  /** The bytes of the file of a map. */
  #mapped(model) {
    return this.#inflated(`puzzles/${slug(model.about.name)}.map`);
  }

  /** The map as the server sends it; `web/site_data.py` says what its file has. */
  async #map(model, kept) {
    const { count, moves, cells } = kept.map;
    const bytes = await this.#mapped(model);
    const places = Float32Array.from({ length: 6 * count }, (_, at) => {
      const [layout, node, side] = [Math.floor(at / (3 * count)), Math.floor((at % (3 * count)) / 3), at % 3];
      const first = 2 * (3 * layout + side) * count + node;
      return bytes[first] + 256 * bytes[first + count];
    });
    const layers = joinedBytes(bytes.subarray(12 * count), count);
    const step = (side, move) =>
      [0, 1, 2, 3].reduce((sum, byte) => sum + bytes[14 * count + (4 * side + byte) * moves + move] * 256 ** byte, 0);
    const pairs = new Uint32Array(2 * moves);
    for (let move = 0, first = 0; move < moves; move++) {
      first += step(0, move);
      pairs.set([first, first + step(1, move)], 2 * move);
    }
    const symbols = new Uint8Array(cells * count);
    for (let node = 0; node < count; node++) symbols.set(model.unpacked(node), cells * node);
    const parts = [places, new Uint16Array(model.table.depths), layers, pairs, symbols];
    return { map: kept.map, raw: await new Blob(parts).arrayBuffer() };
  }

  async #file(name) {
    const answer = await fetch(new URL(name, this.#files)).catch(() => null);
    if (!answer || (!answer.ok && answer.status !== 404)) throw refused("offline");
    return answer;
  }

  async #read(name) {
    const text = await this.#unpacked(name);
    return text?.json();
  }

  async #inflated(name) {
    const bytes = await this.#unpacked(name);
    if (!bytes) throw refused("absent");
    return new Uint8Array(await bytes.arrayBuffer());
  }

  /** A compressed file, null if the site does not have it. */
  async #unpacked(name) {
    const answer = await this.#file(name.replaceAll("%", "%25").replaceAll("#", "%23").replaceAll("?", "%3F"));
    return answer.ok ? new Response(answer.body.pipeThrough(new DecompressionStream("deflate"))) : null;
  }
}

/** The lines of an answer of Python; a table says where it was counted. */
async function* here(lines) {
  for await (const line of lines) yield line.table ? { ...line, table: { ...line.table, where: "browser" } } : line;
}

/** What Python is told of a puzzle: the text of one that it does not know by its name. */
function meant(stored, { puzzle, ...question }) {
  return stored?.kept.own ? { ...question, text: stored.about.text } : { ...question, ...(puzzle && { puzzle }) };
}

/** What Python is told of a level. */
const leveled = (about, { puzzle: _, ...question }) => ({ ...question, text: about.text, level: about.game.level });

/** The answer to a brief question that nobody asked for: Python is not loaded for it. */
function unasked(task) {
  if (task !== "measure") throw refused("seconds");
  return { estimate: { positions: null, exact: false, seconds: null }, done: true };
}

/** A position to order, as the server answers. */
function made(model, { summary }, depth) {
  const position = model.drawn(depth);
  if (position) return { position, depth, uniform: true };
  return { none: { there: 0, deepest: summary.origin === "goal" ? summary.depth : null } };
}

function svgOf(about, at, { theme }) {
  const picture = drawn(about, at.symbols, theme || "light");
  picture.removeAttribute("aria-hidden");
  return new XMLSerializer().serializeToString(picture);
}
