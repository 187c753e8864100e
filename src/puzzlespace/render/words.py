"""A puzzle's rules in words: the moves, how they are counted, the goal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..contract.answers import DepthTable
from ..errors import plural as plural
from ..model.goal import Goal
from ..model.rule import single_symbol
from ..puzzle.draft import WILD, Known
from ..puzzle.letters import Letters
from ..puzzle.puzzle import Puzzle
from .glyphs import printable

if TYPE_CHECKING:
    from ..symmetry import Symmetry

METRICS = {
    "step": "one step",
    "run": "one piece moved on in a straight line, however far",
    "piece": "one piece moved along any path, however long",
    "chain": "the jumps of one peg without a break",
    "multi": "several pieces in a line pushed together",
    "push": "one box pushed one cell; walking is free",
    "move": "one step of the player",
    "tilt": "all pieces moved in one direction until none can go on",
}
"""What one move is, unless the rule kind says it in its own words."""

BRIEF = {
    "step": "one step", "run": "a run in a line", "piece": "one piece, any way", "chain": "a chain of jumps",
    "multi": "several in a line", "push": "a push of a box", "move": "a step of the player",
    "tilt": "a tilt of the board", "cost": "what it costs", "input": "an input",
}  # fmt: skip
"""The same in a few words, for lists of metrics; `input` is the metric of games."""


def cycle_names(puzzle: Puzzle, symmetry: Symmetry) -> tuple[list[list[str]], list[list[str]]]:
    """Return the cycles of a symmetry's cells and of its symbols, by names; like pieces as 'A=C'."""
    from ..symmetry import cycles  # most commands do not need symmetries

    letters = puzzle.view.letters if isinstance(puzzle.view, Letters) else ()
    symbols = ["=".join(letters[s]) if s < len(letters) else f"symbol {s}" for s in range(puzzle.symbols)]
    named = ((puzzle.board.names, symmetry.cells), (symbols, symmetry.symbols))
    cells, renamed = ([[names[item] for item in cycle] for cycle in cycles(numbers)] for names, numbers in named)
    return cells, renamed


def origin_words(origin: str) -> str:
    """Return the words for the origin of depths: ' to the goal' or ' from the start'."""
    return " to the goal" if origin == "goal" else f" from the {origin}" if origin else ""


def measured_words(table: DepthTable) -> str:
    """Return a sentence about the goal positions that depths are measured to; '' if there is only one."""
    to = table.measured
    if to is None or (to.goals == to.positions == 1 and to.reached is not False):
        return ""
    number = plural(to.positions, "goal position")
    which = {
        True: "all that the start reaches",
        False: "the start reaches none of them",
        None: "whether or not the start reaches them",
    }[to.reached]
    words = f"Measured to {number} ({which})."
    if to.left_out:
        names = ", ".join(map(str, to.left_out))
        goals = f"Goal {names}" if len(to.left_out) == 1 else f"Goals {names}"
        why = "not reached from the start" if to.reached else "not met by any placement of the pieces"
        verb = "is" if len(to.left_out) == 1 else "are"
        words += f" {goals} of {to.goals} {verb} left out: {why}."
    return words


def number_words(known: Known) -> str:
    """Return the meaning of a known number: 'depth from start (run)'."""
    return known.what + (" from start" if known.from_start else "") + (f" ({known.metric})" if known.metric else "")


def known_words(puzzle: Puzzle) -> str:
    """Return the known numbers in one line."""
    return ", ".join(
        f"{known.what}{' from start' if known.from_start else ''} {known.value:,}"
        + (f" ({known.metric})" if known.metric else "")
        for known in puzzle.known
    )


def rules_in_words(puzzle: Puzzle) -> str:
    """Return the rule kind's words (pieces, blocks, lines, listed moves), what counts as one move, and the goal."""
    told = (*puzzle.kind.words(puzzle), *_counted(puzzle), *_goal(puzzle))
    return "\n".join(map(printable, told))


def _counted(puzzle: Puzzle) -> list[str]:
    """Return what counts as one move, and the other metrics."""
    first, *others = puzzle.metrics
    also = f" Also: {', '.join(others)}." if others else ""
    return [f"One move is {one_move(puzzle, first)} (count: {first}).{also}"]


def one_move(puzzle: Puzzle, metric: str) -> str:
    """Return what counts as one move."""
    return {**METRICS, **puzzle.kind.metrics}[metric]


def _goal(puzzle: Puzzle) -> list[str]:
    """Return the parts of the goal that a drawing does not show."""
    if not puzzle.goals:
        return ["No goal: depths are measured from the start."]
    lines = [f"Goal: {_count(puzzle, *count)}." for goal in puzzle.goals for count in goal.counts]
    written = puzzle.draft.goals if puzzle.draft is not None and puzzle.kind.sentences else ()
    sentences = [f"  {goal}" for goal in written if isinstance(goal, str) and goal != "start"]
    lines += ["Goal:", *sentences] if sentences else []
    if any(goal.position is None and not goal.counts and goal.sentence is None for goal in puzzle.goals):
        lines.append(f"In the goal {WILD} stands for anything.")
    return lines + (["Reaching one goal is enough."] if len(puzzle.goals) > 1 else [])


def _count(puzzle: Puzzle, symbol: int, count: int) -> str:
    if puzzle.kind.ground == "holes" and symbol:
        return f"{plural(count, 'peg')} {'is' if count == 1 else 'are'} left, in any hole"
    letter = puzzle.view.letters[symbol][0] if isinstance(puzzle.view, Letters) else f"symbol {symbol}"
    return f"{plural(count, 'cell')} show{'s' if count == 1 else ''} {letter}"


def goal_words(puzzle: Puzzle, goal: Goal) -> list[tuple[str, ...]]:
    """Return the drawing of a goal with open cells, in a list; [] if it cannot be drawn."""
    if not isinstance(puzzle.view, Letters) or goal.counts or goal.sentence is not None:
        return []
    letters, shapes = puzzle.view.letters, puzzle.shapes
    words = [WILD] * len(goal.need)
    for cell, need in enumerate(goal.need):
        symbol = single_symbol(need)
        if symbol is not None and symbol < len(letters) and letters[symbol]:  # the body of a block has no letter
            covered = shapes.covers[symbol][cell] if shapes is not None else ()
            for each in (cell, *(covered or ())):
                words[each] = letters[symbol][0]
    return [tuple(words)]
