"""The state of a worker, and the reading of questions: the puzzle, the position, their known distances."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .. import catalogue
from ..api.loader import from_text
from ..api.questions import read_position, solve, with_start
from ..errors import InputError
from ..limits.watch import Limits, Progress
from ..model.model import Model
from ..puzzle.diagnostics import listening
from ..puzzle.puzzle import Puzzle
from ..registry import FAMILIES, from_spec
from . import measured, wire
from .bounds import Bounds
from .wire import Say

if TYPE_CHECKING:
    from .folders import GraphFolder, TableFolder
    from .listed import ListedFolder

Object = dict[str, Any]

OPEN = 16
"""The most puzzles that a worker keeps open."""

BRIEF = 2.0
"""Seconds of a brief question."""

WRITTEN = 65_536
"""The most bytes of a puzzle file."""


@dataclass
class Opened:
    """A puzzle with its model and, once they are computed, its distances."""

    puzzle: Puzzle
    model: Model
    folder: Path
    known: GraphFolder | TableFolder | ListedFolder | None = None

    def distances(self) -> GraphFolder | TableFolder | ListedFolder | None:
        """Return the distances of all positions; None if they are not computed, or were deleted."""
        if not (self.folder / measured.SUMMARY).exists():
            self.known = None
        elif self.known is None:
            self.known = measured.opened(self.folder, self.puzzle, self.model.metric.name)
        else:
            os.utime(self.folder)
        return self.known


@dataclass
class WorkerState:
    """The state of a worker: its limits, the folder that all workers share, its own scratch folder, open puzzles."""

    bounds: Bounds
    tables_folder: Path
    scratch: Path
    open: dict[tuple[str, str, str], Opened] = field(default_factory=dict)

    @property
    def limits(self) -> Limits:
        """The limits of one question."""
        return Limits(self.bounds.seconds, self.bounds.memory, self.bounds.positions)

    def limits_of(self, question: Object) -> Limits:
        """Return the limits of a question, which may be brief."""
        return replace(self.limits, seconds=min(BRIEF, self.bounds.seconds)) if brief(question) else self.limits

    def puzzle(self, question: Object) -> Opened:
        """Return the puzzle of a question, from the open ones if it is there. Raises InputError."""
        (how, source), metric = _source(question), word(question, "metric")
        found = self.open.pop((how, source, metric), None)
        if found is None:
            with listening(lambda found: None):  # the page shows them, the server's log does not
                read = from_text(source, "puzzle.pzl", "puzzle") if how == "text" else _named(source)
            puzzle = wire.played(read)
            model = puzzle.model(metric)
            found = Opened(puzzle, model, self.tables_folder / measured.key_of(how, source, model.metric.name))
        self.open[how, source, metric] = found
        while len(self.open) > OPEN:
            self.open.pop(next(iter(self.open)))
        return found


def brief(question: Object) -> bool:
    """Return whether a question may take only a short time, because nobody asked for it, or it is tried first."""
    return question.get("brief") is True


def word(question: Object, key: str) -> str:
    """Return a word of a question, '' if it is missing. Raises InputError unless it is text."""
    value = question.get(key, "")
    if not isinstance(value, str):
        raise InputError(f"{key}: expected text")
    return value


def written_text(question: Object) -> str:
    """Return the text of a puzzle file, '' if it is missing. Raises InputError if it is too long."""
    text = word(question, "text")
    if len(text.encode(errors="surrogatepass")) > WRITTEN:
        raise InputError(f"expected a puzzle file of at most {WRITTEN:,} bytes, found more")
    return text


def _source(question: Object) -> tuple[str, str]:
    """Return ('text', a puzzle file's text) or ('name', a catalogue puzzle or family)."""
    text, name = written_text(question), word(question, "puzzle")
    if bool(text) == bool(name):
        raise InputError("expected a puzzle, either as text or by its name")
    return ("text", text) if text else ("name", name[:200])


def _named(word: str) -> Puzzle:
    """Return a puzzle of the catalogue or a family; a visitor's word is never a file name. Raises InputError."""
    name = catalogue.find(word)
    if name is not None:
        return from_text(catalogue.text(name), f"{name}.pzl", name)
    if word.partition(":")[0] in {family.name for family in FAMILIES}:
        return from_spec(word)
    raise InputError(f"expected a puzzle of the catalogue or a family, found {word!r}")


def position_of(opened: Opened, question: Object) -> bytes:
    """Return the position of a question; if it has none, the start or else a goal. Raises InputError."""
    written = word(question, "position")
    if written:
        return read_position(opened.puzzle, written[:4000])
    if opened.puzzle.anchor is None:
        raise InputError("expected a start or a goal without '*' to show, found none")
    return opened.puzzle.anchor


def known_distances(opened: Opened) -> wire.Distances | None:
    """Return the function for the distances of a position and its neighbours, or None if they are not computed."""
    known = opened.distances()
    return None if known is None else known.near


def shortest(opened: Opened, position: bytes, limits: Limits, say: Say) -> Sequence[bytes]:
    """Return the positions of a shortest solution; an empty sequence if there is none. Raises LimitError."""
    known = opened.distances()
    left = wire.UNKNOWN if known is None else known.distances([opened.model.settled(position)])[0]
    if known is None or left == wire.UNKNOWN:
        answer = solve(
            with_start(opened.puzzle, position), metric=opened.model.metric.name, limits=limits,
            progress=reporter(say),
        )  # fmt: skip
        if answer.stopped is not None:
            raise answer.stopped
        return [bytes(each) for each in answer.path]
    way = [] if left is None else [position]
    while left:
        made = opened.model.moves(way[-1])
        children = sorted(made)
        away = known.near([way[-1], *children])[1:]
        costs = [opened.model.cost(made[child]) for child in children]
        at = next(at for at, each in enumerate(away) if each == left - costs[at])
        left -= costs[at]
        way.append(children[at])
    return way


def reporter(say: Say) -> Callable[[Progress], None]:
    """Return a function that reports progress to the visitor, a few times a second."""
    last = [0.0]

    def report(progress: Progress) -> None:
        if progress.seconds - last[0] > 0.15:
            last[0] = progress.seconds
            say({"progress": {"layer": progress.layer, "size": progress.size, "found": progress.found}})

    return report
