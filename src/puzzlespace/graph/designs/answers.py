"""What a design search answers: numbers of packings and components, and the hardest puzzles."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from ...contract.result import Result
from ...errors import LimitError, plural
from ...puzzle.draft import Draft, Drawing, Known
from .found import drawn, puzzle_draft
from .layout import OpenLayout

if TYPE_CHECKING:  # NumPy is loaded only to search
    from .search import Found, Start

BY = ("all", "blanks", "pieces", "group")
"""How the hardest puzzles are chosen: one of all, or one for each number of blanks or pieces, or each multiset."""


@dataclass(frozen=True, repr=False)
class DesignedPuzzle(Result):
    """The hardest puzzle of its kind.

    key     the number of blanks or pieces, or the multiset, for which it was chosen; '' for all
    moves   the length of its shortest solution
    shapes  its pieces: (shape, number) in the order of `pieces:`
    states  how many positions its start reaches, None if components were not counted
    depth   the greatest depth of these positions, None if components were not counted
    start   the letter of each cell, on one line; `goal`: its goal in the same form, the first one if it has several
    draft   the puzzle file
    """

    key: str
    moves: int
    pieces: int
    blanks: int
    shapes: tuple[tuple[str, int], ...]
    states: int | None
    depth: int | None
    start: str
    goal: str
    draft: Draft

    @property
    def words(self) -> str:
        """The pieces in words: '2x2: 1, 1x1: 4'."""
        return ", ".join(f"{shape}: {number}" for shape, number in self.shapes)


@dataclass(frozen=True, repr=False)
class Designed(Result):
    """The answer to a design search.

    questions   how many questions were searched: 1, or one for each place of the piece of `goal: any A`; then all
                numbers are sums over those that were begun, and each puzzle has the goal with which it is hardest.
                `searched_questions`: those that no limit stopped
    packings    all ways to lay the pieces, None if they were not counted; `searched`: those that were searched
    groups, searched_groups  how many multisets of pieces there are (or, if `multisets` is False, other groups); with
                the method 'climb' the components that were searched
    goals       how many packings meet a goal; `solvable`: how many can reach one
    components  (packings, greatest depth): how many components that reach the goal are like this; empty if not counted
    dead        packings: how many components that do not reach it
    puzzles     the hardest puzzles, as `by` says
    conditions  what every start had to fulfil, in words
    confirmed   how many of the puzzles were solved again, to the same number of moves
    method      'union' if all packings were searched, 'climb' if starts were changed piece by piece: then there may be
                harder puzzles, and `goals`, `solvable` and `components` are empty
    reason      why not all packings were searched, '' if climbing was asked for
    stopped     the limit that stopped the search
    """

    name: str
    title: str
    metric: str
    by: str
    packings: int | None
    searched: int
    groups: int
    searched_groups: int
    multisets: bool
    goals: int
    solvable: int
    components: Counter[tuple[int, int]]
    dead: Counter[int]
    puzzles: tuple[DesignedPuzzle, ...]
    conditions: tuple[str, ...] = ()
    confirmed: int = 0
    method: str = "union"
    reason: str = ""
    questions: int = 1
    searched_questions: int = 1
    stopped: LimitError | None = None
    generated: int = 0
    seconds: float = field(default=0.0, compare=False)

    @property
    def hardest(self) -> DesignedPuzzle | None:
        """The hardest puzzle of all; the first one if several have as many moves."""
        return max(self.puzzles, key=lambda each: each.moves, default=None)


def chosen(layout: OpenLayout, found: Iterable[Found], by: str, title: str) -> tuple[DesignedPuzzle, ...]:
    """Return the hardest puzzles, as `by` says, in the order of their keys."""
    best: dict[tuple[int, ...], Start] = {}
    for each in found:
        for start in each.starts:
            key = {"all": (), "blanks": (start.blanks,), "pieces": (start.pieces,)}.get(by, each.group.numbers)
            if key not in best or (start.depth, *map(_minus, start.what)) > (
                best[key].depth,
                *map(_minus, best[key].what),
            ):
                best[key] = start
    return tuple(designed(layout, best[key], "-".join(map(str, key)), by, title) for key in sorted(best))


def combined(answers: Sequence[Designed]) -> Designed:
    """Return one answer to questions with different goals: sums, and for each key the hardest puzzle of all."""
    first = answers[0]
    if len(answers) == 1:
        return first
    best: dict[str, DesignedPuzzle] = {}
    for answer in answers:
        for each in answer.puzzles:
            if each.key not in best or each.moves > best[each.key].moves:
                best[each.key] = each
    packings = [each.packings for each in answers]
    components: Counter[tuple[int, int]] = Counter()
    dead: Counter[int] = Counter()
    for each in answers:
        components.update(each.components)
        dead.update(each.dead)
    return replace(
        first,
        packings=None if None in packings else sum(filter(None, packings)),
        searched=sum(each.searched for each in answers),
        groups=sum(each.groups for each in answers),
        searched_groups=sum(each.searched_groups for each in answers),
        goals=sum(each.goals for each in answers),
        solvable=sum(each.solvable for each in answers),
        components=components,
        dead=dead,
        puzzles=tuple(sorted(best.values(), key=lambda each: [int(part) for part in each.key.split("-") if part])),
        stopped=answers[-1].stopped,
        generated=answers[-1].generated,
        seconds=answers[-1].seconds,
    )


def _minus(number: int) -> int:
    return -number


def designed(layout: OpenLayout, start: Start, key: str, by: str, title: str) -> DesignedPuzzle:
    """Return the puzzle of a start."""
    numbers: Counter[str] = Counter()
    for kind in start.what:
        if 0 < kind <= layout.kinds:
            numbers[shape_words(layout, kind)] += 1
    known = [Known("solution", start.depth)]
    if start.packings is not None:
        known = [
            Known("states", start.packings), Known("depth", start.component_depth or 0),
            Known("hardest", start.component_hardest or 0), *known,
        ]  # fmt: skip
    source = f"puzzlespace design, {title}"
    about = {"blanks": f"{start.blanks} blanks", "pieces": f"{start.pieces} pieces", "group": key}.get(by, "hardest")
    draft = puzzle_draft(
        layout, start.what, f"{title}: {about}, {plural(start.depth, 'move')}",
        tuple(Known(each.what, each.value, source=source) for each in known),
    )  # fmt: skip
    words = drawn(layout, start.what)
    line = "/".join("".join("#" if cell is None else words[cell] for cell in row) for row in layout.board.rows)
    goal = "/".join("".join(row) for row in draft.goals[0].rows) if isinstance(draft.goals[0], Drawing) else ""
    order = {shape_words(layout, kind): None for kind in range(1, layout.kinds + 1)}
    return DesignedPuzzle(
        key, start.depth, start.pieces, start.blanks,
        tuple((shape, numbers[shape]) for shape in order if numbers[shape]),
        start.packings, start.component_depth, line, goal, draft,
    )  # fmt: skip


def shape_words(layout: OpenLayout, kind: int) -> str:
    """Return a shape as `pieces:` writes it: '2x2', or the drawing 'oo/o.'."""
    if layout.rows[layout.row_of[kind]].wall:
        return "wall"
    offsets = layout.shapes[kind - 1]
    least = min(x for x, _ in offsets)
    wide, high = max(x for x, _ in offsets) - least + 1, max(y for _, y in offsets) + 1
    if len(offsets) == wide * high:
        return f"{wide}x{high}"
    return "/".join("".join("o" if (x + least, y) in offsets else "." for x in range(wide)) for y in range(high))
