"""`rule: apply`: the listed moves, each a permutation of cells followed by changes of symbols.

A cycle (a b c) carries the contents of a to b, of b to c, of c to a; cycles are applied from left to right. Then every
~x replaces the symbol in cell x by the next one of its cycle in `swap:`. Each move may be undone unless `one-way: yes`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ..errors import FormatError
from ..limits.watch import paced
from ..model.effects import canonical, inverse
from ..model.rule import Rule
from ..puzzle.board import Board
from ..puzzle.draft import NOTHING, WILD, Draft, ListedMove
from ..puzzle.puzzle import Puzzle, RuleKind
from ..puzzle.tool import Tool
from . import common, sentences
from .common import Texts, Walled
from .listed import check_swap, rule_of, swap_table, swapped_in
from .said import KEYS, said_of
from .sentences import MOST_LISTED, listed


def build(draft: Draft, name: str) -> Puzzle:
    """Return the puzzle of a draft with `rule: apply`; raise FormatError at the word that is wrong."""
    board = common.board_of(draft, ragged=True)
    texts = common.texts_of(draft, board)
    letters = _letters(draft, texts)
    common.check_number(len(letters))
    said = said_of(draft, board, texts, letters)
    if said.floor.rows:
        raise FormatError.at(draft.ground[0], "ground: expected letters, found walls, which do not stop listed moves")
    view = Walled(tuple((letter,) for letter in letters))
    rules = _rules(draft, board, swap_table(draft, view.symbols))
    swapped = {letter for cycle in draft.swap for letter in cycle}
    common.check_counts(texts, [letter for letter in letters if letter not in swapped])
    start = view.encode(texts.start) if texts.start else None
    goals = common.goals_of(draft, texts, view, said=said.goals_in(view, board))
    metrics = common.metrics_of(draft, rules, len(letters), start, KIND.counts)
    return Puzzle(
        name, KIND, board, view, len(letters), rules, metrics, start, goals, diagnostics=said.doubts(),
        laws=said.laws_in(view, board), floor=said.floor,
    )  # fmt: skip


def _letters(draft: Draft, texts: Texts) -> list[str]:
    """Return the letter of each symbol; raise FormatError if a goal shows a symbol that can never appear."""
    swapped = swapped_in(draft)
    shown = [*texts.known, *swapped]
    for goal in texts.goals:
        common.check_symbols((word for word in goal if word != WILD), shown)
    if texts.start or texts.goals:
        check_swap(swapped, set(texts.words), draft.swap)
    if not shown:
        raise FormatError("start: expected a drawing of the start or the goal, found none")
    return sorted({str(word) for word in shown}, key=common.natural)


def _rules(draft: Draft, board: Board, table: tuple[int, ...]) -> tuple[Rule, ...]:
    """Return the listed moves, then their inverses; of moves with the same effect, only one."""
    if not draft.moves:
        raise FormatError("moves: expected at least one move for rule apply, found none")
    names = _different_names(draft.moves)
    symbols = len(table)
    listed = [rule_of(move, board, table) for move in paced(draft.moves)]
    found = {canonical(rule, symbols): rule for rule in paced(reversed(listed))}
    kept = {canonical(rule, symbols): found[canonical(rule, symbols)] for rule in paced(listed)}
    for rule in () if draft.one_way else paced(tuple(kept.values())):
        back = inverse(rule, symbols)
        assert back is not None  # permutations of cells and of symbols can always be undone
        undo = replace(back, name=f"{rule.name}'", need=rule.need)
        if kept.setdefault(canonical(undo, symbols), undo) is undo and undo.name in names:
            word = next(move.name for move in draft.moves if move.name == undo.name)
            raise FormatError.at(word, f"moves: expected {undo.name} to undo {rule.name}, found another move")
    return tuple(kept.values())


def _different_names(moves: Sequence[ListedMove]) -> set[str]:
    """Return the names of moves. Raises FormatError if two have one name."""
    seen: set[str] = set()
    for move in paced(moves):
        if move.name in seen:
            raise FormatError.at(move.name, f"moves: expected every name once, found {str(move.name)!r} again")
        seen.add(move.name)
    return seen


def in_words(puzzle: Puzzle) -> list[str]:
    """Return the listed moves, the changes of symbols, and the names of the cells."""
    draft = puzzle.draft
    swap = draft.swap if draft is not None else ()
    lines = _moves(puzzle)
    if swap:
        lines.append("Changed symbols (~): " + ", ".join(_swap(cycle) for cycle in swap))
    elif any("~" in line for line in lines):
        lines.append("~ stands before the cells whose symbol changes.")
    names = puzzle.board.names
    rows = [" ".join(NOTHING if cell is None else names[cell] for cell in row) for row in puzzle.board.rows]
    return [*lines, f"Cells: {' / '.join(rows)}", *sentences.said(puzzle)]


def _moves(puzzle: Puzzle) -> list[str]:
    """Return the listed moves as written, or derived from the rules; only names if some depend on the position."""
    draft, everything = puzzle.draft, (1 << puzzle.symbols) - 1
    if draft is not None and draft.moves:
        undone = " (never undone)" if draft.one_way else " (each may be undone)"
        written = [_move(move) for move in draft.moves]
    elif any(need & everything != everything for rule in paced(puzzle.rules) for need in rule.need):
        return [f"Rule: one of these moves is made: {listed([rule.name for rule in paced(puzzle.rules)], ' ')}"]
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
    """Return a rule as cycles of cells: `(a b c)` carries the contents of a to b."""
    names = puzzle.board.names
    to = {rule.cells[source]: cell for source, cell in zip(rule.source, rule.cells, strict=True)}
    parts: list[str] = []
    seen: set[int] = set()
    for first in rule.cells:
        cycle: list[str] = []
        cell: int | None = first
        while cell is not None and cell not in seen:
            seen.add(cell)
            cycle.append(names[cell])
            cell = to.get(cell)
        if len(cycle) > 1:
            parts.append(f"({' '.join(cycle)})")
    parts += ["~" + names[cell] for cell, table in zip(rule.cells, rule.table, strict=True) if table is not None]
    return f"{rule.name}: {' '.join(parts)}"


KIND = RuleKind(
    "apply", build, in_words, keys=("moves", "swap", "one_way", *KEYS), counts=("step", "run"), ground="squares",
    sentences=True,
    metrics={"step": "one listed move", "run": "one listed move, repeated as often as one likes"},
    tool=Tool("listed moves", "the listed moves."),
)  # fmt: skip
