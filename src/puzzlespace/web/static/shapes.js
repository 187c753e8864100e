// Shapes as SVG text: elements, words, outlines. A cell is UNIT wide.

export const UNIT = 40;

/** A length with two decimals at most. */
export const number = (value) => String(Math.round(value * 100) / 100);
export const escaped = (text) => String(text).replace(/[&<>"']/g, (c) => `&#${c.charCodeAt(0)};`);

/** An element as text. Attributes are escaped, the body is not. */
export function tag(name, attributes, body = "") {
  const words = Object.entries(attributes).map(
    ([key, value]) => ` ${key}="${escaped(typeof value === "number" ? number(value) : value)}"`,
  );
  return `<${name}${words.join("")}>${body}</${name}>`;
}

/** The width of a text in columns: Chinese and Japanese letters take two. */
export function columns(text) {
  return [...text].reduce((sum, letter) => sum + (letter.codePointAt(0) > 0x2e7f ? 2 : 1), 0);
}

/** A word around a point, `size` cells high. */
export function text(word, size, fill, [x, y]) {
  return tag(
    "text",
    { x, y: y + 0.36 * size * UNIT, "font-size": size * UNIT, fill, "text-anchor": "middle" },
    escaped(word),
  );
}

/** The outline of a union of unit squares (given by their top left corners), `inset` cells inside, corners rounded. */
export function rounded(corners, inset, radius) {
  const spot = (x, y) => `${number(x * UNIT)},${number(y * UNIT)}`;
  const turn = (loop, corner, k) => {
    const come = way(loop.at(k - 1), corner);
    const go = way(corner, loop[(k + 1) % loop.length]);
    const x = corner[0] - inset * (come[1] + go[1]);
    const y = corner[1] + inset * (come[0] + go[0]);
    const before = spot(x - come[0] * radius, y - come[1] * radius);
    const after = spot(x + go[0] * radius, y + go[1] * radius);
    return `${k ? "L" : "M"}${before}Q${spot(x, y)} ${after}`;
  };
  const outline = (loop) => `${loop.map((corner, k) => turn(loop, corner, k)).join("")}Z`;
  return loops(corners).map(outline).join("");
}

const way = (a, b) => [Math.sign(b[0] - a[0]), Math.sign(b[1] - a[1])];

/** The corners of every closed outline, clockwise (y points down). */
function loops(corners) {
  const taken = new Set(corners.map(String));
  const leaving = new Map();
  const side = (from, to, beside) => {
    if (!taken.has(String(beside))) leaving.set(String(from), [...(leaving.get(String(from)) ?? []), to]);
  };
  for (const [x, y] of corners) {
    side([x, y], [x + 1, y], [x, y - 1]);
    side([x + 1, y], [x + 1, y + 1], [x + 1, y]);
    side([x + 1, y + 1], [x, y + 1], [x, y + 1]);
    side([x, y + 1], [x, y], [x - 1, y]);
  }
  const found = [];
  while (leaving.size) {
    const first = [...leaving.keys()][0];
    const loop = [first.split(",").map(Number)];
    do loop.push(follow(leaving, loop.at(-2), loop.at(-1)));
    while (String(loop.at(-1)) !== first);
    loop.pop();
    found.push(
      loop.filter((here, k) => String(way(loop.at(k - 1), here)) !== String(way(here, loop[(k + 1) % loop.length]))),
    );
  }
  return found;
}

/** Takes an edge that leaves `here` out of `leaving`. If there are two, takes the one to the right. */
function follow(leaving, before, here) {
  const ends = leaving.get(String(here));
  const right = before && String([here[0] - (here[1] - before[1]), here[1] + (here[0] - before[0])]);
  const index = Math.max(
    0,
    ends.findIndex((end) => String(end) === right),
  );
  const [end] = ends.splice(index, 1);
  if (!ends.length) leaving.delete(String(here));
  return end;
}
