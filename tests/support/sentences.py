"""Small boards with names of cells, places and kinds, for tests of sentences."""

from puzzlespace.errors import Word
from puzzlespace.puzzle.board import grid
from puzzlespace.rules.change.scope import Scope

SYMBOLS = Scope(
    grid([[True, True], [True, True]]),
    (".", "A", "L"),
    {"any": 0b110, "crate": 0b010, "wall": 0b101},
    {"x": (0, 1), "bank": (1, 2, 3)},
    {"turn": 4},
    (),
    bytes((1, 0, 2, 0, 1)),
)
NUMBERS = Scope(
    grid([[True, True], [True, True]]),
    ("0", "1", "2", "."),
    {"odd": 0b0110},
    {"x": (0, 1), "bank": (1, 2, 3)},
    {"k": 4},
    (0, 1, 2, None),
    bytes(5),
    dict.fromkeys(range(5), 0b0111),
)
CELLS = {"a1": 0, "b1": 1, "a2": 2, "b2": 3, "turn": 4}
COUNTS = {**CELLS, "k": 4}
NEEDS = {".": 1, "A": 2, "L": 4, "any": 6, "crate": 2, "wall": 5}
PLACES = {"x": (0, 1), "bank": (1, 2, 3), "a1": (0,), "turn": (4,)}


def word(text):
    return Word(text, 7, 11)
