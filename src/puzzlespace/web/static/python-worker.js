// A worker with Python: the interpreter as WebAssembly and the library itself answer the questions of a static site.

import { laidOut } from "./layout.js";
import { loadPyodide } from "./pyodide/pyodide.mjs";

let ready = null;

async function started() {
  const [python, archive] = await Promise.all([
    loadPyodide(),
    fetch(new URL("puzzlespace.zip", import.meta.url)).then((answer) => answer.arrayBuffer()),
  ]);
  python.unpackArchive(archive, "zip", { extractDir: "/puzzlespace" });
  const asker = python.runPython(
    'import sys; sys.path.insert(0, "/puzzlespace"); from puzzlespace.web.inside import asker; asker',
  );
  const memory = python._module.memory ?? python._module.wasmMemory;
  return asker(await loops(python, memory), () => memory.buffer.byteLength);
}

/** A function that runs a compiled loop of the library on Python's own memory, by its name, addresses and numbers. */
async function loops(python, memory) {
  const found = {};
  for (const file of ["program/loops.wasm", "table/windows.wasm"]) {
    const code = python.FS.readFile(`/puzzlespace/puzzlespace/kernels/${file}`);
    Object.assign(found, (await WebAssembly.instantiate(code, { env: { memory } })).instance.exports);
  }
  return (name, ...numbers) => found[name](...numbers);
}

/** Sends a line of an answer and the bytes after it; a map with the places of its positions before all else. */
function send(line, bytes) {
  const told = JSON.parse(line);
  if (!bytes) {
    postMessage(told);
    return;
  }
  const raw = bytes.toJs();
  const { count, moves, measured } = told.map;
  const [distance, layers] = [0, 1].map((at) => new Int16Array(raw.slice(2 * count * at, 2 * count * (at + 1)).buffer));
  const pairs = new Uint32Array(raw.slice(4 * count, 4 * count + 8 * moves).buffer);
  const places = laidOut(count, pairs, measured === "goal" ? distance : layers);
  const whole = new Uint8Array(24 * count + raw.length);
  for (const [at, each] of places.entries()) whole.set(new Uint8Array(each.buffer), 12 * count * at);
  whole.set(raw, 24 * count);
  postMessage({ ...told, raw: whole.buffer }, [whole.buffer]);
}

addEventListener("message", async ({ data }) => {
  ready ??= started();
  try {
    (await ready)(JSON.stringify(data), send);
  } catch (error) {
    console.error(error);
    postMessage({ error: { kind: "bug", message: "" }, done: true });
  }
});
