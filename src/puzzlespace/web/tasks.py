"""The questions that a worker answers; each is a function (room, question, say) -> the last line of the answer."""

from __future__ import annotations

import os
import random
import shutil

from ..api.questions import distance
from ..model.model import Model
from . import drawings, measured, wire
from .questions import Object, Room, asker, position_of, reporter, shortest
from .wire import Say

STEPS = 400
"""The most moves of a shuffle."""


def open_(room: Room, question: Object, say: Say) -> Object:
    """Return the puzzle, one position, and the numbers of the depth table if it is computed."""
    opened = room.puzzle(question)
    position = position_of(opened, question)
    return {
        "about": wire.about(opened.puzzle, opened.model.metric.name),
        "at": wire.at(opened.puzzle, opened.model, position, asker(opened)),
        "known": measured.summary(opened.folder),
    }


def at(room: Room, question: Object, say: Say) -> Object:
    """Return one position, with distances if they are computed."""
    opened = room.puzzle(question)
    return wire.at(opened.puzzle, opened.model, position_of(opened, question), asker(opened))


def search(room: Room, question: Object, say: Say) -> Object:
    """Return one position with its distance, by a search if it is unknown."""
    opened = room.puzzle(question)
    position = position_of(opened, question)
    ask, reason = asker(opened), ""
    if opened.puzzle.goals and (ask is None or ask([position])[0] == wire.UNKNOWN):
        answer = distance(
            opened.puzzle, position, metric=opened.model.metric.name, limits=room.limits, progress=reporter(say)
        )
        if answer.solution.stopped is not None:
            raise answer.solution.stopped
        reason = answer.solution.reason.text if answer.solution.reason is not None else ""
        found = {position: answer.distance}
        found |= {child: (answer.distance or 0) - 1 for _, child in answer.next}
        missing = None if answer.distance is None else wire.UNKNOWN
        ask = lambda positions: [found.get(each, missing) for each in positions]  # noqa: E731
    return {**wire.at(opened.puzzle, opened.model, position, ask), "reason": reason}


def path(room: Room, question: Object, say: Say) -> Object:
    """Return a shortest solution from a position."""
    opened = room.puzzle(question)
    way = shortest(room, opened, position_of(opened, question), say)
    return {"path": [opened.puzzle.id(position) for position in way]}


def measure(room: Room, question: Object, say: Say) -> Object:
    """Return the depth table, computed once and saved in the shared folder."""
    opened = room.puzzle(question)
    found = measured.summary(opened.folder)
    if found is None:
        shutil.rmtree(room.scratch, ignore_errors=True)
        found = measured.measure(opened.puzzle, opened.model, room.scratch, room.limits, reporter(say), room.bounds.map)
        if not opened.folder.exists():
            os.rename(room.scratch, opened.folder)
    return {"table": found}


def sample(room: Room, question: Object, say: Say) -> Object:
    """Return a random position of a depth, or any other position if no depth is given."""
    opened = room.puzzle(question)
    known, numbers = opened.distances(), measured.summary(opened.folder)
    here, depth, found = position_of(opened, question), question.get("depth"), None
    if known is not None and numbers is not None:
        if isinstance(depth, int):
            hardest = [opened.puzzle.read(each) for each in numbers["hardest"]]
            found = known.sample(min(max(depth, 0), numbers["depth"]), numbers["origin"], hardest)
        else:
            found = known.any_but(here)
    found = _walked(opened.model, here) if found is None else found
    return wire.at(opened.puzzle, opened.model, found, asker(opened))


def _walked(model: Model, position: bytes) -> bytes:
    """Return the position after many random moves."""
    for _ in range(random.randint(STEPS // 2, STEPS)):
        children = list(model.moves(position))
        if not children:
            break
        position = random.choice(children)
    return position


TASKS = {
    "open": open_, "at": at, "search": search, "path": path, "measure": measure, "sample": sample,
    "map": drawings.map_, "copy": drawings.copy, "catalogue": drawings.catalogue_, "picture": drawings.picture,
    "warm": drawings.warm,
}  # fmt: skip
"""Every task by name."""
