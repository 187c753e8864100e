"""All symmetries of a model, as generators: a chain of stabilisers, each link searched by colours and checked."""

from __future__ import annotations

from ..errors import UnsupportedError
from ..model.facts import Partition
from ..model.model import Model
from .group import Symmetry, SymmetryGroup
from .pattern import Pattern, UnclearError
from .refine import Colours, first_colours, marked, refine

MOST_WORK = 3_000_000
"""Parts of the rules looked at (rounds of colouring times size) before the search gives up; some seconds."""


def symmetries(model: Model, start: bool = False, work: int = MOST_WORK) -> SymmetryGroup:
    """Return the renamings of cells and symbols that map rules onto rules, the metric onto itself, goals onto goals.

    start  whether they must leave the start of the model as it is as well
    work   how much may be looked at; a group found in part says so (`complete` is False)
    """
    identity = _identity(model)
    try:
        finder = _Finder(Pattern(model, start), work)
    except (UnclearError, UnsupportedError):
        return SymmetryGroup(identity, (), 1, complete=False)
    return finder.group(identity)


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
    """The work allowed is used up."""


class _Finder:
    """Searches link by link, the last first: `path[k]` are the colours with the points base[0] … base[k-1] set apart.

    Link k finds, for every point that looks like base[k] in path[k], whether a symmetry that fixes base[0] … base[k-1]
    takes base[k] there. The group's order is the product of how many such points each link has.
    """

    def __init__(self, pattern: Pattern, work: int) -> None:
        self.pattern = pattern
        self.work = work
        self.points = pattern.cells + pattern.symbols
        self.path: list[Colours] = []
        self.base: list[int] = []
        self.found: list[Symmetry] = []

    def group(self, identity: Symmetry) -> SymmetryGroup:
        """Return the group, as far as the work allowed goes."""
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
        return SymmetryGroup(identity, tuple(self.found), order)

    def _descend(self) -> None:
        """Set points apart until all colours differ."""
        colours = self._refined(first_colours(self.pattern))
        while True:
            self.path.append(colours)
            point = self._shared(colours)
            if point is None:
                return
            colours = self._refined(marked(colours, point, len(self.base)))
            self.base.append(point)

    def _shared(self, colours: Colours) -> int | None:
        """Return the first point, cells before symbols, that shares its colour with another."""
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
        """Find a symmetry for every point that can take the place of the link's base point."""
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
        """Return a symmetry that takes the coloured points of the path, after this link, to these, or None."""
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
