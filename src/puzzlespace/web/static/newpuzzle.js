// The choice of a template for a new puzzle.

import { make } from "./depths.js";
import { ground, sprite } from "./draw.js";
import { BLANK, isGame, NOTHING, PuzzleFile } from "./pzl.js";
import { tag, UNIT } from "./shapes.js";
import { TEMPLATES } from "./templates.js";
import { terms } from "./terms.js";
import { words } from "./words.js";

const HUES = { x: "#f5b700", o: "#2b2b2b" };

export class NewPuzzle {
  #dialog;
  #chosen;

  /** chosen(text): called with the text of the template. */
  constructor(dialog, chosen) {
    this.#dialog = dialog;
    this.#chosen = chosen;
  }

  /** colours: those of a puzzle's theme (docs/page.md). */
  open(colours) {
    const said = terms();
    const close = make("button", { type: "button", textContent: words().close, onclick: () => this.#dialog.close() });
    const cards = Object.entries(TEMPLATES).map(([name, text]) => {
      const [title, hint] = said.templates[name];
      const card = make("button", { type: "button", data: { template: name } });
      card.innerHTML = isGame(text) ? level(text) : colours ? picture(text, colours) : "";
      card.append(make("strong", { textContent: title }), make("span", { textContent: hint }));
      card.addEventListener("click", () => {
        this.#dialog.close();
        this.#chosen(isGame(text) ? `title ${title}\n\n${text}` : `title: ${title}\n${text}`);
      });
      return make("li", {}, card);
    });
    this.#dialog.replaceChildren(
      make(
        "div",
        { className: "row" },
        make("h2", { id: "new-title", textContent: said.newtitle }),
        make("span", { className: "room" }),
        close,
      ),
      make("p", { textContent: said.newhint }),
      make("ul", { className: "templates" }, ...cards),
    );
    this.#dialog.showModal();
  }
}

/** The last level of a game as SVG text, in the first colour of each object. */
function level(text) {
  const colour = (name) => new RegExp(`^${name}\n(#\\w+)`, "m").exec(text)[1];
  const legend = [...text.matchAll(/^(\S) = (\w+)$/gm)].map(([, letter, name]) => [letter, colour(name)]);
  const fills = Object.fromEntries(legend);
  const rows = text.trim().split("\n\n").at(-1).split("\n");
  const cells = rows.flatMap((row, y) =>
    [...row].map((letter, x) =>
      tag("rect", { x: x * UNIT, y: y * UNIT, width: UNIT, height: UNIT, fill: fills[letter] }),
    ),
  );
  const box = `-6 -6 ${rows[0].length * UNIT + 12} ${rows.length * UNIT + 12}`;
  return tag("svg", { viewBox: box, "aria-hidden": "true", "shape-rendering": "crispEdges" }, cells.join(""));
}

/** The start of a template as SVG text. */
function picture(text, colours) {
  const file = new PuzzleFile(text);
  const said = file.words("start");
  const middles = file.places.map(({ x, y }) => [x + 0.5, y + 0.5]);
  const rows = Array.from({ length: file.high }, () => Array(file.wide).fill(0));
  const board = { grid: true, middles: middles.filter((_, place) => said[place] !== NOTHING), rows };
  const kinds = [...new Set(said.filter((word) => word !== BLANK && word !== NOTHING))];
  const pegs = file.kind.peg;
  const blocks = file.list("blocks").includes("all");
  let art = ground({ ground: "walls", board }, () => "", colours);
  for (const [k, word] of kinds.entries()) {
    const all = said.flatMap((each, place) => (each === word ? [place] : []));
    const fill = pegs ? colours.hues[6] : file.entry("swap") ? HUES[word] : colours.hues[/^\d/.test(word) ? 3 : k % 6];
    const mark = file.entry("swap") || pegs ? "" : word;
    const look = { fill, ink: HUES.o, mark, kind: file.entry("swap") || pegs ? "disc" : "tile" };
    for (const cells of blocks ? [all] : all.map((cell) => [cell])) {
      const [x, y] = middles[cells[0]].map((part) => part * UNIT);
      const body = sprite({ board: { grid: true, middles } }, cells, look, colours, word);
      art += tag("g", { transform: `translate(${x} ${y})` }, body);
    }
  }
  return tag("svg", { viewBox: `-6 -6 ${file.wide * UNIT + 12} ${file.high * UNIT + 12}`, "aria-hidden": "true" }, art);
}
