"""Breadth-first search for pieces of any shape that slide: positions as codes of one word, all of them remembered.

Every position found is kept with its depth mod 3 in four or eight bytes, so shortest solutions are walked back without
keeping any layer. Where the goals are a few positions the search goes on from both ends.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from ..errors import LimitError, UnsupportedError
from ..model import Model
from ..result import Depths, Engine, Geodesics, Layers, Search, Space, Watch, model_of

if TYPE_CHECKING:
    import numpy as np

    from ..kernels.blocks import Board
    from .blocks_plan import Codes
    from .blocks_reach import Reach

MOST_GOALS = 64
"""Up to so many goal positions a search goes backwards too."""


def refuses(space: Space, question: str) -> str | None:
    """Return why it cannot answer: the rules do more than slide pieces, or positions take more than a word."""
    model = model_of(space)
    if model is None:
        return "its moves are Python functions, not rules"
    example = model.start or next((goal.position for goal in model.goals if goal.position is not None), None)
    if example is None:
        return "it must know the pieces: the puzzle has no start, and its goal leaves cells open"
    from .blocks_metric import freedom
    from .blocks_plan import Codes

    try:
        freedom(Codes.of(model, (example,)))
    except UnsupportedError as reason:
        return str(reason).removeprefix("engine blocks: ")
    return None


def _prepared(model: Model, ends: tuple[bytes, ...]) -> tuple[Codes, Board]:
    """Return the codes and the arrays of the puzzle; raise UnsupportedError where it has none."""
    from .blocks_arrays import board_of
    from .blocks_plan import Codes

    try:
        codes = Codes.of(model, ends)
        return codes, board_of(codes)
    except UnsupportedError as reason:
        raise UnsupportedError(f"engine blocks: {reason}") from None


def depths(question: Depths, watch: Watch) -> Layers:
    """Count the positions at each distance from the nearest source."""
    model = question.space
    assert isinstance(model, Model)
    codes, board = _prepared(model, question.sources)
    return _layers(codes, board, codes.codes(question.sources), question, watch)


def goal_depths(question: Depths, watch: Watch) -> Layers:
    """Count the positions that the sources reach at each distance from the nearest of those that meet `collect`.

    What can be reached does not depend on what counts as one move, so the goals are looked for rule by rule.
    """
    import numpy as np

    from .blocks_arrays import tests_of
    from .blocks_reach import Reach

    model = question.space
    assert isinstance(model, Model)
    codes, board = _prepared(model, question.sources)
    tests = tests_of(codes, question.collect)
    found = [codes.codes(())]
    try:
        reach = Reach(codes, board.step_by_step(), codes.codes(question.sources), watch, back=False)
        while len(reach.layer):
            found.append(reach.meeting(tests))
            reach.grow()
    except LimitError as error:
        return Layers((), (), False, watch.generated, watch.seconds, stopped=error)
    again = replace(question, collect=())
    return _layers(codes, board, np.concatenate(found), again, watch, reach.found)


def _layers(codes: Codes, board: Board, ends: np.ndarray, question: Depths, watch: Watch, expected: int = 0) -> Layers:
    """Count the positions at each distance from the nearest of the ends; `expected` positions, if that is known."""
    from .blocks_arrays import tests_of
    from .blocks_listing import Collected, least
    from .blocks_reach import Reach

    tests = tests_of(codes, question.collect)
    counts: list[int] = []
    collected = Collected(codes)
    stopped, last = None, ends
    try:
        reach = Reach(codes, board, ends, watch, back=False)
        reach.expect(expected)
        while len(reach.layer):
            last = reach.layer
            counts.append(len(last))
            watch.layer(reach.depth, len(last), reach.found)
            if question.collect:
                collected.add(reach.depth, reach.meeting(tests))
            reach.grow()
    except LimitError as error:
        stopped = error
    deepest = least(codes, codes.untagged(last), question.keep)
    return Layers(tuple(counts), deepest, stopped is None, watch.generated, watch.seconds, collected, stopped=stopped)


def search(question: Search, watch: Watch) -> Geodesics:
    """Find positions on a shortest way from the start to a goal: all of them, or one for each layer."""
    from .blocks_arrays import tests_of
    from .blocks_reach import Reach

    model = question.space
    assert isinstance(model, Model)
    codes, board = _prepared(model, (question.start,))
    tests = tests_of(codes, model.goals)
    backward, depth = None, 0
    try:
        forward = Reach(codes, board, codes.codes((question.start,)), watch)
        if question.goals is not None and len(question.goals) <= MOST_GOALS:
            backward = Reach(codes, board, codes.codes(question.goals), watch)
        while True:
            depth = forward.depth + (backward.depth if backward else 0)
            met = forward.meeting(tests) if backward is None else backward.holding(forward.layer)
            if len(met):
                return Geodesics(_ways(question, forward, backward, met), watch.generated, watch.seconds, depth)
            side = backward if backward and len(backward.layer) < len(forward.layer) else forward
            if not len(side.layer):
                return Geodesics((), watch.generated, watch.seconds)
            watch.layer(depth, len(side.layer), forward.found + (backward.found if backward else 0))
            side.grow()
    except LimitError as error:
        return Geodesics((), watch.generated, watch.seconds, depth + 1, error)


def _ways(question: Search, forward: Reach, backward: Reach | None, met: np.ndarray) -> tuple[frozenset[bytes], ...]:
    """Return the positions on ways through those where the sides met, by distance from the start."""
    met = met if question.every else met[[met.argmin()]]
    rows = forward.ways(met, question.every)[::-1]
    if backward is not None:
        rows += backward.ways(met, question.every)[1:]
    return tuple(frozenset(forward.codes.positions(row)) for row in rows)


ENGINE = Engine("blocks", refuses, depths=depths, search=search, goal_depths=goal_depths)
