"""The questions that a worker answers; each is a function (room, question, say) -> the last line of the answer."""

from __future__ import annotations

import os
import random
import shutil
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from .. import catalogue, distance, read_position, solve, with_start
from ..errors import InputError
from ..loader import from_text
from ..model import Model
from ..puzzle import Puzzle
from ..registry import FAMILIES, from_spec
from ..result import Limits, Progress
from . import measured, wire
from .bounds import Bounds
from .worker import Say

Object = dict[str, Any]

OPEN, STEPS = 16, 400
"""Puzzles that a worker keeps open; moves of a shuffle at most."""

WRITTEN = 65_536
"""Bytes of a puzzle file at most."""


@dataclass
class Opened:
    """A puzzle that was asked about: with its model and, once there, its distances."""

    puzzle: Puzzle
    model: Model
    folder: Path
    known: measured.GraphFolder | measured.TableFolder | None = None

    def distances(self) -> measured.GraphFolder | measured.TableFolder | None:
        """Return the distances of all positions, where they have been worked out."""
        if self.known is None and (self.folder / measured.SUMMARY).exists():
            self.known = measured.opened(self.folder, self.puzzle, self.model.metric.name)
        return self.known


@dataclass
class Room:
    """What a worker has: its limits, the shelf that all workers share, a scratch folder of its own, open puzzles."""

    bounds: Bounds
    shelf: Path
    scratch: Path
    open: dict[tuple[str, str, str], Opened] = field(default_factory=dict)

    @property
    def limits(self) -> Limits:
        """The limits of one question."""
        return Limits(self.bounds.seconds, self.bounds.memory, self.bounds.positions)

    def puzzle(self, question: Object) -> Opened:
        """Return the puzzle of a question, read at most once. Raises InputError."""
        (how, source), metric = _source(question), _word(question, "metric")
        found = self.open.pop((how, source, metric), None)
        if found is None:
            puzzle = from_text(source, "puzzle.pzl", "puzzle") if how == "text" else _named(source)
            model = puzzle.model(metric)
            found = Opened(puzzle, model, self.shelf / measured.key_of(how, source, model.metric.name))
        self.open[how, source, metric] = found
        while len(self.open) > OPEN:
            self.open.pop(next(iter(self.open)))
        return found


def _word(question: Object, key: str) -> str:
    value = question.get(key, "")
    if not isinstance(value, str):
        raise InputError(f"{key}: expected text")
    return value


def _source(question: Object) -> tuple[str, str]:
    """Return ('text', a puzzle file's text) or ('name', a catalogue puzzle or family)."""
    text, name = _word(question, "text"), _word(question, "puzzle")
    if len(text.encode(errors="surrogatepass")) > WRITTEN:
        raise InputError(f"expected a puzzle file of at most {WRITTEN:,} bytes, found more")
    if bool(text) == bool(name):
        raise InputError("expected a puzzle, either as text or by its name")
    return ("text", text) if text else ("name", name[:200])


def _named(word: str) -> Puzzle:
    """Return a puzzle of the catalogue or a family; no word of a visitor is ever taken for the name of a file."""
    name = catalogue.find(word)
    if name is not None:
        return from_text(catalogue.text(name), f"{name}.pzl", name)
    if word.partition(":")[0] in {family.name for family in FAMILIES}:
        return from_spec(word)
    raise InputError(f"expected a puzzle of the catalogue or a family, found {word!r}")


def _position(opened: Opened, question: Object) -> bytes:
    """Return the position asked about: the start, else a goal, where none is given."""
    word = _word(question, "position")
    if word:
        return read_position(opened.puzzle, word[:4000])
    if opened.puzzle.anchor is None:
        raise InputError("expected a start or a goal without '*' to show, found none")
    return opened.puzzle.anchor


def _asker(opened: Opened):
    known = opened.distances()
    return None if known is None else known.near


def open_(room: Room, question: Object, say: Say) -> Object:
    """Return all of a puzzle, and one position of it."""
    opened = room.puzzle(question)
    position = _position(opened, question)
    return {
        "about": wire.about(opened.puzzle, opened.model.metric.name),
        "at": wire.at(opened.puzzle, opened.model, position, _asker(opened)),
        "known": measured.summary(opened.folder),
    }


def at(room: Room, question: Object, say: Say) -> Object:
    """Return one position, with distances where these have been worked out."""
    opened = room.puzzle(question)
    return wire.at(opened.puzzle, opened.model, _position(opened, question), _asker(opened))


def search(room: Room, question: Object, say: Say) -> Object:
    """Return one position with its distance, searched for where it is not known."""
    opened = room.puzzle(question)
    position = _position(opened, question)
    ask = _asker(opened)
    if ask is None and opened.puzzle.goals:
        answer = distance(
            opened.puzzle, position, metric=opened.model.metric.name, limits=room.limits, progress=_reporter(say)
        )
        if answer.solution.stopped is not None:
            raise answer.solution.stopped
        found = {position: answer.distance}
        found |= {child: (answer.distance or 0) - 1 for _, child in answer.next}
        missing = None if answer.distance is None else wire.UNKNOWN
        ask = lambda positions: [found.get(each, missing) for each in positions]  # noqa: E731
    return wire.at(opened.puzzle, opened.model, position, ask)


def path(room: Room, question: Object, say: Say) -> Object:
    """Return one shortest solution from a position on."""
    opened = room.puzzle(question)
    way = shortest(room, opened, _position(opened, question), say)
    return {"path": [opened.puzzle.id(position) for position in way]}


def shortest(room: Room, opened: Opened, position: bytes, say: Say) -> Sequence[bytes]:
    """Return the positions of a shortest solution; none where there is none. Raises LimitError."""
    known = opened.distances()
    if known is None:
        answer = solve(
            with_start(opened.puzzle, position), metric=opened.model.metric.name, limits=room.limits,
            progress=_reporter(say),
        )  # fmt: skip
        if answer.stopped is not None:
            raise answer.stopped
        return [bytes(each) for each in answer.path]
    left = known.distances([position])[0]
    way = [] if left is None else [position]
    while left:
        left -= 1
        children = sorted(opened.model.moves(way[-1]))
        way.append(children[known.near([way[-1], *children])[1:].index(left)])
    return way


def measure(room: Room, question: Object, say: Say) -> Object:
    """Return the depth table, worked out once and kept on the shelf."""
    opened = room.puzzle(question)
    found = measured.summary(opened.folder)
    if found is None:
        shutil.rmtree(room.scratch, ignore_errors=True)
        found = measured.measure(
            opened.puzzle, opened.model, room.scratch, room.limits, _reporter(say), room.bounds.map
        )
        if not opened.folder.exists():
            os.rename(room.scratch, opened.folder)
    return {"table": found}


def sample(room: Room, question: Object, say: Say) -> Object:
    """Return some position of a depth, or a random one where no depth is given."""
    opened = room.puzzle(question)
    known, numbers = opened.distances(), measured.summary(opened.folder)
    depth, found = question.get("depth"), None
    if known is not None and numbers is not None and (depth is None or isinstance(depth, int)):
        hardest = [opened.puzzle.read(each) for each in numbers["hardest"]]
        found = known.sample(
            None if depth is None else min(max(depth, 0), numbers["depth"]), numbers["origin"], hardest
        )
    if found is None:
        found = _position(opened, question)
        for _ in range(random.randint(STEPS // 2, STEPS)):
            children = list(opened.model.moves(found))
            if not children:
                break
            found = random.choice(children)
    return wire.at(opened.puzzle, opened.model, found, _asker(opened))


def _reporter(say: Say):
    """Return what tells the visitor of progress, a few times a second."""
    last = [0.0]

    def report(progress: Progress) -> None:
        if progress.seconds - last[0] > 0.15:
            last[0] = progress.seconds
            say({"progress": {"layer": progress.layer, "size": progress.size, "found": progress.found}})

    return report


def _tasks():
    from . import drawings

    return {
        "open": open_, "at": at, "search": search, "path": path, "measure": measure, "sample": sample,
        "map": drawings.map_, "copy": drawings.copy, "catalogue": drawings.catalogue_, "picture": drawings.picture,
        "warm": drawings.warm,
    }  # fmt: skip


TASKS = _tasks()
"""Every task by name."""
