"""Permutation puzzles as text, `.tws` and `.def`: sets of places, their solved state, moves.

`Set NAME PLACES ORIENTATIONS`; then `Solved` … `End` (pieces from 1) or `StartState` … `End` (from 0); then moves, each
with a line for the set's name, one for the source of each place's piece, and one for turns if there are any. In `Move`
places count from 1 and a turn belongs to the place that a piece comes from; in `MoveTransformation` they count from 0
and it belongs to the place where it arrives. Sets that a move omits do not change. `MoveSequence NAME MOVES` is one
more move, made of other moves and their powers (`U2`, `R'`), defined before or after it; `MoveAlias NAME MOVE` is a
name for such sequences, not a move. From a word that begins with `#` on, a line is a comment, but in a `Name`. The case
of the words does not matter. A block without `End` ends where the next part begins. Anything else is an error, because
it could change which positions can be reached.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

from ..errors import FormatError, Word
from ..limits.watch import paced
from ..puzzle.diagnostics import Diagnostic
from ..puzzle.draft import Draft
from .algs import powers
from .base import Format, parser
from .orbits import Orbit, Turn, check_sizes, checked, draft_of

BLOCKS = {"Solved": 1, "StartState": 0, "Move": 1, "MoveTransformation": 0}
"""Words that begin a block up to `End`, and the first number of its places or pieces."""

UNSAID = (
    *("Illegal", "Ignore", "Block", "MoveLimits", "ForbiddenPairs", "ForbiddenGroups"),
    *("Multiplicators", "ParallelMoves", "SwizzleSet"),
    *("Scramble", "ScrambleAlg", "ScrambleState"),
)
"""Words of other programs that a puzzle file cannot express."""

WORDS = ("Name", "Set", *BLOCKS, "MoveSequence", "MoveAlias", "End", *UNSAID)
WORDS_BY_CASE = {word.lower(): word for word in WORDS}

MOST = (255, 127)
"""The most places and orientations of a set."""

MOST_IN_SEQUENCES = 1000
"""The most words in all derived moves, and the most moves in them if powers are written out."""

Line = list[Word]


def fits(text: str) -> bool:
    """Return whether the text has lines `Set NAME PLACES ORIENTATIONS` and `End`."""
    words = (r"^\s*Set\s+\S+\s+\d+(\s+\d+)?\s*(#.*)?$", r"^\s*End\s*(#.*)?$")
    return all(re.search(word, text, re.M | re.I) for word in words)


def _lines(text: str) -> Iterator[Line]:
    for number, row in enumerate(paced(text.split("\n")), 1):
        words = [Word(word.group(), number, word.start() + 1) for word in re.finditer(r"\S+", row)]
        if words and _keyword(words[0]) != "Name":
            words = words[: next((number for number, word in enumerate(words) if word[0] == "#"), None)]
        if words:
            yield words


@dataclass
class _Reader:
    """A reader of the lines.

    sequences  derived moves by name, expanded when all moves are known
    aliases    names that are not moves
    solved     the first word of the block of the solved state
    unread     a line that ended a block without `End`
    said       warnings about such blocks
    """

    text: str
    title: str = ""
    orbits: dict[str, Orbit] = field(default_factory=dict[str, Orbit])
    turns: dict[str, Turn] = field(default_factory=dict[str, Turn])
    sequences: dict[str, Line] = field(default_factory=dict[str, Line])
    aliases: dict[str, Line] = field(default_factory=dict[str, Line])
    solved: Word | None = None
    unread: list[Line] = field(default_factory=list[Line])
    said: list[Diagnostic] = field(default_factory=list[Diagnostic])

    def draft(self) -> Draft:
        """Return the Draft of the text."""
        lines = _lines(self.text)
        for line in self.blocks(lines):
            first, rest = _keyword(line[0]), line[1:]
            if first == "Name":
                self.title = " ".join(rest)
            elif first == "Set":
                self.read_set(first, rest)
            elif first in BLOCKS:
                self.read_block(first, rest, lines)
            elif first in ("MoveSequence", "MoveAlias"):
                self.read_sequence(first, rest)
            elif first in UNSAID:
                hint = "give the position as the start, for example as moves" if first.startswith("Scramble") else ""
                problem = f"expected a puzzle without {first}, which cannot be said here, found it"
                raise FormatError.at(first, problem, hint)
            else:
                raise FormatError.at(first, f"expected Name, Set, Solved or Move, found {str(first)[:40]!r}")
        if self.solved is None:
            raise FormatError("expected a block Solved or StartState, found none")
        check_sizes(list(self.orbits.values()))
        made = self.worked_out()
        draft = draft_of(self.title, list(self.orbits.values()), list((self.turns | made).values()))
        return replace(draft, diagnostics=tuple(self.said))

    def blocks(self, lines: Iterator[Line]) -> Iterator[Line]:
        """Yield the lines that begin blocks; blocks are read from the same lines, and may leave one unread."""
        for line in lines:
            yield line
            while self.unread:
                yield self.unread.pop()

    def read_set(self, first: Word, rest: Line) -> None:
        """Read `Set NAME PLACES ORIENTATIONS`; without ORIENTATIONS, pieces cannot be turned."""
        if len(rest) not in (2, 3):
            raise FormatError.at(first, f"expected Set NAME PLACES ORIENTATIONS, found {len(rest)} words after Set")
        orientations = number(rest[2], 1, MOST[1]) if len(rest) == 3 else 1
        places = number(rest[1], 1, MOST[0])
        if rest[0] in self.orbits:
            raise FormatError.at(rest[0], f"expected every set once, found {str(rest[0])!r} again")
        self.orbits[rest[0]] = Orbit(rest[0], places, orientations)

    def read_block(self, kind: Word, rest: Line, lines: Iterator[Line]) -> None:
        """Read the lines of a block up to `End`."""
        if kind in ("Solved", "StartState"):
            if self.solved is not None:
                raise FormatError.at(kind, f"expected one block Solved or StartState, found {str(kind)!r} as well")
            if rest:
                raise FormatError.at(rest[0], f"expected nothing after {kind}, found {str(rest[0])[:40]!r}")
            self.solved = kind
            for name, (pieces, turned) in self.read_sets(kind, lines):
                self.orbits[name] = _solved(self.orbits[name], pieces, turned, BLOCKS[kind])
            return
        if len(rest) != 1:
            found = f"{str(rest[-1])[:40]!r}" if rest else "none"
            raise FormatError.at((rest or [kind])[-1], f"expected one new name for a move, found {found}")
        self.check_new(rest[0])
        sets = dict(self.read_sets(kind, lines))
        turn = Turn(rest[0], {}, {})
        for name, (sources, turned) in sets.items():
            turn = _with(turn, self.orbits[name], sources, turned, BLOCKS[kind])
        self.turns[rest[0]] = turn

    def read_sets(self, kind: Word, lines: Iterator[Line]) -> Iterator[tuple[str, tuple[Line, Line]]]:
        """Yield (set, numbers of its places, turns) for each set of a block."""
        name, rows, done = Word(""), list[Line](), set[str]()
        for line in lines:
            word = line[0] if line[0] in self.orbits else _keyword(line[0])
            if word in WORDS and word != "End" and word not in self.orbits:
                self.said.append(
                    Diagnostic.at(
                        line[0], "missing-end", f"{kind} has no End; {word} is read as the beginning of the next part"
                    )
                )
                self.unread.append(line)
                line = [Word("End", line[0].line, line[0].column)]
            elif word == "End":
                line = [word, *line[1:]]
            if line[0] in self.orbits or line[0] == "End":
                if len(line) > 1:
                    raise FormatError.at(line[1], f"expected nothing after {line[0]}, found {str(line[1])[:40]!r}")
                if name:
                    yield name, self.sized(name, rows)
                if line[0] == "End":
                    return
                if line[0] in done:
                    raise FormatError.at(line[0], f"expected every set once, found {str(line[0])[:40]!r} again")
                name, rows = line[0], []
                done.add(name)
            elif not name:
                raise FormatError.at(line[0], f"expected the name of a set or End, found {str(line[0])[:40]!r}")
            else:
                rows.append(line)
        raise FormatError.at(kind, f"expected End after {kind}, found the end of the file")

    def sized(self, name: Word, rows: list[Line]) -> tuple[Line, Line]:
        """Return the two lines of numbers below a set's name; the second may be empty. Raises FormatError."""
        places = self.orbits[name].places
        for row in rows:
            if len(row) != places:
                raise FormatError.at(row[-1], f"expected {places} numbers for {name}, found {len(row)}")
        if not 1 <= len(rows) <= 2:
            raise FormatError.at(name, f"expected one or two lines of numbers for {name}, found {len(rows)}")
        return rows[0], rows[1] if len(rows) > 1 else []

    def check_new(self, name: Word) -> None:
        """Raise FormatError if a move, a sequence or an alias has this name already."""
        if name in self.turns or name in self.sequences or name in self.aliases:
            raise FormatError.at(name, f"expected one new name for a move, found {str(name)[:40]!r} again")

    def read_sequence(self, kind: Word, words: Line) -> None:
        """Read `MoveSequence NAME MOVES …` or `MoveAlias NAME MOVE`."""
        alias = kind == "MoveAlias"
        if len(words) < 2 or (alias and len(words) > 2):
            wanted = "a name and a move" if alias else "a name and moves"
            raise FormatError.at(kind, f"expected {wanted} after {kind}, found {len(words)} words")
        self.check_new(words[0])
        moves = [part for word in words[1:] for part in _parts(word)]
        (self.aliases if alias else self.sequences)[words[0]] = [words[0], *moves]
        if sum(map(len, (*self.sequences.values(), *self.aliases.values()))) > MOST_IN_SEQUENCES:
            raise FormatError.at(kind, f"expected sequences of {MOST_IN_SEQUENCES} words, found more")

    def worked_out(self) -> dict[str, Turn]:
        """Return the moves that are sequences of others; each is expanded once all of its parts are known."""
        known, waiting, left = dict(self.turns), {**self.sequences, **self.aliases}, MOST_IN_SEQUENCES
        while waiting:
            ready = [line for line in waiting.values() if not any(_waits(word, known, waiting) for word in line[1:])]
            for name, *words in ready:
                known[name], left = self.after_each_other(name, words, known, left)
                del waiting[name]
            if not ready:
                name, *_ = next(iter(waiting.values()))
                raise FormatError.at(name, f"expected a sequence of moves, found {str(name)[:40]!r} made of itself")
        return {name: known[name] for name in self.sequences}

    def after_each_other(self, name: Word, words: Line, known: Mapping[str, Turn], left: int) -> tuple[Turn, int]:
        """Return the product of moves and powers of moves, and how many of the allowed `left` moves remain."""
        orbits = list(self.orbits.values())
        done = Turn(name, {}, {})
        for word in words:
            turns: list[Turn] = []
            for base, times, back in _ways(word, known):
                left -= times
                if left < 0:
                    raise FormatError.at(
                        word, f"expected at most {MOST_IN_SEQUENCES} moves in all sequences, found more"
                    )
                turns.append(self.repeated(known[base].undone(orbits) if back else known[base], times))
            if not turns:
                raise FormatError.at(word, f"expected the name of a move, found {str(word)[:40]!r}")
            if any(not turn.same(turns[0], orbits) for turn in turns[1:]):
                raise FormatError.at(
                    word,
                    f"expected a move with one meaning, found {str(word)[:40]!r}: a name, and a power of another move",
                )
            done = done.then(turns[0], orbits, name)
        return done, left

    def repeated(self, turn: Turn, times: int) -> Turn:
        """Return a move made several times."""
        done = turn
        for _ in range(times - 1):
            done = done.then(turn, list(self.orbits.values()), turn.name)
        return done


def _keyword(word: Word) -> Word:
    """Return a word that begins a line as it is usually written: case does not matter."""
    return Word(WORDS_BY_CASE.get(word.lower(), word), word.line, word.column)


def _parts(word: Word) -> Iterator[Word]:
    """Yield the moves of a word: commas separate moves like spaces."""
    return (Word(part.group(), word.line, word.column + part.start()) for part in re.finditer(r"[^,]+", word))


def _ways(word: Word, names: Mapping[str, object]) -> list[tuple[str, int, bool]]:
    """Return the ways to read a word as a move, its exponent, and whether it is inverted: `U2'` is U twice, inverted.

    Raises FormatError if the exponent is too large.
    """
    return [
        (name, number(Word(times.rstrip("'") or "1", word.line, word.column), 1, MOST_IN_SEQUENCES), "'" in times)
        for name, times in powers(word)
        if name in names
    ]


def _waits(word: Word, known: Mapping[str, object], waiting: Mapping[str, object]) -> bool:
    """Return whether a word, or the move that it is a power of, is not yet expanded."""
    return any(name not in known for name, *_ in _ways(word, {**known, **waiting}))


def _solved(orbit: Orbit, pieces: Line, turned: Line, first: int) -> Orbit:
    """Return the orbit with its pieces and orientations when solved; '?' is any orientation."""
    return replace(
        orbit,
        pieces=tuple(number(word, first, 10**6) + 1 - first for word in pieces),
        turned=tuple(0 if word == "?" else number(word, 0, orbit.orientations - 1) for word in turned),
        seen=tuple(int(word == "?") for word in turned),
    )


def _with(turn: Turn, orbit: Orbit, sources: Line, turned: Line, first: int) -> Turn:
    """Return a move with the sources and turns of one more orbit."""
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


parse = parser(lambda text: _Reader(text).draft())

FORMAT = Format("tws", "permutation puzzle as text", (".tws", ".def"), parse, None, fits)
