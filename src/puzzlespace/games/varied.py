"""Variations of a level: some of its objects lie elsewhere, so that the shortest solution is as long as possible."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from random import Random
from typing import Any

from ..contract.questions import Search
from ..errors import EndlessError, InputError, SelfCheckError
from ..limits.watch import Limits, Watch
from ..search.layers import find
from .drawing import background_of
from .layers import GameLayers
from .level import GameLevel
from .turn import Cells

FIRST = 20
"""Positions of a variation whose moves are made in plain Python: compiled loops are loaded for the others anyway."""

BUDGET = 400_000
"""Variations with more moves than this before a win are given up."""

PATIENCE = 60
"""Variations in a row that are no longer than the present one before the search starts again at random."""

Layout = tuple[tuple[int, int], ...]
"""The objects that lie elsewhere, as bits, and the cell of each."""


def items_of(level: GameLevel, letters: str) -> list[int]:
    """Return the objects of a level that letters of its legend stand for, as bits; a letter for each time it is there.

    Raises InputError for a letter that is none of the legend, stands for the background, or is nowhere in the level.
    """
    game, found = level.game, list[int]()
    names, background = game.names, background_of(game)
    for letter in dict.fromkeys(letters.lower()):
        if not names.has(letter) or names.target(letter) in names.properties:
            raise InputError(f"vary: expected letters of the legend that stand for objects, found {letter!r}")
        mask = names.mask(letter) & ~background
        there = sum(cell & mask == mask for cell in level.board.cells) if mask else 0
        if not there:
            raise InputError(f"vary: expected letters of objects that the level has, found {letter!r}")
        found += [mask] * there
    return found


@dataclass
class Variations:
    """The variations of a level that were searched so far.

    letters  of the objects that lie elsewhere: in cells that are empty but for the background, or had one of them
    least, most  the inputs that a variation should need
    count    so many are kept: the longest, of equal ones the first
    found    the inputs of a shortest solution, and the level, of each that is kept, longest first; all were replayed
    fitting  how many need a number of inputs that is asked for
    drawn    how many were searched
    """

    level: GameLevel
    letters: str
    least: int
    most: int
    count: int
    draw: Random
    watch: Watch
    found: list[tuple[str, GameLevel]] = field(default_factory=list[tuple[str, GameLevel]])
    fitting: int = 0
    drawn: int = 0

    def __post_init__(self) -> None:
        items = items_of(self.level, self.letters)
        layers = self.level.game.layers
        self.layers = {item: sum(layer for layer in layers if layer & item) for item in items}
        bare, start = list(self.level.board.cells), list[tuple[int, int]]()
        for item in dict.fromkeys(items):
            for at, cell in enumerate(bare):
                if cell & item == item:
                    bare[at] &= ~item
                    start.append((item, at))
        self.bare, self.start = tuple(bare), tuple(start)
        ground, taken = background_of(self.level.game), {at for _, at in start}
        self.free = [at for at, cell in enumerate(bare) if not cell & ~ground or at in taken]

    def climb(self, tries: int) -> None:
        """Search variations, each of which changes one object of the best one so far, until `tries` were searched.

        It ends, too, if all that are kept need the most inputs that are asked for.
        Raises LimitError at a limit of the watch; what was found remains.
        """
        seen: set[Cells] = set()
        layout, best, stale = self.start, -1, 0
        longest = 0
        for number in range(20 * tries):
            if self.drawn >= tries or longest >= self.count:
                return
            fresh = layout if not number else self._moved(layout) if stale < PATIENCE else self._anywhere()
            best, stale = (best, stale + 1) if stale < PATIENCE else (-1, 0)
            cells = self._cells(fresh)
            if cells in seen:
                continue
            seen.add(cells)
            moves = self._needs(cells)
            if best <= moves <= self.most:
                stale = stale if moves == best else 0
                layout, best = fresh, moves
            longest += moves == self.most

    def _cells(self, layout: Layout) -> Cells:
        cells = list(self.bare)
        for item, at in layout:
            cells[at] |= item
        return tuple(cells)

    def _places(self, layout: Layout, item: int) -> Iterator[int]:
        """Yield the free cells in which an object finds its layers empty."""
        cells = self._cells(layout)
        yield from (at for at in self.free if not cells[at] & self.layers[item])

    def _moved(self, layout: Layout) -> Layout:
        """Return a layout with one object elsewhere."""
        number = self.draw.randrange(len(layout))
        item, others = layout[number][0], layout[:number] + layout[number + 1 :]
        return (*others, (item, self.draw.choice(list(self._places(others, item)))))

    def _anywhere(self) -> Layout:
        """Return a layout with all objects at random."""
        layout: Layout = ()
        for item, _ in sorted(self.start, key=lambda _: self.draw.random()):
            places = list(self._places(layout, item))
            if not places:
                return self.start
            layout = (*layout, (item, self.draw.choice(places)))
        return layout

    def _needs(self, cells: Cells) -> int:
        """Note a variation if it fits; return how many inputs it needs, or -1 if it cannot be solved or is given up."""
        level = GameLevel.on(
            self.level.game, replace(self.level.board, cells=cells), self.level.number, self.level.name
        )  # fmt: skip
        self.drawn += 1
        try:
            letters = shortest(level, self.watch)
        except EndlessError:
            return -1
        if letters is None:
            return -1
        if self.least <= len(letters) <= self.most:
            self._keep(letters, level)
        return len(letters)

    def _keep(self, letters: str, level: GameLevel) -> None:
        """Keep a variation if it is one of the longest; its solution is replayed. Raises SelfCheckError."""
        self.fitting += 1
        if len(self.found) == self.count and len(letters) <= len(self.found[-1][0]):
            return
        if not level.typed(letters).won:
            raise SelfCheckError(f"{level.name}: a variation is not solved by {letters}; please report this")
        self.found.append((letters, level))
        self.found = sorted(self.found, key=lambda each: -len(each[0]))[: self.count]


def shortest(level: GameLevel, watch: Watch) -> str | None:
    """Return the inputs of a shortest solution of a level in letters.

    None if it cannot be solved, or if more than BUDGET moves come before a win. Raises LimitError.
    """
    asked: Any = level
    within = Watch(Limits(positions=BUDGET), within=watch)
    found = find(Search(asked, asked.start, every=False), within, GameLayers(asked.moves, FIRST))
    if found.stopped is not None and within.generated <= BUDGET:
        raise found.stopped
    path: Any = [position for layer in found.layers for position in layer]
    return level.letters(path) if path else None
