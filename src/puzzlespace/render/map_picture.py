"""All positions as a picture: a row for each depth, a line for each move, and where a goal is out of reach."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from math import cos, radians, sin

import numpy as np

from ..errors import UnsupportedError
from ..graph.kinds import DEAD, OPEN, STUCK, WON, kinds
from ..graph.layout import lay_out
from ..graph.positions import Graph
from ..puzzle.puzzle import Puzzle
from .outline import Point
from .sheet import label, tag
from .svg import MARGIN, NAME, document, heading, rows_of_boards
from .theme import Style, Theme
from .words import plural

MOST = 30_000
"""The most positions of a map that is drawn."""

TALLEST, ROW = 720.0, 30.0
"""The height of a map at most, and the height of a row if there are few."""

AXIS = 34.0
"""The room for the numbers of the rows."""

TURN = radians(25)
"""The angle from which the layout in space is seen, so that fewer positions hide others."""

COLOURS = {OPEN: "#56B4E9", WON: "#009E73", DEAD: "#D55E00", STUCK: "#D55E00"}
WORDS = {
    OPEN: "the goal can be reached",
    WON: "goal",
    DEAD: "no goal can be reached",
    STUCK: "here a player gets stuck",
}


@dataclass(frozen=True)
class Boards:
    """Boards below a map: their size, the words below each, and a function that draws one; see `svg.boards_svg`."""

    size: tuple[float, float]
    words: Sequence[str]
    drawn: Callable[[int, Point], list[str]]


def check(positions: int) -> None:
    """Raise UnsupportedError if a map has more positions than can be drawn."""
    if positions > MOST:
        raise UnsupportedError(f"--map: expected at most {MOST:,} positions to draw, found {positions:,}")


def puzzle_svg(puzzle: Puzzle, graph: Graph, metric: str, origin: str, style: Style = Style()) -> str:
    """Return the map of a puzzle.

    graph   as `graph.explore` returns it
    origin  'goal' or 'start': from where the rows are counted
    Raises UnsupportedError if the graph is not complete.
    """
    if not graph.complete:
        raise UnsupportedError(f"--map: expected at most {MOST:,} positions to draw, found more")
    model = puzzle.model(metric)
    goals = graph.goals(model)
    depth = graph.distances(goals) if origin == "goal" else graph.from_start()
    kind = kinds(graph, goals) if len(goals) else np.zeros(len(graph), np.uint8)
    said = f"{puzzle.title}: {plural(len(graph), 'position')} (count: {metric})"
    return map_svg(graph, depth, kind, said, f"{said}; rows: distance from the {origin}", style)


def map_svg(
    graph: Graph, depth: np.ndarray, kind: np.ndarray, title: str, text: str = "", style: Style = Style(),
    marked: Sequence[int] = (), boards: Boards | None = None,
) -> str:  # fmt: skip
    """Return the map of a connected graph.

    depth   int32 [n]: the row of each position; -1 is drawn two rows below the last one
    kind    uint8 [n]: what each position means, as `graph.kinds.kinds` returns it
    text    the description
    marked  positions that get numbers, from 1
    boards  what is drawn below the map
    Raises UnsupportedError if there are more than MOST positions.
    """
    check(len(graph))
    theme = style.theme
    head, top = heading(title, style.page, theme)
    legend, top = _legend(kind, top, theme)
    x, y, bottom = _places(graph, depth, top, style.page)
    drawn = [*_rows(depth, y, theme), *_moves(graph, kind, x, y, theme), *_positions(kind, x, y, theme)]
    for number, place in enumerate(marked, 1):
        drawn.append(label(str(number), (x[place] + 11, y[place] - 9), NAME, fill=theme.ink, font_weight="bold"))
    bottom += MARGIN
    if boards is not None and boards.words:
        more, bottom = rows_of_boards(boards.size, boards.words, boards.drawn, bottom + MARGIN, style)
        drawn += more
    return document(title, text, (style.page, bottom + MARGIN), [*head, *legend, *drawn], theme)


def _places(graph: Graph, depth: np.ndarray, top: float, page: float) -> tuple[list[float], list[float], float]:
    """Return the pixel of each position, and the y below all."""
    space = lay_out(graph, depth).layers.astype(float)
    across = space[:, 0] * cos(TURN) + space[:, 2] * sin(TURN)
    low, high = float(across.min()), float(across.max())
    left, right = MARGIN + AXIS, page - MARGIN - 12
    scale = min((right - left) / max(high - low, 1e-6), 3 * ROW)
    x = (left + right) / 2 + (across - (low + high) / 2) * scale
    row = np.where(depth < 0, int(depth.max(initial=0)) + 2, depth)
    step = min(ROW, TALLEST / max(1, int(row.max(initial=0))))
    y = top + 12 + row * step
    return [round(float(each), 1) for each in x], [round(float(each), 1) for each in y], float(y.max()) + 12


def _rows(depth: np.ndarray, y: Sequence[float], theme: Theme) -> list[str]:
    """Return the numbers of the rows, every so many if they lie close together."""
    rows = {int(each): at for each, at in zip(depth, y, strict=True) if each >= 0}
    last = max(rows)
    step = max(1, abs(rows[last] - rows[0]) / max(last, 1))
    every = next(each for each in (1, 2, 5, 10, 20, 50, 100, 200, 500, 10**9) if each * step >= 1.2 * NAME)
    return [
        label(str(number), (MARGIN + AXIS / 2, at), NAME, fill=theme.ink)
        for number, at in sorted(rows.items()) if number % every == 0
    ]  # fmt: skip


def _moves(graph: Graph, kind: np.ndarray, x: Sequence[float], y: Sequence[float], theme: Theme) -> list[str]:
    """Return the moves as lines; those by which a player gets stuck are drawn over the others."""
    origins = np.repeat(np.arange(len(graph)), np.diff(graph.starts))
    fatal = (kind[graph.targets] == STUCK) & (kind[origins] < DEAD)
    usual = graph.pairs
    lines = [(usual, theme.line, 0.7, 0.6), (np.column_stack([origins, graph.targets])[fatal],
              theme.shade(COLOURS[STUCK]), 1.4, 0.9)]  # fmt: skip
    return [
        tag("path", d="".join(f"M{x[a]:g} {y[a]:g}L{x[b]:g} {y[b]:g}" for a, b in pairs.tolist()), fill="none",
            stroke=colour, stroke_width=wide, stroke_opacity=shown)
        for pairs, colour, wide, shown in lines if len(pairs)
    ]  # fmt: skip


def _positions(kind: np.ndarray, x: Sequence[float], y: Sequence[float], theme: Theme) -> list[str]:
    """Return the positions, each kind in its shape and colour; the first one has a ring."""
    size = max(1.5, min(5.0, 140 / len(kind) ** 0.5))
    drawn = [
        _shape(each, [(x[number], y[number]) for number in np.flatnonzero(kind == each).tolist()], size, theme)
        for each in COLOURS if (kind == each).any()
    ]  # fmt: skip
    ring = tag("circle", cx=x[0], cy=y[0], r=size + 3.5, fill="none", stroke=theme.ink, stroke_width=1.6)
    return [*drawn, ring]


def _shape(kind: int, places: Iterable[Point], size: float, theme: Theme) -> str:
    """Return all positions of a kind: discs, squares, crosses, or crosses in rings."""
    colour, r = theme.shade(COLOURS[kind]), round(size, 1)
    disc = f"m{-r:g} 0a{r:g} {r:g} 0 1 0 {2 * r:g} 0a{r:g} {r:g} 0 1 0 {-2 * r:g} 0"
    square = f"m{-r:g} {-r:g}h{2 * r:g}v{2 * r:g}h{-2 * r:g}z"
    cross = f"m{-r:g} {-r:g}l{2 * r:g} {2 * r:g}m0 {-2 * r:g}l{-2 * r:g} {2 * r:g}"
    shape = {OPEN: disc, WON: square, DEAD: cross, STUCK: cross}[kind]
    places = list(places)
    path = "".join(f"M{x:g} {y:g}{shape}" for x, y in places)
    if kind in (OPEN, WON):
        return tag("path", d=path, fill=colour, stroke=theme.edge, stroke_width=0.6)
    crosses = tag("path", d=path, fill="none", stroke=colour, stroke_width=max(1.0, r / 2))
    if kind == DEAD:
        return crosses
    wide = round(r + 2.5, 1)
    rings = "".join(f"M{x:g} {y:g}m{-wide:g} 0a{wide:g} {wide:g} 0 1 0 {2 * wide:g} 0a{wide:g} {wide:g} 0 1 0 "
                    f"{-2 * wide:g} 0" for x, y in places)  # fmt: skip
    return tag("path", d=rings, fill=theme.paper, stroke=colour, stroke_width=1.2) + crosses


def _legend(kind: np.ndarray, top: float, theme: Theme) -> tuple[list[str], float]:
    """Return a line for each kind that occurs, and the y below; nothing if all positions are of one kind."""
    found = [each for each in COLOURS if (kind == each).any()]
    if len(found) < 2:
        return [], top
    drawn: list[str] = []
    for each in found:
        count = int((kind == each).sum())
        drawn.append(_shape(each, [(MARGIN + 10, top + 8)], 4.5, theme))
        drawn.append(
            tag("text", f"{count:,}: {WORDS[each]}", x=MARGIN + 26, y=top + 8 + 0.36 * NAME, font_size=NAME,
                fill=theme.ink, text_anchor="start")
        )  # fmt: skip
        top += 1.5 * NAME
    return drawn, top + 6
