"""Draft: the text of a puzzle file, key by key, nothing worked out; a family turns it into a Puzzle."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

BLANK, NOTHING, WILD = ".", "#", "*"
"""In drawings: a blank, a place with no cell, anything."""

OWN_KEYS = ("moves", "swap", "one_way", "blocks", "apart", "fixed", "distinct", "diagonals", "gates", "along")
"""The fields of a Draft that only some rule kinds know."""


@dataclass(frozen=True)
class Drawing:
    """A drawing as rows of words (`errors.Word` where they come from a file, so that errors can say where).

    spaced   whether it is written word by word, with spaces, or one character to a cell
    columns  for a `board:` drawing: the text column of each word (its first or last letter, whichever lines up)
    """

    rows: tuple[tuple[str, ...], ...]
    spaced: bool = True
    columns: tuple[tuple[int, ...], ...] = ()

    @property
    def words(self) -> tuple[str, ...]:
        """The words of all places that have a cell, in reading order."""
        return tuple(word for row in self.rows for word in row if word != NOTHING)


@dataclass(frozen=True)
class CountGoal:
    """`goal: count o = 1`: how many cells show a symbol. `any one peg` is the symbol None (the puzzle's peg) once."""

    symbol: str | None
    count: int


@dataclass(frozen=True)
class ListedMove:
    """One row under `moves:`. kind 'cycles': cells of each cycle, then cells whose symbols `~` changes;
    'flip' and 'reverse': one line of cells.
    """

    name: str
    kind: Literal["cycles", "flip", "reverse"]
    cells: tuple[tuple[str, ...], ...]
    swaps: tuple[str, ...] = ()


@dataclass(frozen=True)
class Look:
    """How a symbol looks in pictures; empty text where the file says nothing."""

    symbol: str
    colour: str = ""
    mark: str = ""
    glyph: str = ""
    name: str = ""


@dataclass(frozen=True)
class Known:
    """A number that must come out. what: states, depth, hardest, solution, solutions; metric: '' is the puzzle's."""

    what: str
    value: int
    from_start: bool = False
    metric: str = ""
    source: str = ""


@dataclass(frozen=True)
class Claim:
    """A known number and what was found; `found` is None where it could not be computed."""

    known: Known
    found: int | None

    @property
    def holds(self) -> bool:
        """Whether the number came out."""
        return self.found == self.known.value


@dataclass(frozen=True)
class Draft:
    """The text of a puzzle file, key by key; see docs/format.md for what each key means."""

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
    apart: tuple[str, ...] | Literal["all"] = ()
    fixed: tuple[str, ...] = ()
    gates: Drawing | None = None
    start: Drawing | None = None
    goals: tuple[Drawing | CountGoal | Literal["start"], ...] = ()
    moves: tuple[ListedMove, ...] = ()
    swap: tuple[tuple[str, ...], ...] = ()
    one_way: bool = False
    distinct: tuple[str, ...] | Literal["all"] = ()
    picture: tuple[Look, ...] = ()
    known: tuple[Known, ...] = ()
