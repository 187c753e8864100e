// A shortest solution to look at: a scrubber, its numbered moves, and those of the game beside them.

import { icon } from "./icons.js";
import { escaped, tag } from "./shapes.js";
import { lost } from "./strip.js";

export class Solution {
  #root;
  #mine = [];

  /** The spots of the solution, the first where it begins; [] if none is shown. */
  line = [];

  /** root: the element of the panel. acts: {go(line, index), speed(milliseconds), close()}. */
  constructor(root, acts) {
    this.#root = root;
    root.addEventListener("click", (event) => {
      const { which, index } = event.target.closest("button")?.dataset ?? {};
      if (which) acts.go(which === "mine" ? this.#mine : this.line, Number(index));
      else if (event.target.closest(".close")) acts.close();
    });
    root.addEventListener("input", ({ target }) => {
      if (target.name === "speed") acts.speed(Number(target.min) + Number(target.max) - Number(target.value));
      else acts.go(this.line, Number(target.value));
    });
  }

  /** Shows a solution, and beside it the moves of a game if it has any. */
  open(line, mine, speed, says) {
    this.line = line;
    this.#mine = mine.length > 1 ? mine : [];
    const many = line.length - 1;
    const made = (spots) => spots.at(-1).count - spots[0].count;
    const list = (spots, which, title) =>
      tag(
        "div",
        { class: "line" },
        tag("h3", {}, title) +
          tag(
            "ol",
            {},
            spots
              .slice(1)
              .map((spot, index) => {
                const bad = lost(spots, index + 1);
                const more = { type: "button", "data-which": which, "data-index": index + 1, class: bad ? "lost" : "" };
                return tag(
                  "li",
                  {},
                  tag("button", more, escaped(says.move(spot.name)) + (bad ? ` <span>${says.ground}</span>` : "")),
                );
              })
              .join(""),
          ),
      );
    const scrubber = tag("input", {
      type: "range",
      name: "place",
      min: 0,
      max: many,
      value: 0,
      "aria-label": says.scrub,
    });
    const quick = { type: "range", name: "speed", min: 100, max: 1500, step: 100, value: 1600 - speed };
    this.#root.innerHTML =
      `<header><h2>${says.solution(made(line))}</h2>` +
      `<button type="button" class="close" title="${says.close}" aria-label="${says.close}">${icon("close")}</button></header>` +
      `<label class="scrub">${scrubber.replace("</input>", "")}<output></output></label>` +
      `<label class="speed">${says.speed} ${tag("input", quick).replace("</input>", "")}</label>` +
      `<div class="lines">${list(line, "best", says.fewest)}${this.#mine.length ? list(this.#mine, "mine", says.mine(made(this.#mine))) : ""}</div>`;
    this.#root.hidden = false;
  }

  close() {
    this.line = [];
    this.#root.hidden = true;
    this.#root.replaceChildren();
  }

  /** Marks where the position shown is in the solution and in the game. */
  mark(spot) {
    if (!this.line.length) return;
    const at = this.line.findIndex(({ id }) => id === spot.id);
    const places = { best: at, mine: this.#mine.findIndex(({ id }) => id === spot.id) };
    if (at >= 0) this.#root.querySelector("[name=place]").value = at;
    this.#root.querySelector("output").textContent = at < 0 ? "" : `${at} / ${this.line.length - 1}`;
    for (const button of this.#root.querySelectorAll("[data-which]")) {
      const here = Number(button.dataset.index) === places[button.dataset.which];
      if (here) button.setAttribute("aria-current", "step");
      else button.removeAttribute("aria-current");
      if (here && button.dataset.which === "best") reveal(button);
    }
  }
}

/** Scrolls a list so that one of its buttons is seen; the page stays where it is. */
function reveal(button) {
  const list = button.closest("ol");
  const top = button.offsetTop - list.offsetTop;
  if (top < list.scrollTop || top + button.offsetHeight > list.scrollTop + list.clientHeight) {
    list.scrollTop = top - list.clientHeight / 2;
  }
}
