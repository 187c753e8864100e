// Positions: their short ids, their symbols, and the words of their cells.

import { objectsOf } from "./sprites.js";

const DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/** The symbols of a position from its short id; of a level of a game the objects of each cell. */
export function symbolsOf(about, id) {
  if (about.game) return objectsOf(about, id);
  let number = 0n;
  for (const digit of id.slice(1)) number = number * 62n + BigInt(DIGITS.indexOf(digit));
  const found = new Array(about.cells);
  const base = BigInt(about.symbols);
  for (let cell = about.cells - 1; cell >= 0; cell--) {
    found[cell] = Number(number % base);
    number /= base;
  }
  return found;
}

/** The short id of a position from its symbols. */
export function idOf(about, symbols) {
  const base = BigInt(about.symbols);
  let number = 0n;
  let digits = "";
  for (const symbol of symbols) number = number * base + BigInt(symbol);
  for (; number; number /= 62n) digits = DIGITS[Number(number % 62n)] + digits;
  return `~${digits || "0"}`;
}

/** The word of each cell of a position: of the start as written, else like pieces get their letters in reading order. */
export function wordsOf(about, symbols) {
  if (about.words && idOf(about, symbols) === about.start) return about.words;
  const words = new Array(symbols.length).fill(".");
  const used = {};
  symbols.forEach((symbol, cell) => {
    if (symbol === about.body) return;
    const letters = about.letters?.[symbol] ?? ["."];
    used[symbol] = (used[symbol] ?? -1) + 1;
    const word = letters[Math.min(used[symbol], letters.length - 1)];
    for (const each of cellsOf(about, symbols, cell)) words[each] = word;
  });
  return words;
}

/** The cells of the piece whose first cell is `cell`. */
export const cellsOf = (about, symbols, cell) => [cell, ...(about.covers?.[symbols[cell]]?.[cell] ?? [])];

/** Whether symbols are a position: pieces of several cells cover their own cells, and have letters enough. */
export function isPosition(about, symbols) {
  if (!about.covers) return true;
  const blocks = new Map();
  const covered = symbols.flatMap((symbol, cell) => {
    if (symbol === about.body) return [];
    const others = about.covers[symbol]?.[cell] ?? [-1];
    if (others.length) blocks.set(symbol, (blocks.get(symbol) ?? 0) + 1);
    return others;
  });
  const bodies = symbols.flatMap((symbol, cell) => (symbol === about.body ? [cell] : []));
  const lettered = [...blocks].every(([symbol, count]) => count <= about.letters[symbol]?.length);
  return lettered && String(covered.sort((a, b) => a - b)) === String(bodies);
}

/** The words of the pieces of a position by their first cells; {} if words are made in another way. */
export function wordsAt(about, id) {
  if (!about.letters) return {};
  const symbols = symbolsOf(about, id);
  const words = wordsOf(about, symbols);
  const firsts = symbols.flatMap((symbol, cell) => (symbol === about.body || words[cell] === "." ? [] : [cell]));
  return Object.fromEntries(firsts.map((cell) => [cell, words[cell]]));
}
