// A notebook of the site: its cells are run by Python in this browser, one after the other, and share their names.

import { LocalModel } from "./local.js";
import { keepFiles, keepNow } from "./offline.js";
import "./puzzle-space.js";
import { BrowserPython } from "./python.js";
import { translate, words } from "./words.js";

const FILES = [
  "python-worker.js",
  "puzzlespace.zip",
  ...["pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "pyodide-lock.json", "python_stdlib.zip"].map(
    (name) => `pyodide/${name}`,
  ),
]; // what Python in a browser is made of: kept for the time without a network
const LONG = 120; // letters of a printed line from which lines are wrapped
const by = (id) => document.getElementById(id);
const here = (name) => new URL(`./${name}`, import.meta.url);
const python = new BrowserPython(here("python-worker.js"));
const cells = [...document.querySelectorAll(".cell")];
const boards = new Map(); // by the numbers of players
const ran = new Set(); // cells that were run since Python began
let asked = null; // aborts what is run

function remembered(key) {
  try {
    return localStorage.getItem(key);
  } catch {
    return null; // the browser may forbid storage
  }
}

const theme = () => {
  const chosen = remembered("theme") ?? "auto";
  return chosen === "auto" ? (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light") : chosen;
};

const make = (tag, fields) => Object.assign(document.createElement(tag), fields);
const area = (cell) => cell.querySelector("textarea");

/** Runs cells, and before them those above that were not run since they were changed. */
async function run(last) {
  const wanted = cells.slice(0, cells.indexOf(last) + 1).filter((cell) => cell === last || !ran.has(cell));
  asked?.abort();
  asked = new AbortController();
  const { signal } = asked;
  by("stop").hidden = false;
  try {
    for (const cell of wanted) if (!(await runOne(cell, signal))) break;
  } catch (error) {
    if (error.name !== "AbortError") throw error;
  }
  if (asked.signal !== signal) return;
  by("stop").hidden = true;
  by("work").textContent = signal.aborted ? words().stopped : "";
}

/** Runs a cell; whether it came to its end without an error. */
async function runOne(cell, signal) {
  const shown = cell.querySelector(".shown");
  const out = make("pre", {});
  shown.replaceChildren(out);
  cell.classList.add("running");
  by("work").textContent = words().running;
  let told = {};
  try {
    for await (const line of python.stream("cell", { code: area(cell).value }, signal)) {
      if (line.out) out.textContent += line.out;
      told = { ...told, ...line };
    }
  } catch (error) {
    ran.clear(); // the next cell begins with another Python
    if (error.name === "AbortError") throw error;
    told = { fault: error.message || words().offline };
  } finally {
    cell.classList.remove("running");
  }
  if (!out.textContent) out.remove();
  else if (Math.max(...out.textContent.split("\n").map((line) => line.length)) > LONG) out.className = "long";
  if (out.scrollWidth > out.clientWidth) out.tabIndex = 0; // so that keys scroll it
  if (told.shows) shown.append(...drawn(told.shows));
  if (told.fault) shown.append(make("pre", { className: "fault", textContent: told.fault }));
  if (told.missing) shown.append(make("p", { textContent: words().missing(told.missing) }));
  for (const each of told.placed ?? []) boards.get(each.player)?.place(each.shown, each.words ?? undefined);
  if (!told.fault) ran.add(cell);
  return !told.fault;
}

/** What a value is shown as. */
function drawn(value) {
  if (value.kept) return [board(value)];
  if (!value.svg && !value.png) return [make("pre", { textContent: value.text })];
  const bytes = value.svg ?? Uint8Array.from(atob(value.png), (letter) => letter.charCodeAt(0));
  const type = value.svg ? "image/svg+xml" : "image/png";
  return [make("img", { src: URL.createObjectURL(new Blob([bytes], { type })), alt: value.text })];
}

/** A board to play on. Python hears where it is. */
function board({ player, kept, shown, words: letters }) {
  const space = document.createElement("puzzle-space");
  Object.assign(space, { theme: theme(), lang: document.documentElement.lang });
  boards.set(player, space);
  LocalModel.open(kept).then(async (model) => {
    model.first = shown;
    space.model = model;
    await space.ready;
    if (letters) space.place(shown, letters);
    space.addEventListener("position", async ({ detail }) => {
      const moved = { player, shown: detail.at, words: space.at.words, moves: detail.count };
      for await (const _ of python.stream("cell", moved));
    });
  });
  return space;
}

/** Enter keeps the indentation; with Shift or Ctrl it runs the cell. */
function typed(event) {
  const { target } = event;
  if (event.key !== "Enter" || event.isComposing) return;
  if (event.shiftKey || event.ctrlKey || event.metaKey) {
    event.preventDefault();
    run(target.closest(".cell"));
    return;
  }
  const line = target.value.slice(0, target.selectionStart).split("\n").at(-1);
  const indent = /^\s*/.exec(line)[0] + (line.trimEnd().endsWith(":") ? "    " : "");
  if (!indent) return;
  event.preventDefault();
  target.setRangeText(`\n${indent}`, target.selectionStart, target.selectionEnd, "end");
  target.dispatchEvent(new Event("input"));
}

const lang = remembered("lang") ?? (navigator.languages.find((each) => /^(ja|en)/.test(each)) ?? "en").slice(0, 2);
document.documentElement.lang = lang;
document.documentElement.dataset.theme = theme();
document.querySelector("main").lang = "en";
translate();
by("all").textContent = words().runall;
for (const cell of cells) {
  const code = area(cell);
  code.setAttribute("aria-label", words().code(code.dataset.number));
  code.addEventListener("keydown", typed);
  code.addEventListener("input", () => {
    ran.delete(cell);
    code.rows = code.value.split("\n").length;
  });
  cell.querySelector(".run").addEventListener("click", () => run(cell));
}
by("all").addEventListener("click", () => {
  ran.clear();
  run(cells.at(-1));
});
by("stop").addEventListener("click", () => asked?.abort());
addEventListener("python", ({ detail }) => {
  if (detail) by("work").textContent = words().python();
});
keepFiles();
keepNow(FILES.map(here));
