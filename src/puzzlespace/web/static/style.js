// The style sheet of the player. Its colours are those of the puzzle's theme.

export const STYLE = `
:host {
  display: block;
  color: var(--ink);
  font:
    16px / 1.4 system-ui,
    "Noto Sans CJK JP",
    sans-serif;
  container-type: inline-size;
}
.frame {
  display: grid;
  gap: 0.6rem;
  justify-items: center;
  grid-template-columns: 1fr;
}
.frame:has(.goal:not([hidden])) {
  grid-template-columns: 1fr auto;
}
.frame > :not(.board, .goal) {
  grid-column: 1 / -1;
}
.board {
  position: relative;
  width: min(100%, calc(var(--board-high, 60vh) * var(--ratio, 1)));
  aspect-ratio: var(--ratio, 1);
  touch-action: none;
  user-select: none;
}
svg {
  width: 100%;
  height: 100%;
  display: block;
  font-family: system-ui, "Noto Sans CJK JP", sans-serif;
  font-weight: 600;
}
.goal {
  margin: 0;
  width: clamp(5rem, 18cqw, 8rem);
  text-align: center;
  font-size: 0.85rem;
  grid-column: 2;
  grid-row: 1;
  align-self: center;
}
.goal[hidden] {
  display: none;
}
.goal svg {
  aspect-ratio: var(--ratio, 1);
  height: auto;
}
.cells button {
  position: absolute;
  padding: 0;
  border: 0;
  background: none;
  cursor: pointer;
  border-radius: 18%;
  touch-action: none;
}
button:focus-visible {
  outline: 3px solid var(--ink);
  outline-offset: 1px;
  box-shadow: 0 0 0 5px var(--paper);
}
.tools,
.listed {
  display: flex;
  flex-wrap: wrap;
  gap: 0.3rem;
  justify-content: center;
  align-items: center;
}
.listed:empty {
  display: none;
}
.tools button,
.listed button {
  min-width: 2.5rem;
  min-height: 2.5rem;
  padding: 0 0.6rem;
  font: inherit;
  color: inherit;
  background: var(--ground);
  border: 1px solid var(--rim);
  border-radius: 0.5rem;
  cursor: pointer;
}
.listed button.best {
  outline: 3px solid #d55e00;
}
button[aria-disabled] {
  opacity: 0.4;
  cursor: default;
}
.status {
  margin: 0;
  min-height: 1.4em;
  text-align: center;
}
.status.lost {
  font-weight: 700;
}
.hint {
  fill: none;
  stroke: #d55e00;
  stroke-width: 5;
  stroke-linecap: round;
  stroke-linejoin: round;
}
.head {
  fill: #d55e00;
}
@media (forced-colors: active) {
  .tools button {
    border: 2px solid;
  }
}
`;
