"""Rows of a comparison as a plot: positions generated, expanded and held, as bars beside each other."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ..contract.answers import ComparisonRow
from ..errors import InputError, plural
from .extras import kind_of, save
from .glyphs import printable
from .plot import KINDS, LINES, WIDE, frame, picture
from .theme import Theme
from .theme import theme as named

SERIES = ("generated", "expanded", "held")
TALL, EDGES = 0.55, 1.2
"""Inches for each row, and for what is above and below all rows."""


def comparison_plot(rows: Sequence[ComparisonRow], kind: str = "svg", title: str = "", theme: str = "light") -> bytes:
    """Return the plot of the rows of `compare` as 'svg', 'png' or 'pdf': the same rows give the same bytes.

    Raises InputError for another kind, another theme or what is no list of rows, UnsupportedError if the extra `plot`
    is missing.

    >>> rows = list(compare("eight", algorithms=["bfs", "astar"], bounds=["distance"]))
    >>> comparison_plot(rows, title="The 8-puzzle")[:5]
    b'<?xml'
    """
    if not isinstance(rows, Sequence) or not all(isinstance(row, ComparisonRow) for row in rows):
        raise InputError(f"rows: expected a list of rows of `compare`, found {rows!r:.100}")
    if kind not in KINDS:
        raise InputError(f"kind: expected one of {', '.join(KINDS)}, found {kind!r}")
    colours = named(theme)
    size = (WIDE, EDGES + TALL * max(3, len(rows)))
    return picture(lambda drawn: _draw(drawn, rows, title, colours), size, kind, colours)


def _draw(drawn: Any, rows: Sequence[ComparisonRow], title: str, colours: Theme) -> None:
    shown = [name for name in SERIES if any(getattr(row, name) for row in rows)]
    height = 0.8 / max(1, len(shown))
    for number, name in enumerate(shown):
        places = [place + number * height for place in range(len(rows))]
        values = [float(getattr(row, name) or 0) for row in rows]
        drawn.barh(places, values, height, color=LINES.get(colours.name, colours.hues)[number], label=name)
    frame(drawn, colours, "x")
    drawn.set_yticks([place + 0.4 - height / 2 for place in range(len(rows))], [_label(row) for row in rows])
    for text in drawn.get_yticklabels():
        text.set_parse_math(False)
    drawn.invert_yaxis()
    drawn.set_xscale("symlog", linthresh=1)
    drawn.set_xlim(left=0)
    drawn.set_xlabel("positions", color=colours.ink)
    if title:
        drawn.set_title(printable(title), color=colours.ink, fontsize=11, parse_math=False)
    drawn.figure.legend(
        loc="outside lower center", ncols=3, fontsize=9, facecolor=colours.paper, edgecolor=colours.line
    )


def _label(row: ComparisonRow) -> str:
    """Return the name of a row, its length, and what is not proved."""
    name = f"{row.engine}, {row.heuristic}" if row.heuristic else row.engine
    moves = "no solution" if row.moves is None else plural(row.moves, "move")
    return f"{printable(name)}\n{moves}" + (", not proved" if row.proof.startswith("not") else "")


def write_plot(rows: Sequence[ComparisonRow], file: Path, title: str, theme: str) -> None:
    """Write the plot as .svg, .png or .pdf. Raises InputError for other endings."""
    save(file, comparison_plot(rows, kind_of(file, KINDS, "--plot"), title, theme), "--plot")
