// The page: editor, player, depths, map and catalogue. The server computes all that it shows; see docs/page.md.

import "./puzzle-space.js";
import { Catalogue, showRules } from "./catalogue.js";
import { make, showDepths, showHardest, showTraps } from "./depths.js";
import { Drawing } from "./drawing.js";
import { Editor } from "./editor.js";
import { icon } from "./icons.js";
import { KeptTexts } from "./kept.js";
import { Making } from "./making.js";
import { MapPanel } from "./mapping.js";
import { NewPuzzle } from "./newpuzzle.js";
import { Offers } from "./offers.js";
import { keepFiles } from "./offline.js";
import { isGame } from "./pzl.js";
import { Notice, remarksOf } from "./remarks.js";
import { ask, pageOf, Refused, ServerModel, serverBack, stream } from "./server.js";
import { handed, isLocal, read, saved, written } from "./share.js";
import { Sharing } from "./sharing.js";
import { metricName, terms } from "./terms.js";
import { reason, said, titled, translate, words } from "./words.js";

const FIRST = document.body.dataset.puzzle ?? "klotski"; // the pages of a site have a puzzle each
const LARGEST = 65536; // letters of a puzzle file
const FILE = /^(?:rule|board|start|goal|pieces|moves) *:/m; // a row that a puzzle file has
const QUIET = 400;
const WIDE = matchMedia("(min-width: 84rem)"); // the map is beside the board
const EDITED = matchMedia("(min-width: 112rem)"); // the editor is open from the beginning
const FAR = 1000; // estimated seconds from which a count is not offered
const MAPPED = 30_000; // positions up to which the map is drawn unasked beside the board
const by = (id) => document.getElementById(id);
const board = by("board");
const tabs = ["depths", "hardest", "make", "map", "rules"];

/** What the page shows and what it waits for. */
const state = {
  source: { puzzle: FIRST }, // the puzzle: {puzzle: NAME} or {text: TEXT}, and optionally a metric
  model: null, // its model, once the server has read it
  table: null, // its depth table, once all positions are counted
  failure: null, // why there is no table
  estimate: null, // what a count takes that does not begin by itself
  tab: null, // the tab that a person chose
  error: null, // the error in the text that is shown in the editor, if it has one
  asked: null, // aborts the question for a puzzle
  counting: null, // aborts the count of all positions
  address: "", // the fragment of the address that was last written or followed
  writing: 0, // the timer after which the address is written
};

const texts = new KeptTexts();
const editor = new Editor(
  by("write"),
  (text) => {
    state.asked?.abort(); // an answer to an older text must not replace this one
    texts.typed(text);
    editor.remarks = []; // of an older text
    drawable(text);
    drawing.read(text);
    changeable();
    by("kept").textContent = terms().saved;
  },
  (text) =>
    text.length > LARGEST ? wrong({ kind: "large" }) : text.trim() ? show({ ...leveled(), text }) : wrong(null),
);
editor.began = () => state.asked?.abort();
const drawing = new Drawing(by("draw"), editor);
const offers = new Offers(by("write"), editor);
const templates = new NewPuzzle(by("templates"), (text) => {
  texts.replaced(text);
  editor.put(text);
  drawing.reset();
  editor.fine();
});
const notice = new Notice(by("notice"));
const catalogue = new Catalogue(by("catalogue"), (name) => {
  if (!(editor.bad && texts.draft) || confirm(words().replace)) show({ puzzle: name });
});
const map = new MapPanel(by("map"), {
  position: () => board.position,
  trail: () => board.trail,
  playing: () => board.playing,
  go: (id) => {
    board.position = id;
  },
  heard: (progress) => told(progress),
  failed: (error) => say(reason(error)),
});

const making = new Making(by("make"), {
  source: () => state.model && state.source,
  deepest: () =>
    (state.table?.origin === "goal" || !state.model?.about.goals.length ? state.table?.depth : null) ?? null,
  theme: () => theme(),
  go: (id) => {
    board.position = id;
  },
  show: (text) => show({ text }),
  heard: (progress) => told(progress),
  failed: (error) => reason(error),
});

const sharing = new Sharing(by("share"), {
  facts: () => ({
    title: by("title").textContent,
    own: !state.source.puzzle,
    about: state.model.about,
    at: board.at,
    score: board.score,
    theme: theme(),
  }),
  link: () => shared(),
  token: () => !pageOf(""),
  map: () => map.picture(),
  file: () => take("html").then(() => by("work").textContent),
});

const theme = () => {
  const chosen = by("theme").value;
  return chosen === "auto" ? (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light") : chosen;
};

function say(text) {
  by("work").textContent = text;
}

/** Resolves after a time; rejects if the signal aborts. */
function pause(milliseconds, signal) {
  return new Promise((done, failed) => {
    const timer = setTimeout(done, milliseconds);
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      failed(new DOMException("", "AbortError"));
    });
  });
}

/** Puts a text into the editor. What a person wrote there can be brought back. */
function write(text) {
  if (text === editor.text) return;
  texts.replaced(text);
  editor.text = text;
  by("restore").hidden = !texts.replacedAny;
  by("kept").textContent = "";
  drawable(text);
  drawing.reset();
  changeable();
}

/** Shows the drawing and the keys of a puzzle file; a game has neither. */
function drawable(text) {
  for (const id of ["draw", "help"]) by(id).hidden = isGame(text);
}

/** Shows whether there is something to undo. */
function changeable() {
  by("unwrite").disabled = !editor.undoable;
  by("rewrite").disabled = !editor.redoable;
}

/** The level of the game that is shown: an edited text stays there. */
const leveled = () => (state.model?.about.game && state.source.text ? { level: state.source.level } : {});

/** Shows an error of the text, or null. Then the board is that of the last correct text, and dimmed. */
function wrong(error) {
  state.error = error;
  const told = error && { ...error, message: reason(error), hint: said(error, "hint") };
  if (told) {
    editor.wrong(told);
    editor.remarks = [];
  } else editor.fine();
  drawing.wrong(told);
  board.toggleAttribute("stale", Boolean(error));
  say(error ? terms().stale : "");
}

/** Shows the progress of long work; null: it has ended. */
function told(progress) {
  const said = words();
  by("progress").textContent = !progress
    ? ""
    : ({ layout: said.placing, waiting: said.waiting, python: said.python }[progress.phase] ?? said.counting)(progress);
  by("stop").hidden = !progress;
  offer();
}

/** Shows a button that counts all positions, unless they are counted or far too many, or something is at work. */
function offer() {
  const { estimate, table } = state;
  by("count").hidden = !estimate || table || far() || !by("stop").hidden;
  if (estimate && !far()) by("count").textContent = words().countall(estimate);
}

const far = () => state.estimate?.seconds > FAR;

/** Why there is no table. */
function uncounted() {
  if (state.failure) return reason(state.failure);
  if (!state.estimate) return "";
  return far() ? words().toomany(state.estimate) : words().uncounted;
}

/** Shows a puzzle, {puzzle: NAME} or {text: TEXT} and optionally a metric, at a position or at its start. */
async function show(wanted, position = null) {
  state.asked?.abort();
  state.asked = new AbortController();
  const { signal } = state.asked;
  try {
    const { about, at, known, family, lost } = await ask("open", { ...wanted, position: position ?? "" }, signal);
    state.counting?.abort();
    if (family) {
      await listing(wanted);
      return;
    }
    const { level: _, ...plain } = wanted;
    state.source = about.game ? { ...plain, level: about.game.level } : plain;
    state.model = new ServerModel(state.source, about, at);
    state.model.impossible = (answer) => say(said(answer, "reason"));
    state.table = known;
    state.failure = state.estimate = null;
    document.body.classList.remove("empty");
    write(wanted.text ?? about.text);
    wrong(null);
    drawing.about = about;
    editor.nothing = words().nofile(about.name);
    state.model.wanted = position;
    map.model = state.model;
    board.model = state.model;
    making.changed();
    await board.ready;
    describe();
    addressed();
    if (lost && board.at?.state === "lost") say(said(lost, "reason"));
    count(true);
  } catch (error) {
    if (error.name === "AbortError") return;
    if (!(error instanceof Refused)) throw error;
    if (error.kind === "input" && wanted.text) {
      edit(true);
      write(wanted.text);
      wrong(error);
    } else say(reason(error));
    if (error.kind !== "offline") return;
    await serverBack();
    if (!signal.aborted) await show(wanted, position);
  }
}

/** Lists the hardest puzzles of a text that leaves its pieces open; the board stays as it is, dimmed. */
async function listing(wanted) {
  write(wanted.text);
  wrong(null);
  board.toggleAttribute("stale", true);
  say(words().isfamily);
  select("make");
  state.address = await written(wanted, null);
  history.replaceState(null, "", state.address);
  making.family(wanted.text);
}

/** Writes title, metrics, rules and depths of the puzzle shown. */
function describe() {
  const { about } = state.model;
  suited(about);
  const title = titled(about.titles, state.source.puzzle ? about.name : words().own);
  const { game } = about;
  const level = game?.levels > 1 ? `, ${words().levelof(game.level)}` : "";
  by("title").textContent = title + level;
  document.title = `${title} — ${document.querySelector("h1").textContent}`;
  by("told")?.toggleAttribute("hidden", state.source.puzzle !== FIRST);
  const metric = by("metric");
  metric.replaceChildren(
    ...about.metrics.map((name) =>
      make("option", { value: name, textContent: metricName(name), selected: name === about.metric }),
    ),
  );
  metric.disabled = about.metrics.length < 2;
  const remarks = remarksOf(about, document.documentElement.lang);
  notice.show(remarks, about.text, words().dismiss);
  editor.remarks = editor.bad ? [] : remarks;
  showRules(by("rules"), about, catalogue.entry(state.source.puzzle));
  measured();
}

/** Shows what there is for a puzzle: levels of games have nothing to make. */
function suited({ game }) {
  by("tab-make").hidden = Boolean(game);
  if (tabs.some((name) => by(`tab-${name}`).hidden && !by(name).hidden)) select("depths");
}

/** Shows the tab that a person chose; else, beside the board, one that is not empty. Not while the board is stale. */
function beside() {
  if (board.hasAttribute("stale")) return;
  const { table } = state;
  const mapped = map.able && table?.states <= MAPPED && !state.model.about.game;
  const full = mapped ? "map" : table ? "depths" : "rules";
  const name = state.tab ?? (WIDE.matches ? full : "depths");
  const shown = by(`tab-${name}`).hidden ? "depths" : name;
  if (by(shown).hidden) select(shown, null);
}

/** Waits until what was drawn is seen. */
const painted = () => (document.hidden ? null : new Promise((done) => requestAnimationFrame(() => setTimeout(done))));

/** Counts all positions unless the table is known. Then all distances are known. Unasked only if that is quick. */
async function count(unasked) {
  const mine = state.model;
  const stop = new AbortController();
  state.counting = stop;
  delete document.body.dataset.counted;
  const work = state.table
    ? Promise.resolve(state.table)
    : (async () => {
        let found = null;
        await (state.source.text ? pause(QUIET, stop.signal) : painted()); // a table must not delay the first board
        told({ phase: "waiting" });
        for await (const line of stream("measure", { ...state.source, brief: unasked }, stop.signal)) {
          if (line.progress && mine === state.model) told(line.progress);
          if (line.table) found = line.table;
          if (line.estimate && mine === state.model) state.estimate = line.estimate;
        }
        return found;
      })();
  mine.measured = work;
  try {
    const found = await work;
    if (mine !== state.model) return;
    state.table = found && { where: isLocal(location.href) ? "here" : "server", ...found };
    if (!found) {
      mine.walked = true;
      board.redeal();
      told(null);
      measured();
      beside();
      return;
    }
    mine.deepest = found.away ?? null;
    mine.walked = !mine.deepest;
    if (found.distances) mine.learn(found.distances);
    told(null);
    measured();
    beside();
    await board.refresh();
    if (mine !== state.model) return;
    if (found.reason && board.at?.state === "lost") say(said(found, "reason"));
    document.body.dataset.counted = "yes";
    if (!by("map").hidden && (found.states <= MAPPED || !WIDE.matches)) map.shown();
  } catch (error) {
    if (mine !== state.model) return;
    told(null);
    state.failure = error.name === "AbortError" ? { message: words().stopped } : error;
    measured();
    beside();
    if (error.name === "AbortError") return;
    await board.refresh();
    if (error.kind !== "offline") return;
    await serverBack();
    if (mine === state.model) await count(unasked);
  }
}

function measured() {
  for (const name of ["depths", "hardest"]) by(name).replaceChildren();
  if (state.table) {
    showDepths(by("depths"), state.table, {
      name: state.model.about.name,
      chosen: (depth) => (state.table.examples ? go(state.table.examples[depth]) : sample({ depth })),
      said: say,
    });
    showHardest(by("hardest"), state.model.about, state.table, theme(), go);
    if (state.table.traps) showTraps(by("depths"), state.model.about, state.table, theme(), go);
  } else {
    by("depths").append(make("p", { textContent: uncounted() }));
    by("hardest").append(make("p", { textContent: words().nohardest }));
  }
  making.draw();
  offer();
}

function go(id) {
  board.position = id;
}

async function sample(more = {}) {
  try {
    go((await ask("sample", { ...state.source, position: board.position, ...more })).position);
  } catch (error) {
    say(reason(error));
  }
}

/** Writes puzzle and position into the address, 150 ms after the last call. */
function addressed() {
  clearTimeout(state.writing);
  state.writing = setTimeout(async () => {
    const position = board.position === (state.model.about.start ?? state.model.about.goals[0]) ? null : board.position;
    const next = await written(state.source, position);
    const plain = (hash) => hash.replace(/~.*/, "");
    if (next === location.hash) return;
    state.address = next;
    history[plain(next) === plain(location.hash) || !location.hash ? "replaceState" : "pushState"](null, "", next);
  }, 150);
}

/** The link to the puzzle and the position: the page of its own that a puzzle may have, else this one. */
async function shared() {
  const own = catalogue.entry(state.source.puzzle) && pageOf(state.source.puzzle);
  return (own || location.href.replace(/#.*/, "")) + (await written(state.source, board.position));
}

/** What the page opens with: the file that its server was started with, or a puzzle. */
async function first() {
  const { own } = document.body.dataset;
  return own ? { text: await (await fetch(own)).text() } : { puzzle: FIRST };
}

async function followed() {
  if (location.hash === state.address && state.model) return;
  state.address = location.hash;
  editor.drop();
  const found = await read(location.hash).catch(() => "bad");
  if (found === "bad") say(words().link_bad);
  else await show(found?.source ?? (await first()), found?.position ?? null);
}

async function take(what) {
  say(words().waiting());
  try {
    let file = null;
    const { lang } = document.documentElement;
    const shown = { position: board.position, words: board.at.words, theme: theme(), lang };
    for await (const line of stream("copy", { ...state.source, ...shown, what })) {
      if (line.type) file = line;
    }
    const ending = { text: "txt", svg: "svg", strip: "svg", gif: "gif", json: "json", html: "html" }[what];
    const name = `${state.source.puzzle ?? "puzzle"}.${ending}`;
    say((await handed(name, file)) ? words().copied : "");
  } catch (error) {
    say(reason(error));
  }
}

async function opened(file) {
  if (!file) return;
  edit(true);
  if (file.size > LARGEST) refuse();
  else await taken(await file.text(), file.name);
}

/** Puts a text into the editor, one of another format as the puzzle file that says the same, and shows its puzzle. */
async function taken(text, file = "") {
  let found = { text, levels: 1 };
  if (!FILE.test(text) && !isGame(text)) {
    found = await ask("read", { text, file }).catch((error) => {
      if (!(error instanceof Refused)) throw error;
      return { text, error };
    });
  }
  texts.replaced(found.text);
  editor.put(found.text);
  editor.drop();
  drawing.reset();
  if (found.error) return wrong(found.error);
  await show({ text: found.text });
  if (found.levels > 1) say(words().firstlevel(found.levels));
}

/** Says that a text is too long to be taken. */
function refuse() {
  by("kept").textContent = reason({ kind: "large" });
}

/** Reads what is pasted in place of all text: a puzzle in any format. What is too long is not taken. */
function pasted(event) {
  const { value, selectionStart, selectionEnd } = event.target;
  const text = event.clipboardData?.getData("text/plain") ?? "";
  const large = value.length + text.length > LARGEST;
  const every = selectionEnd - selectionStart >= value.trim().length;
  const whole = !large && text.trim() && every && !FILE.test(text) && !isGame(text);
  if (!large && !whole) return;
  event.preventDefault();
  if (large) refuse();
  else taken(text);
}

/** Shows the tab that a person chose. */
function chosen(name, focus = false) {
  state.tab = name;
  select(name, focus);
}

function select(name, focus = false) {
  for (const each of tabs) {
    const tab = by(`tab-${each}`);
    const here = each === name;
    tab.setAttribute("aria-selected", String(here));
    tab.tabIndex = here ? 0 : -1;
    by(each).hidden = !here;
    if (here && focus) tab.focus();
  }
  if (name === "map" && focus !== null) map.shown();
}

/** Opens or closes the editor. */
function edit(open) {
  by("write").hidden = !open;
  by("edit").setAttribute("aria-expanded", String(open));
  document.body.classList.toggle("editing", open);
  if (open) drawing.draw();
}

function coloured() {
  document.documentElement.dataset.theme = board.theme = map.theme = catalogue.theme = drawing.theme = theme();
  if (state.model) measured();
}

function spoken(lang) {
  document.documentElement.lang = board.lang = by("lang").value = lang;
  translate();
  catalogue.translate();
  map.translate();
  drawing.translate();
  offers.translate();
  for (const [id, name] of Object.entries({ new: "new", unwrite: "undo", rewrite: "redo" })) {
    by(id).innerHTML = name === "new" ? "" : icon(name);
    by(id).append(make("span", { textContent: terms()[name] }));
  }
  if (state.model) describe();
  else making.draw();
  if (editor.bad && state.error) wrong(state.error);
}

function remember(key, value) {
  try {
    if (value === undefined) return localStorage.getItem(key);
    localStorage.setItem(key, value);
  } catch {
    /* the browser may forbid storage */
  }
  return value ?? null;
}

function listen() {
  by("lang").addEventListener("change", (event) => {
    remember("lang", event.target.value);
    spoken(event.target.value);
  });
  by("theme").addEventListener("change", (event) => {
    remember("theme", event.target.value);
    coloured();
  });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", coloured);
  addEventListener("beforeprint", () => {
    board.theme = "light";
  });
  addEventListener("afterprint", () => {
    board.theme = theme();
  });
  by("skip").addEventListener("click", () => board.shadowRoot.querySelector(".cells [tabindex='0']")?.focus());
  by("browse").addEventListener("click", () => catalogue.open());
  by("today").addEventListener("click", () => catalogue.today());
  by("metric").addEventListener("change", (event) =>
    show({ ...state.source, metric: event.target.value }, board.position),
  );
  by("edit").addEventListener("click", () => {
    const open = by("write").hidden;
    edit(open);
    remember("edit", open ? "open" : "closed");
  });
  for (const menu of document.querySelectorAll("details.menu")) {
    addEventListener("click", (event) => {
      if (!menu.contains(event.target)) menu.open = false;
    });
    menu.addEventListener("keydown", (event) => {
      if (event.key !== "Escape" || !menu.open) return;
      menu.open = false;
      menu.querySelector("summary").focus();
    });
  }
  addEventListener("keydown", (event) => {
    if (document.activeElement === document.body) board.key(event);
  });
  for (const name of ["link", "publish"]) by(name).addEventListener("click", () => sharing.open());
  by("copy").addEventListener("change", (event) => {
    take(event.target.value);
    event.target.value = "";
  });
  by("count").addEventListener("click", () => count(false));
  by("stop").addEventListener("click", () => {
    state.counting?.abort();
    map.stop();
    making.stop();
  });
  by("load").addEventListener("change", (event) => {
    opened(event.target.files[0]);
    event.target.value = "";
  });
  by("text").addEventListener("paste", pasted);
  by("save").addEventListener("click", () =>
    saved(
      `${state.source.puzzle ?? "puzzle"}.${isGame(editor.text) ? "txt" : "pzl"}`,
      new Blob([editor.text], { type: "text/plain" }),
    ),
  );
  by("new").addEventListener("click", () => templates.open(state.model?.about.colours[theme()]));
  by("unwrite").addEventListener("click", () => editor.undo());
  by("rewrite").addEventListener("click", () => editor.redo());
  by("restore").addEventListener("click", () => {
    const text = texts.restored();
    editor.text = text;
    drawing.reset();
    by("restore").hidden = !texts.replacedAny;
    show({ text });
  });
  board.addEventListener("level", ({ detail }) => show({ ...state.source, level: detail }));
  board.addEventListener("position", (event) => {
    addressed();
    map.follow(event.detail.at);
    say("");
  });
  addEventListener("hashchange", followed);
  addEventListener("popstate", followed);
  addEventListener("python", (event) => told(event.detail));
  for (const name of tabs) {
    by(`tab-${name}`).addEventListener("click", () => chosen(name));
    by(name).addEventListener("click", () => {
      state.tab ??= name; // what is in use stays
    });
  }
  document.querySelector("[role=tablist]").addEventListener("keydown", (event) => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    const seen = tabs.filter((name) => !by(`tab-${name}`).hidden);
    const here = seen.findIndex((name) => by(`tab-${name}`) === document.activeElement);
    if (step && here >= 0) chosen(seen[(here + step + seen.length) % seen.length], true);
  });
  dropped();
}

/** Loads the catalogue, as soon as the server answers. */
async function listed() {
  for (let done = false; !done; ) {
    done = await catalogue.load().then(
      () => true,
      () => serverBack(),
    );
  }
  by("today").hidden = !catalogue.several;
  if (state.model) describe();
}

function dropped() {
  let inside = 0;
  const over = (more) => {
    inside = Math.max(0, inside + more);
    document.body.classList.toggle("dropping", inside > 0);
  };
  addEventListener("dragenter", () => over(1));
  addEventListener("dragleave", () => over(-1));
  addEventListener("dragover", (event) => event.preventDefault());
  addEventListener("drop", (event) => {
    event.preventDefault();
    over(-inside);
    opened(event.dataTransfer.files[0]);
  });
}

by("theme").value = remember("theme") ?? "auto";
board.keeps = true;
listen();
spoken(remember("lang") ?? (navigator.languages.find((lang) => /^(ja|en)/.test(lang)) ?? "en").slice(0, 2));
coloured();
edit(EDITED.matches && remember("edit") !== "closed");
select(WIDE.matches && map.able ? "map" : "depths", null);
const loaded = listed();
const { draft } = texts;
const [{ type }] = performance.getEntriesByType("navigation");
await followed();
if (draft && type !== "navigate" && draft !== editor.text) {
  edit(true);
  editor.text = texts.restored();
  drawing.reset();
  await show({ text: draft });
}
by("restore").hidden = !texts.replacedAny;
await loaded;
keepFiles();
