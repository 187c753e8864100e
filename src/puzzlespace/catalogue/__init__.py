"""The puzzle files shipped with the package, each with its known numbers and their source."""

from __future__ import annotations

import unicodedata
from functools import cache
from importlib.resources import files

from ..errors import InputError

ALIASES = {
    "8-puzzle": "eight",
    "15-14": "14-15",
    "rush": "rush60",
    "star": "star13",
    "hakoiri musume": "klotski",
    "huarong dao": "klotski",
    "l'âne rouge": "klotski",
    "華容道": "klotski",
    "六芒星": "hexagram",
    "エイトパズル": "eight",
    "2x2x2": "cube2",
    "dad's puzzler": "dads",
}
"""Names that people use beside those of the files and the titles."""


@cache
def names() -> tuple[str, ...]:
    """Return the names of all catalogue puzzles, sorted."""
    found = (each.name for each in files(__name__).iterdir())
    return tuple(sorted(name.removesuffix(".pzl") for name in found if name.endswith(".pzl")))


def text(name: str) -> str:
    """Return the text of a catalogue puzzle's file. Raises InputError for an unknown name."""
    if name not in names():
        raise InputError(f"catalogue: expected one of {', '.join(names())}, found {name!r}")
    return files(__name__).joinpath(f"{name}.pzl").read_text(encoding="utf-8")


def find(word: str) -> str | None:
    """Return the catalogue name that a person's word means (a name, an alias, a title in any language), or None."""
    return _known().get(_folded(word))


@cache
def _known() -> dict[str, str]:
    """Return every word that names a catalogue puzzle; names win over aliases, these over titles."""
    found = {_folded(title): name for name in names() for title in _titles(text(name))}
    found |= {_folded(alias): name for alias, name in ALIASES.items()}
    return found | {_folded(name): name for name in names()}


def _titles(puzzle: str) -> list[str]:
    """Return the titles in a puzzle file, whatever their language."""
    rows = (row.partition(":") for row in puzzle.splitlines() if row.startswith("title"))
    return [title.strip().strip('"') for _, _, title in rows]


def _folded(word: str) -> str:
    return unicodedata.normalize("NFKC", word).casefold().strip()
