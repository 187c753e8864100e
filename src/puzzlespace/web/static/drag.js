// Dragging: a piece follows the pointer along the routes of its moves, so it never lies on another piece.

const FAR = 6; // pixels after which a press is a drag

/** Listens to the pointer on the cells' buttons. `board` has {grab, scale, put, drop}; see input.js. */
export function dragging(cells, board) {
  let drag = null;

  cells.addEventListener("pointerdown", (event) => {
    const cell = event.target.dataset?.cell;
    const grabbed = cell === undefined || event.button ? null : board.grab(Number(cell));
    if (!grabbed) return;
    event.target.setPointerCapture(event.pointerId);
    drag = { ...grabbed, x: event.clientX, y: event.clientY, scale: board.scale(), way: null, end: null, far: false };
  });

  cells.addEventListener("pointermove", (event) => {
    if (!drag) return;
    const pull = [event.clientX - drag.x, event.clientY - drag.y];
    drag.far ||= Math.hypot(...pull) > FAR;
    drag.pull = pull;
    if (drag.far) follow(pull.map((part, k) => drag.home[k] + part * drag.scale));
  });

  /** Puts the piece at the place of its routes that is nearest to the pointer, and the pieces that it pushes. */
  function follow(pointer) {
    if (drag.free) {
      board.put(drag.cell, pointer);
      const off = (spot) => drag.off(spot, pointer);
      const ends = [{ way: null, off: off(drag.home) }];
      drag.end = [...ends, ...drag.ways.map((way) => ({ way, off: off(way.spots.at(-1)) }))].reduce(closer, null).way;
      return;
    }
    const place = drag.ways.map((way) => nearestOn(way, pointer)).reduce(closer, null);
    if (!place) return;
    if (drag.way !== place.way) for (const each of drag.way?.pushed ?? []) board.put(each.cell, each.spots[0]);
    drag.way = place.way;
    const ends = [{ way: null, spot: drag.home }, ...drag.ways.map((way) => ({ way, spot: way.spots.at(-1) }))];
    drag.end = ends.map((end) => ({ ...end, off: between(end.spot, place.spot) })).reduce(closer, null).way;
    board.put(drag.cell, place.spot);
    for (const { cell, spots } of place.way.pushed) board.put(cell, along(spots, place.part));
  }

  function drop(kept) {
    const done = drag;
    drag = null;
    if (done?.far) board.drop((kept && done.end?.move) || null, done.cell, kept ? done.pull : [0, 0]);
  }

  cells.addEventListener("pointerup", () => drop(true));
  cells.addEventListener("pointercancel", () => drop(false));
}

/** How far a place is from a pointer: aside, and in all. */
export const aside = (spot, pointer) => Math.abs(spot[0] - pointer[0]);
export const between = (a, b) => Math.hypot(a[0] - b[0], a[1] - b[1]);
const along = ([a, b], part) => a.map((value, k) => value + part * (b[k] - value));
const closer = (best, each) => (!best || each.off < best.off - 1e-6 ? each : best);

/** The place of a way that is nearest to a point: its distance `off`, and the `part` of its segment before it. */
function nearestOn(way, point) {
  const segments = way.spots.slice(1).map((end, k) => [way.spots[k], end]);
  return segments
    .map(([a, b]) => {
      const [dx, dy] = [b[0] - a[0], b[1] - a[1]];
      const share = ((point[0] - a[0]) * dx + (point[1] - a[1]) * dy) / (dx * dx + dy * dy || 1);
      const part = Math.max(0, Math.min(1, share));
      const spot = along([a, b], part);
      return { way, spot, part, off: between(spot, point) };
    })
    .reduce(closer, null);
}
