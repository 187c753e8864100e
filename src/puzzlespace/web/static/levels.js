// How hard a game is: a share of the greatest distance to the goal.

export const SHARES = { easy: 0.25, medium: 0.5, hard: 0.75, hardest: 1 };

/** About how many random moves make a game of a level if no distance is known: as `WALKS` of web/tasks.py. */
export const WALKS = { easy: 8, medium: 24, hard: 80 };

/**
 * The distances of the levels, from the greatest distance. If it is not known (null) there is no hardest level, and how
 * far the others are is known once a game is dealt.
 */
export function levelsOf(deepest) {
  const depth = (share) => Math.max(1, Math.round(share * deepest));
  const entries = Object.entries(SHARES).map(([level, share]) => [level, deepest ? depth(share) : null]);
  return Object.fromEntries(deepest ? entries : entries.slice(0, -1));
}
