"""The Python interface: load, solve, solutions, depths, distance, symmetries, check_known.

Every function takes a puzzle as `load` returns it, or the text that `load` takes; `solve`, `solutions` and `depths`
take a `Custom` puzzle as well. `model.replay` checks every solution before it is returned.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar

from ..analysis import impossible, paths
from ..contract.answers import DepthTable, Geodesics, Layers, Measured, Reason, Solution, Status
from ..contract.questions import Depths, Engine, Search, Space
from ..errors import FormatError, InputError, LimitError, UnsupportedError
from ..limits.watch import Limits, Progress, Watch, phase, watched
from ..model import replay
from ..model.custom import Custom
from ..model.model import Goal, Model
from ..puzzle.answers import Distance, PuzzleSolution, PuzzleTable
from ..puzzle.draft import Claim
from ..puzzle.puzzle import Puzzle
from . import choice, faults, loader

if TYPE_CHECKING:
    from ..symmetry import SymmetryGroup as SymmetryGroup

Report = Callable[[Progress], None]

Given = ParamSpec("Given")
Answer = TypeVar("Answer")


def clocked(
    stopped: Callable[[LimitError, Watch, Any, Any], Answer] | None = None,
) -> Callable[[Callable[Given, Answer]], Callable[Given, Answer]]:
    """Return a decorator that starts the clock of a function's `limits` when it is called, before a puzzle is read.

    stopped  makes the answer if a limit is passed outside the search, from the error, the watch, and the function's
             `metric` and `engine`; without it the LimitError is raised
    """

    def decorate(function: Callable[Given, Answer]) -> Callable[Given, Answer]:
        @wraps(function)
        def timed(*args: Given.args, **given: Given.kwargs) -> Answer:
            limits, report = given.get("limits", Limits()), given.get("progress")
            assert isinstance(limits, Limits)
            with watched(limits, report) as watch:  # type: ignore[arg-type]
                try:
                    return function(*args, **given)
                except LimitError as error:
                    if stopped is None:
                        raise
                    return stopped(error, watch, given.get("metric", ""), given.get("engine", "auto"))

        return timed

    return decorate


def _stopped_solution(error: LimitError, watch: Watch, metric: str, engine: str | Engine) -> Solution:
    name = engine if isinstance(engine, str) else engine.name
    return Solution(
        Status.STOPPED, metric, None, error.bound, (), (), name, watch.generated, watch.seconds, stopped=error
    )


def _stopped_table(error: LimitError, watch: Watch, metric: str, engine: str | Engine) -> DepthTable:
    name = engine if isinstance(engine, str) else engine.name
    return DepthTable((), "", metric, (), False, True, name, watch.generated, watch.seconds, error)


def _stopped_distance(error: LimitError, watch: Watch, metric: str, engine: str | Engine) -> Distance:
    return Distance(None, (), _stopped_solution(error, watch, metric, engine))


def load(source: str | Path) -> Puzzle:
    """Return the puzzle of that catalogue name or alias, file, family spec ('slide:4x4'), or '-' (standard input).

    Raises InputError (FormatError for an error in a file, with its place).
    """
    return loader.from_file(source) if isinstance(source, Path) else loader.load(source)


def _puzzle(puzzle: Puzzle | str | Path) -> Puzzle:
    return puzzle if isinstance(puzzle, Puzzle) else load(puzzle)


def read_position(puzzle: Puzzle, text: str) -> bytes:
    """Return the position that a person wrote: a drawing, one line with '/' between rows, or a short id.

    Raises FormatError with the place in the text.
    """
    try:
        return puzzle.read(text)
    except FormatError as error:
        raise error.located("position", text) from None


def with_start(puzzle: Puzzle, position: str | bytes) -> Puzzle:
    """Return the puzzle with another start. Raises FormatError if the text is not a position."""
    start = read_position(puzzle, position) if isinstance(position, str) else position
    return replace(puzzle, start=start)


def with_goal(puzzle: Puzzle, position: str | bytes) -> Puzzle:
    """Return the puzzle with this position as its only goal; the symbols of like pieces do not change.

    Raises FormatError if the text is not a position.
    """
    goal = read_position(puzzle, position) if isinstance(position, str) else position
    return replace(puzzle, goals=(Goal.exactly(goal),))


def _model(puzzle: Puzzle | Custom | str | Path, metric: str) -> tuple[Puzzle | None, Space]:
    if isinstance(puzzle, Custom):
        if metric:
            raise InputError(f"metric: expected none for a puzzle written in Python, found {metric!r}")
        return None, puzzle
    puzzle = _puzzle(puzzle)
    with phase("the model was built"):
        return puzzle, puzzle.model(metric)


@clocked(_stopped_solution)
def solve(
    puzzle: Puzzle | Custom | str | Path,
    *,
    metric: str = "",
    engine: str | Engine = "auto",
    count: bool = False,
    heuristic: str = "",
    limits: Limits = Limits(),
    progress: Report | None = None,
) -> Solution:
    """Return a shortest solution, the reason why there is none, or what was proved before a limit stopped the search.

    metric     what counts as one move (default: the puzzle's)
    engine     'auto', an engine's name, or an engine (such as `saving` and `asking` return)
    count      also count the shortest solutions: all, up to commuting moves, up to symmetry
    heuristic  the lower bound of the engine idastar: distance, assignment, inversion, walking or pattern (pattern:6-6-3
               has groups of these sizes, 'pattern:1 2 5/3 4' of these pieces); '+' takes the greatest of several
    Raises InputError if the puzzle lacks a start or a goal, UnsupportedError if the engine cannot answer,
    SelfCheckError if no engine gives an answer that passes the checks. The engines' methods are in docs/methods/.
    """
    owner, space = _model(puzzle, metric)
    watch = Watch(limits, progress)
    question, reason = _question(owner, space, engine)
    if reason is not None:
        return _no_solution(space, reason, "none", watch, count)
    letters = getattr(owner.view, "letters", ()) if owner is not None else ()
    question = replace(question, every=count, heuristic=heuristic, letters=letters)
    name, found = _searched(owner, question, watch, engine)
    if found.stopped is not None or not found.layers:
        return _unsolved(space, found, name, watch, count)
    answer = _solution(owner, space, paths.first_path(space, found.layers), name, watch)
    if not count:
        return answer
    try:
        with phase("the solutions were counted"):
            return replace(answer, **_counted(space, found))
    except LimitError as error:
        return replace(answer, stopped=error)


def _unsolved(space: Space, found: Geodesics, name: str, watch: Watch, count: bool = False) -> Solution:
    """Return the answer to a search that was stopped by a limit, or that was exhausted without a solution."""
    if found.stopped is not None:
        return Solution(
            Status.STOPPED, _metric(space), None, found.bound, (), (), name, watch.generated, watch.seconds,
            stopped=found.stopped,
        )  # fmt: skip
    text = "searched to the end: no position that can be reached from the start is a goal"
    return _no_solution(space, Reason("searched", text), name, watch, count)


def _searched(owner: Puzzle | None, question: Search, watch: Watch, engine: str | Engine) -> tuple[str, Geodesics]:
    """Return the engine that answered and its answer; report wrong answers of other engines."""
    answer = choice.search(question, watch, engine)
    if owner is not None:
        faults.report(owner, _metric(question.space), watch.faults)
    return answer


def _counted(space: Space, found: Geodesics) -> dict[str, int | None]:
    """Return the fields of a Solution that count solutions."""
    if found.solutions is not None:
        return {"solutions": found.solutions}
    number = paths.count_paths(space, found.layers)
    if not isinstance(space, Model):
        return {"solutions": number}
    from .. import symmetry  # most questions need neither
    from ..analysis import traces

    return {
        "solutions": number,
        "solutions_commuting": traces.count_up_to_commuting(space, found.layers),
        "solutions_symmetry": traces.count_up_to_symmetry(space, found.layers, symmetry.symmetries(space, start=True)),
    }


def _solution(owner: Puzzle | None, space: Space, steps: Sequence[paths.Step], name: str, watch: Watch) -> Solution:
    """Return one solution, replayed."""
    path = tuple(position for position, _ in steps)
    moves = len(path) - 1
    if owner is None or not isinstance(space, Model):
        return Solution(Status.OPTIMAL, "step", moves, moves, path, (), name, watch.generated, watch.seconds)
    with phase("the solution was replayed"):
        replay.replay(space, path)
    rules = tuple(made for _, made in steps[1:])
    names = tuple(frame.name for frame in owner.frames(path, space, rules)[1:])
    return PuzzleSolution(
        Status.OPTIMAL, space.metric.name, moves, moves, _placed(owner, path), names, name, watch.generated,
        watch.seconds, puzzle=owner, rules=rules,
    )  # fmt: skip


def _placed(owner: Puzzle | None, positions: Sequence[Any]) -> tuple[Any, ...]:
    """Return positions with a reference to their puzzle, if there is one."""
    return tuple(positions) if owner is None else tuple(map(owner.at, positions))


def _no_solution(space: Space, reason: Reason, name: str, watch: Watch, count: bool = False) -> Solution:
    return Solution(
        Status.IMPOSSIBLE, _metric(space), None, None, (), (), name, watch.generated, watch.seconds,
        *([0] * 3 if count else [None] * 3), reason=reason,
    )  # fmt: skip


def _metric(space: Space) -> str:
    return space.metric.name if isinstance(space, Model) else "step"


def _question(owner: Puzzle | None, space: Space, engine: str | Engine) -> tuple[Search, Reason | None]:
    """Return the search, and the reason why there is no solution if that is known without a search.

    A saved table (an engine passed as an object) is given all goals, to check that it measures to them.
    """
    if owner is None or not isinstance(space, Model):
        assert isinstance(space, Custom)
        return Search(space, space.start, space.goals), None
    if space.start is None:
        raise InputError(f"{owner.name}: expected a start to solve from, found none (give one with --start)")
    if not space.goals:
        raise InputError(f"{owner.name}: expected a goal to solve to, found none (give one with --goal)")
    if isinstance(engine, str) and space.is_goal(space.start):
        return Search(space, space.start, (space.start,)), None
    with phase("the goal positions were listed"):
        goals = impossible.few_goals(space) if isinstance(engine, str) else impossible.goal_positions(space)
    reason = None
    if goals is not None:
        letters = [" ".join(words) or "body" for words in getattr(owner.view, "letters", ())]
        with phase("invariants were sought"):
            reason = impossible.why_impossible(space, space.start, goals, owner.board.names, letters)
    return Search(space, space.start, goals), reason


def solutions(
    puzzle: Puzzle | Custom | str | Path, *, metric: str = "", engine: str | Engine = "auto", limits: Limits = Limits()
) -> Iterator[Solution]:
    """Yield every shortest solution, in the order of positions; nothing if there is no solution.

    Raises LimitError if a limit stops the search or there are too many to list, and what `solve` raises.
    """
    owner, space = _model(puzzle, metric)
    question, reason = _question(owner, space, engine)
    if reason is not None:
        return
    watch = Watch(limits)
    name, found = _searched(owner, question, watch, engine)
    if found.stopped is not None:
        raise found.stopped
    if found.solutions is not None:
        raise LimitError("positions", f"there are {found.solutions:,} shortest solutions, too many to list")
    for steps in paths.all_paths(space, found.layers) if found.layers else ():
        yield _solution(owner, space, steps, name, watch)


@clocked(_stopped_table)
def depths(
    puzzle: Puzzle | Custom | str | Path,
    *,
    origin: str = "",
    metric: str = "",
    engine: str | Engine = "auto",
    keep: int = 20,
    classes: bool = False,
    limits: Limits = Limits(),
    progress: Report | None = None,
) -> DepthTable:
    """Return how many positions lie at each distance, and the hardest positions with their number up to symmetry.

    origin   'goal': distances to the goal (the default if every move can be undone); 'start': from the start
    engine   'auto', an engine's name, or an engine (such as `saving` and `asking` return)
    keep     how many of the hardest positions to return (0: none, and no classes either)
    classes  return one position of each class of hardest positions under the symmetries
    Raises InputError if the puzzle lacks the start or goal to measure from, UnsupportedError if distances to the goal
    cannot be measured or the engine cannot answer. What is counted: docs/format.md ('What exactly is counted').
    """
    owner, space = _model(puzzle, metric)
    watch = Watch(limits, progress)
    if not isinstance(space, Model):
        assert isinstance(space, Custom)
        return _table(choice.depths(Depths(space, (space.start,), keep), watch, engine), "start", None, space, watch)
    assert owner is not None
    origin = origin or default_origin(space)
    listed = max(keep, MOST_CLASSED) if keep else 0
    table = _measured(owner, space, origin, listed, watch, engine)
    faults.report(owner, space.metric.name, watch.faults)
    return _classed(table, owner, space, keep, classes)


MOST_CLASSED = 20_000
"""The most hardest positions that are grouped into classes."""


def _measured(owner: Puzzle, space: Model, origin: str, keep: int, watch: Watch, engine: str | Engine) -> DepthTable:
    """Return the depth table of a puzzle with rules, with up to `keep` of its hardest positions, not yet in classes."""
    if origin == "start":
        if space.start is None:
            raise InputError(f"{owner.name}: expected a start to measure from, found none")
        return _table(choice.depths(Depths(space, (space.start,), keep), watch, engine), origin, None, space, watch)
    if origin != "goal":
        raise InputError(f"origin: expected start or goal, found {origin!r}")
    if space.backward is None:
        raise UnsupportedError("distances to the goal need moves that can be traced back; measure from the start")
    target = space if space.reversible else space.backward
    if space.start is not None and _choice_of_goals(space):
        answer = choice.goal_depths(Depths(space, (space.start,), keep, space.goals), watch, engine)
        if answer is not None:
            reached = (position for position, _ in answer[1].collected)
            measured = _measured_to(space, reached, len(answer[1].collected), True)
            return _table(answer, origin, None, space, watch, measured)
    try:
        sources, reached = _goal_sources(owner, space, watch, engine)
    except LimitError as error:
        name = engine if isinstance(engine, str) else engine.name
        return DepthTable((), origin, _metric(space), (), False, True, name, watch.generated, watch.seconds, error)
    measured = _measured_to(space, sources, len(sources), reached)
    return _table(choice.depths(Depths(target, sources, keep), watch, engine), origin, None, space, watch, measured)


def _measured_to(model: Model, positions: Iterable[bytes], number: int, reached: bool | None) -> Measured:
    """Return a description of the `number` goal positions that distances are measured to."""
    unmet = dict(enumerate(model.goals, 1))
    for position in positions:
        if not unmet:
            break
        unmet = {order: goal for order, goal in unmet.items() if not goal.holds(position)}
    return Measured(len(model.goals), number, reached, tuple(unmet))


def _classed(table: DepthTable, owner: Puzzle, space: Model, keep: int, one_each: bool) -> DepthTable:
    """Return the table with the number of classes of its hardest positions, and `keep` of them listed."""
    shown, number = table.hardest, None
    if table.complete and shown and len(shown) == table.counts[-1] <= MOST_CLASSED:
        try:
            found = _classes(space, shown, table.origin)
        except LimitError as error:
            return PuzzleTable.of(owner, replace(table, hardest=_placed(owner, shown[:keep]), stopped=error))
        number = None if found is None else len(found)
        shown = tuple(each[0] for each in found) if found is not None and one_each else shown
    return PuzzleTable.of(owner, replace(table, hardest=_placed(owner, shown[:keep]), classes=number))


def _classes(space: Model, positions: Sequence[bytes], origin: str) -> tuple[tuple[bytes, ...], ...] | None:
    from .. import symmetry

    with phase("the hardest positions were put into classes"):
        return symmetry.classes(space, positions, origin)


@clocked()
def symmetries(
    puzzle: Puzzle | str | Path, *, metric: str = "", start: bool = False, limits: Limits = Limits()
) -> SymmetryGroup:
    """Return the group of renamings of cells and symbols that keep the rules, the metric and the goals.

    start  whether they must keep the start too
    Raises InputError if the start must be kept and the puzzle has none, LimitError if a limit is passed. The method is
    in docs/methods/symmetry.md.
    """
    from ..symmetry import symmetries as found

    owner = _puzzle(puzzle)
    if start and owner.start is None:
        raise InputError(f"{owner.name}: expected a start to keep, found none")
    with phase("the symmetries were sought"):
        return found(owner.model(metric), start=start)


def default_origin(model: Model) -> str:
    """Return 'goal' if there is one, and every move can be undone or there is no start; else 'start'."""
    return "goal" if model.goals and (model.reversible or model.start is None) else "start"


def _choice_of_goals(model: Model) -> bool:
    """Return whether the goal positions that count depend on the start's component."""
    single = [goal.position for goal in model.goals]
    return model.reversible and (len(single) > 1 or None in single)


def _goal_sources(
    owner: Puzzle, model: Model, watch: Watch, engine: str | Engine
) -> tuple[tuple[bytes, ...], bool | None]:
    """Return the goal positions to measure to, and whether the start reaches them (None: not known).

    docs/format.md ('What exactly is counted') says which ones count.
    """
    if not model.goals:
        raise InputError(f"{owner.name}: expected a goal to measure to, found none")
    reached = None
    if model.start is not None and _choice_of_goals(model):
        _, layers = choice.depths(Depths(model, (model.start,), 0, model.goals), watch, engine)
        if layers.stopped is not None:
            raise layers.stopped
        if layers.collected:
            return tuple(position for position, _ in layers.collected), True
        reached = False
    with phase("the goal positions were listed"):
        goals = impossible.goal_positions(model)
    if not goals:
        none = (
            "no way of placing the pieces meets a goal" if goals is not None else "the goal positions cannot be listed"
        )
        raise UnsupportedError(f"{owner.name}: {none}; measure from the start")
    return goals, reached


def _table(
    answer: tuple[str, Layers],
    origin: str,
    owner: Puzzle | None,
    space: Space,
    watch: Watch,
    measured: Measured | None = None,
) -> DepthTable:
    name, layers = answer
    return DepthTable(
        layers.counts, origin, _metric(space), _placed(owner, layers.deepest), layers.complete, layers.exact, name,
        watch.generated, watch.seconds, layers.stopped, measured=measured,
    )  # fmt: skip


@clocked(_stopped_distance)
def distance(
    puzzle: Puzzle | str | Path,
    position: str | bytes,
    *,
    metric: str = "",
    engine: str | Engine = "auto",
    limits: Limits = Limits(),
    progress: Report | None = None,
) -> Distance:
    """Return how far a position is from the goal, and all moves that begin a shortest solution.

    Raises what `solve` raises, and FormatError if the text is not a position.
    """
    owner = with_start(_puzzle(puzzle), position)
    model = owner.model(metric)
    watch = Watch(limits, progress)
    question, reason = _question(owner, model, engine)
    if reason is not None:
        return Distance(None, (), _no_solution(model, reason, "none", watch))
    name, found = _searched(owner, question, watch, engine)
    if found.stopped is not None or not found.layers:
        return Distance(None, (), _unsolved(model, found, name, watch))
    solution = _solution(owner, model, paths.first_path(model, found.layers), name, watch)
    assert model.start is not None
    best = sorted(model.moves(model.start).keys() & (found.first or found.layers[1])) if solution.moves else []
    named = tuple((owner.frames((model.start, child), model)[1].name, owner.at(child)) for child in best)
    return Distance(solution.moves, named, solution)


@clocked()
def check_known(
    puzzle: Puzzle | str | Path, *, limits: Limits = Limits(), progress: Report | None = None
) -> list[Claim]:
    """Compute every `known:` number of the puzzle and return it beside the number in the file.

    A computed number is None if a limit stopped it. Raises what `solve` and `depths` raise.
    """
    owner = _puzzle(puzzle)
    tables: dict[tuple[str, str], DepthTable] = {}
    solved: dict[str, Solution] = {}
    claims: list[Claim] = []
    counted = any(known.what == "solutions" for known in owner.known)
    for known in owner.known:
        if known.what in ("solution", "solutions"):
            if known.metric not in solved:
                solved[known.metric] = solve(
                    owner, metric=known.metric, count=counted, limits=limits, progress=progress
                )
            answer = solved[known.metric]
            solutions = 0 if answer.status is Status.IMPOSSIBLE else answer.solutions
            claims.append(Claim(known, answer.moves if known.what == "solution" else solutions))
            continue
        key = (known.metric, "start" if known.from_start else "")
        if key not in tables:
            tables[key] = depths(owner, origin=key[1], metric=key[0], limits=limits, progress=progress)
        table = tables[key]
        values = {"states": table.states, "depth": table.depth, "hardest": table.counts[-1] if table.counts else 0}
        claims.append(Claim(known, values[known.what] if table.complete else None))
    return claims
