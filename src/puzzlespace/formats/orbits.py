"""Permutation puzzles as orbits of places: the common part of `.tws` files and KPuzzle, and its Draft.

An orbit has places, each with a piece in one of several orientations. A move gives for every place the place that its
piece comes from and how far the piece is turned. Any power of a move counts as one move.
"""

from __future__ import annotations

import re
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field

from ..errors import FormatError, Word, visible
from ..limits.watch import paced
from ..puzzle.draft import Draft, Drawing, ListedMove

MOST_PLACES, MOST_SYMBOLS = 1024, 255
"""The most places of all orbits, and the most pieces times their orientations: the limits of a puzzle."""

WIDE = 24
"""Places in a row of the drawing; a ring is drawn in one row, in its own order."""

ROTATION = re.compile(r"[A-Z_]+v\d*'?|[xyz]2?'?")
"""Names of moves that turn the whole puzzle; they are not moves of a search."""


@dataclass(frozen=True)
class Orbit:
    """Places that exchange pieces.

    pieces  the label at each place when solved
    turned  its orientation there
    seen    the number of orientations in which a piece looks different (0: all)
    """

    name: str
    places: int
    orientations: int
    pieces: tuple[int, ...] = ()
    turned: tuple[int, ...] = ()
    seen: tuple[int, ...] = ()

    @property
    def looks(self) -> dict[int, int]:
        """The number of orientations in which each label looks different. Raises FormatError if like pieces differ."""
        found: dict[int, int] = {}
        for place, label in enumerate(self.labels):
            ways = (self.seen[place] if self.seen else 0) or self.orientations
            if found.setdefault(label, ways) != ways:
                raise FormatError.at(self.name, f"expected like pieces to look alike when turned, found {label} not to")
        return found

    @property
    def labels(self) -> tuple[int, ...]:
        """The label at each place when solved, by default 1, 2, 3 …"""
        return self.pieces or tuple(range(1, self.places + 1))


@dataclass(frozen=True)
class Turn:
    """A move: for each orbit, by name, the source of each place's piece and how far the piece is turned."""

    name: str
    sources: Mapping[str, tuple[int, ...]] = field(default_factory=dict[str, tuple[int, ...]])
    deltas: Mapping[str, tuple[int, ...]] = field(default_factory=dict[str, tuple[int, ...]])

    def then(self, other: Turn, orbits: Sequence[Orbit], name: str) -> Turn:
        """Return this move followed by another."""
        sources: dict[str, tuple[int, ...]] = {}
        deltas: dict[str, tuple[int, ...]] = {}
        for orbit in paced(orbits):
            same, still = tuple(range(orbit.places)), (0,) * orbit.places
            came = other.sources.get(orbit.name, same)
            first, turned = self.sources.get(orbit.name, same), self.deltas.get(orbit.name, still)
            sources[orbit.name] = tuple(first[place] for place in came)
            added = other.deltas.get(orbit.name, still)
            deltas[orbit.name] = tuple(
                (turned[place] + more) % orbit.orientations for place, more in zip(came, added, strict=True)
            )
        return Turn(name, sources, deltas)

    def same(self, other: Turn, orbits: Sequence[Orbit]) -> bool:
        """Return whether another move has the same effect."""
        mine, theirs = (turn.then(Turn(""), orbits, "") for turn in (self, other))
        return mine.sources == theirs.sources and mine.deltas == theirs.deltas

    def undone(self, orbits: Sequence[Orbit]) -> Turn:
        """Return the move that undoes this one."""
        sources: dict[str, tuple[int, ...]] = {}
        deltas: dict[str, tuple[int, ...]] = {}
        for orbit in paced(orbits):
            came = self.sources.get(orbit.name, tuple(range(orbit.places)))
            turned = self.deltas.get(orbit.name, (0,) * orbit.places)
            back = sorted(range(orbit.places), key=came.__getitem__)
            sources[orbit.name] = tuple(back)
            deltas[orbit.name] = tuple(-turned[place] % orbit.orientations for place in back)
        return Turn(self.name, sources, deltas)


def check_sizes(orbits: Sequence[Orbit]) -> None:
    """Raise FormatError at the first orbit that exceeds the limits of a puzzle or repeats a name."""
    places = symbols = 0
    names: set[str] = set()
    for orbit in orbits:
        places += orbit.places
        symbols += sum(orbit.looks.values())
        if orbit.name in names:
            raise FormatError.at(orbit.name, f"expected every orbit once, found {str(orbit.name)!r} again")
        if places > MOST_PLACES:
            raise FormatError.at(orbit.name, f"expected at most {MOST_PLACES} places, found more")
        if symbols > MOST_SYMBOLS:
            raise FormatError.at(orbit.name, f"expected at most {MOST_SYMBOLS} pieces in all orientations, found more")
        names.add(orbit.name)


def checked(word: str, orbit: Orbit, numbers: Sequence[int]) -> tuple[int, ...]:
    """Return the numbers; raise FormatError at the word unless they are a permutation of an orbit's places from 0."""
    if sorted(numbers) != list(range(orbit.places)):
        raise FormatError.at(word, f"expected each of the {orbit.places} places once, found another list")
    return tuple(numbers)


def draft_of(title: str, orbits: Sequence[Orbit], turns: Sequence[Turn]) -> Draft:
    """Return the Draft: a cell for each place, a symbol for each piece and orientation. Raises FormatError."""
    check_sizes(orbits)
    if not orbits:
        raise FormatError("expected at least one orbit of places, found none")
    moves = [turn for turn in turns if not ROTATION.fullmatch(turn.name)]
    for turn in paced(turns):
        if ROTATION.fullmatch(turn.name) and moves and not _turns_whole(turn, moves, orbits):
            raise FormatError.at(
                turn.name,
                f"expected {turn.name}, by its name a turn of the whole puzzle, to lead moves to moves, found another",
                hint="give it another name if it is a move, or leave it out",
            )
    prefixes = _prefixes([orbit.name for orbit in orbits])
    cells = {orbit.name: [f"{prefixes[orbit.name]}{k + 1}" for k in range(orbit.places)] for orbit in orbits}
    listed = tuple(filter(None, (_listed(turn, orbits, cells) for turn in paced(moves))))
    if not listed:
        raise FormatError("expected at least one move that turns a part of the puzzle, found none")
    rows: list[tuple[list[str], list[str]]] = []
    for orbit in orbits:
        rows += _rows(orbit, prefixes[orbit.name], cells[orbit.name], moves)
    title = visible(" ".join(title.split()))
    return Draft(
        rule="apply",
        titles=(("", title),) if title else (),
        count="run",
        board=Drawing(tuple(tuple(names) for names, _ in rows)),
        moves=listed,
        swap=tuple(
            tuple(_symbol(prefixes[orbit.name], label, turn) for turn in range(ways))
            for orbit in orbits
            for label, ways in orbit.looks.items()
            if ways > 1
        ),
        goals=(Drawing(tuple(tuple(shown) for _, shown in rows)),),
    )


def _turns_whole(turn: Turn, moves: Sequence[Turn], orbits: Sequence[Orbit]) -> bool:
    """Return whether conjugation by a turn maps the moves and their inverses to each other, and not each to itself.

    A turn of the whole puzzle does. Anything else is a move with a misleading name, without which fewer positions would
    be reached.
    """
    seen = {orbit.name: max(orbit.looks.values()) for orbit in orbits}

    def effect(move: Turn) -> Hashable:
        return tuple(
            (
                move.sources.get(orbit.name, tuple(range(orbit.places))),
                tuple(delta % seen[orbit.name] for delta in move.deltas.get(orbit.name, (0,) * orbit.places)),
            )
            for orbit in orbits
        )

    back = turn.undone(orbits)
    known = {effect(each) for move in moves for each in (move, move.undone(orbits))}
    led = [effect(back.then(move, orbits, "").then(turn, orbits, "")) for move in moves]
    return known.issuperset(led) and led != [effect(move) for move in moves]


def _prefixes(names: Sequence[str]) -> dict[str, str]:
    """Return the shortest prefix, in capitals, that distinguishes each orbit's name; '' if there is only one orbit."""
    if len(names) == 1:
        return {names[0]: ""}
    plain = {name: re.sub(r"[^A-Za-z]", "", name).upper() or "Z" for name in names}
    found: dict[str, str] = {}
    for number, name in enumerate(names):
        lengths = range(1, len(plain[name]) + 1)
        starts = (plain[name][:length] for length in lengths)
        others = [plain[other] for other in names if other != name]
        unique = (start for start in starts if not any(other.startswith(start) for other in others))
        found[name] = next(unique, f"{plain[name][0]}{chr(ord('a') + number % 26)}{number // 26 or ''}_")
    return found


def _symbol(prefix: str, label: int, turn: int) -> str:
    """Return the symbol of a piece: its label, with a stroke for each turn."""
    return f"{prefix}{label}" + ("'" * turn if turn < 4 else f"'{turn}")


def _rows(orbit: Orbit, prefix: str, cells: Sequence[str], moves: Sequence[Turn]) -> list[tuple[list[str], list[str]]]:
    """Return the rows of an orbit's drawing: names of cells, and their symbols when solved."""
    ring = next((found for turn in paced(moves) if len(found := _cycle(turn, orbit)) == orbit.places), None)
    order = ring or list(range(orbit.places))
    looks = orbit.looks
    shown = [
        _symbol(prefix, label, (orbit.turned[place] if orbit.turned else 0) % looks[label])
        for place, label in enumerate(orbit.labels)
    ]
    width = len(order) if ring else min(WIDE, len(order))
    parts = [order[at : at + width] for at in range(0, len(order), width)]
    return [([cells[place] for place in part], [shown[place] for place in part]) for part in parts]


def _cycle(turn: Turn, orbit: Orbit) -> list[int]:
    """Return the cycle of place 0 in a move, in the direction in which the lesser place follows."""
    sources = turn.sources.get(orbit.name, tuple(range(orbit.places)))
    found = [0]
    while sources[found[-1]] != 0:
        found.append(sources[found[-1]])
    return found if len(found) == 1 or found[1] < found[-1] else [0, *reversed(found[1:])]


def _listed(turn: Turn, orbits: Sequence[Orbit], cells: Mapping[str, Sequence[str]]) -> ListedMove | None:
    """Return a move as cycles of cells, and the cells whose pieces are turned; None if it changes nothing."""
    cycles: list[tuple[str, ...]] = []
    swaps: list[str] = []
    for orbit in orbits:
        here = cells[orbit.name]
        sources = turn.sources.get(orbit.name, ())
        goes = {source: place for place, source in enumerate(sources) if source != place}
        while goes:
            cycle = [min(goes)]
            while (following := goes.pop(cycle[-1])) != cycle[0]:
                cycle.append(following)
            cycles.append(tuple(here[place] for place in cycle))
        if max(orbit.looks.values()) > 1:
            swaps += [here[place] for place, times in enumerate(turn.deltas.get(orbit.name, ())) for _ in range(times)]
    name = Word(
        re.sub(r"[\s:;]", "_", visible(turn.name)) or "_",
        getattr(turn.name, "line", 0),
        getattr(turn.name, "column", 0),
    )
    return ListedMove(name, "cycles", tuple(cycles), tuple(swaps)) if cycles or swaps else None
