"""A level of a game as a PDF: the board, what is proved of it, a QR code; the solution and ways to get stuck behind."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ..contract.answers import Solution, Status
from ..games.level import GameLevel
from ..games.moves import GamePosition
from ..games.survey import Survey
from .card import MARGIN, SIZES, fitting, further_pages
from .game_pictures import labels_of, position_svg, sheet_svg
from .glyphs import printable
from .paper import Paper
from .theme import Style, Theme
from .words import plural

TALLEST, SHOWN = 150.0, 12
"""The tallest board in millimetres; the most ways to get stuck that are drawn."""


@dataclass(frozen=True)
class GameCard:
    """The contents of a card.

    answer  of the level; `why`: why it cannot be solved, or ''
    found   what is known of all positions
    code    the text of the QR code
    paper   'a4' or 'letter'
    """

    level: GameLevel
    answer: Solution
    why: str
    found: Survey
    code: str
    paper: str
    theme: Theme


def words(card: GameCard) -> list[str]:
    """Return how the level is played, and what is proved of it."""
    level, answer = card.level, card.answer
    conditions = " and ".join(each.words for each in level.game.conditions)
    keys = "arrow keys" if "noaction" in level.game.prelude else "arrow keys and the action key"
    told = [f"Inputs: {keys}.", f"Goal: {conditions}." if conditions else ""]
    if answer.moves is not None:
        told.append(f"It is proved that {plural(answer.moves, 'input')} are needed and suffice; they are on the back.")
    elif answer.status is Status.IMPOSSIBLE:
        told.append(f"It is proved that the level cannot be solved: {card.why}.")
    else:
        told.append(f"At least {plural(answer.bound or 0, 'input')} are needed; {answer.stopped}.")
    if card.found.stopped is None and card.found.wins:
        positions, ways = plural(sum(card.found.counts), "position"), plural(len(card.found.traps), "way")
        told.append(f"{positions}; from {card.found.dead:,} of them the level cannot be won. {ways} to get stuck.")
    return [printable(each) for each in told if each]


def pdf(card: GameCard) -> bytes:
    """Return a card as PDF. The same card gives the same bytes."""
    level = card.level
    start: GamePosition = level.start  # pyright: ignore[reportAssignmentType]
    paper = Paper(card.paper, printable(level.title))
    paper.page()
    width, side = paper.width - 2 * MARGIN, 40.0
    y = paper.words(printable(level.title), (MARGIN, MARGIN), width, 20)
    author = level.game.prelude.get("author", "")
    y = paper.words(printable(f"by {author}"), (MARGIN, y), width, 9, "#555555") if author else y
    svg = position_svg(level, start, card.theme)
    wide = fitting(svg, width, TALLEST)
    y = paper.drawing(svg, (MARGIN + (width - wide) / 2, y + 4), wide) + 6
    told = "\n".join(words(card))
    left = width - side - 8
    paper.words(told, (MARGIN, y), left, paper.fitting(told, left, paper.height - MARGIN - y, SIZES))
    if card.code:
        below = paper.code(card.code, (paper.width - MARGIN - side, y), side - 4)
        paper.words(card.code, (paper.width - MARGIN - side, below), side, 7.5, "#555555")
    if card.answer.path:
        path = card.answer.path
        _boards(card, paper, path, labels_of(level, path), f"{level.title}: {plural(len(path) - 1, 'input')}")
    if card.found.traps:
        ways = card.found.traps[:SHOWN]
        named = [f"{number}  after {way.letters}" for number, way in enumerate(ways, 1)]
        _boards(card, paper, [way.position for way in ways], named, f"{level.title}: nearest ways to get stuck")
    return paper.data()


def _boards(
    card: GameCard, paper: Paper, places: Sequence[GamePosition], named: Sequence[str], title: str
) -> None:  # fmt: skip
    """Draw numbered boards on further pages."""
    further_pages(
        paper, len(places),
        lambda first, end, page: sheet_svg(
            card.level, places[first:end], named[first:end], printable(title), Style(card.theme, page)
        ),
    )  # fmt: skip
