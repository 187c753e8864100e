// The fewest moves that a person took for a puzzle from a position, kept in the browser.

const KEY = "bests";
const MOST = 500; // games that are remembered

function all() {
  try {
    return JSON.parse(localStorage.getItem(KEY)) ?? {};
  } catch {
    return {};
  }
}

const gameName = (about, begin) => `${about.name} ${about.metric} ${begin}`;

/** The fewest moves so far, or null. */
export const bestOf = (about, begin) => all()[gameName(about, begin)] ?? null;

/** Keeps a number of moves if it is the least. Returns the least before, or null. */
export function keepBest(about, begin, count) {
  const before = bestOf(about, begin);
  if (before !== null && before <= count) return before;
  const kept = Object.entries(all()).filter(([name]) => name !== gameName(about, begin));
  try {
    localStorage.setItem(
      KEY,
      JSON.stringify(Object.fromEntries([...kept, [gameName(about, begin), count]].slice(-MOST))),
    );
  } catch {
    /* the browser may forbid storage */
  }
  return before;
}
