"""Every family and engine, in explicit tuples: a new one is one file and one line here.

Rule kinds: `rules.RULES`. Lower bounds: `bounds.BOUNDS`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from importlib import import_module
from typing import TYPE_CHECKING

from .contract.questions import Engine, Space
from .engines import (
    astar,
    bidirectional,
    blocks,
    boxes,
    deepening,
    encoded,
    frontier,
    gliders,
    linear,
    plain,
    program,
    table,
)
from .engines import pegs as peg_layers
from .engines.shared import loops
from .errors import InputError
from .families import cube, flips, hanoi, lights, pancakes, pegs, reversals, shifts, tiles
from .plugins import plugin
from .puzzle.draft import Draft
from .puzzle.family import Family
from .puzzle.pictures import Pictures, drawn_by
from .puzzle.puzzle import Puzzle
from .rules import build

if TYPE_CHECKING:
    from .contract.needs import NeedsOf

FAMILIES: tuple[Family, ...] = (
    cube.FAMILY,
    flips.FAMILY,
    hanoi.FAMILY,
    lights.FAMILY,
    *pancakes.FAMILIES,
    reversals.FAMILY,
    pegs.FAMILY,
    *shifts.FAMILIES,
    tiles.FAMILY,
)

ENGINES: tuple[Engine, ...] = (
    plain.ENGINE,
    bidirectional.ENGINE,
    program.ENGINE,
    frontier.ENGINE,
    encoded.ENGINE,
    blocks.ENGINE,
    table.ENGINE,
    linear.ENGINE,
    astar.ENGINE,
    boxes.ENGINE,
    gliders.ENGINE,
    deepening.ENGINE,
    peg_layers.ENGINE,
)

REFERENCE = plain.ENGINE
"""The engine that all others are compared with."""


def needs_of(engine: Engine) -> NeedsOf | None:
    """Return what tells how much an engine takes to count depths, or None if it cannot be said beforehand."""
    if engine.name == plain.ENGINE.name:
        return plain.needs
    if engine.name == encoded.ENGINE.name:
        return encoded.needs
    if engine.name not in COUNTED:
        return None
    needs: NeedsOf = import_module(f".engines.{engine.name}.needs", __package__).needs  # most questions need none
    return needs


COUNTED = ("table", "frontier", "blocks", "boxes", "gliders", "pegs", "linear")
"""The engines that have a module `needs`."""


def _pictures() -> Pictures:
    from .render import svg  # most questions draw nothing

    return svg


drawn_by(_pictures)


def load_compiler() -> None:
    """Import what compiled engines need, so that its memory counts for the program and not for a question."""
    from .search import compiler_memory as compiler_memory


def take_loops(call: Callable[..., object]) -> None:
    """Take the compiled loops of a browser, see `engines/shared/loops`."""
    loops.give(call)


def browser_program(space: Space) -> dict[str, bytes] | None:
    """Return what a browser needs to search a space in compiled loops; None if they are not made for it.

    `loops` is a WebAssembly module, and the others are arrays of eight bytes a number, as `kernels/program` reads them.
    """
    if program.refuses(space, "search") is not None:
        return None
    from .engines.program.packing import for_browser  # few questions need it

    return for_browser(space)


def counts_in_browser(space: Space, in_bits: bool = False) -> bool:
    """Return whether the compiled loops of a browser were taken and count a space, or do so in a table of bits."""
    return loops.given() and (table if in_bits else program).refuses(space, "depths") is None


def from_spec(spec: str) -> Puzzle:
    """Return the puzzle of a family spec such as 'slide:4x4'. Raises InputError with the form it should have."""
    name, _, size = spec.partition(":")
    family = family_of(name)
    if family is None:
        known = ", ".join(family.form for family in FAMILIES)
        raise InputError(f"puzzle: expected one of {known}, found {spec!r}")
    made = family.make(size)
    puzzle = build(made, spec) if isinstance(made, Draft) else made
    return puzzle if family.notation is None else replace(puzzle, notation=family.notation(size))


def family_of(name: str) -> Family | None:
    """Return the family with this name, one of `FAMILIES` or of another installed package, or None."""
    return next((each for each in FAMILIES if each.name == name), None) or plugin("families", name, Family)
