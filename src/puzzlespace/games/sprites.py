"""What a board looks like: the sprites of its objects as pixels, in the colours that the game names."""

from __future__ import annotations

import re
from functools import cache

from .game import Game, GameBoard
from .names import ObjectSprite
from .turn import Cells

SIDE = 5
"""The width and the height of a sprite, in pixels."""

COLOURS = {
    "black": "#000000", "white": "#ffffff", "grey": "#9d9d9d", "darkgrey": "#697175", "lightgrey": "#cccccc",
    "red": "#be2633", "darkred": "#732930", "lightred": "#e06f8b", "brown": "#a46422", "darkbrown": "#493c2b",
    "lightbrown": "#eeb62f", "orange": "#eb8931", "yellow": "#f7e26b", "green": "#44891a", "darkgreen": "#2f484e",
    "lightgreen": "#a3ce27", "blue": "#1d57f7", "lightblue": "#b2dcef", "darkblue": "#1b2632", "purple": "#342a97",
    "pink": "#de65e2",
}  # fmt: skip
"""The usual colours of the language, after the palette of Arne Niklas Jansson."""

UNKNOWN = COLOURS["pink"]
"""The colour of words that name none."""

Sprite = tuple[tuple[str, ...], ...]
"""Rows of pixels: '#rrggbb', or '' where what is below is seen."""


def _named(word: str) -> str | None:
    """Return the colour that a word names as '#rrggbb', '' for transparent, None for a word that names none."""
    word = word.lower().replace("gray", "grey")
    if re.fullmatch(r"#[0-9a-f]{3}", word):
        return "#" + "".join(2 * digit for digit in word[1:])
    if re.fullmatch(r"#[0-9a-f]{6}([0-9a-f]{2})?", word):
        return word[:7]
    return "" if word == "transparent" else COLOURS.get(word)


def is_colour(word: str) -> bool:
    """Return whether a word names a colour."""
    return _named(word) is not None


def colour_of(word: str) -> str:
    """Return the colour that a word names as '#rrggbb', '' for transparent, and UNKNOWN for a word that names none."""
    found = _named(word)
    return UNKNOWN if found is None else found


def sprite_of(drawn: ObjectSprite) -> Sprite:
    """Return the pixels of an object; without rows all have its first colour."""
    colours = [colour_of(word) for word in drawn.colours] or [UNKNOWN]
    if not drawn.rows:
        return ((colours[0],) * SIDE,) * SIDE

    def pixel(x: int, y: int) -> str:
        digit = drawn.rows[y][x] if y < len(drawn.rows) and x < len(drawn.rows[y]) else "."
        return colours[min(int(digit), len(colours) - 1)] if digit.isdecimal() else ""

    return tuple(tuple(pixel(x, y) for x in range(SIDE)) for y in range(SIDE))


def sprites(game: Game) -> tuple[Sprite, ...]:
    """Return the sprite of each object, by its bit: later ones are drawn over earlier ones."""
    return tuple(sprite_of(game.names.objects[name]) for name in game.object_names)


def ground(game: Game) -> str:
    """Return the colour behind all sprites."""
    return colour_of(game.prelude.get("background_color", "").strip() or "black") or COLOURS["black"]


def pixels(game: Game, board: GameBoard, cells: Cells) -> list[list[str]]:
    """Return a board as rows of pixels, '#rrggbb' each; SIDE of them are a cell."""
    drawn, behind = sprites(game), ground(game)

    @cache
    def composed(cell: int) -> Sprite:
        over = [each for bit, each in enumerate(drawn) if cell >> bit & 1]
        return tuple(
            tuple(next((each[y][x] for each in reversed(over) if each[y][x]), behind) for x in range(SIDE))
            for y in range(SIDE)
        )

    return [
        [pixel for x in range(board.width) for pixel in composed(cells[x * board.height + y])[row]]
        for y in range(board.height)
        for row in range(SIDE)
    ]
