"""What is searched for: the search of a question, its lower bound, and why there is no solution if that is known."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from ..analysis import impossible, lawful
from ..contract.answers import Reason
from ..contract.bound import Bound, Evaluate, bound_of
from ..contract.questions import Engine, Search, Space
from ..errors import InputError
from ..heuristics import spelling
from ..limits.watch import phase
from ..model.custom import FIRST, Custom
from ..model.model import Model
from ..puzzle.puzzle import Puzzle
from ..registry import ENGINES
from . import choice, games, loader


def model_of(puzzle: Puzzle | Custom | str | Path, metric: str) -> tuple[Puzzle | None, Space]:
    """Return the puzzle, unless it is written in Python, and the space to search."""
    puzzle = games.level_of(puzzle) or puzzle
    if isinstance(puzzle, Custom):
        if metric:
            raise InputError(f"metric: expected none for a puzzle written in Python, found {metric!r}")
        puzzle.check(puzzle.start, FIRST)
        return None, puzzle
    puzzle = loader.puzzle_of(puzzle)
    with phase("the model was built"):
        return puzzle, puzzle.model(metric)


Bounding = str | Bound | Evaluate
"""A lower bound as a caller gives it: a name, such as 'walking+inversion', a bound, or a function of a position."""


def check_options(puzzle: Puzzle, *, metric: str = "", engine: str | Engine = "auto", heuristic: str = "") -> None:
    """Raise InputError if no position of the puzzle can be solved with these options, because a name is unknown."""
    puzzle.model(metric)
    check_bound(heuristic, engine)
    if heuristic:
        from ..bounds import choosing

        choosing.names(spelling.numbered(heuristic, getattr(puzzle.view, "letters", ())))


def check_bound(bound: Bounding, engine: str | Engine) -> None:
    """Raise InputError if the engine is unknown, or does not use the lower bound that is asked for."""
    if engine == "auto":
        return
    chosen = choice.engine(engine)
    if bound and not chosen.bounds:
        able = " or ".join(each.name for each in ENGINES if each.bounds)
        asked = bound if isinstance(bound, str) else bound_of(bound).name
        raise InputError(f"bound: expected the engine {able} beside {asked!r}, found {chosen.name}")


def bounded(question: Search, owner: Puzzle | None, bound: Bounding, heuristic: str) -> Search:
    """Return the question with the lower bound that is asked for; else with that of a puzzle written in Python."""
    if bound and heuristic:
        raise InputError(f"heuristic: expected none beside bound, found {heuristic!r}")
    asked = bound or heuristic
    letters = getattr(owner.view, "letters", ()) if owner is not None else ()
    if isinstance(asked, str) and asked:
        from ..bounds import choosing  # most questions ask for no bound

        choosing.names(spelling.numbered(asked, letters))
        return replace(question, heuristic=asked, letters=letters)
    if not isinstance(asked, str):
        return replace(question, bound=bound_of(asked))
    space = question.space
    if isinstance(space, Custom) and space.bound is not None:
        return replace(question, bound=bound_of(space.bound, space.consistent))
    return question


def search_of(
    puzzle: Puzzle | Custom | str | Path, metric: str, bound: Bounding
) -> tuple[Puzzle | None, Search, Reason | None]:
    """Return the puzzle, the search for one shortest solution, and why there is none if that is known beforehand."""
    owner, space = model_of(puzzle, metric)
    question, reason = question_of(owner, space, "auto")
    return owner, bounded(replace(question, every=False), owner, bound, ""), reason


def question_of(owner: Puzzle | None, space: Space, engine: str | Engine) -> tuple[Search, Reason | None]:
    """Return the search, and the reason why there is no solution if that is known without a search.

    An engine that is not one of ours, such as a saved table, lists all goals anyway. So all are checked for a reason.
    """
    if owner is None or not isinstance(space, Model):
        assert isinstance(space, Custom)
        return Search(space, space.start, space.goals), None
    if space.start is None:
        raise InputError(f"{owner.name}: expected a start to solve from, found none")
    if not space.goals:
        raise InputError(f"{owner.name}: expected a goal to solve to, found none")
    if space.is_goal(space.start):
        return Search(space, space.start, (space.start,)), None
    reason = _out_of_reach(owner, space) or lawful.forbidden_goals(space)
    if reason is not None:
        return Search(space, space.start, None), reason
    with phase("the goal positions were listed"):
        tried = impossible.FEW_TRIED if space.reversible else impossible.FEWER_TRIED
        few = isinstance(engine, str) or engine in ENGINES
        goals = impossible.few_goals(space, tried) if few else impossible.goal_positions(space)
    if goals is not None:
        letters = [" ".join(words) or "body" for words in getattr(owner.view, "letters", ())]
        with phase("invariants were sought"):
            reason = impossible.why_impossible(space, space.start, goals, owner.board.names, letters)
    return Search(space, space.start, goals), reason


def _out_of_reach(owner: Puzzle, space: Model) -> Reason | None:
    """Return why no goal can be reached in terms of the puzzle's pieces, if either the start or all goals are at fault.

    Two positions that cannot be reached from the solved one may be reached from each other.
    """
    goals = [goal.position for goal in space.goals]
    if owner.notation is None or space.start is None or not all(goals):
        return None
    here, there = owner.fault(space.start), [owner.fault(position) for position in goals if position is not None]
    if here is not None and not any(there):
        return here
    ends = there[0] if here is None and all(there) else None
    return None if ends is None else Reason(ends.kind, f"of the goal: {ends.text}")
