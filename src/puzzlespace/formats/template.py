"""A template for a format: sliding tiles on one line, `8 6 7 / 2 5 4 / 3 . 1 > 1 2 3 / 4 5 6 / 7 8 .`

It is complete and tested, but not in `formats.MODULES`. Copy and rename it, then change it: docs/adding-a-format.md
has the steps.
"""

from __future__ import annotations

import re

from ..errors import FormatError, Word
from ..puzzle.draft import Draft, Drawing
from .base import Format, parser

ARROW = ">"


def _draft(text: str) -> Draft:
    start, arrow, _ = text.partition(ARROW)
    if not arrow:
        raise FormatError.at(Word(text, 1, 1), f"expected a start, '{ARROW}' and a goal, found no '{ARROW}'")
    return Draft(rule="slide", start=_drawing(text, 0, len(start)), goals=(_drawing(text, len(start) + 1, len(text)),))


def _drawing(text: str, begin: int, end: int) -> Drawing:
    """Return the drawing between two places of the text; its words have their places."""
    rows: list[tuple[str, ...]] = []
    for row in re.finditer("[^/]+", text[begin:end]):
        found = re.finditer(r"\S+", row.group())
        rows.append(tuple(_word(text, begin + row.start() + word.start(), word.group()) for word in found))
    if not rows or not all(rows):
        raise FormatError.at(_word(text, begin, ""), "expected symbols in every row, found none")
    return Drawing(tuple(rows))


def _word(text: str, index: int, word: str) -> Word:
    return Word(word, text.count("\n", 0, index) + 1, index - text.rfind("\n", 0, index))


def write(draft: Draft) -> str:
    """Return the line of a draft; `parse` reads the same draft. Raises FormatError if the format cannot express it."""
    goal = draft.goals[0] if draft.goals else None
    if draft.rule != "slide" or draft.start is None or not isinstance(goal, Drawing):
        raise FormatError("expected sliding tiles with a start and a goal that are drawn, found another puzzle")
    return f" {ARROW} ".join(_row(drawing) for drawing in (draft.start, goal)) + "\n"


def _row(drawing: Drawing) -> str:
    return " / ".join(" ".join(row) for row in drawing.rows)


parse = parser(_draft)

FORMAT = Format("template", "sliding tiles on one line", (".line",), parse, write)
