"""Questions about the whole state space: goal positions, components, reasons why a goal cannot be reached."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from math import prod

from ..contract.answers import Reason
from ..contract.result import Result
from ..errors import UnsupportedError
from ..limits.memory import counted
from ..limits.watch import Watch, paced
from ..model.facts import Parity, Partition, conserved, parities, symbol_classes, told_apart
from ..model.model import Model
from . import lawful, thirds
from .placements import FEW_TRIED as FEW_TRIED
from .placements import FEWER_TRIED as FEWER_TRIED
from .placements import anchor, placement_count, placements
from .placements import few_goals as few_goals
from .placements import goal_positions as goal_positions
from .placements import placement_bound as placement_bound


def why_impossible(
    model: Model, start: bytes, goals: Sequence[bytes], names: Sequence[str] = (), letters: Sequence[str] = ()
) -> Reason | None:
    """Return a reason why no goal can be reached from the start, found without search; None if none is found.

    goals    all goal positions
    names    the names of the cells, for the text of the reason
    letters  the letters of the symbols, for the same
    """
    forbidden = every_goal_forbidden(model, goals)
    if forbidden is not None:
        return forbidden
    if not goals:
        return Reason(
            "pieces", "no placement of these pieces, each in cells that it could ever come to, meets the goal"
        )
    pieces = conserved(model, start)
    if all(conserved(model, goal) != pieces for goal in goals):
        return Reason("pieces", _piece_words(model, start, goals[0]))
    if model.start is None or len(set(start)) == 1:
        return None
    cells = names or [str(cell) for cell in range(model.cells)]
    by_thirds = thirds.reason(model, start, goals, cells, letters)
    if by_thirds is not None:
        return by_thirds
    if not told_apart(model, start, goals):
        return None
    for weighed in [*(frozenset({s}) for s in range(model.symbols)), None]:
        for parity in sorted(parities(model, 0, weighed), key=_weight):
            value = parity.value(start)
            if all(parity.value(goal) != value for goal in goals):
                if parity.signed:
                    return Reason("parity", _sign_words(parity, start, goals[0], cells))
                return Reason("invariant", _count_words(parity, start, goals[0], cells, letters))
    return None


def every_goal_forbidden(model: Model, goals: Sequence[bytes]) -> Reason | None:
    """Return the reason if all positions that meet a goal are forbidden, or something more happens by itself there.

    goals  all goal positions that no law forbids
    """
    forbidden = lawful.forbidden_goals(model)
    if forbidden is not None or goals or not model.metric.laws:
        return forbidden
    met = goal_positions(lawful.without(model, model.metric.laws))
    return None if met is None else lawful.forbidden_placements(model, met)


def _weight(parity: Parity) -> int:
    return sum(map(sum, parity.weight)) + 1000 * len(parity.signed)


def _piece_words(model: Model, start: bytes, goal: bytes) -> str:
    here, there = Counter(start), Counter(goal)
    if len(set(symbol_classes(model.rules, model.symbols))) == model.symbols and here != there:
        return "the pieces of start and goal differ, and no move turns one piece into another"
    return "start and goal have different pieces in cells that exchange contents only with each other"


def _sign_words(parity: Parity, start: bytes, goal: bytes, names: Sequence[str]) -> str:
    """Return the text for an invariant of inversions plus the colour of the blank's cell."""
    here, there = parity.inversions(start), parity.inversions(goal)
    dark = [names[cell] for cell, weights in enumerate(parity.weight) if any(weights)]
    if not dark:
        return (
            "every move keeps the parity of the inversions: "
            f"start {here} ({_parity_word(here)}), goal {there} ({_parity_word(there)})"
        )
    more = parity.weighed(start), parity.weighed(goal)
    return (
        "every move changes both the parity of the inversions (counted over the cells in order, the blank as the "
        f"smallest) and the colour of the blank's cell (1 on {' '.join(dark)}; 0 elsewhere), so their sum stays even "
        f"or odd: start {here} + {more[0]} ({_parity_word(here + more[0])}), "
        f"goal {there} + {more[1]} ({_parity_word(there + more[1])})"
    )


def _count_words(parity: Parity, start: bytes, goal: bytes, names: Sequence[str], letters: Sequence[str]) -> str:
    """Return the text for an invariant parity of the number of cells that show certain symbols."""
    shown: dict[tuple[str, ...], list[str]] = {}
    for cell, weights in enumerate(parity.weight):
        heavy = tuple(letters[s] if letters else f"symbol {s}" for s, weight in enumerate(weights) if weight)
        if heavy:
            shown.setdefault(heavy, []).append(names[cell])
    where = ", and ".join(f"showing {' or '.join(heavy)} among {' '.join(cells)}" for heavy, cells in shown.items())
    here, there = parity.weighed(start), parity.weighed(goal)
    return (
        f"no move changes the parity of the number of cells {where}: "
        f"start {here} ({_parity_word(here)}), goal {there} ({_parity_word(there)})"
    )


def _parity_word(number: int) -> str:
    return "odd" if number % 2 else "even"


@dataclass(frozen=True, repr=False)
class Components(Result):
    """The components of all placements.

    positions  the number of placements
    sizes      (size, number of components of that size), largest first; moves in either direction connect positions;
               () if there are too many placements to list
    fixed      the number of positions that no move leaves or enters
    solvable   the number of positions from which a goal can be reached; None if there is no goal or it is not known
    pieces     sets of different pieces that exchange places, if positions are all ways to put these together: how many
               pieces, and in how many states each; else ()
    """

    positions: int
    sizes: tuple[tuple[int, int], ...]
    fixed: int
    solvable: int | None
    pieces: tuple[tuple[int, int], ...] = ()


MOST_PLACEMENTS = 8_000_000
"""The most placements that are listed."""

PLACEMENT_BYTES = 250
"""The most memory of one listed placement in Python, in bytes (measured: a bytes key, its number, its label)."""


def components(model: Model, watch: Watch) -> Components:
    """Return all components of the placements: union-find over all moves.

    All metrics have the same components. Raises UnsupportedError if the pieces are not known or there are too many
    placements to list, LimitError at a limit.
    """
    numbers, labels, before = _linked(model, watch, watch.known.facts)
    sizes = Counter(labels)
    reached = _solvable(model, numbers, labels, before)
    table = tuple(sorted(Counter(sizes.values()).items(), reverse=True))
    return Components(len(numbers), table, sum(size == 1 for size in sizes.values()), reached)


def connected(model: Model, watch: Watch) -> tuple[dict[bytes, int], tuple[int, ...]]:
    """Return the numbers of all placements, and for each the least number in its component.

    Raises the errors of `components`.
    """
    numbers, labels, _ = _linked(model, watch, {})
    return numbers, labels


def _linked(
    model: Model, watch: Watch, told: dict[str, object]
) -> tuple[dict[bytes, int], tuple[int, ...], list[list[int]]]:
    """Return what `connected` does, and the positions before each one; () for these if moves can be taken back.

    told  gets the number of positions as soon as it is known
    """
    bound = placement_count(model)
    if bound > MOST_PLACEMENTS:
        raise UnsupportedError(
            f"too many placements to list: up to {counted(bound)}, at most {MOST_PLACEMENTS:,} are listed; "
            "plan may know how many the start reaches, and depths counts them"
        )
    watch.reserve(bound * PLACEMENT_BYTES)
    numbers: dict[bytes, int] = {}
    for position in placements(model):
        if (model.metric.free and model.settled(position) != position) or not model.is_stable(position):
            continue
        numbers[position] = len(numbers)
        if len(numbers) % 4096 == 0:
            told["positions_at_least"] = len(numbers)
            watch.tick(4096)
    told["positions"] = len(numbers)
    told.pop("positions_at_least", None)
    joined = Partition(len(numbers))
    before: list[list[int]] = [[] for _ in numbers] if not model.reversible else []
    for position, number in numbers.items():
        if model.metric.free or model.metric.exhausts or model.metric.lawful:
            after = list(model.moves(position))
        else:
            after = [child for _, child in model.steps(position)]
        children = [numbers[child] for child in after if child in numbers]
        if len(children) < len(after):
            raise UnsupportedError("some moves lead to positions that are no placements of the pieces: use depths")
        watch.tick(len(children))
        for child in children:
            joined.merge(number, child)
            if before:
                before[child].append(number)
    return numbers, joined.labels(), before


def _solvable(model: Model, numbers: dict[bytes, int], labels: Sequence[int], before: list[list[int]]) -> int | None:
    """Return the number of positions from which a goal can be reached; None without a goal."""
    if not model.goals:
        return None
    goals = [number for position, number in numbers.items() if model.is_goal(position)]
    if model.reversible:
        good = {labels[number] for number in goals}
        return sum(label in good for label in labels)
    seen = set(goals)
    while goals:
        goals = [parent for child in goals for parent in before[child] if parent not in seen and not seen.add(parent)]
    return len(seen)


@dataclass(frozen=True, repr=False)
class Group(Result):
    """A set of cells that exchange contents only with each other, and the components of their contents.

    sizes  (size, number of components of that size) among all contents of these cells
    """

    cells: tuple[int, ...]
    sizes: tuple[tuple[int, int], ...]


MOST_GROUP = 4096
"""The most contents of a group that are listed."""


def groups(model: Model) -> tuple[Group, ...]:
    """Return the groups of cells of a puzzle of listed moves, or () if moves have conditions.

    There are none in a domain, because the contents of different groups may depend on each other there.

    Every rule acts on each group independently, so each group is a small puzzle of its own.
    """
    everything = (1 << model.symbols) - 1
    if model.metric.lawful or model.domain:
        return ()
    if any(need & everything != everything for rule in paced(model.rules) for need in rule.need):
        return ()
    joined = Partition(model.cells)
    for rule in paced(model.rules):
        for cell, source in zip(rule.cells, rule.source, strict=True):
            joined.merge(cell, rule.cells[source])
    found: dict[int, list[int]] = {}
    for cell, label in enumerate(joined.labels()):
        found.setdefault(label, []).append(cell)
    return tuple(Group(tuple(cells), _group_sizes(model, cells)) for cells in found.values())


def group_components(model: Model, found: Sequence[Group]) -> Components:
    """Return the numbers of placements and fixed positions from the groups, if there are too many to list."""
    contents = [sum(size * count for size, count in group.sizes) for group in found]
    fixed = [dict(group.sizes).get(1, 0) for group in found]
    return Components(prod(contents), (), prod(fixed), None)


def _group_sizes(model: Model, cells: list[int]) -> tuple[tuple[int, int], ...]:
    """Return the components of the contents of some cells; () if there are too many contents to list."""
    if model.symbols ** len(cells) > MOST_GROUP:
        return ()
    contents = [bytes(_digits(number, model.symbols, len(cells))) for number in range(model.symbols ** len(cells))]
    numbers = {content: number for number, content in enumerate(contents)}
    joined = Partition(len(contents))
    full = bytearray(anchor(model))
    for content in contents:
        for cell, symbol in zip(cells, content, strict=True):
            full[cell] = symbol
        for rule in paced(model.rules):
            child = rule.apply(bytes(full))
            assert child is not None
            joined.merge(numbers[content], numbers[bytes(child[cell] for cell in cells)])
    return tuple(sorted(Counter(Counter(joined.labels()).values()).items(), reverse=True))


def _digits(number: int, base: int, width: int) -> list[int]:
    digits = [0] * width
    for place in range(width):
        number, digits[place] = divmod(number, base)
    return digits
