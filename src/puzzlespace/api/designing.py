"""Hardest puzzles of a file that leaves its pieces open. The command line is in `cli/design.py`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from ..contract.answers import Status
from ..errors import FormatError, InputError, LimitError, SelfCheckError, UnsupportedError
from ..formats import pzl
from ..graph.designs.answers import BY, Designed, DesignedPuzzle, chosen, combined, designed
from ..graph.designs.found import puzzle_draft
from ..graph.designs.layout import OpenLayout, layout
from ..limits.stopping import Overdue, limit_of
from ..limits.watch import Limits, Progress, Watch, phase
from ..puzzle.diagnostics import tell
from ..puzzle.draft import Draft
from ..puzzle.puzzle import Puzzle
from ..registry import build
from .clock import clocked
from .questions import solve

if TYPE_CHECKING:  # NumPy is loaded only to search
    from ..graph.designs.lines import LineSearch
    from ..graph.designs.search import Found, Start, UnionSearch, Wanted

Report = Callable[[Progress], None]

METHODS = ("auto", "union", "climb")

CONFIRMED = 40
"""Up to this many puzzles of an answer are solved again without being asked for."""


@clocked()
def design(
    source: str | Path | Draft,
    *,
    by: str = "blanks",
    components: bool = True,
    needed: bool = False,
    one_solution: bool = False,
    symmetric: bool = False,
    metric: str = "",
    method: str = "auto",
    seed: int = 0,
    confirm: bool | None = None,
    limits: Limits = Limits(),
    progress: Report | None = None,
) -> Designed:
    """Return the hardest puzzles of a file with `pieces:`, which leaves pieces open; docs/format.md describes it.

    With the method 'union' all packings are searched at once, from all packings that meet a goal. Then the answer is
    exact: each puzzle is a hardest one of its kind that meets the conditions. With 'climb' starts are changed piece by
    piece (docs/methods/packings.md). Then the distance of each puzzle is proved, but there may be harder ones.

    source        a file, the text of one, or a Draft
    by            'all': the hardest of all; 'blanks', 'pieces' or 'group': one for each number of blanks or pieces, or
                  each multiset of pieces
    components    whether components are counted
    needed        only starts without a piece that can be left out: without it the solution would have the same length
    one_solution  only starts with one shortest solution up to commuting moves
    symmetric     only starts that look the same after a reflection or a turn of the board
    metric        'step', 'run' or 'piece' instead of the `count:` of the file
    method        'union', 'climb', or 'auto': 'climb' if the packings are too many for the memory
    seed          of the random changes of 'climb'
    confirm       whether every puzzle is solved again; None: if there are at most CONFIRMED
    Raises FormatError for a file that is wrong, SelfCheckError if a puzzle is solved in another number of moves.

    >>> text = "rule: slide\\ncount: step\\npieces:\\n  A 1x2: 1\\n  1x1: any\\nblanks: 2\\ngoal:\\n  **A\\n  **A\\n"
    >>> [(each.moves, each.start) for each in design(text, by="all").puzzles]
    [(1, 'oA./oA.')]
    """
    from ..graph.designs.search import Wanted

    draft, name, text, file = _draft(source)
    for what, value, choices in (("by", by, BY), ("method", method, METHODS)):
        if value not in choices:
            raise InputError(f"{what}: expected one of {', '.join(choices)}, found {value!r}")
    if metric:
        draft = replace(draft, count=metric)
    watch = Watch(limits, progress)

    def answer_to(made: OpenLayout) -> Designed:
        wanted = Wanted(components, symmetric, needed, _one_solution(made, limits) if one_solution else None, by)
        answer = None if method == "climb" else _by_union(made, name, wanted, watch, method == "auto")
        return answer if isinstance(answer, Designed) else _by_climbing(made, name, wanted, watch, seed, answer or "")

    try:
        questions = layout(draft).questions
        answers = _until_stopped(questions, answer_to)
        finished = sum(each.stopped is None for each in answers)
        found = replace(combined(answers), questions=len(questions), searched_questions=finished)
        if found.method == "union" and found.stopped is None and not found.goals:
            raise FormatError(
                f"goal: none of {found.packings:,} packings meets a goal: expected a goal that the pieces can reach"
            )
    except InputError as error:
        raise pzl.explain(error, file, text) from None
    return _confirmed(found, confirm, limits)


def _until_stopped(questions: Sequence[OpenLayout], answer_to: Callable[[OpenLayout], Designed]) -> list[Designed]:
    """Return the answers to the questions up to one that a limit stops; raise LimitError if that is the first."""
    answers: list[Designed] = []
    for made in questions:
        try:
            answers.append(answer_to(made))
        except (LimitError, Overdue) as late:
            if not answers:
                raise
            answers[-1] = replace(answers[-1], stopped=limit_of(late))
        if answers[-1].stopped is not None:
            break
    return answers


def _by_union(made: OpenLayout, name: str, wanted: Wanted, watch: Watch, auto: bool) -> Designed | str:
    """Return the answer from all packings; with `auto` the reason if they cannot be searched."""
    from ..graph.designs.lines import LineSearch
    from ..graph.designs.packings import Packings
    from ..graph.designs.search import UnionSearch

    search: LineSearch | UnionSearch | None = None
    try:
        with phase("the packings were numbered"):
            packings = Packings(made, fewer=wanted.needed)
        if wanted.by == "group" and not packings.single:
            raise InputError("by: expected all, blanks or pieces, because there are too many multisets of pieces")
        search = LineSearch(packings, wanted, watch)
        if not search.fits:
            search = UnionSearch(packings, wanted, watch)
        with phase("the packings were searched"):
            search.run()
    except UnsupportedError as error:
        if not auto:
            raise
        return str(error)
    except (LimitError, Overdue) as late:
        error = limit_of(late)
        if auto and error.kind == "memory" and (search is None or not search.found):
            return str(error)
        if search is None:
            raise error from None
        return _answer(search, name, wanted.by, error)
    return _answer(search, name, wanted.by, None)


def _by_climbing(made: OpenLayout, name: str, wanted: Wanted, watch: Watch, seed: int, reason: str) -> Designed:
    """Return the hardest starts that climbing found."""
    from ..graph.designs.climb import Climb

    search = Climb(made, wanted, watch, seed)
    stopped = None
    try:
        search.run()
    except (LimitError, Overdue) as late:
        stopped = limit_of(late)
    title = dict(made.draft.titles).get("", name)
    puzzles = tuple(
        designed(made, search.best[key], "-".join(map(str, key)), wanted.by, title) for key in sorted(search.best)
    )
    return Designed(
        name, title, made.metric, wanted.by, None, search.searched, search.components, search.components, False, 0, 0,
        Counter(), Counter(), puzzles, _conditions(made, wanted), method="climb", reason=reason, stopped=stopped,
        generated=watch.generated, seconds=watch.seconds,
    )  # fmt: skip


def _draft(source: str | Path | Draft) -> tuple[Draft, str, str, str]:
    """Return the draft, a name, and the text and the name of the file for errors."""
    if isinstance(source, Draft):
        return source, "design", "", ""
    if isinstance(source, str) and "\n" in source:
        text, file, name = source, "design.pzl", "design"
    elif not isinstance(source, str | Path):
        raise UnsupportedError(f"design: expected a puzzle file that leaves pieces open, found {source!r:.100}")
    else:
        text, file = pzl.load(str(source)), str(source)
        name = "design" if file == "-" else Path(source).stem
    draft = pzl.parse(text, file)
    tell([each.located(file, text) for each in draft.diagnostics])
    return draft, name, text, file


def _answer(search: LineSearch | UnionSearch, name: str, by: str, stopped: LimitError | None) -> Designed:
    made, packings, wanted = search.layout, search.packings, search.wanted
    found: list[Found] = sorted(
        (each for each in search.found if each.group.asked), key=lambda each: each.group.numbers
    )
    titles = dict(made.draft.titles)
    title = titles.get("", name)
    components: Counter[tuple[int, int]] = Counter()
    dead: Counter[int] = Counter()
    for each in found:
        components.update(each.components)
        dead.update(each.dead)
    return Designed(
        name, title, made.metric, by, packings.total, sum(each.packings for each in found),
        sum(group.asked for group in packings.groups), sum(each.packings == each.group.size for each in found),
        packings.single,
        sum(each.goals for each in found), sum(each.solvable for each in found), components, dead,
        chosen(made, found, by, title), _conditions(made, wanted), stopped=stopped,
        generated=search.watch.generated, seconds=search.watch.seconds,
    )  # fmt: skip


def _conditions(made: OpenLayout, wanted: Wanted) -> tuple[str, ...]:
    """Return what every start had to fulfil, in words."""
    return (
        *(["like the drawing of start:"] if made.start is not None else []),
        *(["symmetric"] if wanted.symmetric else []),
        *(["no piece can be left out"] if wanted.needed else []),
        *(["one shortest solution up to commuting moves"] if wanted.accept is not None else []),
    )


def _one_solution(made: OpenLayout, limits: Limits) -> Callable[[Start], bool]:
    """Return whether a start has one shortest solution up to commuting moves."""

    def holds(start: Start) -> bool:
        answer = solve(build(puzzle_draft(made, start.what), "design"), count=True, limits=limits)
        if answer.stopped is not None:
            raise answer.stopped
        return 1 in (answer.solutions, answer.solutions_commuting)

    return holds


def _confirmed(answer: Designed, confirm: bool | None, limits: Limits) -> Designed:
    """Solve the puzzles again. Raises SelfCheckError if one is solved in another number of moves."""
    if confirm is False or answer.stopped is not None or (confirm is None and len(answer.puzzles) > CONFIRMED):
        return answer
    confirmed = 0
    for each in answer.puzzles:
        solution = solve(puzzle_of(each), limits=limits)
        if solution.stopped is not None:
            return replace(answer, confirmed=confirmed, stopped=solution.stopped)
        if solution.status is not Status.OPTIMAL or solution.moves != each.moves:
            raise SelfCheckError(
                f"{each.start}: expected {each.moves} moves, found {solution.moves} by {solution.engine}"
            )
        confirmed += 1
    return replace(answer, confirmed=confirmed)


def puzzle_of(each: DesignedPuzzle) -> Puzzle:
    """Return a puzzle that was found."""
    return build(each.draft, "design")
