"""`solve --batch`: one engine for many positions of a puzzle."""

from __future__ import annotations

import csv
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..api import batch_rows, batches, questions, spread
from ..api.batch_rows import BatchRow
from ..contract.answers import Solution
from ..errors import PuzzlespaceError
from ..formats.base import LINES_LIMIT, load
from ..limits.watch import unwatched
from ..puzzle.puzzle import Puzzle
from ..render import json_output
from .exit_codes import ExitCode
from .options import CommonOptions
from .terminal import code_of, print_json

Answered = tuple[BatchRow, Solution | PuzzlespaceError]


@dataclass(frozen=True)
class BatchRun:
    """The options of `solve --batch`.

    aimed  whether a goal was given
    """

    file: Path
    metric: str
    engine: str
    heuristic: str
    asked: CommonOptions
    cluster: str = ""
    aimed: bool = False

    def run(self, owner: Puzzle, as_json: bool) -> int:
        """Print a line for each position (CSV with a header, or JSON objects); return the exit code.

        It is that of bad input if a row cannot be read, else the greatest one of the rows.
        """
        questions.check_options(owner, metric=self.metric, engine=self.engine, heuristic=self.heuristic)
        text = load(str(self.file), LINES_LIMIT)
        rows = list(batch_rows.rows(owner, text.split("\n"), str(self.file), self.aimed))
        writer = csv.writer(sys.stdout, lineterminator="\n")
        if not as_json:
            writer.writerow(["start", "status", "moves", "generated", "seconds"])
        codes = {ExitCode.ANSWERED.number}
        with unwatched():
            for row, answer in self.asked.each(self._answers(rows)):
                if isinstance(answer, PuzzlespaceError):
                    codes.add(answer.exit_code)
                    print(f"puzzlespace: {_told(row, answer)}", file=sys.stderr)
                else:
                    codes.add(code_of(answer))
                if as_json:
                    print_json(_object(owner, row, answer))
                else:
                    writer.writerow(_fields(row, answer))
                sys.stdout.flush()
        return ExitCode.BAD_INPUT.number if ExitCode.BAD_INPUT.number in codes else max(codes)

    def _answers(self, rows: list[BatchRow]) -> Iterator[Answered]:
        """Yield each row with its answer, or why there is none."""
        given: dict[str, Any] = {"metric": self.metric, "engine": self.engine, "heuristic": self.heuristic}
        given["limits"] = self.asked.limits
        starts = [row.puzzle for row in rows if row.puzzle is not None]
        found = spread.answers(starts, self.cluster, **given) if self.cluster else batches.answers(starts, **given)
        for row in rows:
            yield row, row.error if row.error is not None else next(found)


def _status(answer: Solution | PuzzlespaceError) -> str:
    if isinstance(answer, Solution):
        return answer.status.value
    return "invalid" if answer.exit_code == ExitCode.BAD_INPUT.number else "unsupported"


def _told(row: BatchRow, error: PuzzlespaceError) -> str:
    return str(error) if row.error is not None else f"line {row.line}: {error}"


def _fields(row: BatchRow, answer: Solution | PuzzlespaceError) -> list[object]:
    """Return the fields of a line of CSV."""
    if isinstance(answer, PuzzlespaceError) or row.puzzle is None:
        return [row.text, _status(answer), None, None, None]
    start = row.puzzle.line(row.puzzle.start or b"")
    return [start, _status(answer), answer.moves, answer.generated, round(answer.seconds, 6)]


def _object(owner: Puzzle, row: BatchRow, answer: Solution | PuzzlespaceError) -> dict[str, Any]:
    """Return the object of `solve`, or one with the error."""
    if isinstance(answer, PuzzlespaceError) or row.puzzle is None:
        head = {"schema": json_output.SCHEMA, "puzzle": owner.name, "status": _status(answer)}
        return head | {"line": row.line, "start": row.text, "error": str(answer)}
    return json_output.solution(row.puzzle, row.puzzle.model(answer.metric), answer)
