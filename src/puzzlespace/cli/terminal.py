"""Input and output of the command line: progress on stderr, sizes such as 40M, and the exit code of every outcome."""

from __future__ import annotations

import json
import os
import shutil
import sys
import traceback
import warnings
from collections.abc import Callable
from typing import Any, TextIO

from ..contract.answers import Solution, Status
from ..errors import InputError, LimitError, PuzzlespaceError, SelfCheckWarning, TableWarning
from ..limits.memory import free_memory, sized
from ..limits.watch import Overdue, Progress, heard, peak_memory
from ..puzzle.plain import plain
from . import diagnosed
from .exit_codes import ExitCode

UNITS = ("", "K", "M", "G", "T")
QUIET_SECONDS = 1.0
"""Progress is reported after this time."""


def parse_size(text: str, option: str = "--memory", base: int = 1024) -> int:
    """Return a size such as '40M', '2G' or '1000000': bytes, or bits with `base` 1000.

    option  the name of the option, for the message
    Raises InputError.
    """
    read = plain(text)
    number, unit = (read[:-1], read[-1:].upper()) if read[-1:].upper() in UNITS else (read, "")
    try:
        size = int(float(number) * base ** UNITS.index(unit))
    except (ValueError, OverflowError):
        size = 0
    if size <= 0:
        raise InputError(f"{option}: expected a size such as 40M or 2G, found {text!r}")
    return size


class Reporter:
    """Writes progress to a stream: on a terminal one line that is rewritten, elsewhere a line now and then."""

    def __init__(self, stream: TextIO) -> None:
        self.stream = stream
        self.live = stream.isatty()
        self.every = 0.2 if self.live else 5.0
        self.last = QUIET_SECONDS - self.every
        self.width = 0
        self.said = ""

    def __call__(self, progress: Progress) -> None:
        if progress.seconds - self.last < self.every:
            return
        self.last = progress.seconds
        rate = progress.generated / progress.seconds
        what = f"layer {progress.layer}: {progress.size:,} positions"
        if progress.bound:
            what = f"bound {progress.layer}: {progress.size:,} positions generated"
        line = (
            f"{progress.words or f'{what}, {progress.found:,} in all'}, "
            f"{rate:,.0f} generated/s, {peak_memory() >> 20:,} MB, {progress.seconds:.0f} s"
        )
        if self.live:
            self.stream.write("\r" + line.ljust(self.width))
            self.width = len(line)
        else:
            self.stream.write(line + "\n")
        self.stream.flush()

    def say(self, words: str) -> None:
        """Write a line that stays, unless it equals the last one."""
        if words == self.said:
            return
        self.said = words
        self.clear()
        self.stream.write(f"{words}\n")
        self.stream.flush()

    def clear(self) -> None:
        """Clear the rewritten line."""
        if self.width:
            self.stream.write("\r" + " " * self.width + "\r")
            self.stream.flush()
            self.width = 0


def guarded(run: Callable[[], object]) -> int:
    """Run the command and return its exit code; print errors to stderr, with a traceback only for bugs of ours."""
    try:
        wrong: list[str] = []

        def notice(message: Warning | str, category: type[Warning], *place: object, **more: object) -> None:
            if category is SelfCheckWarning:
                wrong.append(str(message))
            else:
                print(f"puzzlespace: {message}", file=sys.stderr)

        with warnings.catch_warnings(), diagnosed.hearing():
            warnings.showwarning = notice
            warnings.simplefilter("ignore")
            for category in (SelfCheckWarning, TableWarning):
                warnings.simplefilter("always", category)
            code = heard(run)
        sys.stdout.flush()
        for words in wrong:
            code = _say(words, ExitCode.BUG.number)
        return code if isinstance(code, int) else 0
    except PuzzlespaceError as error:
        return _say(str(error), error.exit_code)
    except Overdue as late:
        return _say(str(late), late.limit.exit_code)
    except KeyboardInterrupt:
        return _say("interrupted", ExitCode.INTERRUPTED.number)
    except MemoryError:
        words = f"out of memory: {sized(peak_memory())} were held at most, {sized(free_memory())} are free here"
        return _say(f"{words}; --memory sets a limit that is checked first", ExitCode.MEMORY.number)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return ExitCode.ANSWERED.number
    except Exception as error:
        if hasattr(error, "format_message"):
            return _say(_usage(error), ExitCode.BAD_INPUT.number)
        traceback.print_exc()
        return _say("this is a bug of ours; please report it with the puzzle and the text above", ExitCode.BUG.number)


def _usage(error: Exception) -> str:
    """Return the message for an error in the command line, with the command that prints the help."""
    context = getattr(error, "ctx", None)
    path = context.command_path if context is not None else "puzzlespace"
    return f"{error.format_message()}\nTry: {path} --help"  # type: ignore[attr-defined]


def _say(message: str, code: int) -> int:
    print(f"puzzlespace: {message}", file=sys.stderr)
    return code


def print_json(value: dict[str, Any]) -> None:
    """Print a JSON object on one line, with the notes and warnings about the input unless it has its own."""
    others = {key: told for key, told in diagnosed.fields().items() if key not in value}
    print(json.dumps(value | others, ensure_ascii=False))


def print_stopped(puzzle: str, error: LimitError, now: bool = False) -> None:
    """Print the JSON object of a question that a limit stopped before there was an answer.

    now  write around the buffer of the standard output, because the process is about to end
    """
    stopped = {"kind": error.kind, "text": str(error)}
    value = {"schema": 1, "puzzle": puzzle, "status": "stopped", "stopped": stopped}
    if now:
        os.write(1, (json.dumps(value, ensure_ascii=False) + "\n").encode())
    else:
        print_json(value)


def screen_width() -> int:
    """Return the number of columns of the terminal; 100 if there is none."""
    return shutil.get_terminal_size((100, 24)).columns


def code_of(answer: Solution) -> int:
    """Return the exit code of an answer."""
    if answer.stopped is not None:
        return answer.stopped.exit_code
    return ExitCode.IMPOSSIBLE.number if answer.status is Status.IMPOSSIBLE else ExitCode.ANSWERED.number


def stopped(error: LimitError | None) -> int:
    """Print which limit stopped a table, if one did; return the exit code."""
    if error is None:
        return ExitCode.ANSWERED.number
    print(f"puzzlespace: {error}", file=sys.stderr)
    return error.exit_code
