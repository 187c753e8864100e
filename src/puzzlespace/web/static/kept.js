// The texts that a person wrote in the editor, kept for this tab of the browser until it is closed. The last text of any
// tab is kept for the next visit.

const MOST = 20; // replaced texts that are kept

export class KeptTexts {
  #draft = stored("sessionStorage", "draft");
  #replaced = stored("sessionStorage", "replaced") ?? [stored("localStorage", "draft")].filter(Boolean);

  /** The text that a person wrote and that is in the editor, or null. */
  get draft() {
    return this.#draft;
  }

  /** Whether a text was replaced that can be brought back. */
  get replacedAny() {
    return this.#replaced.length > 0;
  }

  /** A person changed the text. */
  typed(text) {
    this.#draft = text.trim() ? text : null;
    this.#store();
  }

  /** The page replaces the text of the editor by another. */
  replaced(text) {
    const kept = this.#replaced.filter((each) => each !== this.#draft && each !== text);
    if (this.#draft && this.#draft !== text) kept.push(this.#draft);
    this.#replaced = kept.slice(-MOST);
    this.#draft = null;
    this.#store();
  }

  /** The text that was replaced last. The one in the editor takes the place before the others. */
  restored() {
    const text = this.#replaced.pop();
    if (this.#draft && this.#draft !== text) this.#replaced.unshift(this.#draft);
    this.#draft = text;
    this.#store();
    return text;
  }

  #store() {
    try {
      sessionStorage.setItem("draft", JSON.stringify(this.#draft));
      sessionStorage.setItem("replaced", JSON.stringify(this.#replaced));
      if (this.#draft) localStorage.setItem("draft", JSON.stringify(this.#draft));
    } catch {
      /* the browser may forbid storage */
    }
  }
}

function stored(where, key) {
  try {
    return JSON.parse(window[where].getItem(key));
  } catch {
    return null;
  }
}
