// All positions in three dimensions: points and moves drawn from buffers, turned by mouse, touch and keys.

const POINT = `attribute vec3 place; attribute vec3 then; attribute vec3 colour; uniform mat4 view; uniform float part, size;
varying vec3 shade; void main() { gl_Position = view * vec4(mix(place, then, part), 1.0); gl_PointSize = clamp(size / gl_Position.w, 1.5, 40.0); shade = colour; }`;
const DOT = `precision mediump float; varying vec3 shade; uniform float alpha; uniform bool round;
void main() { if (round && length(gl_PointCoord - 0.5) > 0.5) discard; gl_FragColor = vec4(shade, alpha); }`;

/** From near the goal to far from it; darker or lighter all the way, so that greys tell it too. */
const SHADES = {
  light: ["#f0a24a", "#e0603f", "#b5367a", "#6a1f81", "#2c105c"],
  dark: ["#fde725", "#8fd744", "#35b779", "#3f8fb8", "#5a66c8"],
};
const REACH = 14;

const rgb = (hex) => [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16) / 255);

/** The colour of a share from 0 to 1. */
export function shadeOf(theme, share) {
  const stops = SHADES[theme].map(rgb), at = Math.min(Math.max(share, 0), 1) * (stops.length - 1), low = Math.min(Math.floor(at), stops.length - 2);
  return stops[low].map((part, k) => part + (stops[low + 1][k] - part) * (at - low));
}

/** The buffers of a map as the server sends them: `about` and the raw bytes. */
export function unpacked({ count, moves, cells, ...rest }, raw) {
  let at = 0;
  const take = (kind, length) => {
    const bytes = length * kind.BYTES_PER_ELEMENT, part = new kind(raw.slice(at, at + bytes));
    at += bytes;
    return part;
  };
  return { count, moves, cells, ...rest, space: take(Float32Array, 3 * count), layered: take(Float32Array, 3 * count),
    distance: take(Int16Array, count), layers: take(Int16Array, count), pairs: take(Uint32Array, 2 * moves), symbols: take(Uint8Array, cells * count) };
}

export class PuzzleMap {
  #gl; #over; #data = null; #buffers = {}; #turn = [1, 0, 0, 0, 1, 0, 0, 0, 1]; #zoom = 1; #shift = [0, 0]; #part = 0; #layered = false; #frame = 0;
  #numbers = null; #here = -1; #path = []; #pointers = new Map(); #far = false; #hover = -1; #projected = null; #theme = "light"; #labels = {};

  /** canvas: drawn in WebGL; over: a canvas on top for marks. hovered(number, x, y) and chosen(number) are called. Throws without WebGL. */
  constructor(canvas, over, { hovered, chosen }) {
    this.canvas = canvas;
    this.#over = over;
    this.hovered = hovered;
    this.chosen = chosen;
    this.#gl = canvas.getContext("webgl", { antialias: true, alpha: false });
    if (!this.#gl) throw new Error("no WebGL");
    this.#prepare();
    this.#listen();
    canvas.addEventListener("webglcontextlost", (event) => event.preventDefault());
    canvas.addEventListener("webglcontextrestored", () => { this.#prepare(); this.#fill(); });
    new ResizeObserver(() => this.draw()).observe(canvas);
  }

  #prepare() {
    const gl = this.#gl, program = gl.createProgram();
    for (const [kind, source] of [[gl.VERTEX_SHADER, POINT], [gl.FRAGMENT_SHADER, DOT]]) {
      const shader = gl.createShader(kind);
      gl.shaderSource(shader, source);
      gl.compileShader(shader);
      gl.attachShader(program, shader);
    }
    ["place", "then", "colour"].forEach((name, at) => gl.bindAttribLocation(program, at, name));
    gl.linkProgram(program);
    gl.useProgram(program);
    this.where = Object.fromEntries(["view", "part", "size", "alpha", "round"].map((name) => [name, gl.getUniformLocation(program, name)]));
    gl.enable(gl.BLEND);
    gl.blendFunc(gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA);
    gl.getExtension("OES_element_index_uint");
  }

  /** What to show; see `unpacked`. */
  set data(data) {
    this.#data = data;
    this.#numbers = null;
    this.#path = [];
    this.#shift = [0, 0];
    this.#here = this.#hover = -1;
    for (const places of [data.space, data.layered]) fitted(places);
    this.#turn = [1, 0, 0, 0, 1, 0, 0, 0, 1];
    this.#zoom = this.#fit();
    this.#fill();
  }
  get data() { return this.#data; }

  /** How near to come so that the map as it first lies fills the canvas. */
  #fit() {
    const extent = (axis) => [this.#data.space, this.#data.layered].reduce(
      (most, places) => places.reduce((so, value, k) => (k % 3 === axis ? Math.max(so, Math.abs(value)) : so), most), 0.1);
    const aspect = this.canvas.clientWidth / Math.max(this.canvas.clientHeight, 1) || 1;
    return Math.min(Math.max(1.05 * Math.min(aspect / extent(0), 1 / extent(1)), 0.9), 3);
  }

  set theme(theme) { this.#theme = theme === "dark" ? "dark" : "light"; if (this.#data) this.#fill(); }
  get theme() { return this.#theme; }
  set labels(labels) { this.#labels = labels; this.draw(); }

  #fill() {
    const gl = this.#gl, { space, layered, pairs, count } = this.#data;
    const shown = this.measure, most = Math.max(1, this.deepest), colours = new Float32Array(3 * count);
    for (let node = 0; node < count; node++) {
      colours.set(shown[node] < 0 ? [0.5, 0.5, 0.5] : shadeOf(this.#theme, shown[node] / most), 3 * node);
    }
    const keep = (name, kind, array) => {
      this.#buffers[name] ??= gl.createBuffer();
      gl.bindBuffer(kind, this.#buffers[name]);
      gl.bufferData(kind, array, gl.STATIC_DRAW);
    };
    [space, layered, colours].forEach((array, at) => {
      keep(at, gl.ARRAY_BUFFER, array);
      gl.enableVertexAttribArray(at);
      gl.vertexAttribPointer(at, 3, gl.FLOAT, false, 0, 0);
    });
    keep("pairs", gl.ELEMENT_ARRAY_BUFFER, pairs);
    this.draw();
  }

  /** What colours tell: the distance to the goal, else the moves from where the map begins. */
  get measure() { return this.#data.measured === "goal" ? this.#data.distance : this.#data.layers; }
  get deepest() { return this.measure.reduce((most, value) => Math.max(most, value), 0); }

  /** The number of a position, -1 where the map does not show it. */
  numberOf(symbols) {
    const { cells, count, symbols: all } = this.#data;
    if (!this.#numbers) {
      this.#numbers = new Map();
      for (let node = 0; node < count; node++) this.#numbers.set(String.fromCharCode(...all.subarray(node * cells, (node + 1) * cells)), node);
    }
    return this.#numbers.get(String.fromCharCode(...symbols)) ?? -1;
  }

  symbolsAt(node) { return this.#data.symbols.subarray(node * this.#data.cells, (node + 1) * this.#data.cells); }

  set here(node) { this.#here = node; this.draw(); }
  get here() { return this.#here; }
  set path(nodes) { this.#path = nodes; this.draw(); }
  get path() { return this.#path; }

  get layered() { return this.#layered; }
  set layered(value) {
    this.#layered = value;
    const goal = value ? 1 : 0, still = matchMedia("(prefers-reduced-motion: reduce)").matches;
    const from = this.#part, began = performance.now();
    const go = (now) => {
      const share = still ? 1 : Math.min((now - began) / 500, 1);
      this.#part = from + (goal - from) * share * share * (3 - 2 * share);
      this.draw();
      if (share < 1 && this.#layered === value) requestAnimationFrame(go);
    };
    go(began);
  }

  /** Draws soon, once however often it is asked. */
  draw() { this.#frame ||= requestAnimationFrame(() => { this.#frame = 0; this.#drawNow(); }); }

  #view() {
    const { clientWidth: wide, clientHeight: high } = this.canvas, t = this.#turn;
    const away = 2 / this.#zoom + 0.3, f = 1.7, near = 0.02, aspect = wide / Math.max(high, 1);
    const [sx, sy] = aspect > 1 ? [f / aspect, f] : [f, f * aspect];
    const a = -(12 + near) / (12 - near), b = (-2 * 12 * near) / (12 - near);
    const column = (k) => [sx * t[k], sy * t[3 + k], a * t[6 + k], -t[6 + k]];
    return [...column(0), ...column(1), ...column(2), sx * this.#shift[0], sy * this.#shift[1], -a * away + b, away];
  }

  #drawNow() {
    if (!this.#data || !this.canvas.clientWidth) return;
    const gl = this.#gl, ratio = Math.min(devicePixelRatio, 2), view = this.#view();
    for (const each of [this.canvas, this.#over]) {
      const [wide, high] = [this.canvas.clientWidth * ratio, this.canvas.clientHeight * ratio].map(Math.round);
      if (each.width !== wide || each.height !== high) Object.assign(each, { width: wide, height: high });
    }
    const paper = this.#theme === "dark" ? [0.082, 0.09, 0.11] : [1, 1, 1];
    gl.viewport(0, 0, this.canvas.width, this.canvas.height);
    gl.clearColor(...paper, 1);
    gl.clear(gl.COLOR_BUFFER_BIT);
    gl.uniformMatrix4fv(this.where.view, false, view);
    gl.uniform1f(this.where.part, this.#part);
    gl.uniform1f(this.where.size, ratio * Math.min(22, 1100 / Math.cbrt(this.#data.count)) * 0.42);
    gl.uniform1i(this.where.round, 0);
    gl.uniform1f(this.where.alpha, Math.min(0.5, 40 / Math.sqrt(this.#data.moves + 1)) + 0.03);
    gl.drawElements(gl.LINES, this.#data.pairs.length, gl.UNSIGNED_INT, 0);
    gl.uniform1i(this.where.round, 1);
    gl.uniform1f(this.where.alpha, 0.9);
    gl.drawArrays(gl.POINTS, 0, this.#data.count);
    this.#projected = null;
    this.#marks(view, ratio);
  }

  /** Where a node is on the canvas, in its own pixels, and how far away. */
  #spot(node, view) {
    const { space, layered } = this.#data, p = this.#part, k = 3 * node;
    const [x, y, z] = [0, 1, 2].map((axis) => space[k + axis] + (layered[k + axis] - space[k + axis]) * p);
    const w = view[3] * x + view[7] * y + view[11] * z + view[15];
    const sx = (view[0] * x + view[4] * y + view[8] * z + view[12]) / w, sy = (view[1] * x + view[5] * y + view[9] * z + view[13]) / w;
    return [(sx + 1) * this.canvas.clientWidth / 2, (1 - sy) * this.canvas.clientHeight / 2, w];
  }

  /** `#spot` of every node, one after the other. */
  #everySpot() {
    const { space, layered, count } = this.#data, p = this.#part, v = this.#view(), found = new Float32Array(3 * count);
    const wide = this.canvas.clientWidth / 2, high = this.canvas.clientHeight / 2;
    for (let k = 0; k < 3 * count; k += 3) {
      const x = space[k] + (layered[k] - space[k]) * p, y = space[k + 1] + (layered[k + 1] - space[k + 1]) * p, z = space[k + 2] + (layered[k + 2] - space[k + 2]) * p;
      const w = v[3] * x + v[7] * y + v[11] * z + v[15];
      found[k] = ((v[0] * x + v[4] * y + v[8] * z + v[12]) / w + 1) * wide;
      found[k + 1] = (1 - (v[1] * x + v[5] * y + v[9] * z + v[13]) / w) * high;
      found[k + 2] = w;
    }
    return found;
  }

  #marks(view, ratio) {
    const pen = this.#over.getContext("2d"), ink = this.#theme === "dark" ? "#f2f0ea" : "#111111", paper = this.#theme === "dark" ? "#15171c" : "#ffffff";
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    pen.clearRect(0, 0, this.canvas.clientWidth, this.canvas.clientHeight);
    const measure = this.measure, deepest = this.deepest, goal = this.#data.measured === "goal";
    const square = (node, size, fill) => {
      const [x, y, w] = this.#spot(node, view);
      if (w <= 0) return;
      pen.fillStyle = paper;
      pen.fillRect(x - size - 1, y - size - 1, 2 * size + 2, 2 * size + 2);
      pen.fillStyle = fill;
      pen.fillRect(x - size, y - size, 2 * size, 2 * size);
    };
    if (goal) for (let node = 0; node < measure.length; node++) if (measure[node] === 0) square(node, 1.5, "#009e73");
    if (goal) for (let node = 0; node < measure.length; node++) if (measure[node] === deepest) square(node, 3.5, "#d55e00");
    if (this.#path.length > 1) {
      for (const [width, colour] of [[6, paper], [3, ink]]) {
        pen.lineWidth = width;
        pen.strokeStyle = colour;
        pen.lineJoin = "round";
        pen.beginPath();
        for (const node of this.#path) pen.lineTo(...this.#spot(node, view).slice(0, 2));
        pen.stroke();
      }
    }
    const ring = (node, radius, text) => {
      if (node < 0) return;
      const [x, y, w] = this.#spot(node, view);
      if (w <= 0) return;
      for (const [width, colour] of [[7, paper], [3.5, ink]]) {
        pen.lineWidth = width;
        pen.strokeStyle = colour;
        pen.beginPath();
        pen.arc(x, y, radius, 0, 7);
        pen.stroke();
      }
      if (!text) return;
      pen.font = "600 14px system-ui, sans-serif";
      pen.lineWidth = 4;
      pen.strokeStyle = paper;
      pen.fillStyle = ink;
      pen.strokeText(text, x + radius + 5, y + 5);
      pen.fillText(text, x + radius + 5, y + 5);
    };
    ring(this.#hover, 6);
    ring(this.#here, 9, this.#labels.here);
  }

  /** The node that is drawn nearest to a place on the canvas, -1 where none is near. */
  nodeAt(x, y) {
    if (!this.#data) return -1;
    let best = -1, least = Infinity;
    const all = (this.#projected ??= this.#everySpot());
    for (let k = 0; k < all.length; k += 3) {
      const away = Math.hypot(all[k] - x, all[k + 1] - y);
      if (away > REACH || all[k + 2] <= 0) continue;
      const cost = away + 4 * all[k + 2];
      if (cost < least) [best, least] = [k / 3, cost];
    }
    return best;
  }

  /** Where a node is drawn, in pixels of the canvas. */
  placeOf(node) { return this.#spot(node, this.#view()).slice(0, 2); }

  turn(dx, dy) {
    const [cx, sx, cy, sy] = [Math.cos(dy), Math.sin(dy), Math.cos(dx), Math.sin(dx)], t = this.#turn;
    const by = [cy, 0, sy, sx * sy, cx, -sx * cy, -cx * sy, sx, cx * cy];
    this.#turn = [0, 1, 2].flatMap((row) => [0, 1, 2].map((column) => by[3 * row] * t[column] + by[3 * row + 1] * t[3 + column] + by[3 * row + 2] * t[6 + column]));
    this.draw();
  }

  zoom(factor) { this.#zoom = Math.min(Math.max(this.#zoom * factor, 0.4), 40); this.draw(); }

  #listen() {
    const canvas = this.#over;
    const place = (event) => { const frame = canvas.getBoundingClientRect(); return [event.clientX - frame.left, event.clientY - frame.top]; };
    canvas.addEventListener("pointerdown", (event) => {
      canvas.setPointerCapture(event.pointerId);
      this.#pointers.set(event.pointerId, place(event));
      this.#far = this.#pointers.size > 1;
    });
    canvas.addEventListener("pointermove", (event) => this.#moved(event, place(event)));
    canvas.addEventListener("pointerup", (event) => {
      const held = this.#pointers.delete(event.pointerId);
      if (held && !this.#far) {
        const node = this.nodeAt(...place(event));
        if (node >= 0) this.chosen(node);
      }
    });
    canvas.addEventListener("pointercancel", (event) => this.#pointers.delete(event.pointerId));
    canvas.addEventListener("pointerleave", () => this.#point(-1, 0, 0));
    canvas.addEventListener("wheel", (event) => { event.preventDefault(); this.zoom(Math.exp(-event.deltaY / 600)); }, { passive: false });
    canvas.addEventListener("keydown", (event) => {
      const step = { ArrowLeft: [-0.1, 0], ArrowRight: [0.1, 0], ArrowUp: [0, -0.1], ArrowDown: [0, 0.1] }[event.key];
      const near = { "+": 1.2, "=": 1.2, "-": 1 / 1.2 }[event.key];
      if (step) this.turn(...step);
      if (near) this.zoom(near);
      if (step || near) event.preventDefault();
    });
  }

  #moved(event, [x, y]) {
    const before = this.#pointers.get(event.pointerId);
    if (!before) return this.#point(this.nodeAt(x, y), x, y);
    const [dx, dy] = [x - before[0], y - before[1]];
    if (!this.#far && Math.hypot(dx, dy) < 4) return;
    this.#far = true;
    if (this.#pointers.size > 1) {
      const [other] = [...this.#pointers].filter(([id]) => id !== event.pointerId).map(([, spot]) => spot);
      const apart = (spot) => Math.hypot(spot[0] - other[0], spot[1] - other[1]);
      this.zoom(apart([x, y]) / Math.max(apart(before), 1));
    } else if (event.shiftKey || event.buttons === 2) {
      this.#shift = [this.#shift[0] + dx / 200 / this.#zoom, this.#shift[1] - dy / 200 / this.#zoom];
      this.draw();
    } else this.turn(dx / 180, dy / 180);
    this.#pointers.set(event.pointerId, [x, y]);
  }

  #point(node, x, y) {
    if (node !== this.#hover) { this.#hover = node; this.draw(); }
    this.hovered(node, x, y);
  }
}

/** Moves and shrinks places so that they fill the ball of radius 1 around the origin. */
function fitted(places) {
  const low = [Infinity, Infinity, Infinity], high = [-Infinity, -Infinity, -Infinity];
  places.forEach((value, k) => { low[k % 3] = Math.min(low[k % 3], value); high[k % 3] = Math.max(high[k % 3], value); });
  let most = 1e-6;
  for (let k = 0; k < places.length; k++) places[k] -= (low[k % 3] + high[k % 3]) / 2;
  for (let k = 0; k < places.length; k += 3) most = Math.max(most, Math.hypot(places[k], places[k + 1], places[k + 2]));
  for (let k = 0; k < places.length; k++) places[k] /= most;
}
