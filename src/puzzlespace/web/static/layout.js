// Where the positions of a map lie in space, for browsers: what graph/layout.py does, with the same numbers.

const PIVOTS = 50; // the most pivots; large graphs get fewer, so that the work is almost linear
const WORK = 4_000_000; // the most pairs of node and pivot
const ROUNDS = 12; // the most rounds of the refinement; large graphs get fewer
const [FIRST_RATE, LAST_RATE] = [30, 0.02]; // the rates of the first and the last round
const NOISE = 0.05; // separates nodes that would lie on each other

/**
 * Both layouts of a connected graph, float32 [n, 3]: in space, and with `height` (int16 [n], -1: none) as height.
 *
 * pairs: uint32 [m, 2], each pair of neighbours once.
 */
export function laidOut(count, pairs, height) {
  const graph = neighbours(count, pairs);
  const { pivots, found } = farApart(count, graph);
  const space = scaled(count, found);
  const rounds = Math.max(4, Math.min(ROUNDS, Math.floor((4 * WORK) / Math.max(1, count * pivots.length))));
  const step = (LAST_RATE / FIRST_RATE) ** (1 / (rounds - 1));
  const rates = Array.from({ length: rounds }, (_, round) => FIRST_RATE * step ** round);
  for (const rate of rates) relax(graph, pivots, found, space, rate, 0);
  centre(space, 0);
  const layers = layered(space, height);
  for (const rate of rates.slice(Math.floor(rounds / 2))) relax(graph, pivots, found, layers, rate, 1);
  centre(layers, 1);
  for (let at = 0; at < layers.length; at += 3) [layers[at], layers[at + 1]] = [layers[at + 1], layers[at]];
  return [times(space, 3, axes(space, 3).slice(0, 3)), layers];
}

/** The neighbours of node v are targets[starts[v]] to before targets[starts[v + 1]]. */
function neighbours(count, pairs) {
  const starts = new Uint32Array(count + 1);
  for (const node of pairs) starts[node + 1]++;
  for (let node = 0; node < count; node++) starts[node + 1] += starts[node];
  const [ends, targets] = [starts.slice(), new Uint32Array(pairs.length)];
  for (let at = 0; at < pairs.length; at++) targets[ends[pairs[at]]++] = pairs[at ^ 1];
  return { starts, targets };
}

/** Pivots, each as far from those before as possible, and the distances from each. */
function farApart(count, { starts, targets }) {
  const pivots = new Array(Math.min(count, Math.max(4, Math.min(PIVOTS, Math.floor(WORK / count))))).fill(0);
  const nearest = new Int32Array(count).fill(2 ** 31 - 1);
  const queue = new Uint32Array(count);
  const found = pivots.map((_, number) => {
    const away = new Int32Array(count).fill(-1);
    away[pivots[number]] = 0;
    queue[0] = pivots[number];
    for (let done = 0, end = 1; done < end; done++) {
      const node = queue[done];
      for (let at = starts[node]; at < starts[node + 1]; at++) {
        if (away[targets[at]] >= 0) continue;
        away[targets[at]] = away[node] + 1;
        queue[end++] = targets[at];
      }
    }
    let farthest = 0;
    for (let node = 0; node < count; node++) {
      nearest[node] = Math.min(nearest[node], away[node]);
      if (nearest[node] > nearest[farthest]) farthest = node;
    }
    if (number + 1 < pivots.length) pivots[number + 1] = farthest;
    return away;
  });
  return { pivots, found };
}

/** Pivot multidimensional scaling: float32 [n, 3]. */
function scaled(count, found) {
  const size = found.length;
  const squares = new Float64Array(size * count);
  const [columns, all] = [new Float64Array(size), { mean: 0 }];
  for (let pivot = 0; pivot < size; pivot++) {
    for (let node = 0; node < count; node++) {
      squares[node * size + pivot] = found[pivot][node] ** 2;
      columns[pivot] += found[pivot][node] ** 2 / count;
    }
    all.mean += columns[pivot] / size;
  }
  for (let node = 0; node < count; node++) {
    let row = 0;
    for (let pivot = 0; pivot < size; pivot++) row += squares[node * size + pivot] / size;
    for (let pivot = 0; pivot < size; pivot++) squares[node * size + pivot] += all.mean - row - columns[pivot];
  }
  const space = times(squares, size, axes(squares, size).slice(0, 3));
  let [length, wanted] = [0, 0];
  for (let node = 0; node < count; node++) {
    const gap = [0, 1, 2].map((axis) => space[3 * node + axis] - space[axis]);
    length += Math.hypot(...gap);
    wanted += found[0][node];
  }
  const normal = normals();
  return space.map((part) => part * (length ? wanted / length : 1) + NOISE * normal());
}

/** Numbers of the normal distribution, the same ones each time. */
function normals() {
  let seed = 2026;
  const uniform = () => {
    seed = (seed + 0x6d2b79f5) | 0;
    let mixed = Math.imul(seed ^ (seed >>> 15), 1 | seed);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  return () => Math.sqrt(-2 * Math.log(1 - uniform())) * Math.cos(2 * Math.PI * uniform());
}

/** The axes along which rows of so many numbers vary, the widest first: eigenvectors by Jacobi's rotations. */
function axes(rows, size) {
  const matrix = Array.from({ length: size }, () => new Float64Array(size));
  for (let begin = 0; begin < rows.length; begin += size) {
    for (let a = 0; a < size; a++) {
      for (let b = 0; b <= a; b++) matrix[a][b] += rows[begin + a] * rows[begin + b];
    }
  }
  const vectors = matrix.map((row, a) => {
    for (let b = 0; b < a; b++) matrix[b][a] = row[b];
    return Float64Array.from({ length: size }, (_, b) => Number(a === b));
  });
  const total = matrix.reduce((sum, row, a) => sum + row[a], 0);
  for (let sweep = 0; sweep < 40; sweep++) {
    let most = 0;
    for (let a = 0; a < size; a++) {
      for (let b = a + 1; b < size; b++) {
        most = Math.max(most, Math.abs(matrix[a][b]));
        if (matrix[a][b]) rotate(matrix, vectors, a, b);
      }
    }
    if (most <= 1e-12 * total) break;
  }
  const order = vectors.map((_, each) => each).sort((a, b) => matrix[b][b] - matrix[a][a]);
  return order.map((each) => vectors.map((row) => row[each]));
}

function rotate(matrix, vectors, a, b) {
  const turn = (matrix[b][b] - matrix[a][a]) / (2 * matrix[a][b]);
  const tangent = (turn < 0 ? -1 : 1) / (Math.abs(turn) + Math.hypot(1, turn));
  const cosine = 1 / Math.hypot(1, tangent);
  const sine = tangent * cosine;
  for (const row of [...matrix, ...vectors])
    [row[a], row[b]] = [cosine * row[a] - sine * row[b], sine * row[a] + cosine * row[b]];
  const [one, other] = [matrix[a].slice(), matrix[b].slice()];
  one.forEach((part, at) => {
    matrix[a][at] = cosine * part - sine * other[at];
    matrix[b][at] = sine * part + cosine * other[at];
  });
}

/** Rows of `size` numbers along up to three axes: float32 [n, 3]. */
function times(rows, size, along) {
  const found = new Float32Array((3 * rows.length) / size);
  for (let begin = 0, at = 0; begin < rows.length; begin += size, at += 3) {
    along.forEach((axis, number) => {
      let sum = 0;
      for (let each = 0; each < size; each++) sum += rows[begin + each] * axis[each];
      found[at + number] = sum;
    });
  }
  return found;
}

/** Height as first coordinate, and the best plane orthogonal to it; what has no height is two layers above the highest. */
function layered(space, height) {
  const count = height.length;
  const above = height.reduce((most, each) => Math.max(most, each), 0) + 2;
  const up = Float64Array.from(height, (each) => (each < 0 ? above : each));
  const mean = up.reduce((sum, each) => sum + each, 0) / count;
  const along = [0, 0, 0];
  let weight = 0;
  for (let node = 0; node < count; node++) {
    up[node] -= mean;
    weight += up[node] ** 2;
    for (let axis = 0; axis < 3; axis++) along[axis] += up[node] * space[3 * node + axis];
  }
  const rest = Float64Array.from(
    space,
    (part, at) => part - (weight ? (up[Math.floor(at / 3)] * along[at % 3]) / weight : 0),
  );
  const flat = times(rest, 3, axes(rest, 3).slice(0, 2));
  return flat.map((_, at) => (at % 3 ? flat[at - 1] : up[at / 3]));
}

/** Moves the middle of all nodes to 0, from a coordinate on. */
function centre(places, first) {
  const sums = [0, 0, 0];
  for (let at = 0; at < places.length; at++) sums[at % 3] += (3 * places[at]) / places.length;
  for (let at = 0; at < places.length; at++) if (at % 3 >= first) places[at] -= sums[at % 3];
}

/** One round: every edge, and every pair of node and pivot, approaches its distance in the graph. */
function relax({ starts, targets }, pivots, found, places, rate, free) {
  for (let node = 0; node + 1 < starts.length; node++) {
    for (let at = starts[node]; at < starts[node + 1]; at++) {
      if (targets[at] > node) pull(places, node, targets[at], 1, Math.min(rate, 1), free);
    }
    for (let each = 0; each < pivots.length; each++) {
      const wanted = found[each][node];
      if (wanted > 1) pull(places, node, pivots[each], wanted, Math.min(rate / wanted ** 2, 1), free);
    }
  }
}

function pull(places, one, other, wanted, rate, free) {
  const [a, b] = [3 * one, 3 * other];
  const [x, y, z] = [places[a] - places[b], places[a + 1] - places[b + 1], places[a + 2] - places[b + 2]];
  const length = Math.sqrt(x * x + y * y + z * z + 1e-12);
  const share = (rate * (wanted - length)) / length / 2;
  if (!free) {
    places[a] += share * x;
    places[b] -= share * x;
  }
  places[a + 1] += share * y;
  places[b + 1] -= share * y;
  places[a + 2] += share * z;
  places[b + 2] -= share * z;
}
