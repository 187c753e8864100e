// What the player shows: the board with a control for each cell, marks, the goal, the toolbar and the status line.

import { FIGURES, frame, ground, home, picture, sprite, tag, UNIT } from "./draw.js";
import { choice, pointer } from "./marks.js";
import { SAYS } from "./says.js";
import { STYLE } from "./style.js";
import { nameOf, route, spread, targets } from "./ways.js";

const SHEET = new CSSStyleSheet();
SHEET.replaceSync(STYLE);

const STEP = 170; // milliseconds of an animation for each step of a move

const SKELETON = `<div part="frame" class="frame">
  <div class="board" part="board"><svg aria-hidden="true"></svg><div class="cells" role="group"></div></div>
  <figure class="goal" part="goal"><figcaption></figcaption><svg role="img"></svg></figure>
  <div class="listed" role="group"></div>
  <div class="tools" role="toolbar"></div>
  <p class="status" role="status" aria-live="polite"></p>
</div>`;

export class View {
  theme = "light";
  says = SAYS.en;
  about = null;

  /** The cells of the chosen piece, or null. */
  chosen = null;

  /** The move that the hint points at, or null. */
  hint = null;

  #at = null;
  #pieces = [];
  #host;
  #root;
  #drawnTools = "";

  /** host: the element that gets the shadow tree and the colours. */
  constructor(host) {
    const root = host.attachShadow({ mode: "open" });
    root.adoptedStyleSheets = [SHEET];
    root.innerHTML = SKELETON;
    this.#host = host;
    this.#root = root;
    this.svg = root.querySelector("svg");
    this.cells = root.querySelector(".cells");
    this.goal = root.querySelector(".goal");
    this.listed = root.querySelector(".listed");
    this.tools = root.querySelector(".tools");
    this.status = root.querySelector(".status");
  }

  get colours() {
    return this.about.colours[this.theme] ?? this.about.colours.light;
  }

  get looks() {
    return this.about.looks[this.theme] ?? this.about.looks.light;
  }

  /** The element of the player that has the focus, or null. */
  get focused() {
    return this.#root.activeElement;
  }

  /** SVG units per pixel of the screen. */
  get scale() {
    return frame(this.about)[2] / this.svg.getBoundingClientRect().width;
  }

  /** The position shown, as the model describes it, but in the letters that the board shows; null before the first. */
  get at() {
    return this.#at;
  }
  set at(at) {
    const words = [...at.words];
    for (const { cells, word } of this.#pieces) for (const cell of cells) words[cell] = word;
    const signs = words.map((word) => this.#sign(word));
    const moves = at.moves.map((move) => ({ ...move, name: nameOf(move.movers, move.way, signs) }));
    this.#at = { ...at, words, moves };
  }

  /**
   * Takes over another position. Like pieces keep their letters after `move`, the move that led to it; else they have
   * those of `words`, the word of each cell.
   */
  show(about, at, { move = null, words = at.words } = {}) {
    this.about = about;
    this.chosen = null;
    this.hint = null;
    this.#pieces = move ? this.#carried(at, move) : at.pieces.map((cells) => ({ cells, word: words[cells[0]] }));
    this.at = at;
  }

  /** The pieces after a move. One that no step changes keeps its word, so that like pieces keep their letters. */
  #carried(at, move) {
    const kept = new Map();
    for (const { cells, word } of this.#pieces) {
      const way = spread(move, cells[0]).slice(1);
      if (!way.some((cell, k) => move.steps[k].change.includes(cell))) kept.set(way.at(-1), word);
    }
    return at.pieces.map((cells) => ({ cells, word: kept.get(cells[0]) ?? at.words[cells[0]] }));
  }

  /** The piece that covers a cell: {cells, word}, or undefined. */
  pieceOn(cell) {
    return this.#pieces.find((piece) => piece.cells.includes(cell));
  }

  /** Draws the position. */
  paint() {
    const [, , width, height] = frame(this.about);
    const box = frame(this.about).join(" ");
    this.svg.setAttribute("viewBox", box);
    this.#host.style.setProperty("--ratio", String(width / height));
    for (const [key, value] of Object.entries(this.colours)) {
      if (typeof value === "string") this.#host.style.setProperty(`--${key}`, value);
    }
    const pieces = this.#pieces.map((each) => this.#sprite(each)).join("");
    this.svg.innerHTML =
      ground(this.about, (word) => this.#look(word).fill, this.colours) +
      `<g class="pieces">${pieces}</g><g class="over"></g>`;
    this.#aim(box);
    this.#controls();
    this.#list();
    this.mark();
  }

  #look(word) {
    return this.looks[word] ?? { fill: this.colours.rim, ink: this.colours.paper, mark: word, kind: "tile", name: "" };
  }

  /** What the board shows on a piece: its mark, but its name or letter if the mark is a figure or a dot. */
  #sign(word) {
    const { mark, name } = this.#look(word);
    return !mark || mark === "dot" || mark === "ring" || FIGURES[mark] ? name || word : mark;
  }

  #sprite({ cells, word }) {
    const [x, y] = this.home(cells[0]);
    const drawn = sprite(this.about, cells, this.#look(word), this.colours);
    return tag("g", { "data-cell": cells[0], transform: `translate(${x} ${y})` }, drawn);
  }

  /** The middle of a cell in SVG units. */
  home(cell) {
    return home(this.about, cell, this.at.symbols).map((part) => part * UNIT);
  }

  /** The first goal, small, beside the board. */
  #aim(box) {
    const [words] = this.about.pictures;
    this.goal.hidden = !words || !this.about.letters;
    if (this.goal.hidden) return;
    const svg = this.goal.querySelector("svg");
    const spoken = words.map((word, cell) => `${this.about.board.names[cell]} ${this.#named(word)}`).join(", ");
    this.goal.querySelector("figcaption").textContent = this.says.goal;
    svg.setAttribute("viewBox", box);
    svg.setAttribute("aria-label", `${this.says.goal}: ${spoken}`);
    svg.innerHTML = picture(this.about, words, this.looks, this.colours);
  }

  /** One button for each cell, above the drawing. */
  #controls() {
    const [left, top, width, height] = frame(this.about);
    const focused = this.focused?.dataset?.cell;
    const size = this.about.board.stacks ? UNIT / 2 : UNIT;
    while (this.cells.children.length > this.about.cells) this.cells.lastChild.remove();
    while (this.cells.children.length < this.about.cells) this.cells.append(document.createElement("button"));
    this.cells.setAttribute("aria-label", this.says.board);
    [...this.cells.children].forEach((button, cell) => {
      const [x, y] = this.home(cell);
      button.type = "button";
      button.dataset.cell = cell;
      button.setAttribute("aria-label", this.#spoken(cell));
      button.tabIndex = Number(focused ?? 0) === cell ? 0 : -1;
      button.style.left = `${(100 * (x - size / 2 - left)) / width}%`;
      button.style.top = `${(100 * (y - size / 2 - top)) / height}%`;
      button.style.width = `${(100 * size) / width}%`;
      button.style.height = `${(100 * size) / height}%`;
    });
  }

  #spoken(cell) {
    const each = this.pieceOn(cell);
    return `${this.about.board.names[cell]}: ${each ? this.#named(each.word) : this.says.empty}`;
  }

  /** The name of a piece for screen readers. */
  #named(word) {
    return this.#look(word).name || this.#sign(word);
  }

  /** Marks the chosen piece, the cells it can go to, and the hint. */
  mark() {
    const middle = (cell) => this.home(cell);
    const chosen = this.chosen ?? [];
    let over = "";
    if (chosen.length) over += choice(chosen, targets(this.at, chosen).keys(), middle, this.colours);
    if (this.hint) over += pointer(this.hint, this.#hinted(), middle);
    this.svg.querySelector(".over").innerHTML = over;
    for (const button of this.listed.children) {
      const able = this.at.moves.some((move) => move.name === button.textContent);
      button.classList.toggle("best", button.textContent === this.hint?.name);
      if (able) button.removeAttribute("aria-disabled");
      else button.setAttribute("aria-disabled", "true");
    }
    for (const button of this.cells.children) {
      button.setAttribute("aria-pressed", String(chosen.includes(Number(button.dataset.cell))));
    }
  }

  #hinted() {
    const { piece } = this.hint;
    return this.#pieces.find((each) => each.cells[0] === piece)?.cells ?? [piece];
  }

  /** The routes of the pieces that a move carries, as {cell, spots, time}: for `animate` once the move is made. */
  routes(move) {
    if (this.about.board.stacks) return [];
    const single = this.#pieces.every((each) => route(move, each.cells[0]).length <= 2);
    const time = STEP * (single ? 1 : move.steps.length);
    return this.#pieces.flatMap((each) => {
      const way = single ? route(move, each.cells[0]) : spread(move, each.cells[0]);
      return way.length < 2 ? [] : [{ cell: way.at(-1), spots: way.map((cell) => this.home(cell)), time }];
    });
  }

  /** Lets pieces go along their routes to where they are drawn. */
  animate(routes) {
    if (matchMedia("(prefers-reduced-motion: reduce)").matches) return;
    for (const { cell, spots, time } of routes) {
      const frames = spots.map(([x, y]) => ({ transform: `translate(${x}px,${y}px)` }));
      this.#drawn(cell)?.animate(frames, { duration: time, easing: "ease-in-out" });
    }
  }

  /** Draws a piece, named by its first cell, at a place in SVG units. */
  put(cell, [x, y]) {
    this.#drawn(cell).style.transform = `translate(${x}px,${y}px)`;
  }

  #drawn(cell) {
    return this.svg.querySelector(`[data-cell="${cell}"]`);
  }

  /** Draws the toolbar. The focus stays on its tool. */
  bar({ undo, redo, reset, shuffle, playing, speed }) {
    const says = this.says;
    const tools = [
      ["undo", "↶", undo],
      ["redo", "↷", redo],
      ["reset", "⟲", reset],
      ...(shuffle ? [["shuffle", "⤮", true]] : []),
      ["hint", "?", this.at.moves.length > 0],
      ["step", "⇥", !this.at.goal],
      [playing ? "pause" : "play", playing ? "❚❚" : "▶", !this.at.goal],
    ];
    const buttons = tools.map(([key, sign, able]) => {
      const more = able ? {} : { "aria-disabled": "true" };
      return tag(
        "button",
        { type: "button", "data-do": key, title: says[key], "aria-label": says[key], ...more },
        sign,
      );
    });
    const range = { type: "range", min: 100, max: 1500, step: 100, value: 1600 - speed };
    const slider = tag("input", { ...range, "aria-label": says.speed, title: says.speed }).replace("</input>", "");
    const drawn = buttons.join("") + slider;
    if (this.#drawnTools !== drawn) {
      const focused = this.focused?.dataset?.do;
      this.tools.innerHTML = this.#drawnTools = drawn;
      if (focused) this.#tool(focused).focus();
    }
  }

  /** The tool of a name; "play" and "pause" stand for each other. */
  #tool(name) {
    const playing = '[data-do="pause"],[data-do="play"]';
    return this.tools.querySelector(`[data-do="${name}"]`) ?? this.tools.querySelector(playing);
  }

  /** Buttons for all listed moves, unless there are too many or they have the names of cells. They stay in place. */
  #list() {
    const { listed, board } = this.about;
    const names = listed.length <= 80 && !listed.every((name) => board.names.includes(name)) ? listed : [];
    const before = [...this.listed.children].map((each) => each.textContent);
    if (names.join("\n") === before.join("\n")) return;
    const button = (name) => Object.assign(document.createElement("button"), { type: "button", textContent: name });
    this.listed.replaceChildren(...names.map(button));
  }

  /** Writes the status line: the moves made, the distance or another text in its place, and a message. */
  tell({ count, run }, message = "", distance = this.#distance()) {
    const says = this.says;
    const made = says.count(count) + (run.best ? ` ${says.optimum(run.best)}` : "");
    const fewest = count && count === run.best ? ` ${says.shortest}` : "";
    const left = this.at.goal ? says.solved + fewest : distance;
    this.status.textContent = [made, left, message].filter(Boolean).join(" · ");
    this.status.classList.toggle("lost", this.at.state === "lost");
  }

  #distance() {
    const { state, distance } = this.at;
    return { known: this.says.left(distance), lost: this.says.lost, unknown: this.says.unknown }[state] ?? "";
  }
}
