"""Count shortest solutions up to the order of their moves: those with the same moves, each as often, count once.

Planners call such solutions unordered plans. A listed move is the same wherever it is made; a move of pieces is what it
changes (cell, symbol before, symbol after). Unlike solutions up to commuting moves (`traces`), two solutions of one
class need not be joined by exchanges of neighboring moves that are solutions, too.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence

from ..limits.watch import paced
from ..model.model import Model
from .paths import steps_of

MOST_BITS = 1 << 29
"""The most bits of the sets of moves that are held at once."""

MOST_STEPS = 2_000_000
"""The most sets to which a move is added."""

Move = tuple[int, ...] | tuple[tuple[int, int, int], ...]
"""The rules of a listed move, or the changes of another one."""


def count_up_to_order(model: Model, layers: Sequence[frozenset[Hashable]]) -> int | None:
    """Return the number of shortest solutions up to the order of their moves.

    A set of moves is one whole number with a few bits for each move, which say how often it is made. None in metrics
    with free rules, whose positions stand for others, or if it would take too long.
    """
    if model.metric.free:
        return None
    bits, numbers = len(layers).bit_length(), dict[Move, int]()
    sets: list[dict[Hashable, set[int]]] = [{position: set() for position in layer} for layer in layers]
    for made in sets[0].values():
        made.add(0)
    held = taken = 0
    for depth, here in enumerate(sets[:-1]):
        for position, made in paced(here.items()):
            for (child, path), to in steps_of(model, position, depth):
                if to >= len(sets) or child not in sets[to]:
                    continue
                listed = model.counted_apart[path[0]] >= 0
                move = path if listed else _changes(position, child)
                one = 1 << bits * numbers.setdefault(move, len(numbers))
                before = len(sets[to][child])
                sets[to][child].update(each + one for each in paced(made))
                held += len(sets[to][child]) - before
                taken += len(made)
                if taken > MOST_STEPS or held * bits * len(numbers) > MOST_BITS:
                    return None
        held -= sum(map(len, here.values()))
        here.clear()
    return len(set[int]().union(*sets[-1].values()))


def _changes(before: Hashable, after: Hashable) -> tuple[tuple[int, int, int], ...]:
    assert isinstance(before, bytes)
    assert isinstance(after, bytes)
    cells = enumerate(zip(before, after, strict=True))
    return tuple((cell, old, new) for cell, (old, new) in cells if old != new)
