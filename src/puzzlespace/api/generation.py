"""Positions to order: at a chosen depth, drawn from the layer if it can be counted, else by walk and proof.

The command line is in `cli/generate.py`, the draw itself in `engines/shared/draws.py`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from math import log
from pathlib import Path
from typing import TYPE_CHECKING

from ..analysis.impossible import placement_bound
from ..contract.answers import DepthTable
from ..contract.questions import Engine, WantedLayers
from ..errors import FormatError, InputError, LimitError, SelfCheckError, UnsupportedError
from ..limits.numbers import whole
from ..limits.stopping import Overdue, limit_of
from ..limits.watch import Limits, Watch, answering, checkpoint, paced, phase
from ..model.goal import Goal
from ..puzzle.answers import Generated
from ..puzzle.puzzle import Puzzle
from ..registry import REFERENCE
from . import faults, games
from .clock import clocked
from .loader import puzzle_of
from .measuring import measured
from .orders import MOST_COUNT, Candidate, Order, Report, seed_of, tried_first, with_work
from .questions import solve
from .table_making import TRIED
from .typed_moves import in_plain_forms
from .walks import Walks

if TYPE_CHECKING:
    from ..engines.shared.draws import Draw

METHODS = ("auto", "layer", "walk")

SPARE = 64
"""With filters, this many candidates are drawn for each position asked for; if all are used up, more are drawn."""

FIRST, FAR = 5000, 1000
"""Positions of the first layers, from whose growth later ones are estimated; and how many times the most positions that
are tried the estimate must exceed, so that nothing is tried."""


@clocked()
def generate(
    puzzle: Puzzle | str | Path,
    depth: int | tuple[int, int],
    count: int = 10,
    *,
    seed: int | None = None,
    origin: str = "",
    metric: str = "",
    one_solution: bool = False,
    distinct: bool = False,
    pattern: str = "",
    solutions: bool = False,
    method: str = "auto",
    engine: str | Engine = "auto",
    limits: Limits = Limits(),
    progress: Report | None = None,
) -> Generated:
    """Return positions at a depth, or between two depths, drawn at random without repetitions.

    seed          the same seed gives the same positions; None: a random seed, which the answer has
    origin        'goal': depth is the number of moves to the goal, the default if there is one; 'start': from the start
    one_solution  only positions with one shortest solution up to commuting moves
    distinct      no two that symmetries map to each other; of each class the first one drawn
    pattern       only positions that look like this drawing, with '*' for anything
    solutions     also return a shortest solution of each
    method        'layer': count the layers up to the depth and draw uniformly from all positions there; 'walk': take
                  positions on shortest solutions of the ends of random walks, each proved by a search, not uniformly;
                  'auto': the layer if its table fits, or if at most 5 million positions are generated, else the walk
    engine        counts the layers; only 'auto' beside the method 'walk'
    Raises InputError for an invalid order, UnsupportedError if it cannot be made. The answer has fewer positions, and
    says why, if there are no more or a limit stopped the search.

    >>> made = generate("slide:3x2", 10, 2, seed=1)
    >>> made.depths, made.uniform
    ((10, 10), True)
    """
    if games.level_of(puzzle) is not None:
        raise UnsupportedError(f"{puzzle}: for a level of a game: puzzlespace.api.game_levels.generate_levels")
    owner = puzzle_of(puzzle, "generate")
    first, last = _depths(depth)
    if not 1 <= whole("count", count) <= MOST_COUNT:
        raise InputError(f"count: expected 1 to {MOST_COUNT:,} positions, found {count:,}")
    if method not in METHODS:
        raise InputError(f"method: expected one of {', '.join(METHODS)}, found {method!r}")
    if method == "walk" and engine != "auto":
        raise InputError("engine: expected 'auto' beside the method 'walk', which counts no layers")
    with phase("the model was built"):
        model = owner.model(metric)
    costly = bool(model.metric.costs)
    if costly and method == "walk":
        raise UnsupportedError(f"{owner.name}: the method 'walk' needs a metric in which every move counts one")
    origin = origin or ("goal" if model.goals else "start")
    if origin not in ("start", "goal"):
        raise InputError(f"origin: expected start or goal, found {origin!r}")
    if not model.goals if origin == "goal" else model.start is None:
        raise InputError(f"{owner.name}: expected a {origin} to measure depths from, found none")
    order = Order(
        owner, model, origin, first, last, count, seed_of(seed), _pattern(owner, pattern), one_solution, distinct,
        solutions or one_solution, answering(limits, progress), progress,
    )  # fmt: skip
    tried = None if method == "layer" or costly else tried_first(order)
    if method == "walk" or (method == "auto" and tried is not None and engine == "auto" and _hopeless(order)):
        return _by_walks(order)
    return _by_layers(order, engine, tried) or _by_walks(order)


def _depths(depth: int | tuple[int, int]) -> tuple[int, int]:
    both = depth if isinstance(depth, tuple | list) else (depth, depth)
    if len(both) != 2:
        raise InputError(f"depth: expected a number from 0, or two in ascending order, found {depth!r:.100}")
    first, last = whole("depth", both[0]), whole("depth", both[1])
    if not 0 <= first <= last:
        raise InputError(f"depth: expected a number from 0, or two in ascending order, found {first}-{last}")
    return first, last


def _pattern(owner: Puzzle, text: str) -> Goal | None:
    text = in_plain_forms(owner, text, "pattern")
    try:
        return owner.pattern(text) if text else None
    except FormatError as error:
        raise error.located("pattern", text) from None


def _hopeless(order: Order) -> bool:
    """Return whether the first layers grow so fast that those up to the last one are far too many to count."""
    try:
        if placement_bound(order.model) < FAR * TRIED:
            return False
        layer = set(order.sources)
    except UnsupportedError:
        return False
    model = order.model.backward if order.origin == "goal" else order.model
    sizes, seen = [len(layer)], set(layer)
    while model is not None and layer and len(seen) < FIRST and len(sizes) <= order.last:
        layer = {child for position in paced(layer) for child in model.moves(position)} - seen
        seen |= layer
        sizes.append(len(layer))
    if len(sizes) < 3 or not layer:
        return False
    growth = (sizes[-1] / sizes[-3]) ** 0.5
    return growth > 1 and log(sizes[-1]) + (order.last + 1 - len(sizes)) * log(growth) > log(FAR * TRIED)


def _by_layers(order: Order, engine: str | Engine, tried: int | None) -> Generated | None:
    """Return positions drawn from the whole layers; None if they have too many positions.

    tried  the most positions to generate; None: as many as it takes
    """
    filtered = order.one_solution or order.distinct
    most = order.count * (SPARE if filtered else 1)
    while True:
        counted = _counted(order, engine, most, tried)
        if counted is None:
            return None
        table, draw = counted
        answer = Generated(
            order.model.metric.name, order.origin, "layer", order.seed, (), (order.first, order.last),
            counts=table.counts, fitting=draw.fitting if order.pattern else None, engine=table.engine,
            stopped=table.stopped,
        )  # fmt: skip
        if table.stopped is not None:
            return with_work(order, answer)
        answer = _filled(order, answer, iter([(depth, position, ()) for depth, position in draw.drawn]))
        if answer.stopped is not None:
            return with_work(order, answer)
        if len(answer.positions) == order.count or len(draw.drawn) < most:
            return with_work(order, replace(answer, short=_too_few(order, answer)))
        most *= SPARE


def _counted(order: Order, engine: str | Engine, most: int, tried: int | None) -> tuple[DepthTable, Draw] | None:
    """Count the layers up to the last one and draw from those asked for; None if more than `tried` are generated."""
    from ..engines.shared.draws import LISTED, Draw

    left = order.limits
    mine = tried is not None and (left.positions is None or tried < left.positions)
    limits = replace(left, positions=tried) if mine else left
    thinned = max(LISTED, 4 * most) if order.first == order.last and order.pattern is None else None
    for name in (engine, REFERENCE.name):
        draw = Draw(order.seed, most, order.pattern)
        wanted = WantedLayers(draw.take, order.first, order.last, thinned, seed=order.seed)
        watch = Watch(limits, order.report, known=order.watch.known)
        table = measured(order.puzzle, order.model, order.origin, 0, watch, name, wanted=wanted)
        order.watch.generated += watch.generated
        faults.report(order.puzzle, order.model.metric.name, watch.faults)
        if not watch.faults:
            break  # else the draw has positions of a wrong engine
    if mine and table.stopped is not None and table.stopped.kind == "positions":
        return None
    return table, draw


def _too_few(order: Order, answer: Generated) -> str:
    """Return why a layer does not give as many positions as asked for; '' if it does."""
    found = len(answer.positions)
    if found == order.count:
        return ""
    where = f"depth {order.first}" if order.first == order.last else f"depths {order.first} to {order.last}"
    there = sum(answer.counts[order.first : order.last + 1])
    if not there:
        return f"there is no position at {where}: the greatest depth is {len(answer.counts) - 1}"
    if answer.fitting is not None and answer.fitting < order.count:
        return f"{answer.fitting:,} of {there:,} positions at {where} fit the pattern"
    if there < order.count:
        return f"there are {there:,} positions at {where}"
    return f"{found:,} of {there:,} positions at {where} meet all conditions"


def _filled(order: Order, answer: Generated, candidates: Iterator[Candidate]) -> Generated:
    """Return an answer with the first candidates that meet the conditions."""
    found: dict[bytes, tuple[int, tuple[bytes, ...]]] = {}
    images: set[bytes] = set()
    stopped = None

    def so_far() -> Generated:
        kept = list(found.items())
        return replace(
            answer,
            positions=tuple(order.puzzle.at(position) for position, _ in kept),
            depths=tuple(depth for _, (depth, _) in kept),
            paths=tuple(path for _, (_, path) in kept) if order.solutions else (),
        )

    order.watch.known.answer = so_far
    try:
        for depth, position, path in candidates:
            checkpoint()
            if position in found or position in images:
                continue
            kept = path
            if order.one_solution or (order.solutions and not path):
                single, kept = _solved(order, depth, position)
                if order.one_solution and not single:
                    continue
            if order.distinct:
                images.update(order.images(position))
            found[position] = depth, kept
            if len(found) == order.count:
                break
    except (LimitError, Overdue) as late:
        stopped = limit_of(late)
    return replace(so_far(), stopped=stopped)


def _solved(order: Order, depth: int, position: bytes) -> tuple[bool, tuple[bytes, ...]]:
    """Return whether a position has one shortest solution up to commuting moves, and a shortest solution."""
    answer = solve(
        order.placed(position), metric=order.model.metric.name, count=order.one_solution, limits=order.limits
    )
    order.watch.generated += answer.generated
    if answer.stopped is not None:
        raise answer.stopped
    if answer.moves != depth:
        raise SelfCheckError(f"{position.hex(' ')}: expected depth {depth}, found {answer.moves} moves")
    return 1 in (answer.solutions, answer.solutions_commuting), tuple(map(bytes, answer.path))


def _by_walks(order: Order) -> Generated:
    """Return positions on shortest solutions of the ends of random walks."""
    answer = Generated(order.model.metric.name, order.origin, "walk", order.seed, (), (order.first, order.last))
    walks = Walks(order, order.sources)
    filled = _filled(order, answer, walks.candidates())
    if filled.stopped is None and len(filled.positions) < order.count:
        filled = replace(filled, short=walks.words)
    return with_work(order, replace(filled, engine=walks.engine))
