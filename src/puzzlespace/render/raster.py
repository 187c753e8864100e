"""SVG to pixels: PNG files and images, with resvg.

Letters are drawn with the font built into Pillow, so that a picture has the same bytes on every machine. Only letters
that it lacks are drawn with other fonts (`lettering`).
"""

from __future__ import annotations

import atexit
import re
import shutil
import tempfile
from functools import lru_cache
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..errors import UnsupportedError
from . import lettering
from .extras import need

if TYPE_CHECKING:
    from PIL.Image import Image

MOST_PIXELS = 100_000_000
"""The most pixels of a picture; larger ones are refused."""

SHARP = 2.0
"""Pixels for each pixel of the drawing if no size is given."""

SIZE = re.compile(r'<svg [^>]*\bwidth="(\d+)" height="(\d+)"')
MARKUP = re.compile(r"<[^>]*>")
UNSEEN = re.compile(r"<(title|desc)>.*?</\1>", re.DOTALL)
LETTERS = frozenset(map(chr, range(32, 127))) | set("\n©«°±´·»‘’“”…‹›™")
"""The letters of Pillow's font."""

EXTRA = "pictures"


def ready() -> None:
    """Raise UnsupportedError if the extra `pictures` is missing; called before a long search."""
    need("resvg_py", EXTRA)
    font_data()


def size_of(svg: str) -> tuple[int, int]:
    """Return width and height of an SVG of this package."""
    found = SIZE.search(svg)
    assert found is not None
    return int(found.group(1)), int(found.group(2))


def zoom_for(svg: str, width: int | None, usual: float = SHARP) -> float:
    """Return the zoom that makes a picture `width` pixels wide; `usual` if no width is given.

    Raises UnsupportedError if the picture would have more than MOST_PIXELS.
    """
    wide, high = size_of(svg)
    zoom = usual if width is None else width / wide
    if wide * high * zoom * zoom > MOST_PIXELS:
        raise UnsupportedError(
            f"a picture of {wide * zoom:,.0f} x {high * zoom:,.0f} pixels is too large; "
            "choose a smaller --size, or --svg, which has none"
        )
    return zoom


def png(svg: str, width: int | None = None) -> bytes:
    """Return a picture as PNG. Raises UnsupportedError if the extra `pictures` is missing or it is too large."""
    return render(svg, zoom_for(svg, width))


def render(svg: str, zoom: float) -> bytes:
    """Return a picture as PNG, enlarged by the factor `zoom`."""
    from html import unescape  # with a long list of names

    resvg, (font, family) = need("resvg_py", EXTRA), font_file()
    more, missing = lettering.fonts_for(set(unescape(MARKUP.sub("", UNSEEN.sub("", svg)))) - LETTERS)
    drawn = bytes(
        resvg.svg_to_bytes(
            svg_string=svg, zoom=zoom, font_files=[font, *map(str, more)], sans_serif_family=family,
            skip_system_fonts=True,
        )
    )  # fmt: skip
    lettering.tell_missing(missing)
    return drawn


def known_letters(text: str) -> bool:
    """Return whether the font has every letter of a text, or of the visible texts of a picture."""
    return LETTERS.issuperset(UNSEEN.sub("", text))


def image(svg: str, zoom: float) -> Image:
    """Return a picture as an image with transparency."""
    opened: Any = need("PIL.Image", EXTRA).open(BytesIO(render(svg, zoom)))
    return opened.convert("RGBA")


@lru_cache(maxsize=1)
def font_file() -> tuple[str, str]:
    """Return a file with Pillow's font (Aileron, CC0), and its family."""
    data, family = font_data()
    file = _folder() / "font.ttf"
    file.write_bytes(data)
    return str(file), family


def font_data() -> tuple[bytes, str]:
    """Return Pillow's font and its family. Raises UnsupportedError if Pillow has none."""
    font = need("PIL.ImageFont", EXTRA).load_default(20)
    if not hasattr(font, "font_bytes"):
        raise UnsupportedError("this picture needs a Pillow that was built with FreeType")
    return font.font_bytes, font.getname()[0]


@lru_cache(maxsize=1)
def _folder() -> Path:
    """Return a folder that is deleted when the program ends."""
    folder = tempfile.mkdtemp(prefix="puzzlespace-")
    atexit.register(shutil.rmtree, folder, True)
    return Path(folder)
