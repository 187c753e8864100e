"""Warnings about a puzzle file that is valid, but may be meant in another way.

Only drafts that were read from a puzzle file are doubted: other formats and Python say themselves what they mean.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set
from dataclasses import replace

from ..errors import InputError
from ..model.facts import symbol_classes
from ..puzzle.board import Board, connected
from ..puzzle.diagnostics import Diagnostic
from ..puzzle.draft import BLANK, NOTHING, PLAYER, WILD, CountGoal, Draft, Drawing
from ..puzzle.fitting import fit
from ..puzzle.letters import Letters
from ..puzzle.puzzle import Puzzle
from .common import OPEN_CELLS

MOST_NAMED = 8
"""The most letters that a warning names."""

BOX = "$"
"""The usual sign of a box of one cell."""

Cells = tuple[int, ...]


def doubts(draft: Draft, puzzle: Puzzle) -> tuple[Diagnostic, ...]:
    """Return what may be meant in another way."""
    if not draft.places:
        return ()
    return (
        *_single_cells(draft, puzzle), *_goals(draft, puzzle), *_holes(draft, puzzle), *_no_effect(draft, puzzle)
    )  # fmt: skip


def _holes(draft: Draft, puzzle: Puzzle) -> Iterator[Diagnostic]:
    """Yield a warning if a sign that others write for holes is a peg beside other pegs, because '.' is the hole.

    The '.' may be meant as a place without a cell.
    """
    if puzzle.kind.play != "leap" or draft.start is None:
        return
    words = draft.start.words
    sign = next((word for word in words if word in puzzle.kind.blanks and word not in draft.fixed), None)
    if sign is not None and len({*words} - {BLANK, *draft.fixed}) > 1:
        yield Diagnostic.at(
            sign, "blank-sign", f"{str(sign)!r} is read as a peg, because '{BLANK}' occurs and is a hole",
            f"write '{BLANK}' for a hole, and '{NOTHING}' for a place without a cell",
        )  # fmt: skip


def _single_cells(draft: Draft, puzzle: Puzzle) -> Iterator[Diagnostic]:
    """Yield a warning if letters look like blocks, and `blocks:` does not say what they are.

    They do if their touching cells can be blocks in all drawings, and a goal shows one of them whole; without such a
    goal, if no more letters than these are in several cells and cannot be blocks.
    """
    if "blocks" not in puzzle.kind.keys or draft.blocks or draft.single or not puzzle.board.grid:
        return
    drawings = [] if draft.anywhere else [fit(puzzle.board, goal) for goal in draft.goals if isinstance(goal, Drawing)]
    start = fit(puzzle.board, draft.start) if draft.start is not None else None
    pieces = start or next((words for words in drawings if WILD not in words), None)
    if pieces is None:
        return
    several = _several(draft, pieces)
    blocks = {word: cells for word, cells in several.items() if _is_block(word, cells, drawings, puzzle.board)}
    whole = any(goal.count(word) == len(cells) for word, cells in blocks.items() for goal in drawings)
    likely = blocks and (whole or 2 * len(blocks) >= len(several))
    if not likely or not _can_move(draft, puzzle, tuple(blocks)):
        return
    if len(blocks) == 1:
        ((word, cells),) = blocks.items()
        text = f"{word} stands in {len(cells)} touching cells and is read as {len(cells)} single pieces"
    else:
        letters = " ".join([*list(blocks)[:MOST_NAMED], *(["…"] if len(blocks) > MOST_NAMED else [])])
        text = f"{letters} stand in touching cells and are read as single pieces, one for each cell"
    every = len(blocks) == len(several) and not (draft.rule == "push" and BOX in pieces)
    words = "all" if every else " ".join(blocks)
    yield Diagnostic.at(
        next(iter(blocks)), "single-cells", text,
        f"'blocks: {words}' makes each letter one piece; 'blocks: none' says that every piece has one cell",
    )  # fmt: skip


def _several(draft: Draft, words: Sequence[str]) -> dict[str, Cells]:
    """Return the cells of each letter that stands in several and has no role that says what it is."""
    told = {BLANK, *draft.fixed, *draft.apart, *((PLAYER, BOX) if draft.rule == "push" else ())}
    cells: dict[str, list[int]] = {}
    for cell, word in enumerate(words):
        if word not in told and draft.apart != "all":
            cells.setdefault(word, []).append(cell)
    return {word: tuple(where) for word, where in cells.items() if len(where) > 1}


def _is_block(word: str, cells: Cells, goals: Sequence[Sequence[str]], board: Board) -> bool:
    """Return whether the cells of a letter touch, and can be those of one rigid piece in every goal."""
    places = [board.places[cell] for cell in cells]
    if len(connected(places)) > 1:
        return False
    for words in goals:
        shown = {board.places[cell] for cell, each in enumerate(words) if each == word}
        if shown and not any(_covers(places, shown, first) for first in places):
            return False
    return True


def _covers(places: Sequence[tuple[int, int]], shown: Set[tuple[int, int]], first: tuple[int, int]) -> bool:
    """Return whether a piece covers all cells that a goal shows if its cell `first` is in the first of them."""
    x, y = min(shown)
    return shown <= {(x + column - first[0], y + row - first[1]) for column, row in places}


def _can_move(draft: Draft, puzzle: Puzzle, blocks: tuple[str, ...]) -> bool:
    """Return whether the puzzle with these blocks is valid, and has a move from the start."""
    meant = replace(
        draft, blocks=blocks, goals=() if draft.start is not None else draft.goals, count=puzzle.metrics[0],
        passing=False, anywhere=False, known=(),
    )  # fmt: skip
    try:
        other = puzzle.kind.build(meant, puzzle.name)
    except InputError:
        return False
    position = other.anchor
    return position is not None and any(rule.apply(position) is not None for rule in other.rules)


def _goals(draft: Draft, puzzle: Puzzle) -> Iterator[Diagnostic]:
    """Yield a warning for each drawn goal that every position meets, or that none can because of its numbers."""
    if draft.anywhere or puzzle.start is None:
        return
    for goal in draft.goals:
        if isinstance(goal, CountGoal):
            yield from _number(puzzle, goal)
        if not isinstance(goal, Drawing):
            continue
        words = fit(puzzle.board, goal)
        if all(word == WILD for word in words):
            yield Diagnostic.at(words[0], "goal-open", "this goal leaves every cell open: every position meets it")
        elif WILD in words or puzzle.kind.name == "push":
            yield from _count(puzzle, words)


def _count(puzzle: Puzzle, words: Sequence[str]) -> Iterator[Diagnostic]:
    """Yield a warning if a goal shows some symbols in more cells than moves ever leave them in."""
    start, view = puzzle.start, puzzle.view
    assert start is not None
    assert isinstance(view, Letters)
    shown = view.decode(start)
    for word in dict.fromkeys(words):
        if word == WILD or words.count(word) <= shown.count(word):
            continue
        alike = _alike(puzzle, view.symbols[word])
        there = sum(each in alike for each in words)
        here = sum(each in alike for each in shown)
        if there > here:
            yield Diagnostic.at(
                word, "goal-count",
                f"this goal shows {str(word)!r} in {there} cells, and no position has it in more than {here}",
                OPEN_CELLS if word == BLANK else "",
            )  # fmt: skip


def _number(puzzle: Puzzle, goal: CountGoal) -> Iterator[Diagnostic]:
    """Yield a warning if a goal counts a symbol that is in as many cells in every position, or never in so many."""
    if goal.symbol is None:
        return
    assert puzzle.start is not None
    assert isinstance(puzzle.view, Letters)
    alike = _alike(puzzle, puzzle.view.symbols[goal.symbol])
    here = sum(each in alike for each in puzzle.view.decode(puzzle.start))
    if goal.count > here:
        yield Diagnostic.at(
            goal.symbol, "goal-count",
            f"this goal counts {goal.count} cells with {str(goal.symbol)!r}, and no position has more than {here}",
        )  # fmt: skip
    elif alike == {goal.symbol}:
        code = "goal-open" if goal.count == here else "goal-count"
        text = f"every position has {here} cells with {str(goal.symbol)!r}, and this goal counts {goal.count}"
        yield Diagnostic.at(goal.symbol, code, text)


def _alike(puzzle: Puzzle, symbol: int) -> set[str]:
    """Return the letters of all symbols that a symbol can become, or that may be in a cell that should show it."""
    classes = symbol_classes(puzzle.rules, puzzle.symbols)
    assert isinstance(puzzle.view, Letters)
    found = {each for each in range(puzzle.symbols) if classes[each] == classes[symbol]}
    letters = {letter for each in found for letter in puzzle.view.letters[each]}
    return letters | ({PLAYER} if puzzle.kind.name == "push" and BLANK in letters else set())


def _no_effect(draft: Draft, puzzle: Puzzle) -> Iterator[Diagnostic]:
    """Yield a warning for each key that changes nothing here."""
    if draft.diagonals and not puzzle.board.grid:
        yield Diagnostic.at(
            draft.place("diagonals"), "no-effect", "diagonals: changes nothing: this board has lines of its own"
        )
    if draft.along and puzzle.shapes is None:
        yield Diagnostic.at(
            draft.place("along"), "no-effect", "along changes nothing: no piece has several cells",
            "'blocks: all' makes touching cells with one letter a piece",
        )  # fmt: skip
    if draft.swap and not draft.changes and not any(move.swaps or move.kind == "flip" for move in draft.moves):
        yield Diagnostic.at(draft.place("swap"), "no-effect", "swap: changes nothing: no move has '~' or flip")
