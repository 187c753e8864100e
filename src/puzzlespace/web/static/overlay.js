// Marks on the map: goals, the hardest positions, a path, the position shown and the one under the pointer.

const INKS = { light: { ink: "#111111", paper: "#ffffff" }, dark: { ink: "#f2f0ea", paper: "#15171c" } };
const TRAIL = { light: "#0072b2", dark: "#56b4e9" };
const GOAL = "#009e73";
const HARDEST = "#d55e00";

export class Overlay {
  #canvas;
  #camera;
  #data = null;
  #goals = [];
  #hardest = [];

  path = [];
  trail = [];
  here = -1;
  hover = -1;
  theme = "light";
  label = "";

  constructor(canvas, camera) {
    this.#canvas = canvas;
    this.#camera = camera;
  }

  set data(data) {
    const numbers = (depth) => Array.from(data.distance.keys()).filter((node) => data.distance[node] === depth);
    this.#data = data;
    this.path = [];
    this.trail = [];
    this.here = this.hover = -1;
    const goal = data.measured === "goal";
    this.#goals = goal ? numbers(0) : [];
    this.#hardest = goal ? numbers(data.distance.reduce((most, value) => Math.max(most, value), 0)) : [];
  }

  draw(ratio) {
    const pen = this.#canvas.getContext("2d");
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    pen.clearRect(0, 0, this.#canvas.clientWidth, this.#canvas.clientHeight);
    this.#squares(pen, this.#goals, 1.5, GOAL);
    this.#squares(pen, this.#hardest, 3.5, HARDEST);
    if (this.trail.length > 1) this.#trail(pen, this.#seen(this.trail));
    if (this.path.length > 1) this.#line(pen, this.#seen(this.path));
    if (this.hover >= 0) this.#ring(pen, this.#seen([this.hover])[0], 6, "");
    if (this.here >= 0) this.#ring(pen, this.#seen([this.here])[0], 9, this.label);
  }

  /** [x, y, depth] of the nodes in front of the camera. */
  #seen(nodes) {
    const spots = this.#camera.spots(this.#data, nodes);
    return nodes.map((_, at) => [spots[3 * at], spots[3 * at + 1], spots[3 * at + 2]]).filter(([, , away]) => away > 0);
  }

  #squares(pen, nodes, size, fill) {
    for (const [x, y] of this.#seen(nodes)) {
      for (const [half, colour] of [
        [size + 1, INKS[this.theme].paper],
        [size, fill],
      ]) {
        pen.fillStyle = colour;
        pen.fillRect(x - half, y - half, 2 * half, 2 * half);
      }
    }
  }

  /** Draws a shape in ink with a border in the colour of the paper. */
  #twice(pen, width, shape) {
    const { ink, paper } = INKS[this.theme];
    for (const [thick, colour] of [
      [width + 3, paper],
      [width, ink],
    ]) {
      pen.lineWidth = thick;
      pen.strokeStyle = colour;
      pen.beginPath();
      shape();
      pen.stroke();
    }
  }

  #line(pen, spots) {
    pen.lineJoin = "round";
    this.#twice(pen, 3, () => {
      for (const [x, y] of spots) pen.lineTo(x, y);
    });
  }

  /** The way of the game, as a broken line. */
  #trail(pen, spots) {
    pen.save();
    pen.lineJoin = "round";
    pen.setLineDash([7, 5]);
    pen.lineWidth = 3;
    pen.strokeStyle = TRAIL[this.theme];
    pen.beginPath();
    for (const [x, y] of spots) pen.lineTo(x, y);
    pen.stroke();
    pen.restore();
  }

  #ring(pen, spot, radius, text) {
    if (!spot) return;
    const [x, y] = spot;
    const { ink, paper } = INKS[this.theme];
    this.#twice(pen, 3.5, () => pen.arc(x, y, radius, 0, 7));
    pen.font = "600 14px system-ui, sans-serif";
    pen.lineWidth = 4;
    pen.strokeStyle = paper;
    pen.fillStyle = ink;
    pen.strokeText(text, x + radius + 5, y + 5);
    pen.fillText(text, x + radius + 5, y + 5);
  }
}
