"""Positions drawn at random from all that can be reached."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from random import Random

from ..analysis.impossible import few_goals
from ..contract.questions import Depths, Engine, WantedLayers
from ..errors import InputError, LimitError
from ..limits.numbers import whole
from ..limits.stopping import Overdue, limit_of
from ..limits.watch import Limits, Watch, answering, paced, phase
from ..puzzle.answers import Generated
from ..puzzle.puzzle import Puzzle
from . import dispatch, faults, saved
from .clock import clocked
from .loader import puzzle_of
from .orders import MOST_COUNT, Order, Report, seed_of, tried_first, with_work
from .walks import Walks

TRIES = 4
"""Elements of the group that are drawn for each position asked for; if they are not enough, positions are few."""

ENDS = 1000
"""The length of the walks whose ends `random_positions` returns, for each cell of the board."""

ORBIT_SECONDS = 10.0
"""Seconds to compute how many positions can be reached."""


@clocked()
def random_positions(
    puzzle: Puzzle | str | Path,
    count: int = 1,
    *,
    seed: int | None = None,
    engine: str | Engine = "auto",
    limits: Limits = Limits(),
    progress: Report | None = None,
) -> Generated:
    """Return positions drawn at random, without repetitions, from all that can be reached from the start.

    If there is no start, the positions are those that can be reached from the goal. They are drawn uniformly: as sums
    of moves if moves add, by rank if every rank of the puzzle's positions can be reached (towers, sliding tiles), by
    elements of the group of the moves if rules have no conditions, or from all layers if they can be counted. Else they
    are the ends of long random walks, and `uniform` is False. `seed` is as in `generate`. Raises InputError for a count
    below 1 or above a million, and for a puzzle without start and goal.

    >>> random_positions("slide:4x4", 3, seed=1).total
    10461394944000
    """
    owner = puzzle_of(puzzle, "random_positions")
    if not 1 <= whole("count", count) <= MOST_COUNT:
        raise InputError(f"count: expected 1 to {MOST_COUNT:,} positions, found {count:,}")
    with phase("the model was built"):
        model = owner.model()
    sources: tuple[bytes, ...] = (model.start,) if model.start is not None else few_goals(model) or ()
    if not sources:
        raise InputError(f"{owner.name}: expected a start or a goal, found none")
    order = Order(
        owner,
        model,
        "start",
        0,
        0,
        count,
        seed_of(seed),
        None,
        False,
        False,
        False,
        answering(limits, progress),
        progress,
    )
    if engine == "auto" and not (model.metric.free or model.metric.exhausts):
        for drawn in (_by_sums, _by_digits, _by_ranks, _by_group):
            answer = drawn(order, sources)
            if answer is not None:
                return answer
    return _from_all_layers(order, sources, engine) or _ends(order, sources)


def _by_ranks(order: Order, sources: tuple[bytes, ...]) -> Generated | None:
    """Return positions of random ranks; None unless every rank is known to be reached."""
    from ..engines.shared.audit import reachable
    from ..engines.table import choose

    source, *others = sources
    if others:
        return None
    model = replace(order.model, start=source, goals=())
    with phase("the positions were numbered"):
        chosen = choose(model)
        if chosen is None:
            return None
        total = reachable(model, ORBIT_SECONDS)
    plan = chosen.plan
    if total is None or total != plan.positions:
        return None
    return _numbered(order, total, plan.unrank)


def _by_sums(order: Order, sources: tuple[bytes, ...]) -> Generated | None:
    """Return random sums of moves; None unless moves add, from one source."""
    from ..engines.linear import systems

    source, *others = sources
    with phase("the moves were read as additions"):
        found = None if others else systems.reached(order.model, source)
    return _numbered(order, *found) if found is not None else None


def _by_digits(order: Order, sources: tuple[bytes, ...]) -> Generated | None:
    """Return random combinations of digits; None unless every combination is reached, from one source."""
    from ..engines.shared.draws import numbered

    source, *others = sources
    with phase("the positions were numbered"):
        found = None if others else numbered(order.model, source)
    return _numbered(order, *found) if found is not None else None


def _numbered(order: Order, total: int, position: Callable[[int], bytes]) -> Generated:
    """Return positions of random numbers below the total."""
    numbers: dict[int, None] = {}
    drawn = 0
    while len(numbers) < min(order.count, total):
        numbers[_uniform(f"{order.seed}/{drawn}", total)] = None
        drawn += 1
    return _listed(order, "ranks", map(position, paced(numbers)), total)


def _by_group(order: Order, sources: tuple[bytes, ...]) -> Generated | None:
    """Return images of the source under random elements of the group of the moves; None if there is none, or few."""
    from ..engines.shared.draws import from_group

    source, *others = sources
    with phase("the group of the moves was computed"):
        draw = None if others else from_group(order.model, source, ORBIT_SECONDS)
    if draw is None:
        return None
    chance = Random(order.seed)
    answer = _listed(order, "group", (draw(chance.randrange) for _ in paced(range(TRIES * order.count))), None)
    return answer if answer.stopped is not None or not answer.short else None


def _uniform(text: str, below: int) -> int:
    """Return a number that a text determines; numbers of many texts are uniform but for one part in 2^64."""
    digest = sha256(text.encode()).digest()
    while 8 * len(digest) < below.bit_length() + 64:
        digest += sha256(digest).digest()
    return int.from_bytes(digest) % below


def _from_all_layers(order: Order, sources: tuple[bytes, ...], engine: str | Engine) -> Generated | None:
    """Return positions drawn from all layers together; None if there are too many to count."""
    from ..engines.shared.draws import LISTED, Draw

    left, tried = order.limits, tried_first(order) if engine == "auto" else None
    mine = tried is not None and (left.positions is None or tried < left.positions)
    watch = Watch(replace(left, positions=tried) if mine else left, order.report, known=order.watch.known)
    found = saved.estimate(order.puzzle)
    halvings = max(0, (found.positions // max(LISTED, 4 * order.count)).bit_length() - 1) if found else 0
    draw = Draw(order.seed, order.count)
    wanted = WantedLayers(draw.take, halvings=halvings, seed=order.seed)
    name, layers = dispatch.depths(Depths(order.model, sources, 0, wanted=wanted), watch, engine)
    faults.report(order.puzzle, order.model.metric.name, watch.faults)
    order.watch.generated += watch.generated
    if watch.faults or (mine and layers.stopped is not None and layers.stopped.kind == "positions"):
        return None
    if layers.stopped is not None:  # a draw from the first layers would not be uniform
        answer = replace(_random_answer(order, "layer", (), None), short="", counts=layers.counts)
        return with_work(order, replace(answer, engine=name, stopped=layers.stopped))
    positions = tuple(order.puzzle.at(position) for _, position in draw.drawn)
    return with_work(order, replace(_random_answer(order, "layer", positions, sum(layers.counts)), engine=name))


def _ends(order: Order, sources: tuple[bytes, ...]) -> Generated:
    """Return the ends of long random walks."""
    walks = Walks(order, sources)
    walks.length = ENDS * order.model.cells
    chance = Random(order.seed)
    return _listed(order, "walk", (walks.end(chance) for _ in range(10 * order.count)), None)


def _listed(order: Order, method: str, drawn: Iterable[bytes], total: int | None) -> Generated:
    """Return the first different positions, those before a limit if one stops the drawing."""
    found: dict[bytes, None] = {}
    stopped = None

    def so_far() -> Generated:
        return _random_answer(order, method, tuple(map(order.puzzle.at, list(found))), total)

    order.watch.known.answer = so_far
    try:
        for position in drawn:
            found[position] = None
            if len(found) == order.count:
                break
    except (LimitError, Overdue) as late:
        stopped = limit_of(late)
    answer = so_far()
    return with_work(order, answer if stopped is None else replace(answer, short="", stopped=stopped))


def _random_answer(order: Order, method: str, positions: tuple[bytes, ...], total: int | None) -> Generated:
    there = f"there are {total:,} positions" if total is not None else "the walks ended at the same positions"
    short = "" if len(positions) == order.count else there
    metric = order.model.metric.name
    return Generated(metric, "start", method, order.seed, positions, total=total, short=short)
