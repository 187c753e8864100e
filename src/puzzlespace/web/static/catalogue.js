// The gallery: puzzles by kind with pictures and difficulty, families by size, and a search by any name.

import { drawn, make } from "./depths.js";
import { symbolsOf } from "./positions.js";
import { ranked } from "./search.js";
import { listing, pictureOf } from "./server.js";
import { metricName } from "./terms.js";
import { said as spoken, titled, words } from "./words.js";

const BEGIN = ["hanoi:3,3", "lights:3x3", "motor-car"]; // the three for newcomers: few moves, three ways to play
const STEPS = [15, 40, 80]; // moves of the shortest solution up to which a puzzle has one, two, three dots

/** The number of a day that is the same for everybody. */
const today = () => {
  const now = new Date();
  return Math.floor(Date.UTC(now.getFullYear(), now.getMonth(), now.getDate()) / 86_400_000);
};

export class Catalogue {
  #dialog;
  #found;
  #search;
  #front;
  #kinds;
  #puzzles = [];
  #families = [];
  #kind = "";
  #chosen;
  #theme = "light";

  constructor(dialog, chosen) {
    this.#dialog = dialog;
    this.#chosen = chosen;
    this.#found = dialog.querySelector("#found");
    this.#search = dialog.querySelector("#search");
    this.#front = dialog.querySelector("#front");
    this.#kinds = dialog.querySelector("#kinds");
    this.#search.addEventListener("input", () => this.#show());
    dialog.querySelector("#close").addEventListener("click", () => dialog.close());
    dialog.addEventListener("click", (event) => {
      if (event.target === dialog) dialog.close();
    });
  }

  async load() {
    const { puzzles, families } = await listing();
    this.#puzzles = puzzles;
    this.#families = families;
    this.#renew();
  }

  /** Draws all again if it is shown. */
  #renew() {
    if (!this.#dialog.open) return;
    if (this.#puzzles.length) this.#fill();
    this.#show();
  }

  set theme(theme) {
    this.#theme = theme;
    this.#renew();
  }

  /** The catalogue entry of a puzzle, or undefined. */
  entry(name) {
    return this.#puzzles.find((each) => each.name === name);
  }

  /** The puzzle of the day, or undefined before the catalogue has arrived. */
  get daily() {
    const all = this.#puzzles.filter((each) => moves(each));
    return all[(today() * 7919) % all.length];
  }

  /** Whether there is a puzzle of the day, and others. */
  get several() {
    return this.#puzzles.length > 1 && !!this.daily;
  }

  /** Shows the puzzle of the day. */
  today() {
    this.#chosen(this.daily.name);
  }

  open() {
    this.#search.value = "";
    this.#kind = "";
    this.#dialog.showModal();
    this.#renew();
    this.#search.focus();
  }

  translate() {
    this.#renew();
  }

  #show() {
    const wanted = this.#search.value.trim();
    const names = (each) => [each.name, ...Object.values(each.titles), ...each.aliases, each.note, each.ja?.note ?? ""];
    const hits = wanted ? ranked(this.#puzzles, names, wanted) : this.#sorted();
    const sizes = wanted
      ? ranked(this.#families, (each) => [each.name, ...Object.values(each.names).flat()], wanted)
      : [];
    const best = Math.min(...[...hits, ...sizes].map(({ errors }) => errors));
    const kept = (all) => all.filter(({ errors }) => errors === best).map(({ each }) => each);
    this.#front.hidden = this.#kinds.hidden = !!wanted;
    this.#found.replaceChildren(
      ...kept(sizes).map((each) => make("li", {}, this.#family(each))),
      ...kept(hits).map((each) => make("li", {}, this.#card(each))),
    );
    this.#dialog.querySelector("#none").hidden = hits.length + sizes.length > 0 || !this.#puzzles.length;
  }

  /** The puzzles of the chosen kind, the easiest first. */
  #sorted() {
    const all = this.#puzzles.filter(({ gesture }) => !this.#kind || gesture === this.#kind);
    const hard = (each) => moves(each) ?? Infinity;
    return all.sort((a, b) => hard(a) - hard(b)).map((each) => ({ each, errors: 0 }));
  }

  /** The front: the puzzle of the day, three for newcomers, the families, and the kinds to choose from. */
  #fill() {
    const said = words();
    const part = (title, cards, name) =>
      make(
        "section",
        { className: name },
        make("h3", { textContent: title }),
        make("div", { className: "cards" }, ...cards),
      );
    const begin = BEGIN.map((name) => this.entry(name) ?? this.#sized(name)).filter(Boolean);
    const cards = (all) => all.map((each) => this.#card(each));
    const parts = [
      [said.newcomer, cards(begin), "begin"],
      [said.daily, cards([this.daily].filter(Boolean)), "daily"],
      [said.families, this.#families.map((each) => this.#family(each)), "families"],
    ];
    this.#front.replaceChildren(
      ...parts.filter(([, shown]) => shown.length).map(([title, shown, name]) => part(title, shown, name)),
    );
    const chip = (kind, text) => {
      const button = make("button", {
        type: "button",
        textContent: text,
        aria: { pressed: String(kind === this.#kind) },
      });
      button.addEventListener("click", () => {
        this.#kind = kind;
        for (const each of this.#kinds.children) each.setAttribute("aria-pressed", String(each === button));
        this.#show();
      });
      return button;
    };
    const kinds = [...new Set(this.#puzzles.map(({ gesture }) => gesture))];
    this.#kinds.replaceChildren(chip("", said.all), ...kinds.map((kind) => chip(kind, said.kinds[kind] ?? kind)));
  }

  /** A puzzle of a family as an entry. */
  #sized(spec) {
    const family = this.#families.find(({ name }) => spec.startsWith(`${name}:`));
    if (!family) return null;
    const title = `${named(family)}, ${sizes(family, spec.match(/\d+/g)).join(", ")}`;
    return { name: spec, family, titles: { "": title }, aliases: [], known: [] };
  }

  #picture({ name, family, about = family?.about }) {
    if (about) return drawn(about, symbolsOf(about, about.start ?? about.goals[0]), this.#theme);
    return make("img", { src: pictureOf(name, this.#theme), alt: "", loading: "lazy" });
  }

  #go(name) {
    this.#dialog.close();
    this.#chosen(name);
  }

  #card(each) {
    const said = words();
    const count = moves(each);
    const dots = 1 + STEPS.filter((step) => count > step).length;
    const signs = make(
      "span",
      { className: "dots", aria: { hidden: "true" } },
      "●".repeat(dots),
      make("i", {}, "●".repeat(4 - dots)),
    );
    const states = each.known.find((known) => known.what === "states");
    const numbers = make(
      "span",
      {},
      ...(count ? [signs, ` ${said.least(count)}`] : states ? [said.many(states.value)] : []),
    );
    const title = make("strong", { textContent: titled(each.titles, each.name) });
    const button = make("button", { type: "button" }, this.#picture(each), title, numbers);
    button.addEventListener("click", () => this.#go(each.name));
    return button;
  }

  /** A family: a slider for each of its numbers, and a button that opens the size. */
  #family(each) {
    const values = each.sliders.map(([, , first]) => first);
    const go = make("button", { type: "button", className: "go", textContent: words().playsize });
    go.setAttribute("aria-label", `${words().playsize}: ${named(each)}`);
    go.addEventListener("click", () => {
      const left = [...values];
      this.#go(each.form.replace(/[A-Z]+/g, () => left.shift()));
    });
    const sliders = each.sliders.flatMap(([low, high], index) => {
      if (low === high) return [];
      const told = make("span", { textContent: sizes(each, values, false)[index] });
      const range = make("input", { type: "range", min: low, max: high, value: values[index] });
      range.addEventListener("input", () => {
        values[index] = Number(range.value);
        told.textContent = sizes(each, values, false)[index];
      });
      return [make("label", {}, told, range)];
    });
    return make(
      "div",
      { className: "family" },
      this.#picture(each),
      make("strong", { textContent: named(each) }),
      ...sliders,
      go,
    );
  }
}

const named = ({ names }) => (names[document.documentElement.lang] ?? names[""])[0];

/** The numbers of a family in words; width and height as one, unless they are to be apart. */
function sizes({ form }, values, joined = true) {
  const parts = form.split(":")[1].match(/[A-Z]+/g);
  if (joined && parts.join("") === "WH") return [values.join(" × ")];
  return parts.map((part, index) => words().parts[part](values[index]));
}

/** The moves of the shortest solution of an entry, or undefined. */
function moves(each) {
  return each.known.find((known) => known.what === "solution" && !known.from_start)?.value ?? each.moves ?? undefined;
}

/** Fills the panel of rules: the rules in words, other names, author, source and known numbers. */
export function showRules(panel, about, entry) {
  const said = words();
  const parts = [];
  if (about.note) parts.push(make("p", { textContent: spoken(about, "note") }));
  parts.push(
    ...spoken(about, "rules").map((line) =>
      make("p", { textContent: line, className: line.startsWith("  ") ? "listed" : "" }),
    ),
  );
  const line = (name, text) => {
    const value = make("span", { textContent: text, translate: false });
    if (text) parts.push(make("p", {}, make("strong", { textContent: `${name}: ` }), value));
  };
  const others = entry ? [...Object.values(entry.titles), ...entry.aliases] : Object.values(about.titles);
  line(said.also, [...new Set(others)].filter((name) => name !== titled(about.titles, about.name)).join(", "));
  line(said.by, entry?.by);
  line(said.source, entry && spoken(entry, "source"));
  if (entry?.known.length) parts.push(numbers(entry));
  panel.replaceChildren(...parts);
}

function numbers(entry) {
  const said = words();
  const rows = entry.known.map((known) =>
    make(
      "tr",
      {},
      make("th", {
        scope: "row",
        textContent: said.known_what[known.what] + (known.from_start ? ` (${said.from})` : ""),
      }),
      make("td", { textContent: known.value.toLocaleString() }),
      make("td", { textContent: metricName(known.metric) }),
      make("td", { textContent: spoken(known, "source"), translate: false }),
    ),
  );
  return make("table", {}, make("caption", { textContent: said.known }), make("tbody", {}, ...rows));
}
