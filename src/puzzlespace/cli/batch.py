"""`solve --batch`: one engine for many positions of a puzzle."""

from __future__ import annotations

import csv
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..api import batches, spread
from ..contract.answers import Solution
from ..errors import InputError
from ..limits.watch import unwatched
from ..puzzle.puzzle import Puzzle
from ..render import json_output
from .exit_codes import ExitCode
from .options import CommonOptions
from .terminal import code_of, print_json


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
            for start, answer in self.asked.each(self._answers(starts)):
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
