"""A solution as an animated GIF or WebP: every position is shown for a while, and the pieces move between them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from io import BytesIO
from typing import TYPE_CHECKING, Any, Literal, Protocol

from ..errors import UnsupportedError
from ..puzzle.letters import Frame
from ..puzzle.puzzle import Puzzle
from .extras import need
from .raster import EXTRA, image, zoom_for
from .stage import FilmStage
from .theme import Style
from .tween import Moving, leaving, moment

if TYPE_CHECKING:
    from PIL.Image import Image

TICK = 40
"""Milliseconds of a moving frame (GIF counts in hundredths of a second)."""

PER_STEP, MOST_BETWEEN, MOST_FRAMES = 6, 900, 5000
"""Moving frames for each step of a move; the most moving frames of an animation; the most resting frames."""

FIRST, LAST = 900, 2500
"""Milliseconds that the first and the last position rest."""

COLOURS, SAMPLES = 255, 6
"""Colours of a GIF's palette, and about how many resting positions they are taken from."""

ENLARGED = 1.5
"""Pixels for each pixel of the drawing if no size is given."""


@dataclass(frozen=True)
class Sprite:
    """A piece drawn once: its pixels, and the offset of their corner from the middle of its cells."""

    pixels: Image
    dx: float
    dy: float


class Shown(Protocol):
    """What is shown: frames, the steps in which each move is drawn (0: it jumps), and each frame as SVG."""

    @property
    def frames(self) -> Sequence[Any]: ...

    @property
    def parts(self) -> Sequence[int]: ...

    def rest(self, number: int) -> str: ...


class Film:
    """The images of an animation and their durations; its moves jump from frame to frame."""

    def __init__(self, stage: Shown, width: int | None) -> None:
        if len(stage.frames) > MOST_FRAMES:
            raise UnsupportedError(
                f"an animation of {len(stage.frames):,} positions is too long; at most {MOST_FRAMES:,}"
            )
        self.shown = stage
        self.zoom = zoom_for(stage.rest(0), width, ENLARGED)
        self.samples: dict[int, Image] = {}
        self.parts = stage.parts
        self.per_step = min(PER_STEP, MOST_BETWEEN // max(sum(self.parts), 1))
        moves = len(self.parts)
        self.rest = 600 if moves <= 40 else 320 if moves <= 150 else 160

    def durations(self) -> list[int]:
        """Return the milliseconds of every image."""
        found = [FIRST]
        for number, parts in enumerate(self.parts, 1):
            found += [TICK] * max(parts * self.per_step - 1, 0)
            found.append(self.rest if number < len(self.parts) else LAST)
        return found

    def images(self) -> Iterator[Image]:
        """Yield every image, without transparency."""
        yield self.resting(0)
        for number, parts in enumerate(self.parts, 1):
            count = parts * self.per_step
            yield from self.between(number, [k / count for k in range(1, count)])
            yield self.resting(number)

    def sample(self) -> list[Image]:
        """Return some resting positions; they are stored until they are shown."""
        frames = len(self.shown.frames)
        self.samples = {
            number: self.still(self.shown.rest(number)) for number in range(0, frames, max(1, frames // SAMPLES))
        }
        return list(self.samples.values())

    def resting(self, number: int) -> Image:
        """Return a resting position."""
        kept = self.samples.pop(number, None)
        return kept if kept is not None else self.still(self.shown.rest(number))

    def still(self, svg: str) -> Image:
        """Return a frame without transparency."""
        return image(svg, self.zoom).convert("RGB")

    def between(self, number: int, times: Sequence[float]) -> Iterator[Image]:
        """Yield what is shown between two frames: nothing."""
        yield from ()


class PieceFilm(Film):
    """An animation in which pieces move from frame to frame."""

    def __init__(self, stage: FilmStage, width: int | None) -> None:
        super().__init__(stage, width)
        self.stage = stage
        self.sprites: dict[object, Sprite] = {}

    def between(self, number: int, times: Sequence[float]) -> Iterator[Image]:
        if not times:
            return
        before, after = self.stage.frames[number - 1 : number + 1]
        ground = self.still(self.stage.empty(number, leaving(self.stage.puzzle, before, after)))
        for part in times:
            shown = ground.copy()
            for moving in moment(self.stage.sheet, before, after, part):
                self._paste(shown, moving)
            yield shown

    def _paste(self, shown: Image, moving: Moving) -> None:
        sprite = self._sprite(moving)
        pixels, (x, y) = sprite.pixels, moving.middle
        dx, dy = sprite.dx * moving.wide, sprite.dy * moving.high
        if (moving.wide, moving.high) != (1.0, 1.0):
            size = round(pixels.width * moving.wide), round(pixels.height * moving.high)
            pixels = pixels.resize((max(size[0], 1), max(size[1], 1)))
        shown.paste(pixels, (round(x * self.zoom + dx), round(y * self.zoom + dy)), pixels)

    def _sprite(self, moving: Moving) -> Sprite:
        """Return the drawing of a piece; pieces with the same shape and symbol are drawn once."""
        stage, cells = self.stage, moving.cells
        middles = [stage.sheet.middle(cell) for cell in cells]
        shape = tuple((round(x - middles[0][0]), round(y - middles[0][1])) for x, y in middles)
        key = (cells if stage.puzzle.stacks else shape, moving.word, moving.marked)
        if key not in self.sprites:
            drawn = image(stage.sprite(cells, moving.word, moving.marked), self.zoom)
            left, top, right, bottom = drawn.getbbox() or (0, 0, 1, 1)
            x, y = stage.home(cells)
            pixels = drawn.crop((left, top, right, bottom))
            self.sprites[key] = Sprite(pixels, left - x * self.zoom, top - y * self.zoom)
        return self.sprites[key]


def animation(
    puzzle: Puzzle,
    frames: Sequence[Frame],
    title: str,
    style: Style,
    kind: Literal["gif", "webp"] = "gif",
    width: int | None = None,
) -> bytes:
    """Return a solution as an animation that repeats for ever.

    width  pixels (default: ENLARGED times the drawing)
    Raises UnsupportedError if the extra `pictures` is missing, or there are more than MOST_FRAMES positions.
    """
    return animated(PieceFilm(FilmStage(puzzle, tuple(frames), title, style), width), kind)


def animated(film: Film, kind: Literal["gif", "webp"]) -> bytes:
    """Return an animation as a file."""
    shown, options = film.images(), {"save_all": True, "duration": film.durations(), "loop": 0}
    if kind == "gif":
        shown, more = _indexed(film, shown), {"disposal": 1, "optimize": False}
    else:
        more = {"lossless": True, "quality": 30, "method": 2}
    first, file = next(shown), BytesIO()
    first.save(file, kind.upper(), append_images=shown, **options, **more)
    return file.getvalue()


def _indexed(film: Film, images: Iterator[Image]) -> Iterator[Image]:
    """Yield the images in the colours of one palette, which is taken from resting positions."""
    module: Any = need("PIL.Image", EXTRA)
    samples = film.sample()
    sample = module.new("RGB", (samples[0].width, samples[0].height * len(samples)))
    for number, each in enumerate(samples):
        sample.paste(each, (0, number * each.height))
    palette = sample.quantize(COLOURS, method=module.Quantize.MEDIANCUT, dither=module.Dither.NONE)
    for each in images:
        yield each.quantize(palette=palette, dither=module.Dither.NONE)
