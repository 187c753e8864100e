"""The questions that a worker answers; each is a function (state, question, say) -> the last line of the answer."""

from __future__ import annotations

import os
import random
import shutil

from ..api.questions import distance
from ..model.model import Model
from . import drawings, measured, wire
from .questions import Object, WorkerState, known_distances, position_of, reporter, shortest
from .wire import Say

STEPS = 400
"""The most moves of a shuffle."""


def open_(state: WorkerState, question: Object, say: Say) -> Object:
    """Return the puzzle, one position, and the numbers of the depth table if it is computed."""
    opened = state.puzzle(question)
    position = position_of(opened, question)
    return {
        "about": wire.about(opened.puzzle, opened.model.metric.name),
        "at": wire.at(opened.puzzle, opened.model, position, known_distances(opened)),
        "known": measured.summary(opened.folder),
    }


def at(state: WorkerState, question: Object, say: Say) -> Object:
    """Return one position, with distances if they are computed."""
    opened = state.puzzle(question)
    return wire.at(opened.puzzle, opened.model, position_of(opened, question), known_distances(opened))


def search(state: WorkerState, question: Object, say: Say) -> Object:
    """Return one position with its distance, by a search if it is unknown."""
    opened = state.puzzle(question)
    position = position_of(opened, question)
    distances, reason = known_distances(opened), ""
    if opened.puzzle.goals and (distances is None or distances([position])[0] == wire.UNKNOWN):
        answer = distance(
            opened.puzzle, position, metric=opened.model.metric.name, limits=state.limits, progress=reporter(say)
        )
        if answer.solution.stopped is not None:
            raise answer.solution.stopped
        reason = answer.solution.reason.text if answer.solution.reason is not None else ""
        found = {position: answer.distance}
        found |= {child: (answer.distance or 0) - 1 for _, child in answer.next}
        missing = None if answer.distance is None else wire.UNKNOWN
        distances = lambda positions: [found.get(each, missing) for each in positions]  # noqa: E731
    return {**wire.at(opened.puzzle, opened.model, position, distances), "reason": reason}


def path(state: WorkerState, question: Object, say: Say) -> Object:
    """Return a shortest solution from a position."""
    opened = state.puzzle(question)
    way = shortest(state, opened, position_of(opened, question), say)
    return {"path": [opened.puzzle.id(position) for position in way]}


def measure(state: WorkerState, question: Object, say: Say) -> Object:
    """Return the depth table, computed once and saved in the shared folder."""
    opened = state.puzzle(question)
    found = measured.summary(opened.folder)
    if found is None:
        shutil.rmtree(state.scratch, ignore_errors=True)
        found = measured.measure(
            opened.puzzle, opened.model, state.scratch, state.limits, reporter(say), state.bounds.map
        )
        if not opened.folder.exists():
            os.rename(state.scratch, opened.folder)
    return {"table": found}


def sample(state: WorkerState, question: Object, say: Say) -> Object:
    """Return a random position of a depth, or any other position if no depth is given."""
    opened = state.puzzle(question)
    known, numbers = opened.distances(), measured.summary(opened.folder)
    here, depth, found = position_of(opened, question), question.get("depth"), None
    if known is not None and numbers is not None:
        if isinstance(depth, int):
            hardest = [opened.puzzle.read(each) for each in numbers["hardest"]]
            found = known.sample(min(max(depth, 0), numbers["depth"]), numbers["origin"], hardest)
        else:
            found = known.any_but(here)
    found = _walked(opened.model, here) if found is None else found
    return wire.at(opened.puzzle, opened.model, found, known_distances(opened))


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
