// What only levels of games have in the player: keys and buttons for inputs, messages, and the way from level to level.

import { escaped, tag } from "./shapes.js";

const KEYS = {
  ArrowUp: "U",
  ArrowLeft: "L",
  ArrowDown: "D",
  ArrowRight: "R",
  w: "U",
  a: "L",
  s: "D",
  d: "R",
  x: "A",
  " ": "A",
  z: "undo",
  u: "undo",
  r: "reset",
}; // prettier-ignore
const BACK = ["undo", "reset"];
const NAMES = { U: "up", L: "left", D: "down", R: "right", A: "action" };
const SIGNS = { U: "↑", L: "←", D: "↓", R: "→", A: "X" };
const MOST = 8; // inputs that wait for those before them
const FRAME = 120; // milliseconds that a board of a turn is shown that follows by itself
const FILM = 1500; // milliseconds of all of them together
const SWIPE = 16; // pixels after which a drag is a swipe

const still = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

export class GameParts {
  #player;
  #view;
  #acts;
  #waiting = []; // inputs that were not made yet
  #busy = false;
  #texts = []; // messages that were not read yet
  #then = null; // what comes after the last of them

  /** player: the element; acts: {make(move), say(message), level(number)}. */
  constructor(player, view, acts) {
    this.#player = player;
    this.#view = view;
    this.#acts = acts;
    view.pad.addEventListener("click", ({ target }) => {
      const { input } = target.closest("button")?.dataset ?? {};
      if (input) this.press(input);
    });
    view.course.addEventListener("click", ({ target }) => {
      const { level } = target.closest("button:not([aria-disabled])")?.dataset ?? {};
      if (level) this.#go(Number(level));
    });
    view.course.addEventListener("change", ({ target }) => this.#go(Number(target.value)));
    view.message.addEventListener("click", () => this.next());
  }

  get #game() {
    return this.#view.about?.game ?? null;
  }

  /** Whether a message is shown. */
  get reading() {
    return this.#texts.length > 0;
  }

  /** Another level is shown, where it begins (`fresh`) or where it was left. */
  begin(fresh) {
    this.#waiting = [];
    this.#texts = [];
    this.#view.message.hidden = true;
    if (this.#game && fresh) this.tell([...this.#game.before, ...this.#game.begun]);
  }

  /** Shows messages one after the other. */
  tell(texts, then = null) {
    this.#texts = [...texts];
    this.#then = then;
    if (this.reading) this.#read();
    else then?.();
  }

  #read() {
    const { message, says, focused } = this.#view;
    message.innerHTML =
      tag("p", {}, escaped(this.#texts[0])) + tag("button", { type: "button", class: "main" }, says.go_on);
    message.hidden = false;
    if (focused) message.querySelector("button").focus();
  }

  /** Goes on after a message, or from a level that is won to the next. */
  next() {
    if (!this.reading) {
      if (this.#view.at?.goal && this.#game.level < this.#game.levels) this.#go(this.#game.level + 1);
      return;
    }
    const focused = this.#view.message.contains(this.#view.focused);
    this.#texts.shift();
    if (this.reading) return this.#read();
    this.#view.message.hidden = true;
    if (focused) this.#view.cells.firstChild.focus();
    this.#then?.();
    this.#then = null;
  }

  #go(level) {
    this.#acts.level(level);
  }

  /** A key; returns whether it means something here. */
  key(event) {
    if (!this.#game || event.ctrlKey || event.metaKey || event.altKey) return false;
    const { focused } = this.#view;
    const key = event.key.length > 1 ? event.key : event.key.toLowerCase();
    if (focused?.matches("select, input") || (key === " " && focused && !this.#view.cells.contains(focused)))
      return false;
    if (key === "Enter" && focused) return false;
    const input = KEYS[key] ?? (key === "Enter" ? "A" : null);
    if (!input || (this.reading && BACK.includes(input))) return false;
    if (["ArrowLeft", "ArrowRight"].includes(key) && focused?.closest(".strip")) return false;
    event.preventDefault();
    if (!(event.repeat && (this.#busy || this.reading))) this.press(input);
    return true;
  }

  /** Makes an input after those that wait. The action goes on after a message and a win. */
  async press(input) {
    this.#player.pause();
    if (input === "A" && (this.reading || this.#view.at?.goal)) return this.next();
    if (this.reading || this.#waiting.length >= MOST) return;
    this.#waiting.push(input);
    if (this.#busy) return;
    this.#busy = true;
    while (this.#waiting.length) await this.#made(this.#waiting.shift());
    this.#busy = false;
  }

  async #made(input) {
    await this.#player.ready;
    if (BACK.includes(input)) {
      this.#player[input]();
      return;
    }
    const { at, says } = this.#view;
    const { about } = this.#player;
    const { move = null, messages = [], endless } = at?.inputs?.[input] ?? {};
    if (endless) this.#acts.say(says.endless(says.move(NAMES[input])));
    if (move !== null) {
      const made = at.moves[move];
      await this.#film(made.boards);
      if (about !== this.#player.about || at.position !== this.#player.position) return;
      this.#view.early(made.to); // what the input does is seen before the model is asked
      await this.#acts.make(made);
    }
    if (about !== this.#player.about) return;
    const last = this.#view.at.goal && move !== null && this.#game.level === this.#game.levels;
    const texts = [...messages, ...(last ? this.#game.after : [])];
    if (texts.length || this.#view.at.goal) this.#waiting = [];
    if (texts.length) this.tell(texts);
  }

  /** Shows the boards of turns that follow by themselves. */
  async #film(boards) {
    if (still()) return;
    for (const board of boards) {
      this.#view.early(board);
      await new Promise((done) => setTimeout(done, Math.min(FRAME, FILM / boards.length)));
    }
  }

  /** The input of a swipe. */
  swiped([dx, dy]) {
    if (Math.hypot(dx, dy) < SWIPE) return;
    this.press(Math.abs(dx) > Math.abs(dy) ? (dx < 0 ? "L" : "R") : dy < 0 ? "U" : "D");
  }

  /** Draws the buttons for inputs and levels. hint: the input that a hint points at. */
  paint() {
    const { pad, course, says, hint, at } = this.#view;
    const game = this.#game;
    pad.hidden = course.hidden = !game;
    if (!game) return;
    const button = (more, text) => tag("button", { type: "button", ...more }, text);
    const inputs = [...game.inputs].map((input) => {
      const name = says.move(NAMES[input]);
      const best = hint?.name === NAMES[input] ? { class: `${input} best` } : { class: input };
      return button({ "data-input": input, "aria-label": name, title: name, ...best }, SIGNS[input]);
    });
    drawn(pad, inputs.join(""), "input");
    const { level, levels } = game;
    course.hidden = levels < 2;
    const options = Array.from({ length: levels }, (_, k) =>
      tag("option", { value: k + 1, ...(k + 1 === level ? { selected: "" } : {}) }, says.level(k + 1, levels)),
    );
    const to = (number, text, sign) => {
      const more = number < 1 || number > levels ? { "aria-disabled": "true" } : {};
      const main = number > level && at?.goal && number <= levels ? { class: "main" } : {};
      return button({ "data-level": number, "aria-label": text, ...more, ...main }, sign);
    };
    const chosen = tag("select", { "aria-label": says.levelname }, options.join(""));
    drawn(
      course,
      to(level - 1, says.before, `‹<span> ${says.before}</span>`) +
        chosen +
        to(level + 1, says.next, `<span>${says.next} </span>›`),
      "level",
    );
  }
}

/** Writes buttons if they are others; the focus stays on the one with the same key. */
function drawn(root, text, key) {
  if (root.dataset.drawn === text) return;
  const { activeElement } = root.getRootNode();
  const inside = root.contains(activeElement);
  const [focused, place] = [activeElement?.dataset?.[key], [...root.children].indexOf(activeElement)];
  root.innerHTML = text;
  root.dataset.drawn = text;
  if (!inside) return;
  (root.querySelector(`[data-${key}="${focused}"]:not([aria-disabled])`) ?? root.children[Math.max(place, 0)])?.focus();
}
