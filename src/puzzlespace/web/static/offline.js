// The page as an app: the browser keeps its files (service-worker.js).

const VERSION = new URL(import.meta.url).pathname.split("/").at(-2);

/**
 * Waits until what the page asks for is kept. Only browsers that keep files get there. Nothing is asked of the worker of
 * another version: it keeps none of it, and Chromium may leave it in place for minutes if it is asked as it is replaced.
 */
async function kept() {
  const { serviceWorker } = navigator;
  const ours = (worker) => worker?.scriptURL.endsWith(`?version=${VERSION}`);
  if (ours(serviceWorker?.controller)) return;
  // A page that was on its way when the worker took over all pages is none of them, and asks for itself.
  serviceWorker?.ready.then(({ active }) => ours(active) && active.postMessage("take over"));
  await new Promise((done) => {
    serviceWorker?.addEventListener("controllerchange", () => ours(serviceWorker.controller) && done());
  });
}

/** Lets the browser keep some files now, which it otherwise keeps once they are needed: one after the other, to its end. */
export async function keepNow(addresses) {
  await kept();
  for (const address of addresses)
    await fetch(address)
      .then((answer) => answer.arrayBuffer())
      .catch(() => {});
}

/**
 * Lets the browser keep the files of this version that were needed so far, and later ones when they are; a whole static
 * site once that is an app. Browsers do so on https and on the machine itself only.
 */
export function keepFiles() {
  const root = new URL("../../", import.meta.url);
  navigator.serviceWorker?.register(new URL(`service-worker.js?version=${VERSION}`, root)).catch(() => {});
  kept().then(() => {
    const shown = performance.getEntriesByType("resource").map(({ name }) => name);
    return keepNow([location.pathname, ...shown.filter((name) => name.startsWith(new URL("./", import.meta.url)))]);
  });
  const all = () => keepSite(root).catch(() => {});
  if (matchMedia("(display-mode: standalone)").matches) all();
  addEventListener("appinstalled", all);
}

/** Lets the browser keep all puzzles of a static site and their pages. */
async function keepSite(root) {
  const answer = await fetch(new URL("files.json", import.meta.url));
  if (answer.ok) await keepNow((await answer.json()).map((path) => new URL(path, root)));
}
