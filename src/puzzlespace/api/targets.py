"""Fewest moves that bring each piece to each cell: one count from the start for each piece."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from ..contract.questions import Depths, Engine
from ..contract.result import Result
from ..errors import FormatError, InputError, LimitError, UnsupportedError
from ..limits.watch import Limits, Progress, Watch
from ..puzzle.draft import WILD, Draft, Drawing
from ..puzzle.letters import Letters
from ..puzzle.puzzle import Position, Puzzle
from ..registry import build
from . import dispatch, faults, loader
from .arguments import checked, texts


@dataclass(frozen=True, repr=False)
class Targets(Result):
    """The fewest moves from the start that bring a piece to each cell.

    piece      its letter; of several pieces with this letter any one counts
    cells      the numbers of the cells that were asked for
    moves      for each of them the fewest moves, None if the piece cannot come there or `stopped` ended the count
    positions  for each of them a position with so few moves that has the piece there, or None
    layers     the number of layers that were counted: a piece that `moves` does not name needs at least so many moves
    """

    piece: str
    metric: str
    cells: tuple[int, ...]
    moves: tuple[int | None, ...]
    positions: tuple[Position | None, ...]
    layers: int
    engine: str
    generated: int
    seconds: float
    stopped: LimitError | None = None


@checked
def targets(
    puzzle: Puzzle | str | Path,
    *,
    pieces: Sequence[str] = (),
    cells: Sequence[str] = (),
    metric: str = "",
    engine: str | Engine = "auto",
    limits: Limits = Limits(),
    progress: Callable[[Progress], None] | None = None,
) -> Iterator[Targets]:
    """Yield for each piece the fewest moves that bring it to each cell, after any move that ends there.

    One count from the start answers for all cells; the goal of the puzzle does not matter. Of a block the first cell
    in reading order counts. While one piece is asked for, all others of its shape are alike, unless `distinct:` or
    the rules tell them apart.

    pieces   the letters of the pieces (default: all of the start)
    cells    the names of the cells (default: all); the count ends when all of them are reached
    limits   for each piece
    Raises InputError for an unknown piece or cell, or if there is no start; UnsupportedError if other letters are
    names of the same piece.

    >>> [(each.piece, max(each.moves)) for each in targets("goat", pieces="rI")]
    [('r', 16), ('I', 14)]
    """
    texts("pieces", pieces)
    texts("cells", cells)
    owner = loader.puzzle_of(puzzle, "targets")
    if owner.start is None:
        raise InputError(f"{owner.name}: expected a start to measure from, found none")
    words = owner.view.decode(owner.start)
    known = [word for word in owner.alphabet if word in words]
    for piece in pieces:
        if piece not in known:
            raise InputError(f"piece: expected one of {' '.join(known)}, found {piece!r}")
    numbers = tuple(_cell(owner, name) for name in cells) or tuple(range(owner.board.cells))
    return (_count(owner, piece, numbers, metric, engine, Watch(limits, progress)) for piece in pieces or known)


def _cell(owner: Puzzle, name: str) -> int:
    cell = owner.board.cell(name)
    if cell is None:
        raise InputError(f"cell: expected one of {', '.join(owner.board.names)}, found {name!r}")
    return cell


def _count(
    owner: Puzzle, piece: str, cells: tuple[int, ...], metric: str, engine: str | Engine, watch: Watch
) -> Targets:
    told = _told_apart(owner, piece)
    symbol = _symbol(told, piece)
    model = told.model(metric)
    assert model.start is not None
    asked = tuple((cell, symbol) for cell in cells)
    name, layers = dispatch.depths(Depths(model, (model.start,), 0, arrivals=asked), watch, engine)
    found = [layers.arrivals.get(pair) for pair in asked]
    faults.report(owner, model.metric.name, watch.faults)
    return Targets(
        piece, model.metric.name, cells, tuple(each and each[0] for each in found),
        tuple(None if each is None else told.at(each[1]) for each in found),
        len(layers.counts), name, watch.generated, watch.seconds, layers.stopped,
    )  # fmt: skip


def _told_apart(owner: Puzzle, piece: str) -> Puzzle:
    """Return the puzzle with a goal that names the piece and nothing else, if its file can be built so."""
    draft = owner.draft
    names = owner.allowed and not owner.listed  # of moves of pieces that would be alike
    if names or draft is None or not isinstance(draft.start, Drawing) or owner.loaded is not None:
        return owner
    rows = tuple(tuple(word if word == piece or word == "#" else WILD for word in row) for row in draft.start.rows)
    goal = Drawing(rows, draft.start.spaced, draft.start.columns)
    own: Draft = replace(draft, goals=(goal,), anywhere=False, passing=False, known=())
    try:
        return replace(build(own, owner.name), allowed=owner.allowed)
    except FormatError:
        return owner


def _symbol(owner: Puzzle, piece: str) -> int:
    letters = owner.view.letters if isinstance(owner.view, Letters) else ()
    for symbol, names in enumerate(letters):
        if names == (piece,):
            return symbol
        if piece in names:
            raise UnsupportedError(
                f"piece {piece}: {' '.join(names)} are names of pieces that are alike; `distinct:` tells them apart"
            )
    raise UnsupportedError(f"{owner.name}: its cells do not show pieces")
