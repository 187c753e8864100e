"""Limits of time, memory and positions, and how they are checked.

A `Watch` measures one question. An engine gets the watch as an argument and calls `tick`. Code that prepares a question
(reads a puzzle, builds a model, finds symmetries, draws a picture) gets no watch as an argument: `watched` makes a
watch the ambient one, and every loop that can become long calls `checkpoint` or iterates over `paced` items. A watch
that is created inside another one obeys the limits of both.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import TypeVar

from ..errors import LimitError
from . import machine
from .known import KnownSoFar
from .machine import held_memory, peak_memory, taken_by_itself
from .numbers import finite, whole
from .stopping import grace, graced, interrupted
from .thresholds import USUAL, Threshold, Thresholds

STARTED = time.perf_counter()
"""The time when this module was loaded: about when the program began."""

_process: list[float] = []

GLANCE = Threshold(1 << 12)
"""Positions that plain Python generates between two checks of the limits, in some hundredths of a second.

Measured: an eighth and eight times as many changed `solve eight` in plain Python by at most 2 %.
"""

STRIDE = Threshold(1 << 21)
"""Moves that a compiled loop tries between two checks of the limits, in about a tenth of a second.

Measured: a quarter of a million moves, and 16 million, changed a search of slide:4x4 by at most 4 %.
"""


def process_begins() -> None:
    """Count the time of the next command from the start of the process, not from the call of the command."""
    _process[:] = [STARTED]


def process_began() -> float:
    """Return when the current command began: with the process for its first command, now for others."""
    return _process.pop() if _process else time.perf_counter()


PACE = 0.02
"""Seconds between two checks of the limits by `checkpoint`."""

FEW = 128 << 20
"""Bytes that a question may hold even if little memory is free: about what the program takes with its compiler."""

LARGE = 16 << 20
"""Bytes of an array from which on it is compared with what is free before it is made."""

SOON = 0.75
"""The guard of the command line steps in when less than this share of the reserve is free."""

Item = TypeVar("Item")


@dataclass(frozen=True, slots=True)
class Limits:
    """The limits of a question; None is no limit.

    seconds    wall-clock time from the construction of the `Watch`
    memory     bytes in addition to those that the process holds when the watch first checks, which are the program
               itself. Pages of files are not counted if the system reports them separately. Without this limit a
               question ends when it would leave less than `machine.reserve` free
    positions  positions generated
    Raises InputError unless these are finite numbers from 0, bytes and positions whole ones.
    """

    seconds: float | None = None
    memory: int | None = None
    positions: int | None = None

    def __post_init__(self) -> None:
        if self.seconds is not None:
            finite("limits: seconds", self.seconds)
        if self.memory is not None:
            whole("limits: memory (bytes)", self.memory, 0)
        if self.positions is not None:
            whole("limits: positions", self.positions, 0)


@dataclass(frozen=True, slots=True)
class Progress:
    """A report after a layer: the layer, its size, positions found and generated so far, seconds.

    bound  whether `layer` is a bound of iterative deepening instead, and `size` the positions generated below it
    words  what to say instead of layer, size and found, if not ''
    """

    layer: int
    size: int
    found: int
    generated: int
    seconds: float
    bound: bool = False
    words: str = ""


@dataclass(frozen=True, slots=True)
class Fault:
    """A wrong answer of an engine, found by a check in the same run: a fault of this program. It is not returned.

    engine    the engine with the wrong answer
    question  'depths' or 'search'
    text      what was expected and what was found
    """

    engine: str
    question: str
    text: str


COMPILING = "loops were compiled (only once: what is compiled is kept on disk)"

_compiling = [0]


def compiling(more: int) -> None:
    """Record that `more` compilations are running (-1: one less).

    Meanwhile memory is not checked: what the compiler takes is known only at the end (`grown`), and is not counted.
    """
    _compiling[0] += more


@dataclass
class Activity:
    """The current activity, for the message of a limit: 'the symmetries were sought'; '' while an engine searches."""

    words: str = ""

    def __str__(self) -> str:
        words = COMPILING if _compiling[0] else self.words
        return f" while {words}" if words else ""


_ambient: ContextVar[Watch | None] = ContextVar("puzzlespace watch", default=None)


@dataclass(eq=False)
class Watch:
    """Measures one question: counts generated positions, reports layers, raises LimitError at a limit.

    thresholds  the thresholds of engines
    within      the watch of the larger question of which this one is a part; its limits hold as well
    known       what is proved of the answer so far, see `answering`
    opened      positions expanded, see `expanded`; uncounted: whether some engine generated positions without counting
                those that it expanded
    """

    limits: Limits = Limits()
    report: Callable[[Progress], None] | None = None
    generated: int = 0
    opened: int = 0
    uncounted: bool = False
    began: float = field(default_factory=time.perf_counter)
    program: int | None = None
    faults: list[Fault] = field(default_factory=list[Fault])
    thresholds: Thresholds = USUAL
    within: Watch | None = field(default_factory=_ambient.get)
    known: KnownSoFar = field(default_factory=KnownSoFar)

    def __post_init__(self) -> None:
        self._thread = threading.get_ident()
        mine = self.within is not None and self.within._thread == self._thread  # another thread does something else
        self.stage: Activity = self.within.stage if self.within is not None and mine else Activity()
        self._next = self._looked = 0.0
        large = self.within is None and peak_memory() > FEW
        self._before = held_memory(0) if large else 0  # what earlier questions of this process left

    @property
    def seconds(self) -> float:
        """The seconds since the watch was created."""
        return time.perf_counter() - self.began

    @property
    def expanded(self) -> int | None:
        """The number of positions expanded: their moves were made. None if an engine did not count them.

        Of layers: all positions of each layer whose following layer is finished, on both sides. Of A*: each position
        taken out that is no goal, again if it was reached on a shorter path. Of IDA*: in each round anew, each position
        that is entered because it is no goal and its bound allows a solution; not those in tables of earlier visits.
        Searches that one question asks for in turn are summed. `generated` counts the positions that these moves lead
        to, so every position expanded but the first ones was generated.
        """
        return None if self.uncounted else self.opened

    def expand(self, positions: int) -> None:
        """Count positions expanded."""
        self.opened += positions
        if self.within is not None:
            self.within.expand(positions)

    def tick(self, generated: int, bound: int = 0) -> None:
        """Count generated positions; raise LimitError with `bound`, the lower bound so far, if a limit is exceeded."""
        self.generated += generated
        limits, late = self.limits, grace()
        if interrupted and not late:
            raise LimitError("interrupted", "interrupted", bound)
        if limits.positions is not None and self.generated > limits.positions and not late:
            raise LimitError("positions", f"stopped after {self.generated:,} positions generated", bound)
        if limits.seconds is not None and self.seconds > limits.seconds + late:
            raise LimitError("seconds", f"stopped after {self.seconds:.1f} seconds{self.stage}", bound)
        left = self._left(0) if not late else None
        if left is not None and left < 0 and limits.memory is not None and not _compiling[0]:
            raise LimitError("memory", f"stopped at {_held(limits.memory - left, limits.memory)}{self.stage}", bound)
        if self.within is not None:
            self.within.tick(generated, bound)
        elif limits.memory is None and not _compiling[0]:
            self._look(bound)

    def _look(self, bound: int) -> None:
        """Raise LimitError if this question leaves too little memory free; look at most every PACE seconds."""
        now = time.perf_counter()
        if now >= self._looked:
            self._looked = now + PACE
            words = self.short_of()
            if words:
                raise LimitError("memory", f"{words}{self.stage}", bound)

    def short_of(self, share: float = 1.0) -> str:
        """Return a message if this question leaves less than a share of the reserve free; '' if not.

        A question that holds little is not to blame.
        """
        if peak_memory() <= FEW or (free := machine.free_memory()) >= share * machine.reserve():
            return ""
        held = held_memory(0) - self._before
        left = f"{free:,} are free here, {machine.reserve():,} are kept free unless a limit of memory is given"
        return f"stopped at {held:,} bytes of memory ({left})" if held > FEW else ""

    @property
    def passed(self) -> LimitError | None:
        """The limit that is exceeded now, if any."""
        try:
            with graced(0.0):
                self.tick(0)
        except LimitError as error:
            return error
        return None

    @property
    def positions_left(self) -> int | None:
        """How many positions may still be generated, by this watch and those around it; None: no limit."""
        mine = None if self.limits.positions is None else max(0, self.limits.positions - self.generated)
        outer = self.within.positions_left if self.within is not None else None
        return mine if outer is None else outer if mine is None else min(mine, outer)

    @property
    def seconds_left(self) -> float | None:
        """How many seconds this watch and those around it still have, 0 if none; None: no limit."""
        mine = None if self.limits.seconds is None else max(0.0, self.limits.seconds - self.seconds)
        outer = self.within.seconds_left if self.within is not None else None
        return mine if outer is None else outer if mine is None else min(mine, outer)

    def glance(self) -> None:
        """Check the limits, but at most every PACE seconds; raise LimitError if one is exceeded."""
        now = time.perf_counter()
        if now >= self._next:
            self._next = now + PACE
            self.tick(0)

    def reserve(self, wanted: int, bound: int = 0) -> None:
        """Raise LimitError if `wanted` more bytes would exceed the limit of memory; call it before allocating them."""
        left = self.memory_left(wanted)
        if left is None and wanted > LARGE and wanted > machine.spare_memory():
            what = f"{wanted:,} bytes more are needed, {machine.spare_memory():,} are free here without the reserve"
            raise LimitError("memory", f"{what}{self.stage}", bound)
        if left is not None and left < wanted:
            what = f"{wanted:,} bytes more are needed, {max(left, 0):,} are left of the limit of {self._memory():,}"
            raise LimitError("memory", f"{what}{self.stage}", bound)

    def memory_left(self, wanted: int = 0) -> int | None:
        """Return how many bytes are left, or a number greater than `wanted` that is faster to compute; None: no limit.

        The memory that the process holds at the first call counts as the program itself.
        """
        mine = self._left(wanted)
        outer = self.within.memory_left(wanted) if self.within is not None else None
        return mine if outer is None else outer if mine is None else min(mine, outer)

    def _left(self, wanted: int) -> int | None:
        """Return what the limit of this watch alone leaves; see `memory_left`."""
        if self.limits.memory is None:
            return None
        if self.program is None:
            self.program = held_memory(0) - taken_by_itself()
        most = self.limits.memory + self.program + taken_by_itself()
        return most - held_memory(most - wanted)

    def _memory(self) -> int:
        """Return the least limit of memory of this watch and those around it; 0 if there is none."""
        outer = self.within._memory() if self.within is not None else 0
        found = [each for each in (self.limits.memory, outer) if each]
        return min(found, default=0)

    def say(self, words: str) -> None:
        """Send a message to the user at once, if the report has a function `say`."""
        say = getattr(self.report, "say", None)
        if say is not None:
            say(words)

    def layer(self, layer: int, size: int, found: int, bound: bool = False, exact: bool = True) -> None:
        """Report a finished layer, or the progress of iterative deepening.

        exact  whether `size` is the number of all positions at this depth
        """
        if exact and not bound:
            self.known.layer(layer, size)
        if self.report is not None:
            self.report(Progress(layer, size, found, self.generated, self.seconds, bound))


_main: list[Watch] = []
"""The ambient watches of the main thread, the outermost first; `cli.guard` reads them from its own thread."""


MARGIN = 32 << 20
"""Bytes above a limit of memory that are tolerated, because they may be modules that were loaded."""


def interrupt() -> bool:
    """Stop the command of the main thread like a limit, so that it prints what it knows; return whether there is one.

    After Ctrl-C, for the guard of the command line. Without it Ctrl-C raises KeyboardInterrupt as usual.
    """
    if _main:
        interrupted[:] = [True]
    return bool(_main)


def overdue(more: float, share: float) -> LimitError | None:
    """Return the limit that the main thread has exceeded by a margin, or None.

    more, share  the margin: seconds plus a share of the limit of seconds; for memory a share of the limit of bytes
    Only the outermost watch is checked, that of the command: a limit of one part must not end the whole command.
    """
    for watch in _main[:1]:
        limits = watch.limits
        short = "" if limits.memory is not None else watch.short_of(SOON)
        if short:
            return LimitError("memory", f"{short}{watch.stage}")
        if limits.seconds is not None and watch.seconds > limits.seconds * (1 + share) + more:
            return LimitError("seconds", f"stopped after {watch.seconds:.1f} seconds{watch.stage}")
        if limits.memory is not None and watch.program is not None and not _compiling[0]:
            most = limits.memory + watch.program + taken_by_itself()
            held = held_memory(most)
            if held > most + max(share * limits.memory, MARGIN):
                words = _held(limits.memory + held - most, limits.memory)
                return LimitError("memory", f"stopped at {words}{watch.stage}")
    return None


def answering(limits: Limits, report: Callable[[Progress], None] | None = None) -> Watch:
    """Create the watch of the question that the innermost `watched` block answers; they share what is known.

    A question of another thread, or one that is asked while an engine is at work, is another question.
    """
    outer = _ambient.get()
    if outer is None or outer._thread != threading.get_ident() or outer.known.asking:
        return Watch(limits, report)
    return Watch(limits, report, known=outer.known)


@contextmanager
def watched(
    limits: Limits, report: Callable[[Progress], None] | None = None, began: float | None = None
) -> Iterator[Watch]:
    """Create an ambient watch, which every checkpoint inside the `with` statement obeys.

    began  when its time began (`time.perf_counter`); None for now
    """
    watch = answering(limits, report)
    if began is not None:
        watch.began = began
    if limits.memory is not None:
        watch.memory_left()
    with _under(watch):
        yield watch


@contextmanager
def unwatched() -> Iterator[None]:
    """Ignore the ambient watches inside the `with` statement: for a sequence of questions with their own limits.

    The guard of the command line does not end the command for the limit of one question: the others follow.
    """
    before = _main[:]
    token = _ambient.set(None)
    if _in_main():
        _main[:] = [Watch(Limits())]
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
    """Raise LimitError if a limit of the ambient watch is exceeded. For long loops; it takes some 0.1 µs."""
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


@contextmanager
def phase(words: str) -> Iterator[None]:
    """Name the activity inside the `with` statement for the message of a limit: 'the symmetries were sought'.

    The limits are checked first, so that nothing new begins after one is exceeded.
    """
    watch = _ambient.get()
    if watch is None:
        yield
        return
    with activity(words):
        watch.tick(0)
        yield


@contextmanager
def activity(words: str) -> Iterator[None]:
    """Name the activity as `phase` does, without a check of the limits."""
    watch = _ambient.get()
    stage = watch.stage if watch is not None else Activity()
    before, stage.words = stage.words, words
    try:
        yield
    finally:
        stage.words = before


def under_way() -> tuple[Watch, str] | None:
    """Return the innermost watch of the main thread's command, and its activity in words; None if none is watched."""
    watches = _main[-1:]
    return (watches[0], COMPILING if _compiling[0] else watches[0].stage.words) if watches else None


def _held(held: int, limit: int) -> str:
    """Return the words for memory beyond a limit."""
    return f"{held:,} bytes of memory (the limit is {limit:,})"
