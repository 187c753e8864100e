// A cube in three dimensions as SVG text: its stickers as seen from a corner, and a layer on its way.

import { tag, UNIT } from "./shapes.js";

const SIZE = 1.95; // half the width of the drawing, in units of half an edge
const AWAY = 9; // from the eye to the middle, in units of half an edge
const COVER = 0.94; // how much of its square a sticker covers
const BODY = "#15171c";

const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const plus = (a, b, times = 1) => a.map((value, k) => value + times * b[k]);

/** A point turned by an angle about an axis (0, 1, 2), anticlockwise as seen from its positive end. */
function turned(point, axis, angle) {
  const [one, two] = [(axis + 1) % 3, (axis + 2) % 3];
  const [c, s] = [Math.cos(angle), Math.sin(angle)];
  const found = [...point];
  found[one] = c * point[one] - s * point[two];
  found[two] = s * point[one] + c * point[two];
  return found;
}

/** Where a person looks from: angles about the upright axis and up. */
export const HOME = { around: -0.62, up: 0.5 };

const seen = (point, view) => turned(turned(point, 1, view.around), 0, view.up);

/** A point on paper in SVG units. */
export function onPaper(point, view) {
  const [x, y, z] = seen(point, view);
  const near = AWAY / (AWAY - z);
  return [x * near * UNIT, -y * near * UNIT];
}

/** The frame of the drawing: left, top, width, height. */
export const cubeFrame = () => [-SIZE * UNIT, -SIZE * UNIT, 2 * SIZE * UNIT, 2 * SIZE * UNIT];

const polygon = (corners, view, more) =>
  tag("path", {
    d: `M${corners
      .map((corner) =>
        onPaper(corner, view)
          .map((v) => v.toFixed(2))
          .join(","),
      )
      .join("L")}Z`,
    ...more,
  });

function facing(middle, normal, view) {
  const [at, out] = [seen(middle, view), seen(normal, view)];
  return dot(out, plus([0, 0, AWAY], at, -1)) > 0;
}

/** The depth of a layer along an axis: [from, to], from the cells that a move carries. */
function layer({ facets, size }, axis, cells) {
  const places = cells.map((cell) => facets[cell].middle[axis]).filter((place) => Math.abs(place) < 1 - 1e-9);
  const outer = cells.map((cell) => facets[cell].middle[axis]);
  const spots = places.length ? places : outer;
  return [Math.min(...spots) - 1 / size, Math.max(...spots) + 1 / size];
}

const inside = ({ middle }, axis, [from, to]) => middle[axis] > from - 1e-9 && middle[axis] < to + 1e-9;

/**
 * The stickers of a position. fill(cell): its colour. view: {around, up}. moving: null, or {axis, cells, angle}, the
 * layer that is turned by an angle in radians from its place.
 */
export function cubeDrawn(cube, fill, view, moving = null) {
  const { facets, size } = cube;
  const half = 1 / size;
  const span = moving && layer(cube, moving.axis, moving.cells);
  const drawn = (cells, angle) =>
    cells
      .map((cell) => {
        const { middle, normal, across, down } = facets[cell];
        const go = (point) => (angle ? turned(point, moving.axis, angle) : point);
        if (!facing(go(middle), go(normal), view)) return "";
        const square = (part) =>
          [
            [-1, -1],
            [1, -1],
            [1, 1],
            [-1, 1],
          ].map(([a, b]) => go(plus(plus(middle, across, a * part * half), down, b * part * half)));
        return (
          polygon(square(1), view, { fill: BODY, stroke: BODY, "stroke-width": 1 }) +
          polygon(square(COVER - 0.06), view, {
            fill: fill(cell),
            stroke: fill(cell),
            "stroke-width": 0.1 * half * UNIT,
            "stroke-linejoin": "round",
            "data-cell": cell,
          })
        );
      })
      .join("");
  const all = facets.map((_, cell) => cell);
  if (!moving) return drawn(all, 0);
  const cap = (place, angle) => {
    const [one, two] = [(moving.axis + 1) % 3, (moving.axis + 2) % 3];
    const corners = [
      [-1, -1],
      [1, -1],
      [1, 1],
      [-1, 1],
    ].map(([a, b]) => {
      const corner = [0, 0, 0];
      corner[moving.axis] = place;
      corner[one] = a;
      corner[two] = b;
      return angle ? turned(corner, moving.axis, angle) : corner;
    });
    return polygon(corners, view, { fill: BODY });
  };
  const [from, to] = span;
  const low = all.filter((cell) => facets[cell].middle[moving.axis] < from - 1e-9);
  const high = all.filter((cell) => facets[cell].middle[moving.axis] > to + 1e-9);
  const turning = all.filter((cell) => inside(facets[cell], moving.axis, span));
  const slabs = [
    from > -1 + 1e-9 && cap(from, 0) + drawn(low, 0),
    cap(from, moving.angle) + cap(to, moving.angle) + drawn(turning, moving.angle),
    to < 1 - 1e-9 && cap(to, 0) + drawn(high, 0),
  ].filter(Boolean);
  const axis = [0, 0, 0];
  axis[moving.axis] = 1;
  if (seen(axis, view)[2] < 0) slabs.reverse();
  return slabs.join("");
}

/** Which way a sticker goes on paper when its layer begins to turn: a unit vector. */
export function wayOnPaper({ facets }, cell, [axis, quarters], view) {
  const { middle } = facets[cell];
  const [a, b] = [middle, turned(middle, axis, 0.1 * Math.sign(quarters))].map((point) => onPaper(point, view));
  const [dx, dy] = [b[0] - a[0], b[1] - a[1]];
  const long = Math.hypot(dx, dy) || 1;
  return [dx / long, dy / long];
}

/** Whether a sticker is seen. */
export const visible = ({ facets }, cell, view) => facing(facets[cell].middle, facets[cell].normal, view);
