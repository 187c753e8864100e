"""Placements of the pieces on the board, reachable or not: all of them, those that meet a goal, and their number."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence, Set
from functools import lru_cache
from itertools import islice
from math import comb
from typing import TYPE_CHECKING

from ..errors import UnsupportedError
from ..limits.watch import checkpoint, paced
from ..model.facts import conserved, orbits, symbol_classes
from ..model.goal import Goal
from ..model.model import Model
from ..model.rule import ANY, single_symbol
from ..structure.possible import within_reach

if TYPE_CHECKING:
    from ..model.sentence import Needs, Sentence

FEW_GOALS = FEW_STEPS = 1_000
"""The most goal positions of blocks that are listed for a search, and the most steps for this."""

Key = tuple[int, int]
"""(class of symbols, one of its orbits): pieces of a key exchange places only with each other."""

MOST_GOALS = 50_000
"""The most goal positions that are listed."""


def anchor(model: Model) -> bytes:
    """Return the model's anchor, a position that determines the pieces; raise UnsupportedError if it is None."""
    if model.anchor is None:
        raise UnsupportedError(
            "the pieces of this puzzle are not known: it has no start, and its goal leaves cells open"
        )
    return model.anchor


def placements(model: Model, goal: Goal | None = None) -> Iterator[bytes]:
    """Return an iterator over all placements of the pieces in the domain, or only those that meet `goal`.

    The pieces are those of `anchor(model)`. Each is placed only in cells that it could reach if no other piece were in
    the way. Raises UnsupportedError if the pieces are not known.
    """
    placer = _Placer(model, goal)
    return placer.found(_chart(placer, MOST_STEPS))


class TooManyStepsError(Exception):
    """Finding the placements takes too many steps."""


class _Placer:
    """Fills the cells in order by backtracking; a block is placed at its first cell."""

    def __init__(self, model: Model, goal: Goal | None) -> None:
        self.model = model
        self.goal = goal
        self.need = _narrowed(goal.need if goal else (ANY,) * model.cells, model)
        self.ends, self.awaited = _ends(model)
        model = within_reach(model, anchor(model))
        self.classes = symbol_classes(model.rules, model.symbols)
        self.orbits = orbits(model)
        self.left = conserved(model, anchor(model))
        self.cells = [-1] * model.cells
        self.used = [0] * model.symbols
        self.filled = 0
        self.body = model.shapes.body if model.shapes else -1
        singles = [single_symbol(need) if model.shapes is None else None for need in self.need]
        self.wants = [None if s is None else (self.classes[s], self.orbits[s][c]) for c, s in enumerate(singles)]
        self.kept = Counter(key for key in self.wants if key is not None)

    def found(self, chart: Chart | None, steps: int | None = None) -> Iterator[bytes]:
        """Return an iterator over the placements of the chart, or by backtracking if it is None.

        The iterator raises TooManyStepsError after `steps` steps of backtracking.
        """
        every = self.fill(steps) if chart is None else _listed(chart)
        counts = self.goal.counts if self.goal else ()  # the goal's other conditions hold already
        return (position for position in every if all(position.count(symbol) == count for symbol, count in counts))

    def fill(self, steps: int | None = None) -> Iterator[bytes]:
        """Yield every way to fill the cells, in lexicographic order; raise TooManyStepsError after `steps` steps."""
        placed: list[tuple[int, int, Key, tuple[int, ...]]] = []
        cell, symbol = self._open(0), 0
        while True:
            checkpoint()
            if steps is not None:
                steps -= 1
                if steps < 0:
                    raise TooManyStepsError
            if cell == self.model.cells:
                yield bytes(self.cells)
                symbol = self.model.symbols
            while symbol < self.model.symbols:
                key = (self.classes[symbol], self.orbits[symbol][cell])
                if self._has(key, cell) and not self._too_many(symbol):
                    covered = self._covered(symbol, cell)
                    if covered is not None:
                        break
                symbol += 1
            else:
                if not placed:
                    return
                cell, symbol, key, covered = placed.pop()
                self._take(cell, symbol, key, covered)
                symbol += 1
                continue
            self._put(cell, symbol, key, covered)
            placed.append((cell, symbol, key, covered))
            following = self._open(cell)
            if self._too_few() or not self._inside(cell, following):
                cell, symbol = self.model.cells - 1, self.model.symbols
            else:
                cell, symbol = following, 0

    def _open(self, cell: int) -> int:
        """Return the first free cell from this one on."""
        while cell < self.model.cells and self.cells[cell] >= 0:
            cell += 1
        return cell

    def _inside(self, first: int, following: int) -> bool:
        """Return whether the sentences of the domain whose last cell is one of these are true."""
        ended = [sentence for ends in self.ends[first:following] for sentence in ends]
        shown = bytes([max(symbol, 0) for symbol in self.cells]) if ended else b""
        return all(sentence.holds(shown) for sentence in ended)

    def onward(self, cell: int, symbol: int, shown: tuple[int, ...]) -> tuple[int, ...] | None:
        """Return the symbols of the awaited cells if a cell shows a symbol; None if a sentence of the domain is false.

        shown  the symbols of those that were awaited before it
        """
        known = {cell: symbol, **dict(zip(self.awaited[cell - 1] if cell else (), shown, strict=True))}
        if self.ends[cell]:
            position = bytes([known.get(other, 0) for other in range(cell + 1)])
            if not all(sentence.holds(position) for sentence in self.ends[cell]):
                return None
        return tuple([known[other] for other in self.awaited[cell]])

    def _has(self, key: Key, cell: int) -> bool:
        """Return whether there is a piece for the cell besides those kept for cells where the goal wants one."""
        return self.left.get(key, 0) > (self.kept[key] if self.wants[cell] is None else 0)

    def _put(self, cell: int, symbol: int, key: Key, covered: tuple[int, ...]) -> None:
        self.left[key] -= 1
        if self.wants[cell] is not None:
            self.kept[key] -= 1
        self.cells[cell] = symbol
        for other in covered:
            self.cells[other] = self.body
        self.used[symbol] += 1
        self.filled += 1 + len(covered)

    def _take(self, cell: int, symbol: int, key: Key, covered: tuple[int, ...]) -> None:
        self.left[key] += 1
        if self.wants[cell] is not None:
            self.kept[key] += 1
        for other in (cell, *covered):
            self.cells[other] = -1
        self.used[symbol] -= 1
        self.filled -= 1 + len(covered)

    def _too_few(self) -> bool:
        """Return whether the free cells do not suffice for the counts of the goal."""
        if self.goal is None or not self.goal.counts:
            return False
        missing = sum([max(count - self.used[symbol], 0) for symbol, count in self.goal.counts if symbol != self.body])
        return missing > self.model.cells - self.filled

    def _covered(self, symbol: int, cell: int) -> tuple[int, ...] | None:
        """Return the other cells that a piece would cover, or None if it cannot be there or the goal forbids it."""
        if symbol == self.body:
            return None
        covered = self.model.shapes.covers[symbol][cell] if self.model.shapes else ()
        if covered is None or any(self.cells[c] >= 0 for c in covered) or not self.wanted(symbol, (cell, *covered)):
            return None
        return covered

    def wanted(self, symbol: int, cells: Sequence[int]) -> bool:
        """Return whether the goal allows a piece on these cells, its first cell first."""
        first, *others = cells
        return bool(self.need[first] >> symbol & 1) and all(self.need[cell] >> self.body & 1 for cell in others)

    def _too_many(self, symbol: int) -> bool:
        """Return whether one more of this symbol would exceed the count of the goal."""
        counts = self.goal.counts if self.goal else ()
        return any(symbol == wanted and self.used[symbol] >= count for wanted, count in counts)


def _narrowed(need: tuple[int, ...], model: Model) -> tuple[int, ...]:
    """Return needs of cells without the symbols that the domain of a model never has there."""
    if not model.domain:
        return need
    from ..model.domain import narrowed  # few models have a domain

    return narrowed(need, model.domain)


def _ends(model: Model) -> tuple[list[list[Sentence]], list[tuple[int, ...]]]:
    """Return for each cell the sentences of the domain whose last cell it is, and what others say of the cells before.

    The second are, for each cell, those up to it that a sentence with a later last cell depends on.
    """
    ends: list[list[Sentence]] = [[] for _ in range(model.cells)]
    if not model.domain:
        return ends, [()] * model.cells
    from ..model.sentence import Shows

    awaited: list[set[int]] = [set() for _ in range(model.cells)]
    for sentence in model.domain:
        cells = sorted(sentence.cells())
        if isinstance(sentence, Shows) or not cells:
            continue  # cells are narrowed to it
        ends[cells[-1]].append(sentence)
        for cell in cells:
            for later in range(cell, cells[-1]):
                awaited[later].add(cell)
    return ends, [tuple(sorted(cells)) for cells in awaited]


def placement_bound(model: Model) -> int:
    """Return an upper bound on the number of placements: the arrangements within each orbit of cells.

    It is exact if pieces have one cell each and every orbit is the same for all its symbols. Raises UnsupportedError if
    the pieces are not known.
    """
    position = anchor(model)
    model = within_reach(model, position)  # as `placements` lists them
    classes = symbol_classes(model.rules, model.symbols)
    labels = orbits(model)
    body = model.shapes.body if model.shapes else -1
    sizes: Counter[tuple[int, int]] = Counter()
    held: Counter[tuple[int, int]] = Counter()
    for cell in range(model.cells):
        for key in {(classes[s], labels[s][cell]) for s in range(model.symbols)}:
            sizes[key] += 1
        if position[cell] != body:
            held[classes[position[cell]], labels[position[cell]][cell]] += 1
    bound = 1
    used: Counter[frozenset[int]] = Counter()
    where: dict[tuple[int, int], frozenset[int]] = {}
    for symbol in {symbol for symbol, _ in held}:
        cells: dict[int, list[int]] = {}
        for cell, label in enumerate(labels[symbol]):
            cells.setdefault(label, []).append(cell)
        where |= {(symbol, label): frozenset(found) for label, found in cells.items()}
    for key, count in sorted(held.items(), key=lambda item: item[1]):
        free = max(sizes[key] - used[where[key]], count)
        bound *= comb(free, count) * sum(label == key[0] for label in classes) ** count
        used[where[key]] += count
    return bound


MOST_STATES = 300_000
"""The most steps to count placements of blocks; if it takes more, only a bound is known."""

MOST_TRIED, FEW_TRIED, FEWER_TRIED = 5_000_000, 300_000, 30_000
"""The most steps of backtracking to list goal positions: some seconds; less than a second for a search that does not
need the list; and less than 0.1 s if some moves cannot be undone, because the goals then serve mostly to find reasons
without search."""

MOST_STEPS = 30_000
"""The most steps to build a chart before placements are listed; the chart avoids dead ends."""

State = tuple[int, tuple[int, ...], tuple[int, ...]]
"""A partial placement, cell by cell: (covered cells ahead, bit 0 is the next cell; remaining pieces of each key; the
symbols of cells on which sentences of the domain about later cells depend). The ways to fill the other cells depend on
nothing else."""

Chart = list[dict[State, list[tuple[int, State]]]]
"""For each cell, the states before it is filled, each with pairs (symbol, next state); a decision diagram."""


def placement_count(model: Model) -> int:
    """Return the number of placements, or an upper bound if counting those of blocks or in a domain takes too long.

    It is counted once for a model. Raises UnsupportedError if the pieces are not known.
    """
    return model.kept(_placement_count)


def _placement_count(model: Model) -> int:
    chart = _chart(_Placer(model, None), MOST_STATES)
    return placement_bound(model) if chart is None else _counted(chart)


def _chart(placer: _Placer, most: int) -> Chart | None:
    """Return the chart of all placements of blocks, or in a domain.

    None with neither blocks nor a domain, or if it takes more than `most` steps.
    """
    if placer.model.shapes is None and not placer.model.domain:
        return None
    keys = tuple(placer.left)
    layer: Set[State] = {(0, tuple(placer.left.values()), ())}
    chart: Chart = []
    steps = 0
    for cell in range(placer.model.cells):
        steps += len(layer)
        if steps > most:
            return None
        chart.append({state: list(_fillings(placer, cell, state, keys)) for state in paced(layer)})
        layer = {after for ways in chart[-1].values() for _, after in ways}
    for cell in reversed(range(placer.model.cells)):
        alive = {state: [way for way in ways if way[1] in layer] for state, ways in chart[cell].items()}
        chart[cell] = {state: ways for state, ways in alive.items() if ways}
        layer = chart[cell].keys()
    return chart


def _fillings(placer: _Placer, cell: int, state: State, keys: tuple[Key, ...]) -> Iterator[tuple[int, State]]:
    """Yield (symbol, next state) for each way to fill a cell."""
    covered, left, shown = state
    shapes = placer.model.shapes
    for symbol in [placer.body] if covered & 1 else range(placer.model.symbols):
        key = (placer.classes[symbol], placer.orbits[symbol][cell])
        cells = shapes.covers[symbol][cell] if shapes is not None and not covered & 1 else ()
        if (symbol == placer.body) != covered & 1 or cells is None or key not in keys or not left[keys.index(key)]:
            continue
        ahead = sum(1 << (other - cell) for other in cells)
        if covered & 1 or (not covered & ahead and placer.wanted(symbol, (cell, *cells))):
            onward = placer.onward(cell, symbol, shown)
            if onward is not None:
                yield symbol, ((covered | ahead) >> 1, _without(left, keys.index(key)), onward)


def _without(counts: tuple[int, ...], index: int) -> tuple[int, ...]:
    return (*counts[:index], counts[index] - 1, *counts[index + 1 :])


def _counted(chart: Chart) -> int:
    """Return the number of placements in a chart."""
    ways: Counter[State] = Counter(dict.fromkeys(chart[0], 1))
    for layer in chart:
        before, ways = ways, Counter()
        for state, onward in layer.items():
            for _, after in onward:
                ways[after] += before[state]
    return sum(ways.values())


def _listed(chart: Chart) -> Iterator[bytes]:
    """Yield the placements in a chart, in lexicographic order."""
    cells = bytearray(len(chart))
    for first in chart[0]:
        ways = [iter(chart[0][first])]
        while ways:
            checkpoint()
            way = next(ways[-1], None)
            if way is None:
                ways.pop()
                continue
            cells[len(ways) - 1], state = way
            if len(ways) == len(chart):
                yield bytes(cells)
            else:
                ways.append(iter(chart[len(ways)].get(state, ())))


@lru_cache(maxsize=4)  # a question and the checks of its answer ask for the same
def goal_positions(
    model: Model, limit: int = MOST_GOALS, steps: int = MOST_STATES, tried: int = MOST_TRIED
) -> tuple[bytes, ...] | None:
    """Return every placement that meets a goal; None if pieces are not known or there are more than `limit`.

    Positions that a law forbids are left out, unless one is the start: no move leads there.

    steps  the most steps for the chart of blocks; None if it takes more
    tried  the most steps of backtracking; None if it takes more
    """
    found: dict[bytes, None] = {}
    for goal, share in _cases(model, tried):
        single = goal.position
        if single is not None:
            found[single] = None
            continue
        try:
            placer = _Placer(model, goal)
        except UnsupportedError:
            return None
        chart = None if model.shapes is None else _chart(placer, steps)
        if chart is None and model.shapes is not None:
            return None
        if chart is not None and _counted(chart) > (MOST_STATES if goal.counts else limit):
            return None
        try:
            met = (position for position in placer.found(chart, share) if _told(goal, position))
            found.update(dict.fromkeys(islice(met, limit + 1)))
        except TooManyStepsError:
            return None
        if len(found) > limit:
            return None
    if model.metric.laws:
        return tuple([position for position in paced(found) if position == model.start or not model.broken(position)])
    return tuple(dict.fromkeys(map(model.settled, paced(found)))) if model.metric.free else tuple(found)


LEAST_TRIED = 100
"""The least steps of backtracking for one of the cases of a sentence; with fewer, the sentence is not split."""


def _taken_apart(sentence: Sentence, symbols: int) -> Sequence[Needs]:
    """Return the cases of a sentence; none if they are too many."""
    from ..model.sentence import TooManyCasesError

    try:
        return sentence.cases(symbols)
    except TooManyCasesError:
        return ()


def _cases(model: Model, tried: int) -> Iterator[tuple[Goal, int]]:
    """Yield the goals, each with its steps of backtracking; a sentence is split into the symbols that it allows."""
    for goal in model.goals:
        cases = () if goal.sentence is None or model.shapes is not None else _taken_apart(goal.sentence, model.symbols)
        if not cases or tried // len(cases) < LEAST_TRIED:
            yield goal, tried
            continue
        for case in paced(cases):
            need = tuple([allowed & case.get(cell, ANY) for cell, allowed in enumerate(goal.need)])
            yield Goal(need, goal.counts, goal.sentence), tried // len(cases)


def _told(goal: Goal, position: bytes) -> bool:
    """Return whether the sentence of a goal, if it has one, is true of a position."""
    return goal.sentence is None or goal.sentence.holds(position)


def few_goals(model: Model, tried: int = FEW_TRIED) -> tuple[bytes, ...] | None:
    """Return the goal positions if they can be listed in less than a second, else None; see `goal_positions`.

    For blocks the limits are lower: their engine tests positions for goals and does not need the list, which serves to
    find reasons without search.
    """
    if model.shapes is not None:
        return goal_positions(model, FEW_GOALS, FEW_STEPS)
    return goal_positions(model, tried=tried)
