// What a person does by mouse, touch, drag and keyboard, as calls of the player.

import { dragging } from "./drag.js";
import { listedAt, nearest, route, targets, towards } from "./ways.js";

export class Input {
  #player;
  #view;
  #acts;
  #dragged = false;

  /** player: the element; acts: its private methods {make(move, animated), say(message), paint()}. */
  constructor(player, view, acts) {
    this.#player = player;
    this.#view = view;
    this.#acts = acts;
    view.tools.addEventListener("click", (event) => this.#tool(event.target.closest("button")));
    view.tools.addEventListener("input", (event) => this.#slide(event.target));
    view.listed.addEventListener("click", (event) => this.#pick(event.target.textContent));
    view.cells.addEventListener("click", (event) => {
      const { cell } = event.target.dataset;
      if (cell === undefined || !view.at || this.#dragged) return;
      player.pause();
      this.#press(Number(cell));
    });
    player.addEventListener("keydown", (event) => this.#key(event));
    dragging(view.cells, this.#drags());
  }

  #tool(button) {
    const player = this.#player;
    const acts = {
      undo: () => player.undo(),
      redo: () => player.redo(),
      reset: () => player.reset(),
      shuffle: () => player.shuffle(),
      hint: () => player.hint(),
      step: () => player.step(),
      play: () => player.solve(),
      pause: () => player.pause(),
    };
    if (button && !button.getAttribute("aria-disabled")) acts[button.dataset.do]();
  }

  /** The slider is faster to the right. */
  #slide({ min, max, value }) {
    this.#player.speed = Number(min) + Number(max) - Number(value);
  }

  /** A move of the list. */
  #pick(name) {
    const move = this.#view.at.moves.find((each) => each.name === name);
    if (!move) return;
    this.#player.pause();
    this.#acts.make(move);
  }

  /** A cell: makes the move that it means, else chooses the piece on it. */
  #press(cell) {
    const view = this.#view;
    const { about, at, chosen } = view;
    view.hint = null;
    if (about.listed.length) {
      const move = listedAt(about, at, cell);
      return move ? this.#acts.make(move) : this.#acts.say(view.says.list);
    }
    const going = chosen && towards(about, at, chosen, cell);
    if (going) return this.#acts.make(going);
    const piece = view.pieceOn(cell);
    if (!piece || chosen?.includes(cell)) return this.#choose(null);
    const ends = targets(at, piece.cells);
    if (ends.size === 1) return this.#acts.make([...ends.values()][0]);
    this.#choose(ends.size ? piece.cells : null);
    this.#acts.say(ends.size ? view.says.choose(ends.size) : view.says.stuck);
  }

  #choose(cells) {
    this.#view.chosen = cells;
    this.#view.mark();
  }

  #key(event) {
    if (!this.#view.at) return;
    const player = this.#player;
    const control = { z: () => (event.shiftKey ? player.redo() : player.undo()), y: () => player.redo() };
    const plain = { Escape: () => this.#choose(null), h: () => player.hint() };
    const act = event.ctrlKey || event.metaKey ? control[event.key.toLowerCase()] : plain[event.key];
    const direction = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
    const cell = this.#view.focused?.dataset?.cell;
    if (act) {
      event.preventDefault();
      act();
    } else if (direction && cell !== undefined) {
      event.preventDefault();
      this.#walk(Number(cell), direction);
    }
  }

  /** Moves the focus to the nearest cell in a direction. */
  #walk(cell, direction) {
    const buttons = [...this.#view.cells.children];
    const places = buttons.map((_, each) => this.#view.home(each));
    const next = nearest(places, cell, direction);
    if (next === null) return;
    buttons[cell].tabIndex = -1;
    buttons[next].tabIndex = 0;
    buttons[next].focus();
  }

  /** A move as a route of the piece in `cell`, and those of the pieces that it pushes. */
  #way(move, cell) {
    const view = this.#view;
    const spots = (from) => route(move, from).map((each) => view.home(each));
    const pushed = view.at.pieces
      .map(([first]) => ({ cell: first, spots: spots(first) }))
      .filter((each) => each.cell !== cell && each.spots.length > 1);
    return { move, spots: spots(cell), pushed };
  }

  /** What `dragging` needs from the board. */
  #drags() {
    const view = this.#view;
    return {
      grab: (pressed) => {
        const piece = view.at && !view.about.listed.length && view.pieceOn(pressed);
        if (!piece) return null;
        this.#player.pause();
        const [cell] = piece.cells;
        const ways = [...targets(view.at, piece.cells).values()].map((move) => this.#way(move, cell));
        return { cell, home: view.home(cell), ways: ways.sort((a, b) => a.spots.length - b.spots.length) };
      },
      scale: () => view.scale,
      put: (cell, place) => view.put(cell, place),
      drop: (move) => {
        this.#dragged = true; // the click that ends a drag is not a press
        setTimeout(() => {
          this.#dragged = false;
        }, 0);
        if (move) this.#acts.make(move, false);
        else this.#acts.paint();
      },
    };
  }
}
