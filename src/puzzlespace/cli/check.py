"""The command `check`: whether a puzzle file is valid, whether its known numbers hold, whether all engines agree."""

from __future__ import annotations

from typing import Annotated, Any

from ..api import crosscheck, questions
from ..api.loader import load
from ..api.proposed import proposed, read_file
from ..limits.stopping import interrupted
from ..limits.watch import Limits
from ..puzzle.puzzle import Puzzle
from ..render import json_output, text
from . import gate
from .exit_codes import ExitCode
from .options import CommonOptions, Force, Json, PuzzleArgument, limited
from .parser import Option
from .terminal import code_of, print_json

COUNTED = ("states", "depth", "hardest")
"""The known numbers that all positions are counted for."""


@limited
def check(
    puzzle: PuzzleArgument,
    engines: Annotated[
        bool,
        Option(
            "--engines", help="compare every engine in every metric and with every lower bound", without=("--solution",)
        ),
    ] = False,
    solution: Annotated[
        str, Option(metavar="FILE", help="a solution to check: names of moves, or letters such as rrULL")
    ] = "",
    metric: Annotated[str, Option(help="what counts as one move of the solution", needs=("--solution",))] = "",
    force: Force = False,
    *,
    asked: CommonOptions,
    as_json: Json = False,
) -> int:
    """Say whether a puzzle file is valid and its known: numbers hold; with --engines, whether all engines agree.

    With --solution: whether a solution is legal, and whether it is shortest.

    Examples: puzzlespace check my.pzl · puzzlespace check my.pzl --engines ·
    puzzlespace check level.xsb --solution answer.txt
    """
    owner = load(puzzle)
    if solution:
        return _solutions(owner, solution, metric, asked, as_json)
    if engines:
        return _compared(owner, asked, as_json)
    for counted in {(each.metric, each.from_start) for each in owner.known if each.what in COUNTED}:
        gate.admit(asked, owner, counted[0], "start" if counted[1] else "", force=force)
    known = asked.watch.known
    asked.partial.so_far = lambda: json_output.claims(owner, known.answer()) if known.answer else {}
    asked.partial.said = lambda: text.claims(owner, known.answer()) if known.answer and known.answer() else ""
    claims = questions.check_known(owner, limits=asked.limits, progress=asked.report)
    asked.done()
    if as_json:
        print_json(json_output.claims(owner, claims))
    else:
        print(text.claims(owner, claims))
    wrong = [claim for claim in claims if claim.found is not None and not claim.holds]
    if wrong:
        return ExitCode.BAD_INPUT.number
    return ExitCode.TIME.number if any(claim.found is None for claim in claims) else 0


def _solutions(owner: Puzzle, word: str, metric: str, asked: CommonOptions, as_json: bool) -> int:
    """Print what is right and wrong about each solution in a file; return the exit code."""
    found = proposed(owner, *read_file(word), metric=metric, limits=asked.limits, progress=asked.report)
    asked.done()
    if as_json:
        print_json(json_output.proposed(owner, found))
    for number, each in enumerate(found if not as_json else (), 1):
        which = f"solution {number}" if len(found) > 1 else "the solution"
        print(f"{owner.name}: {which} {text.proposed(each)}")
    if any(each.problem is not None for each in found):
        return ExitCode.BAD_INPUT.number
    answer = found[0].shortest
    open_ = answer is not None and any(each.is_shortest is None for each in found)
    return code_of(answer) if answer is not None and open_ else ExitCode.ANSWERED.number


def _compared(owner: Puzzle, asked: CommonOptions, as_json: bool) -> int:
    """Print every engine's answers as they come, then the questions with different answers; return the exit code."""
    found: list[crosscheck.Answer] = []
    each_limits = Limits(crosscheck.SECONDS, asked.limits.memory, asked.limits.positions)
    for each in asked.each(crosscheck.answers(owner, each_limits)):
        found.append(each)
        if not as_json:
            print(_line(each), flush=True)
    differing = crosscheck.differences(found)
    compared = sum(bool(each.found) for each in found)
    if as_json:
        print_json(_object(owner, found, differing))
    else:
        refused = f"{len(found) - compared:,} are missing (refused, or stopped by a limit)"
        print(f"\n{owner.name}: {compared:,} answers are compared, {refused}; questions with different answers: "
              f"{len(differing)}")  # fmt: skip
        for each in differing:
            print(f"\n{each.question}, metric {each.metric}:")
            for words, names in each.answers:
                print(f"  {', '.join(names)}: {_short(words)}")
    return ExitCode.BUG.number if differing else ExitCode.ANSWERED.number


def _line(each: crosscheck.Answer) -> str:
    head = f"{each.metric:<6}{each.question:<18}{each.engine:<14}{each.heuristic:<12}{each.seconds:>8.2f} s  "
    return head + _short(each.found or each.problem)


def _short(words: str) -> str:
    """Return an answer in at most 100 letters, without its list of positions."""
    line = " ".join(words.partition(" | ")[0].split())
    return line if len(line) <= 100 else line[:97] + "..."


def _object(owner: Puzzle, found: list[crosscheck.Answer], differing: list[crosscheck.Difference]) -> dict[str, Any]:
    answers = [
        {
            "question": each.question,
            "metric": each.metric,
            "engine": each.engine,
            "heuristic": each.heuristic,
            "answer": each.found.partition(" | ")[0],
            "problem": each.problem,
            "seconds": round(each.seconds, 6),
        }
        for each in found
    ]
    differences = [
        {"question": each.question, "metric": each.metric, "answers": [{"engines": list(names), "answer": words}
         for words, names in each.answers]}
        for each in differing
    ]  # fmt: skip
    complete = not interrupted and not any(each.problem.startswith("stopped") for each in found)
    head = {"schema": json_output.SCHEMA, "puzzle": owner.name}
    return {**head, "answers": answers, "differences": differences, "complete": complete}
