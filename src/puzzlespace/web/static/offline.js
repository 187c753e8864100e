// The page as an app: the browser keeps its files (service-worker.js).

/** Lets the browser keep some files now, which it otherwise keeps once they are needed. */
export async function keepNow(addresses) {
  await navigator.serviceWorker?.ready;
  for (const address of addresses) await fetch(address).catch(() => {});
}

/** Lets the browser keep the files of this version. Browsers do so on https and on the machine itself only. */
export function keepFiles() {
  const version = new URL(import.meta.url).pathname.split("/").at(-2);
  const worker = new URL(`../../service-worker.js?version=${version}`, import.meta.url);
  navigator.serviceWorker?.register(worker).catch(() => {});
}
