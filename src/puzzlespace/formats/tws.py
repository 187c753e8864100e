"""Permutation puzzles as text, `.tws` and `.def`: sets of places, what they hold when solved, moves.

`Set NAME PLACES ORIENTATIONS`; then `Solved` … `End` (pieces from 1) or `StartState` … `End` (from 0); then moves, each
with a line for the set's name, one for where each place's piece comes from, and one for turns if there are any. In
`Move` places count from 1 and a turn belongs to the place a piece comes from; in `MoveTransformation` they count from 0
and it belongs to the place where it arrives. Sets that a move leaves out stay as they are.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from ..draft import Draft
from ..errors import FormatError, Word
from .base import Format
from .orbits import Orbit, Turn, check_sizes, checked, draft_of

BLOCKS = {"Solved": 1, "StartState": 0, "Move": 1, "MoveTransformation": 0}
"""Words that begin a block up to `End`, and what its places or pieces count from."""

UNSAID = ("Illegal", "Ignore", "Block", "ForbiddenPairs", "ForbiddenGroups", "Multiplicators", "ParallelMoves")
"""What other programs know and a puzzle file cannot say."""

MOST = (255, 127)
"""Most places and orientations of a set."""

MOST_IN_SEQUENCES = 1000
"""Most words in all derived moves."""

Line = list[Word]


def fits(text: str) -> bool:
    """Return whether the text has lines `Set NAME PLACES ORIENTATIONS` and `End`."""
    return bool(re.search(r"^Set\s+\S+\s+\d+\s+\d+\s*$", text, re.M) and re.search(r"^End\s*$", text, re.M))


def parse(text: str, file: str = "") -> Draft:
    """Return the Draft of a puzzle. Raises FormatError with the place, and nothing else, whatever the text."""
    try:
        return _Reader(text).draft()
    except FormatError as error:
        raise error.located(file, text) from None


def _lines(text: str) -> Iterator[Line]:
    for number, row in enumerate(text.split("\n"), 1):
        words = [Word(word.group(), number, word.start() + 1) for word in re.finditer(r"\S+", row)]
        if words and not row.startswith("#"):
            yield words


@dataclass
class _Reader:
    """Reads line by line. sequences: derived moves, worked out when all moves are known."""

    text: str
    title: str = ""
    orbits: dict[str, Orbit] = field(default_factory=dict[str, Orbit])
    turns: dict[str, Turn] = field(default_factory=dict[str, Turn])
    sequences: list[Line] = field(default_factory=list[Line])
    solved: bool = False

    def draft(self) -> Draft:
        """Return the Draft of the text."""
        lines = _lines(self.text)
        for first, *rest in lines:
            if first == "Name":
                self.title = " ".join(rest)
            elif first == "Set":
                self.read_set(first, rest)
            elif first in BLOCKS:
                self.read_block(first, rest, lines)
            elif first in ("MoveSequence", "MoveAlias"):
                self.sequences.append([first, *rest])
            elif first in UNSAID:
                raise FormatError.at(first, f"expected a puzzle without {first}, which cannot be said here, found it")
            else:
                raise FormatError.at(first, f"expected Name, Set, Solved or Move, found {str(first)[:40]!r}")
        if not self.solved:
            raise FormatError("expected a block Solved or StartState, found none")
        check_sizes(list(self.orbits.values()))
        if sum(map(len, self.sequences)) > MOST_IN_SEQUENCES:
            raise FormatError.at(self.sequences[-1][0], f"expected sequences of {MOST_IN_SEQUENCES} words, found more")
        for line in self.sequences:
            self.read_sequence(line)
        return draft_of(self.title, list(self.orbits.values()), list(self.turns.values()))

    def read_set(self, first: Word, rest: Line) -> None:
        """Read `Set NAME PLACES ORIENTATIONS`."""
        if len(rest) != 3:
            raise FormatError.at(first, f"expected Set NAME PLACES ORIENTATIONS, found {len(rest)} words after Set")
        places, orientations = (number(word, 1, most) for word, most in zip(rest[1:], MOST, strict=True))
        if rest[0] in self.orbits:
            raise FormatError.at(rest[0], f"expected every set once, found {str(rest[0])!r} again")
        self.orbits[rest[0]] = Orbit(rest[0], places, orientations)

    def read_block(self, kind: Word, rest: Line, lines: Iterator[Line]) -> None:
        """Read the lines of a block up to `End`."""
        sets = dict(self.read_sets(kind, lines))
        if kind in ("Solved", "StartState"):
            self.solved = True
            for name, (pieces, turned) in sets.items():
                self.orbits[name] = _solved(self.orbits[name], pieces, turned, BLOCKS[kind])
            return
        if len(rest) != 1 or rest[0] in self.turns:
            found = "none" if not rest else f"{str(rest[-1])!r}" + (" again" if rest[0] in self.turns else "")
            raise FormatError.at((rest or [kind])[-1], f"expected one new name for a move, found {found}")
        turn = Turn(rest[0], {}, {})
        for name, (sources, turned) in sets.items():
            turn = _with(turn, self.orbits[name], sources, turned, BLOCKS[kind])
        self.turns[rest[0]] = turn

    def read_sets(self, kind: Word, lines: Iterator[Line]) -> Iterator[tuple[str, tuple[Line, Line]]]:
        """Yield (set, numbers of its places, turns) for each set of a block."""
        name, rows = Word(""), list[Line]()
        for line in lines:
            if line[0] in self.orbits or line == ["End"]:
                if name:
                    yield name, self.sized(name, rows)
                if line == ["End"]:
                    return
                name, rows = line[0], []
            elif not name:
                raise FormatError.at(line[0], f"expected the name of a set or End, found {str(line[0])[:40]!r}")
            else:
                rows.append(line)
        raise FormatError.at(kind, f"expected End after {kind}, found the end of the file")

    def sized(self, name: Word, rows: list[Line]) -> tuple[Line, Line]:
        """Return the two lines of numbers below a set's name, the second perhaps empty."""
        places = self.orbits[name].places
        for row in rows:
            if len(row) != places:
                raise FormatError.at(row[-1], f"expected {places} numbers for {name}, found {len(row)}")
        if not 1 <= len(rows) <= 2:
            raise FormatError.at(name, f"expected one or two lines of numbers for {name}, found {len(rows)}")
        return rows[0], rows[1] if len(rows) > 1 else []

    def read_sequence(self, line: Line) -> None:
        """Read `MoveSequence NAME MOVES …`; a `MoveAlias` is a second name for a move and adds none."""
        kind, *words = line
        if kind == "MoveAlias":
            return
        if len(words) < 2:
            raise FormatError.at(kind, f"expected a name and moves after {kind}, found {len(words)} words")
        turn = Turn(words[0], {}, {})
        for word in words[1:]:
            if word not in self.turns:
                raise FormatError.at(word, f"expected the name of a move, found {str(word)[:40]!r}")
            turn = turn.then(self.turns[word], list(self.orbits.values()), words[0])
        self.turns[words[0]] = turn


def _solved(orbit: Orbit, pieces: Line, turned: Line, first: int) -> Orbit:
    """Return the orbit with the pieces and orientations that it has when solved; '?' is any orientation."""
    return replace(
        orbit,
        pieces=tuple(number(word, first, 10**6) + 1 - first for word in pieces),
        turned=tuple(0 if word == "?" else number(word, 0, orbit.orientations - 1) for word in turned),
        seen=tuple(int(word == "?") for word in turned),
    )


def _with(turn: Turn, orbit: Orbit, sources: Line, turned: Line, first: int) -> Turn:
    """Return a move with where the places of one orbit get their pieces from."""
    came = checked(sources[0], orbit, [number(word, first, orbit.places - 1 + first) - first for word in sources])
    deltas = [number(word, 0, orbit.orientations - 1) for word in turned] or [0] * orbit.places
    if first:  # Move: a turn belongs to the place that the piece comes from
        deltas = [deltas[place] for place in came]
    return Turn(turn.name, {**turn.sources, orbit.name: came}, {**turn.deltas, orbit.name: tuple(deltas)})


def number(word: str, least: int, most: int) -> int:
    """Return a whole number from `least` to `most`; raise FormatError at the word otherwise."""
    if not (word.isascii() and word.isdecimal() and len(word) < 8 and least <= int(word) <= most):
        raise FormatError.at(word, f"expected a whole number from {least} to {most}, found {str(word)[:40]!r}")
    return int(word)


FORMAT = Format("tws", "permutation puzzle as text", (".tws", ".def"), parse, None, fits)
