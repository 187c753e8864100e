// Python in the browser: a worker that is started by the first question, and answers one question after the other.

import { Refused } from "./server.js";

/** Tells the page that Python is being loaded, or that it is at work (null). */
const tell = (detail) => dispatchEvent(new CustomEvent("python", { detail }));

export class BrowserPython {
  #address;
  #worker = null;
  #last = Promise.resolve();

  /** address: of python-worker.js. */
  constructor(address) {
    this.#address = address;
  }

  /** Whether a question has started it. */
  get started() {
    return !!this.#worker;
  }

  /** The lines of an answer. Aborting the signal ends the worker; the next question starts another one. */
  async *stream(task, question, signal) {
    const before = this.#last;
    let over;
    this.#last = new Promise((done) => {
      over = done;
    });
    try {
      await before;
      signal?.throwIfAborted();
      yield* this.#asked(task, question, signal);
    } finally {
      over();
    }
  }

  async *#asked(task, question, signal) {
    const worker = this.#worker ?? this.#begun();
    const lines = [];
    let heard = () => {};
    const hear = ({ data, message }) => {
      if (!lines.length) tell(null);
      lines.push(data ?? { error: { kind: "bug", message }, done: true });
      heard();
    };
    worker.onmessage = worker.onerror = hear;
    const stop = () => heard();
    signal?.addEventListener("abort", stop);
    let done = false;
    try {
      worker.postMessage({ ...question, task });
      while (!done) {
        if (!lines.length && !signal?.aborted)
          await new Promise((resolve) => {
            heard = resolve;
          });
        signal?.throwIfAborted();
        const line = lines.shift();
        done = line.done;
        if (line.error) throw new Refused(line.error);
        yield line;
      }
    } finally {
      signal?.removeEventListener("abort", stop);
      if (!done) this.#end();
    }
  }

  #begun() {
    tell({ phase: "python" });
    this.#worker = new Worker(this.#address, { type: "module" });
    return this.#worker;
  }

  #end() {
    this.#worker?.terminate();
    this.#worker = null;
  }
}
