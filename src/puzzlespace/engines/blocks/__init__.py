"""Breadth-first search for sliding blocks of any shape, with positions coded in one word.

A hash set stores every position found with its depth mod 3, in four or eight bytes each. So shortest solutions can be
followed back without storing layers. If there are few goal positions, the search runs from both ends.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from ...contract.answers import Geodesics, Layers
from ...contract.questions import FEW_PLACEMENTS, Depths, Engine, Prospect, Search, Space, Worth, model_of, unfit
from ...errors import LimitError, UnsupportedError
from ...limits.thresholds import Threshold
from ...limits.watch import Watch
from ...model.model import Model

if TYPE_CHECKING:
    from ...kernels.blocks.moves import BlockBoard
    from .codes import Codes

ATTEMPT_BLOCKS = Threshold(200_000)
"""Positions that layers with NumPy may generate first: about as many as they generate while the compiled loops load.

Measured: with an eighth `solve klotski` took 1.7 times as long; with eight times as many `solve goat-hard` took 1.2
times.
"""

BLOCK_RULES = Threshold(256)
"""With more rules than this NumPy is slow, and `ATTEMPT_BLOCK_RULES` holds."""

ATTEMPT_BLOCK_RULES = Threshold(5_000)
"""Positions that a slower engine may generate first if there are many rules.

Plain Python generates so many in 0.04 to 0.25 s.
"""

BACKWARD_GOALS = Threshold(64)
"""The most goal positions for a search from both ends."""


def refuses(space: Space, question: str) -> str | None:
    """Return why the engine cannot answer (rules do not only slide pieces, codes of more than a word), or None."""
    model = model_of(space)
    if model is None or model.metric.free:
        return unfit(space)
    if model.anchor is None:
        return "it must know the pieces: the puzzle has no start, and its goal leaves cells open"
    from .codes import Codes
    from .metric import freedom

    try:
        freedom(Codes.of(model, (model.anchor,)))
    except UnsupportedError as reason:
        return str(reason).removeprefix("engine blocks: ")
    return None


def worth(question: Depths | Search, prospect: Prospect) -> Worth:
    """Return after how many positions the engine beats slower ones; only boards with blocks are worthwhile."""
    by, model = prospect.watch.thresholds, model_of(question.space)
    if model is None or model.shapes is None:
        return Worth(reason="no piece covers several cells")
    if isinstance(question, Search):
        few = len(model.rules) <= by[BLOCK_RULES]
        return Worth.unless(refuses(model, "search"), by[ATTEMPT_BLOCKS if few else ATTEMPT_BLOCK_RULES])
    return Worth.unless(prospect.few(FEW_PLACEMENTS) or refuses(model, "depths"))


def prepared(model: Model, ends: tuple[bytes, ...]) -> tuple[Codes, BlockBoard]:
    """Return the codes and the arrays of the puzzle; raise UnsupportedError if the engine cannot read it."""
    from .arrays import board_of
    from .codes import Codes

    try:
        codes = Codes.of(model, ends)
        return codes, board_of(codes)
    except UnsupportedError as reason:
        raise UnsupportedError(f"engine blocks: {reason}") from None


def depths(question: Depths, watch: Watch) -> Layers:
    """Count the positions at each distance from the nearest source."""
    from ...search.layers import count
    from .reach import BlockReach

    model = question.model
    codes, board = prepared(model, question.sources)
    return count(BlockReach(codes, board, watch, back=False, goals=question.collect), question, watch)


def goal_depths(question: Depths, watch: Watch) -> Layers:
    """Count the positions reachable from the sources at each distance from the nearest one that meets `collect`.

    Reachability does not depend on the metric, so the goals are searched with every rule as a move.
    """
    from ...search.layers import Collected, count, reached
    from .reach import BlockReach

    model = question.model
    codes, board = prepared(model, question.sources)
    try:
        everything = BlockReach(codes, board.step_by_step(), watch, back=False, goals=question.collect)
        total, met = reached(everything, question.sources, watch)
    except LimitError as error:
        return Layers((), (), False, watch.generated, watch.seconds, stopped=error)
    ends = codes.codes(()) if met is None else met
    collected = watch.known.collected = Collected(codes.positions, [(0, ends)])
    watch.known.total = total
    back = BlockReach(codes, board, watch, back=False)

    def first() -> tuple[int, int]:
        layer = back.begin(ends)
        back.expect(total)
        return layer

    return replace(count(back, replace(question, collect=()), watch, first=first), collected=collected)


def search(question: Search, watch: Watch) -> Geodesics:
    """Find the positions on shortest solutions: all of them, or those of one solution."""
    from ...search.layers import find
    from .reach import BlockReach

    model = question.model
    codes, board = prepared(model, (question.start,))
    goals = question.goals
    if goals is not None and len(goals) > watch.thresholds[BACKWARD_GOALS]:
        goals = None
    forward = BlockReach(codes, board, watch, goals=model.goals if goals is None else ())
    return find(question, watch, forward, None if goals is None else BlockReach(codes, board, watch))


ENGINE = Engine(
    "blocks", refuses, depths=depths, search=search, goal_depths=goal_depths, speed=100, worth=worth, lists=True,
    arrivals=True,
)  # fmt: skip
