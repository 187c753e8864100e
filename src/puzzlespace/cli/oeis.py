"""The command `oeis`."""

from __future__ import annotations

import sys
from dataclasses import dataclass, field
from typing import Annotated, Any

from ..api import questions
from ..api.loader import load
from ..api.sequences import SEQUENCES, second_offset, sequence_of, sequence_puzzles
from ..contract.answers import DepthTable
from ..errors import InputError, LimitError, UnsupportedError
from ..limits.stopping import Overdue, limit_of
from ..puzzle.puzzle import Puzzle
from ..render import json_output
from ..tables.export import b_lines
from . import gate
from .exit_codes import ExitCode
from .options import CommonOptions, EngineName, Force, Json, Metric, Origin, limited
from .parser import Argument, Option
from .terminal import print_json


@limited
def oeis(
    puzzles: Annotated[list[str], Argument(metavar="PUZZLE...", help="a spec with a range, or puzzles in order")],
    of: Annotated[str, Option(help=f"only this one: {', '.join(SEQUENCES)}", without=("--json",))] = "",
    b_file: Annotated[bool, Option("--b-file", help="print lines 'n a(n)' instead", needs=("--of",))] = False,
    offset: Annotated[int | None, Option(help="the index of the first term; by default the least of the range")] = None,
    origin: Origin = "",
    metric: Metric = "",
    engine: EngineName = "auto",
    force: Force = False,
    *,
    asked: CommonOptions,
    as_json: Json = False,
) -> int:
    """Print sequences over the sizes of a puzzle for the OEIS: positions, greatest depths, hardest positions, counts.

    Examples: puzzlespace oeis pancake:2..9 · puzzlespace oeis topspin:5..8,4 --of counts --b-file ·
    puzzlespace oeis lights:2x2 lights:3x3 lights:4x4 --offset 2
    """
    if of and of not in SEQUENCES:
        raise InputError(f"--of: expected one of {', '.join(SEQUENCES)}, found {of!r}")
    names, first = sequence_puzzles(puzzles, offset)
    found = _Found(" ".join(puzzles), first)
    asked.partial.so_far = lambda: found.fields()
    owners = [load(name) for name in names]
    for owner in owners:
        try:
            gate.admit(asked, owner, metric, origin, engine, force=force)
            table = questions.depths(
                owner, origin=origin, metric=metric, engine=engine, keep=0, limits=asked.limits, progress=asked.report
            )
            found.stopped = table.stopped
        except (LimitError, Overdue) as late:
            found.stopped = limit_of(late)
            break
        if table.stopped is not None:
            break
        found.add(owner, table)
    asked.done()
    if as_json:
        print_json(found.fields())
    elif found.tables:
        print("\n".join(found.b_file(of) if b_file else found.data([of] if of else list(SEQUENCES))))
    return found.code(owners)


@dataclass
class _Found:
    """The terms that were finished, in order, and the limit that stopped the next one."""

    words: str
    offset: int
    owners: list[Puzzle] = field(default_factory=list[Puzzle])
    tables: list[DepthTable] = field(default_factory=list[DepthTable])
    stopped: LimitError | None = None

    def add(self, owner: Puzzle, table: DepthTable) -> None:
        """Add a finished term; raise an error if it is not exact or counts something else than those before."""
        if not (table.complete and table.exact and table.counts):
            raise UnsupportedError(f"{owner.name}: its count is not exact, so it is no term of a sequence")
        if self.tables and self._counted(table) != self._counted(self.tables[0]):
            raise InputError(
                f"{owner.name}: expected a count {self._counted(self.tables[0])} as in {self.owners[0].name}, "
                f"found one {self._counted(table)}; choose with --from and --metric"
            )
        self.owners.append(owner)
        self.tables.append(table)

    @staticmethod
    def _counted(table: DepthTable) -> str:
        return f"{'to the goal' if table.origin == 'goal' else 'from the start'} in the metric {table.metric}"

    def b_file(self, of: str) -> list[str]:
        """Return the lines of a b-file."""
        return list(b_lines(sequence_of(self.tables, of), self.offset))

    def data(self, kinds: list[str]) -> list[str]:
        """Return the lines of the sequences with their offsets."""
        lines = [f"{self.words}: counted {self._counted(self.tables[0])}"]
        for kind in kinds:
            terms = sequence_of(self.tables, kind)
            lines += ["", f"{SEQUENCES[kind]}, offset {self.offset},{second_offset(terms)}"]
            lines.append(", ".join(map(str, terms)))
        return lines

    def fields(self) -> dict[str, Any]:
        """Return the JSON object."""
        rows = [
            {"n": n, "puzzle": owner.name, "positions": table.states, "depth": table.depth,
             "hardest": table.counts[-1], "counts": list(table.counts), "engine": table.engine,
             "seconds": round(table.seconds, 3)}
            for n, (owner, table) in enumerate(zip(self.owners, self.tables, strict=True), self.offset)
        ]  # fmt: skip
        counted = self.tables[0] if self.tables else None
        return {
            "schema": 1, "puzzle": self.words, "metric": counted and counted.metric,
            "origin": counted and counted.origin, "offset": self.offset, "terms": rows,
            "complete": self.stopped is None, "stopped": json_output.stopped(self.stopped),
        }  # fmt: skip

    def code(self, owners: list[Puzzle]) -> int:
        """Print which term was not finished, if one was not; return the exit code."""
        if self.stopped is None:
            return ExitCode.ANSWERED.number
        number = len(self.tables)
        words = f"the term {self.offset + number}, {owners[number].name}, was not finished: {self.stopped}"
        print(f"puzzlespace: {words}", file=sys.stderr)
        return self.stopped.exit_code
