// Positions: their short ids, their symbols, and the words of their cells.

const DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/** The symbols of a position from its short id. */
export function symbolsOf(about, id) {
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

/** The word of each cell of a position. Like pieces get their letters in reading order. */
export function wordsOf(about, symbols) {
  const used = {};
  return Array.from(symbols, (symbol) => {
    const letters = about.letters?.[symbol] ?? [];
    used[symbol] = (used[symbol] ?? -1) + 1;
    return letters[Math.min(used[symbol], letters.length - 1)] ?? ".";
  });
}
