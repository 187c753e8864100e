"""Breadth-first search for sliding blocks of any shape, with positions coded in one word.

A hash set stores every position found with its depth mod 3, in four or eight bytes each. So shortest solutions can be
followed back without storing layers. If there are few goal positions, the search runs from both ends.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING

from ...contract.answers import Geodesics, Layers
from ...contract.questions import Depths, Engine, Prospect, Search, Space, Worth, model_of, unfit
from ...errors import LimitError, UnsupportedError
from ...limits.watch import Watch
from ...model.model import Model
from ...search.layers import Collected

if TYPE_CHECKING:
    import numpy as np

    from ...kernels.blocks.moves import BlockBoard
    from .codes import Codes
    from .reach import BlockReach


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
    thresholds, model = prospect.watch.thresholds, model_of(question.space)
    if model is None or model.shapes is None:
        return "no piece covers several cells"
    if isinstance(question, Search):
        few = len(model.rules) <= thresholds.block_rules
        return refuses(model, "search") or (thresholds.attempt_blocks if few else thresholds.attempt_block_rules)
    if prospect.bound() <= thresholds.few_placements:
        return "there are few positions, or it is not known how many"
    return refuses(model, "depths") or 0


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
    model = question.space
    assert isinstance(model, Model)
    codes, board = prepared(model, question.sources)
    return _layers(codes, board, codes.codes(question.sources), question, watch)


def goal_depths(question: Depths, watch: Watch) -> Layers:
    """Count the positions reachable from the sources at each distance from the nearest one that meets `collect`.

    Reachability does not depend on the metric, so the goals are searched with every rule as a move.
    """
    import numpy as np

    from .arrays import tests_of
    from .reach import BlockReach

    model = question.space
    assert isinstance(model, Model)
    codes, board = prepared(model, question.sources)
    tests = tests_of(codes, question.collect)
    try:
        reach = BlockReach(codes, board.step_by_step(), codes.codes(question.sources), watch, back=False, tests=tests)
        while not reach.ended:
            reach.grow()
    except LimitError as error:
        return Layers((), (), False, watch.generated, watch.seconds, stopped=error)
    ends = np.concatenate([codes.codes(()), *(found for _, found in reach.met)])
    watch.known.collected = Collected(codes.positions, [(0, ends)])
    layers = _layers(codes, board, ends, replace(question, collect=()), watch, reach.found)
    return replace(layers, collected=watch.known.collected)


def _layers(
    codes: Codes, board: BlockBoard, ends: np.ndarray, question: Depths, watch: Watch, expected: int = 0
) -> Layers:
    """Count the positions at each distance from the nearest of the ends.

    expected  the number of positions, 0 if it is not known
    """
    from .arrays import tests_of
    from .listing import least, listed
    from .reach import BlockReach

    reach, stopped = None, None
    try:
        reach = BlockReach(codes, board, ends, watch, back=False, tests=tests_of(codes, question.collect))
        reach.expect(expected)
        watch.known.total = expected
        told, wanted = 0, question.wanted
        while not reach.ended:
            told = _tell(watch, reach, told)
            if wanted is not None and wanted.hand(reach.depth, listed(codes, reach.last, watch.thresholds.decoded)):
                met = Collected(codes.positions, reach.met)
                return Layers(tuple(reach.sizes), (), False, watch.generated, watch.seconds, met)
            reach.grow(None if wanted is None else 1)
        _tell(watch, reach, told)
    except LimitError as error:
        stopped = error
    if reach is None:
        return Layers((), (), False, watch.generated, watch.seconds, stopped=stopped)
    keep = question.kept(reach.sizes[-1] if reach.sizes else 0, stopped)
    deepest = least(codes, reach.last, keep, watch.thresholds.decoded)
    collected = Collected(codes.positions, reach.met)
    return Layers(
        tuple(reach.sizes), deepest, stopped is None, watch.generated, watch.seconds, collected, stopped=stopped
    )


def _tell(watch: Watch, reach: BlockReach, told: int) -> int:
    """Report the layers after the first `told`; return how many are reported now."""
    found = sum(reach.sizes[:told])
    for depth in range(told, len(reach.sizes)):
        found += reach.sizes[depth]
        watch.layer(depth, reach.sizes[depth], found)
    return len(reach.sizes)


def search(question: Search, watch: Watch) -> Geodesics:
    """Find the positions on shortest solutions: all of them, or those of one solution."""
    from .arrays import tests_of
    from .reach import NONE, BlockReach

    model = question.space
    assert isinstance(model, Model)
    codes, board = prepared(model, (question.start,))
    goals = question.goals
    if goals is not None and len(goals) > watch.thresholds.backward_goals:
        goals = None
    tests = tests_of(codes, model.goals) if goals is None else NONE
    sides: list[BlockReach] = []
    more = 1  # until the sides meet, the lower bound is one more than the sum of their depths
    try:
        sides.append(BlockReach(codes, board, codes.codes((question.start,)), watch, tests=tests))
        if goals is not None:
            sides.append(BlockReach(codes, board, codes.codes(goals), watch))
        met = _meet(watch, *sides)
        more = 0 if len(met) else 1
        ways = _ways(question, sides, met) if len(met) else ()
    except LimitError as error:
        return Geodesics((), watch.generated, watch.seconds, _depth(sides) + more, error)
    return Geodesics(ways, watch.generated, watch.seconds, _depth(sides) if ways else None)


def _meet(watch: Watch, forward: BlockReach, backward: BlockReach | None = None) -> np.ndarray:
    """Build layers until goals are met or both sides meet; return the codes there, none if that never happens."""
    while True:
        if backward is None:
            side, sides = forward, [forward]
            met = forward.met[0][1] if forward.met else forward.layer[:0]
        else:
            side, sides = min(backward, forward, key=lambda side: len(side.layer)), [forward, backward]
            met = backward.holding(forward.layer)
        if len(met) or any(each.ended for each in sides):
            return met
        watch.layer(_depth(sides), len(side.layer), sum(each.found for each in sides))
        watch.known.prove(_depth(sides) + 1)
        side.grow(1) if backward else side.grow(until=True)


def _depth(sides: Sequence[BlockReach]) -> int:
    return sum(side.depth for side in sides)


def _ways(question: Search, sides: Sequence[BlockReach], met: np.ndarray) -> tuple[frozenset[bytes], ...]:
    """Return the positions on shortest solutions through the codes where the sides met, by distance from the start."""
    import numpy as np

    forward = sides[0]
    met = met if question.every else met[[met.argmin()]]
    rows = forward.ways(met, question.every)[::-1]
    for backward in sides[1:]:
        rows += backward.ways(met, question.every)[1:]
    shown = iter(forward.codes.positions(np.concatenate(rows)))
    return tuple(frozenset(islice(shown, len(row))) for row in rows)


ENGINE = Engine(
    "blocks", refuses, depths=depths, search=search, goal_depths=goal_depths, speed=100, worth=worth, lists=True
)
