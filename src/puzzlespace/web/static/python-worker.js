// A worker with Python: the interpreter as WebAssembly and the library itself answer the questions of a static site.

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

/** A function that runs a compiled loop of the library on Python's own memory, by its name and addresses. */
async function loops(python, memory) {
  const code = python.FS.readFile("/puzzlespace/puzzlespace/kernels/program/loops.wasm");
  const { instance } = await WebAssembly.instantiate(code, { env: { memory } });
  return (name, ...addresses) => instance.exports[name](...addresses);
}

addEventListener("message", async ({ data }) => {
  ready ??= started();
  try {
    (await ready)(JSON.stringify(data), (line) => postMessage(line));
  } catch (error) {
    console.error(error);
    postMessage(JSON.stringify({ error: { kind: "bug", message: "" }, done: true }));
  }
});
