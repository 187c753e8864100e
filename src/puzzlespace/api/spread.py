"""Many questions on a cluster, one task for each: positions to solve, problems of a peg board, puzzles to certify.

A task is a short text (JSON). The puzzle is sent as the text of its file, or its size; files are sent as their text.
"""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from .. import errors
from ..contract.answers import Solution
from ..errors import FormatError, InputError, LimitError, PuzzlespaceError, UnsupportedError
from ..formats.base import LEVELS_LIMIT, read_bytes
from ..limits.watch import Limits, unwatched
from ..model.goal import Goal
from ..puzzle.diagnostics import listening
from ..puzzle.puzzle import Puzzle
from . import certification, peg_survey, questions
from .batches import answered
from .clusters import Where, as_answered, built
from .loader import file_of, written
from .peg_survey import Outcome


def answers(
    puzzles: Iterable[Puzzle],
    where: Where,
    *,
    metric: str = "",
    engine: str = "auto",
    heuristic: str = "",
    limits: Limits = Limits(),
) -> Iterator[Solution | PuzzlespaceError]:
    """Yield for each puzzle its solution, or the error that the question raised, as `batches.answers` does.

    where   the workers, see `clusters.counting`
    limits  for each puzzle
    Raises UnsupportedError if a puzzle cannot be sent as text.
    """
    asked = {"metric": metric, "engine": engine, "heuristic": heuristic, "limits": _sent(limits)}
    for answer in _outcomes(where, "solve", (asked | {"puzzle": puzzle_sent(each)} for each in puzzles)):
        if isinstance(answer, PuzzlespaceError) and not isinstance(answer, InputError | UnsupportedError):
            raise answer
        yield answer


def pegs(
    puzzle: Puzzle,
    where: Where,
    *,
    metric: str = "",
    holes: Iterable[str] = (),
    lasts: Iterable[str] = (),
    limits: Limits = Limits(),
) -> Iterator[Outcome]:
    """Yield what `peg_survey.problems` yields; each first hole is one task."""
    names = puzzle.board.names
    sent = {"puzzle": puzzle_sent(puzzle), "metric": metric, "limits": _sent(limits)}
    groups = [each for each in peg_survey.by_hole(puzzle, metric, list(holes), list(lasts), limits) if each[1]]
    messages = [sent | {"hole": names[hole], "lasts": [names[last] for last in wanted]} for hole, wanted in groups]
    for (_, wanted), outcomes in zip(groups, answered(_outcomes(where, "pegs", messages)), strict=True):
        yield from (replace(each, alike=wanted[each.last]) for each in outcomes)


def puzzle_sent(puzzle: Puzzle) -> dict[str, Any]:
    """Return a puzzle as text and plain values; raise UnsupportedError if a worker would build another one."""
    text = written(puzzle)
    try:
        base = built(puzzle.name, text)
    except InputError:
        base = None
    if puzzle.allowed or base is None or base.rules != puzzle.rules or base.metrics != puzzle.metrics:
        raise UnsupportedError(
            f"{puzzle.name}: workers cannot build this puzzle, because no puzzle file can express it"
        )
    goals = None
    if base.goals != puzzle.goals:
        if any(goal.position is None for goal in puzzle.goals):
            raise UnsupportedError(f"{puzzle.name}: workers cannot be sent these goals")
        goals = [goal.position.hex() for goal in puzzle.goals if goal.position is not None]
    start = None if puzzle.start is None else puzzle.start.hex()
    return {"name": puzzle.name, "text": text, "start": start, "letters": list(puzzle.letters), "goals": goals}


def _received(sent: dict[str, Any]) -> Puzzle:
    base = built(sent["name"], sent["text"])
    start = None if sent["start"] is None else bytes.fromhex(sent["start"])
    if start != base.start or tuple(sent["letters"]) != base.letters:
        base = replace(base, start=start, letters=tuple(sent["letters"]), loaded=base)
    if sent["goals"] is not None:
        base = replace(base, goals=tuple(Goal.exactly(bytes.fromhex(goal)) for goal in sent["goals"]))
    return base


def _sent(limits: Limits) -> list[Any]:
    return [limits.seconds, limits.memory, limits.positions]


def _solve(asked: dict[str, Any]) -> Solution:
    return questions.solve(
        _received(asked["puzzle"]), metric=asked["metric"], engine=asked["engine"], heuristic=asked["heuristic"],
        limits=Limits(*asked["limits"]),
    )  # fmt: skip


def _pegs(asked: dict[str, Any]) -> list[Outcome]:
    found = peg_survey.problems(
        _received(asked["puzzle"]), metric=asked["metric"], holes=[asked["hole"]], lasts=asked["lasts"],
        limits=Limits(*asked["limits"]),
    )  # fmt: skip
    return list(found)


def _certify(asked: dict[str, Any]) -> certification.Certificate:
    """Certify a puzzle whose files are sent as texts, in a folder that is deleted."""
    with tempfile.TemporaryDirectory(prefix="puzzlespace-") as name:
        folder = Path(name)
        for file, content in asked["files"].items():
            (folder / file).write_bytes(content.encode("latin-1"))
        given = {key: asked[key] for key in ("name", "word", "printed", "file", "listed")}
        solution = folder / asked["solution"] if asked["solution"] else None
        base = folder if asked["files"] else None
        entry = certification.CollectedPuzzle(**given, base=base, solution=solution)
        return certification.certificate(
            entry, asked["metric"], asked["count"], {}, Limits(*asked["limits"]), None, asked["strict"]
        )


def certificates(
    collection: Sequence[certification.CollectedPuzzle],
    where: Where,
    *,
    metric: str = "",
    count: bool = True,
    strict: bool = False,
    limits: Limits = Limits(),
) -> Iterator[certification.Certificate]:
    """Yield the certificate of each puzzle, in order; each puzzle is one task. Nothing is known before."""
    sent = {"metric": metric, "count": count, "strict": strict, "limits": _sent(limits)}
    yield from answered(_outcomes(where, "certify", (sent | _entry_sent(entry) for entry in collection)))


def _entry_sent(entry: certification.CollectedPuzzle) -> dict[str, Any]:
    """Return an entry with the bytes of its files, each byte as a letter; a file that cannot be read is not sent."""
    files: dict[str, str] = {}
    word, file = entry.word, entry.file
    for given in (os.path.join(entry.base or "", word), entry.solution):
        path, number = file_of(str(given or ""))
        try:
            if os.path.isfile(path):
                files[os.path.basename(path)] = read_bytes(path, LEVELS_LIMIT).decode("latin-1")
        except FormatError:
            continue
        if given is not entry.solution and files:
            word, file = os.path.basename(path) + ("" if number is None else f"#{number}"), path
    solution = entry.solution.name if entry.solution is not None else ""
    about = {"name": entry.name, "word": word, "printed": entry.printed, "solution": solution}
    return {**about, "files": files, "file": file, "listed": entry.listed}


TASKS: dict[str, Callable[[dict[str, Any]], Any]] = {"solve": _solve, "pegs": _pegs, "certify": _certify}


def work(message: str) -> dict[str, Any]:
    """Answer a question on a worker; return {'answer': …}, or {'error': …} with the kind of the exception."""
    asked = json.loads(message)
    try:
        with unwatched(), listening(lambda _: None):  # told where the question was asked
            return {"answer": TASKS[asked["kind"]](asked)}
    except PuzzlespaceError as error:
        kind = error.kind if isinstance(error, LimitError) else ""
        return {"error": str(error), "type": type(error).__name__, "limit": kind}


def _outcomes(where: Where, kind: str, bodies: Iterable[dict[str, Any]]) -> Iterator[Any]:
    """Yield the answers in the order of the questions, errors as exceptions."""
    messages = [json.dumps({"kind": kind, **body}) for body in bodies]
    early: dict[int, dict[str, Any]] = {}
    following = 0
    for number, answer in as_answered(where, work, messages):
        early[number] = answer
        while following in early:
            answer = early.pop(following)
            following += 1
            yield _raised(answer) if "error" in answer else answer["answer"]


def _raised(answer: dict[str, Any]) -> PuzzlespaceError:
    """Return the exception that a worker reported."""
    if answer["limit"]:
        return LimitError(answer["limit"], answer["error"])
    kind = getattr(errors, answer["type"])
    return kind(answer["error"])
