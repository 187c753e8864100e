"""The command `certify`."""

from __future__ import annotations

import csv
import sys
from functools import partial
from io import StringIO
from pathlib import Path
from typing import Annotated, Any

from ..api import certification
from ..api.certification import Certificate
from ..api.spread import certificates
from ..limits.watch import unwatched
from ..render import json_output
from ..render.extras import check_file
from ..render.extras import save as write
from ..render.glyphs import pad, printable
from ..render.words import plural
from . import diagnosed
from .exit_codes import ExitCode
from .options import Cluster, CommonOptions, Json, Metric, limited
from .parser import Argument, Option
from .terminal import print_json


@limited
def certify(
    puzzle: Annotated[
        list[str],
        Argument(metavar="PUZZLES", help="files, folders, collections (.txt), names, specs, or 'catalogue'"),
    ],
    metric: Metric = "",
    count: Annotated[bool, Option("--count/--no-count", help="count the shortest solutions")] = True,
    csv_file: Annotated[Path | None, Option("--csv", metavar="FILE", help="also write the table as CSV")] = None,
    journal: Annotated[
        Path | None,
        Option("--save", metavar="FILE", help="write what is found at once; go on from it if it exists"),
    ] = None,
    cluster: Cluster = "",
    *,
    asked: CommonOptions,
    as_json: Json = False,
) -> int:
    """Say for every puzzle of a collection whether it can be solved, its optimum, and whether its numbers are right.

    The limits hold for each puzzle. Examples: puzzlespace certify my-puzzles/ --seconds 60 --save certified.jsonl ·
    puzzlespace certify collection.txt --csv table.csv
    """
    check_file(csv_file, "--csv")
    found: list[Certificate] = []
    with unwatched():
        collection = certification.entries(puzzle)
        wide = min(40, max(len(printable(entry.name)) for entry in collection))
        given: dict[str, Any] = {
            "metric": metric, "count": count, "strict": diagnosed.strict(), "limits": asked.limits,
        }  # fmt: skip
        spread = partial(certificates, where=cluster, **given) if cluster else None
        rows = certification.certify(collection, **given, journal=journal, progress=asked.report, answers=spread)
        for each in asked.each(rows):
            found.append(each)
            if as_json:
                print_json({"schema": json_output.SCHEMA, **_object(each)})
                sys.stdout.flush()
            else:
                print(f"{len(found):>{len(str(len(collection)))}}/{len(collection)}  {_line(each, wide)}", flush=True)
    if csv_file is not None:
        write(csv_file, _csv(found), "--csv")
    if not as_json:
        print(f"\n{_summary(found)}")
    return _code(found)


def _line(each: Certificate, wide: int) -> str:
    moves = f"{plural(each.moves, 'move')} (count: {each.metric})" if each.moves is not None else each.status
    parts = [moves]
    if each.solutions is not None:
        alike = f", {each.commuting:,} up to commuting moves" if each.commuting is not None else ""
        parts.append(f"{each.solutions:,} shortest{alike}")
    if each.stuck is not None:
        first = f", the nearest after {each.trap}" if each.trap else ""
        parts.append(f"{plural(each.stuck, 'way')} to get stuck{first}")
    for what, metric, value, got in each.claims:
        verdict = "not computed" if got is None else "ok" if got == value else f"WRONG, it is {got:,}"
        parts.append(f"{what} {value:,} ({metric}) {verdict}")
    if each.printed:
        parts.append(f"printed solution {'ok' if each.printed == 'ok' else 'WRONG: ' + each.printed}")
    if each.alike:
        parts.append(f"alike up to symmetry: {each.alike}")
    if each.reason:
        parts.append(" ".join(each.reason.split()))
    parts += [f"warning in line {told['line']}: {told['text']}" for told in each.warnings if each.status != "invalid"]
    return f"{pad(printable(each.name), wide)}  {printable('; '.join(parts))}"


def _object(each: Certificate) -> dict[str, Any]:
    fields = {key: value for key, value in vars(each).items() if key not in ("key", "kind", "claims", "seconds")}
    claims = [
        {"what": what, "metric": metric, "value": value, "found": got, "holds": got == value}
        for what, metric, value, got in each.claims
    ]
    more = {"warnings": list(each.warnings), "claims": claims, "wrong": each.wrong, "seconds": round(each.seconds, 6)}
    return fields | more


def _csv(found: list[Certificate]) -> str:
    out = StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow([
        "name", "status", "metric", "moves", "solutions", "commuting", "numbers", "printed", "alike", "reason",
        "warnings", "stuck",
    ])  # fmt: skip
    for each in found:
        numbers = "; ".join(f"{what} ({metric}) {value}: {got}" for what, metric, value, got in each.claims)
        row = [each.name, each.status, each.metric, each.moves, each.solutions, each.commuting, numbers, each.printed]
        warned = "; ".join(f"{told['code']} in line {told['line']}" for told in each.warnings)
        writer.writerow([*row, each.alike, each.reason, warned, each.stuck])
    return out.getvalue()


def _summary(found: list[Certificate]) -> str:
    states = {word: sum(each.status == word for each in found) for word in ("optimal", *STATES)}
    words = [f"{states['optimal']:,} solved", *(f"{number:,} {word}" for word in STATES if (number := states[word]))]
    numbers = [got == value for each in found for _, _, value, got in each.claims if got is not None]
    printed = f"{sum(numbers):,} of {len(numbers):,} computed numbers are right"
    alike = sum(bool(each.alike) for each in found)
    return f"{len(found):,} puzzles: {', '.join(words)}; {printed}; {alike:,} duplicates up to symmetry"


STATES = ("impossible", "stopped", "invalid", "open")


def _code(found: list[Certificate]) -> int:
    """Return the exit code: something is wrong, else stopped, else impossible, else all is right."""
    if any(each.wrong for each in found):
        return ExitCode.BAD_INPUT.number
    if not all(each.whole for each in found):
        return ExitCode.TIME.number
    if any(each.status == "impossible" for each in found):
        return ExitCode.IMPOSSIBLE.number
    return ExitCode.ANSWERED.number
