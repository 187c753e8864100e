"""A puzzle as a PDF: a board to play on, pieces to cut out, rules, numbers, a QR code; the solution on the back."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from ..contract.answers import Solution
from ..errors import FormatError, InputError
from ..puzzle.draft import BLANK, WILD
from ..puzzle.letters import Frame
from ..puzzle.puzzle import Puzzle
from .cutouts import cutouts, empty_board
from .extras import need, save
from .glyphs import printable
from .paper import PAPERS, Paper
from .raster import EXTRA, ready, size_of
from .svg import Picture, pages_svg, position_svg
from .text import goals_shown
from .theme import Style, Theme, theme
from .words import known_words, plural, rules_in_words

MARGIN, GUTTER = 14.0, 8.0
LARGEST_CELL, TALLEST = 24.0, 118.0
"""Millimetres: the largest cell of the board, and the tallest board."""

MOST_CODED = 800
"""The most bytes of a QR code; longer texts make it too fine to read, and a command is coded instead."""

SIZES = (9.5, 8.5, 7.5, 6.5, 5.5, 4.5)
"""Font sizes of the rules, in points; the largest that fits is used."""

BACKS = (620.0, 800.0, 960.0, 1100.0)
"""Widths of the back in pixels; the first that needs only one page is used, else the last."""


@dataclass(frozen=True)
class Card:
    """The contents of a card.

    answer   what is known of the solution, in words
    frames   the solution for the back; empty if there is none
    code     the text of the QR code
    paper    'a4' or 'letter'
    """

    puzzle: Puzzle
    answer: str = ""
    frames: Sequence[Frame] = ()
    code: str = ""
    paper: str = "a4"
    theme: Theme = field(default_factory=lambda: theme("light"))

    @property
    def position(self) -> bytes:
        """The position drawn: the start, else a goal. Raises InputError if there is neither."""
        if self.puzzle.anchor is None:
            raise InputError(f"{self.puzzle.name}: expected a start or a goal to draw, found none")
        return self.puzzle.anchor

    @property
    def shown(self) -> list[bytes]:
        """The position drawn, then those of the solution: what the pieces to cut out must be able to show."""
        return [self.position, *(frame.position for frame in self.frames)]


def check(paper: str, theme_name: str) -> Theme:
    """Return the theme. Raises InputError for an unknown word, UnsupportedError if the extra is missing."""
    if paper not in PAPERS:
        raise InputError(f"--paper: expected one of {', '.join(PAPERS)}, found {paper!r}")
    ready()
    need("fpdf", EXTRA)
    need("segno", EXTRA)
    return theme(theme_name)


def write_card(card: Card, file: Path) -> None:
    """Write a card as PDF."""
    save(file, pdf(card), "--pdf")


def pdf(card: Card) -> bytes:
    """Return a card as PDF: the front, and the back if there is a solution. The same card gives the same bytes."""
    paper = Paper(card.paper, printable(card.puzzle.title))
    paper.page()
    y = _heading(card, paper)
    y = _board(card, paper, y + 4)
    _foot(card, paper, y + 6)
    if card.frames:
        _back(card, paper)
    return paper.data()


def _heading(card: Card, paper: Paper) -> float:
    puzzle, width = card.puzzle, paper.width - 2 * MARGIN
    draft = puzzle.draft
    y = paper.words(printable(puzzle.title), (MARGIN, MARGIN), width, 22)
    told = [] if draft is None else [draft.by and f"by {draft.by}", draft.source]
    line = ", ".join(filter(None, told))
    y = paper.words(printable(line), (MARGIN, y), width, 9, "#555555") if line else y
    return paper.words(printable(draft.note), (MARGIN, y + 1), width, 10) if draft is not None and draft.note else y


def _board(card: Card, paper: Paper, y: float) -> float:
    """Draw the empty board and the pieces at the same scale, beside or below each other, whichever is larger."""
    board = empty_board(card.puzzle, card.position, card.theme)
    width = paper.width - 2 * MARGIN
    choices = []
    for beside in (True, False):
        room = (width - GUTTER) / 2 if beside else width
        for most in (4.0, 6.0, 9.0, 14.0, 24.0):
            cut = cutouts(card.puzzle, card.shown, most, card.theme)
            high = max(board.high, cut.high) if beside else board.high + cut.high
            cell = min(LARGEST_CELL, room / max(board.wide, cut.wide), (TALLEST if beside else TALLEST - 6) / high)
            choices.append((round(cell, 3), beside, -most, cut))
    cell, beside, _, cut = max(choices, key=lambda choice: choice[:3])
    below = paper.drawing(board.svg, (MARGIN, y), board.wide * cell)
    place = (paper.width - MARGIN - cut.wide * cell, y) if beside else (MARGIN, below + 6)
    return max(below, paper.drawing(cut.svg, place, cut.wide * cell))


def _foot(card: Card, paper: Paper, y: float) -> None:
    """Write the rules and numbers on the left, start, goal and code on the right."""
    side = 58.0
    left = paper.width - 2 * MARGIN - side - GUTTER
    known = f"Known: {known_words(card.puzzle)}." if card.puzzle.known else ""
    pencil = "Write the numbers into the vessels with a pencil." if card.puzzle.vessels else ""
    words = "\n".join(filter(None, [rules_in_words(card.puzzle), pencil, card.answer, known]))
    size = paper.fitting(words, left, paper.height - MARGIN - y, SIZES)
    paper.words(words, (MARGIN, y), left, size)
    x = paper.width - MARGIN - side
    pictures = _pictures(card)
    wide = (side - 4) / 2
    bottom = y
    for number, (name, svg) in enumerate(pictures[:2]):
        place = x + number * (wide + 4)
        top = paper.words(name, (place, y), wide, 9, "#555555")
        bottom = max(bottom, paper.drawing(svg, (place, top), fitting(svg, wide, 42.0)))
    if card.code:
        size = min(36.0, paper.height - MARGIN - bottom - 8)
        below = paper.code(card.code, (x, bottom + 3), size)
        paper.words("the puzzle as text" if "\n" in card.code else card.code, (x, below), side, 7.5, "#555555")


def fitting(svg: str, wide: float, high: float) -> float:
    """Return the width that fits a picture into a box."""
    width, height = size_of(svg)
    return min(wide, high * width / height)


def _pictures(card: Card) -> list[tuple[str, str]]:
    """Return pictures of start and goal with their names, if they can be drawn."""
    puzzle, found = card.puzzle, []
    if puzzle.start is not None:
        found.append(("Start", position_svg(puzzle, puzzle.start, theme=card.theme)))
    for words in goals_shown(puzzle)[:1]:
        shown = [BLANK if word == WILD else word for word in words]
        try:
            position = puzzle.view.encode(shown)
        except FormatError:
            continue  # the goal has open cells, and the puzzle has no blank to draw there
        name = "Goal (the rest anywhere)" if WILD in words else "Goal"
        found.append((name, position_svg(puzzle, position, shown, theme=card.theme)))
    return found


def _back(card: Card, paper: Paper) -> None:
    """Draw the solution on further pages."""
    pictures = [
        Picture(frame, f"{number}  {printable(frame.name)}".rstrip(), card.frames[number - 1] if number else None)
        for number, frame in enumerate(card.frames)
    ]
    title = f"{printable(card.puzzle.title)}: {plural(len(card.frames) - 1, 'move')}"
    further_pages(
        paper, len(pictures),
        lambda first, end, page: pages_svg(card.puzzle, pictures[first:end], title, "", Style(card.theme, page)),
    )  # fmt: skip


def further_pages(paper: Paper, count: int, drawn: Callable[[int, int, float], str]) -> None:
    """Draw numbered boards on further pages.

    drawn  returns the boards from a first to before a last one, laid out so many pixels wide
    """
    wide, high = paper.width - 2 * MARGIN, paper.height - 2 * MARGIN

    def fit(first: int, page: float) -> int:
        """Return how many boards, at least one, fit on a page that is laid out `page` pixels wide."""
        number = count - first
        while number > 1:
            part = high / (size_of(drawn(first, first + number, page))[1] * wide / page)
            if part >= 1:
                break
            number = max(1, min(number - 1, int(number * part) + 1))
        return number

    page = next((page for page in BACKS if fit(0, page) == count), BACKS[-1])
    first = 0
    while first < count:
        end = first + fit(first, page)
        svg = drawn(first, end, page)
        paper.page()
        paper.drawing(svg, (MARGIN, MARGIN), size_of(svg)[0] * wide / page)
        first = end


def answer_words(answer: Solution) -> str:
    """Return what is known of the solution, without its moves."""
    if answer.moves is not None:
        return f"The shortest solution has {plural(answer.moves, 'move')} (count: {answer.metric}); it is on the back."
    if answer.reason is not None:
        return f"There is no solution: {printable(answer.reason.text)}."
    return f"At least {plural(answer.bound or 0, 'move')} are needed."


def coded(link: str, text: str, name: str) -> str:
    """Return the text of the QR code: the link, else the puzzle file if it is short enough, else a command.

    Raises InputError if the link is too long.
    """
    if link:
        if len(link.encode()) > MOST_CODED:
            raise InputError(f"--link: expected at most {MOST_CODED} bytes, found {len(link.encode()):,}")
        return link
    return text if text and len(text.encode()) <= MOST_CODED else f"puzzlespace show {name}"
