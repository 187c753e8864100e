"""`rule: slide`: pieces of one or more cells move into blanks, on a grid or along lines and links.

Pieces of one cell share rules: any such piece in cell a moves to the blank cell b. A piece of several cells has its own
rules, one for each place and direction, which write only the cells that change. The blank is symbol 0; all cells of a
block except its first show `body`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ..errors import FormatError
from ..limits.watch import paced
from ..model.rule import ANY, Motion, Rule, only
from ..puzzle.board import COMPASS, Board
from ..puzzle.draft import BLANK, WILD, Draft
from ..puzzle.fitting import fit
from ..puzzle.ground import Floor
from ..puzzle.puzzle import Puzzle, RuleKind
from ..puzzle.tool import Tool
from . import common, sentences
from .common import Texts, Walled
from .pieces import BLANKS, EMPTY, SINGLE, Offsets, Piece, check_words, lying, pieces_of, view_of
from .said import KEYS, said_of


def build(draft: Draft, name: str) -> Puzzle:
    """Return the puzzle of a draft with `rule: slide`; raise FormatError at the word that is wrong."""
    board = common.board_of(draft)
    texts = common.texts_of(draft, board)
    check_words(draft, texts, board)
    gates = _gates(draft, texts, board)
    letters = dict.fromkeys((BLANK, *texts.words))
    said = said_of(draft, board, texts, [*letters])
    pieces = pieces_of(draft, texts, board, said, set(gates))
    blocks = any(len(piece.offsets) > 1 for piece in pieces)
    view = view_of(pieces, texts, board, said.floor)
    symbols = len(view.letters)
    common.check_number(symbols)
    goals = common.goals_of(draft, texts, view, said=said.goals_in(view, board))
    common.check_counts(texts, dict.fromkeys(texts.start or ()))
    start = view.encode(texts.start) if texts.start else None
    floor = said.floor
    rules = (*_unit_rules(board, pieces, view, gates, floor), *_block_rules(draft, board, pieces, view, gates, floor))
    anchor = view.encode(texts.whole) if texts.whole else None
    metrics = [name for name in KIND.counts if name != "multi" or not blocks]
    metrics = common.metrics_of(draft, rules, symbols, anchor, metrics)
    return Puzzle(
        name, KIND, board, view, symbols, rules, metrics, start, goals, view.shapes, diagnostics=said.doubts(),
        laws=said.laws_in(view, board), floor=floor,
    )  # fmt: skip


def _gates(draft: Draft, texts: Texts, board: Board) -> tuple[str, ...]:
    """Return for each cell the letter of the only piece that may enter it, '*' if all may.

    Raises FormatError if the piece cannot move, and if the start or a goal has another piece on a gate.
    """
    if draft.gates is None:
        return (WILD,) * board.cells
    gates = fit(board, draft.gates)
    movable = dict.fromkeys(word for word in texts.words if word != BLANK and word not in draft.fixed)
    common.check_symbols(gates, (WILD, *movable), "gates")
    for words in filter(None, (texts.start, *texts.goals)):
        for word, letter in zip(words, gates, strict=True):
            if letter != WILD and word not in (letter, BLANK, WILD):
                raise FormatError.at(word, f"expected {letter} or nothing on its gate, found {str(word)!r}")
    return gates


def _unit_rules(
    board: Board, pieces: Sequence[Piece], view: Walled, gates: Sequence[str], floor: Floor
) -> Iterator[Rule]:
    """Yield the rules of pieces of one cell: any such piece in cell a moves to the blank cell b."""
    movable = [piece for piece in pieces if piece.offsets == SINGLE and not piece.fixed]
    masks = {piece.letters[0]: only(view.symbols[piece.letters[0]]) for piece in movable}
    walls = {cell for cell, _ in view.walls}
    for (a, b), (direction, *others) in paced(board.directions.items()):
        mask = sum(masks.values())
        for gate in (gates[a], gates[b]):  # a piece may not leave a gate that it may not enter: moves can be undone
            mask &= ANY if gate == WILD else masks.get(gate, 0)
        if mask and a not in walls and b not in walls and not floor.parts(board, a, b):
            name = direction if board.grid and direction else f"{board.names[a]}-{board.names[b]}"
            motion = Motion(-1, a, b, direction, tuple(others))
            yield Rule(name, (a, b), (mask, only(EMPTY)), (1, 0), (None, None), motion)


def _block_rules(
    draft: Draft, board: Board, pieces: Sequence[Piece], view: Walled, gates: Sequence[str], floor: Floor
) -> Iterator[Rule]:
    """Yield the rules of blocks: one for each symbol, place and direction."""
    ways = {way: name for way, name in COMPASS.items() if draft.diagonals or 0 in way}
    places = {place: cell for cell, place in enumerate(board.places)}
    walls = {cell for cell, _ in view.walls}
    for piece in pieces:
        if len(piece.offsets) == 1:
            continue
        shut = walls | {cell for cell, letter in enumerate(gates) if letter not in (WILD, piece.letters[0])}
        for (x, y), (dx, dy) in paced((place, way) for place in board.places for way in ways):
            if draft.along and not lengthwise(piece.offsets, dx, dy):
                continue
            before = lying(piece.offsets, (x, y), places, floor)
            after = lying(piece.offsets, (x + dx, y + dy), places, floor)
            crossed = before and any(floor.wall(board.places[cell], (dx, dy)) for cell in before)
            if before and after and not crossed and not shut & {*before, *after}:
                motion = Motion(view.symbols[piece.letters[0]], before[0], after[0], ways[dx, dy])
                yield _shift(before, after, motion, len(view.letters))


def lengthwise(offsets: Offsets, dx: int, dy: int) -> bool:
    """Return whether a step is along the long side of a straight bar; true for pieces that are not bars."""
    flat = all(y == 0 for _, y in offsets)
    upright = all(x == 0 for x, _ in offsets)
    return not (flat or upright) or (dy == 0 if flat else dx == 0)


def _shift(before: Sequence[int], after: Sequence[int], motion: Motion, symbols: int) -> Rule:
    """Return the rule that moves a block from some cells to others; it has only the cells that change."""
    body = 1
    old = {cell: motion.shape if cell == before[0] else body for cell in before}
    new = {cell: motion.shape if cell == after[0] else body for cell in after}
    cells = [c for c in sorted({*before, *after}) if old.get(c, EMPTY) != new.get(c, EMPTY)]
    need = [old.get(cell, EMPTY) for cell in cells]
    return Rule.put(motion.direction, cells, need, [new.get(cell, EMPTY) for cell in cells], symbols, motion)


def in_words(puzzle: Puzzle) -> list[str]:
    """Return the rule, the pieces, and the lines along which they slide."""
    if not puzzle.board.grid:
        how = "along a line into a blank"
    elif any(motion.direction.count("-") for motion in (r.motion for r in paced(puzzle.rules)) if motion):
        how = "up, down, left, right or diagonally into blanks"
    else:
        how = "up, down, left or right into blanks"
    if puzzle.draft is not None and puzzle.draft.along:
        how = "only along its long side, into blanks"
    return [f"Rule: a piece slides {how}; the blank is '{BLANK}'.", *sentences.pieces(puzzle), *sentences.lines(puzzle),
            *sentences.said(puzzle)]  # fmt: skip


KIND = RuleKind(
    "slide", build, in_words, keys=("along", "diagonals", "blocks", "apart", "fixed", "distinct", "gates", *KEYS),
    counts=("step", "run", "piece", "multi"), blanks=BLANKS, sentences=True,
    tool=Tool(
        "pieces slide", "pieces move into blanks.", ("cars: only along", "bars move only along their long side."),
    ),
)  # fmt: skip
