// Games that were begun, kept in the browser: a game goes on after a reload, in another tab, and when one comes back.

const KEYS = "games"; // the names of the games that are kept, the oldest first
const MOST = 40; // games that are kept
const LONGEST = 1000; // positions of a kept game

/** A short number of a text, which tells puzzles of one name apart. */
function numberOf(text) {
  let number = 0;
  for (let at = 0; at < text.length; at++) number = (Math.imul(number, 31) + text.charCodeAt(at)) | 0;
  return number >>> 0;
}

const keyOf = ({ name, metric, text }) => `game ${name} ${metric} ${numberOf(text ?? "")}`;

function read(key) {
  try {
    return JSON.parse(localStorage.getItem(key));
  } catch {
    return null;
  }
}

/**
 * The last game of a puzzle, as `PlayHistory.stored` gave it and `over` if it is solved. Null if there is none, if it
 * never was at `position`, or if it is over and no position is wanted.
 */
export function keptGame(about, position = null) {
  const game = read(keyOf(about));
  const here = game?.spots?.[game.place];
  if (!here || (position === null && game.over)) return null;
  if (position === null || position === here.id) return game;
  const place = game.spots.findLastIndex(({ id }) => id === position);
  return place < 0 ? null : { ...game, place };
}

/** Keeps the game of a puzzle; if no move was made, the one before is forgotten. */
export function keepGame(about, game) {
  if (game.spots.length > LONGEST) return;
  const key = keyOf(about);
  const keys = (read(KEYS) ?? []).filter((each) => each !== key);
  const begun = game.spots.length > 1;
  const gone = begun ? keys.splice(0, Math.max(0, keys.length + 1 - MOST)) : [key];
  try {
    for (const each of gone) localStorage.removeItem(each);
    if (begun) localStorage.setItem(key, JSON.stringify(game));
    localStorage.setItem(KEYS, JSON.stringify(begun ? [...keys, key] : keys));
  } catch {
    /* the browser may forbid storage, or have no more room */
  }
}
