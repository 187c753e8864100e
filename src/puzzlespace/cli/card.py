"""The command `card`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from ..api import questions
from ..api.games import level_of
from ..api.loader import load, written
from ..puzzle.answers import frames_of
from ..render import card as cards
from ..render.extras import check_file
from .options import CommonOptions, Metric, PuzzleArgument, Theme, limited
from .parser import Option
from .terminal import code_of


@limited
def card(
    puzzle: PuzzleArgument,
    pdf: Annotated[Path, Option("--pdf", metavar="FILE", help="the file to write")],
    paper: Annotated[str, Option(help="a4 or letter")] = "a4",
    link: Annotated[str, Option(help="the text of the QR code, instead of the puzzle itself")] = "",
    theme: Theme = "light",
    metric: Metric = "",
    *,
    asked: CommonOptions,
) -> int:
    """Print a page to play on: board, pieces to cut out, rules, numbers, and the solution on the back.

    Example: puzzlespace card klotski --pdf klotski.pdf
    """
    colours = cards.check(paper, theme)
    check_file(pdf, "--pdf")
    level = level_of(puzzle)
    if level is not None:
        from . import games  # most puzzles are no games

        games.refuse(metric=metric)
        return games.card(level, pdf, cards.coded(link, "", puzzle), paper, colours, asked)
    owner = load(puzzle)
    answer = None
    if owner.start is not None and owner.goals:
        answer = questions.solve(owner, metric=metric, limits=asked.limits, progress=asked.report)
    with asked.drawing():
        frames = frames_of(owner, answer) if answer is not None else ()
        words = cards.answer_words(answer) if answer is not None else ""
        code = cards.coded(link, written(owner), puzzle)
        cards.write_card(cards.Card(owner, words, frames, code, paper, colours), pdf)
    return code_of(answer) if answer is not None and not answer.path else 0
