"""Positions and solutions as text: boards, strips of small numbered boards, the description of a puzzle."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise, zip_longest

from ..contract.answers import DepthTable
from ..puzzle.draft import BLANK, NOTHING, WILD, CountGoal, Drawing
from ..puzzle.ground import OPEN
from ..puzzle.letters import Frame
from ..puzzle.puzzle import Puzzle
from .glyphs import glyph_set, pad, printable, signs, width, wrap
from .tables import (  # fmt: skip
    claims,
    class_words,
    component_table,
    depth_table,
    listing,
    near,
    proposed,
    solution_counts,
    symmetry_table,
)
from .words import goal_words, known_words, measured_words, origin_words, rules_in_words

__all__ = [
    "board", "boards_in_rows", "claims", "component_table", "depth_table", "description", "glyph_set", "hardest",
    "listing", "measured_words", "near", "numbered", "proposed", "rules_in_words", "solution_counts", "strip",
    "symmetry_table",
]  # fmt: skip

GAP = 3
"""Columns between two boards of a strip."""

LABEL = 14
"""Move names are wrapped at this many columns if the board is narrower."""


def numbered(puzzle: Puzzle, shown: Mapping[int, str]) -> str:
    """Return the board with a number or mark in each cell."""
    lines: list[str] = []
    for number, row in enumerate(puzzle.board.rows):
        if puzzle.board.columns:
            line = ""
            columns = puzzle.board.columns[number]
            for cell, column in zip((cell for cell in row if cell is not None), columns, strict=True):
                line = line.ljust(column) + shown.get(cell, "").rjust(3)
        else:
            line = "".join(("" if cell is None else shown.get(cell, "")).rjust(4) for cell in row)
        lines.append("  " + line.rstrip())
    return "\n".join(lines)


def board(puzzle: Puzzle, words: Sequence[str], glyphs: str = "ascii") -> list[str]:
    """Return the lines of a text board.

    words  one for every cell. Grids are written with or without spaces, as in the puzzle file; on other boards each
           word is in its column of the `board:` drawing. Places without a cell are '#' if they are walls, else empty.
           A ground with walls, stop cells or deflectors is drawn around the words, as in the puzzle file
    """
    shown = signs(puzzle, glyphs, words)
    texts = [printable(shown.get(word, word)) for word in words]
    size = max((width(text, glyphs) for text in texts), default=1)
    if puzzle.ground.rows and size == 1 and glyphs == "ascii":
        return _on_ground(puzzle, texts)
    if puzzle.board.grid or not puzzle.board.columns:
        spaced = puzzle.spaced if glyphs == "ascii" else False
        between = " " if spaced or any(len(text) > 1 for text in texts) else ""
        wall = ("＃" if glyphs == "ja" else NOTHING) if puzzle.kind.ground == "walls" else ""
        return [
            between.join(pad(wall if cell is None else texts[cell], size, glyphs) for cell in row).rstrip()
            for row in puzzle.board.rows
        ]
    return _placed(puzzle, texts, size + (glyphs == "ascii"), glyphs)


def _on_ground(puzzle: Puzzle, texts: Sequence[str]) -> list[str]:
    """Return the lines of the drawn ground with the pieces on it; its signs are seen in blank cells."""
    wide, high = 2 * max(len(row) for row in puzzle.board.rows) + 1, len(puzzle.ground.rows) // 2
    lines = [list(row.ljust(wide)) for row in puzzle.ground.rows]
    lines += [[texts[cell] for cell in row if cell is not None] for row in puzzle.board.rows[high:]]
    for cell, (x, y) in enumerate(puzzle.board.places[: puzzle.board.cells - puzzle.board.beside]):
        if texts[cell] not in (BLANK, WILD) or lines[2 * y + 1][2 * x + 1] in OPEN:
            lines[2 * y + 1][2 * x + 1] = texts[cell]
    return ["".join(line).rstrip() for line in lines]


def _placed(puzzle: Puzzle, texts: Sequence[str], needed: int, glyphs: str) -> list[str]:
    """Return lines with every text in its column; columns are spread by a whole factor if texts need more space."""
    rows = puzzle.board.columns
    gap = min((b - a for row in rows for a, b in pairwise(row)), default=needed)
    factor = -(-needed // max(gap, 1))
    left = min((column for row in rows for column in row), default=0)
    lines: list[str] = []
    for cells, columns in zip(puzzle.board.rows, rows, strict=True):
        line = ""
        for cell, column in zip((c for c in cells if c is not None), columns, strict=True):
            line = pad(line, (column - left) * factor, glyphs) + texts[cell]
        lines.append(line)
    return lines


def strip(puzzle: Puzzle, frames: Sequence[Frame], columns: int = 80, glyphs: str = "ascii") -> str:
    """Return small boards in rows that fit `columns` columns, each above its number and the move that led to it."""
    boards = [board(puzzle, frame.words, glyphs) for frame in frames]
    return boards_in_rows(
        boards, [f"{number}: {printable(frame.name)}" for number, frame in enumerate(frames)], columns, glyphs
    )


def boards_in_rows(boards: Sequence[list[str]], labels: Sequence[str], columns: int, glyphs: str) -> str:
    """Return boards in rows, with labels below them; a single board has no label that is only its number."""
    if len(boards) == 1 and labels[0].endswith(": "):
        return "\n".join(line.rstrip() for line in boards[0])
    labels = [label.removesuffix(": ") for label in labels]
    widest = max((width(line, glyphs) for lines in boards for line in lines), default=0)
    named = max((width(label, glyphs) for label in labels), default=0)
    size = max(widest, min(named, LABEL))
    count = max(1, (columns + GAP) // (size + GAP))
    blocks: list[str] = []
    for first in range(0, len(boards), count):
        pictures = boards[first : first + count]
        under = [wrap(label, size, label.find(" ") + 1, glyphs) for label in labels[first : first + count]]
        blocks.append("\n".join([*_beside(pictures, size, glyphs), *_beside(under, size, glyphs)]))
    return "\n\n".join(blocks)


def _beside(blocks: Sequence[Sequence[str]], size: int, glyphs: str) -> list[str]:
    """Return the lines of blocks of text side by side, each `size` columns wide."""
    return [
        (" " * GAP).join(pad(line, size, glyphs) for line in lines).rstrip()
        for lines in zip_longest(*blocks, fillvalue="")
    ]


def hardest(
    puzzle: Puzzle, table: DepthTable, columns: int = 80, glyphs: str = "ascii", *, one_each: bool = False
) -> str:
    """Return the hardest positions as numbered boards, with their depth and number.

    one_each  the table lists one position of each class under the symmetries
    """
    if not table.counts:
        return "no positions"
    count, listed = table.counts[-1], len(table.hardest)
    whole = table.classes if one_each and table.classes is not None else count
    first = f", the first {listed:,}" if listed < whole else ", one of each class" if whole < count else ""
    noun = "position" if count == 1 else "positions"
    boards = [board(puzzle, puzzle.view.decode(position), glyphs) for position in table.hardest]
    labels = [f"{number}: " for number in range(1, listed + 1)]
    head = f"hardest: {count:,} {noun} at depth {table.depth}{origin_words(table.origin)}{class_words(table)}{first}"
    return f"{head}\n\n{boards_in_rows(boards, labels, columns, glyphs)}"


def description(puzzle: Puzzle, glyphs: str = "ascii") -> str:
    """Return the text of `show`: title, author, start and goal side by side, the rules in words, known numbers."""
    parts = [_heading(puzzle), _boards(puzzle, glyphs), rules_in_words(puzzle)]
    if puzzle.known:
        parts.append("Known: " + known_words(puzzle))
    return "\n\n".join(part for part in parts if part)


def notes(puzzle: Puzzle) -> list[str]:
    """Return how the puzzle and its start were read, a line for each note of their readers."""
    return [printable(each.text) for each in puzzle.diagnostics if each.severity == "note"]


def _heading(puzzle: Puzzle) -> str:
    others = [title for language, title in puzzle.titles if language]
    title = " / ".join(dict.fromkeys([puzzle.title, *others]))
    draft = puzzle.draft
    told = [] if draft is None else [draft.by and f"by {draft.by}", draft.source, draft.note]
    lines = [f"{puzzle.name}: {title}" if title != puzzle.name else title, *filter(None, told)]
    return "\n".join([*(printable(line) for line in lines), *notes(puzzle)])


def _boards(puzzle: Puzzle, glyphs: str) -> str:
    """Return start, goals and letters of the ground side by side with their names above."""
    pictures: list[list[str]] = []
    if puzzle.start is not None:
        pictures.append(["start", *board(puzzle, puzzle.shown(puzzle.start), glyphs)])
    for number, words in enumerate(goals_shown(puzzle), 1):
        pictures.append([f"goal {number}" if number > 1 else "goal", *board(puzzle, words, glyphs)])
    if puzzle.ground.letters:
        below = [puzzle.ground.letters.get(cell, BLANK) for cell in range(puzzle.board.cells)]
        pictures.append(["ground", *board(puzzle, below, glyphs)])
    size = max((width(line, glyphs) for lines in pictures for line in lines), default=0)
    return "\n".join(_beside(pictures, size, glyphs))


def goals_shown(puzzle: Puzzle) -> list[Sequence[str]]:
    """Return the words of every goal that can be drawn."""
    written = puzzle.draft.goals if puzzle.draft is not None else ()
    if puzzle.draft is not None and puzzle.draft.anywhere:
        return [*goal_words(puzzle, puzzle.goals[0])]
    found: list[Sequence[str]] = []
    for number, goal in enumerate(puzzle.goals):
        drawing = written[number] if len(written) == len(puzzle.goals) else None
        if goal.position is not None:
            found.append(puzzle.view.decode(goal.position))
        elif isinstance(drawing, Drawing):
            found.append(puzzle.fit(drawing))
        elif not isinstance(drawing, CountGoal):
            found += goal_words(puzzle, goal)
    return found
