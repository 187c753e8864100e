// How hard a game is: a share of the greatest distance to the goal.

import { SHARES } from "./deals.js";

/**
 * The distances of the levels, from the greatest distance. If it is not known (null) there is no hardest level, and how
 * far the others are is known once a game is dealt.
 */
export function levelsOf(deepest) {
  const depth = (share) => Math.max(1, Math.round(share * deepest));
  const entries = Object.entries(SHARES).map(([level, share]) => [level, deepest ? depth(share) : null]);
  return Object.fromEntries(deepest ? entries : entries.slice(0, -1));
}
