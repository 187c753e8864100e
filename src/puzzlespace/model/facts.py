"""Facts computed from the rules: classes of symbols, orbits of cells, colourings, invariants.

Facts are never declared, because a declaration can be wrong.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass

from ..limits.watch import checkpoint, paced
from .effects import allowed, outcomes
from .kept import kept
from .model import Model
from .rule import Rule, deeds, single_symbol, symbols_of
from .trying import by_cell


class Partition:
    """Disjoint sets of 0 … size-1 that can be merged (union-find)."""

    def __init__(self, size: int) -> None:
        self.parent = list(range(size))

    def find(self, item: int) -> int:
        while self.parent[item] != item:
            self.parent[item] = self.parent[self.parent[item]]
            item = self.parent[item]
        return item

    def merge(self, a: int, b: int) -> bool:
        """Merge the sets of a and b; return whether they were different."""
        a, b = sorted((self.find(a), self.find(b)))
        self.parent[b] = a
        return a != b

    def labels(self) -> tuple[int, ...]:
        """Return for each item the least member of its set."""
        return tuple(self.find(item) for item in range(len(self.parent)))


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


@dataclass(frozen=True, slots=True)
class Flow:
    """How a rule moves the contents of its cells: variable contents are carried, constants are taken and given.

    Cells are indices into `Rule.cells`: rules that differ only in their cells have the same flow.

    carried  (cell read, cell written, (old, new) pairs)
    taken    (cell, symbol) for cells that always show this symbol before
    given    (cell, symbol) for cells that always show this symbol after
    mixed    (cell, symbol) of all symbols that the cells can show, if variable contents are copied or lost; else ()
    """

    carried: tuple[tuple[int, int, tuple[tuple[int, int], ...]], ...]
    taken: tuple[tuple[int, int], ...]
    given: tuple[tuple[int, int], ...]
    mixed: tuple[tuple[int, int], ...] = ()


def _flow(rule: Rule, symbols: int) -> Flow:
    carried: list[tuple[int, int, tuple[tuple[int, int], ...]]] = []
    taken: list[tuple[int, int]] = []
    given: list[tuple[int, int]] = []
    for index, (source, pairs) in enumerate(outcomes(rule, symbols)):
        symbol = single_symbol(rule.need[index])
        if symbol is not None:
            taken.append((index, symbol))
        new = {b for _, b in pairs}
        if len(pairs) == 1 or (len(new) == 1 and source != index):
            given.append((index, new.pop()))
        else:
            carried.append((source, index, pairs))
    read = [index for index, _, _ in carried]
    shown = [(index, s) for index, need in enumerate(rule.need) for s in allowed(need, symbols)]
    known = {index for index, _ in taken}
    mixed = any(index not in known and read.count(index) != 1 for index in range(len(rule.cells)))
    return Flow(tuple(carried), tuple(taken), tuple(given), tuple(shown) if mixed else ())


def _flows(rules: Sequence[Rule], symbols: int) -> list[Flow]:
    """Return the flow of each of `deeds`."""
    return [_flow(rule, symbols) for rule in paced(kept(rules, deeds)[1])]


def symbol_classes(rules: Sequence[Rule], symbols: int) -> tuple[int, ...]:
    """Return for each symbol the least symbol of its class: all symbols that can turn into each other by any rules.

    Rules conserve the number of symbols of each class. Constants are first matched with constants of the same class.
    So a block that moves into blanks and leaves blanks merges no classes.
    """
    return kept(rules, _symbol_classes, symbols)


def _symbol_classes(rules: Sequence[Rule], symbols: int) -> tuple[int, ...]:
    classes = Partition(symbols)
    flows = kept(rules, _flows, symbols)
    for old, new in {change for each in paced(flows) for _, _, pairs in each.carried for change in pairs}:
        classes.merge(old, new)
    for each in paced(flows):
        for _, symbol in (*each.mixed, *each.given) if each.mixed else ():
            classes.merge(each.mixed[0][1], symbol)
    changed = True
    while changed:
        changed = False
        for each in paced(flows):
            lost = sorted(classes.find(s) for _, s in each.taken)
            won = sorted(classes.find(s) for _, s in each.given)
            for label in list(lost):
                if label in won:
                    lost.remove(label)
                    won.remove(label)
            left = lost + won
            for other in left[1:]:
                changed |= classes.merge(left[0], other)
    return classes.labels()


def still_symbols(rules: Sequence[Rule], symbols: int) -> tuple[frozenset[int], frozenset[int]]:
    """Return the symbols that no rule changes, and those of them that no rule makes."""
    return kept(rules, _still_symbols, symbols)


def _still_symbols(rules: Sequence[Rule], symbols: int) -> tuple[frozenset[int], frozenset[int]]:
    lost: set[int] = set()
    made: set[int] = set()
    for rule in paced(kept(rules, deeds)[1]):
        for index, (source, pairs) in enumerate(outcomes(rule, symbols)):
            if source == index:
                changed = [(old, new) for old, new in pairs if old != new]
            else:
                new = {after for _, after in pairs}
                changed = [(old, b) for old in allowed(rule.need[index], symbols) for b in new if old != b]
            lost.update(old for old, _ in changed)
            made.update(new for _, new in changed)
    still = frozenset(range(symbols)) - lost
    return still, still - made


def orbits(model: Model) -> tuple[tuple[int, ...], ...]:
    """Return orbit[symbol][cell]: cells have equal labels if they exchange contents of the symbol's class.

    Rules conserve how many cells of each orbit show symbols of its class. A cell that symbols of the class never leave
    is an orbit of its own.
    """
    return kept(model.rules, _orbits, model.symbols, model.cells)


def _orbits(rules: Sequence[Rule], symbols: int, cells: int) -> tuple[tuple[int, ...], ...]:
    classes = symbol_classes(rules, symbols)
    joined = Partition(symbols * cells)

    exchanges = [tuple(_exchanges(each, classes)) for each in paced(kept(rules, _flows, symbols))]
    numbers = kept(rules, deeds)[0]
    for label, a, b in {
        (label, rule.cells[a], rule.cells[b])
        for number, rule in zip(numbers, paced(rules), strict=True)
        for label, a, b in exchanges[number]
    }:
        joined.merge(label * cells + a, label * cells + b)
    return tuple(
        tuple(joined.find(classes[symbol] * cells + cell) for cell in range(cells)) for symbol in paced(range(symbols))
    )


def _exchanges(flow: Flow, classes: Sequence[int]) -> Iterator[tuple[int, int, int]]:
    """Yield (class, cell, cell) for cells of a flow that exchange contents of the class."""
    for read, written, pairs in flow.carried:
        for label in {classes[old] for old, _ in pairs}:  # old and new are of one class
            yield label, read, written
    for cell, symbol in flow.mixed:  # all symbols here are of one class
        yield classes[symbol], flow.mixed[0][0], cell
    moved = set(flow.taken) ^ set(flow.given)
    first: dict[int, int] = {}
    for cell, symbol in moved:
        yield classes[symbol], first.setdefault(classes[symbol], cell), cell


def changed_cells(model: Model, sources: Sequence[bytes] = ()) -> tuple[int, ...]:
    """Return the cells that some rule changes or in which the sources differ, sorted."""
    changed = kept(model.rules, _changed_cells, model.symbols)
    others = {cell for cell in range(model.cells) if len({source[cell] for source in sources}) > 1}
    return tuple(sorted({*changed, *others})) if others else changed


def _changed_cells(rules: Sequence[Rule], symbols: int) -> tuple[int, ...]:
    numbers, first = kept(rules, deeds)
    written = [[i for i in range(len(rule.cells)) if _writes(rule, i, symbols)] for rule in paced(first)]
    each = zip(numbers, paced(rules), strict=True)
    return tuple(sorted({rule.cells[index] for number, rule in each for index in written[number]}))


def cells_changed_by(rule: Rule, symbols: int) -> list[int]:
    """Return the cells that a rule changes in some position."""
    return [cell for index, cell in enumerate(rule.cells) if _writes(rule, index, symbols)]


def _writes(rule: Rule, index: int, symbols: int) -> bool:
    if rule.source[index] != index:
        return True
    table = rule.table[index]
    return table is not None and any(table[s] != s for s in allowed(rule.need[index], symbols))


def possible_symbols(rules: Sequence[Rule], start: bytes) -> list[int]:
    """Return for each cell the symbols, as a bit set, that it may show after some rules, if cells are seen one by one.

    A rule counts as possible as soon as each of its cells alone may show a symbol that it needs.
    """
    found = [1 << symbol for symbol in start]
    at = by_cell(rules, len(start))
    pending, waiting = deque(range(len(rules))), set(range(len(rules)))
    while pending:
        checkpoint()
        number = pending.popleft()
        waiting.discard(number)
        rule = rules[number]
        shown = [need & found[cell] for cell, need in zip(rule.cells, rule.need, strict=True)]
        if not all(shown):
            continue
        for cell, source, table in zip(rule.cells, rule.source, rule.table, strict=True):
            new = shown[source] if table is None else image(shown[source], table)
            if new & ~found[cell]:
                found[cell] |= new
                pending += [other for other in at[cell] if other not in waiting]
                waiting.update(at[cell])
    return found


def image(symbols: int, table: Sequence[int]) -> int:
    """Return what a table makes of a set of symbols."""
    found = 0
    for symbol in symbols_of(symbols):
        found |= 1 << table[symbol]
    return found


@dataclass(frozen=True, slots=True)
class Parity:
    """A sum modulo 2 over a position: `weight[cell][symbol]`, plus the inversions within each set of cells in `signed`.

    change  what every rule adds to it: 0 for an invariant, 1 for a colouring
    """

    weight: tuple[tuple[int, ...], ...]
    signed: tuple[tuple[int, ...], ...]
    change: int

    def inversions(self, position: bytes) -> int:
        """Return the number of inversions in the signed cells: pairs whose symbols are in descending order."""
        return sum(
            position[a] > position[b] for cells in self.signed for i, a in enumerate(cells) for b in cells[i + 1 :]
        )

    def weighed(self, position: bytes) -> int:
        """Return how many cells show a symbol of weight 1."""
        return sum(self.weight[cell][symbol] for cell, symbol in enumerate(position))

    def value(self, position: bytes) -> int:
        """Return the sum modulo 2."""
        return (self.inversions(position) + self.weighed(position)) % 2


def parities(
    model: Model, change: int, weighed: frozenset[int] | None = None, cells: Collection[int] | None = None
) -> tuple[Parity, ...]:
    """Return independent sums modulo 2 that every rule changes by `change`: a basis for 0, at most one sum for 1.

    The unknowns are a weight for each cell and symbol, and a coefficient for the sign of each set of exchanging cells
    whose symbols all differ in the start. Each rule gives linear equations over GF(2): its effect on the sum must not
    depend on variable contents, and must be `change`. With change 1, a solution proves that the state space is
    bipartite.

    weighed  the only symbols that may have weights, to get sums that are easy to explain; None for all
    cells    the only cells whose symbols may have weights; None for all
    """
    system, signed = _equations(model, change, weighed, cells)
    vectors = system.kernel() if change == 0 else system.solution()
    return tuple(_parity(vector, model, signed, change) for vector in paced(vectors))


def told_apart(model: Model, start: bytes, goals: Sequence[bytes]) -> bool:
    """Return whether for each goal some invariant sum modulo 2 differs from the start (see `parities`).

    A sum has equal values for two positions if and only if its coefficients are orthogonal to their difference. So all
    invariant sums agree if and only if the difference is a linear combination of the equations.
    """
    system, signed = _equations(model, 0, None, None)

    def unknowns(position: bytes) -> int:
        found = sum([1 << (cell * model.symbols + symbol) for cell, symbol in enumerate(position)])
        for index, cells in enumerate(signed):
            odd = sum(position[a] > position[b] for i, a in enumerate(cells) for b in cells[i + 1 :]) % 2
            found |= odd << (model.cells * model.symbols + index)
        return found

    first = unknowns(start)
    return not any(system.implies(first ^ unknowns(goal)) for goal in paced(goals))


def _equations(
    model: Model, change: int, weighed: Collection[int] | None, cells: Collection[int] | None
) -> tuple[_System, list[tuple[int, ...]]]:
    """Return the equations of `parities`, and the sets of cells whose sign is an unknown."""
    signed = _signed_sets(model)
    symbols, width = model.symbols, model.cells * model.symbols
    usable = sum(
        1 << number
        for number in range(width)
        if (weighed is None or number % symbols in weighed) and (cells is None or number // symbols in cells)
    )
    usable |= ((1 << len(signed)) - 1) << width
    return kept(model.rules, _system, symbols, width, change, usable, tuple(signed)), signed


def _system(
    rules: Sequence[Rule], symbols: int, width: int, change: int, usable: int, signed: Sequence[tuple[int, ...]]
) -> _System:
    system = _System(width + len(signed), usable)
    numbers, first = kept(rules, deeds)
    effects = [_effects(rule, symbols) for rule in paced(first)]
    flows = kept(rules, _flows, symbols) if signed else []
    for number, rule in zip(numbers, paced(rules), strict=True):
        base, *differences = [_vector(rule, each, symbols) for each in effects[number]]
        for index, cells in enumerate(signed):
            if set(cells) & set(rule.cells) and _odd(rule, flows[number], cells):
                base ^= 1 << (width + index)
        system.add(base, change)
        for difference in differences:
            system.add(difference, 0)
    return system


def _parity(vector: int, model: Model, signed: Sequence[tuple[int, ...]], change: int) -> Parity:
    width = model.cells * model.symbols
    bits = [int(bit) for bit in reversed(f"{vector & ((1 << width) - 1):0{width}b}")]
    weight = tuple(tuple(bits[first : first + model.symbols]) for first in range(0, width, model.symbols))
    chosen = tuple(cells for index, cells in enumerate(signed) if vector >> (model.cells * model.symbols + index) & 1)
    return Parity(weight, chosen, change)


def _signed_sets(model: Model) -> list[tuple[int, ...]]:
    """Return the sets of cells that are closed under all rules and whose contents all differ, so are permutations."""
    if model.start is None or len(set(symbol_classes(model.rules, model.symbols))) < model.symbols:
        return []
    joined = Partition(model.cells)
    for rule in paced(model.rules):
        for cell in rule.cells[1:]:
            joined.merge(rule.cells[0], cell)
    groups: dict[int, list[int]] = {}
    for cell, label in enumerate(joined.labels()):
        groups.setdefault(label, []).append(cell)
    return [
        tuple(cells)
        for cells in groups.values()
        if len(cells) > 1 and len({model.start[cell] for cell in cells}) == len(cells)
    ]


def _odd(rule: Rule, flow: Flow, cells: tuple[int, ...]) -> bool:
    """Return whether the rule is an odd permutation of the signed cells' contents; constants are followed by symbol."""
    to: dict[int, int] = {}
    for read, written, _ in flow.carried:
        to[rule.cells[read]] = rule.cells[written]
    came = {symbol: rule.cells[index] for index, symbol in flow.given}
    for index, symbol in flow.taken:
        to[rule.cells[index]] = came[symbol]
    even, seen = True, set[int]()
    for first in to:
        length, cell = 0, first
        while cell not in seen and cell in cells:
            seen.add(cell)
            cell = to[cell]
            length += 1
        even ^= length > 0 and length % 2 == 0
    return not even


Terms = frozenset[tuple[int, int]]
"""Pairs (cell, symbol), whose weights are added; cells are indices into `Rule.cells`."""


def _effects(rule: Rule, symbols: int) -> list[Terms]:
    """Return the change of the weighted sum for one choice of contents, and its differences for other choices."""
    per_read: dict[int, dict[int, Terms]] = {}
    for index, need in enumerate(rule.need):
        per_read[index] = {symbol: frozenset([(index, symbol)]) for symbol in allowed(need, symbols)}
    for index, (source, pairs) in enumerate(outcomes(rule, symbols)):
        for old, new in pairs:
            per_read[source][old] ^= {(index, new)}
    base, differences = Terms(), list[Terms]()
    for values in per_read.values():
        first, *rest = values.values()
        base ^= first
        differences += [first ^ other for other in rest]
    return [base, *differences]


def _vector(rule: Rule, terms: Terms, symbols: int) -> int:
    """Return the sum of some terms as bits."""
    return sum([1 << (rule.cells[index] * symbols + symbol) for index, symbol in terms])


class _System:
    """Linear equations over GF(2): bit masks of the unknowns, with the right side as the next bit.

    usable  the unknowns that may be different from 0
    """

    def __init__(self, unknowns: int, usable: int) -> None:
        self.unknowns = unknowns
        self.usable = usable
        self.rows: dict[int, int] = {}
        self.solvable = True

    def add(self, row: int, right: int) -> None:
        row = row & self.usable | right << self.unknowns
        mask = (1 << self.unknowns) - 1
        while row & mask:
            checkpoint()
            pivot = (row & mask).bit_length() - 1
            if pivot not in self.rows:
                self.rows[pivot] = row
                return
            row ^= self.rows[pivot]
        self.solvable &= not row

    def implies(self, row: int) -> bool:
        """Return whether the equation with this row and the right side 0 follows from homogeneous ones."""
        while row:
            checkpoint()
            pivot = row.bit_length() - 1
            if pivot not in self.rows:
                return False
            row ^= self.rows[pivot]
        return True

    def solution(self) -> list[int]:
        """Return a list with one solution (free unknowns 0), or an empty list if there is none."""
        return [self._filled(0)] if self.solvable else []

    def kernel(self) -> list[int]:
        """Return a basis of the solution space of the homogeneous system."""
        return [
            self._filled(1 << free)
            for free in paced(range(self.unknowns))
            if self.usable >> free & 1 and free not in self.rows
        ]

    def _filled(self, vector: int) -> int:
        for pivot in paced(sorted(self.rows)):
            row = self.rows[pivot]
            known = (row & vector & ((1 << pivot) - 1)).bit_count() + (row >> self.unknowns & 1)
            vector |= (known & 1) << pivot
        return vector


def bipartite(model: Model) -> Parity | None:
    """Return a two-colouring of the positions that every rule changes, or None if none is found.

    None is also returned if the metric joins several rules to a move, if some cost nothing, or if some happen by
    themselves. A colouring proves that the state space is bipartite; None proves nothing.
    """
    if model.metric.after or model.metric.free or model.metric.automatic:
        return None
    found = parities(model, 1)
    return found[0] if found else None


def conserved(model: Model, position: bytes) -> dict[tuple[int, int], int]:
    """Return the number of symbols of each (class, orbit) in a position; it is equal within a component."""
    classes = symbol_classes(model.rules, model.symbols)
    labels = orbits(model)
    counts: dict[tuple[int, int], int] = {}
    for cell, symbol in enumerate(position):
        key = (classes[symbol], labels[symbol][cell])
        counts[key] = counts.get(key, 0) + 1
    return counts
