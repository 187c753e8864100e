"""Count shortest solutions up to commuting moves, and up to symmetry; docs/methods/symmetry.md has the proofs.

Two consecutive moves commute if they can be made such that no cell is touched (tested or written by a rule) by both.
Then they can be made in either order, with the same result. Solutions that differ by exchanges of consecutive commuting
moves count once.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence

from ..errors import LimitError
from ..limits.watch import checkpoint, paced
from ..model.effects import canonical
from ..model.facts import Partition
from ..model.model import Model
from ..symmetry import SymmetryGroup
from .paths import all_paths, count_paths

Layers = Sequence[frozenset[Hashable]]

MOST_POSITIONS = 100_000
"""The most positions on shortest solutions; with more, solutions are not counted in these ways."""

MOST_LISTED = 10_000
"""The most solutions that are listed if moves can be made in more than one way."""

MOST_WAYS = 500_000
"""The most steps to find all ways to make the moves."""

MOST_SYMMETRIES = 50_000
"""The most symmetries of a group that are listed."""

MOST_FIXED = 500_000
"""The most positions compared with their images to count solutions up to symmetry."""

Move = tuple[bytes, int]
"""A move from a known position: the position after it, and its generator (-1 if a piece moves)."""

Letter = tuple[int, tuple[tuple[int, int, int], ...], int]
"""A move without its position: cells touched (a bit mask), (cell, old, new) for the changes, its generator."""


def count_up_to_commuting(model: Model, layers: Layers) -> int | None:
    """Return the number of shortest solutions up to commuting moves.

    None if moves have different costs, in metrics with free rules (the cells that a free walk touches do not matter),
    in models with forbidden positions or rules that happen by themselves (a move depends on more than the cells of its
    rule), or if it would take too long.
    """
    if model.metric.costs or model.metric.free or model.metric.lawful or sum(map(len, layers)) > MOST_POSITIONS:
        return None
    try:
        ways = _Ways(model, layers)
    except LimitError:
        return None
    if ways.single:
        return _count_least(ways, layers)
    return _count_listed(ways, layers) if count_paths(model, layers) <= MOST_LISTED else None


class _Ways:
    """For every move within the layers, the minimal sets of cells that it can touch.

    touched[position][move]  bit masks, none of which contains another
    single                   whether every move has exactly one
    """

    def __init__(self, model: Model, layers: Layers) -> None:
        self.model = model
        self.masks = [sum(1 << cell for cell in rule.cells) for rule in paced(model.rules)]
        self.left = MOST_WAYS
        self.touched: dict[Hashable, dict[Move, list[int]]] = {}
        for layer, following in zip(layers, layers[1:], strict=False):
            for position in layer:
                assert isinstance(position, bytes)
                self.touched[position] = self._ways(position, following)
        self.single = all(len(sets) == 1 for moves in self.touched.values() for sets in moves.values())

    def _ways(self, position: bytes, wanted: frozenset[Hashable]) -> dict[Move, list[int]]:
        """Follow all sequences of rules that make one move; of two with equal ends, drop one that touches more cells.

        Raises LimitError after MOST_WAYS steps.
        """
        followers, generators = self.model.followers, self.model.counted_apart
        ends: dict[tuple[bytes, tuple[int, ...], int], list[int]] = {}
        found: dict[Move, list[int]] = {}
        pending = [(child, rule, self.masks[rule], generators[rule]) for rule, child in self.model.steps(position)]
        while pending:
            self.left -= 1
            checkpoint()
            if self.left < 0:
                raise LimitError("positions", "there are too many ways of making the moves")
            child, rule, mask, generator = pending.pop()
            if child in wanted:
                _add(found.setdefault((child, generator), []), mask)
            if not followers[rule] or not _add(ends.setdefault((child, followers[rule], generator), []), mask):
                continue
            for other in followers[rule]:
                grandchild = self.model.rules[other].apply(child)
                if grandchild is not None and grandchild != child:
                    pending.append((grandchild, other, mask | self.masks[other], generator))
        return found

    def commute(self, before: bytes, first: Move, second: Move) -> bool:
        """Return whether a move from `before` and a second one after it commute."""
        return any(not a & b for a in self.touched[before][first] for b in self.touched[first[0]][second])


def _add(sets: list[int], mask: int) -> bool:
    """Add a set to minimal sets, none of which contains another; return False if it contains one of them."""
    if any(each & ~mask == 0 for each in sets):
        return False
    sets[:] = [each for each in sets if mask & ~each]
    sets.append(mask)
    return True


def _count_least(ways: _Ways, layers: Layers) -> int:
    """Count the solutions that are the lexicographically least of their class, in one pass over the layers.

    A word is the least of its class if no letter b in it is followed, possibly after letters that commute with a, by a
    letter a < b that commutes with b (Anisimov & Knuth 1979). So the state is a position with the set of letters that
    must not be next.
    """
    letters = {
        position: {move: _letter(position, move, sets[0]) for move, sets in moves.items()}  # type: ignore[arg-type]
        for position, moves in ways.touched.items()
    }
    usable = {position: frozenset(moves.values()) for position, moves in letters.items()}
    counts: dict[tuple[Hashable, frozenset[Letter]], int] = dict.fromkeys(((p, frozenset()) for p in layers[0]), 1)
    for _ in layers[1:]:
        following: dict[tuple[Hashable, frozenset[Letter]], int] = {}
        for (position, barred), count in paced(counts.items()):
            for (child, _), letter in letters[position].items():
                if letter in barred:
                    continue
                earlier = barred.union(other for other in usable[position] if other < letter)
                next_ones = usable.get(child, frozenset())
                state = (child, frozenset(other for other in earlier & next_ones if not other[0] & letter[0]))
                following[state] = following.get(state, 0) + count
        counts = following
    return sum(counts.values())


def _letter(position: bytes, move: Move, mask: int) -> Letter:
    child, generator = move
    changed = enumerate(zip(position, child, strict=True))
    return mask, tuple((cell, old, new) for cell, (old, new) in changed if old != new), generator


def _count_listed(ways: _Ways, layers: Layers) -> int:
    """Count classes by listing all solutions, and union-find of those that differ by one exchange."""
    generators = ways.model.counted_apart
    listed = [
        tuple((position, generators[rules[0]] if rules else -1) for position, rules in path)
        for path in all_paths(ways.model, layers)
    ]
    numbers = {path: number for number, path in enumerate(listed)}
    joined = Partition(len(listed))
    for path, number in paced(numbers.items()):
        for at in range(1, len(path) - 1):
            before, first, second = path[at - 1][0], path[at], path[at + 1]
            if ways.commute(before, first, second):
                cells = zip(before, first[0], second[0], strict=True)
                between = bytes(new if new != old else here for here, old, new in cells)
                exchanged = ((between, second[1]), (second[0], first[1]))
                joined.merge(number, numbers[path[:at] + exchanged + path[at + 2 :]])
    return len(set(joined.labels()))


def count_up_to_symmetry(model: Model, layers: Layers, group: SymmetryGroup) -> int | None:
    """Return the number of shortest solutions up to the symmetries of a group that preserves the start and the goals.

    By the lemma of Cauchy and Frobenius, it is the mean number of solutions that a symmetry fixes: those with all
    positions and moves fixed. None if moves have different costs, if the group is not complete, if two listed moves are
    equal, or if it would take too long; in metrics with free rules, where an image is another position that stands for
    the same.
    """
    positions = sum(map(len, layers))
    if model.metric.costs or model.metric.free or not group.complete:
        return None
    if positions > MOST_POSITIONS or group.order * positions > MOST_FIXED:
        return None
    if group.order > MOST_SYMMETRIES:
        return None
    listed = [canonical(rule, model.symbols) for rule in paced(model.rules) if rule.motion is None]
    if len(set(listed)) < len(listed):
        return None
    moves: dict[Hashable, list[Move]] = {}
    for layer, following in zip(layers, layers[1:], strict=False):
        for position in layer:
            assert isinstance(position, bytes)
            ends = model.different(position)
            moves[position] = [
                (child, model.counted_apart[path[0]]) for child in ends.keys() & following for path in ends[child]
            ]
    fixed = 0
    for symmetry in paced(group.elements()):
        kept = {p for layer in layers for p in layer if symmetry.apply(p) == p}  # type: ignore[arg-type]
        named = {
            generator: model.counted_apart[symmetry.rules[generator]] for generator in set(model.counted_apart) - {-1}
        }
        fixed += _count_fixed(layers, moves, kept, {-1} | {old for old, new in named.items() if old == new})
    return fixed // group.order


def _count_fixed(layers: Layers, moves: dict[Hashable, list[Move]], kept: set[Hashable], generators: set[int]) -> int:
    """Return the number of solutions whose positions and moves are all among `kept` and `generators`."""
    counts = dict.fromkeys(kept & layers[0], 1)
    for _ in layers[1:]:
        following: dict[Hashable, int] = {}
        for position, count in counts.items():
            for child, generator in moves[position]:
                if child in kept and generator in generators:
                    following[child] = following.get(child, 0) + count
        counts = following
    return sum(counts.values())
