"""Draft: the keys of a puzzle file as data, before anything is computed; its rule kind builds a Puzzle from it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from ..contract.result import Result
from .diagnostics import Diagnostic

BLANK, NOTHING, WILD = ".", "#", "*"
"""In drawings: a blank, a place without a cell, any symbol."""

PLAYER = "@"
"""In drawings with `rule: push`: a player."""

OWN_KEYS = (
    "moves",
    "swap",
    "one_way",
    "blocks",
    "single",
    "apart",
    "fixed",
    "distinct",
    "diagonals",
    "gates",
    "along",
    "edge",
    "ground",
    "passing",
    "anywhere",
    "pull",
    "tilt",
    "put",
    "take",
    "between",
    "order",
    "colours",
)
"""The fields of a Draft that only some rule kinds use."""

PART_KEYS = (
    "moves", "swap", "one-way", "blocks", "apart", "fixed", "gates", "edge", "passing", "anywhere", "tilt", "pull",
    "put", "take", "between", "order", "colours",
)  # fmt: skip
"""The keys that a file with several rules has for each rule; all others are about the whole puzzle."""

CHANGES = ("kinds", "places", "also", "numbers", "weights", "moves", "after", "forbid")
"""The keys whose rows a rule kind with sentences reads itself, in the order in which they are written."""


@dataclass(frozen=True)
class Drawing:
    """A drawing as rows of words; those from a file are `errors.Word`, so that errors can name the place.

    spaced   whether words are separated by spaces; False for one character per cell
    columns  for a `board:` drawing: the text column of each word (of its first or last letter, whichever is aligned)
    """

    rows: tuple[tuple[str, ...], ...]
    spaced: bool = True
    columns: tuple[tuple[int, ...], ...] = ()

    @property
    def words(self) -> tuple[str, ...]:
        """The words of all cells, in reading order."""
        return tuple(word for row in self.rows for word in row if word != NOTHING)


@dataclass(frozen=True)
class CountGoal:
    """`goal: count o = 1`: the number of cells that show a symbol.

    `any one peg` is the symbol None, which stands for the puzzle's peg, with the count 1.
    """

    symbol: str | None
    count: int


@dataclass(frozen=True)
class ListedMove:
    """One row under `moves:`.

    cells  for the kind 'cycles' the cells of each cycle; for 'flip' and 'reverse' one line of cells
    swaps  for the kind 'cycles' the cells whose symbols `~` changes
    """

    name: str
    kind: Literal["cycles", "flip", "reverse"]
    cells: tuple[tuple[str, ...], ...]
    swaps: tuple[str, ...] = ()


@dataclass(frozen=True)
class Look:
    """How a symbol looks in pictures; texts are empty if the file does not have them."""

    symbol: str
    colour: str = ""
    mark: str = ""
    glyph: str = ""
    name: str = ""


@dataclass(frozen=True)
class Known:
    """A known number, which a computation must confirm.

    what    'states', 'depth', 'hardest', 'solution' or 'solutions'
    metric  '' is the metric of the puzzle
    """

    what: str
    value: int
    from_start: bool = False
    metric: str = ""
    source: str = ""


@dataclass(frozen=True, repr=False)
class Claim(Result):
    """A known number and the computed one, which is None if it could not be computed."""

    known: Known
    found: int | None

    @property
    def holds(self) -> bool:
        """Whether the computed number is the known one."""
        return self.found == self.known.value


@dataclass(frozen=True)
class OpenPieces:
    """One row under `pieces:`: how many pieces of some shapes a layout may have.

    name    the letter of these pieces in drawings, '' if they have none
    shapes  as written: '2x2', 'oo/o.', 'any connected up to 4 cells', 'wall'
    high    the most pieces; None if there is no such number
    """

    name: str
    shapes: tuple[str, ...]
    low: int
    high: int | None


@dataclass(frozen=True)
class Draft:
    """The keys of a puzzle file; docs/format.md explains each key.

    single       `blocks: none`: its author says that every piece has one cell
    goals        a goal in words is 'start', 'any A' beside `pieces:`, or a sentence if the rule kind has them
    changes      the rows of keys of `CHANGES` as they are written, for rule kinds with sentences
    put, take    the words of each of these keys, after the number of its row: '' for all rows
    order        the symbols, with '=' between those that are equal
    colours      each colour with its symbols
    parts        the further rules of a file with several: drafts with the keys of `PART_KEYS` only
    shared       for the draft of one of several rules the symbols of all; None if there is only one rule
    places       for each key of a file the place of its value, for errors: 'one_way', 'goal', 'goal 2'
    diagnostics  what its reader says about the text; not a part of the puzzle
    """

    rule: str
    along: bool = False
    titles: tuple[tuple[str, str], ...] = ()
    by: str = ""
    source: str = ""
    note: str = ""
    count: str = ""
    board: Drawing | tuple[str, ...] | None = None
    lines: tuple[tuple[str, ...], ...] = ()
    links: tuple[tuple[str, tuple[str, ...]], ...] = ()
    diagonals: bool = False
    blocks: tuple[str, ...] | Literal["all"] = ()
    single: bool = False
    apart: tuple[str, ...] | Literal["all"] = ()
    fixed: tuple[str, ...] = ()
    gates: Drawing | None = None
    edge: str = ""
    ground: tuple[str, ...] = ()
    passing: bool = False
    anywhere: bool = False
    pull: bool = False
    tilt: bool = False
    start: Drawing | None = None
    goals: tuple[Drawing | CountGoal | str, ...] = ()
    moves: tuple[ListedMove, ...] = ()
    swap: tuple[tuple[str, ...], ...] = ()
    one_way: bool = False
    distinct: tuple[str, ...] | Literal["all"] = ()
    picture: tuple[Look, ...] = ()
    known: tuple[Known, ...] = ()
    pieces: tuple[OpenPieces, ...] = ()
    blanks: tuple[int, int | None] | None = None
    walls: Drawing | None = None
    changes: Mapping[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]], hash=False)
    put: tuple[tuple[str, tuple[str, ...]], ...] = ()
    take: tuple[tuple[str, tuple[str, ...]], ...] = ()
    between: tuple[str, ...] = ()
    order: tuple[str, ...] = ()
    colours: tuple[tuple[str, tuple[str, ...]], ...] = ()
    parts: tuple[Draft, ...] = ()
    shared: tuple[str, ...] | None = None
    places: Mapping[str, str] = field(default_factory=dict[str, str], compare=False, repr=False)
    diagnostics: tuple[Diagnostic, ...] = field(default=(), compare=False, repr=False)

    def place(self, key: str) -> str:
        """Return the word at which an error about a key is shown: its value, else the word after `rule:`."""
        return self.places.get(key, self.rule)
