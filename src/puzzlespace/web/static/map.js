// The map: positions as points and moves as lines in 3D, drawn by WebGL, rotated by mouse, touch and keys.

import { Camera } from "./camera.js";
import { Overlay } from "./overlay.js";
import { coloursOf } from "./places.js";

const POINT = `
attribute vec3 place, other, colour;
uniform mat4 view;
uniform float part, size, most;
varying vec3 shade;
void main() {
  gl_Position = view * vec4(mix(place, other, part), 1.0);
  gl_PointSize = clamp(size / gl_Position.w, 1.5, most);
  shade = colour;
}`;
const DOT = `
precision mediump float;
varying vec3 shade;
uniform float alpha;
uniform bool round;
void main() {
  if (round && length(gl_PointCoord - 0.5) > 0.5) discard;
  gl_FragColor = vec4(shade, alpha);
}`;
const PAPER = { light: [1, 1, 1], dark: [0.082, 0.09, 0.11] };
const REACH = 14; // pixels: greatest distance between the pointer and the point it selects
const FLOWN = 3; // how near a flight goes, as a multiple of the whole view
const STILL = 4; // pixels: greatest movement of the pointer in a click
const LARGEST = 9; // pixels: the greatest size of a point
const CHANGE = 500; // milliseconds of the transition between the layouts

export class PuzzleMap {
  #gl;
  #over;
  #where = {};
  #buffers = {};
  #data = null;
  #numbers = null;
  #spots = null;
  #frame = 0;
  #layered = false;
  #flight = 0;
  #theme = "light";
  #pointers = new Map();
  #far = false;
  #told;

  /**
   * canvas: for WebGL. over: a canvas above it, for marks and events. told: {hovered(node, x, y), chosen(node)}.
   * Throws an error if there is no WebGL.
   */
  constructor(canvas, over, told) {
    this.canvas = canvas;
    this.#over = over;
    this.#told = told;
    this.#gl = canvas.getContext("webgl", { antialias: true, alpha: false });
    if (!this.#gl) throw new Error("no WebGL");
    this.camera = new Camera(canvas);
    this.overlay = new Overlay(over, this.camera);
    this.#prepare();
    this.#listen();
    canvas.addEventListener("webglcontextlost", (event) => event.preventDefault());
    canvas.addEventListener("webglcontextrestored", () => {
      this.#buffers = {};
      this.#prepare();
      this.#fill();
    });
    new ResizeObserver(() => this.draw()).observe(canvas);
  }

  #prepare() {
    const gl = this.#gl;
    const program = gl.createProgram();
    for (const [kind, source] of [
      [gl.VERTEX_SHADER, POINT],
      [gl.FRAGMENT_SHADER, DOT],
    ]) {
      const shader = gl.createShader(kind);
      gl.shaderSource(shader, source);
      gl.compileShader(shader);
      gl.attachShader(program, shader);
    }
    for (const [at, name] of ["place", "other", "colour"].entries()) gl.bindAttribLocation(program, at, name);
    gl.linkProgram(program);
    gl.useProgram(program);
    for (const name of ["view", "part", "size", "most", "alpha", "round"]) {
      this.#where[name] = gl.getUniformLocation(program, name);
    }
    gl.enable(gl.BLEND);
    gl.blendFunc(gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA);
    gl.getExtension("OES_element_index_uint");
  }

  /** The map to show, from `unpacked`. */
  set data(data) {
    this.#data = this.overlay.data = data;
    this.#numbers = null;
    this.camera.home([data.space, data.layered]);
    this.#fill();
  }
  get data() {
    return this.#data;
  }

  set theme(theme) {
    this.#theme = this.overlay.theme = theme === "dark" ? "dark" : "light";
    if (this.#data) this.#fill();
  }

  #fill() {
    const gl = this.#gl;
    const { space, layered, pairs } = this.#data;
    const keep = (name, kind, array) => {
      this.#buffers[name] ??= gl.createBuffer();
      gl.bindBuffer(kind, this.#buffers[name]);
      gl.bufferData(kind, array, gl.STATIC_DRAW);
    };
    [space, layered, coloursOf(this.#data, this.#theme)].forEach((array, at) => {
      keep(at, gl.ARRAY_BUFFER, array);
      gl.enableVertexAttribArray(at);
      gl.vertexAttribPointer(at, 3, gl.FLOAT, false, 0, 0);
    });
    keep("pairs", gl.ELEMENT_ARRAY_BUFFER, pairs);
    this.draw();
  }

  /** The node of a position, or -1 if the map does not have it. */
  numberOf(symbols) {
    const name = (each) => String.fromCharCode(...each);
    if (!this.#numbers) {
      this.#numbers = new Map();
      for (let node = 0; node < this.#data.count; node++) this.#numbers.set(name(this.symbolsAt(node)), node);
    }
    return this.#numbers.get(name(symbols)) ?? -1;
  }

  /** The symbols of a node's position. */
  symbolsAt(node) {
    const { cells, symbols } = this.#data;
    return symbols.subarray(node * cells, (node + 1) * cells);
  }

  /** Marks the node of the position shown, the path from it, and the nodes that the game went through. */
  mark(here, path, trail = this.overlay.trail) {
    Object.assign(this.overlay, { here, path, trail });
    this.draw();
  }

  get layered() {
    return this.#layered;
  }
  set layered(value) {
    this.#layered = value;
    const goal = value ? 1 : 0;
    const from = this.camera.part;
    const began = performance.now();
    const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
    const go = (now) => {
      const share = still ? 1 : Math.min((now - began) / CHANGE, 1);
      this.camera.part = from + (goal - from) * share * share * (3 - 2 * share);
      this.draw();
      if (share < 1 && this.#layered === value) requestAnimationFrame(go);
    };
    go(began);
  }

  /** Shows all of the map again, from the front. */
  reset() {
    this.camera.home([this.#data.space, this.#data.layered]);
    this.draw();
  }

  /** Goes near to a node, in a short flight. */
  fly(node) {
    if (node < 0 || !this.#data) return;
    const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
    const from = { shift: this.camera.shift, near: this.camera.near };
    const to = { shift: this.camera.centred(this.#data, node), near: Math.max(from.near, FLOWN) };
    const began = performance.now();
    const flight = ++this.#flight;
    const go = (now) => {
      const share = still ? 1 : Math.min(Math.max((now - began) / CHANGE, 0), 1);
      const mix = (a, b) => a + (b - a) * share * share * (3 - 2 * share);
      this.camera.shift = from.shift.map((part, k) => mix(part, to.shift[k]));
      this.camera.near = mix(from.near, to.near);
      this.draw();
      if (share < 1 && flight === this.#flight) requestAnimationFrame(go);
    };
    go(began);
  }

  /** The view as a PNG: Promise of a Blob. */
  picture() {
    this.#drawNow();
    const all = Object.assign(document.createElement("canvas"), {
      width: this.canvas.width,
      height: this.canvas.height,
    });
    const pen = all.getContext("2d");
    for (const each of [this.canvas, this.#over]) pen.drawImage(each, 0, 0);
    return new Promise((done) => all.toBlob(done, "image/png"));
  }

  /** Draws at the next animation frame, once for all calls before it. */
  draw() {
    this.#frame ||= requestAnimationFrame(() => {
      this.#frame = 0;
      if (this.#data && this.canvas.clientWidth) this.#drawNow();
    });
  }

  #drawNow() {
    const gl = this.#gl;
    const where = this.#where;
    const { count, moves, pairs } = this.#data;
    const { clientWidth, clientHeight } = this.canvas;
    const ratio = Math.min(devicePixelRatio, 2);
    for (const each of [this.canvas, this.#over]) {
      const [width, height] = [clientWidth, clientHeight].map((side) => Math.round(side * ratio));
      if (each.width !== width || each.height !== height) Object.assign(each, { width, height });
    }
    gl.viewport(0, 0, this.canvas.width, this.canvas.height);
    gl.clearColor(...PAPER[this.#theme], 1);
    gl.clear(gl.COLOR_BUFFER_BIT);
    gl.uniformMatrix4fv(where.view, false, this.camera.view);
    gl.uniform1f(where.part, this.camera.part);
    gl.uniform1f(where.most, ratio * LARGEST);
    const part = Math.min(9, 460 / Math.cbrt(count)) / Math.sqrt(Math.max(1, this.camera.near));
    gl.uniform1f(where.size, ratio * part);
    gl.uniform1i(where.round, 0);
    const far = Math.min(0.5, 40 / Math.sqrt(moves + 1)) + 0.03;
    gl.uniform1f(where.alpha, Math.min(0.8, far * Math.max(1, this.camera.near)));
    gl.drawElements(gl.LINES, pairs.length, gl.UNSIGNED_INT, 0);
    gl.uniform1i(where.round, 1);
    gl.uniform1f(where.alpha, 0.9);
    gl.drawArrays(gl.POINTS, 0, count);
    this.#spots = null;
    this.overlay.draw(ratio);
  }

  /** The node near a place on the canvas, -1 if there is none. Nodes in front win. */
  nodeAt(x, y) {
    if (!this.#data) return -1;
    this.#spots ??= this.camera.spots(this.#data);
    const all = this.#spots;
    let best = -1;
    let least = Infinity;
    for (let k = 0; k < all.length; k += 3) {
      const away = Math.hypot(all[k] - x, all[k + 1] - y);
      const cost = away + 4 * all[k + 2];
      if (away <= REACH && all[k + 2] > 0 && cost < least) [best, least] = [k / 3, cost];
    }
    return best;
  }

  #listen() {
    const canvas = this.#over;
    const place = (event) => {
      const frame = canvas.getBoundingClientRect();
      return [event.clientX - frame.left, event.clientY - frame.top];
    };
    canvas.addEventListener("pointerdown", (event) => {
      canvas.setPointerCapture(event.pointerId);
      this.#pointers.set(event.pointerId, place(event));
      this.#far = this.#pointers.size > 1;
    });
    canvas.addEventListener("pointermove", (event) => this.#moved(event, place(event)));
    canvas.addEventListener("pointerup", (event) => {
      const clicked = this.#pointers.delete(event.pointerId) && !this.#far;
      const node = clicked ? this.nodeAt(...place(event)) : -1;
      if (node >= 0) this.#told.chosen(node);
    });
    canvas.addEventListener("pointercancel", (event) => this.#pointers.delete(event.pointerId));
    canvas.addEventListener("pointerleave", () => this.#point(-1, 0, 0));
    const wheel = (event) => {
      if (!event.ctrlKey && canvas.getRootNode().activeElement !== canvas) return; // the page scrolls
      event.preventDefault();
      this.camera.zoom(Math.exp(-event.deltaY / 600));
      this.draw();
    };
    canvas.addEventListener("wheel", wheel, { passive: false });
    canvas.addEventListener("keydown", (event) => this.#key(event));
  }

  #key(event) {
    const turn = { ArrowLeft: [-0.1, 0], ArrowRight: [0.1, 0], ArrowUp: [0, -0.1], ArrowDown: [0, 0.1] }[event.key];
    const near = { "+": 1.2, "=": 1.2, "-": 1 / 1.2 }[event.key];
    if (!turn && !near) return;
    event.preventDefault();
    if (turn) this.camera.turn(...turn);
    else this.camera.zoom(near);
    this.draw();
  }

  #moved(event, [x, y]) {
    const before = this.#pointers.get(event.pointerId);
    if (!before) return this.#point(this.nodeAt(x, y), x, y);
    const [dx, dy] = [x - before[0], y - before[1]];
    if (!this.#far && Math.hypot(dx, dy) < STILL) return;
    this.#far = true;
    const other = [...this.#pointers].find(([id]) => id !== event.pointerId)?.[1];
    if (other) {
      const apart = (spot) => Math.hypot(spot[0] - other[0], spot[1] - other[1]);
      this.camera.zoom(apart([x, y]) / Math.max(apart(before), 1));
    } else if (event.shiftKey || event.buttons === 2) this.camera.move(dx, dy);
    else this.camera.turn(dx / 180, dy / 180);
    this.#pointers.set(event.pointerId, [x, y]);
    this.draw();
  }

  #point(node, x, y) {
    if (node !== this.overlay.hover) {
      this.overlay.hover = node;
      this.draw();
    }
    this.#told.hovered(node, x, y);
  }
}
