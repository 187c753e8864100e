"""The command `pegs`: fewest moves from every first hole to every last peg."""

from __future__ import annotations

from typing import Annotated, Any

from ..api import peg_survey, spread
from ..api.loader import load
from ..api.peg_survey import Outcome
from ..contract.answers import Status
from ..errors import LimitError
from ..limits.stopping import interrupted, interruption
from ..limits.watch import unwatched
from ..puzzle.puzzle import Puzzle
from ..render import text
from ..render.json_output import stopped as stopped_object
from .options import CommonOptions, Json, PuzzleArgument, limited
from .parser import Option
from .terminal import print_json, stopped

SCHEMA = 1

MARKS = {"invariant": "-", "parity": "-", "pieces": "-", "searched": "x"}
"""The mark of a problem that cannot be solved, by the kind of the reason; '?' for other reasons."""


@limited
def pegs(
    puzzle: PuzzleArgument,
    hole: Annotated[
        list[str] | None, Option("--hole", metavar="CELL", help="only with this first hole", without=("--count",))
    ] = None,
    last: Annotated[
        list[str] | None, Option("--last", metavar="CELL", help="only with this last peg", without=("--count",))
    ] = None,
    metric: Annotated[str, Option(help="what counts as one move: chain or step", without=("--count",))] = "",
    count: Annotated[bool, Option("--count", help="instead, count the positions and solutions of the puzzle")] = False,
    cluster: Annotated[
        str, Option("--cluster", metavar="WHERE", help="one task a first hole on workers", without=("--count",))
    ] = "",
    *,
    asked: CommonOptions,
    as_json: Json = False,
) -> int:
    """Print the fewest moves from every first hole to every last peg of a peg board. Limits are for each first hole.

    Examples: puzzlespace pegs peg:triangle15 · puzzlespace pegs english --hole d4 · puzzlespace pegs english --count
    """
    owner = load(puzzle)
    if count:
        return _print_census(owner, asked, as_json)
    found: dict[int, list[Outcome]] = {}
    with unwatched():
        given: dict[str, Any] = {"metric": metric, "holes": hole or (), "lasts": last or (), "limits": asked.limits}
        asked.partial.so_far = lambda: _object(owner, found)
        for outcome in asked.each(
            spread.pegs(owner, cluster, **given)
            if cluster
            else peg_survey.problems(owner, **given, progress=asked.report)
        ):
            found.setdefault(outcome.hole, []).append(outcome)
    if as_json:
        print_json(_object(owner, found))
    else:
        print(_page(owner, found))
    return stopped(_first_stop(found))


def _first_stop(found: dict[int, list[Outcome]]) -> LimitError | None:
    answers = (each.answer for outcomes in found.values() for each in outcomes)
    return next((answer.stopped for answer in answers if answer.stopped is not None), None)


def _print_census(owner: Puzzle, asked: CommonOptions, as_json: bool) -> int:
    found = peg_survey.census(owner, limits=asked.limits, progress=asked.report)
    asked.done()
    if as_json:
        (reached, reached_classes), (on_ways, classes) = found.reached, found.on_ways
        shown = {"reached": reached, "reached_symmetry": reached_classes, "on_ways": on_ways}
        print_json({"schema": SCHEMA, "puzzle": owner.name, **shown, "on_ways_symmetry": classes, "ways": found.ways})
        return 0
    for words, (number, classes) in (
        ("can be reached from the start", found.reached),
        ("of them lie on a way to the goal", found.on_ways),
    ):
        alike = f" ({classes:,} up to symmetry)" if classes is not None else ""
        print(f"{number:>20,} positions {words}{alike}")
    print(f"{found.ways:>20,} ways of single jumps lead to the goal")
    return 0


def _object(owner: Puzzle, found: dict[int, list[Outcome]]) -> dict[str, Any]:
    """Return the answers as a JSON object."""
    names = owner.board.names
    rows = [
        {
            "hole": names[each.hole],
            "last": names[each.last],
            "status": each.answer.status.value,
            "moves": each.answer.moves,
            "reason": {"kind": each.answer.reason.kind, "text": each.answer.reason.text}
            if each.answer.reason
            else None,
            "alike": sorted([names[hole], names[last]] for hole, last in each.alike),
        }
        for outcomes in found.values()
        for each in outcomes
    ]
    metrics = {each.answer.metric for outcomes in found.values() for each in outcomes}
    limit = stopped_object(_first_stop(found) or (interruption() if interrupted else None))
    head = {"schema": SCHEMA, "puzzle": owner.name, "metric": "".join(sorted(metrics))}
    return {**head, "problems": rows, "complete": limit is None, "stopped": limit}


def _page(owner: Puzzle, found: dict[int, list[Outcome]]) -> str:
    """Return the answers as text: a board for each first hole, in each cell the moves needed to end there."""
    answers = [each.answer for outcomes in found.values() for each in outcomes]
    metric = answers[0].metric if answers else owner.metrics[0]
    solved = sum(answer.status is Status.OPTIMAL for answer in answers)
    head = f"{owner.title}: fewest moves (count: {metric}) from each first hole, written where the last peg stands"
    parts = [head]
    for hole, outcomes in found.items():
        shown = {last: _mark(each) for each in outcomes for first, last in each.alike if first == hole}
        parts.append(f"hole {owner.board.names[hole]}\n{text.numbered(owner, shown)}")
    parts.append(f"{solved} problems of {len(answers)} that differ can be solved. {_legend(answers)}")
    if len(answers) == 1 and answers[0].reason is not None:
        parts.append(answers[0].reason.text)
    return "\n\n".join(part.rstrip() for part in parts)


def _legend(answers: list[Any]) -> str:
    kinds = {MARKS.get(answer.reason.kind, "?") if answer.reason else "" for answer in answers}
    words = {"-": "- : impossible, colouring by thirds", "x": "x : impossible, searched to the end"}
    stopped = ["? : stopped by a limit"] if any(answer.status is Status.STOPPED for answer in answers) else []
    return "; ".join([words[mark] for mark in ("-", "x") if mark in kinds] + stopped)


def _mark(outcome: Outcome) -> str:
    answer = outcome.answer
    if answer.moves is not None:
        return str(answer.moves)
    return MARKS.get(answer.reason.kind, "?") if answer.reason else "?"
