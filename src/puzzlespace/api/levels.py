"""Levels as JSON Lines: positions of a puzzle, each with its exact depth, a shortest solution, and how it was made."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from ..contract.result import Result
from ..contract.version import __version__
from ..errors import FormatError, InputError, ModelError, plural
from ..formats.base import LINES_LIMIT, load
from ..limits.watch import paced
from ..model.model import Model
from ..model.replay import WrongAnswerError, replay
from ..puzzle.answers import Generated
from ..puzzle.puzzle import Position, Puzzle
from .loader import puzzle_of

SCHEMA = 1
"""The version of what the lines mean."""


@dataclass(frozen=True, repr=False)
class ProvedLevel(Result):
    """A position of a level file, with its certificate.

    depth  the least number of moves to the goal in the metric of the file
    path   the positions of a shortest solution, from this one to a goal
    """

    position: Position
    depth: int
    path: tuple[bytes, ...]


def level_lines(puzzle: Puzzle | str | Path, answer: Generated, command: str = "") -> str:
    """Return a JSON object in a line for each position of an answer of `generate` with `solutions=True`.

    command  how the file was made, for its readers
    Raises InputError if the answer has no solutions, or its depths are not those to the goal.

    >>> made = generate("eight", 24, 2, seed=7, solutions=True)
    >>> [level.depth for level in read_levels("eight", level_lines("eight", made))]
    [24, 24]
    """
    owner = puzzle_of(puzzle, "level_lines")
    if not isinstance(answer, Generated):
        raise InputError(f"levels: expected an answer of generate, found {answer!r:.100}")
    if answer.origin != "goal" or (answer.positions and not answer.paths):
        raise InputError("levels: expected positions at depths to the goal, with solutions, found others")
    model = owner.model(answer.metric)
    return "".join(
        json.dumps(_fields(owner, model, answer, number, command), ensure_ascii=False) + "\n"
        for number in paced(range(len(answer.positions)))
    )


def _fields(owner: Puzzle, model: Model, answer: Generated, number: int, command: str) -> dict[str, Any]:
    """Return what the line of one position says."""
    path = answer.paths[number]
    return {
        "schema": SCHEMA,
        "puzzle": owner.name,
        "fingerprint": model.fingerprint,
        "metric": answer.metric,
        "position": owner.line(answer.positions[number]),
        "depth": answer.depths[number],
        "solution": [frame.name for frame in owner.frames(path, model)[1:]],
        "path": [owner.line(position) for position in path],
        "method": answer.method,
        "seed": answer.seed,
        "engine": answer.engine,
        "command": command,
        "version": __version__,
    }


def read_levels(puzzle: Puzzle | str | Path, source: str | Path) -> tuple[ProvedLevel, ...]:
    """Return the levels in a file of lines that `level_lines` returned, or in their text; every solution is replayed.

    A text has a line break. Raises FormatError, with the line, if a line is not one of these, is of another puzzle, or
    its solution is not one of so many moves. That none is shorter is not searched for again: the environment compares
    the depths with its exact distances, `solve` proves them anew.

    >>> made = generate("slide:3x2", 21, 1, seed=1, solutions=True)
    >>> [level] = read_levels("slide:3x2", level_lines("slide:3x2", made))
    >>> str(level.position), level.depth
    ('4 5 . / 1 2 3', 21)
    """
    owner = puzzle_of(puzzle, "read_levels")
    text = source if isinstance(source, str) and "\n" in source else None
    file = "levels" if text is not None else str(source)
    rows = (load(file, LINES_LIMIT) if text is None else text).split("\n")
    return tuple(_read(owner, file, rows))


def _read(owner: Puzzle, file: str, rows: list[str]) -> Iterator[ProvedLevel]:
    models: dict[str, Model] = {}
    for number, row in enumerate(paced(rows), 1):
        if row.strip():
            try:
                yield _level(owner, models, row)
            except (InputError, WrongAnswerError) as error:
                problem = error.problem if isinstance(error, FormatError) else str(error)
                raise FormatError(problem, line=number, file=file) from None


def _level(owner: Puzzle, models: dict[str, Model], row: str) -> ProvedLevel:
    """Return the level of a line. Raises InputError or WrongAnswerError without a place."""
    try:
        fields = json.loads(row)
        metric, depth = fields["metric"], fields["depth"]
        drawn, fingerprint = [fields["position"], *fields["path"]], fields["fingerprint"]
    except (ValueError, TypeError, KeyError, RecursionError):
        raise InputError("expected a line of `level_lines`, found another") from None
    if not (isinstance(metric, str) and type(depth) is int and all(isinstance(each, str) for each in drawn)):
        raise InputError("expected a line of `level_lines`, found another")
    if metric not in owner.metrics:
        raise InputError(f"expected a metric of {owner.name}, found {metric[:40]!r}")
    model = models.setdefault(metric, owner.model(metric))
    if fingerprint != model.fingerprint:
        raise InputError(f"expected a level of {owner.name}, found one of {str(fields.get('puzzle'))[:60]!r}")
    position, *path = [model.check(owner.read(each)) for each in drawn]
    if not path or path[0] != position:
        raise InputError("expected a path that begins at the position, found another")
    try:
        replay(replace(model, start=position), path)
    except ModelError as error:
        raise InputError(str(error)) from None
    moved = sum(_cost(model, before, after) for before, after in zip(path, path[1:], strict=False))
    if moved != depth:
        raise InputError(f"expected a solution of {plural(depth, 'move')}, found one of {moved}")
    return ProvedLevel(owner.at(position), depth, tuple(path))


def _cost(model: Model, before: bytes, after: bytes) -> int:
    """Return what a move counts that leads from one position to another."""
    return model.cost(model.move_between(before, after)) if model.metric.costs else 1
