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
  --accent: var(--accent-fill, #005a8d);
  --accent-ink: var(--accent-text, #ffffff);
  --warm: #d55e00;
}
[hidden] {
  display: none !important;
}
.frame {
  display: grid;
  gap: 0.7rem 1.5rem;
  grid-template-columns: auto 1fr;
  align-items: center;
}
.frame > *,
.board {
  grid-column: 1 / -1;
  min-width: 0;
}
.stage {
  display: contents;
}
.goal {
  grid-column: 1;
  grid-row: 1;
  margin: 0;
  width: 6.5rem;
  text-align: center;
}
.goal figcaption {
  font-size: 0.8rem;
  font-weight: 600;
}
.goal svg {
  max-height: 7rem;
  aspect-ratio: var(--ratio, 1);
  height: auto;
}
.todo {
  grid-row: 1;
  grid-column: 2;
  margin: 0;
  font-size: 1rem;
  line-height: 1.45;
  overflow-wrap: anywhere;
}
.frame:has(.goal[hidden]) .todo {
  grid-column: 1 / -1;
}
.board {
  position: relative;
  justify-self: center;
  width: min(100%, calc(max(11rem, var(--board-high, 60vh) - var(--listed, 0rem)) * var(--ratio, 1)), calc(var(--columns, 8) * 7rem));
  aspect-ratio: var(--ratio, 1);
  touch-action: none;
  user-select: none;
}
.board.solid {
  width: min(100%, calc(max(11rem, var(--board-high, 60vh) - var(--listed, 0rem)) * var(--ratio, 1)), 34rem);
}
.board .turn {
  position: absolute;
  right: 0;
  top: 0;
  display: inline-flex;
  gap: 0.35rem;
  align-items: center;
}
.board.solid svg {
  cursor: grab;
}
:host([stale]) .board > svg {
  opacity: 0.35;
}
.layer {
  stroke: var(--warm);
}
.lit {
  filter: drop-shadow(0 0 3px var(--warm)) drop-shadow(0 0 1px var(--warm));
}
svg {
  width: 100%;
  height: 100%;
  display: block;
  font-family: system-ui, "Noto Sans CJK JP", sans-serif;
  font-weight: 600;
}
.icon {
  width: 1.35rem;
  height: 1.35rem;
  flex: none;
  fill: none;
  stroke: currentcolor;
  stroke-width: 2;
  stroke-linecap: round;
  stroke-linejoin: round;
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
.listed,
.deal {
  display: flex;
  flex-wrap: wrap;
  gap: 0.4rem;
  justify-content: center;
  align-items: center;
}
.listed {
  scroll-margin-bottom: 5.5rem;
}
.listed:empty {
  display: none;
}
.listed button,
.deal button,
.turn {
  min-width: 2.75rem;
}
.listed button,
.deal button,
.turn,
.course :is(button, select) {
  min-height: 2.5rem;
  padding: 0 0.8rem;
  font: inherit;
  font-size: 0.95rem;
  color: inherit;
  background: var(--paper);
  border: 1px solid var(--rim);
  border-radius: 0.6rem;
  cursor: pointer;
}
.listed button {
  font-weight: 600;
}
.listed button.names {
  font-weight: 400;
}
.listed button[aria-pressed="true"] {
  background: var(--ground);
}
.listed button.best {
  outline: 3px solid var(--warm);
}
.deal .name {
  display: inline-flex;
  gap: 0.4rem;
  align-items: center;
  font-size: 0.95rem;
  margin-right: 0.2rem;
}
.deal small {
  margin-left: 0.4rem;
  font-variant-numeric: tabular-nums;
}
.deal .walk {
  flex-basis: 100%;
  margin: 0;
  text-align: center;
}
.pad {
  display: grid;
  grid-template-columns: repeat(4, 3.2rem);
  justify-content: center;
  gap: 0.3rem;
}
.pad button {
  min-height: 2.75rem;
  font: inherit;
  font-weight: 600;
  color: inherit;
  background: var(--paper);
  border: 1px solid var(--rim);
  border-radius: 0.6rem;
  cursor: pointer;
  touch-action: manipulation;
}
.pad .U {
  grid-area: 1 / 2;
}
.pad .L {
  grid-area: 2 / 1;
}
.pad .D {
  grid-area: 2 / 2;
}
.pad .R {
  grid-area: 2 / 3;
}
.pad .A {
  grid-area: 2 / 4;
}
@media (pointer: fine) {
  .pad {
    display: flex;
  }
  .pad button {
    width: 3.2rem;
    min-height: 2.4rem;
  }
}
.pad .best {
  outline: 3px solid var(--warm);
}
.pad button:hover,
.course button:hover:not([aria-disabled]) {
  background: var(--ground);
}
.course {
  display: flex;
  gap: 0.4rem;
  justify-content: center;
}
.message {
  position: absolute;
  inset: 0;
  z-index: 1;
  display: grid;
  align-content: center;
  justify-items: center;
  gap: 1rem;
  padding: 1rem;
  overflow: auto;
  background: var(--paper);
  border: 1px solid var(--rim);
  border-radius: 0.6rem;
  text-align: center;
  cursor: pointer;
}
.message p {
  margin: 0;
  font-size: 1.1rem;
  white-space: pre-wrap;
  overflow-wrap: anywhere;
}
.message button {
  min-height: 2.75rem;
  padding: 0 1.2rem;
  font: inherit;
  border: 1px solid;
  border-radius: 0.6rem;
  cursor: pointer;
}
.tools {
  display: grid;
  grid-auto-flow: column;
  grid-auto-columns: minmax(0, 1fr);
  gap: 0.3rem;
  justify-self: center;
  width: min(100%, 34rem);
  position: sticky;
  bottom: 0;
  z-index: 2;
  padding: 0.35rem 0 calc(0.35rem + env(safe-area-inset-bottom));
  background: var(--paper);
}
.tools button {
  display: grid;
  justify-items: center;
  align-content: center;
  gap: 0.1rem;
  min-height: 3.4rem;
  padding: 0.25rem 0;
  font: inherit;
  font-size: 0.75rem;
  line-height: 1.2;
  letter-spacing: -0.01em;
  color: inherit;
  background: none;
  border: 0;
  border-radius: 0.7rem;
  cursor: pointer;
}
.tools button:hover:not([aria-disabled]),
.listed button:hover:not([aria-disabled]),
.deal button:hover:not([aria-disabled]) {
  background: var(--ground);
}
button.main,
.tools button.main:hover:not([aria-disabled]),
.course button.main:hover:not([aria-disabled]),
.deal button.main:hover:not([aria-disabled]) {
  background: var(--accent);
  border-color: var(--accent);
  color: var(--accent-ink);
}
button[aria-disabled] {
  opacity: 0.4;
  cursor: default;
}
.status {
  margin: 0;
  min-height: 1.5em;
  text-align: center;
  font-size: 1.05rem;
  font-weight: 600;
  font-variant-numeric: tabular-nums;
  overflow-wrap: anywhere;
  text-wrap: balance;
  word-break: auto-phrase;
}
.status.won {
  justify-self: center;
  padding: 0.35rem 1.2rem;
  border-radius: 2rem;
  background: #00664a;
  color: #ffffff;
}
@media (prefers-reduced-motion: no-preference) {
  .status.won {
    animation: pop 420ms cubic-bezier(0.2, 1.6, 0.4, 1);
  }
  @keyframes pop {
    from {
      transform: scale(0.6);
      opacity: 0;
    }
  }
}
.status.lost {
  font-weight: 700;
}
.strip {
  display: flex;
  height: 3.6rem;
  justify-self: center;
  width: min(100%, 44rem);
  border-bottom: 1px solid var(--rim);
}
.strip button {
  flex: 0 1 2rem;
  min-width: 2px;
  padding: 0;
  border: 0;
  background: none;
  cursor: pointer;
}
.strip rect {
  fill: var(--rim);
}
.strip .lost rect {
  fill: var(--warm);
}
.strip .mark {
  fill: var(--warm);
}
.strip .unknown rect {
  fill: none;
  stroke: var(--rim);
}
.strip .here rect {
  fill: var(--accent);
}
.strip .here {
  box-shadow: 0 3px 0 var(--accent);
}
.solution {
  justify-self: center;
  width: min(100%, 44rem);
  padding: 0.8rem 1rem;
  border: 1px solid var(--rim);
  border-radius: 0.8rem;
  box-sizing: border-box;
}
.solution header {
  display: flex;
  justify-content: space-between;
  align-items: center;
}
.solution :is(h2, h3) {
  margin: 0;
  font-size: 1.05rem;
}
.solution h3 {
  font-size: 0.9rem;
}
.solution .close {
  display: grid;
  place-items: center;
  width: 2.5rem;
  height: 2.5rem;
  border: 0;
  background: none;
  color: inherit;
  cursor: pointer;
}
.solution label {
  display: flex;
  gap: 0.8rem;
  align-items: center;
  font-size: 0.9rem;
}
.solution .scrub input {
  flex: 1;
  min-width: 0;
  height: 2.5rem;
}
.solution output {
  min-width: 4.5em;
  text-align: right;
  font-variant-numeric: tabular-nums;
}
.lines {
  display: flex;
  gap: 1rem;
  margin-top: 0.5rem;
}
.line {
  flex: 1;
  min-width: 0;
}
.line ol {
  max-height: 13rem;
  overflow: auto;
  margin: 0.3rem 0 0;
  padding-left: 2.6rem;
}
.line ol::marker,
.line li::marker {
  font-size: 0.85rem;
  font-variant-numeric: tabular-nums;
}
.line button {
  width: 100%;
  padding: 0.15rem 0.5rem;
  border: 0;
  border-radius: 0.4rem;
  background: none;
  color: inherit;
  font: inherit;
  font-size: 0.95rem;
  text-align: left;
  cursor: pointer;
  overflow-wrap: anywhere;
}
.line button:hover {
  background: var(--ground);
}
.line button[aria-current] {
  background: var(--accent);
  color: var(--accent-ink);
}
.line .lost span {
  font-size: 0.8rem;
  text-decoration: underline wavy var(--warm);
}
.hint {
  fill: none;
  stroke: var(--warm);
  stroke-width: 5;
  stroke-linecap: round;
  stroke-linejoin: round;
}
.head {
  fill: var(--warm);
}
@container (max-width: 35.99rem) {
  .frame {
    grid-template-rows: repeat(6, auto) 1fr auto;
    row-gap: 0.4rem;
    min-height: var(--frame-high, 0);
  }
  .frame:has(.listed button) {
    --listed: 3.2rem;
  }
  .frame:has(.listed button:nth-child(7)) {
    --listed: 6rem;
  }
  .frame:has(.listed button:nth-child(15)) {
    --listed: 8.5rem;
  }
  .board {
    grid-row: 2;
  }
  .status {
    grid-row: 3;
    font-size: min(1.05rem, 4.5cqw);
  }
  .listed,
  .pad {
    grid-row: 4;
  }
  .strip {
    grid-row: 5;
  }
  .course {
    grid-row: 6;
  }
  .course button:not(.main) span {
    display: none;
  }
  .deal {
    grid-row: 8;
    gap: min(0.3rem, 1cqw);
  }
  .deal .name {
    font-size: 0;
    margin: 0;
  }
  .deal button {
    padding: 0 min(0.4rem, 1.4cqw);
    font-size: min(0.85rem, 3.8cqw);
  }
  .deal small {
    margin-left: 0.25rem;
  }
  .tools {
    grid-row: 7;
    align-self: end;
    width: 100%;
    border-top: 1px solid var(--line, transparent);
  }
  .solution {
    grid-row: 9;
  }
}
@container (max-width: 22rem) {
  .frame {
    column-gap: 0.75rem;
  }
  .goal {
    width: 5rem;
  }
  .goal svg {
    max-height: 5.5rem;
  }
  .todo {
    font-size: 0.875rem;
    line-height: 1.35;
  }
  .turn span {
    display: none;
  }
  .listed {
    gap: 0.25rem;
  }
  .listed button {
    min-width: 2.3rem;
    padding: 0 0.4rem;
  }
  .tools {
    gap: 0.1rem;
  }
  .tools button {
    font-size: 0.7rem;
  }
}
@container (min-width: 36rem) {
  .frame {
    grid-template-columns: minmax(0, 1fr);
  }
  .todo {
    grid-column: 1;
    text-align: center;
    font-size: 1.1rem;
  }
  .stage {
    display: flex;
    flex-direction: row-reverse;
    justify-content: center;
    align-items: center;
    gap: 1.5rem;
    --aside: calc(clamp(8rem, 18cqw, 11rem) + 1.5rem);
  }
  .stage:has(.goal[hidden]) {
    --aside: 0px;
  }
  .goal {
    flex: none;
    width: clamp(8rem, 18cqw, 11rem);
  }
  .goal figcaption {
    font-size: 0.95rem;
    margin-bottom: 0.3rem;
  }
  .goal svg {
    max-height: 18rem;
  }
  .board {
    flex: none;
    width: min(100cqw - var(--aside), var(--board-high, 60vh) * var(--ratio, 1), var(--columns, 8) * 7rem);
  }
  .board.solid {
    width: min(100cqw - var(--aside), var(--board-high, 60vh) - var(--listed, 0rem), 34rem);
  }
  .frame:has(.listed button:nth-child(13)) {
    --listed: 2.5rem;
  }
  .status {
    font-size: 1.15rem;
  }
  .tools button {
    font-size: 0.85rem;
  }
}
@media (max-height: 30rem) {
  @container (min-width: 36rem) {
    .frame {
      grid-template-columns: auto auto minmax(0, 1fr);
      gap: 0.4rem 1.2rem;
    }
    .frame > * {
      grid-column: 2 / -1;
      justify-self: center;
    }
    .stage,
    .stage:has(.goal[hidden]) {
      display: contents;
      --aside: 21.5rem;
      --listed: 0rem;
    }
    .board {
      grid-column: 1;
      grid-row: 1 / span 9;
      align-self: start;
    }
    .goal {
      grid-column: 2;
      width: 5rem;
    }
    .goal figcaption {
      margin: 0;
      font-size: 0.8rem;
    }
    .goal svg {
      max-height: 4rem;
    }
    .todo {
      grid-column: 3;
      justify-self: start;
      text-align: left;
      font-size: 0.9rem;
      line-height: 1.35;
    }
    .frame:has(.goal[hidden]) .todo {
      grid-column: 2 / -1;
    }
    .turn span {
      display: none;
    }
    .status {
      font-size: 0.9rem;
    }
    .listed {
      gap: 0.25rem;
    }
    .listed button {
      min-width: 2rem;
      padding: 0 0.3rem;
    }
    .course button:not(.main) span {
      display: none;
    }
    .tools button {
      min-height: 2.9rem;
      font-size: 0.75rem;
    }
    .deal .name {
      font-size: 0;
      margin: 0;
    }
    .deal {
      gap: 0.25rem;
    }
    .deal button {
      padding: 0 0.35rem;
      font-size: 0.8rem;
    }
    .strip,
    .solution {
      order: 1;
    }
    .frame > .solution {
      grid-column: 1 / -1;
    }
  }
}
@media print {
  .tools,
  .listed,
  .pad,
  .course,
  .strip,
  .deal,
  .turn {
    display: none;
  }
}
@media (forced-colors: active) {
  .tools button {
    border: 2px solid;
  }
}
`;
