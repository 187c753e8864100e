"""Positions made to order: text boards, CSV lines, a contact sheet, a PDF of cards with the solutions at the end."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from io import StringIO
from pathlib import Path

from ..limits.watch import paced
from ..puzzle.answers import Generated
from ..puzzle.letters import Frame
from ..puzzle.puzzle import Puzzle
from .extras import save
from .files import WantedPicture
from .glyphs import printable
from .paper import Paper
from .raster import png, size_of
from .svg import Picture, pages_svg, position_svg
from .tables import columns as aligned
from .text import board, boards_in_rows
from .theme import Theme
from .words import origin_words, plural

MARGIN, GUTTER = 14.0, 10.0
"""Millimetres."""

ACROSS, DOWN = 2, 3
"""Cards on a page."""

COLUMNS = ("position", "depth", "solution")
"""The first line of CSV."""

CAPTION = 7.0
"""Millimetres of a card for the words above its board."""


def head(puzzle: Puzzle, answer: Generated) -> str:
    """Return what was drawn, from which positions, and how."""
    number, seed = plural(len(answer.positions), "position"), f"seed {answer.seed}"
    if answer.asked is None:
        if answer.method == "walk":
            return f"{puzzle.name}: {number} at the ends of random walks, not uniform; {seed}"
        every = "all" if answer.total is None else f"{answer.total:,}"
        return f"{puzzle.name}: {number} drawn uniformly from {every} that can be reached; {seed}"
    first, last = answer.asked
    depths = f"at depth {first}" if first == last else f"at depths {first} to {last}"
    where = f"{depths}{origin_words(answer.origin)} (count: {answer.metric})"
    if answer.method == "walk":
        how = "each proved by a search; taken from random walks, so the draw is not uniform"
        return f"{puzzle.name}: {number} {where}, {how}; {seed}"
    there = sum(answer.counts[first : last + 1])
    fitting = f", of which {answer.fitting:,} fit the pattern" if answer.fitting is not None else ""
    return f"{puzzle.name}: {len(answer.positions):,} of {there:,} positions {where}{fitting}, drawn uniformly; {seed}"


def names(puzzle: Puzzle, answer: Generated, number: int) -> tuple[str, ...]:
    """Return the moves of the solution of one position; () if it was not asked for."""
    path = answer.paths[number] if answer.paths else ()
    return tuple(frame.name for frame in puzzle.frames(path, puzzle.model(answer.metric))[1:]) if path else ()


def text(puzzle: Puzzle, answer: Generated, columns: int = 80, glyphs: str = "ascii") -> str:
    """Return the positions as numbered boards, and their solutions if there are any."""
    boards = [board(puzzle, puzzle.view.decode(position), glyphs) for position in answer.positions]
    parts = [head(puzzle, answer)] if boards else [puzzle.name]
    if boards:
        parts.append(boards_in_rows(boards, _labels(answer), columns, glyphs))
    lines = [
        f"{number + 1:>4}  {', '.join(map(printable, names(puzzle, answer, number)))}"
        for number, _ in enumerate(answer.paths)
    ]
    parts += ["\n".join(["Solutions:", *lines])] if lines else []
    if not boards:
        return f"{puzzle.name}: {answer.short}" if answer.short else f"{puzzle.name}: no positions"
    return "\n\n".join(parts + ([answer.short] if answer.short else []))


def counted(puzzle: Puzzle, answer: Generated) -> str:
    """Return the layers that were counted before a limit stopped the count, and no position was drawn."""
    rows = [("depth", "positions"), *((str(depth), f"{size:,}") for depth, size in enumerate(answer.counts))]
    return f"{puzzle.name}: stopped before positions were drawn; complete layers so far\n\n{aligned(rows, range(2))}"


def _labels(answer: Generated) -> list[str]:
    """Return the number of each position, with its depth if they differ."""
    varied = len(set(answer.depths)) > 1
    return [
        f"{number + 1}: " + (f"depth {answer.depths[number]}" if varied else "")
        for number, _ in enumerate(answer.positions)
    ]


def csv_text(puzzle: Puzzle, answer: Generated) -> str:
    """Return a line for each position: its drawing, its depth, its solution if it was asked for."""
    out = StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(COLUMNS)
    for number, position in enumerate(answer.positions):
        depth = answer.depths[number] if answer.depths else ""
        writer.writerow([puzzle.line(position), depth, ", ".join(names(puzzle, answer, number))])
    return out.getvalue()


def write_sheet(puzzle: Puzzle, answer: Generated, file: Path, wanted: WantedPicture) -> None:
    """Write the positions as a contact sheet, in the format of `wanted`."""
    pictures = [
        Picture(Frame(position, puzzle.view.decode(position)), label.replace(": ", "  ").rstrip())
        for position, label in zip(answer.positions, _labels(answer), strict=True)
    ]
    title = f"{puzzle.title}: {head(puzzle, answer).partition(': ')[2]}"
    drawn = pages_svg(puzzle, pictures, title, text(puzzle, answer), wanted.still)
    save(file, png(drawn, wanted.size) if wanted.png else drawn, "--sheet")


def write_pdf(puzzle: Puzzle, answer: Generated, file: Path, paper: str, theme: Theme) -> None:
    """Write cards with the positions, and the solutions at the end, as PDF."""
    save(file, pdf(puzzle, answer, paper, theme), "--pdf")


def pdf(puzzle: Puzzle, answer: Generated, paper: str, theme: Theme) -> bytes:
    """Return the cards as PDF, six on a page, and the solutions at the end. The same answer gives the same bytes."""
    sheet = Paper(paper, printable(puzzle.title))
    wide = (sheet.width - 2 * MARGIN - (ACROSS - 1) * GUTTER) / ACROSS
    for number, position in enumerate(paced(answer.positions)):
        place = number % (ACROSS * DOWN)
        if place == 0:
            sheet.page()
            top = sheet.words(printable(puzzle.title), (MARGIN, MARGIN), sheet.width - 2 * MARGIN, 15) + 4
            high = (sheet.height - MARGIN - top - (DOWN - 1) * GUTTER) / DOWN
        x, y = MARGIN + place % ACROSS * (wide + GUTTER), top + place // ACROSS * (high + GUTTER)
        moves = plural(answer.depths[number], "move") if answer.depths else ""
        below = sheet.words(f"{number + 1}   {moves}".rstrip(), (x, y), wide, 11)
        drawn = position_svg(puzzle, position, theme=theme)
        width, height = size_of(drawn)
        sheet.drawing(drawn, (x, below), min(wide, (high - CAPTION) * width / height))
    if answer.paths:
        _solutions(puzzle, answer, sheet)
    return sheet.data()


def _solutions(puzzle: Puzzle, answer: Generated, sheet: Paper) -> None:
    """Write the solutions, as many on a page as fit."""
    room, bottom = sheet.width - 2 * MARGIN, sheet.height - MARGIN
    y = bottom
    for line in _solution_lines(puzzle, answer):
        if y + sheet.height_of(line, room, 9.5) > bottom:
            sheet.page()
            y = sheet.words("Solutions", (MARGIN, MARGIN), room, 15) + 3
        y = sheet.words(line, (MARGIN, y), room, 9.5) + 1.5


def _solution_lines(puzzle: Puzzle, answer: Generated) -> Iterator[str]:
    for number, depth in enumerate(answer.depths):
        moves = ", ".join(map(printable, names(puzzle, answer, number)))
        yield f"{number + 1}   ({plural(depth, 'move')})   {moves}"
