// The catalogue of puzzles: searched by any name, with picture, known numbers and source.

import { make } from "./depths.js";
import { titled, words } from "./words.js";

const folded = (text) =>
  text
    .normalize("NFKC")
    .toLowerCase()
    .normalize("NFD")
    .replace(/[\u0300-\u036f]/g, "")
    .replaceAll("’", "'");

export class Catalogue {
  #dialog;
  #found;
  #search;
  #puzzles = [];
  #chosen;
  #theme = "light";

  constructor(dialog, chosen) {
    this.#dialog = dialog;
    this.#chosen = chosen;
    this.#found = dialog.querySelector("#found");
    this.#search = dialog.querySelector("#search");
    this.#search.addEventListener("input", () => this.#show());
    dialog.querySelector("#close").addEventListener("click", () => dialog.close());
    dialog.addEventListener("click", (event) => {
      if (event.target === dialog) dialog.close();
    });
  }

  async load() {
    this.#puzzles = (await (await fetch("/api/catalogue")).json()).puzzles;
    if (this.#dialog.open) this.#show();
  }

  set theme(theme) {
    this.#theme = theme;
    if (this.#dialog.open) this.#show();
  }

  /** The catalogue entry of a puzzle, or undefined. */
  entry(name) {
    return this.#puzzles.find((each) => each.name === name);
  }

  open() {
    this.#search.value = "";
    this.#show();
    this.#dialog.showModal();
    this.#search.focus();
  }

  translate() {
    if (this.#dialog.open) this.#show();
  }

  #show() {
    const wanted = folded(this.#search.value.trim());
    const names = (each) => [each.name, ...Object.values(each.titles), ...each.aliases, each.note];
    const hits = this.#puzzles.filter((each) => names(each).some((name) => folded(name).includes(wanted)));
    this.#found.replaceChildren(...hits.map((each) => this.#card(each)));
    this.#dialog.querySelector("#none").hidden = hits.length > 0;
  }

  #card(each) {
    const picture = make("img", {
      src: `/api/picture/${encodeURIComponent(each.name)}/${this.#theme}`,
      alt: "",
      loading: "lazy",
    });
    const title = titled(each.titles, each.name);
    const solution = each.known.find((known) => known.what === "solution" && !known.from_start);
    const states = each.known.find((known) => known.what === "states");
    const said = words().known_what;
    const numbers = [
      solution && `${said.solution} ${solution.value.toLocaleString()}`,
      states && `${said.states} ${states.value.toLocaleString()}`,
    ];
    const button = make(
      "button",
      { type: "button" },
      picture,
      make("strong", { textContent: title }),
      make("span", { textContent: numbers.filter(Boolean).join(" · ") }),
    );
    button.addEventListener("click", () => {
      this.#dialog.close();
      this.#chosen(each.name);
    });
    return make("li", {}, button);
  }
}

/** Fills the panel of rules: the rules in words, other names, author, source and known numbers. */
export function showRules(panel, about, entry) {
  const said = words();
  const parts = [];
  if (about.note) parts.push(make("p", { textContent: about.note }));
  parts.push(
    ...about.rules.map((line) => make("p", { textContent: line, className: line.startsWith("  ") ? "listed" : "" })),
  );
  const line = (name, text) => {
    if (text) parts.push(make("p", {}, make("strong", { textContent: `${name}: ` }), text));
  };
  const others = entry ? [...Object.values(entry.titles), ...entry.aliases] : Object.values(about.titles);
  line(said.also, [...new Set(others)].filter((name) => name !== titled(about.titles, about.name)).join(", "));
  line(said.by, entry?.by);
  line(said.source, entry?.source);
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
      make("td", { textContent: known.metric }),
      make("td", { textContent: known.source }),
    ),
  );
  return make("table", {}, make("caption", { textContent: said.known }), make("tbody", {}, ...rows));
}
