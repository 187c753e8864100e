"""Puzzlespace: shortest solutions, depth tables and hardest positions of any puzzle of moves.

>>> from puzzlespace import load, solve
>>> solve(load("eight")).moves
31
"""

from .analysis import Components, Group
from .api import (
    Distance,
    PuzzleSolution,
    check_known,
    depths,
    distance,
    load,
    read_position,
    solutions,
    solve,
    symmetries,
    with_goal,
    with_start,
)
from .custom import Custom
from .draft import Claim
from .errors import FormatError, InputError, LimitError, ModelError, PuzzlespaceError, TableError, UnsupportedError
from .model import ANY, Goal, Metric, Model, Motion, Rule, Shapes
from .puzzle import Position, Puzzle
from .result import DepthTable, Limits, Progress, Reason, Solution, Status
from .saved import asking, open_table, saving
from .spaces import components

__version__ = "0.1.0"

__all__ = [
    "ANY",
    "Claim",
    "Components",
    "Custom",
    "DepthTable",
    "Distance",
    "FormatError",
    "Goal",
    "Group",
    "InputError",
    "LimitError",
    "Limits",
    "Metric",
    "Model",
    "ModelError",
    "Motion",
    "Position",
    "Progress",
    "Puzzle",
    "PuzzleSolution",
    "PuzzlespaceError",
    "Reason",
    "Rule",
    "Shapes",
    "Solution",
    "Status",
    "TableError",
    "UnsupportedError",
    "asking",
    "check_known",
    "components",
    "depths",
    "distance",
    "load",
    "open_table",
    "read_position",
    "saving",
    "solutions",
    "solve",
    "symmetries",
    "with_goal",
    "with_start",
]
