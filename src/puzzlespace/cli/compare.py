"""The command `compare`: several engines or algorithms for one position."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

from ..api.comparison import (
    ENGINE_NAMES,
    ComparedQuestion,
    advice,
    algorithm_rows,
    bounded,
    check_names,
    rows_of,
)
from ..api.games import level_of
from ..api.loader import FOR_LEVELS
from ..contract.answers import ComparisonRow
from ..errors import InputError, UnsupportedError
from ..limits.stopping import interrupted, interruption
from ..limits.watch import unwatched, watched
from ..registry import ENGINES
from ..render import compared, json_output, plot
from .exit_codes import ExitCode
from .options import CommonOptions, Json, Metric, PuzzleArgument, Theme, limited
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
    algorithms: Annotated[
        str,
        Option(
            help="algorithms of textbooks in place of engines, joined by ',': bfs, uniform-cost, bidirectional, astar, "
            "idastar, weighted-astar[:WEIGHT], beam[:WIDTH]"
        ),
    ] = "",
    plot_file: Annotated[Path | None, Option("--plot", metavar="FILE", help="plot it as .svg, .png or .pdf")] = None,
    theme: Theme = "light",
    start: Annotated[str, Option(help="start from this position")] = "",
    goal: Annotated[str, Option(help="reach this position instead, with '*' for anything")] = "",
    metric: Metric = "",
    *,
    asked: CommonOptions,
    as_json: Json = False,
) -> int:
    """Print the cost of each engine, or algorithm, and lower bound: positions generated, seconds, memory.

    Examples: puzzlespace compare eight --engines plain,idastar --heuristics distance,walking,pattern
    · puzzlespace compare eight --algorithms bfs,astar,idastar,beam:50 --bounds distance --plot eight.svg
    """
    named, textbook = engines.split(","), [name for name in algorithms.split(",") if name]
    check_names(named, textbook)
    _check_bounds(heuristics, named, textbook)
    plot.check(plot_file, plot.Axes(theme=theme))
    if level_of(puzzle) is not None:
        raise UnsupportedError(f"{puzzle}: levels of PuzzleScript games are for {FOR_LEVELS}")
    question = ComparedQuestion(puzzle, start, goal, metric, asked.limits)
    if not as_json:
        print(_head(bool(textbook)))
    found: list[ComparisonRow] = []
    with unwatched():
        asked.partial.so_far = lambda: {"rows": [row.to_dict() for row in found]}
        default = "auto" if textbook else HEURISTICS
        bounds = ["" if name == "auto" else name for name in (heuristics or default).split(",")]
        rows = algorithm_rows(question, textbook, bounds) if textbook else rows_of(question, named, bounds)
        for row in asked.each(rows):
            found.append(row)
            if not as_json:
                print(_line(row), flush=True)
        if interrupted:
            raise interruption()
        with watched(asked.limits):
            told = "" if textbook else advice(question)
    if plot_file is not None:
        compared.write_plot(found, plot_file, puzzle, theme)
    if as_json:
        listed = [row.to_dict() for row in found]
        print_json({"schema": json_output.SCHEMA, "puzzle": puzzle, "rows": listed, "advice": told})
    elif told:
        print(told)
    return 0 if any(row.moves is not None for row in found) else ExitCode.UNSUPPORTED.number


def _check_bounds(given: str, engines: Sequence[str], algorithms: Sequence[str]) -> None:
    """Raise InputError for bounds that nothing would use."""
    if not given:
        return
    if algorithms and not bounded(algorithms):
        raise InputError(f"--bounds: expected an algorithm with lower bounds, found {','.join(algorithms)!r}")
    if not algorithms and not any(each.bounds and each.name in engines for each in ENGINES):
        raise InputError(f"--bounds: expected an engine with lower bounds in --engines, found {','.join(engines)!r}")


def _head(textbook: bool) -> str:
    """Return the names of the columns."""
    first, last = ("algorithm", f"{'held':>12}") if textbook else ("engine", f"{'MB':>8}")
    return f"{first:<16}{'bound':<20}{'moves':>6}{'generated':>16}{'expanded':>12}{'seconds':>10}{last}"


def _line(row: ComparisonRow) -> str:
    moves = "-" if row.moves is None else str(row.moves)
    expanded = "-" if row.expanded is None else f"{row.expanded:,}"
    line = f"{row.engine:<16}{row.heuristic or '-':<20}{moves:>6}{row.generated:>16,}{expanded:>12}{row.seconds:>10.3f}"
    line += f"{row.held or 0:>12,}" if row.memory is None else f"{row.memory >> 20:>8,}"
    return "; ".join(filter(None, (f"{line}  {row.proof or row.problem}", row.proof and row.problem))).rstrip()
