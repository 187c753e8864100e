"""`peg:BOARD`: peg solitaire on the known boards, full but for one hole, counted in chains.

The classic problem of each board: English, Wiegleb's and the star from the middle to the middle. The French board and
the diamond cannot be solved from the middle (colour the cells by thirds along both diagonals), so they begin at a hole
from which they can, and end anywhere, as does the triangle from its top.
"""

from __future__ import annotations

from dataclasses import dataclass

from ..errors import InputError
from ..puzzle.board import Board, named
from ..puzzle.draft import BLANK, NOTHING, CountGoal, Draft, Drawing
from ..puzzle.family import Family
from ..rules.common import known

FORM = "peg:BOARD"


@dataclass(frozen=True)
class Problem:
    """The cell of the first hole, and the goal cell of the last peg ('': any cell)."""

    title: str
    hole: str
    last: str = ""
    diagonals: bool = False


PROBLEMS = {
    "english33": Problem("English board, middle to middle", "d4", "d4"),
    "french37": Problem("French board, from a corner of the top row", "c1"),
    "wiegleb45": Problem("Wiegleb's board, middle to middle", "e5", "e5"),
    "diamond41": Problem("Diamond of 41 holes, from two above the middle", "e3"),
    "triangle15": Problem("Triangle of 15 holes, from the top", "a1"),
    "star13": Problem("Star of 13 holes with diagonals, middle to middle", "c3", "c3", diagonals=True),
}


def make(text: str) -> Draft:
    """Return the classic problem on a board such as 'english33'."""
    if text not in PROBLEMS:
        raise InputError(f"puzzle: expected {FORM} with one of {', '.join(PROBLEMS)}, found {f'peg:{text}'!r}")
    problem = PROBLEMS[text]
    board = named([text], diagonals=problem.diagonals)
    goal = _drawn(board, problem.last, "o", BLANK) if problem.last else CountGoal(None, 1)
    return Draft(
        rule="jump",
        titles=(("", problem.title),),
        count="chain",
        board=(text,),
        diagonals=problem.diagonals,
        start=_drawn(board, problem.hole, BLANK, "o"),
        goals=(goal,),
    )


def _drawn(board: Board, name: str, there: str, elsewhere: str) -> Drawing:
    """Return the drawing that shows one symbol in the cell of that name and another in all others."""
    words = [there if cell == name else elsewhere for cell in board.names]
    return Drawing(tuple(tuple(NOTHING if cell is None else words[cell] for cell in row) for row in board.rows))


FAMILY = Family(
    "peg",
    FORM,
    "peg solitaire on the known boards",
    make,
    {
        "star13": known("M. Hiroi, Puzzle DE Programming", solution=7, solutions=72)
        + known("M. Hiroi, Puzzle DE Programming", metric="step", solution=11),
        "triangle15": known("independent search", solution=10),
        "english33": known("E. Bergholt 1912, proved by J. Beasley", solution=18),
    },
)
