// What a person does by mouse, touch, drag and keyboard, as calls of the player.

import { wayOnPaper } from "./cube.js";
import { between as apart, aside, dragging } from "./drag.js";
import { pegAt } from "./draw.js";
import { between, different, endsOf, headed, heldOf, movesAt } from "./hands.js";
import { symbolsOf } from "./positions.js";
import { UNIT } from "./shapes.js";
import { entered, nearest, pegsOf, pressed, route, straight, swiped, targets, touched, towards } from "./ways.js";

const SWIPE = 16; // pixels after which a drag is a swipe
const QUARTER = 0.33; // of the width of the drawing: the drag that makes a whole turn of a cube's layer
const ENOUGH = 0.3; // of a turn: a layer that is let go there goes on, else back
const FLICK = 250; // milliseconds of a drag that turns the layer however short it is
const LIKE = 0.6; // cosine between a drag and the way of a sticker from which they are the same
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

export class Input {
  #player;
  #view;
  #acts;
  #dragged = false;

  /** player: the element; acts: its private methods {game, make(move, animated), say(message), paint(), jump, open}. */
  constructor(player, view, acts) {
    this.#player = player;
    this.#view = view;
    this.#acts = acts;
    for (const part of [view.tools, view.deal, view.turn]) {
      part.addEventListener("click", (event) => this.#tool(event.target.closest("button")));
    }
    view.listed.addEventListener("click", ({ target }) => {
      if (target.dataset.do === "names") this.#names();
      else
        this.#pick(
          target.dataset.to ? (move) => move.to === target.dataset.to : (move) => move.name === target.textContent,
        );
    });
    view.board.addEventListener("click", (event) => {
      const { cell } = event.target.dataset;
      if (!view.at || this.#dragged || view.solid || view.turn.contains(event.target)) return;
      player.pause();
      if (view.about.board.stacks) this.#peg(this.#pegNear(view.place(event.clientX, event.clientY)[0], event, cell));
      else if (view.about.game) event.detail || this.#acts.game.press("A");
      else if (cell !== undefined) this.#press(Number(cell));
    });
    for (const [begins, ends] of [
      ["pointerover", "pointerout"],
      ["focusin", "focusout"],
    ]) {
      view.cells.addEventListener(begins, ({ target }) => target.dataset.cell && view.aim(Number(target.dataset.cell)));
      view.cells.addEventListener(ends, () => view.aim(null));
    }
    player.addEventListener("keydown", (event) => this.key(event));
    dragging(view.cells, this.#drags());
    this.#turning();
  }

  #tool(button) {
    const player = this.#player;
    const acts = {
      undo: () => player.undo(),
      redo: () => player.redo(),
      reset: () => player.reset(),
      deal: () => player.deal(button.dataset.level),
      hint: () => player.hint(),
      step: () => player.step(),
      solve: () => this.#acts.open(),
      play: () => player.solve(),
      pause: () => player.pause(),
      turn: () => this.#acts.net(),
    };
    if (button && !button.getAttribute("aria-disabled")) acts[button.dataset.do]?.();
  }

  /** A move of the list. */
  #pick(meant) {
    const move = this.#view.at.moves.find(meant);
    if (!move) return;
    this.#player.pause();
    this.#acts.make(move);
  }

  /** A cell: makes the move that it means, else chooses the piece on it. */
  #press(cell) {
    const view = this.#view;
    const { about, at, chosen } = view;
    view.hint = null;
    if (["alter", "take"].includes(about.gesture)) return this.#tap(cell);
    const meant = pressed(about, at, cell);
    if (meant) return this.#acts.make(meant);
    const going = chosen && towards(about, at, chosen, cell);
    if (going) return this.#acts.make(going);
    if (about.gesture === "tilt") return this.#acts.say(view.says.swiped);
    const piece = view.pieceOn(cell);
    const step = about.gesture === "walk" && !piece ? entered(at, cell) : null;
    if (step) return this.#acts.make(step);
    if (!piece || chosen?.includes(cell)) return this.#choose(null);
    const ends = targets(at, piece.cells);
    if (ends.size === 1 && !about.listed.length) return this.#acts.make([...ends.values()][0]);
    this.#choose(ends.size ? piece.cells : null);
    this.#acts.say(ends.size ? view.says.choose(ends.size) : about.listed.length ? view.says.list : view.says.stuck);
  }

  /** A cell whose content moves change: makes the only move that is meant, or shows what can be chosen. */
  #tap(cell) {
    const view = this.#view;
    const { about, at, chosen, says } = view;
    const meant = chosen ? between(about, at, chosen[0], cell) : [];
    if (meant.length) return this.#among(meant);
    const top = heldOf(about, at, cell);
    const moves = different(movesAt(about, at, top ?? cell));
    if (chosen?.includes(top ?? cell) || !moves.length) {
      this.#choose(null);
      return this.#acts.say(top === null || chosen ? "" : says.stuck);
    }
    const stacked = about.gesture === "take";
    if (!stacked && moves.length === 1) return this.#acts.make(moves[0]);
    this.#choose(top === null ? null : [top], stacked ? null : moves);
    this.#acts.say(stacked ? (top === null ? "" : says.to) : says.which);
  }

  /** Makes one of some moves: the only one, or that which is chosen from a list. */
  #among(moves) {
    const several = different(moves);
    if (several.length === 1) return this.#acts.make(several[0]);
    this.#choose(this.#view.chosen, several);
    this.#acts.paint();
    this.#acts.say(this.#view.says.which);
  }

  /** Shows the names of all cells, or only those that belong to the board. */
  #names() {
    this.#view.names = !this.#view.names;
    this.#acts.paint();
  }

  #choose(cells, moves = null) {
    this.#view.chosen = cells;
    this.#view.choices = moves;
    this.#view.mark();
  }

  /** The peg that a click means: of the disk that a key pressed, or the nearest to the pointer. */
  #pegNear(x, event, cell) {
    const { about, at } = this.#view;
    if (event.detail === 0 && cell !== undefined) return at.symbols[Number(cell)];
    const pegs = Array.from({ length: about.symbols }, (_, peg) => peg);
    return pegs.reduce((best, peg) => (this.#off(peg, x) < this.#off(best, x) ? peg : best), 0);
  }

  #off(peg, x) {
    return Math.abs(pegAt(this.#view.about, peg) * UNIT - x);
  }

  /** A peg: takes its top disk, or puts the taken one there. */
  #peg(peg) {
    const view = this.#view;
    const { about, at, chosen } = view;
    view.hint = null;
    const ways = chosen && pegsOf(at, chosen[0], (id) => symbolsOf(about, id));
    if (ways?.has(peg)) return this.#acts.make(ways.get(peg));
    const top = at.symbols.indexOf(peg);
    this.#choose(top < 0 || chosen?.includes(top) ? null : [top]);
    this.#acts.say(view.chosen ? view.says.put : "");
  }

  /** A key that was pressed on the player, or on the page where nothing has the focus. */
  key(event) {
    const view = this.#view;
    if (!view.at || event.defaultPrevented || this.#acts.game.key(event)) return;
    const player = this.#player;
    const control = { z: () => (event.shiftKey ? player.redo() : player.undo()), y: () => player.redo() };
    const plain = { Escape: () => this.#choose(null), h: () => player.hint(), n: () => this.#names() };
    const act = event.ctrlKey || event.metaKey ? control[event.key.toLowerCase()] : plain[event.key];
    const cell = view.focused?.dataset?.cell;
    if (act) {
      event.preventDefault();
      act();
    } else if (view.about.game) return;
    else if (ARROWS[event.key] && (cell !== undefined || !view.focused)) this.#arrow(event, cell);
    else if (view.about.board.stacks && !event.ctrlKey && !event.metaKey && !event.altKey) {
      const peg = view.about.letters?.findIndex(([letter]) => letter.toLowerCase() === event.key.toLowerCase());
      if (peg >= 0) this.#peg(peg);
    } else if (view.about.gesture === "take" && !event.ctrlKey && !event.metaKey && !event.altKey) {
      const tube = view.about.board.tubes[Number(event.key) - 1];
      if (tube) this.#press(tube[0]);
    }
  }

  /** An arrow key moves the chosen piece, or the only one that can slide there; else the focus goes on. */
  #arrow(event, cell) {
    const { about, at, chosen } = this.#view;
    const direction = ARROWS[event.key];
    const changing = about.gesture === "alter" ? headed(about, at, direction, chosen) : null;
    if (changing) {
      event.preventDefault();
      this.#player.pause();
      return this.#acts.make(changing.move, true, chosen ? changing.end : false);
    }
    const blanks = at.symbols.length - at.pieces.flat().length;
    const move =
      (chosen && about.gesture !== "take") ||
      (blanks === 1 && about.gesture !== "leap") ||
      ["tilt", "walk"].includes(about.gesture)
        ? straight(about, at, direction, chosen)
        : null;
    if (!move && cell === undefined) return;
    event.preventDefault();
    if (!move) return this.#walk(Number(cell), direction);
    this.#player.pause();
    this.#acts.make(move, true, !!chosen);
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

  /** What can be dragged from a cell: {cell, home, ways, free}; `free`: the piece follows the pointer anywhere. */
  #grabbed(number) {
    const view = this.#view;
    const { about, at } = view;
    if (!at) return null;
    if (about.board.stacks) {
      const disk = at.symbols.indexOf(at.symbols[number]);
      const ways = [...pegsOf(at, disk, (id) => symbolsOf(about, id)).values()].map((move) => {
        return { move, spots: [view.home(disk), view.home(disk, symbolsOf(about, move.to))], pushed: [] };
      });
      return ways.length ? { cell: disk, home: view.home(disk), ways, free: true, off: aside } : null;
    }
    if (["alter", "take"].includes(about.gesture)) return this.#held(number);
    if (["swipe", "press", "pile", "tilt", "game"].includes(about.gesture))
      return { cell: number, home: view.home(number), ways: [] };
    const piece = view.pieceOn(number);
    if (!piece) return null;
    const [cell] = piece.cells;
    const ways = [...targets(at, piece.cells).values()].map((move) => this.#way(move, cell));
    return { cell, home: view.home(cell), ways: ways.sort((a, b) => a.spots.length - b.spots.length) };
  }

  /** The same for moves that change what is in cells: the piece follows the pointer to one of the ends. */
  #held(number) {
    const view = this.#view;
    const { about, at } = view;
    const tubes = about.gesture === "take";
    const cell = heldOf(about, at, number);
    if (cell === null || !view.pieceOn(cell)) return null;
    const ends = [...endsOf(about, at, cell)];
    const ways = ends.map(([end, moves]) => ({ move: { among: moves }, spots: [view.home(cell), view.home(end)] }));
    return ways.length ? { cell, home: view.home(cell), ways, free: true, off: tubes ? aside : apart } : null;
  }

  /** What `dragging` needs from the board. */
  #drags() {
    const view = this.#view;
    return {
      grab: (number) => {
        const grabbed = this.#grabbed(number);
        if (grabbed) this.#player.pause();
        return grabbed;
      },
      scale: () => view.scale,
      put: (cell, place) => view.put(cell, place),
      drop: (move, cell, pull) => {
        this.#still();
        if (view.about.game) return this.#acts.game.swiped(pull);
        const swipe = ["swipe", "tilt"].includes(view.about.gesture) && Math.hypot(...pull) > SWIPE;
        const found = swipe ? swiped(view.about, view.at, cell, pull) : move;
        if (found?.among) this.#dropped(found.among);
        else if (found) this.#acts.make(found, swipe);
        else this.#acts.paint();
      },
    };
  }

  /** A piece was put where some moves take it. */
  #dropped(moves) {
    const several = different(moves);
    if (several.length === 1) return this.#acts.make(several[0], false);
    this.#acts.paint();
    this.#among(moves);
  }

  /** The click that ends a drag is not a press. */
  #still() {
    this.#dragged = true;
    setTimeout(() => {
      this.#dragged = false;
    }, 0);
  }

  /** A drag on a sticker of a cube turns its layer; beside it, the cube is turned to be looked at. */
  #turning() {
    const view = this.#view;
    let drag = null;
    view.svg.addEventListener("pointerdown", (event) => {
      if (!view.at || !view.solid || event.button) return;
      const cell = event.target.dataset?.cell;
      view.svg.setPointerCapture(event.pointerId);
      drag = {
        x: event.clientX,
        y: event.clientY,
        cell: cell === undefined ? null : Number(cell),
        eye: { ...view.eye },
        began: event.timeStamp,
      };
    });
    view.svg.addEventListener("pointermove", (event) => {
      if (!drag) return;
      const pull = [event.clientX - drag.x, event.clientY - drag.y];
      if (drag.cell === null) return view.look(drag.eye.around + pull[0] / 150, drag.eye.up + pull[1] / 150);
      if (!drag.move) {
        if (Math.hypot(...pull) < SWIPE) return;
        drag.move = this.#layer(drag.cell, pull);
        if (!drag.move) {
          drag.cell = null;
          return;
        }
        drag.way = wayOnPaper(
          view.about.board.cube,
          drag.cell,
          view.about.board.cube.turns[drag.move.steps[0].name],
          drag.eye,
        );
        this.#player.pause();
      }
      const along = drag.way[0] * pull[0] + drag.way[1] * pull[1];
      drag.share = Math.min(Math.max(along / (QUARTER * view.svg.clientWidth), 0), 1);
      if (along > -SWIPE) return view.twist(drag.move, drag.share);
      drag.move = null;
      view.untwist();
    });
    for (const end of ["pointerup", "pointercancel"]) {
      view.svg.addEventListener(end, (event) => {
        const { move, share, began } = drag ?? {};
        drag = null;
        if (!move) return;
        const flicked = event.timeStamp - began < FLICK;
        if (end === "pointerup" && (share > ENOUGH || (flicked && share > 0))) this.#acts.make(move);
        else view.untwist();
      });
    }
  }

  /** The turn that carries a sticker most nearly where it is dragged, or null. */
  #layer(cell, pull) {
    const { about, at, eye } = this.#view;
    const { cube } = about.board;
    let best = null;
    let most = LIKE * Math.hypot(...pull);
    for (const move of at.moves) {
      if (move.steps.length > 1 || !touched(move).has(cell)) continue;
      const [dx, dy] = wayOnPaper(cube, cell, cube.turns[move.steps[0].name], eye);
      const along = dx * pull[0] + dy * pull[1];
      if (along > most) [best, most] = [move, along];
    }
    return best;
  }
}
