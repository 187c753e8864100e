// Dragging: a piece follows the pointer between its cell and the nearest cell that it can go to.

const FAR = 6; // pixels after which a press is a drag

/** Listens to the pointer on the cells' buttons. `board` has {grab, scale, home, put, drop}; see input.js. */
export function dragging(cells, board) {
  let drag = null;

  cells.addEventListener("pointerdown", (event) => {
    const cell = event.target.dataset?.cell;
    const grabbed = cell === undefined || event.button ? null : board.grab(Number(cell));
    if (!grabbed) return;
    event.target.setPointerCapture(event.pointerId);
    drag = { ...grabbed, x: event.clientX, y: event.clientY, scale: board.scale(), end: null, far: false };
  });

  cells.addEventListener("pointermove", (event) => {
    if (!drag) return;
    const pull = [event.clientX - drag.x, event.clientY - drag.y];
    drag.far ||= Math.hypot(...pull) > FAR;
    if (drag.far) follow(pull.map((part) => part * drag.scale));
  });

  function follow([dx, dy]) {
    const [x, y] = board.home(drag.cell);
    const ends = [...drag.targets.keys()].map((cell) => ({
      cell,
      way: board.home(cell).map((part, k) => part - [x, y][k]),
    }));
    const off = ({ way }) => Math.hypot(way[0] - dx, way[1] - dy);
    const near = ends.reduce((best, end) => (!best || off(end) < off(best) ? end : best), null);
    if (!near) return;
    const [wx, wy] = near.way;
    const part = Math.max(0, Math.min(1, (dx * wx + dy * wy) / (wx * wx + wy * wy || 1)));
    drag.end = part > 0.5 ? near.cell : null;
    board.put(drag.cell, [x + part * wx, y + part * wy]);
  }

  function drop(kept) {
    const done = drag;
    drag = null;
    if (done?.far) board.drop(kept && done.end !== null ? done.targets.get(done.end) : null);
  }

  cells.addEventListener("pointerup", () => drop(true));
  cells.addEventListener("pointercancel", () => drop(false));
}
