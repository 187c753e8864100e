"""Peg solitaire: layers by number of pegs; single jumps as operations on bit sets, chains by dynamic programming.

To minimise chains, store for each position the fewest moves to it and the cells where the peg that jumped last can be
after so few moves. A further jump of this peg is free; a jump of any other peg costs one move (docs/methods/pegs.md).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from ...contract.answers import LISTED_WAYS, Geodesics, Layers
from ...contract.questions import Depths, Engine, Prospect, Search, Space, Worth, model_of, unfit
from ...errors import LimitError, UnsupportedError
from ...limits.thresholds import Threshold
from ...limits.watch import Watch
from ...model.goal import Goal
from ...model.metric import Metric
from ...model.model import Model
from ...structure.jumps import MOST_CELLS, Jumps
from ...structure.jumps import read as jumps_of
from ...structure.jumps import read_wide as wide_jumps_of
from .values import CHAIN, COUNT, MOST_FREE, SET

if TYPE_CHECKING:
    from .layers import PegField
    from .ways import Ways

MOST_SYMMETRIES = 64
"""Larger groups of symmetries are not used."""

WORTHWHILE = 18
"""The engine is worthwhile if a class has at least 2^WORTHWHILE positions: compiled kernels take time to load."""

BEAM_BITS = Threshold(24)
"""The logarithm (base 2) of the size of a class from which on the beam search is tried first."""

BEAM_WIDTHS: Threshold[tuple[int, ...]] = Threshold((2_000, 20_000, 200_000, 2_000_000))
"""Positions that a beam keeps of each layer, one number for each attempt.

Ten times as wide takes ten times as long, so the attempts before the last one take a ninth of its time.
"""


def refuses(space: Space, question: str) -> str | None:
    """Return why the engine cannot answer (not every rule is a jump, or the board is too large), or None."""
    model = model_of(space)
    if model is None or model.metric.free:
        return unfit(space)
    jumps = jumps_of(model)
    if not isinstance(jumps, str):
        return None
    return None if question == "search" and _wide(model) else jumps


def _wide(model: Model) -> bool:
    """Return whether it is peg solitaire in chains on a board whose positions are two words."""
    jumps = wide_jumps_of(model)
    return isinstance(jumps, Jumps) and jumps.chain and len(jumps.order) > MOST_CELLS


def worth(question: Depths | Search, prospect: Prospect) -> Worth:
    """Return that this engine starts at once if the puzzle is peg solitaire on a large board."""
    if isinstance(question, Search) and question.goals is None:
        return Worth(reason="the goal positions are not listed one by one")
    if isinstance(question, Search) and question.every and beyond_sets(question.space):
        return Worth(reason="on a board so large it finds one solution in chains, and does not count them")
    what = "search" if isinstance(question, Search) else "depths"
    if not worthwhile(question.space, what):
        return Worth(reason="it is not peg solitaire on a large board")
    jumps, listed = jumps_of(question.model), isinstance(question, Depths) and question.wanted is not None
    late = listed and isinstance(jumps, Jumps) and (jumps.chain or jumps.free > MOST_FREE)
    return Worth.unless("which positions a layer has is known only after the whole count" if late else None)


def beyond_sets(space: Space) -> bool:
    """Return whether moves are chains of jumps, and a class has too many positions for a set."""
    model = model_of(space)
    jumps = None if model is None else wide_jumps_of(model)
    return isinstance(jumps, Jumps) and jumps.chain and (jumps.free > MOST_FREE or len(jumps.order) > MOST_CELLS)


def worthwhile(space: Space, question: str) -> bool:
    """Return whether this is the best engine for a question ('search' or 'depths')."""
    model = model_of(space)
    if model is None or model.symbols != 2 or refuses(space, question):
        return False
    jumps = wide_jumps_of(model)
    return isinstance(jumps, Jumps) and jumps.free >= WORTHWHILE


def field_of(model: Model, jumps: Jumps, kept: Sequence[Sequence[bytes]]) -> PegField:
    """Return the board with the symmetries that preserve each of the given sets of positions, unless they are many."""
    from ...symmetry import symmetries
    from .layers import PegField as Made

    start = kept[0][0] if len(kept) > 1 else None
    asked = replace(model, start=start, goals=tuple(Goal.exactly(position) for position in kept[-1]))
    group = symmetries(asked, start=start is not None)
    if group.order > MOST_SYMMETRIES:
        return Made(jumps, (tuple(range(len(jumps.order))),), whole=False)
    cells = [symmetry.cells for symmetry in group.elements()]
    return Made(jumps, tuple(tuple(jumps.bit[each[cell]] for cell in jumps.order) for each in cells), group.complete)


def search(question: Search, watch: Watch) -> Geodesics:
    """Find every position on a shortest solution."""
    model = question.model
    jumps = wide_jumps_of(model)
    assert isinstance(jumps, Jumps)
    if question.goals is None:
        raise UnsupportedError("engine pegs: the goal positions cannot be listed one by one")
    if question.start in question.goals:
        return Geodesics((frozenset({question.start}),), watch.generated, watch.seconds, 0)
    best = Geodesics((), watch.generated, watch.seconds)
    try:
        for goals in _groups(jumps, question.start, question.goals):
            found = _quick(question, jumps, goals, watch) or _whole(question, jumps, goals, watch)
            if found.layers and (not best.layers or len(found.layers) <= len(best.layers)):
                best = _joined(best, found)
            if best.layers and not jumps.chain:
                break
    except LimitError as error:
        return Geodesics((), watch.generated, watch.seconds, max(1, error.bound), error)
    return replace(best, generated=watch.generated, seconds=watch.seconds)


def _quick(question: Search, jumps: Jumps, goals: Sequence[bytes], watch: Watch) -> Geodesics | None:
    """Return one solution of single jumps by beam search, or None if `_whole` must answer.

    Raises UnsupportedError or LimitError if the board is too large for `_whole`.
    """
    small, large = jumps.free < watch.thresholds[BEAM_BITS], jumps.free > MOST_FREE or len(jumps.order) > MOST_CELLS
    if question.every and large:
        raise UnsupportedError("engine pegs: on a board so large it finds one solution, and does not count them")
    if jumps.chain and large:
        return _below_bound(question, jumps, goals, watch)
    if jumps.chain or question.every or small:
        return None
    from .beam import WidthError, find

    field = field_of(question.space, jumps, [[question.start], goals])  # type: ignore[arg-type]
    widths = watch.thresholds[BEAM_WIDTHS]
    widths = widths if large else widths[:2]
    try:
        path = find(field, jumps.word(question.start), [jumps.word(goal) for goal in goals], widths, watch)
    except WidthError as error:
        if not large:
            return None
        raise LimitError("positions", str(error)) from None
    layers = tuple(frozenset({jumps.position(word)}) for word in path)
    return Geodesics(layers, 0, 0.0, len(layers) - 1 if layers else None)


def _below_bound(question: Search, jumps: Jumps, goals: Sequence[bytes], watch: Watch) -> Geodesics:
    """Return one solution in the fewest chains, by layers below a bound."""
    from .chains import shortest

    field = field_of(question.model, jumps, [[question.start], goals])
    path = shortest(question.model, field, jumps.word(question.start), [jumps.word(goal) for goal in goals], watch)
    return Geodesics(tuple(frozenset({each}) for each in path), 0, 0.0, len(path) - 1 if path else None)


def _whole(question: Search, jumps: Jumps, goals: Sequence[bytes], watch: Watch) -> Geodesics:
    """Return the positions on shortest solutions to some goals, from the set of all positions on any path."""
    model = question.model
    task = CHAIN if jumps.chain else COUNT if question.every else SET
    return _answer(question, ways_between(model, (question.start, goals), task, watch), watch.thresholds[LISTED_WAYS])


def _groups(jumps: Jumps, start: bytes, goals: Sequence[bytes]) -> Iterator[list[bytes]]:
    """Yield the goals of the start's class in groups by number of jumps, the fewest jumps first."""
    word = jumps.word(start)
    usable = [goal for goal in goals if jumps.bound(jumps.word(goal)) == jumps.bound(word)]
    for pegs in range(word.bit_count() - 1, 0, -1):
        group = [goal for goal in usable if jumps.word(goal).bit_count() == pegs]
        if group:
            yield group


def ways_between(
    model: Model, ends: tuple[bytes, Sequence[bytes]], task: int, watch: Watch, turned: bool = False
) -> Ways:
    """Return all positions on paths from a start to goals of its class with equal numbers of pegs; see `Ways`."""
    start, goals = ends
    from .ways import Ends
    from .ways import Ways as Made

    jumps = jumps_of(model)
    assert isinstance(jumps, Jumps)
    field = field_of(model, jumps, [[start], goals])
    words = Ends(jumps.word(start), tuple(jumps.word(goal) for goal in goals))
    return Made(field, words, task, watch, turned)


def shortest_to_each(model: Model, goals: Sequence[bytes], watch: Watch) -> dict[bytes, tuple[bytes, ...]]:
    """Return a shortest solution, as positions, from the model's start to each of the reachable goals.

    This takes little more time than one goal. Raises UnsupportedError if the engine does not support the model.
    """
    from .ways import Guide, one_way

    jumps, back = jumps_of(model), model.backward
    if refuses(model, "search") or isinstance(jumps, str) or jumps.free > MOST_FREE or back is None:
        raise UnsupportedError(f"engine pegs: {refuses(model, 'search') or 'the board is too large'}")
    assert model.start is not None
    found: dict[bytes, tuple[bytes, ...]] = {goal: (goal,) for goal in goals if goal == model.start}
    for group in _groups(jumps, model.start, goals):
        task = CHAIN if jumps.chain else SET
        guide = Guide(ways_between(model, (model.start, group), task, watch, turned=True))
        for goal in group:
            if guide.left(goal) is not None:
                found[goal] = tuple(position for (position,) in one_way(back, guide, goal))[::-1]
    return found


@dataclass(frozen=True)
class Census:
    """The numbers of positions reachable from a start, and on paths from it to goals.

    reached  reachable positions: all, and up to the symmetries that preserve the start
    on_ways  reachable positions from which a goal can be reached: all, and up to the symmetries that preserve both
    ways     the number of paths of single jumps from the start to a goal
    A number up to symmetry is None if it would take too long, or if there are too many symmetries.
    """

    reached: tuple[int, int | None]
    on_ways: tuple[int, int | None]
    ways: int


def census(model: Model, goals: Sequence[bytes], watch: Watch) -> Census:
    """Count the positions reachable from the start of a model by single jumps, and those on paths to the goals.

    Raises UnsupportedError if the engine does not support the model, LimitError at a limit.
    """
    from .ways import together

    model = replace(model, metric=Metric())
    total = reached(model, watch)
    watch.known.facts = {"reached": total[0], "reached_symmetry": total[1]}
    jumps = jumps_of(model)
    assert isinstance(jumps, Jumps)
    assert model.start is not None
    ways = int(model.start in goals)  # the path of no jumps
    groups: list[Ways] = []
    for group in _groups(jumps, model.start, goals):
        found = ways_between(model, (model.start, group), COUNT, watch)
        ways += found.number
        found.layers.clear()  # only the set of positions is used from here on
        if found.positions:
            groups.append(found)
    if not groups:
        return Census(total, (ways, ways), ways)
    # a position may be on paths to goals with different numbers of pegs
    return Census(total, together(groups, field_of(model, jumps, [[model.start], list(goals)])), ways)


def reached(model: Model, watch: Watch) -> tuple[int, int | None]:
    """Count the reachable positions of a model: all, and up to symmetry; raises as `census` does."""
    from .reach import PegReach

    refusal, jumps = refuses(model, "search"), jumps_of(model)
    if refusal or isinstance(jumps, str) or jumps.free > MOST_FREE:
        raise UnsupportedError(f"engine pegs: {refusal or 'the board is too large to count its positions'}")
    assert model.start is not None
    reach = PegReach(jumps, [jumps.word(model.start)], watch)
    reach.grow(watch)
    return sum(reach.counts), reach.classes(field_of(model, jumps, [[model.start]]))


def _answer(question: Search, found: Ways, listed: int) -> Geodesics:
    """Return the positions on shortest solutions, or one solution if there are more than `listed` or one is enough."""
    from .ways import Guide, all_ways, one_way

    model = question.model
    if not found.positions:
        return Geodesics((), 0, 0.0)
    guide = Guide(found)
    solutions = first = None
    if not question.every:
        layers = one_way(model, guide, question.start)
    elif found.jumps.chain or found.positions <= listed:
        layers = all_ways(model, guide, question.start, listed)
    else:
        layers, solutions = one_way(model, guide, question.start), found.number
        first = frozenset(guide.following(model, question.start, len(layers) - 1))
    return Geodesics(tuple(layers), 0, 0.0, len(layers) - 1, solutions=solutions, first=first)


def _joined(one: Geodesics, other: Geodesics) -> Geodesics:
    """Return the shorter answer, or the union of two answers of equal length."""
    if len(one.layers) != len(other.layers):
        return other
    layers = tuple(a | b for a, b in zip(one.layers, other.layers, strict=True))
    return replace(other, layers=layers)


def depths(question: Depths, watch: Watch) -> Layers:
    """Count the positions at each distance from the nearest source."""
    from .layer_counts import by_chains, by_jumps

    model = question.model
    jumps = jumps_of(model)
    assert isinstance(jumps, Jumps)
    if not any(map(jumps.word, question.sources)):
        return _no_pegs(question, watch)
    if jumps.chain or jumps.free > MOST_FREE:
        return by_chains(field_of(model, jumps, [question.sources]), question, watch)
    return by_jumps(jumps, question, watch)


def _no_pegs(question: Depths, watch: Watch) -> Layers:
    """Return the depths from the position without pegs, from which no jump is possible."""
    position = question.sources[0]
    met = any(goal.holds(position) for goal in question.collect)
    deepest, collected = (position,)[: question.keep], ((position, 0),)[: int(met)]
    over = question.wanted is not None and question.wanted.hand(0, [[position]])
    return Layers((1,), () if over else deepest, not over, watch.generated, watch.seconds, collected)


ENGINE = Engine("pegs", refuses, depths=depths, search=search, speed=2000, worth=worth, lists=True)
