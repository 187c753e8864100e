"""Limits of time, memory and positions, and the places where they are looked at.

A `Watch` is the clock of one question. An engine has it in hand and calls `tick`. Code that prepares a question (reads
a puzzle, builds a model, looks for symmetries, draws a picture) has no watch in hand: `watched` makes one known to
everything that is called inside, and every loop there that can grow calls `checkpoint`, or goes over `paced` items.
A watch that is made inside another one obeys both.
"""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar, copy_context
from dataclasses import dataclass, field
from threading import Thread
from typing import TypeVar

from ..errors import LimitError
from .thresholds import Thresholds

try:
    import resource
except ImportError:  # Windows
    resource = None

STARTED = time.perf_counter()
"""When the program began, as near as it can tell."""

_process: list[float] = []


def process_begins() -> None:
    """Say that the next command's time began with the process, not when the command is called."""
    _process[:] = [STARTED]


def process_began() -> float:
    """Return when the command that asks began: with the process for its first command, now for others."""
    return _process.pop() if _process else time.perf_counter()


PACE = 0.02
"""Seconds between two looks at the limits by `checkpoint`."""

Item = TypeVar("Item")


@dataclass(frozen=True, slots=True)
class Limits:
    """How much a question may use; None is no limit.

    seconds    wall-clock time from `Watch` construction
    memory     bytes that may be taken on top of what the process holds when the watch first looks: the program itself
               (pages of files that the system can drop are not counted where it tells)
    positions  positions generated
    """

    seconds: float | None = None
    memory: int | None = None
    positions: int | None = None


@dataclass(frozen=True, slots=True)
class Progress:
    """A report between layers: the layer just finished, its size, positions found and generated so far, seconds.

    bound  whether `layer` is the bound of a depth-first search instead, and `size` the positions it generated below it
    """

    layer: int
    size: int
    found: int
    generated: int
    seconds: float
    bound: bool = False


@dataclass(frozen=True, slots=True)
class Fault:
    """A wrong answer of an engine, noticed by a check in the same run and not given: a fault of this program.

    engine    the engine that was wrong
    question  'depths' or 'search'
    text      what was expected and what was found
    """

    engine: str
    question: str
    text: str


COMPILING = "loops were compiled (only once: what is compiled is kept on disk)"

_compiling = [0]


def compiling(more: int) -> None:
    """Take note that `more` compilations are under way (-1: one less)."""
    _compiling[0] += more


@dataclass
class Activity:
    """What is being done, for the words of a limit: 'the symmetries were sought'; '' while an engine searches."""

    words: str = ""

    def __str__(self) -> str:
        words = COMPILING if _compiling[0] else self.words
        return f" while {words}" if words else ""


_ambient: ContextVar[Watch | None] = ContextVar("puzzlespace watch", default=None)


@dataclass(eq=False)
class Watch:
    """The clock of one question: counts what is generated, reports layers, stops at a limit.

    thresholds  what engines go by
    within      the watch of the larger question that this one is part of; its limits hold as well
    """

    limits: Limits = Limits()
    report: Callable[[Progress], None] | None = None
    generated: int = 0
    began: float = field(default_factory=time.perf_counter)
    program: int | None = None
    faults: list[Fault] = field(default_factory=list[Fault])
    thresholds: Thresholds = Thresholds()
    within: Watch | None = field(default_factory=_ambient.get)

    def __post_init__(self) -> None:
        self.stage: Activity = self.within.stage if self.within is not None else Activity()
        self._next = 0.0

    @property
    def seconds(self) -> float:
        """Return the seconds since the watch was made."""
        return time.perf_counter() - self.began

    def tick(self, generated: int, bound: int = 0) -> None:
        """Count generated positions; raise LimitError with `bound` (moves proved so far) if a limit is passed."""
        self.generated += generated
        limits = self.limits
        if limits.positions is not None and self.generated > limits.positions:
            raise LimitError("positions", f"stopped after {self.generated:,} positions generated", bound)
        if limits.seconds is not None and self.seconds > limits.seconds:
            raise LimitError("seconds", f"stopped after {self.seconds:.1f} seconds{self.stage}", bound)
        left = self._left(0)
        if left is not None and left < 0 and limits.memory is not None:
            raise LimitError("memory", f"stopped at {limits.memory - left:,} bytes of memory{self.stage}", bound)
        if self.within is not None:
            self.within.tick(generated, bound)

    def glance(self) -> None:
        """Look at the limits unless that was done a moment ago; raise LimitError if one is passed."""
        now = time.perf_counter()
        if now >= self._next:
            self._next = now + PACE
            self.tick(0)

    def reserve(self, wanted: int, bound: int = 0) -> None:
        """Raise LimitError before `wanted` more bytes are taken if they would pass the limit of memory."""
        left = self.memory_left(wanted)
        if left is not None and left < wanted:
            what = f"{wanted:,} bytes more are needed, {max(left, 0):,} are left of the limit of {self._memory():,}"
            raise LimitError("memory", f"{what}{self.stage}", bound)

    def memory_left(self, wanted: int = 0) -> int | None:
        """Return how many bytes may still be taken, or something more than `wanted` that is quicker to know.

        None is no limit. What the process holds at the first call counts as the program itself.
        """
        mine = self._left(wanted)
        outer = self.within.memory_left(wanted) if self.within is not None else None
        return mine if outer is None else outer if mine is None else min(mine, outer)

    def _left(self, wanted: int) -> int | None:
        """Return what the limit of this watch leaves, as `memory_left` does for those around it too."""
        if self.limits.memory is None:
            return None
        if self.program is None:
            self.program = held_memory(0) - _grown[0]
        most = self.limits.memory + self.program + _grown[0]
        return most - held_memory(most - wanted)

    def _memory(self) -> int:
        """Return the least limit of memory that holds."""
        outer = self.within._memory() if self.within is not None else 0
        found = [each for each in (self.limits.memory, outer) if each]
        return min(found, default=0)

    def say(self, words: str) -> None:
        """Tell at once, in words, how much is to be done, where the report takes words (has a function `say`)."""
        say = getattr(self.report, "say", None)
        if say is not None:
            say(words)

    def layer(self, layer: int, size: int, found: int, bound: bool = False) -> None:
        """Report a finished layer, or how far a search below a bound is."""
        if self.report is not None:
            self.report(Progress(layer, size, found, self.generated, self.seconds, bound))


_main: list[Watch] = []
"""The watches that the main thread works under, the outermost first; `guard` looks at them from its own thread."""


class Overdue(BaseException):
    """A limit was passed and no checkpoint noticed. Not an Exception, so that no engine takes it for its own limit.

    Raised by the guard of the command line only, between any two steps of the interpreter.
    """

    def __init__(self, limit: LimitError) -> None:
        super().__init__(str(limit))
        self.limit = limit


MARGIN = 32 << 20
"""Bytes above a limit of memory that may be modules loaded meanwhile."""


def overdue(more: float, share: float) -> LimitError | None:
    """Return the limit that the main thread passed long ago; None unless it did.

    more, share  how long: seconds and a share of the limit of seconds; for memory a share of the limit of bytes
    The outermost watch counts, the command's own: what passes the limit of a part of it must not end the whole.
    """
    for watch in _main[:1]:
        limits = watch.limits
        if limits.seconds is not None and watch.seconds > limits.seconds * (1 + share) + more:
            return LimitError("seconds", f"stopped after {watch.seconds:.1f} seconds{watch.stage}")
        if limits.memory is not None and watch.program is not None:
            most = limits.memory + watch.program + _grown[0]
            held = held_memory(most)
            if held > most + max(share * limits.memory, MARGIN):
                return LimitError("memory", f"stopped at {limits.memory + held - most:,} bytes of memory{watch.stage}")
    return None


farewells: list[Callable[[LimitError], None]] = []
"""What is still to be said if the guard has to end the process."""


@contextmanager
def watched(
    limits: Limits, report: Callable[[Progress], None] | None = None, began: float | None = None
) -> Iterator[Watch]:
    """Make a watch that every checkpoint inside obeys.

    began  when its time began (`time.perf_counter`), if that is not now
    """
    watch = Watch(limits, report)
    if began is not None:
        watch.began = began
    if limits.memory is not None:
        watch.memory_left()
    with _under(watch):
        yield watch


@contextmanager
def apart() -> Iterator[None]:
    """Work inside without the watches around: for questions that have limits of their own, one after the other."""
    before = _main[:]
    token = _ambient.set(None)
    if _in_main():
        _main.clear()
    try:
        yield
    finally:
        _ambient.reset(token)
        if _in_main():
            _main[:] = before


@contextmanager
def _under(watch: Watch) -> Iterator[None]:
    token = _ambient.set(watch)
    if _in_main():
        _main.append(watch)
    try:
        yield
    finally:
        _ambient.reset(token)
        if _in_main() and watch in _main:
            _main.remove(watch)


def _in_main() -> bool:
    return threading.current_thread() is threading.main_thread()


def checkpoint() -> None:
    """Raise LimitError if a limit of the watch around is passed. Costs some 0.1 µs: for loops that can grow."""
    watch = _ambient.get()
    if watch is not None:
        watch.glance()


def paced(items: Iterable[Item]) -> Iterator[Item]:
    """Yield the items with a checkpoint before each."""
    watch = _ambient.get()
    if watch is None:
        yield from items
        return
    for item in items:
        watch.glance()
        yield item


def together(threads: int, work: Callable[[], None]) -> None:
    """Do the same work in several threads, this one among them; checkpoints in each obey the watch around this call.

    `work` takes its tasks from a list that all share, and returns once that is empty. The first error is raised.
    """
    errors: list[BaseException] = []

    def guarded() -> None:
        try:
            work()
        except BaseException as error:
            errors.append(error)

    team = [Thread(target=copy_context().run, args=(guarded,), daemon=True) for _ in range(threads - 1)]
    for thread in team:
        thread.start()
    work()
    for thread in team:
        thread.join()
    if errors:
        raise errors[0]


@contextmanager
def phase(words: str) -> Iterator[None]:
    """Say what is done inside, for the message of a limit that is passed there: 'the symmetries were sought'.

    Looks at the limits first, so that nothing new begins once one is passed.
    """
    watch = _ambient.get()
    if watch is None:
        yield
        return
    before, watch.stage.words = watch.stage.words, words
    try:
        watch.tick(0)
        yield
    finally:
        watch.stage.words = before


MEMORY_IS_KNOWN = resource is not None
"""Whether the system tells how much memory this process holds. If not, it counts as 0."""


def peak_memory() -> int:
    """Return the peak resident memory of this process in bytes; 0 if the system does not tell."""
    if resource is None:
        return 0
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else peak * 1024  # macOS counts bytes, other systems kibibytes


def held_memory(enough: int) -> int:
    """Return the bytes of memory that only this process holds now, pages of files not counted.

    The peak, which costs nothing to know, where that is at most `enough` or the system does not say more.
    """
    peak = peak_memory()
    if peak <= enough:
        return peak
    try:
        with open("/proc/self/status") as file:
            found = [line.split()[1] for line in file if line.startswith(("RssAnon:", "RssShmem:"))]
    except OSError:
        return peak
    return 1024 * sum(map(int, found)) if found else peak


_grown = [0]


def grown(size: int) -> None:
    """Take note that the program itself, its compiled loops, holds `size` bytes more."""
    _grown[0] += max(size, 0)
