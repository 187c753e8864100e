"""The puzzle files shipped with the package, each with its known numbers and their source; some in folders."""

from __future__ import annotations

import unicodedata
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable

from ..errors import InputError

ALIASES = {
    "8-puzzle": "eight",
    "15-14": "14-15",
    "rush": "rush60",
    "star": "star13",
    "hakoiri musume": "klotski",
    "huarong dao": "klotski",
    "hua rong dao": "klotski",
    "はこいりむすめ": "klotski",
    "red donkey": "klotski",
    "華容道": "klotski",
    "华容道": "klotski",
    "横刀立马": "klotski",
    "六芒星": "hexagram",
    "エイトパズル": "eight",
    "2x2x2": "cube2",
    "dad's puzzle": "dads",
    "pennant": "dads",
    "pennant puzzle": "dads",
    "sokoban microban 1": "microban1",
    "sokoban microban 6": "microban6",
    "sokoban microban 36": "microban36",
    "倉庫番 マイクロバン 1": "microban1",
    "倉庫番 マイクロバン 6": "microban6",
    "倉庫番 マイクロバン 36": "microban36",
}
"""Names that people use beside those of the files and the titles."""

FOLDERS = {
    "blocks": "sliding-block puzzles",
    "classics": "crossings, jugs, frogs, towers, balls and mazes, as moves of before and after",
}
"""Folders of the catalogue, and what is in them."""


@cache
def _files() -> dict[str, tuple[str, Traversable]]:
    """Return for each name its folder ('' on top) and its file."""
    top = files(__name__)
    found: dict[str, tuple[str, Traversable]] = {}
    for folder in ("", *FOLDERS):
        for each in (top / folder if folder else top).iterdir():
            if each.name.endswith(".pzl"):
                found[each.name.removesuffix(".pzl")] = folder, each
    return found


@cache
def names(folder: str | None = "") -> tuple[str, ...]:
    """Return the names of the catalogue puzzles in a folder, sorted: '' those on top, None all."""
    return tuple(sorted(name for name, (where, _) in _files().items() if folder in (None, where)))


def text(name: str) -> str:
    """Return the text of a catalogue puzzle's file. Raises InputError for an unknown name."""
    if name not in _files():
        raise InputError(f"catalogue: expected one of {', '.join(names(None))}, found {name!r}")
    return _files()[name][1].read_text(encoding="utf-8")


def find(word: str) -> str | None:
    """Return the catalogue name that a person's word means (a name, an alias, a title in any language), or None."""
    folded = _folded(word)
    return _called().get(folded) or _titled().get(folded)


def search(word: str) -> tuple[str, ...]:
    """Return the names of a folder's puzzles, or of those with a word in their name, aliases, titles, author, source.

    Accents and capitals make no difference.
    """
    if word in FOLDERS:
        return names(word)
    wanted = _bare(word)
    return tuple(name for name in names(None) if any(wanted in _bare(words) for words in _words(name)))


def _words(name: str) -> list[str]:
    """Return everything that a puzzle is called, and who made it where."""
    keys = ("title", "by", "source")
    rows = (row.partition(":") for row in text(name).splitlines() if row.startswith(keys))
    return [name, *(value for _, _, value in rows), *(alias for alias, named in ALIASES.items() if named == name)]


@cache
def _called() -> dict[str, str]:
    """Return the names and aliases of the puzzles; names win."""
    return {_folded(word): name for word, name in (*ALIASES.items(), *((name, name) for name in names(None)))}


@cache
def _titled() -> dict[str, str]:
    """Return the titles of the puzzles, for which all files are read."""
    return {_folded(title): name for name in reversed(names(None)) for title in _titles(text(name))}


def _titles(puzzle: str) -> list[str]:
    """Return the titles in a puzzle file, whatever their language."""
    rows = (row.partition(":") for row in puzzle.splitlines() if row.startswith("title"))
    return [title.strip().strip('"') for _, _, title in rows]


def _folded(word: str) -> str:
    return unicodedata.normalize("NFKC", word).casefold().strip()


def _bare(word: str) -> str:
    """Return a word without capitals and accents."""
    return "".join(
        letter for letter in unicodedata.normalize("NFKD", word).casefold() if not "\u0300" <= letter <= "\u036f"
    )
