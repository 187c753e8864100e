"""Depth tables as plots: the positions at each depth, or their cumulative share; several tables in one plot."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from io import BytesIO
from itertools import accumulate
from pathlib import Path
from textwrap import fill
from typing import Any

from ..contract.answers import DepthTable
from ..errors import InputError, UnsupportedError
from ..puzzle.puzzle import Puzzle
from .extras import check_file, check_size, kind_of, need, save
from .glyphs import printable
from .theme import PALETTE, Theme, theme
from .words import plural

SCALES = ("auto", "linear", "log")
KINDS = ("svg", "png", "pdf")
WIDE, NARROW, FLAT, DOTS = 8.0, 4.0, 0.5625, 100
"""The greatest and the least width of a plot in inches, its height as a fraction of the width, and pixels per inch.

A smaller picture is a smaller plot with letters of the same height; a larger one is the same plot with more pixels.
"""

LETTERS = 12.5
"""Letters of a title per inch."""

PAD = 0.1
"""Inches around a plot."""

DASHES = ("solid", (0, (5, 2)), (0, (1, 1.5)), (0, (6, 2, 1, 2)))
LINES = {
    "light": tuple(PALETTE[k] for k in (6, 5, 2, 1, 4, 0, 7, 3)),
    "grey": ("#111111", "#6a6a6a", "#9a9a9a", "#3d3d3d", "#838383", "#555555", "#b0b0b0", "#222222"),
}
"""Colours of curves for themes whose palette begins with pale ones."""

MARKERS = "os^Dv"
"""Lines differ in dash and marker as well as in colour, so that they can be distinguished in grey."""

LOW, MOST_LOW = 1 / 400, 0.75
"""A bar below LOW times the highest is invisible; if more than this fraction of the bars is, the scale is log."""

MOST_PLOTTED = 10**300
"""The largest layer that can be drawn: numbers of plots are of type float."""

MOST_MARKED = 60
"""Up to so many depths, each one has a marker, and bars have gaps."""


@dataclass(frozen=True)
class Curve:
    """One table of a plot, and its label in the legend."""

    label: str
    table: DepthTable


@dataclass(frozen=True)
class Axes:
    """The style of a plot.

    scale  of the counts; `auto` is log if most layers would be invisible on a linear scale
    share  plot the cumulative share instead of counts
    """

    scale: str = "auto"
    share: bool = False
    theme: str = "light"
    size: int | None = None

    def __post_init__(self) -> None:
        theme(self.theme)
        check_size(self.size)
        if self.scale not in SCALES:
            raise InputError(f"scale: expected one of {', '.join(SCALES)}, found {self.scale!r}")


def check(file: Path | None, axes: Axes) -> Axes:
    """Return the axes; raise UnsupportedError if the extra is missing, InputError for a file of another kind."""
    if file is not None:
        kind_of(file, KINDS, "--plot")
        check_file(file, "--plot")
        need("matplotlib", "plot")
    return axes


def curves(tables: Sequence[tuple[Puzzle, DepthTable]]) -> list[Curve]:
    """Return the tables with labels: title, metric and number of positions."""
    return [
        Curve(f"{printable(puzzle.title)} (count: {table.metric}): {plural(table.states, 'position')}", table)
        for puzzle, table in tables
    ]


def plot(shown: Sequence[Curve], axes: Axes, kind: str) -> bytes:
    """Return the plot as 'svg', 'png' or 'pdf'; the same tables give the same bytes.

    Raises UnsupportedError if the extra `plot` is missing.
    """
    if any(count > MOST_PLOTTED for curve in shown for count in curve.table.counts):
        raise UnsupportedError("--plot: it cannot draw layers of more than 1e300 positions")
    colours = theme(axes.theme)
    axes = replace(axes, scale=_fitting(shown, axes))
    wide = WIDE if axes.size is None else min(WIDE, max(NARROW, axes.size / DOTS))

    def draw(drawn: Any) -> None:
        for number, curve in enumerate(shown):
            _draw(drawn, curve, number, axes, colours, len(shown) == 1)
        _axes(drawn, shown, axes, colours)
        _legend(drawn, shown, colours)

    size = (wide, max(FLAT * wide, FLAT * (NARROW + 1)))
    return picture(draw, size, kind, colours, DOTS if axes.size is None else axes.size / wide)


def picture(
    draw: Callable[[Any], None], size: tuple[float, float], kind: str, colours: Theme, dots: float = DOTS
) -> bytes:
    """Return a plot of so many inches as 'svg', 'png' or 'pdf'; `draw` gets the axes."""
    matplotlib = need("matplotlib", "plot")
    figures, backend = need("matplotlib.figure", "plot"), need("matplotlib.backends.backend_agg", "plot")
    with matplotlib.rc_context({"svg.hashsalt": "puzzlespace", "svg.fonttype": "path", "font.family": ["DejaVu Sans"]}):
        figure = figures.Figure(figsize=size, dpi=DOTS, layout="constrained", facecolor=colours.paper)
        figure.get_layout_engine().set(w_pad=PAD, h_pad=PAD)
        backend.FigureCanvasAgg(figure)
        draw(figure.add_subplot())
        file = BytesIO()
        figure.savefig(file, format=kind, dpi=dots, facecolor=colours.paper, metadata=_metadata(kind))
    return file.getvalue()


def _fitting(shown: Sequence[Curve], axes: Axes) -> str:
    """Return the scale, linear or log: the given one, or for `auto` the one on which most layers are visible."""
    if axes.scale != "auto" or axes.share:
        return "linear" if axes.scale == "auto" else axes.scale
    counts = [curve.table.counts for curve in shown]
    low = sum(count < LOW * max(layers) for layers in counts for count in layers)
    return "log" if low > MOST_LOW * sum(map(len, counts)) else "linear"


def _metadata(kind: str) -> dict[str, Any]:
    """Return metadata without the time, so that the same plot gives the same bytes."""
    return {"svg": {"Date": None}, "pdf": {"CreationDate": None}}.get(kind, {})


def _draw(drawn: Any, curve: Curve, number: int, axes: Axes, colours: Theme, alone: bool) -> None:
    counts = curve.table.counts
    hue = LINES.get(colours.name, colours.hues)[number % 8]
    depths = range(len(counts))
    if axes.share:
        values: list[float] = [100 * total / curve.table.states for total in accumulate(counts)]
    elif alone:
        width = 0.85 if len(counts) <= MOST_MARKED else 1.0
        drawn.bar(depths, list(map(float, counts)), width=width, color=hue)
        return
    else:
        values = list(map(float, counts))
    marker = MARKERS[number % len(MARKERS)]
    every = max(1, len(counts) // MOST_MARKED + (len(counts) > MOST_MARKED))
    style = {"linestyle": DASHES[number % len(DASHES)], "marker": marker, "markersize": 4, "markevery": every}
    drawn.plot(depths, values, color=hue, label=str(number), linewidth=1.8, **style)


def _axes(drawn: Any, shown: Sequence[Curve], axes: Axes, colours: Theme) -> None:
    origins = {curve.table.origin for curve in shown}
    where = {"goal": " to the goal", "start": " from the start"}.get(origins.pop(), "") if len(origins) == 1 else ""
    drawn.set_xlabel(f"moves{where}", color=colours.ink)
    drawn.set_ylabel("% of positions up to here" if axes.share else "positions", color=colours.ink)
    drawn.set_yscale(axes.scale)
    frame(drawn, colours, "y")
    drawn.xaxis.get_major_locator().set_params(integer=True, min_n_ticks=1)
    if axes.scale == "linear" and not axes.share:
        drawn.yaxis.get_major_locator().set_params(integer=True)
    if axes.scale == "linear":
        drawn.yaxis.set_major_formatter("{x:,.0f}" + ("%" if axes.share else ""))
        drawn.set_ylim(bottom=0)


def frame(drawn: Any, colours: Theme, across: str) -> None:
    """Draw the ground of a plot: lines across one axis, and the two edges with numbers."""
    drawn.set_facecolor(colours.paper)
    drawn.set_axisbelow(True)
    drawn.grid(axis=across, color=colours.line, alpha=0.35, linewidth=0.7)
    drawn.tick_params(colors=colours.ink)
    for side in ("top", "right"):
        drawn.spines[side].set_visible(False)
    for side in ("left", "bottom"):
        drawn.spines[side].set_color(colours.rim)


def _legend(drawn: Any, shown: Sequence[Curve], colours: Theme) -> None:
    """Write a title for one table, or a legend above the curves for several."""
    if len(shown) == 1:
        table = shown[0].table
        depth = f"greatest depth {table.depth}" if table.complete else f"not complete: found up to depth {table.depth}"
        title = fill(f"{shown[0].label}, {depth}", int(LETTERS * drawn.figure.get_figwidth()))
        drawn.figure.suptitle(title, color=colours.ink, fontsize=11, parse_math=False)
        return
    box = drawn.figure.legend(loc="outside upper center", fontsize=9, facecolor=colours.paper, edgecolor=colours.line)
    for text, curve in zip(box.get_texts(), shown, strict=True):
        text.set_text(curve.label)  # matplotlib leaves out labels that begin with '_', and reads '$' as a formula
        text.set_parse_math(False)
        text.set_color(colours.ink)


def write_plot(tables: Sequence[tuple[Puzzle, DepthTable]], file: Path, axes: Axes) -> None:
    """Write the plot of some tables as .svg, .png or .pdf. Raises InputError for other endings."""
    kind = kind_of(file, KINDS, "--plot")
    save(file, plot(curves(tables), axes, kind), "--plot")
