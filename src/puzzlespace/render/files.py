"""Pictures in files: what `--svg`, `--png`, `--gif`, `--webp`, `--sheet` and `--pdf` write."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from ..errors import InputError
from ..puzzle import Frame, Puzzle
from ..result import DepthTable
from .extras import kind_of, save
from .theme import Style, style

NARROWEST, WIDEST = 100, 10_000
"""Limits of `--size` in pixels."""


@dataclass(frozen=True)
class Wanted:
    """The pictures a person asked for: a file for each kind, and how they look.

    theme   light, dark or grey
    size    the width of PNG, GIF and WebP in pixels; None: twice as large as drawn
    arrows  last, next, both, none; '' for the usual: the last move in strips, the next in animations
    """

    svg: Path | None = None
    png: Path | None = None
    gif: Path | None = None
    webp: Path | None = None
    theme: str = "light"
    size: int | None = None
    arrows: str = ""
    still: Style = field(init=False)
    moving: Style = field(init=False)

    def __post_init__(self) -> None:
        if self.size is not None and not NARROWEST <= self.size <= WIDEST:
            raise InputError(f"--size: expected {NARROWEST} to {WIDEST:,} pixels, found {self.size}")
        page = min(960.0, float(self.size or 960))
        object.__setattr__(self, "still", style(self.theme, page, self.arrows or "last"))
        object.__setattr__(self, "moving", style(self.theme, page, self.arrows or "next"))

    def __bool__(self) -> bool:
        return any((self.svg, self.png, self.gif, self.webp))


def write_solution(puzzle: Puzzle, frames: Sequence[Frame], title: str, wanted: Wanted) -> None:
    """Write a solution as every picture that is wanted. Raises InputError where a file cannot be written,
    UnsupportedError where an extra is missing or a picture would be too large.
    """
    from . import animation, raster, svg

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


def write_position(puzzle: Puzzle, position: bytes, wanted: Wanted, after: Frame | None = None) -> None:
    """Write one position as SVG and PNG, with an arrow for the move to `after`."""
    from . import raster, svg

    drawn = svg.position_svg(puzzle, position, after=after, theme=wanted.still.theme)
    if wanted.svg:
        save(wanted.svg, drawn, "--svg")
    if wanted.png:
        save(wanted.png, raster.png(drawn, wanted.size), "--png")


def write_sheet(puzzle: Puzzle, table: DepthTable, file: Path, wanted: Wanted) -> None:
    """Write the hardest positions of a table as a contact sheet; the file's ending says .svg or .png."""
    from . import raster, svg

    kind = kind_of(file, ("svg", "png"), "--sheet")
    drawn = svg.hardest_svg(puzzle, table, wanted.still)
    save(file, drawn if kind == "svg" else raster.png(drawn, wanted.size), "--sheet")
