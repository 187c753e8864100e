// What the server says about a text that it could read: notes on how it was read, and warnings.

import { icon } from "./icons.js";

/** The warnings and notes of a puzzle in a language: {line, text}. */
export function remarksOf({ warnings = [], notes = [], ja }, lang) {
  const japanese = lang === "ja" ? [...(ja?.warnings ?? []), ...(ja?.notes ?? [])] : [];
  return [...warnings, ...notes].map((each, index) => {
    const { text, hint } = japanese[index] ?? each;
    return { line: each.line, text: hint ? `${text} — ${hint}` : text };
  });
}

/** Lines above the board that a person can hide. */
export class Notice {
  #root;
  #hidden = ""; // what was hidden last

  constructor(root) {
    this.#root = root;
  }

  /** Shows remarks, unless they were hidden. key: the text that they are about; hide: the name of the button. */
  show(remarks, key, hide) {
    if (!remarks.length || key === this.#hidden) return this.#root.replaceChildren();
    const lines = Object.assign(document.createElement("div"), { className: "told" });
    for (const { line, text } of remarks) {
      const row = document.createElement("p");
      row.textContent = (line ? `${line}: ` : "") + text;
      lines.append(row);
    }
    const button = document.createElement("button");
    Object.assign(button, { type: "button", className: "quiet", title: hide, innerHTML: icon("close") });
    button.setAttribute("aria-label", hide);
    button.addEventListener("click", () => {
      this.#hidden = key;
      this.#root.replaceChildren();
    });
    this.#root.replaceChildren(lines, button);
  }
}
