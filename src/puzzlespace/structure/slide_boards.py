"""Recognise one-cell pieces that slide along links into blanks, from the rules alone, and find a good order of cells.

The rules must exchange a blank with any movable piece next to it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from ..limits.watch import paced
from ..model.effects import canonical
from ..model.facts import Partition
from ..model.model import Model
from ..model.rule import Rule

BEAM = 64
"""The beam width of the search for a cell order."""

THETA = 7
"""The number of cells of Wilson's exceptional board: six on a ring, and one that joins two opposite ones."""

Link = tuple[int, int]
"""(cell that a piece leaves, cell that it enters)"""


@dataclass(frozen=True, slots=True)
class SlideBoard:
    """A sliding puzzle of one-cell pieces.

    position  a position, which has the numbers of pieces and the contents of the cells that never change
    blank     the symbol of the blanks
    live      the cells that blanks can reach, ascending; all others never change
    links     the slides
    before    for each link the number of the link that it may follow within one move, or -1
    """

    position: bytes
    blank: int
    live: tuple[int, ...]
    links: tuple[Link, ...]
    before: tuple[int, ...]

    @property
    def blanks(self) -> int:
        """The number of blanks in the live cells."""
        return sum(self.position[cell] == self.blank for cell in self.live)

    @property
    def chained(self) -> bool:
        """Whether a move may be a chain of links."""
        return any(before >= 0 for before in self.before)

    @property
    def mixing(self) -> bool:
        """Whether the board has no cut cell and is not a ring: usually, most orders of the pieces are reachable.

        This is no proof; see `transitive`.
        """
        whole = {(min(link), max(link)) for link in self.links}
        return len(whole) > len(self.live) and all(
            _joined({pair for pair in whole if cell not in pair}, [other for other in self.live if other != cell])
            for cell in self.live
        )

    @property
    def transitive(self) -> bool:
        """Whether all placements of the pieces, or all of one parity, are proved to be reachable from each other.

        The proof is for boards that are `mixing` and whose links go both ways (R. M. Wilson 1974; D. Kornhauser,
        G. Miller and P. Spirakis 1984 for several blanks). Its only exception has seven cells, so no board of seven
        cells counts.
        """
        ways = set(self.links)
        return self.mixing and len(self.live) != THETA and all((target, origin) in ways for origin, target in ways)

    def fits(self, position: bytes) -> bool:
        """Return whether the position has the same pieces on the same board."""
        live = set(self.live)
        return (
            len(position) == len(self.position)
            and all(position[cell] == self.position[cell] for cell in range(len(position)) if cell not in live)
            and sorted(position) == sorted(self.position)
        )


def recognise(model: Model) -> SlideBoard | None:
    """Return the model as a sliding puzzle, or None if its rules are anything else."""
    position = model.anchor
    if position is None or not model.rules or model.shapes is not None:
        return None
    for blank in sorted(set(position), key=lambda symbol: (position.count(symbol), symbol)):
        found = _with_blank(model, position, blank)
        if found is not None:
            return found
    return None


def _with_blank(model: Model, position: bytes, blank: int) -> SlideBoard | None:
    slides = [_slide(rule, blank, model.symbols) for rule in paced(model.rules)]
    if None in slides:
        return None
    ways = [slide for slide in slides if slide is not None]
    found = _live(model.cells, position, blank, ways)
    if found is None:
        return None
    live, usable = found
    mobile = frozenset(position[cell] for cell in live) - {blank}
    chains = _chains(model, [way[0] for way in ways], usable, sum(position[cell] == blank for cell in live))
    if chains is None or not mobile:
        return None
    if any(before >= 0 for before in chains.values()):
        if any(not mobile <= ways[n][1] for n in usable):
            return None
        place = {n: k for k, n in enumerate(usable)} | {-1: -1}
        links = tuple(ways[n][0] for n in usable)
        return SlideBoard(position, blank, live, links, tuple(place[chains[n]] for n in usable))
    carried: dict[Link, set[int]] = {}
    for number in usable:
        carried.setdefault(ways[number][0], set()).update(ways[number][1])
    if any(not mobile <= pieces for pieces in carried.values()):
        return None
    return SlideBoard(position, blank, live, tuple(sorted(carried)), (-1,) * len(carried))


def _live(
    cells: int, position: bytes, blank: int, ways: list[tuple[Link, frozenset[int]]]
) -> tuple[tuple[int, ...], list[int]] | None:
    """Return the live cells and the rules among them; None if the blanks are in separate components."""
    movable = {piece for _, pieces in ways for piece in pieces}
    free = {cell for cell, symbol in enumerate(position) if symbol in movable or symbol == blank}
    usable = [n for n, (link, _) in enumerate(ways) if set(link) <= free]
    joined = Partition(cells)
    for number in usable:
        joined.merge(*ways[number][0])
    linked = {cell for number in usable for cell in ways[number][0]}
    labels = {joined.find(cell) for cell in linked if position[cell] == blank}
    if len(labels) != 1:
        return None
    live = tuple(cell for cell in sorted(linked) if joined.find(cell) in labels)
    return live, [n for n in usable if ways[n][0][0] in live]


def _slide(rule: Rule, blank: int, symbols: int) -> tuple[Link, frozenset[int]] | None:
    """Return the link and the pieces that the rule moves along it, or None if the rule does anything else."""
    rows = canonical(rule, symbols)
    if len(rows) != 2:
        return None
    for (origin, pieces, leaves), (target, empty, enters) in (rows, rows[::-1]):  # type: ignore[misc]
        if empty == (blank,) and leaves == ("put", blank) and pieces != (blank,):
            carried = ("carry", origin, tuple((piece, piece) for piece in pieces))
            if enters == carried or (len(pieces) == 1 and enters == ("put", *pieces)):
                return (origin, target), frozenset(pieces) - {blank}
    return None


def _chains(model: Model, links: list[Link], usable: list[int], blanks: int) -> dict[int, int] | None:
    """Return for each usable rule the one that it may follow within a move, or -1; None if several, or in a cycle.

    Pairs of rules that can never be used in sequence do not count.
    """
    before = dict.fromkeys(usable, -1)
    for first in usable:
        for then in model.followers[first]:
            if then in before and _possible(links[first], links[then], blanks):
                if before[then] >= 0:
                    return None
                before[then] = first
    for rule in usable:
        passed = 0
        while before[rule] >= 0 and passed <= len(usable):
            rule = before[rule]
            passed += 1
        if passed > len(usable):
            return None
    return before


def _possible(first: Link, then: Link, blanks: int) -> bool:
    """Return whether one slide can directly follow another, with this number of blanks."""
    if blanks == 1:
        return then[1] == first[0]
    return then[0] != first[0] and then[1] != first[1]


def _joined(pairs: set[Link], cells: list[int]) -> bool:
    """Return whether the pairs connect all the cells."""
    joined = Partition(max(cells) + 1)
    for pair in pairs:
        joined.merge(*pair)
    return len({joined.find(cell) for cell in cells}) == 1


def two_colours(links: Iterable[tuple[int, int]], count: int) -> list[int] | None:
    """Return a colour 0 or 1 for each of 0 … count-1 such that every link joins two colours, or None."""
    near: list[list[int]] = [[] for _ in range(count)]
    for a, b in links:
        near[a].append(b)
        near[b].append(a)
    colours = [-1] * count
    for root in range(count):
        stack = [root] if colours[root] < 0 else []
        colours[root] = max(0, colours[root])
        while stack:
            item = stack.pop()
            for other in near[item]:
                if colours[other] < 0:
                    colours[other] = 1 - colours[item]
                    stack.append(other)
                elif colours[other] == colours[item]:
                    return None
    return colours


def cell_order(slides: SlideBoard, head: int) -> tuple[int, ...]:
    """Return the live cells in an order with many adjacent neighbours and otherwise short, cheap windows.

    head  the number of leading places that select the word, see `kernels.table.windows_orders`
    By beam search: orders are extended cell by cell along links. The result is deterministic.
    """
    pairs = {(min(link), max(link)) for link in slides.links}
    near: dict[int, list[int]] = {cell: [] for cell in slides.live}
    for a, b in sorted(pairs):
        near[a].append(b)
        near[b].append(a)
    beam: list[tuple[float, tuple[int, ...]]] = [(0.0, (cell,)) for cell in slides.live]
    for length in range(1, len(slides.live)):
        grown: list[tuple[float, tuple[int, ...]]] = []
        for cost, order in beam:
            placed = {cell: place for place, cell in enumerate(order)}
            ahead = [cell for cell in near[order[-1]] if cell not in placed]
            ahead = ahead or sorted({cell for known in order for cell in near[known] if cell not in placed})
            for cell in ahead:
                joined = [placed[other] for other in near[cell] if other in placed]
                grown.append((cost + sum(_window_cost(place, length, head) for place in joined), (*order, cell)))
        beam = sorted(grown, key=lambda item: (item[0] + _pending(item[1], near), item[1]))[:BEAM]
    return min(beam)[1]


def _pending(order: tuple[int, ...], near: dict[int, list[int]]) -> float:
    """Return the estimated cost of neighbours that are not placed yet: it grows with the length of the window."""
    placed = set(order)
    late = len(order)
    return sum(2.0 * (late - place) for place, cell in enumerate(order) for other in near[cell] if other not in placed)


def _window_cost(first: int, last: int, head: int) -> float:
    """Return the estimated cost of a window per word, in units of copying a word; measured on grids."""
    if last - first == 1:
        return 1.0
    if last <= head:
        return 2.0 + 3.0 / (1 + head - last) + 0.1 * (last - first)
    if first >= head:
        return 4.0
    return 8.0 + 0.5 * (head - first) + (4.0 if last - head > 1 else 0.0)
