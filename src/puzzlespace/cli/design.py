"""The command `design`."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

from ..api.designing import METHODS, puzzle_of
from ..api.designing import design as search
from ..errors import InputError
from ..formats.pzl import print_draft
from ..graph.designs.answers import BY, Designed
from ..render import designed
from ..render.extras import check_file, save
from ..render.svg import position_svg
from .exit_codes import ExitCode
from .options import CommonOptions, Json, Metric, limited
from .parser import Argument, Option
from .terminal import print_json, stopped


@limited
def design(
    puzzle: Annotated[str, Argument(metavar="FILE", help="a puzzle file that leaves pieces open; '-' for stdin")],
    by: Annotated[str, Option(help=f"one hardest puzzle for each: {', '.join(BY)}")] = "blanks",
    needed: Annotated[bool, Option("--needed", help="only starts without a piece that can be left out")] = False,
    one_solution: Annotated[
        bool, Option("--one-solution", help="only those with one shortest solution up to commuting moves")
    ] = False,
    symmetric: Annotated[
        bool, Option("--symmetric", help="only starts that a reflection or a turn of the board keeps")
    ] = False,
    components: Annotated[bool, Option("--components/--no-components", help="count the components")] = True,
    method: Annotated[str, Option(help=f"{', '.join(METHODS)}: all packings, or hill climbing")] = "auto",
    seed: Annotated[int | None, Option(help="of the random changes of the method climb; default: 0")] = None,
    confirm: Annotated[
        bool | None, Option("--confirm/--no-confirm", help="solve each puzzle again; default: up to 40 puzzles")
    ] = None,
    output: Annotated[
        Path | None,
        Option("--output", metavar="FOLDER", help="write each puzzle as a puzzle file, with a picture"),
    ] = None,
    csv: Annotated[
        Path | None, Option("--csv", metavar="FILE", help="also write the table as CSV; '-': stdout")
    ] = None,
    metric: Metric = "",
    *,
    asked: CommonOptions,
    as_json: Json = False,
) -> int:
    """Find the hardest puzzles of a board with open pieces: for each number of blanks or pieces, or of all.

    docs/format.md describes such files. Examples: puzzlespace design trays.pzl --output found/ · puzzlespace design
    trays.pzl --by group --csv table.csv · puzzlespace design cars.pzl --by pieces --needed
    """
    if csv is not None and str(csv) == "-" and as_json:
        raise InputError("--csv: expected a file beside --json, found '-'")
    check_file(csv, "--csv")
    if seed is not None and method == "union":
        raise InputError("--seed: expected the method climb or auto beside it: union draws nothing at random")
    if not components and method == "climb":
        raise InputError("--no-components: expected the method union or auto beside it: climb counts no components")
    if output is not None and output.exists() and not output.is_dir():
        raise InputError(f"--output: expected a folder, found the file {str(output)!r}")
    confirm = True if output is not None and confirm is None else confirm
    answer = search(
        puzzle, by=by, components=components, needed=needed, one_solution=one_solution, symmetric=symmetric,
        metric=metric, method=method, seed=seed or 0, confirm=confirm, limits=asked.limits, progress=asked.report,
    )  # fmt: skip
    asked.done()
    if as_json:
        print_json(designed.json_object(answer))
    elif csv is not None and str(csv) == "-":
        print(designed.csv_text(answer), end="")
        print(f"puzzlespace: {designed.head(answer)}", file=sys.stderr)
    else:
        print(designed.text(answer))
    with asked.drawing("the files were written"):
        if csv is not None and str(csv) != "-":
            save(csv, designed.csv_text(answer), "--csv")
        if output is not None:
            _write(answer, output)
    code = ExitCode.ANSWERED.number if answer.puzzles else ExitCode.IMPOSSIBLE.number
    return stopped(answer.stopped) or code


def _write(answer: Designed, folder: Path) -> None:
    """Write each puzzle as NAME-KEY.pzl, and its start as NAME-KEY.svg."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(
            f"--output: expected a folder that can be made, found {str(folder)!r} ({error.strerror})"
        ) from None
    for each in answer.puzzles:
        key = {"all": "hardest", "group": each.key}.get(answer.by, f"{each.key}-{answer.by}")
        save(folder / f"{answer.name}-{key}.pzl", print_draft(each.draft), "--output")
        puzzle = puzzle_of(each)
        assert puzzle.start is not None
        save(folder / f"{answer.name}-{key}.svg", position_svg(puzzle, puzzle.start), "--output")
