"""The Python interface: load, solve, solutions, depths, distance, symmetries, check_known.

Every function takes a puzzle as `load` returns it, or the text that `load` takes; `solve`, `solutions`, `depths`,
`distance`, `with_start` and `with_goal` take a `Custom` puzzle as well. `model.replay` checks every solution before it
is returned.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..analysis import paths
from ..contract.answers import DepthTable, Geodesics, Solution, Status
from ..contract.questions import DEVICES, Engine, Search, Space
from ..errors import BoundError, InputError, LimitError, UnsupportedError
from ..limits.stopping import Overdue, graced, limit_of
from ..limits.watch import Limits, Progress, Watch, answering, phase
from ..model.custom import Custom
from ..model.model import Model
from ..puzzle.answers import Distance, PuzzleTable
from ..puzzle.draft import Claim, Draft
from ..puzzle.puzzle import Puzzle
from ..registry import build
from . import choice, dispatch, faults, games, loader
from .asked import Bounding, bounded, check_bound, model_of, question_of
from .cached import CachedTable
from .clock import clocked, stopped_distance, stopped_solution, stopped_table
from .fitting import tally_of
from .found import (
    begin,
    best_moves,
    no_solution,
    numbers_of,
    resting,
    solution_found,
    solution_of,
    unsolved,
)
from .measuring import custom_depths, default_origin, measured, metric_of, table_of
from .positions import placed
from .positions import read_position as read_position
from .positions import with_goal as with_goal
from .positions import with_start as with_start
from .table_making import Use, cached_table

if TYPE_CHECKING:
    from ..symmetry import SymmetryGroup as SymmetryGroup
    from .first_moves import FirstMoves

Report = Callable[[Progress], None]


def load(source: str | Path | Draft) -> Puzzle:
    """Return the puzzle of that catalogue name or alias, file, family spec ('slide:4x4'), or '-' (standard input).

    A Draft is a puzzle file as data: the `draft` of a puzzle that `design` found.

    Raises InputError (FormatError for an error in a file, with its place).

    >>> load("slide:3x2")
    <Puzzle slide:3x2: rule slide, 6 cells>
    """
    return build(source, "puzzle") if isinstance(source, Draft) else loader.puzzle_of(source, "load")


@clocked(stopped_solution)
def solve(
    puzzle: Puzzle | Custom | str | Path,
    *,
    start: Any = "",
    goal: Any = "",
    first: str | Sequence[str] = "",
    metric: str = "",
    engine: str | Engine = "auto",
    count: bool = False,
    bound: Bounding = "",
    heuristic: str = "",
    cache: Use = "use",
    limits: Limits = Limits(),
    progress: Report | None = None,
) -> Solution:
    """Return a shortest solution, the reason why there is none, or what was proved before a limit stopped the search.

    start      solve from this position; goal: reach this one instead. Both as `with_start` and `with_goal` take them
    first      the solution begins with this move, or with one of several: names of moves from the start, with commas or
               in a list. It is the shortest of these, and may come back to the start. Of the counts there is only
               `solutions`
    metric     what counts as one move (default: the puzzle's)
    engine     'auto', an engine's name, or an engine (such as `saving` and `asking` return)
    count      also count the shortest solutions: all, up to commuting moves, up to symmetry
    bound      the lower bound of the engines idastar and astar: distance, assignment, inversion, walking, pattern
               (pattern:6-6-3 has groups of these sizes, 'pattern:1 2 5/3 4' of these pieces), projection (for any
               rules), pegs, or one of an installed package; '+' takes the greatest of several. Or a function that takes
               a position (bytes) and returns a number of moves that are certainly left, or a `Bound`:
               docs/adding-a-bound.md. Unless the solution is proved to be shortest without such a bound of your own,
               its status is ASSUMED
    heuristic  another word for bound, for names
    cache      'use': the engine 'auto' answers from the table of the puzzle in the cache folder if there is one;
               'make': the table is made first if that is worth it (docs/tables.md says when); 'off': it searches
    Raises InputError if the puzzle lacks a start or a goal, BoundError if a bound is found to claim too much,
    UnsupportedError if the engine cannot answer, SelfCheckError if no engine gives an answer that passes the checks.
    The engines' methods are in docs/methods/.

    >>> answer = solve("goat", count=True)
    >>> answer.status, answer.moves, answer.solutions
    (<Status.OPTIMAL: 'optimal'>, 20, 2)
    >>> solve("eight", start="1 2 3 / 4 5 6 / . 7 8").names
    ('7 left', '8 left')
    """
    check_bound(bound or heuristic, engine)
    if first != "":
        asked, watch = _beginning(placed(puzzle, "solve", start, goal), first, metric), answering(limits, progress)
        options = {"metric": metric, "engine": engine, "bound": bound, "heuristic": heuristic, "cache": cache}
        return asked.solve({**options, "progress": progress}, count, limits, watch)
    owner, space = model_of(placed(puzzle, "solve", start, goal), metric)
    watch = answering(limits, progress)
    begin(space, watch)
    question, reason = question_of(owner, space, engine)
    if reason is not None:
        return no_solution(space, reason, "none", watch, count)
    question = bounded(replace(question, every=count), owner, bound, heuristic)
    name, found = _searched(owner, question, watch, engine, cache)
    if found.stopped is not None or not found.layers:
        return unsolved(space, found, name, watch, count)
    with solution_found(found, watch):
        answer = resting(solution_of(owner, space, paths.first_path(space, found.layers), name, watch), found)
    if not count:
        return answer
    try:
        with phase("the solutions were counted"):
            return replace(answer, **numbers_of(space, found))
    except (LimitError, Overdue) as late:
        return replace(answer, stopped=limit_of(late))


def _beginning(puzzle: Puzzle | Custom | str | Path, first: str | Sequence[str], metric: str) -> FirstMoves:
    """Return the question for solutions that begin with these moves."""
    from .first_moves import FirstMoves, Means

    return FirstMoves.of(puzzle, first, metric, Means(solve, solutions))


def _searched(
    owner: Puzzle | None, question: Search, watch: Watch, engine: str | Engine, cache: Use = "off"
) -> tuple[str, Geodesics]:
    """Return the engine that answered and its answer; report wrong answers of other engines."""
    bound = choice.has_bound(question)
    cached = None if bound else _cached(cache, owner, question.space, engine, "goal", watch)
    try:
        answer = dispatch.search(question, watch, engine, cached)
    except BoundError as error:
        if owner is None or not isinstance(error.position, bytes):
            raise
        shown = owner.line(error.position)
        raise BoundError(error.name, error.problem, owner.at(error.position), shown) from error
    if owner is not None:
        faults.report(owner, metric_of(question.space), watch.faults)
    return answer


def _cached(
    use: Use, owner: Puzzle | None, space: Space, engine: str | Engine, origin: str, watch: Watch
) -> CachedTable | None:
    """Return the table in the cache folder that may answer instead of the engine, made first if it is to be made."""
    if engine != "auto" or owner is None or not isinstance(space, Model):
        return None
    return cached_table(use, owner, space, origin, watch.limits, watch.report, watch.known)


@clocked()
def solutions(
    puzzle: Puzzle | Custom | str | Path,
    *,
    start: Any = "",
    goal: Any = "",
    first: str | Sequence[str] = "",
    metric: str = "",
    engine: str | Engine = "auto",
    bound: Bounding = "",
    cache: Use = "use",
    limits: Limits = Limits(),
) -> Iterator[Solution]:
    """Return an iterator over all shortest solutions, in the order of positions; it is empty if there is none.

    start, goal, first  as in `solve`
    bound               the lower bound to search with, as in `solve`

    The search ends before this function returns; the limits hold until then. Raises LimitError if a limit stops it or
    there are too many solutions to list, and what `solve` raises.

    >>> [answer.moves for answer in solutions("goat")]
    [20, 20]
    """
    check_bound(bound, engine)
    if first != "":
        asked, watch = _beginning(placed(puzzle, "solutions", start, goal), first, metric), Watch(limits)
        options = {"metric": metric, "engine": engine, "bound": bound, "cache": cache}
        return asked.solutions(options, limits, watch)
    owner, space = model_of(placed(puzzle, "solutions", start, goal), metric)
    question, reason = question_of(owner, space, engine)
    if reason is not None:
        return iter(())
    watch = Watch(limits)
    question = bounded(question, owner, bound, "")
    name, found = _searched(owner, question, watch, engine, cache)
    if found.stopped is not None:
        raise found.stopped
    if found.solutions is not None:
        raise LimitError("positions", f"there are {found.solutions:,} shortest solutions, too many to list")
    every = paths.all_paths(space, found.layers) if found.layers else ()
    return (resting(solution_of(owner, space, steps, name, watch), found) for steps in every)


@clocked(stopped_table)
def depths(
    puzzle: Puzzle | Custom | str | Path,
    *,
    start: Any = "",
    goal: Any = "",
    only: Any = "",
    origin: str = "",
    metric: str = "",
    engine: str | Engine = "auto",
    keep: int = 20,
    classes: bool = False,
    cache: Use = "use",
    device: str = "auto",
    cluster: object = None,
    save: str | Path = "",
    resume: bool = False,
    limits: Limits = Limits(),
    progress: Report | None = None,
) -> DepthTable:
    """Return how many positions lie at each distance, and the hardest positions with their number up to symmetry.

    start    measure from this position with origin 'start'; goal: to this one. Both as in `solve`
    only     also count the positions that fit this pattern, a drawing with '*' for anything (the answer has them as
             `fitting`), or one of a list of patterns. As `with_goal` takes it; of a `Custom` puzzle a position or a
             function. Only engines that list the positions of a layer can do it
    origin   'goal': distances to the goal (the default if every move can be undone); 'start': from the start
    engine   'auto', an engine's name, or an engine (such as `saving` and `asking` return)
    keep     how many of the hardest positions to return (0: none, and no classes either)
    classes  return one position of each class of hardest positions under the symmetries
    cache    whether the table of the puzzle in the cache folder may answer, as in `solve`
    device   where to count: 'cpu', 'gpu' (a graphics card, docs/methods/gpu.md), or 'auto': on a card if there is one,
             the table fits it, and it is worthwhile
    cluster  count on these workers: 'local:4', 'tcp://HOST:PORT', a Dask `Client`, or an executor (docs/cluster.md)
    save     with `cluster`: the folder of the table and of the files of the count, which all workers see
    resume   with `cluster`: continue the unfinished count in the folder
    Raises InputError if the puzzle lacks the start or goal to measure from, UnsupportedError if distances to the goal
    cannot be measured, the engine cannot answer, or there is no card for 'gpu'.
    What is counted: docs/format.md ('What exactly is counted').

    >>> depths("slide:3x2").counts
    (1, 2, 3, 5, 6, 7, 10, 12, 12, 16, 23, 25, 28, 39, 44, 40, 29, 21, 18, 12, 6, 1)
    >>> found = depths("slide:3x2", only="* * * / * * 1").fitting
    >>> found.positions, found.least, found.greatest
    (60, 9, 19)
    """
    if device not in DEVICES:
        raise InputError(f"device: expected {', '.join(DEVICES)}, found {device!r}")
    owner, space = model_of(placed(puzzle, "depths", start, goal), metric)
    watch = answering(limits, progress)
    tally = tally_of(_source(owner, space), metric, only)
    watch.known.fitting = None if tally is None else tally.of
    wanted = None if tally is None else tally.wanted
    if cluster is not None:
        engine = _spread(owner, cluster, save, resume, metric, engine, limits)
    elif save or resume:
        raise InputError("save, resume: expected a cluster beside them; engine=saving(…) saves a table without one")
    if origin not in ("", "start", "goal"):
        raise InputError(f"origin: expected start or goal, found {origin!r}")
    if not isinstance(space, Model):
        assert isinstance(space, Custom)
        if classes:
            raise UnsupportedError(f"{space.name}: classes need a puzzle with rules, not moves written in Python")
        question = replace(custom_depths(space, origin), keep=keep, wanted=wanted, device=device)
        table = table_of(dispatch.depths(question, watch, engine), origin or "start", space, watch)
        return table if tally is None else replace(table, fitting=tally.checked(table))
    assert owner is not None
    origin = origin or default_origin(space)
    listed = max(keep, MOST_CLASSED) if keep else 0
    cached = _cached(cache, owner, space, engine, origin, watch) if device != "gpu" else None
    table = measured(owner, space, origin, listed, watch, engine, cached, wanted, device)
    if tally is not None:
        table = replace(table, fitting=tally.checked(table))
    faults.report(owner, space.metric.name, watch.faults)
    return _classed(table, owner, space, keep, classes)


def _source(owner: Puzzle | None, space: Space) -> Puzzle | Custom:
    """Return the puzzle that was asked about: one with rules, or one written in Python."""
    if owner is not None:
        return owner
    assert isinstance(space, Custom)
    return space


def _spread(
    owner: Puzzle | None,
    cluster: object,
    save: str | Path,
    resume: bool,
    metric: str,
    engine: str | Engine,
    limits: Limits,
) -> Engine:
    """Return the engine that counts on a cluster."""
    from .clusters import counting

    if owner is None:
        raise UnsupportedError("its moves are Python functions: workers cannot build it")
    if not save or not isinstance(engine, str):
        raise InputError("cluster: expected save='DIR' and no Engine beside it")
    return counting(owner, cluster, save, resume=resume, metric=metric, engine=engine, memory=limits.memory)


MOST_CLASSED = 20_000
"""The most hardest positions that are grouped into classes."""


def _classed(table: DepthTable, owner: Puzzle, space: Model, keep: int, one_each: bool) -> DepthTable:
    """Return the table with the number of classes of its hardest positions, and `keep` of them listed."""
    shown, number = table.hardest, None
    if table.complete and shown and len(shown) == table.counts[-1] <= MOST_CLASSED:
        try:
            found = _classes(space, shown, table.origin)
        except (LimitError, Overdue) as late:
            table, found = replace(table, stopped=limit_of(late)), None
        number = None if found is None else len(found)
        shown = tuple(each[0] for each in found) if found is not None and one_each else shown
    return PuzzleTable.of(owner, replace(table, hardest=tuple(map(owner.at, shown[:keep])), classes=number))


def _classes(space: Model, positions: Sequence[bytes], origin: str) -> tuple[tuple[bytes, ...], ...] | None:
    from .. import symmetry

    with phase("the hardest positions were put into classes"):
        return symmetry.classes(space, positions, origin)


@clocked()
def symmetries(
    puzzle: Puzzle | str | Path,
    *,
    metric: str = "",
    start: bool = False,
    partial: bool = False,
    limits: Limits = Limits(),
) -> SymmetryGroup:
    """Return the group of renamings of cells and symbols that keep the rules, the metric and the goals.

    start    whether they must keep the start too
    partial  whether those that were found are returned if a limit is passed; the group has the limit as `stopped`
    Raises InputError if the start must be kept and the puzzle has none, LimitError if a limit is passed. The method is
    in docs/methods/symmetry.md.

    >>> symmetries("lights:3x3").order
    8
    """
    from ..symmetry import symmetries as found

    owner = loader.puzzle_of(puzzle, "symmetries")
    if start and owner.start is None:
        raise InputError(f"{owner.name}: expected a start to keep, found none")
    with phase("the symmetries were sought"):
        return found(owner.model(metric), start=start, partial=partial)


@clocked(stopped_distance)
def distance(
    puzzle: Puzzle | Custom | str | Path,
    position: Any,
    *,
    metric: str = "",
    engine: str | Engine = "auto",
    cache: Use = "use",
    limits: Limits = Limits(),
    progress: Report | None = None,
) -> Distance:
    """Return how far a position is from the goal, and all moves that begin a shortest solution.

    position  as `with_start` takes it; of a `Custom` puzzle any of its positions
    cache     whether the table of the puzzle in the cache folder may answer, as in `solve`
    Raises what `solve` raises, and FormatError if the text is not a position.

    >>> found = distance("slide:3x2", "1 2 3 / 4 . 5")
    >>> found.distance, [name for name, _ in found.next]
    (1, ['5 left'])
    """
    puzzle = games.level_of(puzzle) or puzzle
    if isinstance(puzzle, Custom):
        return _custom_distance(with_start(puzzle, position), metric, engine, Watch(limits, progress))
    owner = with_start(loader.puzzle_of(puzzle), position)
    model = owner.model(metric)
    watch = answering(limits, progress)
    begin(model, watch)
    question, reason = question_of(owner, model, engine)
    if reason is not None:
        return Distance(None, (), no_solution(model, reason, "none", watch))
    name, found = _searched(owner, question, watch, engine, cache)
    if found.stopped is not None or not found.layers:
        return Distance(None, (), unsolved(model, found, name, watch))
    with solution_found(found, watch):
        solution = solution_of(owner, model, paths.first_path(model, found.layers), name, watch)
    try:
        with graced():
            return Distance(solution.moves, best_moves(owner, model, found, solution), solution)
    except (LimitError, Overdue) as late:
        return Distance(solution.moves, (), replace(solution, stopped=limit_of(late)))


def _custom_distance(puzzle: Custom, metric: str, engine: str | Engine, watch: Watch) -> Distance:
    """Return the distance of the start of a puzzle written in Python, whose moves have no names."""
    _, space = model_of(puzzle, metric)
    question = bounded(question_of(None, space, engine)[0], None, "", "")
    name, found = _searched(None, question, watch, engine)
    if found.stopped is not None or not found.layers:
        return Distance(None, (), unsolved(space, found, name, watch))
    solution = resting(solution_of(None, space, paths.first_path(space, found.layers), name, watch), found)
    best = [each for each in dict.fromkeys(puzzle.moves(puzzle.start)) if solution.moves and each in found.layers[1]]
    return Distance(solution.moves, tuple(("", each) for each in best), solution)


@clocked()
def check_known(
    puzzle: Puzzle | str | Path, *, limits: Limits = Limits(), progress: Report | None = None
) -> list[Claim]:
    """Compute every `known:` number of the puzzle and return it beside the number in the file.

    A computed number is None if a limit stopped it. Raises what `solve` and `depths` raise.

    >>> [(claim.known.what, claim.holds) for claim in check_known("no-off-b")][:2]
    [('states', True), ('depth', True)]
    """
    owner = loader.puzzle_of(puzzle, "check_known")
    tables: dict[tuple[str, str], DepthTable] = {}
    solved: dict[str, Solution] = {}
    claims: list[Claim] = []
    answering(limits).known.answer = claims.copy
    counted = any(known.what == "solutions" for known in owner.known)
    for known in owner.known:
        if known.what in ("solution", "solutions"):
            if known.metric not in solved:
                solved[known.metric] = solve(
                    owner, metric=known.metric, count=counted, cache="off", limits=limits, progress=progress
                )
            answer = solved[known.metric]
            solutions = 0 if answer.status is Status.IMPOSSIBLE else answer.solutions
            claims.append(Claim(known, answer.moves if known.what == "solution" else solutions))
            continue
        key = (known.metric, "start" if known.from_start else "")
        if key not in tables:
            tables[key] = depths(owner, origin=key[1], metric=key[0], cache="off", limits=limits, progress=progress)
        table = tables[key]
        values = {"states": table.states, "depth": table.depth, "hardest": table.counts[-1] if table.counts else 0}
        claims.append(Claim(known, values[known.what] if table.complete else None))
    return claims
