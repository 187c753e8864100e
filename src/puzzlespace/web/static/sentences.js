// Sentences about a position, as web/standalone.py writes them: see model/sentence.py.

const HOLDS = {
  Shows: ({ cell, need }, symbols) => need.includes(symbols[cell]),
  Every: ({ parts }, symbols) => parts.every((part) => holds(part, symbols)),
  Some: ({ parts }, symbols) => parts.some((part) => holds(part, symbols)),
  Not: ({ part }, symbols) => !holds(part, symbols),
  Alike: ({ among_cells }, symbols) => new Set(among_cells.map((cell) => symbols[cell])).size <= 1,
  Counted: ({ need, among_cells, low, high }, symbols) => {
    const count = among_cells.filter((cell) => need.includes(symbols[cell])).length;
    return low <= count && count <= high;
  },
  Compared: ({ terms, low, high }, symbols) => {
    const sum = terms.reduce((before, [cell, table]) => before + table[symbols[cell]], 0);
    return (low === null || low <= sum) && (high === null || sum <= high);
  },
  Connected: ({ need, links }, symbols) => {
    const wanted = new Set([...links.keys()].filter((cell) => need.includes(symbols[cell]))); // not what is beside it
    const pending = [...wanted].slice(0, 1);
    while (pending.length) {
      const cell = pending.pop();
      if (wanted.delete(cell)) pending.push(...links[cell].filter((near) => wanted.has(near)));
    }
    return wanted.size === 0;
  },
};

/** Whether a sentence is true of a position. */
export function holds(sentence, symbols) {
  return HOLDS[sentence.is](sentence, symbols);
}
