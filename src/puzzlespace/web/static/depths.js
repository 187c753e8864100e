// The number of positions at each depth as bars, table, CSV and comma list, and a gallery of the hardest positions.

import { cubeDrawn, cubeFrame, HOME } from "./cube.js";
import { frame, picture } from "./draw.js";
import { symbolsOf, wordsOf } from "./positions.js";
import { copied, saved } from "./share.js";
import { boardDrawn } from "./sprites.js";
import { words } from "./words.js";

/** An element with properties and children. Strings become text nodes, never HTML. */
export function make(name, properties = {}, ...children) {
  const { data = {}, aria = {}, ...plain } = properties;
  const element = Object.assign(document.createElement(name), plain);
  for (const [key, value] of Object.entries(aria)) element.setAttribute(key === "role" ? key : `aria-${key}`, value);
  Object.assign(element.dataset, data);
  element.append(...children);
  return element;
}

/** A small board as an SVG element; `words`, one for each cell, give like pieces their letters. */
export function drawn(about, symbols, theme, words = null) {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  const { cube } = about.board;
  const shown = about.game ? [] : (words ?? wordsOf(about, symbols));
  const looks = about.looks[theme];
  svg.setAttribute("viewBox", (cube ? cubeFrame() : frame(about)).join(" "));
  svg.setAttribute("aria-hidden", "true");
  svg.innerHTML = about.game
    ? boardDrawn(about, symbols)
    : cube
      ? cubeDrawn(cube, (cell) => looks[shown[cell]].fill, HOME)
      : picture(about, shown, looks, about.colours[theme]);
  return svg;
}

/** Fills the panel of depths: a bar for each depth shows a position of that depth. Arrow keys go from bar to bar. */
export function showDepths(panel, table, { name, chosen, said }) {
  const log = panel.querySelector("input")?.checked ?? false;
  const most = Math.max(...table.counts);
  const part = (count) => (log ? Math.log1p(count) / Math.log1p(most) : count / most);
  const bars = make("div", { className: "bars", aria: { role: "toolbar", label: words().layerhint } });
  table.counts.forEach((count, depth) => {
    const bar = make(
      "button",
      {
        type: "button",
        title: words().layer(depth, count),
        tabIndex: depth ? -1 : 0,
        aria: { label: words().layer(depth, count) },
      },
      make("span"),
    );
    bar.firstChild.style.height = `${Math.max(100 * part(count), 0.7)}%`;
    bar.addEventListener("click", () => chosen(depth));
    bars.append(bar);
  });
  bars.addEventListener("keydown", (event) => walk(bars, event));
  const scale = make("input", { type: "checkbox", checked: log });
  scale.addEventListener("change", () => showDepths(panel, table, { name, chosen, said }));
  const give = (what, text) => {
    const button = make("button", { type: "button", textContent: what });
    button.addEventListener("click", async () => {
      if (await copied(text)) said(words().copied);
      else saved(`${name}.txt`, new Blob([text], { type: "text/plain" }));
    });
    return button;
  };
  const rows = table.counts.map((count, depth) => `${depth}\t${count}`);
  const csv = ["depth,positions", ...rows.map((row) => row.replace("\t", ","))].join("\n");
  const ends = make(
    "p",
    { className: "ends" },
    make("span", { textContent: "0" }),
    make("span", { textContent: String(table.depth) }),
  );
  panel.replaceChildren(
    make("p", { textContent: words().numbers(table) + words().counted(table), className: "numbers" }),
    ...(table.reason ? [make("p", { textContent: table.reason })] : []),
    bars,
    ends,
    make(
      "p",
      { className: "row" },
      make("label", {}, scale, ` ${words().log}`),
      make("span", { className: "room" }),
      give(words().table, textTable(table)),
      give(words().csv, csv),
      give("OEIS", table.counts.join(", ")),
    ),
  );
}

function textTable(table) {
  const wide = String(Math.max(...table.counts)).length;
  return table.counts.map((count, depth) => `${String(depth).padStart(3)}  ${String(count).padStart(wide)}`).join("\n");
}

function walk(bars, event) {
  const step = { ArrowLeft: -1, ArrowRight: 1, Home: -Infinity, End: Infinity }[event.key];
  if (!step) return;
  event.preventDefault();
  const all = [...bars.children];
  const here = all.indexOf(document.activeElement);
  const next = all[Math.min(Math.max(here + step, 0), all.length - 1)];
  for (const each of all) each.tabIndex = each === next ? 0 : -1;
  next.focus();
}

/** Adds where a player gets stuck in a level of a game: the first boards from which no win can be reached. */
export function showTraps(panel, about, table, theme, chosen) {
  if (!table.stuck) return;
  const gallery = make("div", { className: "gallery" });
  for (const { letters, position } of table.traps) {
    const button = make("button", { type: "button", title: letters }, drawn(about, symbolsOf(about, position), theme));
    button.addEventListener("click", () => chosen(position));
    gallery.append(button);
  }
  panel.append(make("h3", { textContent: words().stuck(table.stuck, table.traps.length) }), gallery);
}

/** Fills the gallery: the hardest positions, one of each class under symmetry. */
export function showHardest(panel, about, table, theme, chosen) {
  const gallery = make("div", { className: "gallery" });
  table.hardest.forEach((id, index) => {
    const name = words().hardestname(index + 1, table.depth);
    const button = make("button", { type: "button", title: name }, drawn(about, symbolsOf(about, id), theme));
    button.addEventListener("click", () => chosen(id));
    gallery.append(button);
  });
  const says = words().hardestsay(table.hardest_count, table.classes, table.depth);
  panel.replaceChildren(make("p", { textContent: says }), gallery);
}
