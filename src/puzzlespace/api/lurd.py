"""Solutions in the letters of Sokoban programs: `l`, `u`, `r`, `d` for a step, upper case if a box moves along.

A number repeats the next letter or the next group in parentheses: `3l2(dR)`. If the puzzle pulls, upper case also
stands for a pull: the box behind the player comes along. The cell in front of the player decides: a box there is
pushed; if the cell is free, the box behind is pulled.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ..errors import FormatError, UnsupportedError, Word
from ..limits.watch import paced
from ..model.rule import Rule, only
from ..puzzle.draft import BLANK, PLAYER
from ..puzzle.letters import Letters
from ..puzzle.puzzle import Puzzle

WAYS = {"l": (-1, 0), "u": (0, -1), "r": (1, 0), "d": (0, 1)}
"""The columns and rows of a step."""

MOST_LETTERS = 1_000_000
BOX, FREE = "a box", "a free cell"


def has_levels(text: str) -> bool:
    """Return whether a text has levels, which may have solutions below them."""
    from ..formats import sokoban

    return bool(sokoban.levels_of(text))


def solutions_of(text: str, number: int = 0) -> list[list[Word]]:
    """Return the letters of each solution in a text: below a level, if the text has levels, else the whole text.

    number  of the level; 0: the only one
    Raises FormatError at a sign that is no letter, and if there is no solution.
    """
    from ..formats import grids, sokoban

    levels = sokoban.levels_of(text)
    if not levels:
        return [_letters([line for line in grids.lines_of(text) if line])]
    level = sokoban.level_of(levels, number) if number else sokoban.only(levels)
    if not level.said.solutions:
        raise FormatError.at(level.rows[-1], "expected a solution below the level, found none")
    return [_letters(lines) for lines in level.said.solutions]


def _letters(lines: Sequence[Word]) -> list[Word]:
    from ..formats import grids

    found = [word for line in lines for word in grids.repeated(line) if not word.isspace()]
    if not found:
        raise FormatError("expected moves in the letters l, u, r and d, found none")
    if len(found) > MOST_LETTERS:
        raise FormatError.at(found[-1], f"expected at most {MOST_LETTERS:,} moves, found more")
    for word in found:
        if word.lower() not in WAYS:
            raise FormatError.at(word, f"expected one of the letters l, u, r, d, L, U, R, D, found {str(word)!r}")
    return found


def rules_of(puzzle: Puzzle, letters: Sequence[Word]) -> list[int]:
    """Return the rules that letters stand for, played from the start. Raises FormatError at the first wrong letter."""
    player = check(puzzle)
    position = puzzle.start
    assert position is not None
    numbers: dict[tuple[int, str], list[int]] = {}
    for number, rule in enumerate(puzzle.rules):
        numbers.setdefault((rule.cells[rule.need.index(only(player))], letter_of(rule)), []).append(number)
    found: list[int] = []
    for at, letter in enumerate(paced(letters), 1):
        cell = position.index(player)
        for number in numbers.get((cell, letter), ()):
            after = puzzle.rules[number].apply(position)
            if after is not None:
                break
        else:
            raise FormatError.at(letter, f"move {at}, {letter}: {_problem(puzzle, position, cell, letter)}")
        found.append(number)
        position = after
    return found


def letters_for(puzzle: Puzzle, rules: Iterable[Rule]) -> str:
    """Return the letters of rules of a puzzle. Raises UnsupportedError if it is no puzzle of one player on squares."""
    check(puzzle)
    return "".join(map(letter_of, rules))


def letter_of(rule: Rule) -> str:
    """Return the letter of a step, a push or a pull."""
    assert rule.motion is not None
    letter = rule.motion.direction[0]
    return letter if rule.motion.free else letter.upper()


def fits(puzzle: Puzzle) -> bool:
    """Return whether the moves of a puzzle can be written in letters: one player who pushes boxes on squares."""
    draft = puzzle.draft
    return (
        puzzle.kind.play == "walk"
        and isinstance(puzzle.view, Letters)
        and puzzle.board.grid
        and not (draft is not None and draft.diagonals)
        and puzzle.start is not None
        and puzzle.start.count(puzzle.view.symbols[PLAYER]) == 1
    )


def check(puzzle: Puzzle) -> int:
    """Return the symbol of the player. Raises UnsupportedError if the puzzle has no moves in letters."""
    if not fits(puzzle) or not isinstance(puzzle.view, Letters):
        raise UnsupportedError(
            f"{puzzle.name}: expected one player who pushes boxes on squares, found another puzzle; "
            "its moves have no letters l, u, r and d"
        )
    return puzzle.view.symbols[PLAYER]


def _problem(puzzle: Puzzle, position: bytes, cell: int, letter: str) -> str:
    """Return why the player in a cell cannot make the move of a letter."""
    one, beyond = (_seen(puzzle, position, cell, letter, distance) for distance in (1, 2))
    if letter.islower():
        return f"expected a free cell, found {one}{f' (a push is {letter.upper()})' if one == BOX else ''}"
    pull = puzzle.draft is not None and puzzle.draft.pull
    if one == BOX:
        return _obstacle(puzzle, position, cell, letter, 1) or f"expected a free cell behind the box, found {beyond}"
    if one == FREE and pull:
        behind = _seen(puzzle, position, cell, letter, -1)
        found = _obstacle(puzzle, position, cell, letter, -1) if behind == BOX else ""
        return found or "expected a box to push or to pull, found none"
    return f"expected a box to push, found {one}"


def _obstacle(puzzle: Puzzle, position: bytes, cell: int, letter: str, side: int) -> str:
    """Return what is in the way of the box beside a player; '' if it has one cell.

    side  1 for the box in front of the player, -1 for the one behind
    """
    places, (dx, dy) = puzzle.board.places, WAYS[letter.lower()]
    (x, y), cell_at = places[cell], {place: each for each, place in enumerate(places)}
    box = next(piece for piece in puzzle.view.pieces(position) if cell_at[x + side * dx, y + side * dy] in piece)
    for each in box if len(box) > 1 else ():
        found = _seen(puzzle, position, each, letter, 1)
        ahead = cell_at.get((places[each][0] + dx, places[each][1] + dy))
        if found != FREE and ahead != cell and ahead not in box:
            where = puzzle.board.names[each if ahead is None else ahead]
            return f"expected free cells for the box, found {found} {'behind' if ahead is None else 'in'} {where}"
    return ""


def _seen(puzzle: Puzzle, position: bytes, cell: int, letter: str, distance: int) -> str:
    """Return what is at a distance from a cell in the direction of a letter."""
    (x, y), (dx, dy) = puzzle.board.places[cell], WAYS[letter.lower()]
    place = (x + distance * dx, y + distance * dy)
    if place not in puzzle.board.places:
        return "a wall"
    return FREE if puzzle.view.decode(position)[puzzle.board.places.index(place)] == BLANK else BOX
