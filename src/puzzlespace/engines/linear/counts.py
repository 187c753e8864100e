"""Depth counts by algebra: sets of presses by kinds of directions, and what that takes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import reduce
from itertools import combinations, product
from math import comb, prod
from operator import xor

from ...contract.answers import Layers
from ...contract.needs import COUNTLESS
from ...contract.questions import Depths
from ...errors import LimitError, UnsupportedError
from ...limits.thresholds import Threshold
from ...limits.watch import Watch, paced
from ...model.model import Model
from ...structure.additions import Additions, read
from .farthest import farthest
from .systems import MOST_COMBINATIONS, System, system_of

MOST_HARDEST = 100_000
"""The most hardest positions that are listed to find the first ones."""

LISTED_PRESSES = Threshold(1 << 14)
"""The most positions that are listed to find those that are wanted."""


@dataclass(frozen=True)
class Kinds:
    """Directions that the same combinations without effect contain, together; all cost one, and m is two.

    sizes    how many directions are of each kind
    members  their numbers
    idle     for each combination of idle moves whether it contains each kind
    free     the numbers of the directions that no combination of idle moves contains
    """

    sizes: tuple[int, ...]
    members: tuple[tuple[int, ...], ...]
    idle: tuple[tuple[bool, ...], ...]
    free: tuple[int, ...]


def _counted(moves: Additions) -> Kinds | str:
    """Return the kinds of directions, by which positions can be counted, or why they cannot."""
    system = System(moves, list(range(len(moves.symbols))), [0] * len(moves.symbols))
    free, kinds = kinds_in(system)
    if system.combinations == 1:
        return Kinds((), (), ((),), free)
    if moves.modulus != 2:
        return "some combinations of moves change nothing, and moves do not undo themselves"
    if prod(len(each) + 1 for each in kinds) * system.combinations > MOST_COMBINATIONS << 2:
        return "too many combinations of moves change nothing"
    idle: set[tuple[bool, ...]] = {(False,) * len(kinds)}
    for row in system.idle:
        inside = [bool(row[each[0]]) for each in kinds]
        idle |= {tuple(a != b for a, b in zip(other, inside, strict=True)) for other in idle}
    return Kinds(tuple(map(len, kinds)), kinds, tuple(sorted(idle)), free)


def kinds_in(system: System) -> tuple[tuple[int, ...], tuple[tuple[int, ...], ...]]:
    """Return the directions that no idle combination contains, and the others in kinds."""
    members: dict[bytes, list[int]] = {}
    for number, column in enumerate(system.idle.T):
        members.setdefault(column.tobytes(), []).append(number)
    free = members.pop(bytes(system.idle[:, 0].nbytes), []) if system.idle.shape[1] else []
    return tuple(free), tuple(tuple(each) for each in members.values())


def kinds_of(model: Model, origin: bytes) -> tuple[Additions, Kinds] | str:
    """Return the moves and their kinds, or why positions cannot be counted by kinds."""
    moves = read(model, origin)
    if isinstance(moves, str):
        return moves
    kinds = _counted(moves)
    return kinds if isinstance(kinds, str) else (moves, kinds)


def depths(question: Depths, watch: Watch) -> Layers:
    """Count the positions at each distance from one source. Raises UnsupportedError if algebra does not count them."""
    model = question.model
    if len(question.sources) != 1:
        raise UnsupportedError("engine linear: there are several sources")
    try:
        found = kinds_of(model, question.sources[0])
        if isinstance(found, str):
            return _begun(question, model, found, watch)
        moves, kinds = found
        counts, hardest = _independent(moves) if len(kinds.idle) == 1 else _by_kinds(moves, kinds, watch)
        if counts[-1] > MOST_HARDEST:
            return _begun(question, model, f"more than {MOST_HARDEST:,} hardest positions", watch, tuple(counts))
        deepest = sorted(set(paced(hardest)))
        collected = sorted(_collected(question, moves, watch))
        for depth, count in enumerate(counts):
            watch.layer(depth, count, sum(counts[: depth + 1]))
    except LimitError as error:
        return Layers((), (), False, watch.generated, watch.seconds, stopped=error)
    return Layers(
        tuple(counts), tuple(deepest[: question.keep]), True, watch.generated, watch.seconds, tuple(collected)
    )


@dataclass(frozen=True)
class FirstLayers:
    """What is known of lamps whose idle combinations can be listed, but not all sets of presses by kinds.

    positions  how many there are
    presses    how many sets of presses with different effects lead to each
    counts     the sizes of the first layers
    depth      the least and the most that the greatest depth can be
    """

    positions: int
    presses: int
    counts: tuple[int, ...]
    depth: tuple[int, int]


def first_layers(model: Model, origin: bytes) -> FirstLayers | None:
    """Return the layers in which no two sets of presses lead to the same position; None if they are not found.

    Two sets that lead to the same position differ in an idle combination. If this contains w directions or more, and
    each set less than w / 2, they are equal.

    The greatest depth is at most the mean number of presses of the sets that lead to a position: half of those in idle
    combinations, and all others. It is the mean only if all these sets are equally large, which needs half of each kind
    to be pressed. It is at least the size of sets of which there are as many as positions.
    """
    system = with_idle(model, origin)
    if system is None:
        return None
    free, kinds = kinds_in(system)
    directions = system.idle.shape[1]
    positions = 1 << len(system.pivots)
    counts = tuple(comb(directions, depth) for depth in range((_lightest(system) + 1) // 2))
    least, sets = 0, 1
    while sets < positions:
        least += 1
        sets += comb(directions, least)
    most, odd = divmod(directions + len(free), 2)
    most -= not odd and any(len(each) % 2 for each in kinds)
    return FirstLayers(positions, system.combinations, counts, (least, most))


def with_idle(model: Model, origin: bytes) -> System | None:
    """Return the equations of presses that change nothing, modulo 2, if some do and all can be listed."""
    moves = read(model, origin)
    if isinstance(moves, str) or moves.modulus != 2:
        return None
    system = System(moves, list(range(len(moves.symbols))), [0] * len(moves.symbols))
    return system if 1 < system.combinations <= MOST_COMBINATIONS else None


def _lightest(system: System) -> int:
    """Return the fewest directions of an idle combination that contains any, from one combination to the next."""
    rows = [int("".join(map(str, row)), 2) for row in system.idle.tolist()]
    inside, least = 0, system.idle.shape[1]
    for number in paced(range(1, system.combinations)):
        inside ^= rows[(number & -number).bit_length() - 1]  # Gray code
        least = min(least, inside.bit_count())
    return least


def begins(model: Model, origin: bytes) -> FirstLayers | None:
    """Return the first layers if there are more positions than other engines count, else None."""
    known = model.bare.kept(first_layers, origin)
    return known if known is not None and known.positions > COUNTLESS else None


def _begun(question: Depths, model: Model, reason: str, watch: Watch, counts: tuple[int, ...] = ()) -> Layers:
    """Return what is known of lamps that no engine counts, or whose hardest positions are too many to list.

    counts  the sizes of all layers, if they are known
    Raises UnsupportedError if other engines may count them, or nothing is known.
    """
    known = begins(model, question.sources[0])
    if known is None or question.collect:
        raise UnsupportedError(f"engine linear: {reason}")
    for depth, count in enumerate(counts or known.counts):
        watch.layer(depth, count, sum((counts or known.counts)[: depth + 1]))
    done, which = ("list", "all layers") if counts else ("count", f"layers up to depth {len(known.counts) - 1}")
    words = (
        f"there are {known.positions:,} positions, too many to {done} one by one; each is reached by {known.presses:,}"
        f" sets of presses with different effects; {which} are exact, and the greatest depth is "
        f"{len(counts) - 1 if counts else _deepest(model, question.sources[0], known.depth, watch)}"
    )
    return Layers(
        counts or known.counts, (), False, watch.generated, watch.seconds, stopped=LimitError("memory", words)
    )


def _deepest(model: Model, origin: bytes, depth: tuple[int, int], watch: Watch) -> str:
    """Return the greatest depth in words, as far as it is found."""
    system = with_idle(model, origin)
    assert system is not None
    found = farthest(system, kinds_in(system), depth, watch)
    if found.least < found.most:
        return f"from {found.least} to {found.most}{found.hint}"
    return f"{found.least}{found.hint}"


def _collected(question: Depths, moves: Additions, watch: Watch) -> Iterator[tuple[bytes, int]]:
    """Yield the positions that meet a goal of `collect`, with their depths."""
    if not question.collect:
        return
    every = System(moves, list(range(len(moves.symbols))), [0] * len(moves.symbols))
    independent = every.pivots
    if moves.modulus ** len(independent) > watch.thresholds[LISTED_PRESSES]:
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
        system = system_of(moves, goal)
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
    """Count sets of presses by how many of each kind they have; the least of a position is its depth.

    A free direction is pressed in all sets that lead to a position, or in none.
    """
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
    for _ in kinds.free:
        counts = [here + before for here, before in zip([*counts, 0], [0, *counts], strict=True)]

    masks = [int("".join(map(str, each.effect)), 2) for each in moves.directions]

    def hardest() -> Iterator[bytes]:
        found: set[int] = set()
        free = reduce(xor, (masks[at] for at in kinds.free), 0)
        for row in deepest:
            chosen = product(*(combinations(each, int(k)) for each, k in zip(kinds.members, row, strict=True)))
            found.update(reduce(xor, (masks[at] for part in parts for at in part), free) for parts in paced(chosen))
        for mask in found:
            yield moves.shown([int(bit) for bit in f"{mask:0{len(moves.symbols)}b}"])

    return counts, hardest()
