// What the player shows: what to do, the board with a control for each cell, marks, the goal, and the status line.

import { cubeDrawn, cubeFrame, HOME } from "./cube.js";
import { SHARES, WALKS } from "./deals.js";
import { FIGURES, frame, frames, ghosts, ground, home, picture, sprite, wanted } from "./draw.js";
import { overlay } from "./floor.js";
import { arrows, endsOf, namesOf, slides } from "./hands.js";
import { icon } from "./icons.js";
import { choice, pointer } from "./marks.js";
import { symbolsOf } from "./positions.js";
import { saysOf } from "./says.js";
import { tag, UNIT } from "./shapes.js";
import { boardDrawn, objectsOf, placesOf } from "./sprites.js";
import { STYLE } from "./style.js";
import { nameOf, pressed, route, spread, targets, turnedBy } from "./ways.js";

const SHEET = new CSSStyleSheet();
SHEET.replaceSync(STYLE);

const STEP = 170; // milliseconds of an animation for each step of a move
const TURN = 260; // milliseconds of a turn of the cube
const FEW = 12; // listed moves up to which all have a button

const SKELETON = `<div part="frame" class="frame">
  <p class="todo"></p>
  <div class="stage">
    <figure class="goal" part="goal"><figcaption></figcaption><svg role="img"></svg></figure>
    <div class="board" part="board">
      <svg aria-hidden="true"></svg><div class="cells" role="group"></div>
      <button type="button" class="turn" data-do="turn" hidden></button>
      <div class="message" role="alert" hidden></div>
    </div>
  </div>
  <p class="status" role="status" aria-live="polite"></p>
  <div class="listed" role="group"></div>
  <div class="pad" role="group" hidden></div>
  <div class="course" role="group" hidden></div>
  <div class="tools" role="toolbar"></div>
  <div class="strip" role="toolbar" hidden></div>
  <section class="solution" hidden></section>
  <div class="deal" role="group" hidden></div>
</div>`;

const PARTS = ["pad", "course", "message"]; // of levels of games

const still = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

export class View {
  theme = "light";
  says = saysOf("en");
  about = null;

  /** Whether the names of all cells are drawn. */
  names = false;

  /** The cells of the chosen piece, or null. */
  chosen = null;

  /** The moves that are to be chosen from, or null. */
  choices = null;

  /** The move that the hint points at, or null. */
  hint = null;

  /** Where a cube is looked at from, and whether its net is shown instead. */
  eye = { ...HOME };

  /** The cell that is pointed at or has the focus, or null. */
  #aimed = null;

  /** The layer that a finger turns: {move, share}, or null. */
  #twist = null;
  net = false;

  #at = null;
  #pieces = [];
  #host;
  #root;
  #drawnTools = "";
  #turning = 0;

  /** host: the element that gets the shadow tree and the colours. */
  constructor(host) {
    const root = host.attachShadow({ mode: "open" });
    root.adoptedStyleSheets = [SHEET];
    root.innerHTML = SKELETON;
    this.#host = host;
    this.#root = root;
    this.board = root.querySelector(".board");
    this.svg = root.querySelector(".board svg");
    for (const name of [
      "todo",
      "cells",
      "goal",
      "listed",
      "tools",
      "status",
      "strip",
      "solution",
      "deal",
      "turn",
      ...PARTS,
    ]) {
      this[name] = root.querySelector(`.${name}`);
    }
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

  /** Whether the board is drawn as a cube. */
  get solid() {
    return !!this.about.board.cube && !this.net;
  }

  /** The frame of the drawing: left, top, width, height. */
  get frame() {
    return this.solid ? cubeFrame() : frame(this.about);
  }

  /** SVG units per pixel of the screen. */
  get scale() {
    return this.frame[2] / this.svg.getBoundingClientRect().width;
  }

  /** A place on the screen in SVG units. */
  place(x, y) {
    const box = this.svg.getBoundingClientRect();
    const [left, top] = this.frame;
    return [left + (x - box.left) * this.scale, top + (y - box.top) * this.scale];
  }

  /** The position shown, as the model describes it, but in the letters that the board shows; null before the first. */
  get at() {
    return this.#at;
  }
  set at(at) {
    const words = [...at.words];
    for (const { cells, word } of this.#pieces) for (const cell of cells) words[cell] = word;
    const signs = words.map((word) => this.#sign(word));
    const firsts = this.#pieces.map(({ cells }) => cells[0]);
    const moves = at.moves.map((move) => ({ ...move, name: nameOf(this.about, move, signs, firsts) }));
    const symbols = this.about.game ? objectsOf(this.about, at.position) : at.symbols;
    this.#at = { ...at, symbols, words, moves };
  }

  /**
   * Takes over another position. Like pieces keep their letters after `move`, the move that led to it; else they have
   * those of `words`, the word of each cell.
   */
  show(about, at, { move = null, words = at.words } = {}) {
    this.about = about;
    this.chosen = this.choices = null;
    this.hint = null;
    const kept = (move && this.#carried(move)) ?? words;
    const letters = (cell) => about.letters?.[at.symbols[cell]];
    const fits = (cell) => kept[cell] !== undefined && letters(cell)?.includes(kept[cell]) !== false;
    this.#pieces = at.pieces.map((cells) => ({ cells, word: (fits(cells[0]) ? kept : at.words)[cells[0]] }));
    this.at = at;
  }

  /** The words of the pieces after a move, by their first cells. One that a step changes has none. */
  #carried(move, pieces = this.#pieces.map(({ cells, word }) => [cells[0], word])) {
    const kept = {};
    for (const [cell, word] of pieces) {
      const way = spread(move, cell).slice(1);
      if (!way.some((each, k) => move.steps[k].change.includes(each))) kept[way.at(-1)] = word;
    }
    return kept;
  }

  /** The moves of a solution from the position shown, each {name, words} in the letters that the board shows. */
  named(moves, shown) {
    let words = Object.fromEntries(this.#pieces.map(({ cells, word }) => [cells[0], word]));
    return moves.map((move, index) => {
      const signs = this.at.words.map((_, cell) => this.#sign(words[cell] ?? ""));
      const name = nameOf(this.about, move, signs, Object.keys(words).map(Number));
      words = {
        ...shown[index],
        ...this.#carried(
          move,
          Object.entries(words).map(([cell, word]) => [Number(cell), word]),
        ),
      };
      return { name, words };
    });
  }

  /** The piece that covers a cell: {cells, word}, or undefined. */
  pieceOn(cell) {
    return this.#pieces.find((piece) => piece.cells.includes(cell));
  }

  /** Draws the position. */
  paint() {
    const [, , width, height] = this.frame;
    const box = this.frame.join(" ");
    this.svg.setAttribute("viewBox", box);
    this.board.classList.toggle("solid", this.solid);
    this.#host.style.setProperty("--ratio", String(width / height));
    this.#host.style.setProperty("--columns", String(width / UNIT));
    for (const [key, value] of Object.entries(this.colours)) {
      if (typeof value === "string") this.#host.style.setProperty(`--${key}`, value);
    }
    cancelAnimationFrame(this.#turning);
    if (this.solid) this.#cube();
    else if (this.about.game) this.early(this.at.position);
    else {
      const pieces = this.#pieces.map((each) => this.#sprite(each)).join("");
      const places = wanted(this.about, this.looks, this.#pieces.length);
      this.svg.innerHTML =
        ground(this.about, (word) => this.#look(word).fill, this.colours) +
        `<g class="ghosts">${ghosts(this.about, places, this.looks)}</g>` +
        `<g class="wanted">${frames(this.about, places, this.looks, this.colours)}</g>` +
        `<g class="pieces">${pieces}</g>` +
        `<g class="signs">${overlay(this.about, this.at.words, this.looks, this.colours, this.names)}</g>` +
        `<g class="over"></g>`;
    }
    this.turn.hidden = !this.about.board.cube;
    this.turn.ariaLabel = this.turn.title = this.net ? this.says.cube : this.says.net;
    this.turn.innerHTML = `${icon(this.net ? "cube" : "net")}<span>${this.turn.title}</span>`;
    this.todo.textContent = this.#todo();
    this.#aim();
    this.#controls();
    this.mark();
  }

  /** Draws the board of a game's position; all else stays. */
  early(id) {
    this.svg.innerHTML = `${boardDrawn(this.about, objectsOf(this.about, id))}<g class="over"></g>`;
  }

  #cube(moving = null) {
    const fill = (cell) => this.#look(this.at.words[cell]).fill;
    this.svg.innerHTML = `${cubeDrawn(this.about.board.cube, fill, this.eye, moving)}<g class="over"></g>`;
  }

  /** Looks at the cube from another side. */
  look(around, up) {
    this.eye = { around, up: Math.max(-1.4, Math.min(1.4, up)) };
    this.#cube();
    this.#hintOnCube();
  }

  /** What to do, in one sentence. */
  #todo() {
    const { gesture, pictures, letters, rules, ja, game } = this.about;
    if (game) return this.says.play_game(game);
    if (!pictures.length) {
      const lines = [...rules, "", ...(ja?.rules ?? []), ""]; // a goal that counts, or is a sentence, has no picture
      const counted = lines.find((line) => line.startsWith(`${this.says.goal}: `));
      const said = lines.slice(lines.indexOf(`${this.says.goal}:`) + 1 || lines.length);
      const sentences = said.slice(
        0,
        said.findIndex((line) => !line.startsWith("  ")),
      );
      const goal = sentences.map((each) => each.trim()).join(" / ");
      if (goal) return this.says.todo(gesture, "", this.says.until(goal));
      return counted ?? this.says.free;
    }
    const shown = new Set(pictures[0].filter((word) => word !== "*" && word !== "."));
    const only = pictures.length === 1 && pictures[0].includes("*") && shown.size === 1 && letters;
    return this.says.todo(gesture, only ? this.#seen([...shown][0]) : "");
  }

  #look(word) {
    const look = this.looks[word];
    if (look) return { ...look, name: this.says.name(look) };
    return { fill: this.colours.rim, ink: this.colours.paper, mark: word, kind: "tile", name: "" };
  }

  /** What the board shows on a piece: its mark, but its name or letter if the mark is a figure or a dot. */
  #sign(word) {
    const { mark, name } = this.#look(word);
    return !mark || mark === "dot" || mark === "ring" || FIGURES[mark] ? name || word : mark;
  }

  /** A piece as people see it: a dot or a figure has no name that is written on the board. */
  #seen(word) {
    const { mark, name } = this.#look(word);
    const figure = mark || "dot";
    return name || (figure in this.says.figures ? this.says.figures[figure] : this.#sign(word));
  }

  #sprite({ cells, word }) {
    const [x, y] = this.home(cells[0]);
    const drawn = sprite(this.about, cells, this.#look(word), this.colours, word);
    return tag("g", { "data-cell": cells[0], transform: `translate(${x} ${y})` }, drawn);
  }

  /** The middle of a cell in SVG units; in another position, of its symbols. */
  home(cell, symbols = this.at.symbols) {
    return home(this.about, cell, symbols).map((part) => part * UNIT);
  }

  /** The first goal, beside the board. */
  #aim() {
    const [words] = this.about.pictures;
    this.goal.hidden = !words || !this.about.letters;
    if (this.goal.hidden) return;
    const svg = this.goal.querySelector("svg");
    const spoken = words.map((word, cell) => `${this.about.board.names[cell]} ${this.#named(word)}`).join(", ");
    this.goal.querySelector("figcaption").textContent = this.says.goal;
    svg.setAttribute("viewBox", this.frame.join(" "));
    svg.setAttribute("aria-label", `${this.says.goal}: ${spoken}`);
    svg.innerHTML = this.solid
      ? cubeDrawn(this.about.board.cube, (cell) => this.#look(words[cell]).fill, HOME)
      : picture(this.about, words, this.looks, this.colours);
  }

  /** One button for each cell, above the drawing. */
  #controls() {
    const [left, top, width, height] = this.frame;
    const focused = this.focused?.dataset?.cell;
    const [, , across, down] = this.about.board.box.map((part) => part * UNIT);
    const wide = { towers: UNIT / 2, game: across }[this.about.board.shape] ?? UNIT;
    const high = { pile: UNIT * (this.about.board.high ?? 1), game: down }[this.about.board.shape] ?? wide;
    while (this.cells.children.length > this.about.cells) this.cells.lastChild.remove();
    while (this.cells.children.length < this.about.cells) this.cells.append(document.createElement("button"));
    this.cells.setAttribute("aria-label", this.says.board);
    this.cells.hidden = this.solid;
    [...this.cells.children].forEach((button, cell) => {
      const [x, y] = this.home(cell);
      const long = high === wide || this.about.game ? wide : width;
      button.type = "button";
      button.dataset.cell = cell;
      button.setAttribute("aria-label", this.#spoken(cell));
      button.tabIndex = Number(focused ?? 0) === cell ? 0 : -1;
      button.style.left = `${(100 * (x - long / 2 - left)) / width}%`;
      button.style.top = `${(100 * (y - high / 2 - top)) / height}%`;
      button.style.width = `${(100 * long) / width}%`;
      button.style.height = `${(100 * high) / height}%`;
    });
  }

  #spoken(cell) {
    if (this.about.game) return this.says.game_board(placesOf(this.about, this.at.symbols));
    const each = this.pieceOn(cell);
    return `${this.about.board.names[cell]}: ${each ? this.#named(each.word) : this.says.empty}`;
  }

  /** The name of a piece for screen readers. */
  #named(word) {
    return this.#look(word).name || this.#sign(word);
  }

  /** Marks the chosen piece, the cells it can go to, and the hint. */
  mark() {
    this.#list();
    const middle = (cell) => this.home(cell);
    const chosen = this.chosen ?? [];
    if (this.solid) this.#hintOnCube();
    else if (!this.about.game) {
      let over = "";
      if (chosen.length) over += choice(chosen, this.#ends(chosen), middle, this.colours);
      if (this.hint) over += pointer(this.hint, this.#hinted(), middle, this.#press(), this.#arrows(this.hint));
      this.svg.querySelector(".over").innerHTML = over;
    }
    this.aim(this.#aimed);
    for (const button of this.listed.querySelectorAll("button:not(.names)")) {
      const able = this.choices !== null || this.at.moves.some((move) => move.name === button.textContent);
      button.classList.toggle("best", button.textContent === this.hint?.name);
      if (able) button.removeAttribute("aria-disabled");
      else button.setAttribute("aria-disabled", "true");
    }
    for (const button of this.cells.children) {
      if (this.about.game) button.removeAttribute("aria-pressed");
      else button.setAttribute("aria-pressed", String(chosen.includes(Number(button.dataset.cell))));
    }
  }

  /** Lights up the slices of a pile that a press on a cell turns over; null: none. */
  aim(cell) {
    this.#aimed = cell;
    const lit = cell === null || !this.at ? [] : turnedBy(this.about, this.at, cell);
    for (const piece of this.svg.querySelectorAll(".pieces [data-cell]")) {
      piece.classList.toggle("lit", lit.includes(Number(piece.dataset.cell)));
    }
  }

  /** The places that the chosen piece can go to. In towers they are where the disk would lie. */
  #ends(chosen) {
    if (["alter", "take"].includes(this.about.gesture)) return endsOf(this.about, this.at, chosen[0]).keys();
    return this.about.board.stacks ? [] : targets(this.at, chosen).keys();
  }

  /** What a move carries that says only what is before and after, as [from, to]. */
  #slides(move) {
    return this.about.gesture === "alter" ? slides(this.about, this.at, move) : [];
  }

  #arrows(move) {
    return this.about.gesture === "alter" ? arrows(this.about, this.at, move) : [];
  }

  /** The cell to press for the move of the hint, or null. */
  #press() {
    const cells = this.about.gesture === "alter" ? [] : this.at.symbols.map((_, cell) => cell);
    return cells.find((cell) => pressed(this.about, this.at, cell)?.to === this.hint.to) ?? null;
  }

  #hintOnCube() {
    const over = this.svg.querySelector(".over");
    if (!over || !this.hint) return;
    const touched = new Set(this.hint.steps.flatMap(({ carry }) => carry.flat()));
    for (const shape of this.svg.querySelectorAll("[data-cell]")) {
      if (touched.has(Number(shape.dataset.cell))) shape.classList.add("layer");
    }
  }

  #hinted() {
    const { piece } = this.hint;
    return this.#pieces.find((each) => each.cells[0] === piece)?.cells ?? [piece];
  }

  /** How a move is shown once it is made, for `animate`: routes of pieces as {cell, spots, time}, turned cells, turns. */
  routes(move) {
    const { stacks, cube } = this.about.board;
    if (this.solid) {
      const turns = move.steps.map(({ name, carry }) => ({ turn: cube.turns[name], cells: carry.flat() }));
      const begun = this.#twist?.move === move ? this.#twist.share : 0;
      return { turns, begun };
    }
    if (stacks) return { pieces: this.#lifted(move) };
    if (this.about.gesture === "alter") return this.#changing(move);
    const single = this.#pieces.every((each) => route(move, each.cells[0]).length <= 2);
    const time = STEP * (single ? 1 : move.steps.length);
    const pieces = this.#pieces.flatMap((each) => {
      const way = single ? route(move, each.cells[0]) : spread(move, each.cells[0]);
      return way.length < 2 ? [] : [{ cell: way.at(-1), spots: way.map((cell) => this.home(cell)), time }];
    });
    const changed = move.piece === null ? [...new Set(move.steps.flatMap(({ change }) => change))] : [];
    return { pieces, changed };
  }

  /** Pieces slide to where they are seen next; what else changes turns over. */
  #changing(move) {
    const carried = this.#slides(move);
    const after = symbolsOf(this.about, move.to);
    const ends = carried.map(([, to]) => to);
    return {
      pieces: carried.map(([from, to]) => ({ cell: to, spots: [this.home(from), this.home(to)], time: STEP })),
      changed: [...after.keys()].filter((cell) => after[cell] !== this.at.symbols[cell] && !ends.includes(cell)),
    };
  }

  /** A disk goes up, over to its new peg, and down. */
  #lifted(move) {
    const after = symbolsOf(this.about, move.to);
    return after.flatMap((peg, cell) => {
      if (peg === this.at.symbols[cell]) return [];
      const [from, to] = [this.home(cell), this.home(cell, after)];
      const top = UNIT * 0.3;
      return [{ cell, spots: [from, [from[0], top], [to[0], top], to], time: 2 * STEP }];
    });
  }

  /** Lets pieces go along their routes to where they are drawn. */
  animate({ pieces = [], changed = [], turns = [], begun = 0 }) {
    if (still()) return;
    for (const { cell, spots, time } of pieces) {
      const frames = spots.map(([x, y]) => ({ transform: `translate(${x}px,${y}px)` }));
      this.#drawn(cell)?.animate(frames, { duration: time, easing: "ease-in-out" });
    }
    for (const cell of changed) {
      const [x, y] = this.home(cell);
      const at = `translate(${x}px,${y}px)`;
      if (pieces.some((each) => each.cell === cell)) continue;
      this.#drawn(cell)?.animate([{ transform: `${at} scaleX(0)` }, { transform: at }], {
        duration: STEP,
        easing: "ease-out",
      });
    }
    if (turns.length) this.#turned(turns, begun);
  }

  /** Shows a layer of the cube on its way: `share` of the turn of a move is made. */
  twist(move, share) {
    this.#twist = { move, share };
    const [{ name, carry }] = move.steps;
    const [axis, quarters] = this.about.board.cube.turns[name];
    this.#cube({ axis, cells: carry.flat(), angle: (share * quarters * Math.PI) / 2 });
  }

  /** Lets a layer that was on its way go back. */
  untwist() {
    if (!this.#twist) return;
    const { move, share } = this.#twist;
    this.#twist = null;
    const [{ name, carry }] = move.steps;
    const [axis, quarters] = this.about.board.cube.turns[name];
    if (still()) this.#cube();
    else this.#turned([{ turn: [axis, -quarters], cells: carry.flat() }], 1 - share);
  }

  /**
   * Turns the layers of a cube to where they are drawn; several turns of one layer go as one. begun: the share of the
   * turn that a finger has already made.
   */
  #turned(turns, begun = 0) {
    this.#twist = null;
    const [axis, quarters] = turns[0].turn;
    const all = quarters * turns.length * (1 - begun);
    const began = performance.now();
    const go = (now) => {
      const share = Math.min(Math.max((now - began) / (TURN * Math.sqrt(Math.abs(all))), 0), 1);
      const left = (1 - share) ** 2;
      this.#cube(share < 1 ? { axis, cells: turns[0].cells, angle: (-left * all * Math.PI) / 2 } : null);
      if (share < 1) this.#turning = requestAnimationFrame(go);
    };
    go(began);
  }

  /** All pieces hop one after the other. */
  celebrate() {
    this.board.classList.add("won");
    if (still() || this.solid) return;
    this.#pieces.forEach(({ cells: [cell] }, index) => {
      const [x, y] = this.home(cell);
      const frames = [0, -0.28, 0, -0.08, 0].map((up) => ({ transform: `translate(${x}px,${y + up * UNIT}px)` }));
      this.#drawn(cell)?.animate(frames, { duration: 620, delay: 60 * Math.min(index, 14), easing: "ease-out" });
    });
  }

  /** Draws a piece, named by its first cell, at a place in SVG units. */
  put(cell, [x, y]) {
    const drawn = this.#drawn(cell);
    if (!drawn) return;
    drawn.style.transform = `translate(${x}px,${y}px)`;
    if (this.about.board.stacks) drawn.parentNode.append(drawn);
  }

  #drawn(cell) {
    return this.svg.querySelector(`g[data-cell="${cell}"]`);
  }

  /** Draws the toolbar. The focus stays on its tool. */
  bar({ undo, redo, reset, playing, solution, compare }) {
    const says = this.says;
    this.board.classList.toggle("won", this.at.goal);
    const tools = [
      ["undo", undo && this.about.game?.undo !== false],
      ["redo", redo],
      ["reset", reset && this.about.game?.restart !== false],
      ["hint", this.at.moves.length > 0 && !this.at.goal],
      ["step", !this.at.goal],
      [playing ? "pause" : solution ? "play" : "solve", playing || !this.at.goal || compare],
    ];
    const buttons = tools.map(([key, able]) => {
      const more = able ? {} : { "aria-disabled": "true" };
      const kind = key === "hint" && able ? { class: "main" } : {};
      const name = says.long[key] ?? says[key];
      return tag(
        "button",
        { type: "button", "data-do": key, title: name, ...kind, ...more },
        `${icon(key)}<span>${key === "solve" && compare ? says.compare : says[key]}</span>`,
      );
    });
    const drawn = buttons.join("");
    if (this.#drawnTools !== drawn) {
      const focused = this.focused?.dataset?.do;
      this.tools.innerHTML = this.#drawnTools = drawn;
      if (focused && this.#tool(focused)) this.#tool(focused).focus();
    }
  }

  /** The tool of a name; those that play and pause stand for each other. */
  #tool(name) {
    const playing = ["pause", "play", "solve"];
    const same = playing.includes(name)
      ? playing.map((each) => `[data-do="${each}"]`).join(",")
      : `[data-do="${name}"]`;
    return this.tools.querySelector(same);
  }

  /**
   * Draws the buttons for another game. depths: the depth of each level, null if it is not known; null: no games.
   * walked: whether games are made by random moves.
   */
  levels(depths, solved, walked) {
    this.deal.hidden = !depths;
    if (!depths) return;
    const { says } = this;
    const buttons = Object.keys(SHARES).map((level) => {
      const depth = depths[level];
      const more = depth === undefined ? { "aria-disabled": "true", title: says.unmeasured } : {};
      const number = depth ? tag("small", {}, String(depth)) : "";
      return tag(
        "button",
        {
          type: "button",
          "data-do": "deal",
          "data-level": level,
          ...more,
          class: solved && level === "medium" ? "main" : "",
        },
        `<span>${says.levels[level]}</span>${number}`,
      );
    });
    const walk = walked ? tag("small", { class: "walk" }, says.walk(Object.values(WALKS))) : "";
    const drawn = `<span class="name">${icon("deal")}${says.newGame}</span>${buttons.join("")}${walk}`;
    const focused = this.focused?.dataset?.level;
    if (this.deal.dataset.drawn !== drawn) this.deal.innerHTML = drawn;
    this.deal.dataset.drawn = drawn;
    if (focused) this.deal.querySelector(`[data-level="${focused}"]`)?.focus();
  }

  /**
   * Buttons for all listed moves, unless there are many and the board is played without: they stay in place. If there
   * are moves to choose from, buttons for these.
   */
  #list() {
    const { listed, board, gesture } = this.about;
    const signs = `${this.choices?.map(({ to }) => to)}${this.names}`;
    const wanted = ["ring", "cube", "cycles"].includes(gesture) ? 80 : gesture === "press" ? 0 : FEW;
    const all = listed.length <= wanted && !listed.every((name) => board.names.includes(name)) ? listed : [];
    const names = this.choices ? namesOf(this.about, this.at, this.choices) : all;
    const drawn = [...names, signs, this.says.names].join("\n");
    if (this.listed.dataset.drawn === drawn) return;
    this.listed.dataset.drawn = drawn;
    const button = (name, to) => {
      const made = Object.assign(document.createElement("button"), { type: "button", textContent: name });
      if (to) made.dataset.to = to;
      return made;
    };
    const moves = this.choices?.map(({ to }, k) => button(names[k], to)) ?? names.map((name) => button(name));
    this.listed.replaceChildren(...moves, ...(this.#unnamed() ? [this.#namesButton()] : []));
    if (this.choices) this.listed.scrollIntoView({ block: "nearest" });
  }

  /** Whether moves are called by cells whose names the board does not show by itself. */
  #unnamed() {
    return this.about.gesture === "alter" && this.about.board.named > 0 && this.about.board.grid;
  }

  #namesButton() {
    const made = document.createElement("button");
    Object.assign(made, { type: "button", textContent: this.says.names, className: "names" });
    made.dataset.do = "names";
    made.setAttribute("aria-pressed", String(this.names));
    return made;
  }

  /** Writes the status line: the moves made, the distance or another text in its place, and a message. */
  tell(spot, message = "", distance = this.#distance(spot.count)) {
    const says = this.says;
    const { count, run } = spot;
    const won = this.at.goal && count;
    const made = won ? says.won(spot) : says.count(count) + (run.best ? ` ${says.optimum(run.best)}` : "");
    const left = this.at.goal ? (won ? "" : says.solved) : distance;
    this.status.textContent = [made, left, message].filter(Boolean).join(" · ");
    this.status.classList.toggle("lost", this.at.state === "lost");
    this.status.classList.toggle("won", this.at.goal);
  }

  #distance(made) {
    const { state, distance, beyond } = this.at;
    const unknown = beyond ? this.says.beyond(beyond) : this.says.unknown;
    return { known: this.says.left(distance), lost: this.says.lost(made), unknown }[state] ?? "";
  }
}
