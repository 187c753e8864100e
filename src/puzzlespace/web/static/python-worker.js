// A worker with Python: the interpreter as WebAssembly and the library itself answer the questions of a static site.

import { loadPyodide } from "./pyodide/pyodide.mjs";

let ready = null;

async function started() {
  const [python, archive] = await Promise.all([
    loadPyodide(),
    fetch(new URL("puzzlespace.zip", import.meta.url)).then((answer) => answer.arrayBuffer()),
  ]);
  python.unpackArchive(archive, "zip", { extractDir: "/puzzlespace" });
  return python.runPython(
    'import sys; sys.path.insert(0, "/puzzlespace"); from puzzlespace.web.inside import asker; asker()',
  );
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
