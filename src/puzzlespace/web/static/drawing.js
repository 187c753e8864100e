// The puzzle drawn by hand: a tool paints or moves in the drawing, and the text of the file changes with it. The text is
// the truth: each change is made in it, and what is typed there is drawn anew.

import { make } from "./depths.js";
import { frame, ground, sprite } from "./draw.js";
import { GRAMMAR } from "./grammar.js";
import { icon } from "./icons.js";
import { BLANK, fresh, MOST_CELLS, means, NOTHING, OPEN, PuzzleFile } from "./pzl.js";
import { tag, UNIT } from "./shapes.js";
import { loops, resized } from "./templates.js";
import { metricName, terms, told } from "./terms.js";

const TOOLS = ["move", "piece", "blank", "wall", "open", "only"];
const PLAIN = [BLANK, NOTHING, OPEN];
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
const INK = "#1c1c1c";
const BAD = "#d55e00";

const option = (value, text, selected) => make("option", { value, textContent: text, selected });
const button = (text, more = {}) => make("button", { type: "button", textContent: text, ...more });
const quoted = (text) => (/;|^"/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
const unquoted = (text) => (/^".*"$/.test(text) ? text.slice(1, -1).replaceAll('""', '"') : text);

export class Drawing {
  #root;
  #editor;
  #file = new PuzzleFile("");
  #shown = null; // the last file that could be drawn
  #about = null;
  #told = ""; // the text that the server read
  #theme = "light";
  #view = "start";
  #tool = "move";
  #here = 0; // the place that the keyboard is at
  #held = null; // the piece that is moved: {cells, from, to}
  #refused = null; // the file in which the last piece was not put down, for lack of room
  #stroke = null; // the file before the stroke that is being painted, its word, its last place
  #frame = 0; // the next frame, if something is drawn before it
  #mistake = null;
  #parts = {};

  /**
   * editor: the text, with `text`; `live(text)` shows it while a stroke is painted, `put(text, before, typed)` after it,
   * `again()` if the stroke was given up.
   */
  constructor(root, editor) {
    this.#root = root;
    this.#editor = editor;
    this.translate();
  }

  /** Whether the drawing is seen. */
  get #open() {
    return this.#root.offsetParent !== null;
  }

  /** The text was changed. */
  read(text = this.#editor.text) {
    if (text === this.#file.text && this.#shown) return this.draw();
    this.#file = new PuzzleFile(text);
    this.#stroke = this.#held = this.#mistake = null;
    this.draw();
  }

  /** The puzzle of the text, as the server read it; its colours are used until another is read. */
  set about(about) {
    this.#about = about;
    this.#told = this.#editor.text;
    this.#mistake = null;
    this.draw();
  }

  set theme(theme) {
    this.#theme = theme;
    this.draw();
  }

  /** The text has an error: {message, line, column}; null: none. */
  wrong(error) {
    this.#mistake = error;
    this.draw();
  }

  /** Begins with the first drawing and the first tool. */
  reset() {
    this.#view = "start";
    this.#tool = "move";
    this.#here = 0;
    this.#shown = null;
    this.read();
  }

  get #words() {
    return this.#shown.words(this.#view);
  }

  /** The places in cells: [x, y] of each, and the box around them. */
  get #map() {
    const file = this.#shown;
    if (file.grid) {
      const middles = file.places.map(({ x, y }) => [x + 0.5, y + 0.5]);
      return { middles, box: [0, 0, file.wide, file.high] };
    }
    const board = this.#about.board;
    if (board.shape === "graph" && this.#about.cells === file.cells) return board;
    const lead = ({ token }) => token.from - file.text.lastIndexOf("\n", token.from) - 1;
    const least = Math.min(...file.places.map(lead));
    const middles = file.places.map((place) => [(lead(place) - least) / 2 + 0.5, place.y + 0.5]);
    return { middles, box: [0, 0, Math.max(...middles.map(([x]) => x)) + 0.5, file.high] };
  }

  /** The pieces of a drawing, {word, cells}; cells of a block stay together. */
  #pieces(words) {
    const file = this.#shown;
    const joins = file.grid && file.kind.joins;
    const has = (key, word) => joins && file.list(key).some((each) => each === "all" || each === word);
    const found = [];
    const taken = new Set();
    words.forEach((word, place) => {
      if (taken.has(place) || PLAIN.includes(word)) return;
      const same = words.flatMap((each, k) => (each === word ? [k] : []));
      const cells = has("apart", word) ? same : has("blocks", word) ? this.#joined(place, new Set(same)) : [place];
      for (const cell of cells) taken.add(cell);
      found.push({ word, cells });
    });
    return found;
  }

  /** The places that touch a place through others of a set. */
  #joined(first, among) {
    const found = [first];
    among.delete(first);
    for (const place of found) {
      for (const step of Object.values(ARROWS)) {
        const next = this.#beside(place, step);
        if (among.delete(next)) found.push(next);
      }
    }
    return found.sort((a, b) => a - b);
  }

  /** The place beside a place of a grid, or null. */
  #beside(place, [dx, dy]) {
    const { wide, high } = this.#shown;
    const [x, y] = [(place % wide) + dx, Math.floor(place / wide) + dy];
    return x < 0 || y < 0 || x >= wide || y >= high ? null : y * wide + x;
  }

  /** How a word is painted. */
  #look(word) {
    const known = this.#about.looks[this.#theme][word];
    if (known) return known;
    const { hues } = this.#about.colours[this.#theme];
    const kind = this.#shown.kind.peg ? "disc" : "tile";
    return { fill: hues[(word.codePointAt(0) + 1) % 4], ink: INK, mark: word, kind };
  }

  // What is shown

  /** Builds the controls in the language of the page. */
  translate() {
    const said = terms();
    const parts = {};
    const control = (name, tagName, more) => {
      parts[name] = make(tagName, more);
      return parts[name];
    };
    const labelled = (text, field, className = "") =>
      make("label", { className }, make("span", { textContent: text }), field);
    const group = (name, label, className) => {
      const made = control(name, "div", { className });
      made.setAttribute("role", "group");
      made.setAttribute("aria-label", label);
      return made;
    };
    const stepper = (name) => {
      const step = (way, text) => {
        const made = button(text, { onclick: () => this.#grow(name, way) });
        made.setAttribute("aria-label", (way > 0 ? said.great : said.less)(said[name]));
        return made;
      };
      parts[`${name}Less`] = step(-1, "−");
      parts[`${name}More`] = step(1, "+");
      const label = make("span", { textContent: said[name] });
      return make(
        "span",
        { className: "stepper" },
        label,
        parts[`${name}Less`],
        control(name, "output"),
        parts[`${name}More`],
      );
    };
    this.#root.replaceChildren(
      make(
        "div",
        { className: "facts" },
        labelled(said.title, control("title", "input", { type: "text", oninput: () => this.#retitle() }), "grow"),
        labelled(said.rule, control("rule", "select", { onchange: () => this.#rerule() })),
        labelled(said.count, control("count", "select", { onchange: () => this.#recount() })),
      ),
      group("views", said.views, "views"),
      group("tools", said.tools, "pens"),
      control("sheet", "div", { className: "drawn" }),
      control("how", "p", { className: "how" }),
      group("palette", said.palette, "palette"),
      control("fixed", "label", { className: "fixed" }),
      make(
        "div",
        { className: "facts" },
        control("size", "span", { className: "facts" }),
        control("goalis", "label"),
        control("same", "button", { type: "button", textContent: said.same, onclick: () => this.#copied() }),
        control("drop", "button", { type: "button", textContent: said.drop, onclick: () => this.#dropped() }),
      ),
    );
    parts.size.append(stepper("wide"), stepper("high"));
    parts.goals = make("select", { onchange: () => this.#goalled(parts.goals.value) });
    parts.goalis.append(make("span", { textContent: said.goalis }), parts.goals);
    parts.still = make("input", { type: "checkbox", onchange: () => this.#fix(parts.still.checked) });
    parts.fixed.append(parts.still, make("span", { textContent: said.still }));
    parts.tools.append(
      ...TOOLS.map((name) => {
        const made = make("button", { type: "button", onclick: () => this.#choose(name) });
        made.dataset.tool = name;
        made.innerHTML = `${icon(name)}<span></span>`;
        return made;
      }),
    );
    parts.picture = make("div", { className: "picture" });
    parts.cells = make("div", { className: "cells" });
    parts.cells.setAttribute("role", "group");
    parts.cells.setAttribute("aria-label", said.board);
    parts.sheet.append(parts.picture, parts.cells);
    this.#parts = parts;
    this.#listen(parts.cells);
    this.draw();
  }

  /** Draws all of it, unless it is hidden. */
  draw() {
    if (!this.#about || !this.#open) return;
    const { title, rule, count, how } = this.#parts;
    const said = terms();
    const file = this.#file;
    const broken = !this.#readable(file);
    const large = !broken && file.places.length > MOST_CELLS;
    if (!broken && !large) this.#shown = file;
    else if (!file.entries.length) this.#shown = null;
    if (title !== document.activeElement) title.value = unquoted(file.value(this.#titleKey) ?? "");
    const rules = Object.entries(GRAMMAR.rules);
    rule.replaceChildren(...rules.map(([name, { title }]) => option(name, told(title), name === file.rule)));
    if (!GRAMMAR.rules[file.rule]) rule.prepend(option("", "", true));
    const now = file.value("count") ?? "";
    const own = this.#told === file.text ? this.#about.metrics : Object.keys(file.kind.counts);
    const counts = [...new Set(["", ...own, now])];
    count.replaceChildren(...counts.map((name) => option(name, name ? metricName(name) : said.nocount, name === now)));
    const able = this.#shown !== null && !large;
    this.#root.classList.toggle("broken", broken && able);
    this.#root.classList.toggle("none", !able);
    for (const name of ["views", "tools", "palette", "sheet", "size"]) this.#parts[name].hidden = !able;
    how.hidden = false;
    how.textContent = large ? said.toolarge(file.places.length, MOST_CELLS) : said.nodrawing;
    if (!able) {
      for (const name of ["fixed", "goalis", "same", "drop"]) this.#parts[name].hidden = true;
      return;
    }
    const views = this.#views;
    if (!views.includes(this.#view)) this.#view = views[0];
    this.#showViews(views);
    this.#showTools();
    this.#showSize();
    this.#showBoard();
    const tip = !TOOLS.includes(this.#tool);
    how.hidden = !this.#words && !this.#mistake;
    const pen = this.#tool === "blank" && file.kind.peg ? "peg" : this.#tool;
    const tells = tip ? said.how.word(this.#tool.slice(1)) : said.how[pen];
    const refused = this.#refused === file ? said.noroom : tells;
    const mistake = this.#mistake;
    how.classList.toggle("bad", Boolean(mistake));
    if (mistake) how.textContent = (mistake.line ? `${mistake.line}: ` : "") + mistake.message;
    else how.textContent = broken ? said.broken : this.#held?.typed ? said.held : refused;
  }

  #readable(file) {
    if (!file.places.length || !(file.grid || file.free)) return false;
    const drawn = Object.keys(file.drawings);
    return file.places.length > MOST_CELLS || drawn.every((name) => file.tokens(name) || isPattern(file, name));
  }

  get #views() {
    const file = this.#shown;
    const goals = file.goals.length ? file.goals : ["goal"];
    return ["start", ...goals.filter((name) => !isPattern(file, name))];
  }

  get #titleKey() {
    const lang = `title[${document.documentElement.lang}]`;
    return this.#file.entry(lang) ? lang : "title";
  }

  #showViews(views) {
    const said = terms();
    const names = views.map((name) => (name === "start" ? said.start : said.goal(Number(name.slice(5) || 1))));
    const made = views.map((name, k) => {
      const each = button(names[k], { onclick: () => this.#look_at(name) });
      each.setAttribute("aria-pressed", String(name === this.#view));
      each.dataset.view = name;
      return each;
    });
    const drawn = this.#shown.drawings[views.at(-1)];
    if (drawn) made.push(button("+", { title: said.more, ariaLabel: said.more, onclick: () => this.#another() }));
    replaced(this.#parts.views, made, "view");
  }

  /** The tools that make sense in this drawing. */
  get #tools() {
    const file = this.#shown;
    const { lists, patterns, peg } = file.kind;
    const goal = this.#view !== "start";
    return {
      move: true,
      piece: !peg && (!goal || !file.drawings.start),
      blank: !lists,
      wall: file.solid && !lists,
      open: goal,
      only: goal && !peg && !patterns,
    };
  }

  #showTools() {
    const said = terms();
    const file = this.#shown;
    const words = this.#words;
    const able = this.#tools;
    if (!words) this.#tool = "move";
    if (TOOLS.includes(this.#tool) && !able[this.#tool]) this.#tool = "move";
    for (const each of this.#parts.tools.children) {
      const name = each.dataset.tool;
      each.hidden = !able[name];
      each.setAttribute("aria-pressed", String(this.#tool === name));
      each.lastChild.textContent = said.tool[name === "blank" && file.kind.peg ? "peg" : name];
    }
    const symbols = this.#symbols;
    if (this.#tool[0] === "=" && !symbols.includes(this.#tool.slice(1))) this.#tool = "move";
    const { colours } = this;
    const made = symbols.map((word) => {
      const each = button("", { onclick: () => this.#choose(`=${word}`) });
      const look = this.#look(word);
      const about = { board: { grid: true, middles: [[0, 0]] } };
      const attributes = { viewBox: "-20 -20 40 40", "aria-hidden": "true" };
      each.innerHTML = tag("svg", attributes, word === BLANK ? "" : sprite(about, [0], look, colours, word));
      each.setAttribute("aria-label", word);
      each.setAttribute("aria-pressed", String(this.#tool === `=${word}`));
      each.dataset.word = word;
      return each;
    });
    replaced(this.#parts.palette, made, "word");
    this.#parts.palette.hidden = !words || !made.length;
    this.#parts.tools.hidden = !words;
    this.#parts.fixed.hidden = this.#tool[0] !== "=" || !means("fixed", file.rule) || this.#view !== "start";
    this.#parts.still.checked = file.list("fixed").includes(this.#tool.slice(1));
  }

  get colours() {
    return this.#about.colours[this.#theme];
  }

  /** The symbols that can be painted. */
  get #symbols() {
    const file = this.#shown;
    const names = Object.keys(file.drawings).filter((name) => name !== "board" && name !== "gates");
    const found = new Set(names.flatMap((name) => file.words(name) ?? []));
    for (const word of (file.value("swap") ?? "").split(/[\s,]+|<?->/)) if (word) found.add(word);
    const { peg, lists } = file.kind;
    if (peg && ![...found].some((word) => !PLAIN.includes(word))) found.add(peg);
    for (const word of [NOTHING, OPEN, ...(lists ? [] : [BLANK])]) found.delete(word);
    const ordered = new Intl.Collator("en", { numeric: true });
    return [...found].sort(ordered.compare);
  }

  #showSize() {
    const file = this.#shown;
    const { size, wide, high, goalis, goals, same, drop } = this.#parts;
    const said = terms();
    const goal = this.#view !== "start";
    size.hidden = !file.solid;
    wide.textContent = file.wide;
    high.textContent = file.high;
    for (const [name, now, other] of [
      ["wide", file.wide, file.high],
      ["high", file.high, file.wide],
    ]) {
      this.#parts[`${name}Less`].disabled = now < 2;
      this.#parts[`${name}More`].disabled = (now + 1) * other > MOST_CELLS;
    }
    goalis.hidden = !goal;
    same.hidden = drop.hidden = !goal || !this.#words;
    drop.hidden ||= this.#view === "goal";
    const said_goal = file.value(this.#view);
    const plain = ["start", "any one peg"].includes(said_goal) ? said_goal : said_goal === null ? "none" : "sentence";
    const counted = /^count \S+ = \d+$/.test(said_goal);
    const kind = file.drawings[this.#view] ? "drawn" : counted && !file.kind.patterns ? "count" : plain;
    const able = { "any one peg": Boolean(file.kind.peg), sentence: kind === "sentence" };
    const kinds = Object.keys(said.goals).filter((name) => able[name] ?? true);
    goals.replaceChildren(...kinds.map((name) => option(name, said.goals[name], name === kind)));
  }

  #showBoard() {
    const said = terms();
    const file = this.#shown;
    const { sheet, picture, cells } = this.#parts;
    const words = this.#words;
    const { middles, box } = this.#map;
    if (!words) {
      const copy = button(this.#view === "start" ? said.copystart : said.copygoal, { onclick: () => this.#copied() });
      picture.replaceChildren(copy);
      cells.replaceChildren();
      sheet.classList.add("blank");
      return;
    }
    sheet.classList.remove("blank");
    const about = { ...this.#about, board: { ...this.#about.board, middles, box } };
    const [left, top, wide, high] = frame(about);
    sheet.style.setProperty("--ratio", String(wide / high));
    sheet.style.setProperty("--columns", String(wide / UNIT));
    picture.innerHTML = tag(
      "svg",
      { viewBox: `${left} ${top} ${wide} ${high}`, "aria-hidden": "true" },
      this.#art(words, about),
    );
    if (cells.children.length !== middles.length) {
      cells.replaceChildren(
        ...middles.map((_, place) => {
          const made = make("button", { type: "button", tabIndex: -1 });
          made.dataset.place = String(place);
          return made;
        }),
      );
    }
    this.#here = Math.min(this.#here, middles.length - 1);
    const names = file.drawings.board && file.grid ? file.places.map(({ token }) => token.word) : null;
    const named = { [BLANK]: said.words.blank, [NOTHING]: said.words.wall, [OPEN]: said.words.open };
    const bad = this.#mistake?.line ? file.spot(this.#mistake.line, this.#mistake.column) : null;
    for (const [place, cell] of [...cells.children].entries()) {
      const [x, y] = middles[place];
      cell.style.left = `${(100 * ((x - 0.5) * UNIT - left)) / wide}%`;
      cell.style.top = `${(100 * ((y - 0.5) * UNIT - top)) / high}%`;
      cell.style.width = `${(100 * UNIT) / wide}%`;
      cell.style.height = `${(100 * UNIT) / high}%`;
      cell.tabIndex = place === this.#here ? 0 : -1;
      const { x: column, y: row } = file.places[place];
      const word = words[place];
      const shown = file.kind.lists && word === BLANK ? word : (named[word] ?? word);
      cell.setAttribute("aria-label", said.cell(names?.[place] ?? `${column + 1}, ${row + 1}`, shown));
      cell.classList.toggle("bad", bad?.[0] === this.#view && bad[1] === place);
    }
  }

  /** The drawing as SVG text. */
  #art(words, about) {
    const { colours } = this;
    const file = this.#shown;
    const { middles } = about.board;
    const at = (place) => middles[place].map((part) => part * UNIT);
    const flat = file.grid
      ? {
          ground: "walls",
          ...(file.entry("ground") && this.#about.cells === file.cells ? onGround(this.#about) : {}),
          board: {
            grid: true,
            middles: middles.filter((_, place) => words[place] !== NOTHING),
            rows: Array.from({ length: file.high }, () => Array(file.wide).fill(0)),
          },
        }
      : { ...about, gates: [], board: { ...about.board, grid: false, stacks: null, shape: "graph", zones: [] } };
    if (!file.grid && middles !== this.#about.board.middles) flat.board.edges = [];
    let art = ground(flat, () => "", colours);
    const spaces = { board: { grid: file.grid, middles } };
    const held = this.#held;
    const draw = ({ word, cells }, [dx, dy] = [0, 0], more = {}) => {
      const [x, y] = at(cells[0]);
      const body = sprite(spaces, cells, this.#look(word), colours, word);
      art += tag("g", { transform: `translate(${x + dx * UNIT} ${y + dy * UNIT})`, ...more }, body);
    };
    for (const piece of this.#pieces(words)) {
      draw(piece, [0, 0], held?.cells.includes(piece.cells[0]) && held.to !== held.from ? { opacity: 0.25 } : {});
    }
    words.forEach((word, place) => {
      if (word !== OPEN) return;
      const [x, y] = at(place);
      const mark = { x, y: y + 9, "font-size": 22, "text-anchor": "middle", fill: colours.rim };
      art += tag("text", mark, OPEN);
    });
    if (held && held.to !== held.from) {
      const way = [0, 1].map((part) => middles[held.to][part] - middles[held.from][part]);
      draw({ word: words[held.from], cells: held.cells }, way, { opacity: this.#moved(held) ? 0.9 : 0.45 });
      if (!this.#moved(held)) {
        const [x, y] = at(held.to);
        const ring = { cx: x, cy: y, r: 17, fill: "none", stroke: BAD, "stroke-width": 4 };
        art += tag("circle", ring);
      }
    }
    return art;
  }

  // What is changed

  /** Puts a changed file into the text. before: the text before the change, if it was painted step by step. */
  #put(file, before = this.#file.text, typed = false) {
    if (file.text === before) return;
    this.#file = file;
    this.#mistake = null;
    this.#editor.put(file.text, before, typed);
    this.draw();
  }

  #choose(tool) {
    this.#tool = tool;
    this.#held = this.#refused = null;
    this.draw();
  }

  #look_at(view) {
    this.#view = view;
    this.#held = this.#refused = null;
    this.draw();
  }

  #retitle() {
    const text = this.#parts.title.value.replace(/\s+/g, " ").trim();
    const file = this.#file;
    this.#put(text ? file.set(this.#titleKey, quoted(text)) : file.without(this.#titleKey), file.text, true);
  }

  #rerule() {
    let file = this.#file.ruled(this.#parts.rule.value);
    if (file.kind.lists && !file.entry("moves") && file.grid) file = this.#pushed(file);
    this.#put(file);
  }

  /** A file whose rows and columns can be pushed round. */
  #pushed(file) {
    const moves = file.entry("board") ? [] : loops(file.wide, file.high);
    return moves.length ? file.added(`moves:\n  ${moves.join("\n  ")}`) : file;
  }

  #recount() {
    const { value } = this.#parts.count;
    this.#put(value ? this.#file.set("count", value) : this.#file.without("count"));
  }

  #fix(still) {
    const word = this.#tool.slice(1);
    const list = this.#file.list("fixed").filter((each) => each !== word);
    this.#put(listed(this.#file, "fixed", still ? [...list, word] : list));
  }

  #grow(name, way) {
    const { wide, high } = this.#shown;
    const [w, h] = name === "wide" ? [wide + way, high] : [wide, high + way];
    if (w < 1 || h < 1 || w * h > MOST_CELLS || this.#shown !== this.#file) return;
    const rows = resized(this.#file, w, h);
    let file = this.#agreed(this.#file, this.#file.sized(w, h));
    if (rows?.length) file = file.without("moves").added(`moves:\n  ${rows.join("\n  ")}`);
    this.#put(file);
  }

  /** Another goal, drawn like the last if that is drawn. */
  #another() {
    const file = this.#file;
    if (this.#shown !== file) return;
    const last = file.goals.at(-1);
    this.#view = `goal ${Number(last.slice(5) || 1) + 1}`;
    this.#put(file.redrawn(this.#view, file.words(last) ?? file.words("start") ?? this.#empty));
  }

  /** The words of a drawing without pieces. */
  get #empty() {
    return this.#file.places.map(({ token }) => (token.word === NOTHING ? NOTHING : BLANK));
  }

  /** Draws this goal like the start, or the start like the first goal that shows all cells, or blank. */
  #copied() {
    const file = this.#file;
    if (this.#shown !== file) return;
    const whole = (goal) => !(file.words(goal) ?? [OPEN]).includes(OPEN);
    const from = this.#view === "start" ? file.goals.find(whole) : "start";
    this.#put(file.redrawn(this.#view, (from && file.words(from)) ?? this.#empty));
  }

  #dropped() {
    this.#put(this.#file.without(this.#view));
  }

  #goalled(kind) {
    const file = this.#file;
    if (kind === "drawn") return this.#copied();
    if (kind === "sentence") return;
    if (kind === "none") return this.#put(file.without(this.#view));
    if (kind !== "count") return this.#put(file.set(this.#view, kind));
    const words = file.words("start") ?? [];
    const word = words.find((each) => !PLAIN.includes(each)) ?? "o";
    this.#put(file.set(this.#view, `count ${word} = ${words.filter((each) => each === word).length || 1}`));
  }

  /** The file with a place painted. A wall is a wall in all drawings. */
  #painted(file, place, word) {
    const now = file.words(this.#view)[place];
    if (now === word || place === null) return file;
    const next = { [this.#view]: file.words(this.#view).with(place, word) };
    if (word !== NOTHING && now !== NOTHING) return file.drawn(next);
    if (!file.solid || (word === NOTHING && file.cells < 2)) return file;
    const { x, y } = file.places[place];
    for (const name of Object.keys(file.drawings)) {
      if (name === this.#view || !file.tokens(name)?.[place]) continue;
      next[name] = file.words(name).with(place, word === NOTHING ? NOTHING : file.fill(name, x, y));
    }
    return file.drawn(next);
  }

  /** The file in which goals and lists follow a change of the start: new pieces, pieces that are gone, fixed ones. */
  #agreed(before, after) {
    if (after.kind.lists || !after.drawings.start || !before.words("start")) return after;
    const [old, now] = [new Set(before.words("start")), new Set(after.words("start"))];
    const gone = [...old].filter((word) => !now.has(word) && !PLAIN.includes(word));
    const came = new Set([...now].filter((word) => !old.has(word) && !PLAIN.includes(word)));
    let file = after;
    for (const key of GRAMMAR.symbols) {
      const list = file.list(key);
      if (list.some((word) => gone.includes(word)))
        file = listed(
          file,
          key,
          list.filter((word) => !gone.includes(word)),
        );
    }
    const still = file.list("fixed");
    const start = file.words("start");
    for (const goal of file.goals) {
      const words = file.words(goal);
      if (!words) continue;
      const open = words.includes(OPEN);
      const shows = still.some((word) => words.includes(word));
      const next = words.map((word, place) => {
        const here = start[place];
        if (shows && still.includes(here)) return here;
        if (gone.includes(word) || (still.includes(word) && here !== word)) return open ? OPEN : BLANK;
        return !open && came.has(here) && word === BLANK ? here : word;
      });
      file = file.drawn({ [goal]: next });
    }
    return file;
  }

  /** The file after a piece was put down at another place, or null if there is no room. */
  #moved({ cells, from, to }) {
    const file = this.#shown;
    const words = this.#words;
    const { wide } = file;
    const way = file.grid ? [(to % wide) - (from % wide), Math.floor(to / wide) - Math.floor(from / wide)] : null;
    const ends = way ? cells.map((cell) => this.#beside(cell, way)) : cells.length === 1 ? [to] : [];
    if (!ends.length || ends.some((end) => end === null || words[end] === NOTHING)) return null;
    const next = [...words];
    for (const cell of cells) next[cell] = this.#view !== "start" && words.includes(OPEN) ? OPEN : BLANK;
    const free = (end) => cells.includes(end) || words[end] === OPEN || (words[end] === BLANK && !file.kind.lists);
    if (!ends.every(free)) {
      const other = this.#pieces(words).find((piece) => piece.cells.includes(to));
      if (cells.length > 1 || (other && other.cells.length > 1)) return null;
      next[from] = words[to];
    }
    for (const end of ends) next[end] = words[from];
    return file.drawn({ [this.#view]: next });
  }

  /** The open goal in which only one piece matters. */
  #alone(place) {
    const words = this.#words;
    const piece = this.#pieces(words).find(({ cells }) => cells.includes(place));
    if (!piece) return;
    const kept = new Set(piece.cells);
    const next = words.map((word, each) => (word === NOTHING || kept.has(each) ? word : OPEN));
    this.#put(this.#file.drawn({ [this.#view]: next }));
  }

  #begin(place, word = null) {
    if (this.#shown !== this.#file || !this.#words) return;
    const file = this.#file;
    this.#refused = null;
    if (this.#tool === "only" && word === null) return this.#alone(place);
    if (this.#tool === "move" && word === null) {
      const piece = this.#pieces(this.#words).find(({ cells }) => cells.includes(place));
      if (piece) this.#held = { cells: piece.cells, from: place, to: place };
      return;
    }
    const kinds = { piece: () => fresh(file), blank: () => BLANK, wall: () => NOTHING, open: () => OPEN };
    const put = word ?? kinds[this.#tool]?.() ?? this.#tool.slice(1);
    this.#stroke = {
      before: file,
      word: put,
      last: place,
      made: this.#tool === "piece" && word === null,
      cells: new Set(),
    };
    this.#stroked(place);
  }

  #stroked(place) {
    const stroke = this.#stroke;
    stroke.cells.add(place);
    stroke.last = place;
    const file = this.#painted(this.#file, place, stroke.word);
    if (file === this.#file) return;
    this.#file = file;
    this.#soon();
  }

  /** Draws what is painted or moved once before the next frame. */
  #soon() {
    this.#frame ||= requestAnimationFrame(() => {
      this.#frame = 0;
      if (this.#stroke) this.#editor.live(this.#file.text);
      this.draw();
    });
  }

  /** Paints all places up to one; those of a grid stay joined. */
  #strokedTo(place) {
    const { wide, grid } = this.#shown;
    const { last } = this.#stroke;
    const turn = Math.floor(place / wide) * wide + (last % wide);
    if (grid && turn !== last && turn !== place) this.#stroked(turn);
    this.#stroked(place);
  }

  /** Ends a stroke, or puts down the piece that is held. Without `kept` nothing is changed. */
  #end(kept) {
    const [stroke, held] = [this.#stroke, this.#held];
    this.#stroke = this.#held = null;
    if (stroke && !kept) {
      this.#file = stroke.before;
      this.#editor.live(stroke.before.text);
      this.#editor.again();
    } else if (stroke) {
      const { before, word, cells, made } = stroke;
      let file = this.#file;
      const joins = made && cells.size > 1 && file.kind.joins && file.grid;
      if (joins) file = joined(file, word);
      this.#put(this.#agreed(before, file), before.text);
    } else if (held && kept && held.to !== held.from) {
      const file = this.#moved(held);
      if (file) return this.#put(this.#agreed(this.#file, file));
      this.#refused = this.#file;
    }
    this.draw();
  }

  // Pointer and keyboard

  /** The place under the pointer, or null. */
  #under({ clientX, clientY }) {
    const rect = this.#parts.cells.getBoundingClientRect();
    const { middles, box } = this.#map;
    const [left, top, wide, high] = frame({ board: { box } });
    const x = (left + ((clientX - rect.left) / rect.width) * wide) / UNIT;
    const y = (top + ((clientY - rect.top) / rect.height) * high) / UNIT;
    const place = middles.findIndex(([u, v]) => Math.max(Math.abs(u - x), Math.abs(v - y)) <= 0.5);
    return place < 0 ? null : place;
  }

  #listen(cells) {
    let last = null;
    cells.addEventListener("pointerdown", (event) => {
      if (event.button || last) return;
      const place = this.#under(event);
      if (place === null) return;
      cells.setPointerCapture(event.pointerId);
      last = event;
      this.#go(place, true);
      this.#begin(place);
      event.preventDefault();
    });
    cells.addEventListener("pointermove", (event) => {
      if (!last || event.pointerId !== last.pointerId) return;
      if (this.#held) {
        const place = this.#under(event);
        if (place !== null && place !== this.#held.to) {
          this.#held.to = place;
          this.#soon();
        }
      } else if (this.#stroke) {
        const steps = Math.ceil(Math.hypot(event.clientX - last.clientX, event.clientY - last.clientY) / 4);
        for (let k = 1; k <= steps; k++) {
          const part = (name) => last[name] + ((event[name] - last[name]) * k) / steps;
          const place = this.#under({ clientX: part("clientX"), clientY: part("clientY") });
          if (place !== null && place !== this.#stroke.last) this.#strokedTo(place);
        }
      }
      last = event;
    });
    const up = (kept) => (event) => {
      if (event.pointerId !== last?.pointerId) return;
      last = null;
      this.#end(kept);
    };
    cells.addEventListener("pointerup", up(true));
    cells.addEventListener("pointercancel", up(false));
    cells.addEventListener("click", (event) => {
      if (event.detail || event.target.dataset.place === undefined) return; // from aids, without a pointer
      this.#go(Number(event.target.dataset.place));
      this.#press();
    });
    cells.addEventListener("keydown", (event) => this.#key(event));
    cells.addEventListener("focusout", (event) => {
      if (this.#held?.typed && !cells.contains(event.relatedTarget)) this.#end(false);
    });
  }

  /** Goes to a place with the keyboard. */
  #go(place, quiet = false) {
    const all = this.#parts.cells.children;
    if (all[this.#here]) all[this.#here].tabIndex = -1;
    this.#here = place;
    all[place].tabIndex = 0;
    all[place].focus({ preventScroll: quiet });
  }

  /** Uses the tool at the place of the keyboard. */
  #press() {
    if (this.#held) return this.#end(true);
    this.#begin(this.#here);
    if (this.#held) {
      this.#held.typed = true;
      this.draw();
    } else if (this.#stroke) this.#end(true);
  }

  #key(event) {
    const step = ARROWS[event.key];
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (step) this.#step(step, event.shiftKey);
    else if (event.key === "Enter" || event.key === " ") this.#press();
    else if (event.key === "Escape" && this.#held) this.#end(false);
    else if (event.key === "Backspace" || event.key === "Delete") this.#type(this.#shown.fill(this.#view));
    else if ([...event.key].length === 1 && !/[\s;/]/.test(event.key)) this.#type(event.key);
    else return;
    event.preventDefault();
  }

  #step(step, paints) {
    const next = this.#shown.grid ? this.#beside(this.#here, step) : this.#nearest(step);
    if (next === null || next === undefined) return;
    const word = this.#words?.[this.#here];
    this.#go(next);
    if (this.#held) {
      this.#held.to = next;
      this.draw();
    } else if (paints && this.#tool !== "move" && this.#tool !== "only" && this.#words) {
      this.#begin(next, word);
      if (!this.#stroke) return;
      this.#stroke.made = this.#tool === "piece";
      this.#stroke.cells.add(this.#here).add(-1);
      this.#end(true);
    }
  }

  /** The nearest place in a direction on a board that is not a grid. */
  #nearest([dx, dy]) {
    const { middles } = this.#map;
    const [x, y] = middles[this.#here];
    const far = ([u, v]) => {
      const ahead = (u - x) * dx + (v - y) * dy;
      const aside = Math.abs((u - x) * dy) + Math.abs((v - y) * dx);
      return ahead > 0.1 ? ahead + 2 * aside : Infinity;
    };
    const best = middles.reduce((found, spot, k) => (far(spot) < far(middles[found] ?? [x, y]) ? k : found), -1);
    return best < 0 ? null : best;
  }

  /** Writes a symbol at the place of the keyboard and goes on to the next. */
  #type(word) {
    if (!this.#words || this.#shown !== this.#file) return;
    if ((word === OPEN && this.#view === "start") || (word === NOTHING && !this.#tools.wall)) return;
    this.#begin(this.#here, word);
    if (this.#stroke) this.#end(true);
    if (this.#here + 1 < this.#shown.places.length) this.#go(this.#here + 1);
  }
}

/** Whether a goal is a pattern that may lie anywhere and does not fill the board: it is changed in the text only. */
function isPattern(file, name) {
  return /^goal/.test(name) && file.value("anywhere") === "yes" && Boolean(file.drawings[name]) && !file.tokens(name);
}

/** The file with a list of symbols; without the key if it is empty. */
function listed(file, key, words) {
  return words.length ? file.set(key, words.join(" ")) : file.without(key);
}

/** The file in which the touching cells of a letter are one piece. */
function joined(file, word) {
  const list = file.list("blocks");
  if (list.includes("all") || list.includes(word) || file.list("apart").some((each) => [word, "all"].includes(each)))
    return file;
  const shown = (file.words("start") ?? []).filter((each) => !PLAIN.includes(each) && each !== word);
  const single = new Set(shown).size === shown.length;
  const now = file.set("blocks", list.length ? [...list, word].join(" ") : single ? "all" : word);
  const [count, ...others] = Object.keys(file.kind.counts);
  return now.entry("count") || count !== "step" || !others.length ? now : now.set("count", count);
}

/** What the ground of a puzzle shows. */
const onGround = ({ walls, stops, deflectors, floor }) => ({ walls, stops, deflectors, floor });

/** Replaces the children of a group; the focus stays on the child with the same data. */
function replaced(group, children, key) {
  const focused = group.contains(document.activeElement) ? document.activeElement.dataset[key] : undefined;
  group.replaceChildren(...children);
  if (focused !== undefined) children.find((each) => each.dataset[key] === focused)?.focus();
}
