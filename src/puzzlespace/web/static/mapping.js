// The panel of the map: asks the server for the map, shows the board under the pointer, and follows the player.

import { drawn, make } from "./depths.js";
import { PuzzleMap } from "./map.js";
import { deepestOf, shadeOf, unpacked } from "./places.js";
import { idOf, symbolsOf } from "./positions.js";
import { stream } from "./server.js";
import { saved } from "./share.js";
import { words } from "./words.js";

const SOON = 150; // milliseconds that a position must stay before the path from it is requested

export class MapPanel {
  #panel;
  #play;
  #map = null;
  #model = null;
  #asked = null;
  #timer = 0;
  #stale = true;
  #theme = "light";
  #hovered = -1;
  #ids = null; // the numbers of positions by their ids, if the map has them instead of symbols

  /** play: {position(), trail(), playing(), go(id), heard(progress), failed(error)}. */
  constructor(panel, play) {
    this.#panel = panel;
    this.#play = play;
    this.#build();
  }

  #build() {
    const button = (act) => {
      const each = make("button", { type: "button" });
      each.addEventListener("click", act);
      return each;
    };
    this.says = make("p", { className: "numbers", aria: { live: "polite" } });
    this.space = button(() => this.#lay(false));
    this.layers = button(() => this.#lay(true));
    this.again = button(() => this.ask());
    this.whole = button(() => this.#map.reset());
    this.png = button(async () => saved("map.png", await this.#map.picture()));
    this.canvas = make("canvas", { className: "points" });
    this.over = make("canvas", { className: "over", tabIndex: 0, aria: { role: "application" } });
    this.card = make("div", { className: "card", hidden: true });
    this.legend = make("p", { className: "legend" });
    this.field = make("div", { className: "field", hidden: true }, this.canvas, this.over, this.card);
    this.#panel.append(
      this.says,
      make("p", { className: "row" }, this.space, this.layers, this.whole, this.png, this.again),
      this.field,
      this.legend,
    );
    try {
      this.#map = new PuzzleMap(this.canvas, this.over, {
        hovered: (node, x, y) => this.#hover(node, x, y),
        chosen: (node) => this.#choose(node),
      });
    } catch {
      this.#map = null;
    }
    this.translate();
  }

  /** Whether the browser can draw it. */
  get able() {
    return !!this.#map;
  }

  /** A promise of a picture of the map with the way of the game; null if it is not drawn. */
  picture() {
    return this.#map?.data && !this.#stale ? this.#map.picture() : null;
  }

  translate() {
    const said = words();
    const data = this.#map?.data;
    this.space.textContent = said.bysspace;
    this.layers.textContent = said.bylayers;
    this.again.textContent = data && !data.complete ? said.again : said.drawmap;
    this.again.hidden = !!data?.complete && !this.#stale;
    this.whole.textContent = said.resetview;
    this.png.textContent = "PNG";
    for (const each of [this.space, this.layers, this.whole, this.png]) each.hidden = !data || this.#stale;
    this.over.setAttribute("aria-label", said.mapname);
    if (this.#map) this.#map.overlay.label = said.here;
    const about = !data ? "" : data.complete ? said.mapsay(data) : said.mappart(data);
    this.says.textContent = this.#map ? about : said.nogl;
    this.#lay(this.#map?.layered ?? false);
    this.#explain();
  }

  set theme(theme) {
    this.#theme = theme;
    if (this.#map) this.#map.theme = theme;
    this.#explain();
  }

  /** Another puzzle: the map that is shown is out of date. */
  set model(model) {
    this.#asked?.abort();
    this.#model = model;
    this.#stale = true;
    this.field.hidden = true;
    this.translate();
    if (this.#map?.data) this.says.textContent = this.legend.textContent = "";
  }

  /** The panel is now visible: asks for the map unless it is up to date. */
  shown() {
    if (this.#map && this.#model && this.#stale) this.ask();
    else this.#map?.draw();
  }

  /** Asks the server for the map. */
  async ask() {
    this.#asked?.abort();
    const asked = new AbortController();
    const model = this.#model;
    this.#asked = asked;
    try {
      for await (const line of stream("map", { ...model.source, position: this.#play.position() }, asked.signal)) {
        if (line.progress) this.#play.heard(line.progress);
        if (line.map && model === this.#model) this.#take(unpacked(line.map, line.raw));
      }
    } catch (error) {
      if (error.name !== "AbortError") this.#play.failed(error);
    } finally {
      if (this.#asked === asked) this.#play.heard(null);
    }
  }

  stop() {
    this.#asked?.abort();
  }

  #take(data) {
    this.#stale = false;
    this.field.hidden = false;
    this.#ids = data.ids ? new Map(data.ids.map((id, node) => [id, node])) : null;
    this.#map.data = data;
    this.#map.theme = this.#theme;
    this.translate();
    this.follow(this.#play.position());
  }

  #lay(layered) {
    if (this.#map && this.#map.layered !== layered) this.#map.layered = layered;
    this.space.setAttribute("aria-pressed", String(!layered));
    this.layers.setAttribute("aria-pressed", String(layered));
  }

  /** Marks the position that the player shows, and a little later the shortest path from it. */
  follow(id) {
    if (!this.#map?.data || this.#stale || !id) return;
    clearTimeout(this.#timer);
    const model = this.#model;
    const number = (each) =>
      this.#ids?.get(each) ?? (this.#ids ? -1 : this.#map.numberOf(symbolsOf(model.about, each)));
    const node = number(id);
    const before = this.#map.overlay.path;
    const at = before.indexOf(node);
    const trail = this.#play
      .trail()
      .map(number)
      .filter((each) => each >= 0);
    this.#map.mark(node, at >= 0 ? before.slice(at) : [], trail);
    if (this.#play.playing()) this.#map.fly(node);
    if (at >= 0 || node < 0 || this.#map.data.measured !== "goal") return;
    this.#timer = setTimeout(async () => {
      const path = await model.path(id).catch(() => []);
      if (model === this.#model && this.#map.overlay.here === node) this.#map.mark(node, path.map(number));
    }, SOON);
  }

  #choose(node) {
    const { ids } = this.#map.data;
    this.#play.go(ids ? ids[node] : idOf(this.#model.about, this.#map.symbolsAt(node)));
  }

  #hover(node, x, y) {
    this.card.hidden = node < 0;
    this.over.style.cursor = node < 0 ? "grab" : "pointer";
    const before = this.#hovered;
    this.#hovered = node;
    if (node < 0) return;
    if (node !== before) {
      const [{ about }, { ids }] = [this.#model, this.#map.data];
      this.card.replaceChildren(
        drawn(about, ids ? symbolsOf(about, ids[node]) : this.#map.symbolsAt(node), this.#theme),
        make("span", { textContent: words().away(this.#map.data.distance[node]) }),
      );
    }
    const right = x + 170 < this.over.clientWidth;
    this.card.style.left = `${right ? x + 14 : x - 154}px`;
    this.card.style.top = `${Math.max(0, Math.min(y + 10, this.over.clientHeight - 190))}px`;
  }

  #explain() {
    if (!this.#map?.data || this.#stale) return;
    const said = words();
    const data = this.#map.data;
    const goal = data.measured === "goal";
    const bar = make("span", { className: "scale", aria: { hidden: "true" } });
    for (let step = 0; step < 12; step++) {
      const part = make("i");
      const levels = shadeOf(this.#theme, step / 11).map((share) => Math.round(255 * share));
      part.style.background = `rgb(${levels.join(" ")})`;
      bar.append(part);
    }
    const sign = (kind, text) => make("span", {}, make("b", { className: kind, aria: { hidden: "true" } }), ` ${text}`);
    this.legend.replaceChildren(
      ...(goal ? [sign("goal", said.goal)] : []),
      make("span", {}, "0 ", bar, ` ${deepestOf(data)}`),
      ...(goal ? [sign("deepest", said.deepest), sign("path", said.pathname)] : []),
      sign("trail", said.trail),
    );
  }
}
