"""Puzzlespace: shortest solutions, depth tables and hardest positions of any puzzle of moves.

>>> from puzzlespace import load, solve
>>> solve(load("eight")).moves
31
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from .contract.version import __version__ as __version__

if TYPE_CHECKING:
    from .analysis.impossible import Components, Group
    from .api.allowed_moves import with_moves
    from .api.certification import Certificate, CollectedPuzzle, certify
    from .api.comparison import compare
    from .api.components import components
    from .api.designing import design
    from .api.generation import generate
    from .api.levels import ProvedLevel, level_lines, read_levels
    from .api.near import best_solutions, near_solutions
    from .api.planning.plan import plan
    from .api.positions import read_position, with_goal, with_start
    from .api.questions import check_known, depths, distance, load, solutions, solve, symmetries
    from .api.random_draws import random_positions
    from .api.saved import asking, open_table, saving
    from .api.targets import Targets, targets
    from .api.turned_goals import with_turned_goals
    from .contract.answers import ComparisonRow, DepthTable, Fitting, Measured, NearSolutions, Reason, Solution, Status
    from .contract.bound import NO_WAY, Bound
    from .contract.plans import Between, Cluster, ClusterPlan, LayerPlan, Plan
    from .contract.questions import Engine
    from .contract.result import Result
    from .contract.space import Space
    from .errors import (
        BoundError,
        DeviceError,
        EndlessError,
        FormatError,
        InputError,
        LimitError,
        ModelError,
        PuzzlespaceError,
        PuzzleWarning,
        RefusedError,
        RoomError,
        SelfCheckError,
        SelfCheckWarning,
        TableError,
        TableWarning,
        UnsupportedError,
    )
    from .graph.designs.answers import Designed, DesignedPuzzle
    from .limits.watch import Limits, Progress, Watch
    from .model.arrays import Arrays
    from .model.custom import Custom
    from .model.goal import Goal
    from .model.metric import Metric
    from .model.model import Model
    from .model.rule import ANY, Motion, Rule
    from .model.shapes import Shapes
    from .puzzle.answers import Distance, Generated, PuzzleSolution, PuzzleTable
    from .puzzle.board import Board
    from .puzzle.diagnostics import Diagnostic
    from .puzzle.draft import Claim, Draft, Known
    from .puzzle.letters import Frame
    from .puzzle.puzzle import Position, Puzzle
    from .render.compared import comparison_plot
    from .search.encoding import Encoding
    from .symmetry.group import Symmetry, SymmetryGroup
    from .tables.opened import BitTable
    from .tables.runs_opened import RunTable

__all__ = [
    "ANY",
    "NO_WAY",
    "Arrays",
    "Between",
    "BitTable",
    "Board",
    "Bound",
    "BoundError",
    "Certificate",
    "Claim",
    "Cluster",
    "ClusterPlan",
    "CollectedPuzzle",
    "ComparisonRow",
    "Components",
    "Custom",
    "DepthTable",
    "Designed",
    "DesignedPuzzle",
    "DeviceError",
    "Diagnostic",
    "Distance",
    "Draft",
    "Encoding",
    "EndlessError",
    "Engine",
    "Fitting",
    "FormatError",
    "Frame",
    "Generated",
    "Goal",
    "Group",
    "InputError",
    "Known",
    "LayerPlan",
    "LimitError",
    "Limits",
    "Measured",
    "Metric",
    "Model",
    "ModelError",
    "Motion",
    "NearSolutions",
    "Plan",
    "Position",
    "Progress",
    "ProvedLevel",
    "Puzzle",
    "PuzzleSolution",
    "PuzzleTable",
    "PuzzleWarning",
    "PuzzlespaceError",
    "Reason",
    "RefusedError",
    "Result",
    "RoomError",
    "Rule",
    "RunTable",
    "SelfCheckError",
    "SelfCheckWarning",
    "Shapes",
    "Solution",
    "Space",
    "Status",
    "Symmetry",
    "SymmetryGroup",
    "TableError",
    "TableWarning",
    "Targets",
    "UnsupportedError",
    "Watch",
    "asking",
    "best_solutions",
    "certify",
    "check_known",
    "compare",
    "comparison_plot",
    "components",
    "depths",
    "design",
    "distance",
    "generate",
    "level_lines",
    "load",
    "near_solutions",
    "open_table",
    "plan",
    "random_positions",
    "read_levels",
    "read_position",
    "saving",
    "solutions",
    "solve",
    "symmetries",
    "targets",
    "with_goal",
    "with_moves",
    "with_start",
    "with_turned_goals",
]

_FOUND_IN = {
    "analysis.impossible": "Components Group",
    "api.allowed_moves": "with_moves",
    "api.certification": "Certificate CollectedPuzzle certify",
    "api.comparison": "compare",
    "api.components": "components",
    "api.designing": "design",
    "api.generation": "generate",
    "api.levels": "ProvedLevel level_lines read_levels",
    "api.near": "best_solutions near_solutions",
    "api.planning.plan": "plan",
    "api.positions": "read_position with_goal with_start",
    "api.questions": "check_known depths distance load solutions solve symmetries",
    "api.random_draws": "random_positions",
    "api.saved": "asking open_table saving",
    "api.targets": "Targets targets",
    "api.turned_goals": "with_turned_goals",
    "contract.answers": "ComparisonRow DepthTable Fitting Measured NearSolutions Reason Solution Status",
    "contract.bound": "Bound NO_WAY",
    "contract.plans": "Between Cluster ClusterPlan LayerPlan Plan",
    "contract.questions": "Engine",
    "contract.result": "Result",
    "contract.space": "Space",
    "errors": "BoundError DeviceError EndlessError FormatError InputError LimitError ModelError PuzzleWarning "
    "PuzzlespaceError RefusedError RoomError SelfCheckError SelfCheckWarning TableError TableWarning UnsupportedError",
    "graph.designs.answers": "Designed DesignedPuzzle",
    "limits.watch": "Limits Progress Watch",
    "model.arrays": "Arrays",
    "model.custom": "Custom",
    "model.goal": "Goal",
    "model.metric": "Metric",
    "model.model": "Model",
    "model.rule": "ANY Motion Rule",
    "model.shapes": "Shapes",
    "puzzle.answers": "Distance Generated PuzzleSolution PuzzleTable",
    "puzzle.board": "Board",
    "puzzle.diagnostics": "Diagnostic",
    "puzzle.draft": "Claim Draft Known",
    "puzzle.letters": "Frame",
    "puzzle.puzzle": "Position Puzzle",
    "render.compared": "comparison_plot",
    "search.encoding": "Encoding",
    "symmetry.group": "Symmetry SymmetryGroup",
    "tables.opened": "BitTable",
    "tables.runs_opened": "RunTable",
}

_MODULES = {name: module for module, names in _FOUND_IN.items() for name in names.split()}


def __getattr__(name: str) -> Any:
    """Return a public name; its module is imported at the first use.

    So the command line handles Ctrl-C before the rest of the program is loaded.
    """
    module = _MODULES.get(name)
    if module is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    found = globals()[name] = getattr(import_module(f".{module}", __name__), name)
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
