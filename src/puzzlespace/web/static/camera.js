// The camera of the map: rotation, zoom and shift, and the blend of two layouts.

const FIELD = 1.7; // cotangent of half the angle of view
const NEAR = 0.02;
const FAR = 12;
const STRAIGHT = [1, 0, 0, 0, 1, 0, 0, 0, 1];

export class Camera {
  turned = STRAIGHT;
  shift = [0, 0];
  near = 1;

  /** Weight of the second layout, from 0 to 1. */
  part = 0;

  /** canvas: the element whose size sets the aspect ratio. */
  constructor(canvas) {
    this.canvas = canvas;
  }

  /** Resets the view: from the front, zoomed so that the layouts fill the canvas. */
  home(layouts) {
    const extent = (axis) => layouts.reduce((most, places) => Math.max(most, reach(places, axis)), 0.1);
    const aspect = this.canvas.clientWidth / Math.max(this.canvas.clientHeight, 1) || 1;
    this.near = Math.min(Math.max(1.05 * Math.min(aspect / extent(0), 1 / extent(1)), 0.9), 3);
    this.turned = STRAIGHT;
    this.shift = [0, 0];
  }

  /** Rotates by angles in radians: dx around the vertical axis, dy around the horizontal one. */
  turn(dx, dy) {
    const [cx, sx, cy, sy] = [Math.cos(dy), Math.sin(dy), Math.cos(dx), Math.sin(dx)];
    const by = [cy, 0, sy, sx * sy, cx, -sx * cy, -cx * sy, sx, cx * cy];
    const before = this.turned;
    const entry = (row, column) => [0, 1, 2].reduce((sum, k) => sum + by[3 * row + k] * before[3 * k + column], 0);
    this.turned = [0, 1, 2].flatMap((row) => [0, 1, 2].map((column) => entry(row, column)));
  }

  zoom(factor) {
    this.near = Math.min(Math.max(this.near * factor, 0.4), 40);
  }

  move(dx, dy) {
    this.shift = [this.shift[0] + dx / 200 / this.near, this.shift[1] - dy / 200 / this.near];
  }

  /** The shift that brings a node to the middle. */
  centred({ space, layered }, node) {
    const p = [0, 1, 2].map((k) => space[3 * node + k] + (layered[3 * node + k] - space[3 * node + k]) * this.part);
    const t = this.turned;
    return [0, 1].map((row) => -(t[3 * row] * p[0] + t[3 * row + 1] * p[1] + t[3 * row + 2] * p[2]));
  }

  /** The matrix from places to clip coordinates, in column-major order as WebGL expects. */
  get view() {
    const { clientWidth: wide, clientHeight: high } = this.canvas;
    const t = this.turned;
    const away = 2 / this.near + 0.3;
    const aspect = wide / Math.max(high, 1);
    const [sx, sy] = aspect > 1 ? [FIELD / aspect, FIELD] : [FIELD, FIELD * aspect];
    const a = -(FAR + NEAR) / (FAR - NEAR);
    const b = (-2 * FAR * NEAR) / (FAR - NEAR);
    const column = (k) => [sx * t[k], sy * t[3 + k], a * t[6 + k], -t[6 + k]];
    const last = [sx * this.shift[0], sy * this.shift[1], b - a * away, away];
    return [...column(0), ...column(1), ...column(2), ...last];
  }

  /** x, y (in CSS pixels of the canvas) and depth of the given nodes, or of all, one after the other. */
  spots({ space, layered, count }, nodes = null) {
    const length = nodes ? nodes.length : count;
    const found = new Float32Array(3 * length);
    const v = this.view;
    const p = this.part;
    const wide = this.canvas.clientWidth / 2;
    const high = this.canvas.clientHeight / 2;
    for (let at = 0; at < length; at++) {
      const k = 3 * (nodes ? nodes[at] : at);
      const to = 3 * at;
      const x = space[k] + (layered[k] - space[k]) * p;
      const y = space[k + 1] + (layered[k + 1] - space[k + 1]) * p;
      const z = space[k + 2] + (layered[k + 2] - space[k + 2]) * p;
      const w = v[3] * x + v[7] * y + v[11] * z + v[15];
      found[to] = ((v[0] * x + v[4] * y + v[8] * z + v[12]) / w + 1) * wide;
      found[to + 1] = (1 - (v[1] * x + v[5] * y + v[9] * z + v[13]) / w) * high;
      found[to + 2] = w;
    }
    return found;
  }
}

function reach(places, axis) {
  let most = 0;
  for (let k = axis; k < places.length; k += 3) most = Math.max(most, Math.abs(places[k]));
  return most;
}
