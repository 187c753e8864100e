"""Fonts for letters that the built-in font lacks, such as Japanese: from the extra `japanese`, or of the system."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path

from ..puzzle.diagnostics import Diagnostic, tell
from .extras import need

EXTRA = "japanese"

SHIPPED = ("matplotlib_fontja", "fonts/ipaexg.ttf")
"""The package of the extra and its font (IPAex Gothic, IPA Font License). It is read, and never imported."""

USUAL = (
    "NotoSansCJK-Regular.ttc", "NotoSansCJKjp-Regular.otf", "NotoSansJP-Regular.ttf", "NotoSansJP-Regular.otf",
    "ipaexg.ttf", "ipag.ttf", "ipagp.ttf", "TakaoPGothic.ttf", "VL-PGothic-Regular.ttf", "ヒラギノ角ゴシック W3.ttc",
    "Hiragino Sans GB.ttc", "YuGothM.ttc", "YuGothR.ttc", "meiryo.ttc", "msgothic.ttc", "Arial Unicode.ttf",
    "DejaVuSans.ttf", "seguisym.ttf",
)  # fmt: skip
"""Names of font files of systems that come before all others, in this order. Of a collection the first font is used."""


def folders() -> tuple[Path, ...]:
    """Return the usual folders of fonts on Linux, macOS and Windows."""
    home = Path.home()
    found = [Path("/usr/share/fonts"), Path("/usr/local/share/fonts"), home / ".local/share/fonts", home / ".fonts"]
    found += [Path("/System/Library/Fonts"), Path("/Library/Fonts"), home / "Library/Fonts"]
    found += [Path(os.environ[name]) / end for name, end in (("WINDIR", "Fonts"),) if name in os.environ]
    found += [home / "AppData/Local/Microsoft/Windows/Fonts"]
    return tuple(found)


@lru_cache(maxsize=1)
def candidates() -> tuple[Path, ...]:
    """Return the font files that are there: that of the extra, then those of the system, the usual ones first."""
    package = find_spec(SHIPPED[0])
    shipped = [Path(place) / SHIPPED[1] for place in (package.submodule_search_locations or ())] if package else []
    there = {name: Path(folder) / name for top in folders() for folder, _, names in os.walk(top) for name in names}
    others = sorted(name for name in there.keys() - set(USUAL) if name.lower().endswith((".ttf", ".otf", ".ttc")))
    named = [there[name] for name in (*USUAL, *others) if name in there]
    return tuple(path for path in (*shipped, *named) if path.is_file())


@lru_cache(maxsize=32)
def letters_of(font: Path) -> frozenset[str]:
    """Return the letters of a font file; none if it cannot be read."""
    library = need("fontTools.ttLib", "pictures")
    try:
        with font.open("rb") as file, library.TTFont(file, fontNumber=0, lazy=True) as opened:
            return frozenset(map(chr, opened.getBestCmap()))
    except (OSError, ValueError, TypeError, library.TTLibError):
        return frozenset()


def fonts_for(letters: Iterable[str]) -> tuple[tuple[Path, ...], frozenset[str]]:
    """Return font files for letters, each for those that the files before it lack, and the letters that none has."""
    wanted = frozenset(letters)
    fonts = tuple(_chosen(wanted))
    return fonts, wanted.difference(*map(letters_of, fonts))


def _chosen(missing: frozenset[str]) -> Iterator[Path]:
    for font in candidates() if missing else ():
        if missing & letters_of(font):
            yield font
            missing -= letters_of(font)
            if not missing:
                return


def tell_missing(letters: Iterable[str]) -> None:
    """Tell that letters are in no font, and which extra has more."""
    missing = "".join(sorted(letters))
    if missing:
        hint = f"pip install 'puzzlespace[{EXTRA}]' brings a font with Japanese letters"
        text = f"no font here has the letters {missing}; they are left out"
        tell([Diagnostic("letters-without-font", text, hint=hint)])
