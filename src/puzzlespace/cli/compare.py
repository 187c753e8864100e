"""The command `compare` (several engines for one position), and `solve --batch` (one engine for many positions)."""

from __future__ import annotations

import csv
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

from ..api import batches, spread
from ..api.comparison import ComparedQuestion, ComparisonRow, advice
from ..api.comparison import compare as rows_of
from ..contract.answers import Solution
from ..errors import InputError
from ..limits.watch import unwatched, watched
from ..puzzle.puzzle import Puzzle
from ..render import json_output
from .exit_codes import ExitCode
from .options import CommonOptions, Json, Metric, PuzzleArgument, limited
from .parser import Option
from .terminal import code_of, print_json

HeuristicName = Annotated[
    str,
    Option("--heuristic", help="distance, assignment, inversion, walking, pattern, pattern:6-6-3; joined by '+'"),
]
BatchFile = Annotated[
    Path | None, Option("--batch", metavar="FILE", help="solve each line of a file ('-' is stdin); CSV, or JSON")
]


@limited
def compare(
    puzzle: PuzzleArgument,
    engines: Annotated[str, Option(help="engines, joined by ','")] = "plain,bidirectional,frontier,idastar",
    heuristics: Annotated[str, Option(help="lower bounds of idastar, joined by ','")] = "distance,assignment",
    start: Annotated[str, Option(help="start from this position")] = "",
    goal: Annotated[str, Option(help="reach this position instead")] = "",
    metric: Metric = "",
    *,
    asked: CommonOptions,
    as_json: Json = False,
) -> int:
    """Print the cost of each engine and lower bound: positions generated, seconds, memory.

    Example: puzzlespace compare eight --engines plain,idastar --heuristics distance,walking,pattern
    """
    question = ComparedQuestion(puzzle, start, goal, metric, asked.limits)
    if not as_json:
        print(f"{'engine':<14}{'heuristic':<20}{'moves':>6}{'generated':>16}{'seconds':>10}{'MB':>8}")
    found: list[ComparisonRow] = []
    with unwatched():
        for row in rows_of(question, engines.split(","), heuristics.split(",")):
            found.append(row)
            if not as_json:
                print(_line(row), flush=True)
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
    head = f"{row.engine:<14}{row.heuristic or '-':<20}{moves:>6}{row.generated:>16,}{row.seconds:>10.3f}"
    return f"{head}{row.memory >> 20:>8,}" + (f"  {row.problem}" if row.problem else "")


@dataclass(frozen=True)
class BatchRun:
    """The options of `solve --batch`."""

    file: Path
    metric: str
    engine: str
    heuristic: str
    asked: CommonOptions
    cluster: str = ""

    def run(self, owner: Puzzle, as_json: bool) -> int:
        """Print a line for each position (CSV with a header, or the JSON of `solve`); return the greatest exit code."""
        writer = csv.writer(sys.stdout, lineterminator="\n")
        if not as_json:
            writer.writerow(["start", "status", "moves", "generated", "seconds"])
        worst = ExitCode.ANSWERED.number
        starts = self._starts(owner)
        with unwatched():
            for start, answer in self._answers(starts):
                worst = max(worst, code_of(answer))
                if as_json:
                    print_json(json_output.solution(start, start.model(answer.metric), answer))
                else:
                    fields = [answer.status.value, answer.moves, answer.generated, round(answer.seconds, 6)]
                    writer.writerow([start.line(start.start or b""), *fields])
                sys.stdout.flush()
        return worst

    def _starts(self, owner: Puzzle) -> list[Puzzle]:
        try:
            text = sys.stdin.read() if str(self.file) == "-" else self.file.read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise InputError(f"--batch: expected a text file, found {str(self.file)!r} ({error})") from None
        return list(batches.read(owner, text.splitlines(), str(self.file)))

    def _answers(self, starts: list[Puzzle]) -> Iterator[tuple[Puzzle, Solution]]:
        given: dict[str, Any] = {"metric": self.metric, "engine": self.engine, "heuristic": self.heuristic}
        given["limits"] = self.asked.limits
        answers = spread.solve(starts, self.cluster, **given) if self.cluster else batches.solve(starts, **given)
        yield from zip(starts, answers, strict=True)
