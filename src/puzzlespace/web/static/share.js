// The address of a puzzle and a position: #NAME or #.TEXT (deflated, base 64), then @METRIC or @LEVEL, then ~POSITION.

const LONGEST = 65536; // bytes that packing or unpacking may give

async function piped(bytes, through) {
  const reader = new Blob([bytes]).stream().pipeThrough(through).getReader();
  const parts = [];
  let size = 0;
  for (let step = await reader.read(); !step.done; step = await reader.read()) {
    size += step.value.length;
    if (size > LONGEST) throw new Error("too long");
    parts.push(step.value);
  }
  return new Uint8Array(await new Blob(parts).arrayBuffer());
}

async function packed(text) {
  const bytes = await piped(new TextEncoder().encode(text), new CompressionStream("deflate-raw"));
  const letters = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
  return letters.replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

async function unpacked(letters) {
  const bytes = Uint8Array.from(atob(letters.replaceAll("-", "+").replaceAll("_", "/")), (letter) =>
    letter.charCodeAt(0),
  );
  return new TextDecoder("utf-8", { fatal: true }).decode(await piped(bytes, new DecompressionStream("deflate-raw")));
}

/** The fragment for a source ({puzzle} or {text}, and optionally a metric, or a level of a game) and a position. */
export async function written({ puzzle, text, metric, level }, position) {
  const head = puzzle
    ? encodeURIComponent(puzzle).replaceAll("%3A", ":").replaceAll("%2C", ",").replaceAll("~", "%7E")
    : `.${await packed(text)}`;
  const part = level > 1 ? level : metric;
  return `#${head}${part ? `@${part}` : ""}${position ?? ""}`;
}

/** {source, position} of a fragment, null if it is empty. Throws an error if it cannot be read. */
export async function read(hash) {
  const found = /^#([^@~]+)(?:@([a-z]+|[0-9]{1,6}))?(~[0-9A-Za-z]+)?$/.exec(hash);
  if (!found) {
    if (hash.length > 1) throw new Error("not an address of a puzzle");
    return null;
  }
  const [, head, part, position] = found;
  const source = head.startsWith(".") ? { text: await unpacked(head.slice(1)) } : { puzzle: decodeURIComponent(head) };
  const more = !part ? {} : /\d/.test(part) ? { level: Number(part) } : { metric: part };
  return { source: { ...source, ...more }, position: position ?? null };
}

/** Copies text to the clipboard, or saves a file if it is a picture or a page or copying fails. Returns whether it was copied. */
export async function handed(name, { type, text, base64 }) {
  if (text !== undefined && !/svg|html/.test(type) && (await copied(text))) return true;
  const body = base64 === undefined ? text : Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
  saved(name, new Blob([body], { type }));
  return false;
}

/** Whether an address opens on this machine alone. */
export const isLocal = (address) => /^(localhost|0\.0\.0\.0|127\..*|\[::1?\])$/.test(new URL(address).hostname);

/** Copies text. Returns whether the browser allowed it. */
export async function copied(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}

export function saved(name, blob) {
  const link = Object.assign(document.createElement("a"), { href: URL.createObjectURL(blob), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
