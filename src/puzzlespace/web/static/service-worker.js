// Keeps the page's own files, so that the page opens while the server is away. The version of the files is in the
// address of this script, in theirs and in the name of the cache: files of two versions are never mixed.

const VERSION = new URL(location.href).searchParams.get("version");
const OURS = "puzzlespace-";
const CACHE = OURS + VERSION;
const PAGE = "/";
const FILE = /(?:href|src)="(\/static\/[^"]+)"/g;

/** Keeps the page and all files that it names. Throws an error if the server has another version by now. */
async function keep() {
  const page = await fetch(PAGE, { cache: "no-store" });
  const files = [...(await page.clone().text()).matchAll(FILE)].map(([, path]) => path);
  if (!page.ok || !files.length || !files.every((path) => path.startsWith(`/static/${VERSION}/`)))
    throw new Error("the server has another version of the page");
  const cache = await caches.open(CACHE);
  await cache.addAll(files);
  await cache.put(PAGE, page);
}

/** Drops the files of other versions. */
async function tidy() {
  const names = await caches.keys();
  await Promise.all(names.filter((name) => name.startsWith(OURS) && name !== CACHE).map((name) => caches.delete(name)));
}

/** The page from the server; if that is away, the one that is kept. */
async function page(request) {
  const answer = await fetch(request).catch(() => null);
  if (answer && answer.status < 500) return answer;
  return (await caches.match(PAGE, { cacheName: CACHE })) ?? answer ?? Response.error();
}

async function file(request) {
  return (await caches.match(request, { cacheName: CACHE })) ?? fetch(request);
}

addEventListener("install", (event) => event.waitUntil(keep().then(() => self.skipWaiting())));
addEventListener("activate", (event) => event.waitUntil(tidy().then(() => self.clients.claim())));
addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== "GET" || origin !== location.origin || request.cache === "no-store") return;
  if (request.mode === "navigate" && pathname === PAGE) event.respondWith(page(request));
  else if (pathname.startsWith(`/static/${VERSION}/`)) event.respondWith(file(request));
});
