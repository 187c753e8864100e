// The editor of the puzzle file. It shows an error under its line, with a mark at its column. What was typed or drawn
// can be undone.

import { columns } from "./shapes.js";

const MOST = 300; // texts that undo can bring back
const TOGETHER = 1000; // milliseconds within which typed changes are undone together

export class Editor {
  #area;
  #mistake;
  #marks;
  #remarks;
  #said = []; // what is said about the text: {line, text}
  #timer = 0;
  #place = null;
  #changed;
  #typed;
  #last = ""; // the text after the last change that is remembered
  #past = [];
  #future = [];
  #when = 0; // when something was typed last

  /** changed(text): called for each change by a person; typed(text): called 250 ms after the last one. */
  constructor(root, changed, typed) {
    this.#area = root.querySelector("textarea");
    this.#mistake = root.querySelector("#mistake");
    this.#marks = root.querySelector(".marks");
    this.#remarks = root.querySelector(".remarks");
    this.#changed = changed;
    this.#typed = typed;
    this.#area.addEventListener("input", () => this.#written(this.#last, true));
    this.#area.addEventListener("beforeinput", (event) => {
      const way = { historyUndo: "undo", historyRedo: "redo" }[event.inputType];
      if (!way) return;
      event.preventDefault();
      this[way]();
    });
    this.#area.addEventListener("scroll", () => this.#put());
    root.addEventListener("keydown", (event) => {
      const key = event.key.toLowerCase();
      if (event.target === this.#area && key === "escape" && !event.defaultPrevented) this.#area.blur();
      if (!(event.ctrlKey || event.metaKey) || event.altKey || (key !== "z" && key !== "y")) return;
      event.preventDefault();
      this[key === "y" || event.shiftKey ? "redo" : "undo"]();
    });
    new ResizeObserver(() => this.#put()).observe(this.#area);
  }

  /** The placeholder of the empty editor. */
  set nothing(words) {
    this.#area.placeholder = words;
  }

  get text() {
    return this.#area.value;
  }

  /** Shows another text, which the page chose. What was written before cannot be undone. */
  set text(text) {
    this.drop();
    if (this.#area.value !== text) this.#area.value = text;
    if (this.#last !== this.text) this.#past = this.#future = [];
    this.#last = this.text;
    this.fine();
  }

  /** Called when a stroke begins to change the text: what was asked about it before is not wanted any more. */
  began = () => {};

  /** Shows a text while a stroke is painted. */
  live(text) {
    this.drop();
    this.began();
    const { scrollTop, scrollLeft } = this.#area;
    this.#area.value = text;
    Object.assign(this.#area, { scrollTop, scrollLeft });
  }

  /** A person changed the text by other means than typing. Changes with `together` are undone like typed ones. */
  put(text, before = this.text, together = false) {
    this.live(text);
    this.#written(before, together);
  }

  get undoable() {
    return this.#past.length > 0;
  }

  get redoable() {
    return this.#future.length > 0;
  }

  undo() {
    this.#travel(this.#past, this.#future);
  }

  redo() {
    this.#travel(this.#future, this.#past);
  }

  #travel(from, to) {
    if (!from.length) return;
    to.push(this.text);
    this.live(from.pop());
    this.#when = 0;
    const now = this.text;
    const before = to.at(-1);
    let end = now.length;
    for (let k = before.length; end && k && now[end - 1] === before[k - 1]; k--) end--;
    this.#area.setSelectionRange(end, end);
    this.#tell();
  }

  #written(before, together) {
    const now = Date.now();
    if (before !== this.text) {
      if (!together || now - this.#when > TOGETHER || !this.#past.length) {
        this.#past = [...this.#past, before].slice(-MOST);
      }
      this.#future = [];
    }
    this.#when = together ? now : 0;
    this.#tell();
  }

  #tell() {
    this.#last = this.text;
    this.#changed(this.text);
    this.again();
  }

  /** The text is read soon. */
  again() {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#typed(this.text), 250);
  }

  /** What was typed last is not read any more: another puzzle is on its way. */
  drop() {
    clearTimeout(this.#timer);
  }

  /** Whether an error is shown. */
  get bad() {
    return !this.#mistake.hidden;
  }

  /** Hides the error. */
  fine() {
    this.#place = null;
    this.#mistake.hidden = true;
    this.#marks.hidden = true;
    this.#area.removeAttribute("aria-invalid");
  }

  /** Shows an error under its line, or under the first line if it has none. */
  wrong({ message, line = 0, column = 0, hint = "" }) {
    this.#place = { line: Math.max(line, 1), column: Math.max(column, 1) };
    this.#mistake.textContent = (line ? `${line}: ` : "") + message + (hint ? ` — ${hint}` : "");
    this.#mistake.hidden = false;
    this.#marks.hidden = false;
    this.#area.setAttribute("aria-invalid", "true");
    this.#put();
  }

  /** Shows what is said about a text that is no error: {line, text}, each at its line; those without a line are left out. */
  set remarks(said) {
    this.#said = said.filter(({ line }) => line);
    this.#remarks.replaceChildren(
      ...this.#said.map(({ text }) => {
        const row = document.createElement("p");
        row.append(Object.assign(document.createElement("span"), { textContent: text }));
        return row;
      }),
    );
    this.#put();
  }

  #put() {
    const style = getComputedStyle(this.#area);
    const high = parseFloat(style.lineHeight);
    this.#said.forEach(({ line }, index) => {
      const top = parseFloat(style.paddingTop) + (line - 1) * high - this.#area.scrollTop;
      this.#remarks.children[index].style.top = `${top}px`;
    });
    if (!this.#place) return;
    const top = parseFloat(style.paddingTop) + this.#place.line * high - this.#area.scrollTop;
    const inside = top > 0 && top < this.#area.clientHeight + high;
    const row = this.#area.value.split("\n")[this.#place.line - 1] ?? "";
    const before = columns(row.slice(0, this.#place.column - 1));
    this.#mistake.style.top = `${Math.min(Math.max(top, 0), this.#area.clientHeight)}px`;
    this.#marks.style.top = `${top - high}px`;
    this.#marks.style.height = `${high}px`;
    this.#marks.hidden = !inside;
    const caret = this.#marks.firstElementChild;
    caret.style.left = `calc(${style.paddingLeft} + ${before}ch - ${this.#area.scrollLeft}px)`;
  }
}
