"""The options that several commands share, with their help texts, and `limited`, which applies them."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from inspect import Parameter, signature
from pathlib import Path
from typing import Annotated, Any

from ..api.choice import limits as make_limits
from ..contract.questions import DEVICES
from ..errors import LimitError
from ..limits.watch import MEMORY_IS_KNOWN, Limits, Overdue, before_exit, heard, process_began, watched
from ..registry import ENGINES, load_compiler
from . import diagnosed
from .parser import Argument, Option
from .terminal import Reporter, parse_size, print_stopped

PuzzleArgument = Annotated[
    str, Argument(metavar="PUZZLE", help="a catalogue name, a file, '-' for stdin, or a spec such as slide:4x4")
]
Json = Annotated[bool, Option("--json", help="print one JSON object")]
Origin = Annotated[str, Option("--from", help="measure to the goal or from the start")]
Metric = Annotated[str, Option(help="what counts as one move: step, run, piece, chain, multi, tilt, push or move")]
EngineName = Annotated[str, Option("--engine", help=f"auto, {', '.join(each.name for each in ENGINES)}")]
DeviceName = Annotated[str, Option("--device", help=f"where to count: {', '.join(DEVICES)} (gpu: a graphics card)")]
Memory = Annotated[str, Option(help="most memory, such as 500M or 4G")]
Seconds = Annotated[float | None, Option(help="most seconds")]
Positions = Annotated[int | None, Option(help="most positions generated")]
Quiet = Annotated[bool, Option("--quiet", "-q", help="no progress on stderr")]
Strict = Annotated[bool, Option("--strict", help="a warning about the input is an error")]
NO_BOARDS = ("--json", "--batch", "--oeis", "--notation")
"""Options that print something else than boards."""

STILL = ("--svg", "--png", "--sheet")
DRAWN = (*STILL, "--gif", "--webp")
PIXELS = (*DRAWN, "--plot")
PICTURES = (*PIXELS, "--pdf")
"""Options that draw pictures: those without motion, those of positions, those that can be made of pixels, and all."""

Glyphs = Annotated[str, Option(help="ascii, or ja for ○ ● □ and the like (two columns wide)", without=NO_BOARDS)]
SvgFile = Annotated[Path | None, Option("--svg", metavar="FILE", help="draw it as SVG", without=("--batch",))]
PngFile = Annotated[Path | None, Option("--png", metavar="FILE", help="draw it as PNG", without=("--batch",))]
SheetFile = Annotated[Path | None, Option("--sheet", metavar="FILE", help="draw them on one page, .svg or .png")]
Theme = Annotated[str, Option(help="of pictures: light, dark or grey", needs=PICTURES)]
Solid = Annotated[bool, Option("--solid", help="draw the net of a cube as a cube, from two corners", needs=DRAWN)]
Size = Annotated[int | None, Option(metavar="PIXELS", help="the width of PNG, GIF and WebP", needs=PIXELS)]

Cluster = Annotated[
    str,
    Option(
        "--cluster", metavar="WHERE", help="one task a question on workers: local:4, or tcp://HOST:PORT",
        needs=("--batch",),
    ),
]  # fmt: skip

MEMORY_IS_NOT_KNOWN = (
    "this system does not report the memory of a process; --memory is checked only before each large table is "
    "made, and a search that grows may exceed it"
)


@dataclass
class CommonOptions:
    """The values of the options that all commands share."""

    limits: Limits
    report: Reporter | None

    @classmethod
    def given(cls, memory: str, seconds: float | None, positions: int | None, quiet: bool) -> CommonOptions:
        """Return the values of the options; raise InputError for an invalid size or limit."""
        limit = make_limits(seconds, parse_size(memory) if memory else None, positions)
        if limit.memory is not None and not MEMORY_IS_KNOWN:
            print(f"puzzlespace: {MEMORY_IS_NOT_KNOWN}", file=sys.stderr)
        return cls(limit, None if quiet else Reporter(sys.stderr))

    def run(self, command: Callable[[], int], began: float | None, as_json: bool, puzzle: str) -> int:
        """Run a command under the limits and return its exit code. Raises LimitError.

        began    when the time limit began, if not now
        as_json  if a limit is passed before there is an answer, print an object that names the limit
        """
        if self.limits.memory is not None:
            load_compiler()
        before_exit[:] = [lambda error: print_stopped(puzzle, error, now=True)] if as_json else []
        try:
            with watched(self.limits, self.report, began):
                return heard(command)
        except (LimitError, Overdue) as passed:
            error = passed.limit if isinstance(passed, Overdue) else passed
            self.done()
            if as_json:
                print_stopped(puzzle, error)
            raise error from None
        finally:
            before_exit.clear()

    def done(self) -> None:
        """Clear the progress line."""
        if self.report is not None:
            self.report.clear()


def _given(
    memory: Memory = "",
    seconds: Seconds = None,
    positions: Positions = None,
    quiet: Quiet = False,
    strict: Strict = False,
) -> CommonOptions:
    diagnosed.be_strict(strict)
    return CommonOptions.given(memory, seconds, positions, quiet)


def limited(command: Callable[..., int]) -> Callable[..., int]:
    """Return a command that has the options for limits and progress instead of the parameter `asked`."""
    options = signature(_given, eval_str=True).parameters

    @wraps(command)
    def asking(**given: Any) -> int:
        began = process_began()
        asked = _given(**{name: given.pop(name) for name in options if name in given})
        puzzle, as_json = str(given.get("puzzle", "")), bool(given.get("as_json"))
        return asked.run(lambda: command(asked=asked, **given), began, as_json, puzzle)

    parameters: list[Parameter] = []
    for name, parameter in signature(command, eval_str=True).parameters.items():
        parameters += options.values() if name == "asked" else [parameter]
    shown = [parameter.replace(kind=Parameter.KEYWORD_ONLY) for parameter in parameters]
    asking.__dict__["__signature__"] = signature(command).replace(parameters=shown)
    asking.__annotations__ = {parameter.name: parameter.annotation for parameter in shown}
    return asking
