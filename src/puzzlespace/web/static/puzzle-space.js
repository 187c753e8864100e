// <puzzle-space>: a board to play on. It asks its model for positions and distances (docs/page.md).

import { keepBest } from "./bests.js";
import { keepGame, keptGame } from "./games.js";
import { lineOf, PlayHistory } from "./history.js";
import { Input } from "./input.js";
import { GameParts } from "./playing.js";
import { wordsAt } from "./positions.js";
import { saysOf } from "./says.js";
import { Solution } from "./solution.js";
import { Strip } from "./strip.js";
import { View } from "./view.js";

export class PuzzleSpace extends HTMLElement {
  #model = null;
  #history = new PlayHistory();
  #view = new View(this);
  #input;
  #game;
  #strip;
  #solution;
  #ready = Promise.resolve();
  #turn = 0; // counts what was asked for; an answer to an earlier question is dropped
  #asked = null; // aborts the question for a distance
  #message = ""; // what the status line tells besides numbers
  #timer = 0; // of the solution that is played

  /** Whether games are kept in the browser, and go on when their puzzle is shown again. */
  keeps = false;

  static observedAttributes = ["lang", "theme"];

  constructor() {
    super();
    this.#game = new GameParts(this, this.#view, {
      make: (move) => this.#make(move, { animated: false }),
      say: (message) => this.#tell(message),
      level: (level) => this.dispatchEvent(new CustomEvent("level", { detail: level, bubbles: true })),
    });
    this.#input = new Input(this, this.#view, {
      game: this.#game,
      make: (move, animated, keep) => this.#make(move, { animated, keep }),
      say: (message) => this.#tell(message),
      paint: () => this.#paint(),
      open: () => this.open(),
      net: () => {
        this.#view.net = !this.#view.net;
        this.#paint();
      },
    });
    this.#strip = new Strip(this.#view.strip, (spot) => this.#return(spot));
    this.#solution = new Solution(this.#view.solution, {
      go: (line, index) => this.#jump(line, index),
      speed: (milliseconds) => {
        this.speed = milliseconds;
      },
      close: () => this.#close(),
    });
  }

  attributeChangedCallback() {
    this.#view.theme = this.theme;
    this.#view.says = saysOf(this.lang, this.about);
    if (this.at) this.#paint();
  }

  get lang() {
    return this.getAttribute("lang") ?? "en";
  }
  set lang(value) {
    this.setAttribute("lang", value);
  }

  get theme() {
    return this.getAttribute("theme") ?? "light";
  }
  set theme(value) {
    this.setAttribute("theme", value);
  }

  /** Milliseconds from move to move while a solution is played. */
  get speed() {
    return Number(this.getAttribute("speed") ?? 700);
  }
  set speed(value) {
    this.setAttribute("speed", String(value));
  }

  get model() {
    return this.#model;
  }

  /**
   * The puzzle to play: shows `model.first`, else its start, or a position that it deals if that is solved or missing. A
   * kept game goes on if it was at `model.wanted`, or if no position is wanted.
   */
  set model(model) {
    this.pause();
    this.#close();
    this.#model = model;
    this.#view.says = saysOf(this.lang, this.about);
    this.#history = new PlayHistory();
    this.#ready = model ? this.#begin(model) : Promise.resolve();
  }

  async #begin(model) {
    const game = this.keeps ? keptGame(model.about, model.wanted ?? null) : null;
    if (game) {
      this.#history.restore(game);
      const { spot } = this.#history;
      await this.#go(spot.id, { spot });
      this.#game.begin(!spot.count);
      return;
    }
    const { start, goals } = model.about;
    let first = model.first ?? start ?? goals[0];
    if (!first) return;
    if (!model.first && model.sample) {
      const turn = this.#turn;
      const at = await model.at(first, {}).catch(() => null);
      if (at?.goal && at.moves.length) first = await model.sample(first, "medium").catch(() => first);
      if (turn !== this.#turn) return;
    }
    await this.#go(first);
    if (model === this.#model) this.#game.begin(first === start);
  }

  get about() {
    return this.#model?.about ?? null;
  }

  /** The position shown, as the model describes it. */
  get at() {
    return this.#view.at;
  }

  get position() {
    return this.at?.position ?? null;
  }
  set position(id) {
    if (id !== this.position) this.place(id);
  }

  /** Shows a position; `words`, the word of each cell, give like pieces their letters. */
  place(id, words) {
    this.pause();
    this.#close();
    this.#ready = this.#go(id, { words });
  }

  /** Settles when the board shows what was last asked for. */
  get ready() {
    return this.#ready;
  }

  get playing() {
    return this.#timer !== 0;
  }

  /** The positions of the game from where it began to the one shown. */
  get trail() {
    const { game, spot } = this.#history;
    return game.slice(0, game.indexOf(spot) + 1).map(({ id }) => id);
  }

  /** The moves made, the fewest from where they began (null: unknown), and whether the program helped. */
  get score() {
    const { count, run, helped = false } = this.#history.spot;
    return { count, best: run.best ?? null, helped };
  }

  undo() {
    this.#return(this.#history.before);
  }

  redo() {
    this.#return(this.#history.after);
  }

  /** Shows the position again at which the moves began: the start, or another that was set. */
  reset() {
    const { begin, spot } = this.#history;
    if (spot.count) this.place(begin.id, begin.words);
  }

  /** Begins another game of a level: "easy", "medium", "hard" or "hardest". */
  async deal(level = "medium") {
    await this.#ready;
    if (!this.at || !this.#model.sample) return;
    const id = await this.#model.sample(this.position, level).catch((error) => this.#failed(error));
    if (id) this.place(id);
    await this.#ready;
  }

  /** Asks the model again for the position shown. */
  async refresh() {
    if (this.at) await this.#ask(true);
    if (this.at) this.#bar();
  }

  /** Draws the buttons for another game again. */
  redeal() {
    if (this.at) this.#bar();
  }

  /** A key that was pressed where nothing on the page has the focus. */
  key(event) {
    this.#input.key(event);
  }

  /** Marks a best move. Asks for distances if need be. */
  async hint() {
    await this.#ready;
    const view = this.#view;
    if (!this.at) return;
    const unknown = [this.at, ...this.at.moves].some(({ state }) => state === "unknown");
    if (unknown && (await this.#ask()) === false) return;
    this.#history.spot.helped = true;
    view.hint = this.at.moves.find((move) => move.best) ?? null;
    view.mark();
    this.#game.paint();
    this.#tell(view.hint ? view.says.hinted(view.says.move(view.hint.name), view.hint.distance) : this.#none());
  }

  /** Why there is no hint. */
  #none() {
    return this.at.beyond ? this.#view.says.nearer : this.#view.says.nohint;
  }

  /** Shows a shortest solution: from here, or from where the game began if it is solved. */
  async open() {
    this.pause();
    await this.#ready;
    if (!this.at) return false;
    const { line: mine, begin, spot } = this.#history;
    const base = this.at.goal ? begin : spot;
    if (base !== spot) {
      this.#ready = this.#go(base.id, { spot: base });
      await this.#ready;
    }
    const answer = await this.#model.solution(base.id, {}).catch((error) => this.#failed(error));
    if (!answer || this.position !== base.id) return false;
    if (!answer.path.length) {
      this.#tell(this.#none());
      return false;
    }
    const words = answer.path.slice(1).map((id) => wordsAt(this.about, id));
    const names = this.#view.named(answer.moves, words);
    const line = lineOf(base, answer.path, answer.moves, names);
    this.#solution.open(line, mine, this.speed, this.#view.says);
    this.#show();
    return true;
  }

  /** Plays a shortest solution from here. */
  async solve() {
    await this.#ready;
    if (!this.at) return;
    if (this.#place() < 0 || this.at.goal) if (!(await this.open())) return;
    const next = async () => {
      const index = this.#place() + 1;
      if (!index || index >= this.#solution.line.length) return this.pause();
      await this.#jump(this.#solution.line, index, true);
      if (this.playing) this.#timer = setTimeout(next, this.speed);
    };
    this.#timer = setTimeout(next, 0);
    this.#bar();
  }

  /** The place of the position shown in the solution, -1 if it is not there. */
  #place() {
    return this.#solution.line.findIndex(({ id }) => id === this.position);
  }

  /** Shows a spot of a solution or of the game beside it. */
  async #jump(line, index, playing = false) {
    if (!playing) this.pause();
    const move = this.at.moves.find(({ to }) => to === line[index].id);
    const routes = move ? this.#view.routes(move) : {};
    const turn = this.#turn;
    this.#ready = this.#go(line[index].id, { line, spot: line[index], index });
    await this.#ready;
    if (turn + 1 === this.#turn && this.position === line[index].id) this.#view.animate(routes);
  }

  #close() {
    if (!this.#solution.line.length) return;
    this.pause();
    this.#solution.close();
    if (this.at) this.#bar();
  }

  /** Goes one move along a shortest solution. */
  async step() {
    this.pause();
    await this.#ready;
    const index = this.#place() + 1;
    if (index && index < this.#solution.line.length) return this.#jump(this.#solution.line, index);
    const answer = await this.#model.solution(this.position, {}).catch((error) => this.#failed(error));
    if (!answer) return;
    const move = this.at.moves.find((each) => each.to === answer.path[1]);
    if (move) await this.#make(move, { helped: true });
    else this.#tell(this.#none());
  }

  pause() {
    clearTimeout(this.#timer);
    this.#timer = 0;
    if (this.at) this.#bar();
  }

  #return(spot) {
    this.pause();
    if (spot) this.#ready = this.#go(spot.id, { spot });
  }

  async #make(move, { animated = true, keep = false, helped = false } = {}) {
    const routes = animated ? this.#view.routes(move) : {};
    this.#ready = this.#go(move.to, { move, helped });
    await this.#ready;
    if (this.position !== move.to) return;
    if (keep !== false && !this.at.goal) {
      this.#view.chosen = this.#view.pieceOn(keep === true ? move.target : keep)?.cells ?? null;
      this.#view.mark();
    }
    if (animated) this.#view.animate(routes);
    if (this.at.goal) this.#view.celebrate();
  }

  /**
   * Tells that the model does not answer. What was not accepted is undone, because the position shown is drawn again.
   * Goes on once the model answers again.
   */
  #failed(error) {
    if (error.name === "AbortError") return null;
    this.pause();
    const turn = this.#turn;
    const { says } = this.#view;
    if (this.at) {
      this.#paint();
      this.#tell(error.kind === "offline" ? says.offline : says.refused(error) || says.failed);
    }
    if (error.kind === "offline") this.#model.back().then(() => turn === this.#turn && this.refresh());
    return null;
  }

  /** Shows a position: after a move, at a spot of the history or of a line, or as the begin of another run. */
  async #go(id, { move = null, spot = null, words = spot?.words, line = null, index = 0, helped = false } = {}) {
    const turn = ++this.#turn;
    this.#asked?.abort();
    const at = await this.#model.at(id, {}).catch((error) => turn === this.#turn && this.#failed(error));
    if (!at || turn !== this.#turn) return;
    if (move && !(await this.#joinable(turn))) return;
    const begun = this.#history.spot.id !== null; // a puzzle that is only opened leaves the game that is kept
    if (line) this.#history.lay(line, index);
    else if (spot) this.#history.revisit(spot);
    else if (move) this.#history.move(id, move, this.about.joins, helped);
    else this.#history.visit(id);
    this.#history.learn(at.distance);
    this.#view.show(this.about, at, { move, words });
    const moves = this.about.joins ? this.at.moves : null;
    Object.assign(this.#history.spot, { words: this.at.words, moves });
    if (move && at.goal) this.#won();
    this.#paint();
    const detail = { at: at.position, move, count: this.#history.spot.count };
    this.dispatchEvent(new CustomEvent("position", { detail, bubbles: true }));
    if (this.keeps && begun) keepGame(this.about, { ...this.#history.stored(this.about.joins), over: at.goal });
    if (at.state === "unknown") this.#ask(true);
  }

  /** Learns the moves of the spot where the last move began, if it was not shown yet. Returns false if that is too late. */
  async #joinable(turn) {
    const { before } = this.#history.spot;
    if (this.about.joins && before && !before.moves) {
      before.moves = (await this.#model.at(before.id, {}).catch(() => null))?.moves;
    }
    return turn === this.#turn;
  }

  /** Keeps the number of moves if it is the least, unless the program helped. */
  #won() {
    const { spot } = this.#history;
    const { run } = spot;
    spot.record = spot.helped ? null : keepBest(this.about, run.begin, spot.count);
  }

  /**
   * Asks for the distance of the position shown, unless another one is asked for or shown in between. Returns false if
   * the model does not answer. unasked: nobody waits for it, so the model need not search for long.
   */
  async #ask(unasked = false) {
    this.#asked?.abort();
    const asked = new AbortController();
    const id = this.position;
    this.#asked = asked;
    this.#message = "";
    this.#view.tell(this.#history.spot, "", this.#view.says.asking);
    const at = await this.#model.distance(id, { signal: asked.signal, unasked }).catch((error) => {
      const told = error.kind === "offline" || !unasked;
      return told && !asked.signal.aborted ? (this.#failed(error) ?? false) : null;
    });
    if (at === false) return false;
    if (asked.signal.aborted || this.position !== id) return;
    if (at) {
      this.#view.at = at;
      this.#history.learn(at.distance);
    }
    this.#tell(this.#message); // that a piece was taken meanwhile, for example
    this.#show();
  }

  #paint() {
    this.#view.paint();
    this.#bar();
    this.#tell();
    this.#show();
  }

  /** Shows the strip of the game and where the solution is. */
  #show() {
    const { game, spot } = this.#history;
    this.#strip.show(game, spot, this.#view.says);
    this.#solution.mark(spot);
    this.#bar();
  }

  #bar() {
    const { before, after, spot } = this.#history;
    this.#view.bar({
      undo: !!before,
      redo: !!after,
      reset: spot.count > 0,
      playing: this.playing,
      solution: this.#place() >= 0,
      compare: this.at.goal && spot.count > 0,
    });
    this.#view.levels(this.#model?.levels ?? null, this.at.goal, Boolean(this.#model?.walked));
    this.#game.paint();
  }

  #tell(message = "") {
    this.#message = message;
    this.#view.tell(this.#history.spot, message);
  }
}

if (!customElements.get("puzzle-space")) customElements.define("puzzle-space", PuzzleSpace);
