"""`solve --batch`: one engine for many positions of a puzzle."""

from __future__ import annotations

import csv
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..api import batch_rows, batches, spread
from ..api.asked import check_options
from ..api.batch_rows import BatchRow
from ..contract.answers import Solution, Status
from ..errors import PuzzlespaceError
from ..formats.base import LINES_LIMIT, load
from ..limits.watch import unwatched
from ..puzzle.puzzle import Puzzle
from ..render import json_output
from .batch_journal import BatchJournal
from .exit_codes import ExitCode
from .options import CommonOptions
from .terminal import code_of, print_json

Answered = tuple[BatchRow, Solution | PuzzlespaceError | dict[str, Any]]
"""A row with its answer, why there is none, or the object that the journal has."""


@dataclass(frozen=True)
class BatchRun:
    """The options of `solve --batch`.

    aimed    whether a goal was given
    journal  the file of answers to go on from
    """

    file: Path
    metric: str
    engine: str
    heuristic: str
    asked: CommonOptions
    cluster: str = ""
    aimed: bool = False
    journal: Path | None = None

    def run(self, owner: Puzzle, as_json: bool) -> int:
        """Print a line for each position (CSV with a header, or JSON objects); return the exit code.

        It is that of bad input if a row cannot be read, else the greatest one of the rows.
        """
        check_options(owner, metric=self.metric, engine=self.engine, heuristic=self.heuristic)
        text = load(str(self.file), LINES_LIMIT)
        rows = list(batch_rows.rows(owner, text.split("\n"), str(self.file), self.aimed))
        journal = BatchJournal(self.journal, owner, (self.metric, self.engine, self.heuristic))
        writer = csv.writer(sys.stdout, lineterminator="\n")
        if not as_json:
            writer.writerow(["start", "status", "moves", "generated", "seconds"])
        codes = {ExitCode.ANSWERED.number}
        with unwatched():
            for row, answer in self.asked.each(self._answers(rows, journal)):
                found = answer if isinstance(answer, dict) else _object(owner, row, answer)
                codes.add(_code(row, answer))
                if isinstance(answer, Solution) and answer.stopped is None:
                    journal.add(row, found)
                if as_json:
                    print_json(found)
                else:
                    writer.writerow(_fields(row, found))
                sys.stdout.flush()
        return ExitCode.BAD_INPUT.number if ExitCode.BAD_INPUT.number in codes else max(codes)

    def _answers(self, rows: list[BatchRow], journal: BatchJournal) -> Iterator[Answered]:
        """Yield each row with its answer, or why there is none."""
        given: dict[str, Any] = {"metric": self.metric, "engine": self.engine, "heuristic": self.heuristic}
        given["limits"] = self.asked.limits
        known = [row.error or journal.find(row) for row in rows]
        starts = [row.puzzle for row, each in zip(rows, known, strict=True) if row.puzzle is not None and each is None]
        found = spread.answers(starts, self.cluster, **given) if self.cluster else batches.answers(starts, **given)
        for row, each in zip(rows, known, strict=True):
            yield row, next(found) if each is None else each


def _code(row: BatchRow, answer: Solution | PuzzlespaceError | dict[str, Any]) -> int:
    """Return the exit code of a row; an error is told."""
    if isinstance(answer, PuzzlespaceError):
        told = str(answer) if row.error is not None else f"line {row.line}: {answer}"
        print(f"puzzlespace: {told}", file=sys.stderr)
        return answer.exit_code
    if isinstance(answer, Solution):
        return code_of(answer)
    impossible = answer["status"] == Status.IMPOSSIBLE.value
    return ExitCode.IMPOSSIBLE.number if impossible else ExitCode.ANSWERED.number


def _status(error: PuzzlespaceError) -> str:
    return "invalid" if error.exit_code == ExitCode.BAD_INPUT.number else "unsupported"


def _fields(row: BatchRow, found: dict[str, Any]) -> list[object]:
    """Return the fields of a line of CSV."""
    if "error" in found or row.puzzle is None:
        return [row.text, found["status"], None, None, None]
    start = row.puzzle.line(row.puzzle.start or b"")
    return [start, *(found[name] for name in ("status", "moves", "positions", "seconds"))]


def _object(owner: Puzzle, row: BatchRow, answer: Solution | PuzzlespaceError) -> dict[str, Any]:
    """Return the object of `solve`, or one with the error."""
    if isinstance(answer, PuzzlespaceError) or row.puzzle is None:
        assert isinstance(answer, PuzzlespaceError)
        head = {"schema": json_output.SCHEMA, "puzzle": owner.name, "status": _status(answer)}
        return head | {"line": row.line, "start": row.text, "error": str(answer)}
    return json_output.solution(row.puzzle, row.puzzle.model(answer.metric), answer)
