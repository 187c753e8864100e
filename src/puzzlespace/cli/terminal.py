"""Input and output of the command line: progress on stderr, sizes such as 40M, and the exit code of every outcome."""

from __future__ import annotations

import json
import os
import re
import shutil
import sys
import threading
import time
import traceback
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from itertools import chain
from typing import Any, TextIO

from ..contract.answers import Solution, Status
from ..errors import InputError, LimitError, PuzzlespaceError, SelfCheckWarning, TableWarning, let_go
from ..limits.machine import peak_memory
from ..limits.memory import shortage
from ..limits.stopping import Overdue, heard
from ..limits.watch import Progress, under_way
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
    number, unit = (text[:-1], text[-1:].upper()) if text[-1:].upper() in UNITS else (text, "")
    try:
        if not text.isascii():
            raise ValueError
        size = int(float(number) * base ** UNITS.index(unit))
    except (ValueError, OverflowError):
        size = 0
    if size <= 0:
        raise InputError(f"{option}: expected a size such as 40M or 2G, found {text!r}")
    return size


BEAT = 0.2
"""Seconds between two looks whether the command is silent."""

SILENCE = 0.8
"""After so many seconds without a report a terminal shows what goes on."""


class Reporter:
    """Writes progress to a stream: on a terminal one line that is rewritten, elsewhere a line now and then.

    On a terminal a thread of its own says what goes on if nothing was reported for `SILENCE` seconds.
    """

    def __init__(self, stream: TextIO) -> None:
        self.stream = stream
        self.live = stream.isatty()
        self.every = 0.2 if self.live else 5.0
        self.last = QUIET_SECONDS - self.every
        self.width = 0
        self.said = ""
        self.what = ""
        self.began = self.written = time.perf_counter()
        self.quiet = False
        self.lock = threading.Lock()

    def __call__(self, progress: Progress) -> None:
        what = f"layer {progress.layer}: {progress.size:,} positions"
        if progress.bound:
            what = f"bound {progress.layer}: {progress.size:,} positions generated"
        self.what = f"{progress.words or f'{what}, {progress.found:,} in all'}{_share(progress)}"
        if progress.seconds - self.last < self.every:
            return
        self.last = progress.seconds
        self.quiet = False
        self._write(self.what, _rate(progress.generated, progress.seconds), progress.seconds)

    @contextmanager
    def heard_of(self, began: float) -> Iterator[None]:
        """Say what goes on in a command that began then, during the `with` statement; only on a terminal."""
        self.began = self.written = began
        if not self.live:
            yield
            return
        ended = threading.Event()
        thread = threading.Thread(target=self._beat, args=(ended,), daemon=True, name="progress")
        thread.start()
        try:
            yield
        finally:
            ended.set()

    def _beat(self, ended: threading.Event) -> None:
        while not ended.wait(BEAT):
            here = under_way()
            now = time.perf_counter()
            if here is None or self.quiet or now - self.written < SILENCE:
                continue
            watch, words = here
            what = words.replace(" were ", " are being ", 1).replace(" was ", " is being ", 1) if words else self.what
            if not what:
                what = f"engine {watch.known.engine} is at work" if watch.known.engine else "the question is prepared"
            seconds = now - self.began
            self._write(what, _rate(watch.generated, seconds), seconds)

    def _write(self, what: str, rate: str, seconds: float) -> None:
        """Write what goes on; on a narrow terminal without the rate, and then cut, so that memory and time are seen."""
        if not self.lock.acquire(timeout=BEAT):
            return
        try:
            spent = f", {peak_memory() >> 20:,} MB, {seconds:.0f} s"
            line = what + rate + spent
            if self.live:
                room = shutil.get_terminal_size((200, 24)).columns - 1
                if len(line) > room:
                    line = (what[: max(room - len(spent), 0)] + spent)[:room]
                self.stream.write("\r" + line.ljust(self.width))
                self.width = len(line)
            else:
                self.stream.write(line + "\n")
            self.stream.flush()
            self.written = time.perf_counter()
        finally:
            self.lock.release()

    def say(self, words: str) -> None:
        """Write a line that stays, unless it equals the last one."""
        from .parameters import as_options  # most commands say nothing

        words = as_options(words)
        if words == self.said:
            return
        self.said = words
        self._blank()
        self.stream.write(f"{words}\n")
        self.stream.flush()

    def clear(self) -> None:
        """Clear the rewritten line, and write none until more is reported: an answer is printed."""
        self.quiet = True
        self._blank()

    def clear_at_once(self) -> None:
        """Clear the line around the buffer of the stream, because the process is about to end."""
        self.quiet = True
        if self.width:
            with suppress(OSError):
                os.write(self.stream.fileno(), f"\r{' ' * self.width}\r".encode())

    def go_on(self) -> None:
        """Say what goes on again: the command works on another answer."""
        self.what = ""
        self.quiet, self.written = False, time.perf_counter()

    def _blank(self) -> None:
        if self.width:
            self.stream.write("\r" + " " * self.width + "\r")
            self.stream.flush()
            self.width = 0


def _rate(generated: int, seconds: float) -> str:
    """Return the rate so far in words, '' if nothing is counted yet."""
    return f", {generated / seconds:,.0f} generated/s" if generated and seconds else ""


def _share(progress: Progress) -> str:
    """Return the share of a count whose size is known, and about how long it will go on at this pace; else ''."""
    here = under_way()
    total = here[0].known.total if here is not None else 0
    if not total or progress.bound or progress.words or not 0.01 * total <= progress.found <= total:
        return ""
    share = progress.found / total
    left = progress.seconds * (1 - share) / share
    time_left = f"{left / 60:.0f} min" if left >= 100 else f"{left:.0f} s"
    return f", share {100 * share:.0f} %, about {time_left} left"


answers_printed = [False]
"""Whether the command has printed a JSON object."""


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
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return ExitCode.ANSWERED.number
    except Exception as error:
        short = shortage(error)
        if short is not None:
            let_go(error)  # to say it takes memory, too
            return _say(str(short), short.exit_code)
        if hasattr(error, "format_message"):
            return _say(_usage(error), ExitCode.BAD_INPUT.number)
        traceback.print_exc()
        return _say("this is a bug of ours; please report it with the puzzle and the text above", ExitCode.BUG.number)


def _usage(error: Exception) -> str:
    """Return the message for an error in the command line, with the command that prints the help."""
    context = getattr(error, "ctx", None)
    path = context.command_path if context is not None else "puzzlespace"
    option = getattr(error, "option_name", "")
    board = option and not OPTION.fullmatch(option)
    hint = f"if this is a board or a position, write '--' before it: {path} -- BOARD\n" if board else ""
    return f"{error.format_message()}\n{hint}Try: {path} --help"  # type: ignore[attr-defined]


OPTION = re.compile("--[a-z]+(-[a-z]+)*")
"""What may be meant as an option."""


def _say(message: str, code: int) -> int:
    from .parameters import as_options  # for errors only

    print(f"puzzlespace: {as_options(message)}", file=sys.stderr)
    return code


def print_json(value: dict[str, Any]) -> None:
    """Print a JSON object on one line.

    It gets, unless it has its own, the notes and warnings about the input, and `complete` if it or a part of it can be
    stopped by a limit.
    """
    stops = list(_stops(value))
    others = diagnosed.fields() | ({"complete": not any(stops)} if stops else {})
    line = json.dumps(value | {key: told for key, told in others.items() if key not in value}, ensure_ascii=False)
    answers_printed[0] = True
    print(line)


def _stops(value: object) -> Iterator[bool]:
    """Yield for each object in a value that a limit can stop whether one did."""
    if isinstance(value, dict):
        if "stopped" in value:
            yield value["stopped"] is not None
        yield from chain.from_iterable(map(_stops, value.values()))
    elif isinstance(value, list | tuple):
        yield from chain.from_iterable(map(_stops, value))


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
    if error.kind != "interrupted":  # `guarded` says so after every command
        print(f"puzzlespace: {error}", file=sys.stderr)
    return error.exit_code
