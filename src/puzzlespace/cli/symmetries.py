"""The command `symmetries`."""

from __future__ import annotations

from typing import Annotated

from ..api import questions
from ..render import json_output, text
from .options import Avoid, CommonOptions, Json, Metric, Moves, PuzzleArgument, limited, loaded
from .parser import Option
from .terminal import print_json, stopped


@limited
def symmetries(
    puzzle: PuzzleArgument,
    start: Annotated[bool, Option("--start", help="those that keep the start too")] = False,
    moves: Moves = None,
    avoid: Avoid = None,
    metric: Metric = "",
    *,
    asked: CommonOptions,
    as_json: Json = False,
) -> int:
    """Print how many renamings of cells and pieces keep rules and goal, and some that generate all others.

    Example: puzzlespace symmetries star13
    """
    owner = loaded(puzzle, moves, avoid)
    group = questions.symmetries(owner, metric=metric, start=start, partial=True, limits=asked.limits)
    asked.done()
    if as_json:
        print_json(json_output.symmetries(owner, group, start))
    else:
        print(text.symmetry_table(owner, group, start))
    return stopped(group.stopped)
