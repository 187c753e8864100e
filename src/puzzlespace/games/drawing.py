"""Boards in the letters of a game's legend."""

from __future__ import annotations

from .game import Game, GameBoard
from .turn import Cells


def background_of(game: Game) -> int:
    """Return the bits of the layer of the background."""
    names = game.names
    return names.of_layer(names.layer[names.members("background")[0]])


def glyphs(game: Game) -> dict[int, str]:
    """Return a letter for each set of objects that has one: those of the legend, and those objects are named by."""
    names, background = game.names, background_of(game)
    found: dict[int, str] = {}
    for name in (*names.synonyms, *names.aggregates, *names.objects):
        if len(name) == 1 and names.target(name) not in names.properties:
            mask = names.mask(name)
            found.setdefault(mask & ~background, name)
    return found


SPARE = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"


def rows_of(game: Game, board: GameBoard, cells: Cells) -> list[str]:
    """Return a board in the letters of the legend; sets of objects without one get a free letter and a line below."""
    known = glyphs(game)
    background = background_of(game)
    used = {letter.lower() for letter in known.values()}
    free = (letter for letter in SPARE if letter.lower() not in used)
    legend: list[str] = []
    for cell in dict.fromkeys(cell & ~background for cell in cells):
        if cell not in known:
            known[cell] = next(free, "?")
            objects = [name for bit, name in enumerate(game.object_names) if cell >> bit & 1]
            legend.append(f"{known[cell]} = {' and '.join(objects) or 'background'}")
    width, height = board.width, board.height
    rows = ["".join(known[cells[x * height + y] & ~background] for x in range(width)) for y in range(height)]
    return rows + legend
