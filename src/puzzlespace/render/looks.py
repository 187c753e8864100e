"""How every word of a puzzle is painted: fill, ink and mark, from `picture:` or a palette for colour-blind readers.

Interchangeable pieces share a colour. Each piece has its letter or mark, so colour is never the only difference.
"""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass

from ..model.facts import still_symbols
from ..puzzle.draft import BLANK, Look
from ..puzzle.letters import Letters
from ..puzzle.puzzle import Puzzle
from . import theme as themes
from .glyphs import DARK, LIGHT, printable, two_tone, width
from .theme import Theme, luminance

INK, PAPER = "#1c1c1c", "#ffffff"
"""Dark and white ink on pieces."""

NAMED_COLOURS = {
    "amber": "#f5b700", "beige": "#f5f5dc", "black": "#000000", "blue": "#0072B2", "brown": "#8b5a2b",
    "coral": "#ff7f50", "crimson": "#dc143c", "cyan": "#56B4E9", "gold": "#ffd700", "gray": "#999999",
    "grey": "#999999", "green": "#009E73", "indigo": "#4b0082", "ivory": "#fffff0", "lime": "#a4d65e",
    "magenta": "#CC79A7", "maroon": "#800000", "navy": "#1c3d6e", "olive": "#808000", "orange": "#E69F00",
    "pink": "#f4b6c2", "purple": "#7b3f98", "red": "#D55E00", "salmon": "#fa8072", "silver": "#c0c0c0",
    "tan": "#d2b48c", "teal": "#008080", "turquoise": "#40e0d0", "violet": "#b48ead", "white": "#ffffff",
    "yellow": "#F0E442",
}  # fmt: skip
"""Names of colours; names of the palette's hues are drawn in its shades."""

COLOUR = re.compile(r"#(?:[0-9a-fA-F]{3}){1,2}|[a-zA-Z]{1,30}")


@dataclass(frozen=True)
class Paint:
    """How one word is drawn.

    fill, ink  colours of the piece and of its mark, '#rrggbb' or a plain name
    mark       the text on it; '' for a dot
    kind       'tile', 'disc', 'wall', 'plank' (a disk of a stack), or 'trace' (what is left behind and never changes)
    name       its name for screen readers, '' if it has none
    wide       the width of a plank, in cells
    """

    fill: str
    ink: str
    mark: str
    kind: str
    name: str = ""
    wide: float = 0.0


def paints(puzzle: Puzzle, words: Sequence[str], theme: Theme = themes.LIGHT) -> dict[str, Paint]:
    """Return the paint of every word among `words` and of every word of the puzzle's start and goals."""
    shown = dict.fromkeys([*puzzle.alphabet, *(word for word in words if word != BLANK)])
    walls, traces = _still(puzzle)
    fixed = walls | set(puzzle.draft.fixed if puzzle.draft is not None else ())
    sizes = _sizes(puzzle, shown)
    looks = {look.symbol: look for look in puzzle.picture}
    discs = two_tone(puzzle, words) and not _has_blocks(puzzle)
    balls = puzzle.board.upright and all(width(word) == 1 for word in shown) and not sizes
    numbered = all(word.removeprefix("-").isdecimal() for word in shown)
    keys = dict.fromkeys(_key(puzzle, word) for word in shown if word not in fixed)
    hues = {key: theme.hues[number % len(theme.hues)] for number, key in enumerate(keys)}
    found: dict[str, Paint] = {}
    for word in shown:
        fill, mark, kind = hues.get(_key(puzzle, word), theme.wall), word, "tile"
        if word in fixed:
            fill, kind = theme.wall, "wall"
        elif word in traces:
            fill, kind = theme.hole, "trace"
        elif word in sizes:
            fill, kind = fill, "plank"
        elif puzzle.kind.ground == "holes":
            fill, kind = (theme.peg if len(keys) == 1 else fill), "disc"
            mark = "" if len(keys) == 1 else word
        elif discs and len(keys) == 1 and puzzle.kind.by_moves:
            fill, mark, kind = theme.peg, "", "disc"
        elif discs:
            fill, kind = {**dict.fromkeys(DARK, theme.coal), **dict.fromkeys(LIGHT, theme.ivory)}[word], "disc"
        elif numbered:
            fill = theme.numbered if word.isdecimal() else fill
        else:
            fill, kind = theme.shade(NAMED_COLOURS.get(word, fill)), "disc" if balls else kind
        paint = Paint(fill, ink_on(fill), printable(mark), kind, wide=sizes.get(word, 0.0))
        found[word] = _with_look(paint, looks.get(word), theme)
    return found


def _with_look(paint: Paint, look: Look | None, theme: Theme) -> Paint:
    """Return the paint changed by `picture:`; the glyphs ● and ○ make discs."""
    if look is None:
        return paint
    fill = theme.shade(colour(look.colour)) or {"●": theme.coal, "○": theme.ivory}.get(look.glyph, paint.fill)
    round_ = look.glyph in ("●", "○")
    mark = look.mark or ("" if round_ else look.glyph) or paint.mark
    kind = "disc" if round_ else paint.kind
    return Paint(fill, ink_on(fill), printable(mark), kind, printable(look.name), paint.wide)


def _still(puzzle: Puzzle) -> tuple[set[str], set[str]]:
    """Return the words of a puzzle of changes that are walls: no rule changes or makes them; and those left behind."""
    if not puzzle.kind.by_moves or puzzle.board.upright or not isinstance(puzzle.view, Letters):
        return set(), set()
    unchanged, unmade = still_symbols(puzzle.rules, puzzle.symbols)
    words = {letters[0]: symbol for symbol, letters in enumerate(puzzle.view.letters) if letters[0] != BLANK}
    begun = set(puzzle.view.decode(puzzle.start)) if puzzle.start is not None else set()
    walls = {word for word, symbol in words.items() if symbol in unmade and not word.isdecimal()}
    return walls, {word for word, symbol in words.items() if symbol in unchanged - unmade and word not in begun}


def _sizes(puzzle: Puzzle, shown: Iterable[str]) -> dict[str, float]:
    """Return the width of each disk of stacks whose pieces have sizes, in cells; {} of other puzzles."""
    draft, wide = puzzle.draft, puzzle.board.upright
    if draft is None or wide <= 1:
        return {}
    ranks: dict[str, int] = {}
    for word in [str(word) for word in draft.order] or sorted(shown, key=int):
        ranks[word] = len(ranks)
    return {word: wide * (0.3 + 0.6 * (rank + 1) / len(ranks)) for word, rank in ranks.items() if word != "="}


def _has_blocks(puzzle: Puzzle) -> bool:
    return puzzle.shapes is not None and any(any(covers) for covers in puzzle.shapes.covers)


def _key(puzzle: Puzzle, word: str) -> Hashable:
    """Return the key that pieces of one colour share: their symbol; all backs of numbers share one."""
    if word[:1] == "-" and word[1:].isdecimal():
        return "-"
    return puzzle.view.symbols.get(word, word) if isinstance(puzzle.view, Letters) else word


def colour(text: str) -> str:
    """Return the colour of a puzzle file, '#rgb', '#rrggbb' or a name, for SVG; '' for anything else."""
    if not COLOUR.fullmatch(text):
        return ""
    return text if text.startswith("#") else NAMED_COLOURS.get(text.lower(), text.lower())


def ink_on(fill: str) -> str:
    """Return dark or white ink, whichever has more contrast on a fill (WCAG 2); dark on unknown names."""
    if not fill.startswith("#"):
        return INK
    light = luminance(fill)
    return PAPER if 1.05 / (light + 0.05) > (light + 0.05) / 0.061 else INK
