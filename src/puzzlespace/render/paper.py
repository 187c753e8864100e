"""PDF pages with texts and vector drawings, placed in millimetres."""

from __future__ import annotations

import unicodedata
from datetime import UTC, datetime
from io import BytesIO
from pathlib import Path
from typing import Any

from ..errors import InputError
from .extras import need
from .lettering import fonts_for, letters_of, tell_missing
from .raster import EXTRA, UNSEEN, font_file, known_letters, render, size_of

PAPERS = {"a4": (210.0, 297.0), "letter": (215.9, 279.4)}
"""Width and height in millimetres."""

POINT = 25.4 / 72
LEADING = 1.35
"""POINT: millimetres per point; LEADING: the height of a line per height of a letter."""

PRINTED = 300 / 96
"""Zoom of pictures with letters that the font lacks; they are drawn as pixels, 300 per inch."""


class Paper:
    """A PDF that grows page by page. Raises UnsupportedError if the extra `pictures` is missing."""

    def __init__(self, paper: str, title: str) -> None:
        if paper not in PAPERS:
            raise InputError(f"--paper: expected one of {', '.join(PAPERS)}, found {paper!r}")
        self.width, self.height = PAPERS[paper]
        self.pdf: Any = need("fpdf", EXTRA).FPDF(format=paper, unit="mm")
        self.pdf.set_auto_page_break(False)
        self.pdf.set_margin(0)
        self.pdf.set_creation_date(datetime(2000, 1, 1, tzinfo=UTC))
        self.pdf.set_title(title)
        for style in ("", "B"):
            self.pdf.add_font("card", style, font_file()[0])
        self.pdf.set_font("card", size=10)
        self._more: tuple[Path, ...] = ()
        self._letters: frozenset[str] = frozenset()
        self._missing: set[str] = set()

    def page(self) -> None:
        """Begin a new page."""
        self.pdf.add_page()

    def words(
        self, text: str, place: tuple[float, float], width: float, size: float = 9.5, ink: str = "#111111"
    ) -> float:
        """Write words wrapped to a width, from the upper left corner `place`; return the y below them."""
        self.pdf.set_font_size(size)
        self.pdf.set_text_color(*(int(ink[k : k + 2], 16) for k in (1, 3, 5)))
        self.pdf.set_xy(*place)
        self.pdf.multi_cell(width, size * POINT * LEADING, self._shown(text), align="L", new_x="LEFT", new_y="NEXT")
        return float(self.pdf.get_y())

    def fitting(self, text: str, width: float, height: float, sizes: tuple[float, ...]) -> float:
        """Return the first of some font sizes with which words fit a height; the last if none does."""
        for size in sizes:
            if self.height_of(text, width, size) <= height:
                return size
        return sizes[-1]

    def height_of(self, text: str, width: float, size: float) -> float:
        """Return the height of words wrapped to a width."""
        self.pdf.set_font_size(size)
        return self.pdf.multi_cell(width, size * POINT * LEADING, self._shown(text), dry_run=True, output="HEIGHT")

    def drawing(self, svg: str, place: tuple[float, float], width: float) -> float:
        """Draw an SVG of this package `width` millimetres wide, from its upper left corner; return the y below it."""
        wide, high = size_of(svg)
        if known_letters(svg):
            shown = UNSEEN.sub("", svg).replace('"system-ui, sans-serif"', '"card"').encode()
        else:
            shown = render(svg, PRINTED * width / 25.4 * 96 / wide)
        self.pdf.image(BytesIO(shown), x=place[0], y=place[1], w=width)
        return place[1] + width * high / wide

    def code(self, text: str, place: tuple[float, float], width: float) -> float:
        """Draw a QR code; return the y below it."""
        file = BytesIO()
        need("segno", EXTRA).make(text, error="l", micro=False).save(
            file, kind="svg", border=2, xmldecl=False, omitsize=True
        )
        self.pdf.image(BytesIO(file.getvalue()), x=place[0], y=place[1], w=width)
        return place[1] + width

    def data(self) -> bytes:
        """Return the bytes of the PDF; tell which letters no font has."""
        tell_missing(self._missing)
        drawn = bytes(self.pdf.output())
        for font in self.pdf.fonts.values():  # their files stay open
            font.ttfont.close()
        return drawn

    def _shown(self, text: str) -> str:
        """Return words in letters of the fonts, and embed fonts for letters that the usual one lacks."""
        lacking = {letter for letter in text if not known_letters(letter)} - self._letters
        if lacking:
            fonts, _ = fonts_for(lacking)
            for font in fonts:
                if font not in self._more:
                    self._more += (font,)
                    self.pdf.add_font(f"more{len(self._more)}", "", font)
                    self._letters |= letters_of(font)
            self.pdf.set_fallback_fonts([f"more{number + 1}" for number in range(len(self._more))], exact_match=False)
        shown, missing = plain(text, self._letters)
        self._missing |= missing
        return shown


def plain(text: str, more: frozenset[str] = frozenset()) -> tuple[str, set[str]]:
    """Return words in the letters of the font and in `more`, others without their accents; and those left out."""
    shown, missing = "", set[str]()
    for letter in text:
        if known_letters(letter) or letter in more:
            shown += letter
            continue
        base = "".join(part for part in unicodedata.normalize("NFKD", letter) if known_letters(part))
        shown += base
        if not base:
            missing.add(letter)
    return shown, missing
