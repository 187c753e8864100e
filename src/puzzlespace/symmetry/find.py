"""Generators of all symmetries of a model, by a chain of stabilisers and colour refinement; each one is checked."""

from __future__ import annotations

from ..errors import LimitError, UnsupportedError
from ..limits.stopping import Overdue, limit_of
from ..model.facts import Partition
from ..model.model import Model
from .group import Symmetry, SymmetryGroup
from .pattern import Pattern, UnclearError
from .refine import Colours, first_colours, marked, refine
from .sentences import UnknownSentenceError

MOST_WORK = 3_000_000
"""The most work before the search gives up: rounds of colour refinement times size of the model; some seconds."""


def symmetries(model: Model, start: bool = False, work: int = MOST_WORK, partial: bool = False) -> SymmetryGroup:
    """Return the renamings of cells and symbols that map rules onto rules, the metric onto itself, goals onto goals.

    Forbidden positions and what happens by itself are part of the metric. Rules that happen by themselves keep their
    order if they may affect each other (see `happening`).

    start    whether they must also fix the start of the model
    work     the most work, see MOST_WORK; if it is used up, the group has `complete` False
    partial  whether those that were found are returned if a limit is passed; else LimitError is raised
    """
    identity = _identity(model)
    try:
        finder = _Finder(Pattern(model, start), work)
    except (UnclearError, UnknownSentenceError, UnsupportedError):
        return SymmetryGroup(identity, (), 1, complete=False)
    return finder.group(identity, partial)


def _identity(model: Model) -> Symmetry:
    firsts: tuple[tuple[int, ...], ...] = ()
    if model.shapes is not None:
        body = model.shapes.body
        firsts = tuple(
            tuple(cell if covered is not None and symbol != body else -1 for cell, covered in enumerate(covers))
            for symbol, covers in enumerate(model.shapes.covers)
        )
    cells, symbols, rules = (tuple(range(count)) for count in (model.cells, model.symbols, len(model.rules)))
    return Symmetry(cells, symbols, rules, firsts, model.shapes.body if model.shapes else -1)


class _TooMuchError(Exception):
    """The limit of work is reached."""


class _Finder:
    """Builds the chain of stabilisers from its last link: `path[k]` are the colours with base[0] … base[k-1] fixed.

    Link k tests, for every point with the colour of base[k] in path[k], whether a symmetry that fixes base[0] …
    base[k-1] maps base[k] there. The order of the group is the product of the numbers of such points.
    """

    def __init__(self, pattern: Pattern, work: int) -> None:
        self.pattern = pattern
        self.work = work
        self.points = pattern.cells + pattern.symbols
        self.path: list[Colours] = []
        self.base: list[int] = []
        self.found: list[Symmetry] = []

    def group(self, identity: Symmetry, partial: bool) -> SymmetryGroup:
        """Return the group, or the part found within the limit of work, and with `partial` before other limits."""
        order = 1
        try:
            self._descend()
            for link in reversed(range(len(self.base))):
                orbit = Partition(self.points)
                for symmetry in self.found:
                    self._join(orbit, symmetry)
                try:
                    self._search_link(link, orbit)
                finally:
                    labels = orbit.labels()
                    order *= labels.count(labels[self.base[link]])
        except _TooMuchError:
            return SymmetryGroup(identity, tuple(self.found), order, complete=False)
        except (LimitError, Overdue) as late:
            if not partial:
                raise
            return SymmetryGroup(identity, tuple(self.found), order, complete=False, stopped=limit_of(late))
        return SymmetryGroup(identity, tuple(self.found), order)

    def _descend(self) -> None:
        """Fix points until all colours differ."""
        colours = self._refined(first_colours(self.pattern))
        while True:
            self.path.append(colours)
            point = self._shared(colours)
            if point is None:
                return
            colours = self._refined(marked(colours, point, len(self.base)))
            self.base.append(point)

    def _shared(self, colours: Colours) -> int | None:
        """Return the first point, cells before symbols, whose colour another point has; None if all differ."""
        number: dict[int, int] = {}
        for colour in colours:
            number[colour] = number.get(colour, 0) + 1
        return next((point for point, colour in enumerate(colours) if number[colour] > 1), None)

    def _refined(self, colours: Colours) -> Colours:
        finer, rounds = refine(self.pattern, colours)
        self.work -= rounds * self.pattern.size
        if self.work < 0:
            raise _TooMuchError
        return finer

    def _search_link(self, link: int, orbit: Partition) -> None:
        """Find a symmetry for every point to which one can map the link's base point."""
        base, colours = self.base[link], self.path[link]
        failed: list[int] = []
        for point in range(self.points):
            if colours[point] != colours[base] or orbit.find(point) == orbit.find(base):
                continue
            if any(orbit.find(point) == orbit.find(other) for other in failed):
                continue
            symmetry = self._exchange(base, point) or self._mapping(link, marked(colours, point, link))
            if symmetry is None:
                failed.append(point)
            else:
                self.found.append(symmetry)
                self._join(orbit, symmetry)

    def _join(self, orbit: Partition, symmetry: Symmetry) -> None:
        for cell, image in enumerate(symmetry.cells):
            orbit.merge(cell, image)
        for symbol, image in enumerate(symmetry.symbols):
            orbit.merge(self.pattern.cells + symbol, self.pattern.cells + image)

    def _exchange(self, a: int, b: int) -> Symmetry | None:
        """Return the exchange of two cells or of two symbols, if it is a symmetry."""
        points = list(range(self.points))
        points[a], points[b] = b, a
        return self._checked(points)

    def _mapping(self, link: int, colours: Colours) -> Symmetry | None:
        """Return a symmetry that maps the colours of the path after this link to these colours, or None."""
        colours = self._refined(colours)
        wanted = self.path[link + 1]
        if sorted(colours) != sorted(wanted):
            return None
        if link + 1 == len(self.base):
            place = {colour: point for point, colour in enumerate(colours)}
            return self._checked([place[colour] for colour in wanted])
        colour = wanted[self.base[link + 1]]
        for point in range(self.points):
            if colours[point] == colour:
                found = self._mapping(link + 1, marked(colours, point, link + 1))
                if found is not None:
                    return found
        return None

    def _checked(self, points: list[int]) -> Symmetry | None:
        cells = self.pattern.cells
        self.work -= self.pattern.size
        return self.pattern.symmetry(points[:cells], [point - cells for point in points[cells:]])
