"""The commands `solve` and `distance`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Annotated, Any

from ..api import lurd, questions
from ..api.games import level_of
from ..contract.answers import NearSolutions, Solution, Status
from ..contract.questions import Engine
from ..errors import InputError, LimitError
from ..limits.stopping import Overdue, limit_of
from ..limits.watch import Limits
from ..puzzle.answers import PuzzleSolution, frames_of
from ..puzzle.diagnostics import Diagnostic, tell
from ..puzzle.puzzle import Puzzle
from ..render import files, json_output, text
from ..render.words import one_move, plural
from . import tables
from .options import (
    PIXELS,
    Avoid,
    Cluster,
    CommonOptions,
    EngineName,
    Glyphs,
    Json,
    Metric,
    Moves,
    Names,
    PngFile,
    PuzzleArgument,
    Size,
    Solid,
    SvgFile,
    Theme,
    Turned,
    limited,
    loaded,
)
from .parser import Argument, Option
from .partial import proved
from .tables import TableFolder
from .terminal import code_of, print_json, screen_width, stopped

HeuristicName = Annotated[
    str,
    Option(
        "--bound",
        "--heuristic",
        help="lower bound: distance, assignment, inversion, walking, pattern, pattern:6-6-3, projection; joined by '+'",
        without=("--table",),
    ),
]
BatchFile = Annotated[
    Path | None, Option("--batch", metavar="FILE", help="solve each line of a file ('-' is stdin); CSV, or JSON")
]
Journal = Annotated[
    Path | None,
    Option("--save", metavar="FILE", help="write each answer of --batch at once; go on from it", needs=("--batch",)),
]

LURD = "lurd"

MOST_LISTED = 10_000
"""The most solutions that are listed of those that may be longer than a shortest one."""

ALONE = ("--batch",)
Start = Annotated[
    str, Option(help="start from this position: '8 6 7 / 2 5 4 / 3 . 1', or from moves: R U2", without=ALONE)
]
First = Annotated[
    list[str] | None,
    Option(
        "--first", metavar="MOVES", help="the solution begins with this move, or one of several: R,R2",
        without=(*ALONE, "--within", "--at-most", "--best"),
    ),
]  # fmt: skip
Within = Annotated[
    int | None, Option(metavar="K", help="count solutions up to K moves longer than a shortest one", without=ALONE)
]
AtMost = Annotated[int | None, Option("--at-most", metavar="N", help="count solutions of up to N moves", without=ALONE)]
Best = Annotated[
    int | None,
    Option(
        "--best", min=1, max=MOST_LISTED, metavar="K", help="list K solutions, the shortest ones first",
        without=(*ALONE, "--within", "--at-most", "--all"),
    ),
]  # fmt: skip
GifFile = Annotated[Path | None, Option("--gif", metavar="FILE", help="animate it as GIF", without=ALONE)]
WebpFile = Annotated[Path | None, Option("--webp", metavar="FILE", help="animate it as WebP", without=ALONE)]
Arrows = Annotated[str, Option(help="the moves that pictures show: last, next, both or none", needs=PIXELS)]
Notation = Annotated[
    str, Option(help="print the solution in these letters instead of boards: lurd (pushed boxes)", without=ALONE)
]

NO_SEARCH = "none"
"""The engine's name in an answer that needed no search."""


@limited
def solve(
    puzzle: PuzzleArgument,
    start: Start = "",
    goal: Annotated[str, Option(help="reach this position instead, with '*' for anything")] = "",
    turned: Turned = False,
    moves: Moves = None,
    avoid: Avoid = None,
    first: First = None,
    metric: Metric = "",
    count: Annotated[bool, Option("--count", help="count the shortest solutions", without=ALONE)] = False,
    every: Annotated[bool, Option("--all", help="list all shortest solutions", without=ALONE)] = False,
    within: Within = None,
    at_most: AtMost = None,
    best: Best = None,
    svg_file: SvgFile = None,
    png_file: PngFile = None,
    gif_file: GifFile = None,
    webp_file: WebpFile = None,
    theme: Theme = "light",
    size: Size = None,
    solid: Solid = False,
    names: Names = False,
    arrows: Arrows = "",
    glyphs: Glyphs = "ascii",
    notation: Notation = "",
    engine: EngineName = "auto",
    heuristic: HeuristicName = "",
    batch: BatchFile = None,
    journal: Journal = None,
    cluster: Cluster = "",
    kept: TableFolder = None,
    *,
    asked: CommonOptions,
    as_json: Json = False,
) -> int:
    """Print a shortest solution as small numbered boards.

    Examples: puzzlespace solve goat · puzzlespace solve klotski --metric run · puzzlespace solve eight --count --json ·
    puzzlespace solve goat --gif goat.gif --theme dark · puzzlespace solve goat --within 4 --all
    """
    level = level_of(puzzle)
    if level is not None:
        from . import games  # most puzzles are no games

        games.refuse(
            goal=goal, turned=turned, moves=moves, avoid=avoid, first=first, within=within is not None,
            at_most=at_most is not None, best=best, metric=metric, notation=notation, bound=heuristic, batch=batch,
            cluster=cluster, solid=solid, names=names, arrows=arrows, glyphs=glyphs != "ascii",
        )  # fmt: skip
        pictures = files.WantedPicture(svg_file, png_file, gif_file, webp_file, theme, size)
        chosen = tables.engine_of(engine, level, kept, "")
        return games.solve(level, start, count, every, chosen, asked, as_json, pictures)
    if notation not in ("", LURD):
        raise InputError(f"--notation: expected {LURD}, found {notation!r}")
    wanted = files.WantedPicture(svg_file, png_file, gif_file, webp_file, theme, size, arrows, solid, names)
    style = text.glyph_set(glyphs)
    owner = loaded(puzzle, moves, avoid, goal, turned)
    owner = questions.with_start(owner, start) if start else owner
    wanted.check(owner)
    if first:
        owner = _noted(owner, first)
    if notation:
        lurd.check(owner)
    if batch is not None:
        from .batch import BatchRun  # with the means of many processes

        return BatchRun(batch, metric, engine, heuristic, asked, cluster, bool(goal), journal).run(owner, as_json)

    chosen = tables.engine_of(engine, owner, kept, metric)
    answer = questions.solve(
        owner, first=first or "", metric=metric, engine=chosen, count=count or every, heuristic=heuristic,
        limits=asked.limits, progress=asked.report,
    )  # fmt: skip
    asked.partial.so_far = lambda: _first_fields(answer)
    near = _near(owner, answer, within, at_most, best, every, asked) if answer.path else None
    every_one = None
    if every and answer.path and near is None:
        every_one = _Every(owner, answer, chosen, heuristic, asked.limits, first or "")
    found = _Found(owner, answer, near, every_one)
    if as_json:
        found.print_json(asked, every, notation)
    else:
        found.print_text(asked, style, notation)
    if wanted and answer.path:
        with asked.drawing():
            frames = frames_of(owner, answer)
            files.write_solution(owner, frames, f"{owner.title}: {plural(answer.moves or 0, 'move')}", wanted)
    return code_of(answer) or stopped(found.stopped)


@dataclass(frozen=True)
class _Found:
    """An answer with the solutions that are asked for besides: longer ones, or all shortest ones."""

    owner: Puzzle
    answer: Solution
    near: NearSolutions | None
    every: _Every | None

    @property
    def stopped(self) -> LimitError | None:
        """The limit that ended the list of solutions too early, or None."""
        return (self.every and self.every.stopped) or (self.near and self.near.stopped)

    def print_json(self, asked: CommonOptions, listed: bool, notation: str) -> None:
        """Print one JSON object. listed: whether all shortest solutions are asked for, even if there is none."""
        rows = [{"path": list(map(str, each.path)), "names": list(each.names)} for each in self.every or ()]
        asked.done()
        shown = json_output.solution(self.owner, self.owner.model(self.answer.metric), self.answer)
        if self.near is not None:
            shown["near"] = json_output.near(self.near)
        elif listed:
            shown["all"] = rows
            shown["stopped"] = shown["stopped"] or (self.every and json_output.stopped(self.every.stopped))
        if notation:
            shown[notation] = _letters(self.answer)
        print_json(shown)

    def print_text(self, asked: CommonOptions, style: str, notation: str) -> None:
        """Print the solution as boards, or in letters, and the others as lists of moves."""
        asked.done()
        print_solution(self.owner, self.answer, style, _letters(self.answer) if notation else "")
        if self.near is not None:
            print(text.near(self.near))
        if self.every is not None:
            with asked.drawing("the solutions were listed"):
                for number, each in enumerate(self.every, 1):
                    print(f"{number:>4}  " + ", ".join(each.names))


def _near(
    owner: Puzzle, answer: Solution, within: int | None, at_most: int | None, best: int | None, every: bool,
    asked: CommonOptions,
) -> NearSolutions | None:  # fmt: skip
    """Return the solutions that may be longer than a shortest one, or None if they are not asked for."""
    if within is None and at_most is None and best is None:
        return None
    from ..api.near import best_solutions, near_solutions  # most solutions that are asked for are shortest

    if best is not None:
        return best_solutions(owner, best, metric=answer.metric, limits=asked.limits, progress=asked.report)
    return near_solutions(
        owner, within or 0, at_most=at_most, keep=MOST_LISTED if every else 0, metric=answer.metric,
        limits=asked.limits, progress=asked.report,
    )  # fmt: skip


def _noted(owner: Puzzle, first: Sequence[str]) -> Puzzle:
    """Return the puzzle with a note of the moves that solutions begin with."""
    said = Diagnostic("first-move", f"only solutions that begin with {' or '.join(first)}", "note")
    tell([said])
    return replace(owner, diagnostics=(*owner.diagnostics, said))


def _first_fields(answer: Solution) -> dict[str, Any]:
    """Return the fields of the JSON object that take no time."""
    known = {"status": answer.status.value, "metric": answer.metric, "moves": answer.moves, "bound": answer.bound}
    return {**known, "solutions": answer.solutions, "names": list(answer.names), "engine": answer.engine}


class _Every:
    """All shortest solutions; `stopped` is the limit that ended the list too early, or None."""

    def __init__(
        self, owner: Puzzle, answer: Solution, engine: str | Engine, bound: str, limits: Limits, first: Sequence[str]
    ) -> None:
        self.asked = partial(
            questions.solutions, owner, first=first, metric=answer.metric, engine=engine, bound=bound, limits=limits
        )
        self.stopped: LimitError | None = None

    def __iter__(self) -> Iterator[Solution]:
        try:
            yield from self.asked()
        except (LimitError, Overdue) as late:
            self.stopped = limit_of(late)


def _letters(answer: Solution) -> str | None:
    """Return a solution as steps of the player, with shortest walks between pushes; None if there is none."""
    if not isinstance(answer, PuzzleSolution) or not answer.path:
        return None
    rules = answer.puzzle.model(answer.metric).rules
    return lurd.letters_for(answer.puzzle, [rules[number] for made in answer.rules for number in made])


def print_solution(owner: Puzzle, answer: Solution, style: str, letters: str | None = "") -> None:
    """Print a solution as numbered boards, or in letters, or why there is none."""
    if answer.status is Status.IMPOSSIBLE and answer.reason is not None:
        _print_head(owner, f"impossible ({answer.reason.kind}): {answer.reason.text}")
    elif answer.moves is None and answer.reason is not None:
        _print_head(owner, answer.reason.text)
    elif answer.status is Status.STOPPED:
        known = f"; {proved(answer.bound or 0, answer.unchecked)}" if answer.bound or answer.unchecked else ""
        _print_head(owner, f"{answer.stopped}{known}")
    else:
        said = [f"One move is {one_move(owner, answer.metric)}."] if answer.metric not in ("step", "move") else []
        said += [text.solution_counts(answer)] if answer.solutions is not None else []
        proof = "proved shortest"
        if answer.status is Status.ASSUMED:
            proof = f"shortest if the bound {answer.rests_on!r} never claims too much"
        _print_head(owner, f"{plural(answer.moves or 0, 'move')} (count: {answer.metric}), {proof}", *said)
        print(flush=True)
        if owner.listed and answer.names:
            print(" ".join(answer.names) + "\n")
        frames = frames_of(owner, answer) if not letters else ()
        print(letters or text.strip(owner, frames, screen_width(), style))
    if answer.engine == NO_SEARCH:
        print(f"\nproved without search in {answer.seconds:.2f} s")
    else:
        expanded = f", {answer.expanded:,} expanded," if answer.expanded is not None else ""
        below = f" below the bound {answer.rests_on}" if answer.rests_on else ""
        by = f"by {answer.engine}{below} in {answer.seconds:.2f} s"
        print(f"\n{answer.generated:,} positions generated{expanded} {by}")


def _print_head(owner: Puzzle, answer: str, *said: str) -> None:
    """Print the answer, how the puzzle and its start were read, and what else is said."""
    print("\n".join([f"{owner.name}: {answer}", *text.notes(owner), *said]))


@limited
def distance(
    puzzle: PuzzleArgument,
    position: Annotated[str, Argument(metavar="POSITION", help="such as '8 6 7 / 2 5 4 / 3 . 1'")],
    turned: Turned = False,
    moves: Moves = None,
    avoid: Avoid = None,
    metric: Metric = "",
    engine: EngineName = "auto",
    kept: TableFolder = None,
    *,
    asked: CommonOptions,
    as_json: Json = False,
) -> int:
    """Print the number of moves to the goal and every best next move.

    Example: puzzlespace distance eight '1 2 3 / 4 5 6 / 7 . 8'
    """
    owner = loaded(puzzle, moves, avoid, turned=turned)
    placed = questions.with_start(owner, position)
    assert placed.start is not None
    chosen = tables.engine_of(engine, owner, kept, metric)
    answer = questions.distance(
        owner, placed.start, metric=metric, engine=chosen, cache="make", limits=asked.limits, progress=asked.report
    )
    asked.done()
    if as_json:
        print_json(json_output.distance(owner, answer))
    elif answer.distance is None:
        print_solution(placed, answer.solution, "ascii")
    else:
        _print_head(placed, f"{plural(answer.distance or 0, 'move')} to the goal (count: {answer.solution.metric})")
        for name, following in answer.next:
            print(f"  {name:<20} {owner.line(following)}")
    return code_of(answer.solution)
