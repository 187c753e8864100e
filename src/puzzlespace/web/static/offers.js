// Help beside the text of a puzzle file: the known keys and words are offered while one is typed, and the key of the
// cursor's row is explained.

import { make } from "./depths.js";
import { entries, isGame, KEYS, kindOf, means, VALUES, wordsOfRow } from "./pzl.js";
import { EXAMPLES, meaning, terms } from "./terms.js";

/** The key of a name such as 'goal 2', 'put 4' or 'title[ja]'. */
const keyOf = (name) => name.replace(/\[.*| \d+$/, "");

/** The parts of a text; those between backquotes are words of puzzle files. */
const coded = (text) =>
  text.split("`").map((part, k) => (k % 2 ? make("code", { textContent: part, translate: false }) : part));

export class Offers {
  #area;
  #list;
  #help;
  #editor;
  #choice = -1;
  #key = null;

  /** root: the part of the page with the text, the list of offers and the help. */
  constructor(root, editor) {
    this.#editor = editor;
    this.#area = root.querySelector("textarea");
    this.#list = root.querySelector("#offers");
    this.#help = root.querySelector("#help");
    this.#area.addEventListener("keydown", (event) => this.#pressed(event), true);
    this.#area.addEventListener("input", () => this.#offer());
    this.#area.addEventListener("blur", () => this.#close());
    this.#area.addEventListener("scroll", () => this.#close());
    document.addEventListener("selectionchange", () => {
      if (document.activeElement === this.#area) this.#explain();
    });
    this.#area.addEventListener("click", () => this.#close());
    this.translate();
  }

  translate() {
    const said = terms();
    this.#list.setAttribute("aria-label", said.offers);
    const chips = KEYS.map((key) =>
      make("button", {
        type: "button",
        textContent: key,
        onclick: () => this.#go(key),
        data: { key },
        translate: false,
      }),
    );
    this.#help.replaceChildren(
      make("h3", { textContent: said.help }),
      make("div", { className: "meaning" }),
      make("div", { className: "chips" }, ...chips),
    );
    this.#key = null;
    this.#tell(null);
  }

  /** The row with the cursor: its text up to the cursor, and its number. */
  get #row() {
    const before = this.#area.value.slice(0, this.#area.selectionStart);
    const begin = before.lastIndexOf("\n") + 1;
    return { said: before.slice(begin), begin, line: before.split("\n").length - 1 };
  }

  /** The word of `rule:`. */
  get #rule() {
    const [row] = entries(this.#area.value).find(({ name }) => name === "rule")?.rows ?? [];
    return row ? this.#area.value.slice(row.from, row.to).replace(/\s+/g, " ") : "";
  }

  /** The key that the cursor's row belongs to, or null. */
  get #here() {
    const { line } = this.#row;
    const here = entries(this.#area.value)
      .filter((entry) => entry.line <= line)
      .at(-1);
    return here ? keyOf(here.name) : null;
  }

  /** Shows the meaning of the key that the cursor's row belongs to. */
  #explain() {
    const key = this.#here;
    this.#tell(KEYS.includes(key) ? key : null);
  }

  #tell(key) {
    const said = terms();
    const shown = this.#help.querySelector(".meaning");
    const rule = this.#rule;
    if (`${key} ${rule}` === this.#key && shown.children.length) return;
    this.#key = `${key} ${rule}`;
    for (const chip of this.#help.querySelectorAll(".chips button")) {
      if (chip.dataset.key === key) chip.setAttribute("aria-current", "true");
      else chip.removeAttribute("aria-current");
    }
    shown.replaceChildren(
      ...(key
        ? [
            make("p", {}, make("b", { textContent: `${key}: `, translate: false }), ...coded(meaning(key, rule))),
            make("pre", { textContent: kindOf(rule).help[key]?.example ?? EXAMPLES[key], ariaLabel: said.example }),
          ]
        : [make("p", { textContent: said.helphint })]),
    );
  }

  /** Goes to a key in the text, or only explains it. */
  #go(key) {
    const entry = entries(this.#area.value).find(({ name }) => keyOf(name) === key);
    if (entry) {
      const at = entry.rows[0] ?? entry;
      this.#area.focus();
      this.#area.setSelectionRange(at.from, at.to);
      const high = parseFloat(getComputedStyle(this.#area).lineHeight);
      this.#area.scrollTop = Math.max(0, (entry.line - 3) * high);
    }
    this.#tell(key);
  }

  /** What can be written at the cursor: [the beginning that is there, whole words]. */
  #known(all = false) {
    const { said } = this.#row;
    const after = this.#area.value.slice(this.#area.selectionStart).split("\n")[0];
    if (isGame(this.#area.value) || after.trim() || this.#area.selectionStart !== this.#area.selectionEnd)
      return ["", []];
    if (/^[\w-]*$/.test(said)) {
      const there = new Set(entries(this.#area.value).map(({ name }) => name));
      const able = KEYS.filter((key) => means(key, this.#rule));
      const begun = able.filter((key) => key.startsWith(said) && (key === said || !there.has(key)));
      return [said, said || all ? begun.map((key) => `${key}: `) : []];
    }
    const [, key, value] = /^([\w-]+)(?: \d+)?:\s*(.*)$/.exec(said) ?? [];
    const words = (VALUES[key] ?? []).filter((word) => word.startsWith(value) && word !== value);
    if (words.length) return [value ?? "", words];
    const begun = /(?:^|\s)([a-z][a-z-]*)$/.exec(said)?.[1] ?? "";
    const row = wordsOfRow(this.#here, this.#rule, said);
    return [begun, begun.length > 1 ? row.filter((word) => word.startsWith(begun) && word !== begun) : []];
  }

  #offer(all = false) {
    const [begun, words] = this.#known(all);
    if (!words.length) return this.#close();
    this.#choice = 0;
    this.#list.replaceChildren(
      ...words.map((word, k) => {
        const each = make("div", { id: `offer${k}`, onpointerdown: (event) => this.#take(event, begun, word) });
        each.setAttribute("role", "option");
        const key = word.slice(0, -2);
        const means = `${key}: ` === word && KEYS.includes(key) ? meaning(key, this.#rule) : "";
        each.append(make("b", { textContent: word.trim(), translate: false }), make("span", {}, ...coded(means)));
        each.dataset.word = word;
        return each;
      }),
    );
    this.#list.dataset.begun = begun;
    const style = getComputedStyle(this.#area);
    const high = parseFloat(style.lineHeight);
    const top = parseFloat(style.paddingTop) + (this.#row.line + 1) * high - this.#area.scrollTop;
    this.#list.style.top = `${this.#area.offsetTop + top}px`;
    this.#list.hidden = false;
    this.#area.setAttribute("aria-controls", "offers");
    this.#mark();
  }

  #mark() {
    for (const [k, each] of [...this.#list.children].entries()) {
      each.setAttribute("aria-selected", String(k === this.#choice));
      if (k === this.#choice) each.scrollIntoView({ block: "nearest" });
    }
    this.#area.setAttribute("aria-activedescendant", `offer${this.#choice}`);
  }

  #close() {
    this.#list.hidden = true;
    this.#area.removeAttribute("aria-activedescendant");
    this.#area.removeAttribute("aria-controls");
  }

  #take(event, begun, word) {
    event.preventDefault();
    const at = this.#area.selectionStart;
    const text = this.#area.value;
    this.#editor.put(text.slice(0, at - begun.length) + word + text.slice(at));
    const end = at - begun.length + word.length;
    this.#area.setSelectionRange(end, end);
    this.#close();
    this.#explain();
    this.#offer();
  }

  #pressed(event) {
    if (event.isComposing) return;
    if (event.key === " " && event.ctrlKey) {
      event.preventDefault();
      this.#offer(true);
      return;
    }
    if (this.#list.hidden) return;
    const count = this.#list.children.length;
    const step = { ArrowDown: 1, ArrowUp: count - 1 }[event.key];
    if (step) {
      this.#choice = (this.#choice + step) % count;
      this.#mark();
    } else if (event.key === "Enter" || event.key === "Tab") {
      this.#take(event, this.#list.dataset.begun, this.#list.children[this.#choice].dataset.word);
    } else if (event.key === "Escape") {
      this.#close();
    } else {
      if (/^(Arrow|Home|End|Page)/.test(event.key)) this.#close();
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  }
}
