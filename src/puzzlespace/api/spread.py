"""Many questions on a cluster, one task for each: positions to solve, problems of a peg board, puzzles to certify.

A task is a short text (JSON). The puzzle is sent as the text of its file, or its size; files are sent as their text.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from .. import errors
from ..contract.answers import Solution
from ..errors import InputError, LimitError, PuzzlespaceError, UnsupportedError
from ..limits.watch import Limits, unwatched
from ..model.model import Goal
from ..puzzle.diagnostics import listening
from ..puzzle.puzzle import Puzzle
from . import certification, peg_survey, questions
from .clusters import Where
from .loader import from_text, load, written
from .peg_survey import Outcome


def solve(
    puzzles: Iterable[Puzzle],
    where: Where,
    *,
    metric: str = "",
    engine: str = "auto",
    heuristic: str = "",
    limits: Limits = Limits(),
) -> Iterator[Solution]:
    """Yield the solution of each puzzle, in order, as `batches.solve` does; the limits apply to each puzzle.

    where  the workers, see `clusters.counting`
    Raises what `questions.solve` raises, UnsupportedError if a puzzle cannot be sent as text.
    """
    asked = {"metric": metric, "engine": engine, "heuristic": heuristic, "limits": _sent(limits)}
    yield from _answers(where, "solve", (asked | {"puzzle": puzzle_sent(each)} for each in puzzles))


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
    for (_, wanted), outcomes in zip(groups, _answers(where, "pegs", messages), strict=True):
        yield from (replace(each, alike=wanted[each.last]) for each in outcomes)


def puzzle_sent(puzzle: Puzzle) -> dict[str, Any]:
    """Return a puzzle as text and plain values; raise UnsupportedError if a worker would build another one."""
    text = written(puzzle)
    try:
        base = _base(puzzle.name, text)
    except InputError:
        base = None
    if base is None or base.rules != puzzle.rules or base.metrics != puzzle.metrics:
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


def _base(name: str, text: str) -> Puzzle:
    if not text and ":" not in name:
        raise InputError(f"{name}: expected the text of a puzzle or a size such as slide:3x4")
    return from_text(text, f"{name}.pzl", name) if text else load(name)


def _received(sent: dict[str, Any]) -> Puzzle:
    base = _base(sent["name"], sent["text"])
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
        for file, text in asked["files"].items():
            (folder / file).write_text(text, encoding="utf-8")
        solution = folder / asked["solution"] if asked["solution"] else None
        base = folder if asked["files"] else None
        entry = certification.CollectedPuzzle(asked["name"], asked["word"], base, asked["printed"], solution)
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
    """Yield the certificate of each puzzle, in order; each puzzle is one task. Nothing is known before.

    Raises InputError if a file cannot be read as text.
    """
    sent = {"metric": metric, "count": count, "strict": strict, "limits": _sent(limits)}
    yield from _answers(where, "certify", (sent | _entry_sent(entry) for entry in collection))


def _entry_sent(entry: certification.CollectedPuzzle) -> dict[str, Any]:
    """Return an entry with the texts of its files."""
    files: dict[str, str] = {}
    word = entry.word
    for path in (entry.base / word if entry.base is not None else Path(word), entry.solution):
        if path is not None and path.is_file():
            try:
                files[path.name] = path.read_text(encoding="utf-8")
            except (OSError, UnicodeDecodeError) as error:
                raise InputError(f"{path}: expected a text file, found none ({error})") from None
            word = path.name if path is not entry.solution else word
    solution = entry.solution.name if entry.solution is not None else ""
    return {"name": entry.name, "word": word, "printed": entry.printed, "solution": solution, "files": files}


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


def _answers(where: Where, kind: str, bodies: Iterable[dict[str, Any]]) -> Iterator[Any]:
    """Yield the answers in the order of the questions; raise the error of the first one that failed."""
    from ..tables.cluster.workers import hired

    messages = [json.dumps({"kind": kind, **body}) for body in bodies]
    early: dict[int, dict[str, Any]] = {}
    following = 0
    with hired(where) as workers:
        for number, answer in workers.answers(work, messages, lambda: None):
            early[number] = answer
            while following in early:
                answer = early.pop(following)
                following += 1
                if "error" in answer:
                    raise _raised(answer)
                yield answer["answer"]


def _raised(answer: dict[str, Any]) -> PuzzlespaceError:
    """Return the exception that a worker reported."""
    if answer["limit"]:
        return LimitError(answer["limit"], answer["error"])
    kind = getattr(errors, answer["type"])
    return kind(answer["error"])
