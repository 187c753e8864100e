"""The command `compare`: several engines for one position."""

from __future__ import annotations

from typing import Annotated

from ..api.comparison import ENGINE_NAMES, ComparedQuestion, ComparisonRow, advice, rows_of
from ..errors import InputError
from ..limits.stopping import interrupted, interruption
from ..limits.watch import unwatched, watched
from ..registry import ENGINES
from ..render import json_output
from .exit_codes import ExitCode
from .options import CommonOptions, Json, Metric, PuzzleArgument, limited
from .parser import Option
from .terminal import print_json

HEURISTICS = "distance,assignment"


@limited
def compare(
    puzzle: PuzzleArgument,
    engines: Annotated[str, Option(help="engines, joined by ','")] = ",".join(ENGINE_NAMES),
    heuristics: Annotated[
        str,
        Option(
            "--bounds",
            "--heuristics",
            help="lower bounds, joined by ','; auto: as without one; default: distance,assignment for slides",
        ),
    ] = "",
    start: Annotated[str, Option(help="start from this position")] = "",
    goal: Annotated[str, Option(help="reach this position instead, with '*' for anything")] = "",
    metric: Metric = "",
    *,
    asked: CommonOptions,
    as_json: Json = False,
) -> int:
    """Print the cost of each engine and lower bound: positions generated, seconds, memory.

    Example: puzzlespace compare eight --engines plain,idastar --heuristics distance,walking,pattern
    """
    if heuristics and not any(each.bounds and each.name in engines.split(",") for each in ENGINES):
        raise InputError(f"--bounds: expected an engine with lower bounds in --engines, found {engines!r}")
    question = ComparedQuestion(puzzle, start, goal, metric, asked.limits)
    if not as_json:
        print(f"{'engine':<14}{'heuristic':<20}{'moves':>6}{'generated':>16}{'expanded':>12}{'seconds':>10}{'MB':>8}")
    found: list[ComparisonRow] = []
    with unwatched():
        asked.partial.so_far = lambda: {"rows": [vars(row) for row in found]}
        bounds = ["" if name == "auto" else name for name in (heuristics or HEURISTICS).split(",")]
        for row in asked.each(rows_of(question, engines.split(","), bounds)):
            found.append(row)
            if not as_json:
                print(_line(row), flush=True)
        if interrupted:
            raise interruption()
        with watched(asked.limits):
            told = advice(question)
    if as_json:
        rows = [vars(row) for row in found]
        print_json({"schema": json_output.SCHEMA, "puzzle": puzzle, "rows": rows, "advice": told})
    else:
        print(told)
    return 0 if any(row.moves is not None for row in found) else ExitCode.UNSUPPORTED.number


def _line(row: ComparisonRow) -> str:
    moves = "-" if row.moves is None else str(row.moves)
    expanded = "-" if row.expanded is None else f"{row.expanded:,}"
    head = f"{row.engine:<14}{row.heuristic or '-':<20}{moves:>6}{row.generated:>16,}{expanded:>12}{row.seconds:>10.3f}"
    return f"{head}{row.memory >> 20:>8,}" + (f"  {row.problem}" if row.problem else "")
