// <puzzle-space>: a board to play on by mouse, touch, drag and keyboard. What it may do it asks its model (docs/page.md).

import { SAYS } from "./says.js";
import { STYLE } from "./style.js";
import { UNIT, box, ground, home, picture, sprite, tag } from "./draw.js";
import { choice, pointer } from "./marks.js";
import { listedAt, nearest, route, spread, targets, towards } from "./ways.js";
import { dragging } from "./drag.js";

const SHEET = new CSSStyleSheet();
SHEET.replaceSync(STYLE);

const STEP = 170;

export class PuzzleSpace extends HTMLElement {
  #model = null; #at = null; #pieces = []; #history = []; #place = -1; #chosen = null; #asked = null; #timer = 0; #hint = null;
  #said = ""; #busy = 0; #begin = null; #dragged = false; #drawnTools = ""; #ready = Promise.resolve();

  static observedAttributes = ["lang", "theme"];

  constructor() {
    super();
    const root = this.attachShadow({ mode: "open" });
    root.adoptedStyleSheets = [SHEET];
    root.innerHTML = `<div part="frame" class="frame"><div class="board" part="board"><svg aria-hidden="true"></svg>
      <div class="cells" role="group"></div></div><figure class="goal" part="goal"><figcaption></figcaption><svg role="img"></svg></figure><div class="listed" role="group"></div>
      <div class="tools" role="toolbar"></div><p class="status" role="status" aria-live="polite"></p></div>`;
    this.svg = root.querySelector("svg");
    this.cells = root.querySelector(".cells");
    this.goal = root.querySelector(".goal");
    this.listed = root.querySelector(".listed");
    this.tools = root.querySelector(".tools");
    this.status = root.querySelector(".status");
    this.#listen();
  }

  attributeChangedCallback() { if (this.#at) this.#paint(); }

  get lang() { return this.getAttribute("lang") ?? "en"; }
  set lang(value) { this.setAttribute("lang", value); }
  get theme() { return this.getAttribute("theme") ?? "light"; }
  set theme(value) { this.setAttribute("theme", value); }
  get says() { return SAYS[this.lang.startsWith("ja") ? "ja" : "en"]; }
  get about() { return this.#model?.about ?? null; }
  get colours() { return this.about.colours[this.theme] ?? this.about.colours.light; }
  get playing() { return this.#timer !== 0; }
  get at() { return this.#at; }
  get model() { return this.#model; }

  /** The puzzle to play: shows its start, else its first goal. */
  set model(model) {
    this.pause();
    this.#model = model;
    this.#history = [];
    this.#place = -1;
    this.#begin = null;
    const first = model?.about.start ?? model?.about.goals[0];
    this.#ready = first ? this.#go(first, null) : Promise.resolve();
  }

  /** Settles when the board shows what was last asked for. */
  get ready() { return this.#ready; }

  get position() { return this.#at?.position ?? null; }
  set position(id) { if (id !== this.position) { this.pause(); this.#ready = this.#go(id, null); } }

  undo() { this.#travel(-1); }
  redo() { this.#travel(1); }
  reset() { this.pause(); if (this.#begin) this.#ready = this.#go(this.#begin, null); }

  /** Asks the model again for the position shown. */
  async refresh() { if (this.#at) await this.#ask(); }

  /** Marks a best move, asking for distances if need be. */
  async hint() {
    await this.#ready;
    if (this.#at.state === "unknown" || this.#at.moves.some((move) => move.state === "unknown")) await this.#ask();
    this.#hint = this.#at.moves.find((move) => move.best) ?? null;
    this.#overlay();
    this.#say(this.#hint ? this.says.hinted(this.#hint.name, this.#hint.distance) : this.says.nohint);
  }

  /** Plays a shortest solution from here. */
  async solve() {
    const way = await this.#way();
    if (!way.length) return this.#say(this.says.nohint);
    const next = async () => {
      const to = way.shift();
      if (!to) return this.pause();
      await this.#follow(to);
      if (this.#timer) this.#timer = setTimeout(next, this.speed);
    };
    this.#timer = setTimeout(next, 0);
    this.#bar();
  }

  /** Goes one move along a shortest solution. */
  async step() {
    this.pause();
    const [to] = await this.#way();
    if (to) await this.#follow(to); else this.#say(this.says.nohint);
  }

  pause() {
    clearTimeout(this.#timer);
    this.#timer = 0;
    if (this.#at) this.#bar();
  }

  /** Milliseconds from move to move while a solution is played. */
  get speed() { return Number(this.getAttribute("speed") ?? 700); }
  set speed(value) { this.setAttribute("speed", String(value)); }

  async #way() {
    await this.#ready;
    const way = await this.#model.path(this.#at.position, {});
    return way.slice(1);
  }

  async #follow(to) {
    const move = this.#at.moves.find((each) => each.to === to);
    await (move ? this.#make(move) : this.#go(to, null));
  }

  #travel(by) {
    this.pause();
    const spot = this.#history[this.#place + by];
    if (spot) this.#ready = this.#go(spot.id, null, this.#place + by);
  }

  /** Makes a move: the pieces go, then the next position is asked for. */
  async #make(move) {
    const going = this.#animate(move);
    await (this.#ready = this.#go(move.to, move));
    await going;
  }

  async #go(id, move, place = null) {
    const turn = ++this.#busy;
    this.#asked?.abort();
    const at = await this.#model.at(id, {});
    if (turn !== this.#busy) return;
    if (place === null) {
      const last = this.#history[this.#place];
      const spot = move ? { id, count: last.count + 1, run: last.run } : { id, count: 0, run: { begin: id, best: at.distance } };
      this.#history = [...this.#history.slice(0, this.#place + 1), spot];
      place = this.#history.length - 1;
    }
    this.#place = place;
    this.#begin ??= id;
    this.#show(at, move);
    const detail = { at: at.position, move, count: this.#history[place].count };
    this.dispatchEvent(new CustomEvent("position", { detail, bubbles: true }));
    if (at.state === "unknown") this.#ask();
  }

  async #ask() {
    this.#asked?.abort();
    const asked = (this.#asked = new AbortController()), id = this.#at.position;
    this.#tell(this.says.asking);
    const at = await this.#model.distance(id, { signal: asked.signal }).catch(() => null);
    if (asked.signal.aborted || this.position !== id) return;
    if (at) this.#at = at;
    if (at) this.#learn();
    this.#tell();
  }

  #show(at, move) {
    const before = this.#at;
    this.#at = at;
    this.#chosen = this.#hint = null;
    this.#learn();
    this.#pieces = move && before ? this.#carried(move, at) : this.#named(at);
    this.#paint();
  }

  /** The least number of moves from where the moves are counted, once it is known. */
  #learn() {
    const { run } = this.#history[this.#place];
    if (run.begin === this.position) run.best = this.#at.distance ?? run.best;
  }

  #named(at) { return at.pieces.map((cells) => ({ cells, word: at.words[cells[0]] })); }

  /** The pieces after a move, each with the word it had: like pieces keep their letters. */
  #carried(move, at) {
    const word = new Map();
    for (const each of this.#pieces) word.set(route(move, each.cells[0]).at(-1), each.word);
    const fresh = new Set(move.steps.flatMap((step) => step.change));
    const kept = (cells) => (fresh.has(cells[0]) || this.about.kind === "apply" ? undefined : word.get(cells[0]));
    return at.pieces.map((cells) => ({ cells, word: kept(cells) ?? at.words[cells[0]] }));
  }

  #look(word) {
    const looks = this.about.looks[this.theme] ?? this.about.looks.light;
    return looks[word] ?? { fill: this.colours.rim, ink: this.colours.paper, mark: word, kind: "tile", name: "" };
  }

  #paint() {
    const frame = box(this.about), colours = this.colours;
    const view = [frame[0] - 6, frame[1] - 6, frame[2] + 12, frame[3] + 12].join(" ");
    this.svg.setAttribute("viewBox", view);
    this.style.setProperty("--ratio", String((frame[2] + 12) / (frame[3] + 12)));
    for (const [key, value] of Object.entries(colours)) if (typeof value === "string") this.style.setProperty(`--${key}`, value);
    const pieces = this.#pieces.map((each) => this.#sprite(each)).join("");
    this.svg.innerHTML = ground(this.about, (word) => this.#look(word).fill, colours) + `<g class="pieces">${pieces}</g><g class="over"></g>`;
    this.#aim(view);
    this.#controls();
    this.#overlay();
    this.#bar();
    this.#tell();
  }

  /** The first goal, small, beside the board. */
  #aim(view) {
    const [words] = this.about.pictures, svg = this.goal.querySelector("svg");
    this.goal.hidden = !words || !this.about.letters;
    if (this.goal.hidden) return;
    this.goal.querySelector("figcaption").textContent = this.says.goal;
    svg.setAttribute("viewBox", view);
    svg.setAttribute("aria-label", `${this.says.goal}: ${words.map((word, cell) => `${this.about.board.names[cell]} ${word}`).join(", ")}`);
    svg.innerHTML = picture(this.about, words, this.about.looks[this.theme] ?? this.about.looks.light, this.colours);
  }

  #sprite({ cells, word }) {
    const [x, y] = this.#home(cells[0]);
    return tag("g", { "data-cell": cells[0], transform: `translate(${x} ${y})` }, sprite(this.about, cells, this.#look(word), this.colours));
  }

  #home(cell, symbols = this.#at.symbols) { return home(this.about, cell, symbols).map((part) => part * UNIT); }

  /** Lets the pieces go their way on the board as it is shown, before the next position is drawn. */
  async #animate(move) {
    if (matchMedia("(prefers-reduced-motion: reduce)").matches || this.about.board.stacks) return;
    const single = this.#pieces.every((each) => route(move, each.cells[0]).length <= 2);
    const length = single ? 1 : move.steps.length;
    const going = this.#pieces.flatMap((each) => {
      const way = single ? route(move, each.cells[0]) : spread(move, each.cells[0]);
      return way.length < 2 ? [] : [[way.at(-1), way.map((cell) => this.#home(cell))]];
    });
    await null;
    await this.#ready;
    for (const [cell, spots] of going) {
      const group = this.svg.querySelector(`[data-cell="${cell}"]`);
      group?.animate(spots.map(([x, y]) => ({ transform: `translate(${x}px,${y}px)` })), { duration: STEP * length, easing: "ease-in-out" });
    }
  }

  /** One real control for each cell, above the drawing. */
  #controls() {
    const frame = box(this.about), focused = this.shadowRoot.activeElement?.dataset?.cell;
    const count = this.about.cells;
    while (this.cells.children.length > count) this.cells.lastChild.remove();
    while (this.cells.children.length < count) this.cells.append(document.createElement("button"));
    this.cells.setAttribute("aria-label", this.says.board);
    const wide = (frame[2] + 12) / 100, high = (frame[3] + 12) / 100;
    [...this.cells.children].forEach((button, cell) => {
      const [x, y] = this.#home(cell);
      const size = this.about.board.stacks ? UNIT / 2 : UNIT;
      button.type = "button";
      button.dataset.cell = cell;
      button.setAttribute("aria-label", this.#spoken(cell));
      button.setAttribute("aria-pressed", String(this.#chosen?.includes(cell) ?? false));
      button.tabIndex = Number(focused ?? 0) === cell ? 0 : -1;
      button.style.cssText = `left:${(x - size / 2 - frame[0] + 6) / wide}%;top:${(y - size / 2 - frame[1] + 6) / high}%;width:${size / wide}%;height:${size / high}%`;
    });
  }

  #spoken(cell) {
    const each = this.#pieces.find((piece) => piece.cells.includes(cell));
    return `${this.about.board.names[cell]}: ${each ? this.#look(each.word).name || each.word : this.says.empty}`;
  }

  /** Marks: the piece chosen and where it can go, the hint. */
  #overlay() {
    const at = (cell) => this.#home(cell), chosen = this.#chosen ?? [];
    const cells = this.#hint && (this.#pieces.find((each) => each.cells[0] === this.#hint.piece)?.cells ?? [this.#hint.piece]);
    this.svg.querySelector(".over").innerHTML = (chosen.length ? choice(chosen, targets(this.#at, chosen).keys(), at, this.colours) : "")
      + (this.#hint ? pointer(this.#hint, cells, at) : "");
    for (const button of this.listed.children) button.classList.toggle("best", button.textContent === this.#hint?.name);
    for (const button of this.cells.children) button.setAttribute("aria-pressed", String(chosen.includes(Number(button.dataset.cell))));
  }

  #press(cell) {
    this.#hint = null;
    if (this.about.kind === "apply") {
      const move = listedAt(this.about, this.#at, cell);
      return move ? this.#make(move) : this.#say(this.says.list);
    }
    const going = this.#chosen && towards(this.about, this.#at, this.#chosen, cell);
    if (going) return this.#make(going);
    const each = this.#pieces.find((piece) => piece.cells.includes(cell));
    if (!each || this.#chosen?.includes(cell)) return this.#choose(null);
    const ends = targets(this.#at, each.cells);
    if (ends.size === 1) return this.#make([...ends.values()][0]);
    this.#choose(ends.size ? each.cells : null);
    this.#say(ends.size ? this.says.choose(ends.size) : this.says.stuck);
  }

  #choose(cells) { this.#chosen = cells; this.#overlay(); }

  #bar() {
    const says = this.says, tools = [
      ["undo", "↶", this.#place > 0], ["redo", "↷", this.#place < this.#history.length - 1], ["reset", "⟲", this.#place > 0],
      ["hint", "?", !!this.#at?.moves.length], ["step", "⇥", !this.#at?.goal], [this.playing ? "pause" : "play", this.playing ? "❚❚" : "▶", !this.#at?.goal],
    ];
    const slider = tag("input", { type: "range", min: 100, max: 1500, step: 100, value: 1600 - this.speed, "aria-label": says.speed, title: says.speed }, "").replace("</input>", "");
    const drawnTools = tools.map(([key, sign, able]) =>
      `<button type="button" data-do="${key}" title="${says[key]}" aria-label="${says[key]}" ${able ? "" : "aria-disabled=true"}>${sign}</button>`).join("") + slider;
    if (this.#drawnTools !== drawnTools) {
      const focused = this.shadowRoot.activeElement?.dataset?.do;
      this.tools.innerHTML = this.#drawnTools = drawnTools;
      if (focused) (this.tools.querySelector(`[data-do="${focused}"]`) ?? this.tools.querySelector('[data-do="pause"],[data-do="play"]'))?.focus();
    }
    const moves = this.about.kind === "apply" ? this.#at.moves : [];
    const named = moves.length <= 80 && !moves.every((move) => this.about.board.names.includes(move.name)) ? moves : [];
    this.#list(named.map((move) => move.name));
  }

  #list(names) {
    if (names.join("\n") === [...this.listed.children].map((each) => each.textContent).join("\n")) return;
    this.listed.replaceChildren(...names.map((name) => Object.assign(document.createElement("button"), { type: "button", textContent: name })));
  }

  #say(words) { this.#said = words; this.#tell(); }

  #tell(distance = this.#distance()) {
    const says = this.says, { count, run } = this.#history[this.#place] ?? { count: 0, run: {} };
    const made = says.count(count) + (run.best ? ` ${says.optimum(run.best)}` : "");
    const fewest = count && count === run.best ? ` ${says.shortest}` : "";
    this.status.textContent = [made, this.#at.goal ? says.solved + fewest : distance, this.#said].filter(Boolean).join(" · ");
    this.status.classList.toggle("lost", this.#at.state === "lost");
    this.#said = "";
  }

  #distance() {
    const { state, distance } = this.#at;
    return { known: this.says.left(distance), lost: this.says.lost, unknown: this.says.unknown, none: "" }[state] ?? "";
  }

  #listen() {
    this.tools.addEventListener("click", (event) => this.#tool(event.target.closest("button")));
    this.tools.addEventListener("input", (event) => { this.speed = 1600 - Number(event.target.value); });
    this.listed.addEventListener("click", (event) => {
      const move = this.#at.moves.find((each) => each.name === event.target.textContent);
      if (move) { this.pause(); this.#make(move); }
    });
    this.cells.addEventListener("click", (event) => {
      const cell = event.target.dataset.cell;
      if (cell !== undefined && this.#at && !this.#dragged) { this.pause(); this.#press(Number(cell)); }
    });
    this.addEventListener("keydown", (event) => this.#key(event));
    dragging(this.cells, this.#drags());
  }

  #tool(button) {
    const act = button?.dataset.do;
    if (!act || button.getAttribute("aria-disabled")) return;
    ({ undo: () => this.undo(), redo: () => this.redo(), reset: () => this.reset(), hint: () => this.hint(), step: () => this.step(),
      play: () => this.solve(), pause: () => this.pause() })[act]();
  }

  #key(event) {
    if (!this.#at) return;
    const mod = event.ctrlKey || event.metaKey, key = event.key;
    const acts = { z: () => (event.shiftKey ? this.redo() : this.undo()), y: () => this.redo() };
    const plain = { Escape: () => this.#choose(null), h: () => this.hint() };
    const act = mod ? acts[key.toLowerCase()] : plain[key];
    const cell = this.shadowRoot.activeElement?.dataset?.cell;
    const turn = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[key];
    if (act) { event.preventDefault(); act(); }
    else if (turn && cell !== undefined) { event.preventDefault(); this.#walk(Number(cell), turn); }
  }

  /** Moves the focus to the nearest cell in a direction. */
  #walk(cell, turn) {
    const next = nearest(Array.from({ length: this.about.cells }, (_, each) => this.#home(each)), cell, turn);
    if (next === null) return;
    this.cells.children[cell].tabIndex = -1;
    this.cells.children[next].tabIndex = 0;
    this.cells.children[next].focus();
  }

  /** What a drag asks of the board: the piece under the finger, pixels, where a piece is drawn; and what comes of it. */
  #drags() {
    return {
      grab: (cell) => {
        const each = this.#at && this.about.kind !== "apply" && this.#pieces.find((piece) => piece.cells.includes(cell));
        if (each) this.pause();
        return each ? { cell: each.cells[0], targets: targets(this.#at, each.cells) } : null;
      },
      scale: () => (box(this.about)[2] + 12) / this.svg.getBoundingClientRect().width,
      home: (cell) => this.#home(cell),
      put: (cell, [x, y]) => { this.svg.querySelector(`[data-cell="${cell}"]`).style.transform = `translate(${x}px,${y}px)`; },
      drop: (move) => {
        this.#dragged = true;
        setTimeout(() => { this.#dragged = false; }, 0);
        if (move) this.#ready = this.#go(move.to, move); else this.#paint();
      },
    };
  }
}

if (!customElements.get("puzzle-space")) customElements.define("puzzle-space", PuzzleSpace);
