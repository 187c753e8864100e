"""Pictures in files, for the options `--svg`, `--png`, `--gif`, `--webp` and `--sheet`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from ..contract.answers import DepthTable
from ..errors import InputError, UnsupportedError
from ..puzzle.letters import Frame
from ..puzzle.puzzle import Puzzle
from . import raster
from .extras import check_file, check_size, kind_of, save
from .theme import Style, style


@dataclass(frozen=True)
class WantedPicture:
    """The pictures to write: a file for each kind, and their style.

    theme   light, dark or grey
    size    the width of PNG, GIF and WebP in pixels; None: 2 times the drawing for PNG, 1.5 times for animations
    arrows  last, next, both, none; '': the last move in strips, the next move in animations
    solid   whether the net of a cube is drawn as a cube; not in animations
    names   whether the names of all cells are drawn
    """

    svg: Path | None = None
    png: Path | None = None
    gif: Path | None = None
    webp: Path | None = None
    theme: str = "light"
    size: int | None = None
    arrows: str = ""
    solid: bool = False
    names: bool = False
    still: Style = field(init=False)
    moving: Style = field(init=False)

    def __post_init__(self) -> None:
        check_size(self.size)
        for name in ("svg", "png", "gif", "webp"):
            check_file(getattr(self, name), f"--{name}")
        if self.solid and (self.gif or self.webp):
            raise UnsupportedError("--solid: animations show the net of a cube, pictures (--svg, --png) the cube")
        if self.png or self.gif or self.webp:
            raster.ready()
        page = min(960.0, float(self.size or 960))
        object.__setattr__(self, "still", style(self.theme, page, self.arrows or "last", self.solid, self.names))
        object.__setattr__(self, "moving", style(self.theme, page, self.arrows or "next", names=self.names))

    def check(self, puzzle: Puzzle) -> None:
        """Raise UnsupportedError if the puzzle cannot be drawn so."""
        if self.solid:
            from . import cubes

            cubes.need_cube(puzzle)

    def __bool__(self) -> bool:
        return any((self.svg, self.png, self.gif, self.webp))


@dataclass(frozen=True)
class DrawnFile:
    """One picture in the format that the name of its file says; `size` as in `WantedPicture`."""

    file: Path
    option: str
    style: Style
    size: int | None

    @classmethod
    def wanted(cls, file: Path | None, option: str, theme: str, size: int | None) -> DrawnFile | None:
        """Return the picture if a file is given. Raises InputError unless it is .svg or .png and can be written."""
        check_size(size)
        if file is None:
            return None
        if kind_of(file, ("svg", "png"), option) == "png":
            raster.ready()
        check_file(file, option)
        return cls(file, option, style(theme, min(960.0, float(size or 960))), size)

    def save(self, svg: str) -> None:
        """Write the picture."""
        pixels = self.file.suffix.lower() == ".png"
        save(self.file, raster.png(svg, self.size) if pixels else svg, self.option)


def sheet_wanted(file: Path | None, theme: str, size: int | None, solid: bool = False) -> WantedPicture:
    """Return the options of a contact sheet. Raises InputError unless the file ends in .svg or .png."""
    drawn = file is not None and kind_of(file, ("svg", "png"), "--sheet") == "png"
    check_file(file, "--sheet")
    return WantedPicture(png=file if drawn else None, theme=theme, size=size, solid=solid)


def write_solution(puzzle: Puzzle, frames: Sequence[Frame], title: str, wanted: WantedPicture) -> None:
    """Write a solution as every picture that is wanted.

    Raises InputError if a file cannot be written, UnsupportedError if an extra is missing or a picture is too large.
    """
    from . import animation, svg

    if wanted.svg or wanted.png:
        strip = svg.solution_svg(puzzle, frames, title, wanted.still)
        if wanted.svg:
            save(wanted.svg, strip, "--svg")
        if wanted.png:
            save(wanted.png, raster.png(strip, wanted.size), "--png")
    if wanted.gif:
        save(wanted.gif, animation.animation(puzzle, frames, title, wanted.moving, "gif", wanted.size), "--gif")
    if wanted.webp:
        save(wanted.webp, animation.animation(puzzle, frames, title, wanted.moving, "webp", wanted.size), "--webp")


def write_position(puzzle: Puzzle, wanted: WantedPicture) -> None:
    """Write a puzzle's start, or its goal if it has no start. Raises InputError if it has neither."""
    from . import svg

    if puzzle.anchor is None:
        raise InputError(f"{puzzle.name}: expected a start or a goal to draw, found none")
    drawn = svg.position_svg(puzzle, puzzle.anchor, theme=wanted.still.theme, solid=wanted.solid, names=wanted.names)
    if wanted.svg:
        save(wanted.svg, drawn, "--svg")
    if wanted.png:
        save(wanted.png, raster.png(drawn, wanted.size), "--png")


def write_sheet(puzzle: Puzzle, table: DepthTable, file: Path, wanted: WantedPicture) -> None:
    """Write the hardest positions of a table as a contact sheet, in the format of `wanted`."""
    from . import svg

    drawn = svg.hardest_svg(puzzle, table, wanted.still)
    save(file, raster.png(drawn, wanted.size) if wanted.png else drawn, "--sheet")
