// The game as a strip: the distance to the goal after each move. Moves that lost ground are marked.

import { tag } from "./shapes.js";

/** Whether the move to a spot left the goal as far as before, or farther. A part that the next one goes on with did not. */
export function lost(spots, index) {
  const { before, distance } = spots[index];
  if (!before || before === spots[index + 1]?.before) return false;
  return distance !== null && before.distance !== null && distance >= before.distance;
}

export class Strip {
  #root;
  #drawn = "";
  #spots = [];

  /** root: the element of the strip. chosen(spot): called when a person goes to a spot. */
  constructor(root, chosen) {
    this.#root = root;
    root.addEventListener("click", (event) => {
      const bar = event.target.closest("button");
      if (bar) chosen(this.#spots[[...root.children].indexOf(bar)]);
    });
    root.addEventListener("keydown", (event) => this.#walk(event));
  }

  /** Shows the spots of a game, and which of them is on the board. */
  show(spots, here, says) {
    this.#spots = spots;
    const most = Math.max(1, ...spots.map(({ distance }) => distance ?? 0));
    this.#root.hidden = spots.length < 2;
    this.#root.setAttribute("aria-label", says.strip);
    const bars = spots.map((spot, index) => {
      const far = spot.distance;
      const bad = lost(spots, index);
      const said = says.spot(spot.count, says.move(spot.name ?? ""), far, bad);
      const kinds = [spot === here && "here", bad && "lost", far === null && "unknown"].filter(Boolean).join(" ");
      const share = far === null ? 0.5 : far / most;
      const more = spot === here ? { "aria-current": "true" } : {};
      const height = Math.max(1, Math.round(44 * share));
      const drawn =
        tag("rect", { x: 0, y: 46 - height, width: 10, height }) +
        (bad ? tag("path", { d: `M0,${40 - height}L10,${40 - height}L5,${45 - height}Z`, class: "mark" }) : "");
      const picture = tag("svg", { viewBox: "0 -8 10 54", preserveAspectRatio: "none", "aria-hidden": "true" }, drawn);
      const tab = { tabindex: spot === here ? "0" : "-1", title: said, "aria-label": said, class: kinds };
      return tag("button", { type: "button", ...tab, ...more }, picture);
    });
    const drawn = bars.join("");
    if (drawn === this.#drawn) return;
    const focused = this.#root.contains(this.#root.getRootNode().activeElement);
    this.#root.innerHTML = this.#drawn = drawn;
    const bar = this.#root.querySelector(".here");
    if (focused) bar?.focus();
  }

  #walk(event) {
    const step = { ArrowLeft: -1, ArrowRight: 1, Home: -Infinity, End: Infinity }[event.key];
    if (!step) return;
    event.preventDefault();
    const all = [...this.#root.children];
    const here = all.indexOf(event.target.closest("button"));
    all[Math.min(Math.max(here + step, 0), all.length - 1)].click();
  }
}
