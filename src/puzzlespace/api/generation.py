"""Positions to order: at a chosen depth, drawn from the layer if it can be counted, else by walk and proof.

The command line is in `cli/generate.py`, the draw itself in `engines/shared/draws.py`.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from hashlib import sha256
from math import log
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

from ..analysis.impossible import few_goals, placement_bound
from ..contract.answers import DepthTable, Solution, Status
from ..contract.questions import Depths, Engine, WantedLayers
from ..errors import FormatError, InputError, LimitError, SelfCheckError, UnsupportedError
from ..limits.numbers import whole
from ..limits.stopping import Overdue, limit_of
from ..limits.watch import Limits, Progress, Watch, answering, checkpoint, paced, phase
from ..model.goal import Goal
from ..model.model import Model
from ..puzzle.answers import Generated
from ..puzzle.puzzle import Puzzle
from ..registry import REFERENCE
from . import batches, choice, faults, saved
from .loader import puzzle_of
from .measuring import measured
from .questions import clocked, solve, symmetries, with_goal, with_start
from .table_making import MOST, TRIED
from .typed_moves import in_plain_forms

if TYPE_CHECKING:
    from ..engines.shared.draws import Draw
    from ..symmetry import SymmetryGroup

METHODS = ("auto", "layer", "walk")

MOST_COUNT = 100_000
"""The most positions of one order."""

SPARE = 64
"""With filters, this many candidates are drawn for each position asked for; if all are used up, more are drawn."""

FIRST, FAR = 5000, 1000
"""Positions of the first layers, from whose growth later ones are estimated; and how many times the most positions that
are tried the estimate must exceed, so that nothing is tried."""

CHUNK = 16
"""Walks whose ends are solved together, with walks of the same length."""

TRIES = 4
"""Elements of the group that are drawn for each position asked for; if they are not enough, positions are few."""

ENDS = 1000
"""The length of the walks whose ends `random_positions` returns, for each cell of the board."""

ORBIT_SECONDS = 10.0
"""Seconds to compute how many positions can be reached."""

HOPELESS = 25
"""The search by walks gives up after this many chunks without a position that fits."""

Report = Callable[[Progress], None]

Candidate = tuple[int, bytes, tuple[bytes, ...]]
"""Depth, position, and a shortest solution if it is known."""


@dataclass(frozen=True)
class _Order:
    """What is asked for, and the watch that measures it."""

    puzzle: Puzzle
    model: Model
    origin: str
    first: int
    last: int
    count: int
    seed: int
    pattern: Goal | None
    one_solution: bool
    distinct: bool
    solutions: bool
    watch: Watch
    report: Report | None

    @property
    def limits(self) -> Limits:
        """What is left of the limits."""
        limits, watch = self.watch.limits, self.watch
        seconds = None if limits.seconds is None else max(limits.seconds - watch.seconds, 1e-6)
        positions = None if limits.positions is None else max(limits.positions - watch.generated, 1)
        return Limits(seconds, limits.memory, positions)

    def placed(self, position: bytes) -> Puzzle:
        """Return the puzzle whose shortest solutions are those of a position."""
        return with_start(self.puzzle, position) if self.origin == "goal" else with_goal(self.puzzle, position)

    @cached_property
    def group(self) -> SymmetryGroup:
        """The symmetries that keep the depth of every position. Raises UnsupportedError if not all are known."""
        owner = self.puzzle
        if self.origin == "start":
            assert self.model.start is not None
            owner = with_goal(owner, self.model.start)
        found = symmetries(owner, metric=self.model.metric.name, limits=self.limits)
        if not found.complete:
            raise UnsupportedError(f"{owner.name}: not all of its symmetries are known, so distinct cannot be checked")
        return found

    def images(self, position: bytes) -> Sequence[bytes]:
        """Return all images of a position under these symmetries; raise UnsupportedError if they are too many."""
        group = self.group
        try:
            return group.orbit(position)
        except LimitError as error:
            self.watch.tick(0)
            raise UnsupportedError(f"{self.puzzle.name}: {error}") from None

    @cached_property
    def sources(self) -> tuple[bytes, ...]:
        """The positions from which walks begin. Raises UnsupportedError if they cannot be listed."""
        model = self.model
        several = len(model.goals) > 1 or any(goal.position is None for goal in model.goals)
        if model.start is not None and (self.origin == "start" or (several and model.reversible)):
            return (model.start,)
        return self.goals

    @cached_property
    def goals(self) -> tuple[bytes, ...]:
        """All goal positions. Raises UnsupportedError if they cannot be listed, or there are none."""
        with phase("the goal positions were listed"):
            found = few_goals(self.model)
        if not found:
            none = "the goal positions cannot be listed to walk from them"
            none = none if found is None else "no way of placing the pieces meets a goal"
            raise UnsupportedError(f"{self.puzzle.name}: {none}")
        return found


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
    """
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
    if model.metric.costs:
        raise UnsupportedError(f"{owner.name}: random puzzles need a metric in which every move counts one")
    origin = origin or ("goal" if model.goals else "start")
    if origin not in ("start", "goal"):
        raise InputError(f"origin: expected start or goal, found {origin!r}")
    if not model.goals if origin == "goal" else model.start is None:
        raise InputError(f"{owner.name}: expected a {origin} to measure depths from, found none")
    order = _Order(
        owner, model, origin, first, last, count, _seed(seed), _pattern(owner, pattern), one_solution, distinct,
        solutions or one_solution, answering(limits, progress), progress,
    )  # fmt: skip
    tried = None if method == "layer" else _tried(order)
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


def _seed(seed: int | None) -> int:
    return secrets.randbelow(10**6) if seed is None else seed


def _pattern(owner: Puzzle, text: str) -> Goal | None:
    text = in_plain_forms(owner, text, "pattern")
    try:
        return owner.pattern(text) if text else None
    except FormatError as error:
        raise error.located("pattern", text) from None


def _tried(order: _Order) -> int | None:
    """Return the most positions to generate until walks are tried instead; None if a table of all positions fits."""
    from ..engines.table import oversize

    found = saved.estimate(order.puzzle, metric=order.model.metric.name)
    fits = found is not None and found.positions <= MOST[found.fast] and oversize(order.model) is None
    return None if fits else TRIED


def _hopeless(order: _Order) -> bool:
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


def _by_layers(order: _Order, engine: str | Engine, tried: int | None) -> Generated | None:
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
            return _spent(order, answer)
        answer = _filled(order, answer, iter([(depth, position, ()) for depth, position in draw.drawn]))
        if answer.stopped is not None:
            return _spent(order, answer)
        if len(answer.positions) == order.count or len(draw.drawn) < most:
            return _spent(order, replace(answer, short=_too_few(order, answer)))
        most *= SPARE


def _counted(order: _Order, engine: str | Engine, most: int, tried: int | None) -> tuple[DepthTable, Draw] | None:
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


def _too_few(order: _Order, answer: Generated) -> str:
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


def _spent(order: _Order, answer: Generated) -> Generated:
    """Return an answer with the work that it took."""
    return replace(answer, generated=order.watch.generated, seconds=order.watch.seconds)


def _filled(order: _Order, answer: Generated, candidates: Iterator[Candidate]) -> Generated:
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


def _solved(order: _Order, depth: int, position: bytes) -> tuple[bool, tuple[bytes, ...]]:
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


def _by_walks(order: _Order) -> Generated:
    """Return positions on shortest solutions of the ends of random walks."""
    answer = Generated(order.model.metric.name, order.origin, "walk", order.seed, (), (order.first, order.last))
    walks = _Walks(order, order.sources)
    filled = _filled(order, answer, walks.candidates())
    if filled.stopped is None and len(filled.positions) < order.count:
        filled = replace(filled, short=walks.words)
    return _spent(order, replace(filled, engine=walks.engine))


class _Walks:
    """Random walks from the goal (or the start), whose ends are solved.

    A position on a shortest solution has the depth that the solution shows: the rest of a shortest solution is one. So
    every end that is deep enough gives a position of exactly the depth asked for. The length of the walks adapts, so
    that most ends are deep enough, and few deeper than necessary.
    """

    def __init__(self, order: _Order, sources: tuple[bytes, ...]) -> None:
        self.order = order
        self.sources = sources
        self.engine = ""
        self.deepest = 0
        self.solved = 0
        self.length = max(4, 2 * order.last)
        self.most = 1000 + 200 * order.last

    @property
    def words(self) -> str:
        """Why there are no more candidates."""
        return (
            f"{self.solved:,} random walks were solved, the deepest end at depth {self.deepest}; positions that meet "
            "all conditions are rare, or there are none"
        )

    def candidates(self) -> Iterator[Candidate]:
        """Yield positions with depths and solutions; they may repeat. End if nothing new is found for long."""
        order, chance = self.order, Random(self.order.seed)
        known: set[bytes] = set()
        dull = 0
        while dull < HOPELESS:
            ends = [self.end(chance) for _ in range(CHUNK)]
            deep = 0
            fresh = False
            answers = list(batches.solve(map(order.placed, ends), metric=order.model.metric.name, limits=order.limits))
            order.watch.generated += sum(answer.generated for answer in answers)
            if self._starts_apart(answers):
                continue
            for answer in answers:
                self._count(answer)
                chosen = chance.random()
                if answer.moves is None or answer.moves < order.first:
                    continue
                deep += 1
                depth = order.first + int(chosen * (min(order.last, answer.moves) - order.first + 1))
                path = tuple(map(bytes, answer.path))
                path = path[len(path) - 1 - depth :] if order.origin == "goal" else path[: depth + 1]
                position = path[0 if order.origin == "goal" else -1]
                if position not in known and (order.pattern is None or order.pattern.holds(position)):
                    known.add(position)
                    fresh = True
                    yield depth, position, path
            dull = 0 if fresh else dull + 1
            if deep < CHUNK // 2:
                self.length = min(self.most, self.length * 3 // 2)
            elif deep > CHUNK - 3:
                self.length = max(order.first + 1, self.length * 9 // 10)

    def _starts_apart(self, answers: Sequence[Solution]) -> bool:
        """Return whether the start, from which the walks begin, reaches no goal; then they begin from all goals."""
        order = self.order
        apart = order.origin == "goal" and self.sources == (order.model.start,)
        if not apart or all(answer.status is not Status.IMPOSSIBLE for answer in answers):
            return False
        self.sources = order.goals
        return True

    def _count(self, answer: Solution) -> None:
        if answer.stopped is not None:
            raise answer.stopped
        if answer.status is not Status.OPTIMAL:
            raise SelfCheckError("expected a solution of a position from which the goal was reached, found none")
        self.solved += 1
        self.engine = answer.engine
        self.deepest = max(self.deepest, answer.moves or 0)

    def end(self, chance: Random) -> bytes:
        """Return the end of a random walk that never takes a move back at once, if there is another."""
        order, sources = self.order, self.sources
        model = order.model.backward if order.origin == "goal" else order.model
        if model is None:
            raise UnsupportedError("walks from the goal need moves that can be traced back; use origin='start'")
        position = before = sources[int(chance.random() * len(sources))]
        for _ in range(self.length + int(chance.random() * 2)):
            checkpoint()
            following = [child for child in model.moves(position) if child != before]
            if not following:
                following = [before] if model.reversible else []
            if not following:
                break
            before, position = position, following[int(chance.random() * len(following))]
        return position


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
    are the ends of long random walks, and `uniform` is False. `seed` is as in `generate`.
    """
    owner = puzzle_of(puzzle, "random_positions")
    if not 1 <= whole("count", count) <= MOST_COUNT:
        raise InputError(f"count: expected 1 to {MOST_COUNT:,} positions, found {count:,}")
    with phase("the model was built"):
        model = owner.model()
    sources: tuple[bytes, ...] = (model.start,) if model.start is not None else few_goals(model) or ()
    if not sources:
        raise InputError(f"{owner.name}: expected a start or a goal, found none")
    order = _Order(
        owner,
        model,
        "start",
        0,
        0,
        count,
        _seed(seed),
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


def _by_ranks(order: _Order, sources: tuple[bytes, ...]) -> Generated | None:
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


def _by_sums(order: _Order, sources: tuple[bytes, ...]) -> Generated | None:
    """Return random sums of moves; None unless moves add, from one source."""
    from ..engines.linear import systems

    source, *others = sources
    with phase("the moves were read as additions"):
        found = None if others else systems.reached(order.model, source)
    return _numbered(order, *found) if found is not None else None


def _by_digits(order: _Order, sources: tuple[bytes, ...]) -> Generated | None:
    """Return random combinations of digits; None unless every combination is reached, from one source."""
    from ..engines.shared.draws import numbered

    source, *others = sources
    with phase("the positions were numbered"):
        found = None if others else numbered(order.model, source)
    return _numbered(order, *found) if found is not None else None


def _numbered(order: _Order, total: int, position: Callable[[int], bytes]) -> Generated:
    """Return positions of random numbers below the total."""
    numbers: dict[int, None] = {}
    drawn = 0
    while len(numbers) < min(order.count, total):
        numbers[_uniform(f"{order.seed}/{drawn}", total)] = None
        drawn += 1
    return _listed(order, "ranks", map(position, paced(numbers)), total)


def _by_group(order: _Order, sources: tuple[bytes, ...]) -> Generated | None:
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


def _from_all_layers(order: _Order, sources: tuple[bytes, ...], engine: str | Engine) -> Generated | None:
    """Return positions drawn from all layers together; None if there are too many to count."""
    from ..engines.shared.draws import LISTED, Draw

    left, tried = order.limits, _tried(order) if engine == "auto" else None
    mine = tried is not None and (left.positions is None or tried < left.positions)
    watch = Watch(replace(left, positions=tried) if mine else left, order.report, known=order.watch.known)
    found = saved.estimate(order.puzzle)
    halvings = max(0, (found.positions // max(LISTED, 4 * order.count)).bit_length() - 1) if found else 0
    draw = Draw(order.seed, order.count)
    wanted = WantedLayers(draw.take, halvings=halvings, seed=order.seed)
    name, layers = choice.depths(Depths(order.model, sources, 0, wanted=wanted), watch, engine)
    faults.report(order.puzzle, order.model.metric.name, watch.faults)
    order.watch.generated += watch.generated
    if watch.faults or (mine and layers.stopped is not None and layers.stopped.kind == "positions"):
        return None
    if layers.stopped is not None:  # a draw from the first layers would not be uniform
        answer = replace(_random_answer(order, "layer", (), None), short="", counts=layers.counts)
        return _spent(order, replace(answer, engine=name, stopped=layers.stopped))
    positions = tuple(order.puzzle.at(position) for _, position in draw.drawn)
    return _spent(order, replace(_random_answer(order, "layer", positions, sum(layers.counts)), engine=name))


def _ends(order: _Order, sources: tuple[bytes, ...]) -> Generated:
    """Return the ends of long random walks."""
    walks = _Walks(order, sources)
    walks.length = ENDS * order.model.cells
    chance = Random(order.seed)
    return _listed(order, "walk", (walks.end(chance) for _ in range(10 * order.count)), None)


def _listed(order: _Order, method: str, drawn: Iterable[bytes], total: int | None) -> Generated:
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
    return _spent(order, answer if stopped is None else replace(answer, short="", stopped=stopped))


def _random_answer(order: _Order, method: str, positions: tuple[bytes, ...], total: int | None) -> Generated:
    there = f"there are {total:,} positions" if total is not None else "the walks ended at the same positions"
    short = "" if len(positions) == order.count else there
    metric = order.model.metric.name
    return Generated(metric, "start", method, order.seed, positions, total=total, short=short)
