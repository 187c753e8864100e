"""Themes: the colours of paper, boards and ink; light, dark, and grey for printers without colours."""

from __future__ import annotations

from dataclasses import dataclass

from ..errors import InputError

PALETTE = ("#56B4E9", "#E69F00", "#009E73", "#F0E442", "#CC79A7", "#D55E00", "#0072B2", "#B8B8B8")
"""The colours of Okabe and Ito (2008), which nearly everyone can distinguish, with a grey instead of black."""

GREYS = ("#c9c9c9", "#979797", "#686868", "#ececec", "#b0b0b0", "#7f7f7f", "#505050", "#dddddd")
"""As many greys; neighbours in the list are far apart."""


@dataclass(frozen=True)
class Theme:
    """The colours of a picture, '#rrggbb' each.

    paper, ink     the page, and texts and lines on it
    ground, rim    a grid's ground, and the line around it and around holes
    empty, hole    squares and places without a piece
    line           lines of a board
    edge, disc     the thin line around a square piece, and around a round one
    numbered, peg  pieces that are numbers; pegs
    wall           pieces that never move
    coal, ivory    dark and light discs
    water          what is in vessels
    hues           the palette of pieces
    grey           whether colours of a file are shown as greys of the same lightness
    """

    name: str
    paper: str
    ink: str
    ground: str
    rim: str
    empty: str
    hole: str
    line: str
    edge: str
    disc: str
    numbered: str
    peg: str
    wall: str
    coal: str
    ivory: str
    water: str
    hues: tuple[str, ...] = PALETTE
    grey: bool = False

    def shade(self, colour: str) -> str:
        """Return a colour as this theme shows it: a grey of the same lightness if the theme is grey."""
        if not self.grey or not colour.startswith("#"):
            return colour
        level = round(255 * luminance(colour) ** (1 / 2.2))
        return f"#{level:02x}{level:02x}{level:02x}"


def luminance(colour: str) -> float:
    """Return the relative luminance, 0 to 1, of '#rgb' or '#rrggbb' (WCAG 2.2)."""
    digits = colour[1:] if len(colour) == 7 else "".join(2 * digit for digit in colour[1:])
    channels = [int(digits[k : k + 2], 16) / 255 for k in (0, 2, 4)]
    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def mixed(one: str, other: str, share: float) -> str:
    """Return a colour '#rrggbb' between two: `share` of the first one."""
    parts = [(int(one[k : k + 2], 16), int(other[k : k + 2], 16)) for k in (1, 3, 5)]
    return "#" + "".join(f"{round(share * a + (1 - share) * b):02x}" for a, b in parts)


LIGHT = Theme(
    "light", paper="#ffffff", ink="#1c1c1c", ground="#efe9dc", rim="#6b6557", empty="#fbf8f1", hole="#cdc4b1",
    line="#a59d8c", edge="#1c1c1c", disc="#1c1c1c", numbered="#f6e3b8", peg="#0072B2", wall="#55524d", coal="#2b2b2b",
    ivory="#fffdf5", water="#9fd0ee",
)  # fmt: skip
DARK = Theme(
    "dark", paper="#15171c", ink="#f2f0ea", ground="#2a2d35", rim="#8d8f98", empty="#1b1d23", hole="#0d0e12",
    line="#7b7e88", edge="#0b0c0f", disc="#d6d3ca", numbered="#f0d9a4", peg="#56B4E9", wall="#6a6862", coal="#0a0a0a",
    ivory="#fffdf5", water="#2b6690",
)  # fmt: skip
GREY = Theme(
    "grey", paper="#ffffff", ink="#111111", ground="#f1f1f1", rim="#555555", empty="#ffffff", hole="#c8c8c8",
    line="#8c8c8c", edge="#111111", disc="#111111", numbered="#e2e2e2", peg="#4d4d4d", wall="#4a4a4a", coal="#262626",
    ivory="#ffffff", water="#cdcdcd", hues=GREYS, grey=True,
)  # fmt: skip

THEMES = {each.name: each for each in (LIGHT, DARK, GREY)}


def theme(name: str) -> Theme:
    """Return a theme by name; raise InputError for an unknown one."""
    if name not in THEMES:
        raise InputError(f"theme: expected one of {', '.join(THEMES)}, found {name!r}")
    return THEMES[name]


ARROWS = ("last", "next", "both", "none")


@dataclass(frozen=True)
class Style:
    """How pictures are laid out.

    page    the width to lay boards out in, in pixels before any zoom
    arrows  the moves shown on each board: the 'last', the 'next', 'both' or 'none'
    solid   whether the net of a cube is drawn as a cube from two corners
    names   whether the names of all cells are drawn
    """

    theme: Theme = LIGHT
    page: float = 960.0
    arrows: str = "last"
    solid: bool = False
    names: bool = False

    @property
    def last(self) -> bool:
        """Whether a board shows the move that led to it."""
        return self.arrows in ("last", "both")

    @property
    def next(self) -> bool:
        """Whether a board shows the move that follows."""
        return self.arrows in ("next", "both")


def style(
    name: str = "light", page: float = 960.0, arrows: str = "last", solid: bool = False, names: bool = False
) -> Style:
    """Return the style with these options. Raises InputError for an unknown word."""
    if arrows not in ARROWS:
        raise InputError(f"arrows: expected one of {', '.join(ARROWS)}, found {arrows!r}")
    return Style(theme(name), page, arrows, solid, names)
