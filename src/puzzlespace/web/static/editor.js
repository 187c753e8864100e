// The editor of the puzzle file. It shows an error under its line, with a mark at its column.

import { columns } from "./draw.js";

export class Editor {
  #area;
  #mistake;
  #marks;
  #timer = 0;
  #place = null;

  /** changed(text): called for each change by typing; typed(text): called 250 ms after the last one. */
  constructor(root, changed, typed) {
    this.#area = root.querySelector("textarea");
    this.#mistake = root.querySelector("#mistake");
    this.#marks = root.querySelector(".marks");
    this.#area.addEventListener("input", () => {
      changed(this.text);
      clearTimeout(this.#timer);
      this.#timer = setTimeout(() => typed(this.text), 250);
    });
    this.#area.addEventListener("scroll", () => this.#put());
    this.#area.addEventListener("keydown", (event) => {
      if (event.key === "Escape") this.#area.blur();
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

  set text(text) {
    this.drop();
    if (this.#area.value !== text) this.#area.value = text;
    this.fine();
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

  #put() {
    if (!this.#place) return;
    const style = getComputedStyle(this.#area);
    const high = parseFloat(style.lineHeight);
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
