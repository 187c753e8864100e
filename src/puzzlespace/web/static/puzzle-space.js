// <puzzle-space>: a board to play on. It asks its model for positions and distances (docs/page.md).

import { PlayHistory } from "./history.js";
import { Input } from "./input.js";
import { SAYS } from "./says.js";
import { View } from "./view.js";

export class PuzzleSpace extends HTMLElement {
  #model = null;
  #history = new PlayHistory();
  #view = new View(this);
  #ready = Promise.resolve();
  #turn = 0; // counts what was asked for; an answer to an earlier question is dropped
  #asked = null; // aborts the question for a distance
  #timer = 0; // of the solution that is played

  static observedAttributes = ["lang", "theme"];

  constructor() {
    super();
    new Input(this, this.#view, {
      make: (move, animated) => this.#make(move, animated),
      say: (message) => this.#tell(message),
      paint: () => this.#paint(),
    });
  }

  attributeChangedCallback() {
    this.#view.theme = this.theme;
    this.#view.says = SAYS[this.lang.startsWith("ja") ? "ja" : "en"];
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

  /** The puzzle to play: shows its start, else its first goal. */
  set model(model) {
    this.pause();
    this.#model = model;
    this.#history = new PlayHistory();
    const first = model?.about.start ?? model?.about.goals[0];
    this.#ready = first ? this.#go(first) : Promise.resolve();
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
    this.#ready = this.#go(id, { words });
  }

  /** Settles when the board shows what was last asked for. */
  get ready() {
    return this.#ready;
  }

  get playing() {
    return this.#timer !== 0;
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

  /** Shows a position that the model deals, if it can. */
  async shuffle() {
    await this.#ready;
    if (this.at) this.place(await this.#model.sample(this.position));
  }

  /** Asks the model again for the position shown. */
  async refresh() {
    if (this.at) await this.#ask();
  }

  /** Marks a best move. Asks for distances if need be. */
  async hint() {
    await this.#ready;
    const view = this.#view;
    if (!this.at) return;
    const unknown = [this.at, ...this.at.moves].some(({ state }) => state === "unknown");
    if (unknown && (await this.#ask()) === false) return;
    view.hint = this.at.moves.find((move) => move.best) ?? null;
    view.mark();
    this.#tell(view.hint ? view.says.hinted(view.hint.name, view.hint.distance) : view.says.nohint);
  }

  /** Plays a shortest solution from here. */
  async solve() {
    const way = await this.#way();
    if (!way?.length) return way && this.#tell(this.#view.says.nohint);
    const next = async () => {
      const to = way.shift();
      if (!to) return this.pause();
      await this.#follow(to);
      if (this.playing) this.#timer = setTimeout(next, this.speed);
    };
    this.#timer = setTimeout(next, 0);
    this.#bar();
  }

  /** Goes one move along a shortest solution. */
  async step() {
    this.pause();
    const way = await this.#way();
    if (way?.length) await this.#follow(way[0]);
    else if (way) this.#tell(this.#view.says.nohint);
  }

  pause() {
    clearTimeout(this.#timer);
    this.#timer = 0;
    if (this.at) this.#bar();
  }

  /** The positions after the one shown on a shortest solution, or null if the model does not answer. */
  async #way() {
    await this.#ready;
    const way = await this.#model.path(this.position, {}).catch((error) => this.#failed(error));
    return way?.slice(1) ?? null;
  }

  async #follow(to) {
    const move = this.at.moves.find((each) => each.to === to);
    await (move ? this.#make(move) : this.#go(to));
  }

  #return(spot) {
    this.pause();
    if (spot) this.#ready = this.#go(spot.id, { spot });
  }

  async #make(move, animated = true) {
    const routes = animated ? this.#view.routes(move) : [];
    this.#ready = this.#go(move.to, { move });
    await this.#ready;
    if (this.position === move.to) this.#view.animate(routes);
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
      this.#tell(error.kind === "offline" ? says.offline : error.message || says.failed);
    }
    if (error.kind === "offline") this.#model.back().then(() => turn === this.#turn && this.refresh());
    return null;
  }

  /** Shows a position: after a move, at a spot of the history, or as the begin of another run. */
  async #go(id, { move = null, spot = null, words = spot?.words } = {}) {
    const turn = ++this.#turn;
    this.#asked?.abort();
    const at = await this.#model.at(id, {}).catch((error) => turn === this.#turn && this.#failed(error));
    if (!at || turn !== this.#turn) return;
    if (spot) this.#history.revisit(spot);
    else if (move) this.#history.move(id, move, this.about.metric === "piece");
    else this.#history.visit(id);
    this.#history.learn(at.distance);
    this.#view.show(this.about, at, { move, words });
    this.#history.spot.words = this.at.words;
    this.#paint();
    const detail = { at: at.position, move, count: this.#history.spot.count };
    this.dispatchEvent(new CustomEvent("position", { detail, bubbles: true }));
    if (at.state === "unknown") this.#ask();
  }

  /**
   * Asks for the distance of the position shown, unless another one is asked for or shown in between. Returns false if
   * the model does not answer.
   */
  async #ask() {
    this.#asked?.abort();
    const asked = new AbortController();
    const id = this.position;
    this.#asked = asked;
    this.#view.tell(this.#history.spot, "", this.#view.says.asking);
    const at = await this.#model.distance(id, { signal: asked.signal }).catch((error) => {
      if (error.kind === "offline" && !asked.signal.aborted) return this.#failed(error) ?? false;
      return null;
    });
    if (at === false) return false;
    if (asked.signal.aborted || this.position !== id) return;
    if (at) {
      this.#view.at = at;
      this.#history.learn(at.distance);
    }
    this.#tell();
  }

  #paint() {
    this.#view.paint();
    this.#bar();
    this.#tell();
  }

  #bar() {
    const { before, after, spot } = this.#history;
    this.#view.bar({
      undo: !!before,
      redo: !!after,
      reset: spot.count > 0,
      shuffle: !!this.#model.sample,
      playing: this.playing,
      speed: this.speed,
    });
  }

  #tell(message = "") {
    this.#view.tell(this.#history.spot, message);
  }
}

if (!customElements.get("puzzle-space")) customElements.define("puzzle-space", PuzzleSpace);
