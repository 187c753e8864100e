"""Pictures of levels of games, with the sprites of the game: boards, strips, contact sheets, animations."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from ..games.level import WORDS, GameLevel
from ..games.moves import GamePosition
from ..games.sprites import SIDE, pixels
from ..games.survey import Survey
from . import animation, raster
from .extras import save
from .files import WantedPicture
from .outline import Point
from .sheet import tag
from .svg import BOARD, LARGEST, MARGIN, NAME, boards_svg, caption, document, heading
from .theme import LIGHT, Style, Theme
from .words import plural

LEAST, MOST = 2, int(LARGEST) // SIDE
"""The fewest and the most pixels of a picture for each pixel of a sprite."""

FILM = 220.0
"""The least width of an animation."""

SHOWN = 6
"""The ways to get stuck that are drawn."""

INPUTS = {letter: word for word, letter in WORDS.items()}


def scale(level: GameLevel) -> int:
    """Return the pixels of a picture for each pixel of a sprite."""
    return max(LEAST, min(MOST, int(BOARD) // (SIDE * max(level.board.width, level.board.height))))


def size_of(level: GameLevel) -> tuple[float, float]:
    """Return width and height of a board in pixels."""
    unit = float(SIDE * scale(level))
    return level.board.width * unit, level.board.height * unit


def board(level: GameLevel, position: GamePosition, corner: Point, theme: Theme = LIGHT) -> list[str]:
    """Return the elements of a board from its upper left corner: a line around it, and a path for each colour."""
    unit, (width, height), paths = scale(level), size_of(level), dict[str, str]()
    frame = tag(
        "rect", x=corner[0] - 1, y=corner[1] - 1, width=width + 2, height=height + 2, fill=theme.rim,
    )  # fmt: skip
    for colour, (x, y, wide, high) in _rectangles(pixels(level.game, level.board, position.cells)):
        there = f"M{corner[0] + x * unit:g} {corner[1] + y * unit:g}"
        paths[colour] = paths.get(colour, "") + f"{there}h{wide * unit}v{high * unit}h{-wide * unit}z"
    shown = [tag("path", d=path, fill=theme.shade(colour)) for colour, path in paths.items()]
    return [tag("g", "\n".join([frame, *shown]), shape_rendering="crispEdges")]


def _rectangles(rows: Sequence[Sequence[str]]) -> Iterator[tuple[str, tuple[int, int, int, int]]]:
    """Yield rectangles of one colour that cover all pixels: column, row, width and height of each."""
    begun: dict[tuple[int, int, str], int] = {}
    for y, row in enumerate([*rows, []]):
        runs: list[tuple[int, int, str]] = []
        x = 0
        while x < len(row):
            end = next((at for at in range(x, len(row)) if row[at] != row[x]), len(row))
            runs.append((x, end, row[x]))
            x = end
        for (first, end, colour), top in begun.items():
            if (first, end, colour) not in runs:
                yield colour, (first, top, end - first, y - top)
        begun = {run: begun.get(run, y) for run in runs}


def position_svg(level: GameLevel, position: GamePosition, theme: Theme = LIGHT) -> str:
    """Return a position as a picture."""
    wide, high = size_of(level)
    drawn = board(level, position, (MARGIN, MARGIN), theme)
    text = "\n".join(level.rows(position))
    return document(level.title, text, (wide + 2 * MARGIN, high + 2 * MARGIN), drawn, theme)


def labels_of(level: GameLevel, path: Sequence[GamePosition]) -> list[str]:
    """Return the words below each board of a path: its number and the input that led to it."""
    return ["0", *(f"{number}  {INPUTS[letter]}" for number, letter in enumerate(level.letters(path), 1))]


def solution_svg(level: GameLevel, path: Sequence[GamePosition], title: str, style: Style = Style()) -> str:
    """Return a strip of numbered boards with the input that led to each."""
    return sheet_svg(level, path, labels_of(level, path), title, style)


def sheet_svg(
    level: GameLevel, positions: Sequence[GamePosition], labels: Sequence[str], title: str, style: Style = Style()
) -> str:
    """Return boards in rows, with words below each and a title."""
    text = "\n\n".join("\n".join([words, *level.rows(place)]) for words, place in zip(labels, positions, strict=True))
    return boards_svg(
        size_of(level), labels, lambda number, corner: board(level, positions[number], corner, style.theme), title,
        text, style,
    )  # fmt: skip


@dataclass(frozen=True)
class GameStage:
    """The page of all frames of an animation: a title, a board, and a label below it."""

    level: GameLevel
    path: Sequence[GamePosition]
    title: str
    style: Style

    @property
    def frames(self) -> Sequence[GamePosition]:
        """The positions that are shown."""
        return self.path

    @property
    def parts(self) -> list[int]:
        """The steps of each move: none, because objects jump from cell to cell."""
        return [0] * (len(self.path) - 1)

    @cached_property
    def labels(self) -> list[str]:
        """The words below each frame."""
        last = len(self.path) - 1
        return [words.replace("  ", f"/{last}  ") if "  " in words else f"0/{last}" for words in
                labels_of(self.level, self.path)]  # fmt: skip

    def rest(self, number: int) -> str:
        """Return a frame."""
        theme, (wide, high) = self.style.theme, size_of(self.level)
        width = max(FILM, wide)
        head, top = heading(self.title, width + 2 * MARGIN, theme)
        drawn = board(self.level, self.path[number], (MARGIN + (width - wide) / 2, top), theme)
        words = caption([self.labels[number]], MARGIN + width / 2, top + high + 1.7 * NAME, theme)
        size = width + 2 * MARGIN, top + high + 1.7 * NAME + MARGIN
        return document(self.title, "", size, [*head, *drawn, *words], theme)


def animated(
    level: GameLevel, path: Sequence[GamePosition], title: str, style: Style = Style(),
    kind: Literal["gif", "webp"] = "gif", width: int | None = None,
) -> bytes:  # fmt: skip
    """Return a path as an animation that repeats for ever; what it raises: `animation.animation`."""
    return animation.animated(animation.Film(GameStage(level, path, title, style), width), kind)


def write_position(level: GameLevel, position: GamePosition, wanted: WantedPicture) -> None:
    """Write a position as every picture that is wanted."""
    _write(position_svg(level, position, wanted.still.theme), wanted)


def write_solution(level: GameLevel, path: Sequence[GamePosition], title: str, wanted: WantedPicture) -> None:
    """Write a path as every picture that is wanted; what it raises: `files.write_solution`."""
    if wanted.svg or wanted.png:
        _write(solution_svg(level, path, title, wanted.still), wanted)
    if wanted.gif:
        save(wanted.gif, animated(level, path, title, wanted.moving, "gif", wanted.size), "--gif")
    if wanted.webp:
        save(wanted.webp, animated(level, path, title, wanted.moving, "webp", wanted.size), "--webp")


def numbered_svg(level: GameLevel, positions: Sequence[GamePosition], title: str, style: Style = Style()) -> str:
    """Return numbered positions on one page."""
    return sheet_svg(level, positions, [str(number + 1) for number in range(len(positions))], title, style)


def _write(drawn: str, wanted: WantedPicture) -> None:
    if wanted.svg:
        save(wanted.svg, drawn, "--svg")
    if wanted.png:
        save(wanted.png, raster.png(drawn, wanted.size), "--png")


def map_svg(level: GameLevel, found: Survey, style: Style = Style()) -> str:
    """Return the map of all positions of a level, with the nearest ways to get stuck as boards below it.

    found  of a search that was not stopped
    Raises UnsupportedError if there are too many positions (`map_picture.MOST`).
    """
    import numpy as np

    from ..graph.kinds import STUCK, joined, kinds  # with arrays
    from . import map_picture

    places = found.places
    assert places is not None
    map_picture.check(places.found)
    graph = joined(places.all_links(), found.counts)
    ways = found.traps[:SHOWN]
    boards = map_picture.Boards(
        size_of(level), [f"{number}  after {way.letters}" for number, way in enumerate(ways, 1)],
        lambda number, corner: board(level, ways[number].position, corner, style.theme),
    )  # fmt: skip
    title = f"{level.title}: {plural(places.found, 'position')}, {plural(len(found.traps), 'way')} to get stuck"
    text = "\n".join(f"stuck after {way.letters}" for way in ways)
    kind = kinds(graph, places.won(0, places.found))
    return map_picture.map_svg(
        graph, graph.layers, kind, title, text, style, np.flatnonzero(kind == STUCK)[:SHOWN].tolist(), boards
    )
