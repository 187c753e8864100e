"""Answers from what an engine found: solutions, replayed, their numbers, and why there is none."""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace

from ..analysis import lawful, paths
from ..contract.answers import Geodesics, Reason, Solution, Status
from ..contract.questions import Space
from ..limits.stopping import graced
from ..limits.watch import Watch, activity
from ..model import replay
from ..model.model import Model
from ..puzzle.answers import PuzzleSolution
from ..puzzle.puzzle import Position, Puzzle
from .measuring import metric_of


def begin(space: Space, watch: Watch) -> None:
    """Note the bound that is known before anything is searched."""
    start = getattr(space, "start", None)
    watch.known.begin("search")
    watch.known.prove(0 if start is None or space.is_goal(start) else 1)


@contextmanager
def solution_found(found: Geodesics, watch: Watch) -> Generator[None, None, None]:
    """Let a solution that was found be replayed although a limit may have passed, for a moment; note its length."""
    watch.known.found = watch.known.bound = len(found.layers) - 1
    with graced():
        yield
    watch.known.found = None


def unsolved(space: Space, found: Geodesics, name: str, watch: Watch, count: bool = False) -> Solution:
    """Return the answer to a search that was stopped by a limit, or that was exhausted without a solution."""
    if found.stopped is not None:
        return Solution(
            Status.STOPPED, metric_of(space), None, found.bound, (), (), name, watch.generated, watch.seconds,
            stopped=found.stopped, expanded=found.expanded, rests_on=found.rests_on,
        )  # fmt: skip
    if found.assumed:
        text = f"no solution was found, and there is none if the bound {found.rests_on!r} never claims too much"
        reason = Reason("searched", text)
    else:
        reason = lawful.searched(space) if isinstance(space, Model) else Reason("searched", lawful.SEARCHED)
    return resting(no_solution(space, reason, name, watch, count), found)


def resting(answer: Solution, found: Geodesics) -> Solution:
    """Return an answer with the lower bound that it rests on."""
    answer = replace(answer, expanded=found.expanded, rests_on=found.rests_on)
    if not found.assumed:
        return answer
    return replace(answer, status=Status.ASSUMED, bound=found.bound)


def numbers_of(space: Space, found: Geodesics) -> dict[str, int | None]:
    """Return the fields of a Solution that count solutions."""
    if found.solutions is not None:
        return {"solutions": found.solutions}
    number = paths.count_paths(space, found.layers)
    if not isinstance(space, Model):
        return {"solutions": number}
    from .. import symmetry  # most questions need neither
    from ..analysis import traces, unordered

    return {
        "solutions": number,
        "solutions_commuting": traces.count_up_to_commuting(space, found.layers),
        "solutions_unordered": unordered.count_up_to_order(space, found.layers),
        "solutions_symmetry": traces.count_up_to_symmetry(space, found.layers, symmetry.symmetries(space, start=True)),
    }


def solution_of(owner: Puzzle | None, space: Space, steps: Sequence[paths.Step], name: str, watch: Watch) -> Solution:
    """Return one solution, replayed."""
    path = tuple(position for position, _ in steps)
    moves = len(path) - 1 if not isinstance(space, Model) else sum(space.cost(made) for _, made in steps[1:])
    if owner is None or not isinstance(space, Model):
        return Solution(Status.OPTIMAL, "step", moves, moves, path, (), name, watch.generated, watch.seconds)
    if path != watch.known.replayed:
        with activity("the solution was replayed"):
            replay.replay(space, path)
    shown = owner.walked(path, space) if space.metric.free else steps
    rules = tuple(made for _, made in shown[1:])
    frames = owner.frames([position for position, _ in shown], space, rules)
    placed = tuple(Position(owner, frame.position, frame.words) for frame in frames)
    names = tuple(frame.name for frame in frames[1:])
    return PuzzleSolution(
        Status.OPTIMAL, space.metric.name, moves, moves, placed, names, name, watch.generated, watch.seconds,
        puzzle=owner, rules=rules,
    )  # fmt: skip


def replayed(owner: Puzzle | None, space: Space, steps: Sequence[paths.Step], watch: Watch) -> Solution:
    """Return a solution that was found by listing paths, replayed."""
    return solution_of(owner, space, steps, "plain", watch)


def no_solution(space: Space, reason: Reason, name: str, watch: Watch, count: bool = False) -> Solution:
    """Return the answer that there is no solution, and why."""
    return Solution(
        Status.IMPOSSIBLE, metric_of(space), None, None, (), (), name, watch.generated, watch.seconds,
        *([0] * 4 if count else [None] * 4), reason=reason,
    )  # fmt: skip


def best_moves(
    owner: Puzzle, model: Model, found: Geodesics, solution: Solution
) -> tuple[tuple[str, Position], ...]:  # fmt: skip
    """Return all moves that begin a shortest solution, each with the position after it."""
    assert model.start is not None
    made = model.moves(model.start) if solution.moves else {}
    best = sorted(made.keys() & found.first) if found.first else _first_moves(model, made, found)
    after = [owner.frames((model.start, child), model)[1] for child in best]
    return tuple((frame.name, Position(owner, frame.position, frame.words)) for frame in after)


def _first_moves(model: Model, made: Mapping[bytes, tuple[int, ...]], found: Geodesics) -> list[bytes]:
    """Return the positions after the first move of any shortest solution."""
    after = ((child, model.cost(rules)) for child, rules in made.items())
    return sorted(child for child, cost in after if cost < len(found.layers) and child in found.layers[cost])
