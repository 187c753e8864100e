// The buffers of a map from the server, and the colours of its positions.

/** Colours from near the goal to far from it. Their lightness is monotone, so they are readable in grey. */
const SHADES = {
  light: ["#f0a24a", "#e0603f", "#b5367a", "#6a1f81", "#2c105c"],
  dark: ["#fde725", "#8fd744", "#35b779", "#3f8fb8", "#5a66c8"],
};
const LOST = [0.5, 0.5, 0.5];

const rgb = (hex) => [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16) / 255);

/** The colour of a fraction from 0 to 1, as three numbers from 0 to 1. */
export function shadeOf(theme, share) {
  const stops = SHADES[theme].map(rgb);
  const at = Math.min(Math.max(share, 0), 1) * (stops.length - 1);
  const low = Math.min(Math.floor(at), stops.length - 2);
  return stops[low].map((part, k) => part + (stops[low + 1][k] - part) * (at - low));
}

/** The depths that colours show: distances to the goal, or from the position in the middle of a part. */
const measureOf = (data) => (data.measured === "goal" ? data.distance : data.layers);

/** The greatest depth. */
export const deepestOf = (data) => measureOf(data).reduce((most, value) => Math.max(most, value), 0);

/** Red, green and blue of all positions, one after the other. */
export function coloursOf(data, theme) {
  const measure = measureOf(data);
  const deepest = Math.max(1, deepestOf(data));
  const colours = new Float32Array(3 * data.count);
  const shades = Array.from({ length: deepest + 1 }, (_, depth) => shadeOf(theme, depth / deepest));
  for (const [node, depth] of measure.entries()) colours.set(shades[depth] ?? LOST, 3 * node);
  return colours;
}

/** The map from a line and its raw bytes. Both layouts are scaled into the unit ball. */
export function unpacked({ count, moves, cells, ...rest }, raw) {
  let at = 0;
  const take = (kind, length) => {
    const bytes = length * kind.BYTES_PER_ELEMENT;
    const part = new kind(raw.slice(at, at + bytes));
    at += bytes;
    return part;
  };
  const space = fitted(take(Float32Array, 3 * count));
  const layered = fitted(take(Float32Array, 3 * count));
  const distance = take(Int16Array, count);
  const layers = take(Int16Array, count);
  const pairs = take(Uint32Array, 2 * moves);
  const symbols = take(Uint8Array, cells * count);
  return { count, moves, cells, ...rest, space, layered, distance, layers, pairs, symbols };
}

function fitted(places) {
  const low = [Infinity, Infinity, Infinity];
  const high = [-Infinity, -Infinity, -Infinity];
  places.forEach((value, k) => {
    low[k % 3] = Math.min(low[k % 3], value);
    high[k % 3] = Math.max(high[k % 3], value);
  });
  let most = 1e-6;
  const moved = places.map((value, k) => value - (low[k % 3] + high[k % 3]) / 2);
  for (let k = 0; k < moved.length; k += 3) most = Math.max(most, Math.hypot(moved[k], moved[k + 1], moved[k + 2]));
  return moved.map((value) => value / most);
}
