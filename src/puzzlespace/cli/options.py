"""The options that several commands share, with their help texts, and `limited`, which applies them."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import wraps
from inspect import Parameter, signature
from pathlib import Path
from typing import Annotated, Any, TypeVar

from ..api.allowed_moves import with_moves
from ..api.arguments import made_limits
from ..api.loader import load
from ..api.positions import with_goal
from ..contract.questions import DEVICES
from ..errors import LimitError, PuzzlespaceError, let_go
from ..limits.machine import MEMORY_IS_KNOWN, unbound_process
from ..limits.memory import shortage
from ..limits.stopping import Overdue, before_exit, heard, interrupted, interruption, limit_of, print_now, settled
from ..limits.watch import Limits, Watch, activity, process_began, watched
from ..puzzle.puzzle import Puzzle
from ..registry import ENGINES, load_compiler
from . import diagnosed, terminal
from .parser import Argument, Option
from .partial import Partial
from .terminal import Reporter, parse_size

PuzzleArgument = Annotated[
    str, Argument(metavar="PUZZLE", help="a catalogue name, a file, '-' for stdin, or a spec such as slide:4x4")
]
Json = Annotated[bool, Option("--json", help="print one JSON object")]
Origin = Annotated[str, Option("--from", help="measure to the goal or from the start")]
Metric = Annotated[str, Option(help="what counts as one move: step, run, piece, chain, multi, tilt, push or move")]
Moves = Annotated[list[str] | None, Option("--moves", metavar="MOVES", help="make only these moves: U,R2")]
Avoid = Annotated[list[str] | None, Option("--avoid", metavar="MOVES", help="never make these moves: U2,R")]
TURNED = "the goal may also be reached turned or reflected"
Turned = Annotated[bool, Option("--turned", help=TURNED, without=("--batch", "--table"))]
EngineName = Annotated[str, Option("--engine", help=f"auto, {', '.join(each.name for each in ENGINES)}")]
DeviceName = Annotated[str, Option("--device", help=f"where to count: {', '.join(DEVICES)} (gpu: a graphics card)")]
Memory = Annotated[str, Option(help="most memory, such as 500M or 4G")]
Seconds = Annotated[float | None, Option(help="most seconds")]
Positions = Annotated[int | None, Option(help="most positions generated")]
Quiet = Annotated[bool, Option("--quiet", "-q", help="no progress on stderr")]
Force = Annotated[bool, Option("--force", help="begin even what is known to be hopeless here")]
Strict = Annotated[bool, Option("--strict", help="a warning about the input is an error")]
NO_BOARDS = ("--json", "--batch", "--oeis", "--notation")
"""Options that print something else than boards."""

STILL = ("--svg", "--png", "--sheet")
DRAWN = (*STILL, "--gif", "--webp")
PIXELS = (*DRAWN, "--plot", "--map")
PICTURES = (*PIXELS, "--pdf")
"""Options that draw pictures: those without motion, those of positions, those that can be made of pixels, and all."""

Glyphs = Annotated[str, Option(help="ascii, or ja for ○ ● □ and the like (two columns wide)", without=NO_BOARDS)]
SvgFile = Annotated[Path | None, Option("--svg", metavar="FILE", help="draw it as SVG", without=("--batch",))]
PngFile = Annotated[Path | None, Option("--png", metavar="FILE", help="draw it as PNG", without=("--batch",))]
SheetFile = Annotated[Path | None, Option("--sheet", metavar="FILE", help="draw them on one page, .svg or .png")]
Theme = Annotated[str, Option(help="of pictures: light, dark or grey", needs=PICTURES)]
Solid = Annotated[bool, Option("--solid", help="draw the net of a cube as a cube, from two corners", needs=DRAWN)]
Names = Annotated[bool, Option("--names", help="draw the name of each cell", needs=DRAWN)]
Size = Annotated[int | None, Option(metavar="PIXELS", help="the width of PNG, GIF and WebP", needs=PIXELS)]

Cluster = Annotated[
    str,
    Option(
        "--cluster", metavar="WHERE", help="one task a question on workers: local:4, or tcp://HOST:PORT",
        needs=("--batch",),
    ),
]  # fmt: skip

Item = TypeVar("Item")

MEMORY_IS_NOT_KNOWN = (
    "this system does not report the memory of a process; --memory is checked only before each large table is "
    "made, and a search that grows may exceed it"
)


def loaded(
    puzzle: str, moves: list[str] | None, avoid: list[str] | None, goal: str = "", turned: bool = False
) -> Puzzle:
    """Return the puzzle of an argument, as the options `--moves`, `--avoid`, `--goal` and `--turned` change it."""
    found = with_moves(load(puzzle), moves or (), avoid or ())
    found = with_goal(found, goal) if goal else found
    if not turned:
        return found
    from ..api.turned_goals import with_turned_goals  # looks for symmetries, which most commands do not

    return with_turned_goals(found)


@dataclass
class CommonOptions:
    """The values of the options that all commands share."""

    limits: Limits
    report: Reporter | None
    partial: Partial = field(default_factory=lambda: Partial("", "", False))
    watch: Watch = field(default_factory=Watch)

    @classmethod
    def given(cls, memory: str, seconds: float | None, positions: int | None, quiet: bool) -> CommonOptions:
        """Return the values of the options; raise InputError for an invalid size or limit."""
        limit = made_limits(seconds, parse_size(memory) if memory else None, positions)
        if limit.memory is not None and not MEMORY_IS_KNOWN:
            print(f"puzzlespace: {MEMORY_IS_NOT_KNOWN}", file=sys.stderr)
        return cls(limit, None if quiet else Reporter(sys.stderr))

    def run(self, command: Callable[[], int], began: float | None) -> int:
        """Run a command under the limits and return its exit code. Raises LimitError.

        If a limit or Ctrl-C stops the command before it prints an answer, what is known so far is printed.

        began  when the time limit began, if not now
        """
        if self.limits.memory is not None:
            load_compiler()
            unbound_process()
        terminal.answers_printed[0] = False
        print_now(False)
        before_exit[:] = [self._tell_at_once]
        try:
            with watched(self.limits, self.report, began) as self.watch, self._reported():
                self.partial.known = self.watch.known
                code = heard(command)
                if interrupted:
                    raise interruption()
                sys.stdout.flush()
                return code
        except (LimitError, Overdue, KeyboardInterrupt) as passed:
            error = interruption() if isinstance(passed, KeyboardInterrupt) else limit_of(passed)
            self._tell(error)
            raise error from None
        except (MemoryError, OSError, ImportError, RuntimeError, SystemError) as error:
            short = None if isinstance(error, PuzzlespaceError) else shortage(error)
            if short is None:
                raise
            let_go(error)  # to tell it takes memory, too
            self._tell(short)
            raise short from None
        finally:
            before_exit.clear()
            interrupted.clear()
            settled()

    def done(self) -> None:
        """Clear the progress line: the answer is printed now."""
        self.clear()
        self.partial.begun = True
        print_now(True)

    @contextmanager
    def drawing(self, words: str = "the pictures were drawn") -> Iterator[None]:
        """Do what comes after the answer is printed, so that it is not lost if a limit stops it."""
        sys.stdout.flush()
        if self.watch.passed is None:
            print_now(False)
            if self.report is not None:
                self.report.go_on()
        with activity(words):
            yield
        self.clear()

    def each(self, results: Iterable[Item]) -> Iterator[Item]:
        """Yield results that are printed as they come; Ctrl-C ends them after the one that it stopped."""
        found = iter(results)
        while not interrupted:
            print_now(False)
            if self.report is not None:
                self.report.go_on()
            try:
                result = next(found)
            except StopIteration:
                break
            except (LimitError, Overdue) as late:
                if not interrupted:
                    raise late
                break
            self.done()
            yield result
        self.done()

    @contextmanager
    def _reported(self) -> Iterator[None]:
        """Let the report say what goes on if the command is silent for long."""
        if self.report is None:
            yield
            return
        with self.report.heard_of(self.watch.began):
            yield

    def _tell(self, error: LimitError) -> None:
        """Print what is known so far."""
        print_now(True)
        self.clear()
        self.partial.tell(error)
        sys.stdout.flush()

    def _tell_at_once(self, error: LimitError, printed: bool) -> None:
        if self.report is not None:
            self.report.clear_at_once()
        if not printed:
            self.partial.tell_at_once(error)

    def clear(self) -> None:
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
        asked.partial = Partial(command.__name__, str(given.get("puzzle", "")), bool(given.get("as_json")))
        return asked.run(lambda: command(asked=asked, **given), began)

    parameters: list[Parameter] = []
    for name, parameter in signature(command, eval_str=True).parameters.items():
        parameters += options.values() if name == "asked" else [parameter]
    shown = [parameter.replace(kind=Parameter.KEYWORD_ONLY) for parameter in parameters]
    asking.__dict__["__signature__"] = signature(command).replace(parameters=shown)
    asking.__annotations__ = {parameter.name: parameter.annotation for parameter in shown}
    return asking
