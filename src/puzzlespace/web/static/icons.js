// Small drawings for buttons, each with its word beside it or below it.

const LINES = {
  undo: "M8 5L3.5 9.5L8 14M4 9.5H14a5.5 5.5 0 0 1 0 11H9",
  redo: "M16 5L20.5 9.5L16 14M20 9.5H10a5.5 5.5 0 0 0 0 11H15",
  reset: "M4 4V10H10M4.6 9.6A8.2 8.2 0 1 1 4 14",
  hint: "M9.5 18H14.5M10 21H14M12 3a6.2 6.2 0 0 0-3.6 11.2c.8.7 1.1 1.5 1.1 2.3h5c0-.8.3-1.6 1.1-2.3A6.2 6.2 0 0 0 12 3Z",
  step: "M6 5L14 12L6 19ZM18 5V19",
  solve: "M4 19L9 12L13 15L20 5M15.5 5H20V9.5",
  play: "M7 4.5L19.5 12L7 19.5Z",
  pause: "M8 5V19M16 5V19",
  close: "M6 6L18 18M18 6L6 18",
  deal: "M5 5H19V19H5ZM9 9h.01M15 9h.01M12 12h.01M9 15h.01M15 15h.01",
  net: "M9 3H15V9H21V15H15V21H9V15H3V9H9Z",
  move: "M12 3V21M3 12H21M9 6L12 3L15 6M9 18L12 21L15 18M6 9L3 12L6 15M18 9L21 12L18 15",
  piece: "M4 4H13V11H20V20H4ZM8.5 12.5V16.5M6.5 14.5H10.5",
  blank: "M5 5H19V19H5Z",
  wall: "M4 4H20V20H4ZM4 14L14 4M4 20L20 4M10 20L20 10",
  open: "M12 5V19M6 8.5L18 15.5M18 8.5L6 15.5",
  only: "M7 7H17V17H7ZM3 3h.01M12 3h.01M21 3h.01M3 12h.01M21 12h.01M3 21h.01M12 21h.01M21 21h.01",
  cube: "M12 3L20 7.5V16.5L12 21L4 16.5V7.5ZM4 7.5L12 12L20 7.5M12 12V21",
};

/** A drawing as SVG text. */
export const icon = (name) =>
  `<svg class="icon" viewBox="0 0 24 24" aria-hidden="true"><path d="${LINES[name]}"/></svg>`;
