"""Puzzlespace: shortest solutions, depth tables and hardest positions of any puzzle of moves.

>>> from puzzlespace import load, solve
>>> solve(load("eight")).moves
31
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
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

_FOUND_IN = {
    "analysis": "Components Group",
    "api": "Distance PuzzleSolution check_known depths distance load read_position solutions solve symmetries "
    "with_goal with_start",
    "custom": "Custom",
    "draft": "Claim",
    "errors": "FormatError InputError LimitError ModelError PuzzlespaceError TableError UnsupportedError",
    "model": "ANY Goal Metric Model Motion Rule Shapes",
    "puzzle": "Position Puzzle",
    "result": "DepthTable Limits Progress Reason Solution Status",
    "saved": "asking open_table saving",
    "spaces": "components",
}

_MODULES = {name: module for module, names in _FOUND_IN.items() for name in names.split()}


def __getattr__(name: str) -> Any:
    """Return what is offered here, loading its module at the first use.

    So the command line takes Ctrl-C before the rest of the program is loaded.
    """
    module = _MODULES.get(name)
    if module is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    found = globals()[name] = getattr(import_module(f".{module}", __name__), name)
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
