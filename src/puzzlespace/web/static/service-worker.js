// Keeps the page's own files, so that the page opens while the server is away. The version of the files is in the
// address of this script, in theirs and in the name of the cache: files of two versions are never mixed.

const VERSION = new URL(location.href).searchParams.get("version");
const OURS = "puzzlespace-";
const CACHE = OURS + VERSION;
const PAGE = new URL("./", location.href).pathname;
const FILES = `${PAGE}static/${VERSION}/`;
const FILE = /(?:href|src)="([^"]*static\/[^"]+)"/g;

/**
 * Keeps the page and all files that it names. Throws an error if the server has another version by now.
 */
async function keep() {
  const page = await fetch(PAGE, { cache: "no-store" });
  const text = await page.clone().text();
  const files = [...text.matchAll(FILE)].map(([, path]) => new URL(path, location.href).pathname);
  if (!page.ok || !files.length || !files.every((path) => path.startsWith(FILES)))
    throw new Error("the server has another version of the page");
  const cache = await caches.open(CACHE);
  await cache.addAll([...new Set(files)]);
  await cache.put(PAGE, page);
}

/** Drops the files of other versions. */
async function tidy() {
  const names = await caches.keys();
  await Promise.all(names.filter((name) => name.startsWith(OURS) && name !== CACHE).map((name) => caches.delete(name)));
}

/** Keeps an answer, if the browser has room for it. */
function put(name, answer) {
  return caches
    .open(CACHE)
    .then((cache) => cache.put(name, answer))
    .catch(() => {});
}

/** A page from the server, which is kept if it is of this version; if the server is away, the page that is kept. */
async function page(request) {
  const { pathname } = new URL(request.url);
  const answer = await fetch(request).catch(() => null);
  if (answer?.ok) {
    const text = await answer.clone().text();
    if (text.includes(`static/${VERSION}/`)) await put(pathname, answer.clone());
  }
  if (answer && answer.status < 500) return answer;
  const kept = [pathname, PAGE].map((path) => caches.match(path, { cacheName: CACHE }));
  return (await Promise.all(kept)).find(Boolean) ?? answer ?? Response.error();
}

/** A file that is kept; others, such as the distances of a puzzle, are kept once they were needed. */
async function file(request) {
  const kept = await caches.match(request, { cacheName: CACHE });
  if (kept) return kept;
  const answer = await fetch(request);
  if (answer.ok) put(request, answer.clone());
  return answer;
}

addEventListener("install", (event) => event.waitUntil(keep().then(() => self.skipWaiting())));
addEventListener("activate", (event) => event.waitUntil(tidy().then(() => self.clients.claim())));
addEventListener("message", (event) => event.data === "take over" && event.waitUntil(self.clients.claim()));
addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== "GET" || origin !== location.origin || request.cache === "no-store") return;
  const ours = pathname.startsWith(PAGE) && (request.mode === "navigate" || pathname.endsWith("/"));
  if (ours) event.respondWith(page(request));
  else if (pathname.startsWith(FILES)) event.respondWith(file(request));
});
