"""A puzzle's rules in words: what one may do, how moves are counted, what the goal is."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ..contract.answers import DepthTable
from ..limits.watch import paced
from ..model.model import Goal, Rule, single_symbol
from ..puzzle.draft import BLANK, NOTHING, WILD, Known, ListedMove
from ..puzzle.letters import Letters
from ..puzzle.puzzle import Puzzle
from .glyphs import alphabet, printable
from .ways import parts

if TYPE_CHECKING:
    from ..symmetry import Symmetry

METRICS = {
    "step": "one step",
    "run": "one piece moved on in a straight line, however far",
    "piece": "one piece moved along any path, however long",
    "chain": "the jumps of one peg without a break",
    "multi": "several pieces in a line pushed together",
}
OTHER_METRICS = {
    "jump": {"step": "one jump"},
    "apply": {"step": "one listed move", "run": "one listed move, repeated as often as one likes"},
}
"""What the same metrics mean where pieces do not slide."""

MOST_LISTED = 40
"""Lines, pieces and moves are listed up to this many."""


def plural(count: int, noun: str) -> str:
    """Return '1 position', '7 positions'."""
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"


def cycle_names(puzzle: Puzzle, symmetry: Symmetry) -> tuple[list[list[str]], list[list[str]]]:
    """Return the cycles of a symmetry's cells and of its symbols, by names; like pieces as 'A=C'."""
    from ..symmetry import cycles  # most commands have no need of symmetries

    letters = puzzle.view.letters if isinstance(puzzle.view, Letters) else ()
    symbols = ["=".join(letters[s]) if s < len(letters) else f"symbol {s}" for s in range(puzzle.symbols)]
    named = ((puzzle.board.names, symmetry.cells), (symbols, symmetry.symbols))
    cells, renamed = ([[names[item] for item in cycle] for cycle in cycles(numbers)] for names, numbers in named)
    return cells, renamed


def origin_words(origin: str) -> str:
    """Return what a depth is measured from: ' to the goal', ' from the start'."""
    return " to the goal" if origin == "goal" else f" from the {origin}" if origin else ""


def measured_words(table: DepthTable) -> str:
    """Return a sentence about the goal positions that depths are measured to; '' if it is the only one there is."""
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
    """Return what a known number says without the number: 'depth from start (run)'."""
    return known.what + (" from start" if known.from_start else "") + (f" ({known.metric})" if known.metric else "")


def known_words(puzzle: Puzzle) -> str:
    """Return the known numbers in one line."""
    return ", ".join(
        f"{known.what}{' from start' if known.from_start else ''} {known.value:,}"
        + (f" ({known.metric})" if known.metric else "")
        for known in puzzle.known
    )


def rules_in_words(puzzle: Puzzle) -> str:
    """Return what one may do (pieces, blocks, lines, listed moves), what counts as one move, and the goal."""
    told = {"slide": _slide, "jump": _jump, "apply": _apply}[puzzle.kind](puzzle)
    return "\n".join(printable(line) for line in (*told, *_counted(puzzle), *_goal(puzzle)))


def _gates(puzzle: Puzzle) -> list[str]:
    """Return which cells are for one piece only."""
    cells: dict[str, list[str]] = {}
    for cell, letter in puzzle.gates.items():
        cells.setdefault(letter, []).append(puzzle.board.names[cell])
    return [f"Only {letter} may enter: {_listed(names)}." for letter, names in cells.items()]


def _slide(puzzle: Puzzle) -> list[str]:
    draft = puzzle.draft
    if not puzzle.board.grid:
        how = "along a line into a blank"
    elif any(motion.direction.count("-") for motion in (r.motion for r in paced(puzzle.rules)) if motion):
        how = "up, down, left, right or diagonally into blanks"
    else:
        how = "up, down, left or right into blanks"
    if draft is not None and draft.along:
        how = "only along its long side, into blanks"
    lines = [f"Rule: a piece slides {how}; the blank is '{BLANK}'."]
    blocks = _blocks(puzzle)
    if blocks:
        lines.append(f"Blocks: {_listed(blocks)}.")
    same = _interchangeable(puzzle)
    if same:
        lines.append(f"Interchangeable: {_listed(same)}.")
    if draft is not None and draft.fixed:
        lines.append(f"Never moves: {' '.join(draft.fixed)}.")
    return [*lines, *_gates(puzzle), *_lines(puzzle)]


def _blocks(puzzle: Puzzle) -> list[str]:
    """Return every piece of more than one cell in the start with its shape: 'B 2x2', 'L 2x2 without a corner'."""
    position = puzzle.anchor
    if position is None:
        return []
    words = puzzle.view.decode(position)
    shapes: dict[str, list[str]] = {}
    for piece in puzzle.view.pieces(position):
        if len(piece) > 1:
            shapes.setdefault(_shape(puzzle, piece), []).append(words[piece[0]])
    return [f"{' '.join(letters)} ({shape})" for shape, letters in shapes.items()]


def _shape(puzzle: Puzzle, piece: Sequence[int]) -> str:
    """Return 'WxH' of a block, with how many cells of it are missing and in how many parts it is."""
    places = [puzzle.board.places[cell] for cell in piece]
    wide = max(x for x, _ in places) - min(x for x, _ in places) + 1
    high = max(y for _, y in places) - min(y for _, y in places) + 1
    missing = wide * high - len(piece)
    apart = len(parts(puzzle.board, piece))
    lacks = f" without {plural(missing, 'cell')}" if missing else ""
    return f"{wide}x{high}{lacks}" + (f" in {apart} parts" if apart > 1 else "")


def _interchangeable(puzzle: Puzzle) -> list[str]:
    """Return the groups of letters that name interchangeable pieces."""
    if not isinstance(puzzle.view, Letters):
        return []
    shown = alphabet(puzzle)
    groups = [[letter for letter in letters if letter in shown] for letters in puzzle.view.letters]
    return [" = ".join(group) for group in groups if len(group) > 1]


def _jump(puzzle: Puzzle) -> list[str]:
    return [
        "Rule: a peg jumps over a neighbour along a line into the empty hole behind it and removes it.",
        f"An empty hole is '{BLANK}'.",
        *_lines(puzzle),
    ]


def _lines(puzzle: Puzzle) -> list[str]:
    """Return the lines of a board that is no plain grid, by the names of its cells."""
    if puzzle.board.grid:
        diagonal = puzzle.draft is not None and puzzle.draft.diagonals
        return ["Lines: rows, columns and diagonals."] if diagonal else []
    names = puzzle.board.names
    shortest = 3 if puzzle.kind == "jump" else 2
    lines = ["-".join(names[cell] for cell in line) for line in puzzle.board.lines if len(line) >= shortest]
    return [f"{'Lines' if puzzle.board.straight else 'Links'}: {_listed(lines, ' ')}"]


def _listed(words: Sequence[str], between: str = ", ") -> str:
    """Join words; after MOST_LISTED of them say how many more there are."""
    rest = len(words) - MOST_LISTED
    return between.join(words[:MOST_LISTED]) + (f"{between}and {rest:,} more" if rest > 0 else "")


def _apply(puzzle: Puzzle) -> list[str]:
    draft = puzzle.draft
    swap = draft.swap if draft is not None else ()
    lines = _moves(puzzle)
    if swap:
        lines.append("Changed symbols (~): " + ", ".join(_swap(cycle) for cycle in swap))
    elif any("~" in line for line in lines):
        lines.append("~ stands before the cells whose symbol changes.")
    names = puzzle.board.names
    rows = [" ".join(NOTHING if cell is None else names[cell] for cell in row) for row in puzzle.board.rows]
    return [*lines, f"Cells: {' / '.join(rows)}"]


def _moves(puzzle: Puzzle) -> list[str]:
    """Return the listed moves as written or as the rules say; names alone where some depend on the position."""
    draft, everything = puzzle.draft, (1 << puzzle.symbols) - 1
    if draft is not None and draft.moves:
        undone = " (never undone)" if draft.one_way else " (each may be undone)"
        written = [_move(move) for move in draft.moves]
    elif any(need & everything != everything for rule in paced(puzzle.rules) for need in rule.need):
        return [f"Rule: one of these moves is made: {_listed([rule.name for rule in paced(puzzle.rules)], ' ')}"]
    else:
        undone, written = "", [_cycles(puzzle, rule) for rule in paced(puzzle.rules)]
    lines = [f"Rule: one of the listed moves is made{undone}:", *(f"  {text}" for text in written[:MOST_LISTED])]
    return lines + ([f"  and {len(written) - MOST_LISTED:,} more"] if len(written) > MOST_LISTED else [])


def _swap(cycle: Sequence[str]) -> str:
    return " <-> ".join(cycle) if len(cycle) == 2 else " -> ".join([*cycle, cycle[0]])


def _move(move: ListedMove) -> str:
    """Return a listed move as a puzzle file writes it."""
    if move.kind != "cycles":
        return f"{move.name}: {move.kind} {' '.join(move.cells[0])}"
    cycles = [f"({' '.join(cycle)})" for cycle in move.cells]
    return f"{move.name}: {' '.join([*cycles, *('~' + cell for cell in move.swaps)])}"


def _cycles(puzzle: Puzzle, rule: Rule) -> str:
    """Return a rule as cycles of cells, worked out from the rule: `(a b c)` carries the contents of a to b."""
    names = puzzle.board.names
    to = {rule.cells[source]: cell for source, cell in zip(rule.source, rule.cells, strict=True)}
    parts: list[str] = []
    seen: set[int] = set()
    for first in rule.cells:
        cycle = []
        cell: int | None = first
        while cell is not None and cell not in seen:
            seen.add(cell)
            cycle.append(names[cell])
            cell = to.get(cell)
        if len(cycle) > 1:
            parts.append(f"({' '.join(cycle)})")
    parts += ["~" + names[cell] for cell, table in zip(rule.cells, rule.table, strict=True) if table is not None]
    return f"{rule.name}: {' '.join(parts)}"


def _counted(puzzle: Puzzle) -> list[str]:
    """Return what counts as one move, and which other metrics can be asked for."""
    words = METRICS | OTHER_METRICS.get(puzzle.kind, {})
    first, *others = puzzle.metrics
    also = f" Also: {', '.join(others)}." if others else ""
    return [f"One move is {words[first]} (count: {first}).{also}"]


def _goal(puzzle: Puzzle) -> list[str]:
    """Return the goal in words where a drawing does not say it."""
    if not puzzle.goals:
        return ["No goal: depths are measured from the start."]
    lines = [f"Goal: {_count(puzzle, *count)}." for goal in puzzle.goals for count in goal.counts]
    if any(goal.position is None and not goal.counts for goal in puzzle.goals):
        lines.append(f"In the goal {WILD} stands for anything.")
    return lines + (["Reaching one goal is enough."] if len(puzzle.goals) > 1 else [])


def _count(puzzle: Puzzle, symbol: int, count: int) -> str:
    if puzzle.kind == "jump" and symbol:
        return f"{plural(count, 'peg')} {'is' if count == 1 else 'are'} left, in any hole"
    letter = puzzle.view.letters[symbol][0] if isinstance(puzzle.view, Letters) else f"symbol {symbol}"
    return f"{plural(count, 'cell')} show{'s' if count == 1 else ''} {letter}"


def goal_words(puzzle: Puzzle, goal: Goal) -> list[tuple[str, ...]]:
    """Return the drawing of a goal that leaves cells open, in a list; nothing where it cannot be drawn."""
    if not isinstance(puzzle.view, Letters) or goal.counts:
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
