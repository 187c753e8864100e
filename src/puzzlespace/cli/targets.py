"""The command `targets`: fewest moves that bring each piece to each cell."""

from __future__ import annotations

from typing import Annotated, Any

from ..api import targets as counts
from ..api.targets import Targets
from ..errors import LimitError
from ..limits.watch import unwatched
from ..puzzle.puzzle import Puzzle
from ..render import text
from .options import Avoid, CommonOptions, EngineName, Json, Metric, Moves, PuzzleArgument, limited, loaded
from .parser import Option
from .terminal import print_json, stopped

SCHEMA = 1


@limited
def targets(
    puzzle: PuzzleArgument,
    piece: Annotated[list[str] | None, Option("--piece", metavar="LETTER", help="only this piece")] = None,
    cell: Annotated[list[str] | None, Option("--cell", metavar="CELL", help="only this cell")] = None,
    proof: Annotated[bool, Option("--proof", help="also print a position with the piece in each cell")] = False,
    moves: Moves = None,
    avoid: Avoid = None,
    metric: Metric = "",
    engine: EngineName = "auto",
    *,
    asked: CommonOptions,
    as_json: Json = False,
) -> int:
    """Print the fewest moves from the start that bring each piece to each cell: one count answers for all cells.

    The goal does not matter. Limits are for each piece.

    Examples: puzzlespace targets lunar39 --piece R · puzzlespace targets board.pzl --piece B --cell j13 --proof
    """
    owner = loaded(puzzle, moves, avoid)
    found: list[Targets] = []
    with unwatched():
        asked.partial.so_far = lambda: _object(owner, found)
        for each in asked.each(
            counts.targets(
                owner, pieces=piece or (), cells=cell or (), metric=metric, engine=engine, limits=asked.limits,
                progress=asked.report,
            )
        ):  # fmt: skip
            found.append(each)
            if not as_json:
                print(("\n" if len(found) > 1 else "") + _page(owner, each, proof))
    if as_json:
        print_json(_object(owner, found))
    return stopped(_first_stop(found))


def _first_stop(found: list[Targets]) -> LimitError | None:
    return next((each.stopped for each in found if each.stopped is not None), None)


def _page(owner: Puzzle, found: Targets, proof: bool) -> str:
    never = "-" if found.stopped is None else "?"
    shown = dict.fromkeys(range(owner.board.cells), ".")
    for cell, moves in zip(found.cells, found.moves, strict=True):
        shown[cell] = never if moves is None else str(moves)
    parts = [
        f"{owner.title}: fewest moves (count: {found.metric}) that bring {found.piece} to each cell",
        text.numbered(owner, shown),
    ]
    missing = sum(moves is None for moves in found.moves)
    if missing and found.stopped is None:
        parts.append("- : never")
    elif missing:
        parts.append(f"? : at least {found.layers}, or never")
    if proof:
        names = owner.board.names
        rows = [
            f"{names[cell]}: {moves}  {position}"
            for cell, moves, position in zip(found.cells, found.moves, found.positions, strict=True)
            if position is not None
        ]
        parts.append("\n".join(rows))
    return "\n\n".join(parts)


def _object(owner: Puzzle, found: list[Targets]) -> dict[str, Any]:
    """Return the answers as a JSON object."""
    names = owner.board.names
    pieces = [
        {
            "piece": each.piece,
            "metric": each.metric,
            "cells": {
                names[cell]: {"moves": moves, "position": None if position is None else str(position)}
                for cell, moves, position in zip(each.cells, each.moves, each.positions, strict=True)
            },
            "layers": each.layers,
            "stopped": None if each.stopped is None else {"kind": each.stopped.kind, "text": str(each.stopped)},
            "engine": each.engine,
            "positions": each.generated,
            "seconds": round(each.seconds, 6),
        }
        for each in found
    ]
    return {"schema": SCHEMA, "puzzle": owner.name, "pieces": pieces}
