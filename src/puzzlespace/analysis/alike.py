"""Components of puzzles with pieces that only their names tell apart, without listing all placements.

If every rule treats two pieces alike, exchanging them maps components to components of the same size. So with these
pieces merged into one kind, the components of all placements follow from those of the merged placements, which are few,
and the size of one component for each of them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from math import factorial, prod

from ..errors import LimitError, UnsupportedError
from ..limits.watch import Watch, paced
from ..model.facts import conserved, symbol_classes
from ..model.model import Model
from ..structure.possible import within_reach
from .impossible import Components, connected
from .placements import anchor, placement_bound

MOST_MERGED = 20_000
"""The most merged placements that are listed."""

MOST_COUNTS = 8
"""The most components whose size is counted."""


def alike(model: Model) -> tuple[tuple[int, ...], ...]:
    """Return the classes of two or more pieces that every rule treats alike, one piece of each symbol.

    A transposition of two symbols of a class changes no rule, and maps placements to placements. There are no classes
    if rules alone do not determine the moves, or some arrangements are no positions.
    """
    if model.metric.lawful or model.domain:
        return ()
    position = anchor(model)
    present = Counter(position)
    labels = symbol_classes(model.rules, model.symbols)
    members = Counter(labels)
    unique = [s for s in range(model.symbols) if present[s] == 1 and members[labels[s]] == 1]
    seen: dict[int, list[int]] = {symbol: [] for symbol in unique}
    for rule in paced(model.rules):
        for need in rule.need:
            for symbol in unique:
                seen[symbol].append(need >> symbol & 1)
    possible = within_reach(model, position)
    held = conserved(possible, position)
    classes: list[list[int]] = []
    for symbol in unique:
        for found in classes:
            if (
                seen[found[0]] == seen[symbol]
                and (model.shapes is None or model.shapes.covers[found[0]] == model.shapes.covers[symbol])
                and conserved(possible, exchanged(position, found[0], symbol)) == held
            ):
                found.append(symbol)
                break
        else:
            classes.append([symbol])
    return tuple(tuple(found) for found in classes if len(found) > 1)


def exchanged(position: bytes, one: int, other: int) -> bytes:
    """Return the position with two symbols exchanged."""
    return position.translate(bytes.maketrans(bytes((one, other)), bytes((other, one))))


def components(model: Model, watch: Watch, count: Callable[[bytes, int], int | None]) -> Components | None:
    """Return the components of a puzzle whose moves can be taken back, or None unless pieces make it faster.

    count  returns the size of the component of a position, given how large it is at most; None if it is not known
    """
    classes = alike(model)
    each = prod(factorial(len(found)) for found in classes)
    if each == 1 or model.metric.free or model.metric.exhausts or placement_bound(model) > each * MOST_MERGED:
        return None
    names = bytes.maketrans(
        bytes(s for found in classes for s in found), bytes(found[0] for found in classes for _ in found)
    )
    few = replace(model, start=anchor(model).translate(names), goals=())
    try:
        numbers, labels = connected(few, watch)
    except (LimitError, UnsupportedError):
        return None
    merged = Counter(labels)
    if len(merged) > MOST_COUNTS:
        return None
    goals = [goal.position for goal in model.goals]
    if len(goals) > 1 or None in goals:
        return None
    placed = [goal.translate(names) for goal in goals if goal and all(goal.count(s) == 1 for c in classes for s in c)]
    homes = [labels[numbers[goal]] for goal in placed if goal in numbers]
    sizes: Counter[int] = Counter()
    solvable = 0 if goals else None
    for position, number in numbers.items():
        if labels[number] == number:
            size = count(_told_apart(position, classes), each * merged[number])
            if size is None:
                return None
            sizes[size] += each * merged[number] // size
            watch.known.facts["components"] = [{"size": size, "count": count} for size, count in sizes.items()]
            if number in homes:
                solvable = size
    return Components(each * len(numbers), tuple(sorted(sizes.items(), reverse=True)), sizes[1], solvable)


def _told_apart(position: bytes, classes: tuple[tuple[int, ...], ...]) -> bytes:
    """Return a placement that becomes this one if its classes are merged."""
    found = bytearray(position)
    for symbols in classes:
        places = [cell for cell, symbol in enumerate(position) if symbol == symbols[0]]
        for cell, symbol in zip(places, symbols, strict=True):
            found[cell] = symbol
    return bytes(found)
