"""The command `components`."""

from __future__ import annotations

from ..api import components as spaces
from ..render import json_output, text
from .options import Avoid, CommonOptions, Json, Moves, PuzzleArgument, limited, loaded
from .terminal import print_json


@limited
def components(
    puzzle: PuzzleArgument,
    moves: Moves = None,
    avoid: Avoid = None,
    *,
    asked: CommonOptions,
    as_json: Json = False,
) -> int:
    """Print the components of the whole placement space: sizes, fixed positions, the share that can be solved.

    Example: puzzlespace components flip:3x3
    """
    owner = loaded(puzzle, moves, avoid)
    found, groups = spaces.components(owner, limits=asked.limits, progress=asked.report)
    asked.done()
    if as_json:
        print_json(json_output.components(owner, found, groups))
    else:
        print(text.component_table(owner, found, groups))
    return 0
