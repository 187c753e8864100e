// Puzzles to order: a position of a chosen depth, and the hardest puzzles of a file that leaves its pieces open.

import { drawn, make } from "./depths.js";
import { levelsOf } from "./levels.js";
import { symbolsOf } from "./positions.js";
import { stream } from "./server.js";
import { words } from "./words.js";

const SECONDS = 30; // that an order takes at most
const UNKNOWN = 8; // the deepest first order if no depth is known: few moves are proved for nearly every puzzle
const MORE = 4; // moves that may be ordered beyond what was proved
const BY = ["blanks", "pieces", "group", "all"];
const QUIET = 600; // milliseconds after the last change of the text until its puzzles are searched

export class Making {
  #panel;
  #page;
  #order = { depth: null, one: false, told: "" }; // depth null: that of a medium game
  #family = null; // {text, by, one, needed, found, note}
  #proved = 0; // the greatest depth that was made of this puzzle
  #work = null; // aborts the order or the search in progress

  /**
   * page: {source(): the puzzle's source or null, deepest(): its greatest depth or null, theme(), go(position),
   * show(text), heard(progress or null), failed(error): text}
   */
  constructor(panel, page) {
    this.#panel = panel;
    this.#page = page;
  }

  /** Another puzzle is shown: an order for the last one is given up. */
  changed() {
    if (!this.#family?.searching) this.#work?.abort();
    this.#order = { depth: null, one: this.#order.one, told: "" };
    this.#proved = 0;
    this.draw();
  }

  /** Stops the order or the search in progress. */
  stop() {
    this.#work?.abort();
  }

  /** Draws the panel in the language and the colours of the page. */
  draw() {
    this.#panel.replaceChildren(...(this.#page.source() ? this.#form() : []), ...(this.#family ? this.#table() : []));
  }

  #form() {
    const said = words();
    const known = this.#page.deepest();
    const deepest = known ?? Math.max(UNKNOWN, this.#proved + MORE);
    const value = Math.min(this.#order.depth ?? levelsOf(deepest).medium, deepest);
    const depth = make("input", { type: "range", min: 1, max: deepest, value });
    const shown = make("output", { textContent: said.away(value) });
    depth.addEventListener("input", () => {
      this.#order.depth = Number(depth.value);
      shown.textContent = said.away(this.#order.depth);
    });
    const one = make("input", { type: "checkbox", checked: this.#order.one });
    one.addEventListener("change", () => {
      this.#order.one = one.checked;
    });
    const button = make("button", { type: "submit", textContent: said.makeone });
    const form = make(
      "form",
      { className: "order" },
      make("label", {}, `${said.depth} `, depth),
      shown,
      make("label", {}, one, ` ${said.one}`),
      button,
      make("p", { textContent: known === null ? said.provedin(SECONDS) : "" }),
      make("p", { textContent: this.#order.told, aria: { role: "status" } }),
    );
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.#make(Number(depth.value));
    });
    return [form];
  }

  /** Runs a question; `told` gets the text that it returns, or that of the error. */
  async #run(task, question, pause, answered, told) {
    this.#work?.abort();
    const work = new AbortController();
    this.#work = work;
    try {
      if (pause) await new Promise((done) => setTimeout(done, pause));
      if (work.signal.aborted) return;
      this.#page.heard({ phase: "waiting" });
      let last = {};
      for await (const line of stream(task, question, work.signal)) {
        if (line.progress) this.#page.heard(line.progress);
        last = { ...last, ...line };
      }
      if (!work.signal.aborted) told(await answered(last));
    } catch (error) {
      if (work === this.#work) told(error.name === "AbortError" ? words().stopped : this.#page.failed(error));
    } finally {
      if (work === this.#work) {
        this.#work = null;
        this.#page.heard(null);
      }
      this.draw();
    }
  }

  #make(depth) {
    const { one } = this.#order;
    const answered = (found) => {
      if (found.none) return words().nothere({ ...found.none, depth, one });
      this.#proved = Math.max(this.#proved, found.depth);
      this.#page.go(found.position);
      return words().made({ depth: found.depth, one, uniform: found.uniform });
    };
    const told = (text) => {
      this.#order.told = text;
    };
    return this.#run("make", { ...this.#page.source(), depth, one, seconds: SECONDS }, 0, answered, told);
  }

  /** Searches the puzzles of a file that leaves its pieces open, and shows them. */
  family(text) {
    this.#family = { by: "blanks", one: false, needed: false, ...this.#family, text };
    return this.#design(QUIET);
  }

  #design(pause) {
    const family = this.#family;
    const { text, by, one, needed } = family;
    Object.assign(family, { found: null, note: "", searching: true });
    this.draw();
    const answered = (last) => {
      family.found = last.family;
      if (!this.#page.source() && last.family.rows.length) this.#page.show(hardest(last.family.rows).about.text);
      return "";
    };
    const told = (note) => {
      Object.assign(family, { note, searching: false });
    };
    return this.#run("design", { text, by, one, needed }, pause, answered, told);
  }

  #table() {
    const said = words();
    const family = this.#family;
    const again = (change) => {
      Object.assign(family, change);
      this.#design(0);
    };
    const by = make(
      "select",
      {},
      ...BY.map((value) => make("option", { value, textContent: said.by_what[value], selected: value === family.by })),
    );
    by.addEventListener("change", () => again({ by: by.value }));
    const box = (key) => {
      const input = make("input", { type: "checkbox", checked: family[key] });
      input.addEventListener("change", () => again({ [key]: input.checked }));
      return make("label", {}, input, ` ${said[key]}`);
    };
    const parts = [
      make("h3", { textContent: said.family }),
      make("p", { className: "row" }, make("label", {}, `${said.foreach} `, by), box("one"), box("needed")),
      make("p", { textContent: family.note || (family.found ? numbers(family.found) : ""), aria: { role: "status" } }),
    ];
    return family.found?.rows.length ? [...parts, this.#rows(family.found)] : parts;
  }

  #rows({ rows, by, found }) {
    const names = words();
    const most = hardest(rows).moves;
    const heads = [names.playsize, ...(by === "all" ? [] : [names.by_what[by]]), names.moves, names.pieces];
    const body = rows.map(({ key, moves, words: what, about }) => {
      const title = `${names.playsize}: ${what}, ${names.away(moves)}`;
      const board = drawn(about, symbolsOf(about, about.start), this.#page.theme());
      const button = make("button", { type: "button", title }, board);
      button.addEventListener("click", () => this.#page.show(about.text));
      const cells = [button, ...(by === "all" ? [] : [key]), moves, what];
      const row = make("tr", {}, ...cells.map((each) => make("td", {}, typeof each === "number" ? `${each}` : each)));
      row.classList.toggle("most", moves === most);
      return row;
    });
    const head = make("tr", {}, ...heads.map((textContent) => make("th", { textContent, scope: "col" })));
    const caption = make("caption", { textContent: found > rows.length ? names.only(rows.length, found) : "" });
    return make("table", { className: "designed" }, caption, make("thead", {}, head), make("tbody", {}, ...body));
  }
}

const hardest = (rows) => rows.reduce((best, row) => (row.moves > best.moves ? row : best));

/** What a search of a family found, in words. */
function numbers(found) {
  const names = words();
  const stopped = found.stopped ? ` ${names.errors[found.stopped] ?? ""}` : "";
  return (found.packings === null ? names.climbed(found.searched) : names.packings(found)) + stopped;
}
