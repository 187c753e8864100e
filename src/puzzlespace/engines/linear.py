"""Moves that add: shortest solutions and depth counts by linear algebra, without a search.

If no move carries a symbol from one cell to another, and every move adds a constant to each cell modulo a prime m (two
for lamps), the order of moves does not matter. A solution is then a solution of a system of linear equations, and a
shortest one has the least weight among them: docs/methods/linear.md.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import reduce
from itertools import combinations, compress, count, product
from math import comb, factorial, prod
from operator import xor
from typing import Any

from ..contract.answers import Geodesics, Layers
from ..contract.needs import Needs, Pair, Reference, Sizes, no_files
from ..contract.questions import Depths, Engine, Prospect, Search, Space, Worth, model_of, unfit
from ..errors import LimitError, UnsupportedError
from ..limits.watch import Watch, paced
from ..model.model import Goal, Model, Recent, outcomes

MOST_COMBINATIONS = 1 << 20
"""The most combinations of moves without effect among which the least one is sought."""

MOST_HARDEST = 100_000
"""The most hardest positions that are listed to find the first ones."""


@dataclass(frozen=True)
class Direction:
    """All moves whose effects are multiples of one effect.

    effect   what a press adds to each cell, modulo m
    letters  for each factor the number of different moves with that multiple of the effect
    costs    for each factor the least number of moves with that multiple as their sum
    ways     for each factor the sum of Π n^k/k! over the sets of so many moves: n moves of a factor occur k times
    """

    effect: tuple[int, ...]
    letters: dict[int, int]
    costs: tuple[int, ...]
    ways: tuple[Fraction, ...]

    def parts(self, factor: int) -> list[int]:
        """Return the factors of a shortest sequence of moves whose sum is this factor."""
        found: list[int] = []
        while factor:
            found.append(next(iter(self.firsts(factor))))
            factor = (factor - found[-1]) % len(self.costs)
        return found

    def firsts(self, factor: int) -> Iterator[int]:
        """Yield the factors with which a shortest sequence of moves for this factor can begin."""
        m = len(self.costs)
        return (each for each in self.letters if self.costs[(factor - each) % m] == self.costs[factor] - 1)

    def between(self, factor: int) -> list[int]:
        """Return the sums that occur within shortest sequences of moves for this factor, by their own costs."""
        m, costs = len(self.costs), self.costs
        return [each for each in range(m) if costs[each] + costs[(factor - each) % m] == costs[factor]]


@dataclass(frozen=True)
class Additions:
    """Moves as additions, seen from one position, in which every cell counts as 0.

    modulus     the prime m
    symbols     for each cell the symbols that it can show, by what was added to it; one symbol if no move changes it
    directions  the moves, those with multiples of one effect together
    """

    modulus: int
    symbols: tuple[bytes, ...]
    directions: tuple[Direction, ...]

    def position(self, presses: Iterable[tuple[Direction, int]]) -> bytes:
        """Return the position after moves: pairs of a direction and a factor."""
        total = [0] * len(self.symbols)
        for each, factor in presses:
            total = _plus(total, each, factor)
        return self.shown(total)

    def shown(self, total: Sequence[int]) -> bytes:
        """Return the position in which so much is added to each cell."""
        return bytes([shown[sum_ % len(shown)] for shown, sum_ in zip(self.symbols, total, strict=True)])


def _plus(total: Sequence[int], direction: Direction, factor: int) -> list[int]:
    if not factor:
        return list(total)
    return [old + factor * new for old, new in zip(total, direction.effect, strict=True)]


def read(model: Model, origin: bytes) -> Additions | str:
    """Return the moves as additions to a position, or why they are none."""
    if model.metric.after or not model.rules or model.rules[0].motion is not None:
        return "only listed moves, each of which counts as one, can be additions"
    changes: list[dict[int, tuple[int, ...]]] = []
    tables: dict[int, list[tuple[int, ...]]] = {}
    everything = (1 << model.symbols) - 1
    for rule in paced(model.rules):
        changed: dict[int, tuple[int, ...]] = {}
        for index, (source, pairs) in enumerate(outcomes(rule, model.symbols)):
            if source != index or rule.need[index] & everything != everything:
                return "some moves depend on symbols, or carry them to other cells"
            table = changed[rule.cells[index]] = tuple(new for _, new in pairs)
            if len(set(table)) < model.symbols:
                return "some moves lose what a cell showed"
            tables.setdefault(rule.cells[index], []).append(table)
        changes.append(changed)
    symbols = [_circle(shown, tables.get(cell, ())) for cell, shown in enumerate(origin)]
    sizes = {len(each) for each in symbols} - {1}
    if len(sizes) > 1 or any(size % divisor == 0 for size in sizes for divisor in range(2, size)):
        return "the symbols of the cells do not change in circles of one prime length"
    effects: list[tuple[int, ...]] = []
    for changed in paced(changes):
        effect = [0] * model.cells
        for cell, table in changed.items():
            step = _step(symbols[cell], table)
            if step is None:
                return "some moves change the symbols of a cell in ways that are no multiples of each other"
            effect[cell] = step
        effects.append(tuple(effect))
    modulus = next(iter(sizes), 2)
    return Additions(modulus, tuple(symbols), _directions(model, effects, modulus))


def _step(circle: bytes, table: Sequence[int]) -> int | None:
    """Return how far a table leads each symbol along the circle, or None if not all of them equally far."""
    step = circle.find(table[circle[0]])
    along = circle[step:] + circle[: max(step, 0)]
    return step if step >= 0 and bytes(table[symbol] for symbol in circle) == along else None


def _circle(shown: int, tables: Iterable[tuple[int, ...]]) -> bytes:
    """Return the symbols through which the first move that changes this one leads, in order."""
    table = next((each for each in tables if each[shown] != shown), None)
    found = [shown]
    while table is not None and table[found[-1]] != shown:
        found.append(table[found[-1]])
    return bytes(found)


def _directions(model: Model, effects: Sequence[tuple[int, ...]], m: int) -> tuple[Direction, ...]:
    moves: dict[tuple[int, ...], dict[int, set[int]]] = {}
    for number, effect in enumerate(paced(effects)):
        factor = next(filter(None, effect), 0)
        if factor:
            unit = effect if factor == 1 else tuple([each * pow(factor, -1, m) % m for each in effect])
            moves.setdefault(unit, {}).setdefault(factor, set()).add(model.generators[number])
    return tuple(
        _direction(unit, {factor: len(numbers) for factor, numbers in sorted(factors.items())}, m)
        for unit, factors in moves.items()
    )


def _direction(unit: tuple[int, ...], letters: dict[int, int], m: int) -> Direction:
    """Return a direction; sets of moves are counted letter by letter, each letter less than m times."""
    best: dict[int, tuple[int, Fraction]] = {0: (0, Fraction(1))}
    for factor, number in letters.items():
        found: dict[int, tuple[int, Fraction]] = {}
        for (total, (cost, ways)), times in product(best.items(), range(m)):
            key, more = (total + factor * times) % m, cost + times
            least, before = found.get(key, (more, Fraction(0)))
            if more <= least:
                here = ways * Fraction(number**times, factorial(times))
                found[key] = (more, here + (before if more == least else 0))
        best = found
    return Direction(unit, letters, tuple(best[f][0] for f in range(m)), tuple(best[f][1] for f in range(m)))


class System:
    """The presses that change some cells by given amounts: one solution, and a basis of those that change nothing.

    solvable      whether there is a solution
    one           presses of each direction that are a solution
    idle          rows of presses that change none of the cells, a basis of all of these
    combinations  the number of their combinations
    pivots        directions that are independent of each other; no press of another one is in `one`
    """

    def __init__(self, moves: Additions, cells: list[int], wanted: list[int]) -> None:
        import numpy as np

        m, count = moves.modulus, len(moves.directions)
        rows = np.zeros((len(cells), count + 1), np.int32)
        for column, each in enumerate(moves.directions):
            rows[:, column] = np.array(each.effect, np.int32)[cells]
        rows[:, count] = wanted
        pivots = _reduce(rows, m)
        self.solvable = not rows[len(pivots) :, count].any()
        self.one = np.zeros(count, np.int32)
        self.one[pivots] = rows[: len(pivots), count]
        self.pivots = pivots
        free = sorted(set(range(count)).difference(pivots))
        self.idle = np.zeros((len(free), count), np.int32)
        self.idle[range(len(free)), free] = 1
        if pivots and free:
            self.idle[:, pivots] = (-rows[: len(pivots), free].T) % m
        self.combinations: int = m ** len(free)

    def least(self, moves: Additions, watch: Watch) -> tuple[int, Any]:
        """Return the least number of moves of a solution, and the presses of all solutions with so many."""
        import numpy as np

        m, size = moves.modulus, max(1, watch.thresholds.compared // max(1, len(self.one)))
        watch.reserve(16 * min(self.combinations, size) * max(1, len(self.one)))
        costs = np.array([each.costs for each in moves.directions], np.int32).reshape(len(self.one), m)
        powers = m ** np.arange(len(self.idle), dtype=np.int64)
        best, kept = -1, []
        for begin in range(0, self.combinations, size):
            numbers = np.arange(begin, min(begin + size, self.combinations))
            watch.tick(len(numbers))
            digits = (numbers[:, None] // powers % m).astype(np.int32)
            presses = (digits @ self.idle + self.one) % m
            totals = costs[np.arange(len(self.one)), presses].sum(axis=1)
            least = int(totals.min())
            if best < 0 or least < best:
                best, kept = least, []
            kept.append(presses[totals == best])
        return best, np.concatenate(kept)


def _reduce(rows: Any, m: int) -> list[int]:
    """Bring the rows of a system modulo m into reduced echelon form in place; return the leading columns."""
    return _reduce_bits(rows) if m == 2 else _reduce_rows(rows, m)


def _reduce_rows(rows: Any, m: int) -> list[int]:
    pivots: list[int] = []
    for column in paced(range(rows.shape[1] - 1)):
        here = rows[len(pivots) :, column].nonzero()[0]
        if not len(here):
            continue
        row, found = len(pivots), len(pivots) + int(here[0])
        rows[[row, found]] = rows[[found, row]]
        rows[row] = rows[row] * pow(int(rows[row, column]), -1, m) % m
        others = rows[:, column].nonzero()[0]
        others = others[others != row]
        rows[others] = (rows[others] - rows[others, column, None] * rows[row]) % m
        pivots.append(column)
        if len(pivots) == len(rows):
            break
    return pivots


def _reduce_bits(rows: Any) -> list[int]:
    """Reduce a system modulo 2 as `_reduce` does, 64 columns at a time."""
    import numpy as np

    height, width = rows.shape
    packed = np.zeros((height, -(-width // 64) * 8), np.uint8)
    bits = np.packbits(rows.astype(np.uint8), axis=1)
    packed[:, : bits.shape[1]] = bits
    words = packed.view(np.uint64)
    pivots: list[int] = []
    for column in paced(range(width - 1)):
        row = len(pivots)
        if row == height:
            break
        ones = (packed[:, column >> 3] & 128 >> (column & 7)).nonzero()[0]
        first = ones.searchsorted(row)
        if first == len(ones):
            continue
        found = int(ones[first])
        words[[row, found]] = words[[found, row]]
        words[np.delete(ones, first)] ^= words[row]  # what was row `row` has a 0 here, unless it is `found`
        pivots.append(column)
    rows[:] = np.unpackbits(packed, axis=1, count=width)
    return pivots


def _system(moves: Additions, goal: Goal) -> System | str | None:
    """Return the equations of a goal, None if no presses can meet it, or why it has none."""
    if goal.counts:
        return "a goal counts symbols"
    cells: list[int] = []
    wanted: list[int] = []
    for cell, (need, shown) in enumerate(zip(goal.need, moves.symbols, strict=True)):
        allowed = [number for number, symbol in enumerate(shown) if need >> symbol & 1]
        if not allowed:
            return None
        if len(allowed) == 1 < len(shown):
            cells.append(cell)
            wanted.append(allowed[0])
        elif len(allowed) < len(shown):
            return "a goal leaves a cell some of its symbols"
    found = System(moves, cells, wanted)
    if found.solvable and found.combinations > MOST_COMBINATIONS:
        return f"more than {MOST_COMBINATIONS:,} combinations of moves change nothing"
    return found if found.solvable else None


def _systems(model: Model, origin: bytes) -> tuple[Additions, list[System]] | str:
    """Return the moves and the solvable systems of all goals, or why there are none."""
    return _recent_systems.of(model, origin)


def _find_systems(model: Model, origin: bytes) -> tuple[Additions, list[System]] | str:
    moves = read(model, origin)
    if isinstance(moves, str):
        return moves
    found: list[System] = []
    for goal in model.goals:
        system = _system(moves, goal)
        if isinstance(system, str):
            return system
        if system is not None:
            found.append(system)
    return moves, found


_recent_systems = Recent(_find_systems, 2)


def reached(model: Model, origin: bytes) -> tuple[int, Callable[[int], bytes]] | None:
    """Return how many positions moves that add lead to, and which one has each number; None if moves do not add.

    Every position is the origin plus one combination of independent directions: their factors are the digits of its
    number, modulo m.
    """
    moves = read(model, origin)
    if isinstance(moves, str):
        return None
    independent = System(moves, list(range(len(moves.symbols))), [0] * len(moves.symbols)).pivots

    def position(number: int) -> bytes:
        presses: list[tuple[Direction, int]] = []
        for at in independent:
            number, factor = divmod(number, moves.modulus)
            presses.append((moves.directions[at], factor))
        return moves.position(presses)

    return moves.modulus ** len(independent), position


def refuses(space: Space, question: str) -> str | None:
    """Return why this engine cannot answer, or None."""
    model = model_of(space)
    if model is None or model.anchor is None:
        return "there is no position to which moves could add"
    if model.metric.free:
        return unfit(space)
    if question == "depths":
        kinds = _kinds(model, model.anchor)
        return kinds if isinstance(kinds, str) else None
    found = _systems(model, model.anchor)
    return found if isinstance(found, str) else None


def worth(question: Depths | Search, prospect: Prospect) -> Worth:
    """Return after how many positions algebra is faster than a search, or why there is no algebra or no need of it."""
    model, by = question.space, prospect.watch.thresholds
    if not isinstance(model, Model):
        return "there is no position to which moves could add"
    if isinstance(question, Search):
        found = _systems(model, question.start)
        return found if isinstance(found, str) else by.attempt_algebra
    if prospect.bound() <= by.some_placements:
        return "tables of so few positions are as fast"
    if len(question.sources) != 1:
        return "there are several sources"
    kinds = _kinds(model, question.sources[0])
    return kinds if isinstance(kinds, str) else 0


def search(question: Search, watch: Watch) -> Geodesics:
    """Return the shortest solutions: all positions on them if they are few, else one solution and their number."""
    model = question.space
    assert isinstance(model, Model)
    if model.is_goal(question.start):
        return Geodesics((frozenset([question.start]),), 0, watch.seconds, 0)
    try:
        found = _systems(model, question.start)
        if isinstance(found, str):
            raise UnsupportedError(f"engine linear: {found}")
        moves, systems = found
        answers = [system.least(moves, watch) for system in systems]
        if not answers:
            return Geodesics((), watch.generated, watch.seconds)
        length = min(cost for cost, _ in answers)
        shortest = {tuple(map(int, row)) for cost, rows in answers if cost == length for row in paced(rows)}
        return _composed(moves, sorted(shortest), length, question.every, watch)
    except LimitError as error:
        return Geodesics((), watch.generated, watch.seconds, 1, error)


def _composed(moves: Additions, shortest: list[tuple[int, ...]], length: int, every: bool, watch: Watch) -> Geodesics:
    if not every:
        path = tuple(frozenset([position]) for position in _path(moves, shortest[0]))
        return Geodesics(path, watch.generated, watch.seconds, length)
    if _few_between(moves, shortest, watch.thresholds.listed_ways):
        layers: list[set[bytes]] = [set() for _ in range(length + 1)]
        for presses in shortest:
            between = [each.between(number) for number, each in zip(presses, moves.directions, strict=True)]
            for part in paced(product(*between)):
                depth = sum(each.costs[number] for number, each in zip(part, moves.directions, strict=True))
                layers[depth].add(moves.position(zip(moves.directions, part, strict=True)))
        return Geodesics(tuple(map(frozenset, layers)), watch.generated, watch.seconds, length)
    ways = Fraction(0)
    first: set[tuple[int, int]] = set()
    for presses in paced(shortest):
        used = [(at, number) for at, number in enumerate(presses) if number]
        ways += factorial(length) * prod((moves.directions[at].ways[number] for at, number in used), start=Fraction(1))
        first |= {(at, factor) for at, number in used for factor in moves.directions[at].firsts(number)}
    return Geodesics(
        tuple(frozenset([position]) for position in _path(moves, shortest[0])),
        watch.generated, watch.seconds, length, solutions=int(ways),
        first=frozenset(moves.position([(moves.directions[at], factor)]) for at, factor in paced(first)),
    )  # fmt: skip


def _few_between(moves: Additions, shortest: list[tuple[int, ...]], most: int) -> bool:
    """Return whether at most so many positions are on shortest solutions, each counted once for each least vector."""
    found = 0
    for presses in paced(shortest):
        found += prod(
            len(each.between(number)) for number, each in zip(presses, moves.directions, strict=True) if number
        )
        if found > most:
            return False
    return True


def _path(moves: Additions, presses: Sequence[int]) -> Iterator[bytes]:
    """Yield the positions of one solution."""
    total = [0] * len(moves.symbols)
    shown = bytearray(moves.shown(total))
    yield bytes(shown)
    for each, number in zip(moves.directions, paced(presses), strict=True):
        for factor in each.parts(number):
            for cell in compress(count(), each.effect):
                total[cell] += factor * each.effect[cell]
                shown[cell] = moves.symbols[cell][total[cell] % len(moves.symbols[cell])]
            yield bytes(shown)


@dataclass(frozen=True)
class Kinds:
    """Directions that the same combinations without effect contain, together; all cost one, and m is two.

    sizes    how many directions are of each kind
    members  their numbers
    idle     for each combination of idle moves whether it contains each kind
    """

    sizes: tuple[int, ...]
    members: tuple[tuple[int, ...], ...]
    idle: tuple[tuple[bool, ...], ...]


def _counted(moves: Additions) -> Kinds | str:
    """Return the kinds of directions, by which positions can be counted, or why they cannot."""
    system = System(moves, list(range(len(moves.symbols))), [0] * len(moves.symbols))
    members: dict[bytes, list[int]] = {}
    for number, column in enumerate(system.idle.T):
        members.setdefault(column.tobytes(), []).append(number)
    kinds = tuple(tuple(each) for each in members.values())
    if system.combinations == 1:
        return Kinds(tuple(map(len, kinds)), kinds, ((False,) * len(kinds),))
    if moves.modulus != 2:
        return "some combinations of moves change nothing, and moves do not undo themselves"
    if prod(len(each) + 1 for each in kinds) * system.combinations > MOST_COMBINATIONS << 2:
        return "too many combinations of moves change nothing"
    idle: set[tuple[bool, ...]] = {(False,) * len(kinds)}
    for row in system.idle:
        inside = [bool(row[each[0]]) for each in kinds]
        idle |= {tuple(a != b for a, b in zip(other, inside, strict=True)) for other in idle}
    return Kinds(tuple(map(len, kinds)), kinds, tuple(sorted(idle)))


def _kinds(model: Model, origin: bytes) -> tuple[Additions, Kinds] | str:
    """Return the moves and their kinds, or why positions cannot be counted by kinds."""
    moves = read(model, origin)
    if isinstance(moves, str):
        return moves
    kinds = _counted(moves)
    return kinds if isinstance(kinds, str) else (moves, kinds)


def depths(question: Depths, watch: Watch) -> Layers:
    """Count the positions at each distance from one source. Raises UnsupportedError if algebra does not count them."""
    model = question.space
    assert isinstance(model, Model)
    if len(question.sources) != 1:
        raise UnsupportedError("engine linear: there are several sources")
    try:
        found = _kinds(model, question.sources[0])
        if isinstance(found, str):
            raise UnsupportedError(f"engine linear: {found}")
        moves, kinds = found
        counts, hardest = _independent(moves) if len(kinds.idle) == 1 else _by_kinds(moves, kinds, watch)
        if counts[-1] > MOST_HARDEST:
            raise UnsupportedError(f"engine linear: more than {MOST_HARDEST:,} hardest positions")
        deepest = sorted(set(paced(hardest)))
        collected = sorted(_collected(question, moves, watch))
        for depth, count in enumerate(counts):
            watch.layer(depth, count, sum(counts[: depth + 1]))
    except LimitError as error:
        return Layers((), (), False, watch.generated, watch.seconds, stopped=error)
    return Layers(
        tuple(counts), tuple(deepest[: question.keep]), True, watch.generated, watch.seconds, tuple(collected)
    )


def _collected(question: Depths, moves: Additions, watch: Watch) -> Iterator[tuple[bytes, int]]:
    """Yield the positions that meet a goal of `collect`, with their depths."""
    if not question.collect:
        return
    every = System(moves, list(range(len(moves.symbols))), [0] * len(moves.symbols))
    independent = every.pivots
    if moves.modulus ** len(independent) > watch.thresholds.listed_presses:
        yield from _collected_one_by_one(question, moves, watch)
        return
    for some in paced(product(range(moves.modulus), repeat=len(independent))):
        position = moves.position((moves.directions[at], number) for at, number in zip(independent, some, strict=True))
        if any(goal.holds(position) for goal in question.collect):
            every.one[independent] = some
            yield position, every.least(moves, watch)[0]


def _collected_one_by_one(question: Depths, moves: Additions, watch: Watch) -> Iterator[tuple[bytes, int]]:
    for goal in dict.fromkeys(question.collect):
        if goal.position is None:
            raise UnsupportedError("engine linear: positions are wanted that are not listed one by one")
        system = _system(moves, goal)
        if isinstance(system, str):
            raise UnsupportedError(f"engine linear: {system}")
        if system is not None:
            yield goal.position, system.least(moves, watch)[0]


def _independent(moves: Additions) -> tuple[list[int], Iterator[bytes]]:
    """Count if different presses lead to different positions: multiply Σ z^cost over the directions."""
    counts = [1]
    for each in paced(moves.directions):
        more = [0] * (len(counts) + max(each.costs))
        for depth, sums in enumerate(counts):
            for cost in each.costs:
                more[depth + cost] += sums
        counts = more
    greatest = [
        [number for number, cost in enumerate(each.costs) if cost == max(each.costs)] for each in moves.directions
    ]
    return counts, (moves.position(zip(moves.directions, each, strict=True)) for each in product(*greatest))


def _by_kinds(moves: Additions, kinds: Kinds, watch: Watch) -> tuple[list[int], Iterator[bytes]]:
    """Count sets of presses by how many of each kind they have; the least of a position is its depth."""
    import numpy as np

    shape = tuple(size + 1 for size in kinds.sizes)
    watch.reserve((4 * len(shape) + 64) * prod(shape))  # what is pressed, sums, and the numbers of sets as objects
    pressed = np.indices(shape, np.int32).reshape(len(shape), -1)
    least = pressed.sum(axis=0)
    total = least.copy()
    for inside in kinds.idle:
        watch.tick(len(total))
        other = sum((size - each if flip else each) for flip, size, each in zip(inside, kinds.sizes, pressed))  # noqa: B905
        least = np.minimum(least, other)
    number = np.ones(1, object)
    for size in kinds.sizes:
        number = np.multiply.outer(number, np.array([comb(size, k) for k in range(size + 1)], object)).reshape(-1)
    counts = [int(number[least == depth].sum()) // len(kinds.idle) for depth in range(int(least.max()) + 1)]
    deepest = pressed[:, (least == len(counts) - 1) & (total == least)].T

    masks = [int("".join(map(str, each.effect)), 2) for each in moves.directions]

    def hardest() -> Iterator[bytes]:
        found: set[int] = set()
        for row in deepest:
            chosen = product(*(combinations(each, int(k)) for each, k in zip(kinds.members, row, strict=True)))
            found.update(reduce(xor, (masks[at] for part in parts for at in part), 0) for parts in paced(chosen))
        for mask in found:
            yield moves.shown([int(bit) for bit in f"{mask:0{len(moves.symbols)}b}"])

    return counts, hardest()


def needs(model: Model, sources: tuple[bytes, ...], memory: int | None) -> Needs:
    """Return what counting sets of presses by kinds takes. Raises UnsupportedError if algebra does not count them."""
    found = _kinds(model, sources[0])
    if len(sources) != 1 or isinstance(found, str):
        raise UnsupportedError(f"engine linear: {found if isinstance(found, str) else 'there are several sources'}")
    moves, kinds = found
    sets = prod(size + 1 for size in kinds.sizes) if len(kinds.idle) > 1 else 0
    shape, independent = len(kinds.sizes), len(moves.directions) - (len(kinds.idle).bit_length() - 1)

    def work(sizes: Sizes, children: float) -> list[Pair]:
        """Go through all sets of presses for each idle combination; without one, multiply one factor a direction."""
        units = len(kinds.idle) * sets if sets else len(moves.directions) ** 3
        return [(0.0, units / max(1, len(sizes)))] * len(sizes)

    reference = ("linear", "lights:5x5") if sets else ("linear, no idle moves", "lights:15x15")

    return Needs(
        "linear algebra", moves.modulus**independent, "no table", 0, 0, 0,
        lambda sizes: float((4 * shape + 64) * sets), work, no_files, 0.0,
        Reference(*reference, "step", ENGINE, needs, "lights:3x3"),
    )  # fmt: skip


ENGINE = Engine("linear", refuses, depths=depths, search=search, speed=20_000, worth=worth)
