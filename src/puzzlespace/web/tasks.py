"""The questions that a worker answers; each is a function (state, question, say) -> the last line of the answer."""

from __future__ import annotations

import os
import random
import shutil
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from pathlib import PurePath

from ..analysis.impossible import few_goals
from ..api.loader import first_of, written
from ..api.questions import distance
from ..errors import InputError, LimitError
from ..limits.watch import Limits
from ..model.model import Model
from ..puzzle.diagnostics import listening
from . import drawings, levels, making, measured, wire
from .deals import LEVELS, WALK, WALKS
from .japanese import with_japanese
from .questions import (
    BRIEF,
    Object,
    Opened,
    WorkerState,
    brief,
    known_distances,
    position_of,
    reporter,
    shortest,
    word,
    written_text,
)  # fmt: skip
from .wire import Say

Task = Callable[[WorkerState, Object, Say], Object]

OPENS = "medium"
"""The level of the position at which a puzzle opens that has no start, or a solved one."""


def open_(state: WorkerState, question: Object, say: Say) -> Object:
    """Return the puzzle, one position, and the numbers of the depth table if it is computed.

    Without a position it is the start, or a dealt position if the start is missing or solved. A file that leaves pieces
    open is only said to be one.
    """
    if making.leaves_pieces_open(question):
        return {"family": True}
    opened = state.puzzle(question)
    position = position_of(opened, question)
    if not word(question, "position") and opened.model.is_goal(position):
        position = _dealt(opened, position, OPENS)
    return {
        "about": wire.about(opened.puzzle, opened.model.metric.name),
        "at": wire.at(opened.puzzle, opened.model, position, known_distances(opened)),
        "known": measured.summary(opened.folder),
    }


def read(state: WorkerState, question: Object, say: Say) -> Object:
    """Return a text of any format that can be read, or the first level of several, as the text of a puzzle file.

    `file` is the name of the file that has it, whose ending may name the format; '' if it has none.
    """
    text, file = written_text(question), PurePath(word(question, "file")).name[:200]
    with listening(lambda found: None):
        puzzle, levels = first_of(text, file)
    return {"text": written(puzzle), "levels": levels}


def at(state: WorkerState, question: Object, say: Say) -> Object:
    """Return one position, with distances if they are computed."""
    opened = state.puzzle(question)
    return wire.at(opened.puzzle, opened.model, position_of(opened, question), known_distances(opened))


def search(state: WorkerState, question: Object, say: Say) -> Object:
    """Return one position with its distance, by a search if it is unknown."""
    opened = state.puzzle(question)
    position = position_of(opened, question)
    distances, settled, reason = known_distances(opened), opened.model.settled, ""
    if opened.puzzle.goals and (distances is None or distances([settled(position)])[0] == wire.UNKNOWN):
        answer = distance(
            opened.puzzle, position, metric=opened.model.metric.name, limits=state.limits_of(question),
            progress=reporter(say),
        )  # fmt: skip
        if answer.solution.stopped is not None:
            raise answer.solution.stopped
        reason = answer.solution.reason.text if answer.solution.reason is not None else ""
        found = {settled(position): answer.distance}
        moves, following = opened.model.moves(position), {settled(child) for _, child in answer.next}
        found |= {child: (answer.distance or 0) - opened.model.cost(moves[child]) for child in following}
        missing = None if answer.distance is None else wire.UNKNOWN
        distances = lambda positions: [found.get(each, missing) for each in positions]  # noqa: E731
    told = {**wire.at(opened.puzzle, opened.model, position, distances), "reason": reason}
    return with_japanese(told, "reason")


def path(state: WorkerState, question: Object, say: Say) -> Object:
    """Return a shortest solution from a position: its positions and its moves."""
    opened = state.puzzle(question)
    way = shortest(opened, position_of(opened, question), state.limits_of(question), say)
    return {
        "path": [opened.puzzle.id(position) for position in way],
        "moves": wire.moves(opened.puzzle, opened.model, way),
    }


def measure(state: WorkerState, question: Object, say: Say) -> Object:
    """Return the depth table, computed once and saved in the shared folder; a brief question may get an estimate."""
    opened = state.puzzle(question)
    found = measured.summary(opened.folder)
    if found is None and brief(question):
        return _measured_briefly(state, opened, say)
    return {"table": found or _measured(state, opened, state.limits, say)}


def _measured(state: WorkerState, opened: Opened, limits: Limits, say: Say) -> Object:
    shutil.rmtree(state.scratch, ignore_errors=True)
    found = measured.measure(opened.puzzle, opened.model, state.scratch, limits, reporter(say), state.bounds.map)
    if not opened.folder.exists():
        os.rename(state.scratch, opened.folder)
    return found


def _measured_briefly(state: WorkerState, opened: Opened, say: Say) -> Object:
    """Return the depth table if it is made in a short time, or else what counting all positions takes."""
    told = measured.estimate(opened.puzzle, opened.model, state.bounds.brief, BRIEF)
    if told.seconds:
        with suppress(LimitError):
            return {"table": _measured(state, opened, replace(state.limits, seconds=told.seconds), say)}
    return {"estimate": told.fields}


def sample(state: WorkerState, question: Object, say: Say) -> Object:
    """Return a random position of a depth, or of a level if the depth is not known, or any other position.

    With a level the depth is the distance to the goal, else what the depth table shows.
    """
    opened = state.puzzle(question)
    measured.list_all(opened.puzzle, opened.model, opened.folder, state.limits, state.bounds.map)
    known, numbers = opened.distances(), measured.summary(opened.folder)
    here, depth, level, found = position_of(opened, question), question.get("depth"), word(question, "level"), None
    if level and level not in LEVELS:
        raise InputError(f"level: expected one of {', '.join(LEVELS)}, found {level!r}")
    if known is not None and numbers is not None and isinstance(depth, int):
        hardest = [opened.puzzle.read(each) for each in numbers["hardest"]]
        most, origin = (numbers["away"], "goal") if level else (numbers["depth"], numbers["origin"])
        found = None if most is None else known.sample(min(max(depth, 0), most), origin, hardest)
    elif known is not None and not level:
        found = known.any_but(here)
    found = _dealt(opened, here, level) if found is None else found
    return wire.at(opened.puzzle, opened.model, found, known_distances(opened))


def _dealt(opened: Opened, position: bytes, level: str) -> bytes:
    """Return a position of a level: of its depth by the table if there is one, else the end of a walk.

    The walk begins at the start or a goal, or at `position` if no level is asked for. If moves cannot be undone, a walk
    to a level takes moves back from a goal, so that this can be reached.
    """
    known, numbers = opened.distances(), measured.summary(opened.folder)
    if known is not None and numbers is not None and level and numbers["away"]:
        hardest = [opened.puzzle.read(each) for each in numbers["hardest"]]
        found = known.sample(max(1, round(LEVELS[level] * numbers["away"])), "goal", hardest)
        if found is not None:
            return found
    model, steps = opened.model, WALKS.get(level, WALK)
    backward = model.backward if level and not model.reversible else None
    goals = few_goals(model) if backward is not None else None
    if backward is not None and goals:
        return _walked(backward, random.choice(goals), steps, position)
    begin = opened.puzzle.anchor if level else None
    return _walked(model, begin or position, steps, position)


def _walked(model: Model, position: bytes, steps: int, shown: bytes) -> bytes:
    """Return the position after a random number of random moves, none of which goes straight back.

    If that is solved or the one that is shown, the last position of the walk that is neither.
    """
    before, fit = position, position
    for _ in range(random.randint(steps // 2 + 1, steps)):
        children = [child for child in model.moves(position) if child != before] or list(model.moves(position))
        if not children:
            break
        before, position = position, random.choice(children)
        fit = fit if position == shown or model.is_goal(position) else position
    return fit


def _of_either(name: str, task: Task) -> Task:
    """Return a task that also answers for levels of games, or says that they do not have it."""
    of_levels = levels.TASKS.get(name, levels.unsupported)

    def asked(state: WorkerState, question: Object, say: Say) -> Object:
        return (of_levels if levels.is_game(question) else task)(state, question, say)

    return asked


_TASKS: dict[str, Task] = {
    "open": open_, "read": read, "at": at, "search": search, "path": path, "measure": measure, "sample": sample,
    "map": drawings.map_, "copy": drawings.copy, "catalogue": drawings.catalogue_, "picture": drawings.picture,
    "make": making.make, "design": making.design, "warm": drawings.warm,
}  # fmt: skip

TASKS = {name: _of_either(name, task) for name, task in _TASKS.items()}
"""Every task by name."""
