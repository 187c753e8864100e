"""Levels of the desktop game Atomix (GNOME): XML files with walls, atoms and the molecule to build. Only read.

Atoms are alike if their element and their links are. The text is read tag by tag; nothing in it is expanded.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from ..errors import FormatError, Word
from ..puzzle.draft import BLANK, NOTHING, WILD, Draft, Drawing, Look
from .base import Format, parser

MOST = 64
"""The most rows and columns of a level."""

TAG = re.compile(r"<(/?)(level|environment|scenario|goal|position|tile|underlay)\b([^<>]*)>([^<]*)")
ATTRIBUTE = re.compile(r"""([\w-]+)\s*=\s*"([^"]*)\"""")
WALL, ATOM = "TILE_TYPE_WALL", "TILE_TYPE_ATOM"

Kind = tuple[str, tuple[str, ...]]
"""An element and the links of an atom."""


@dataclass
class Tile:
    """A tile of a section with its place in the file."""

    word: Word
    what: str
    base: str
    links: list[str]

    @property
    def kind(self) -> Kind:
        """What makes atoms alike."""
        return self.base, tuple(sorted(self.links))


@dataclass
class Section:
    """The size of a part of the level, and its tiles by (column, row)."""

    wide: int
    high: int
    tiles: dict[tuple[int, int], Tile]

    def atoms(self) -> dict[tuple[int, int], Tile]:
        """Return the atoms, row by row."""
        found = {place: tile for place, tile in self.tiles.items() if tile.what == ATOM}
        return dict(sorted(found.items(), key=lambda item: item[0][::-1]))


def _draft(text: str) -> Draft:
    title, parts = _sections(text)
    for name in ("environment", "scenario", "goal"):
        if name not in parts:
            raise FormatError.at(Word(text, 1, 1), f"expected a level with <{name}>, found none")
    start, goal = parts["scenario"].atoms(), parts["goal"].atoms()
    for name, atoms in (("scenario", start), ("goal", goal)):
        if not atoms:
            raise FormatError.at(Word(text, 1, 1), f"expected an atom in <{name}>, found none")
    letters = _letters({**start, **{(-1 - x, -1 - y): tile for (x, y), tile in goal.items()}})
    inside = _inside(parts["environment"], start)
    columns, rows = ({place[axis] for place in inside} for axis in (0, 1))
    drawn = [
        tuple(
            _word(start[x, y], letters) if (x, y) in start else BLANK if (x, y) in inside else NOTHING
            for x in range(min(columns), max(columns) + 1)
        )
        for y in range(min(rows), max(rows) + 1)
    ]
    pattern = [
        tuple(_word(goal[x, y], letters) if (x, y) in goal else WILD for x in range(parts["goal"].wide))
        for y in range(parts["goal"].high)
    ]
    return Draft(
        rule="glide",
        count="piece",
        titles=(("", title),) if title else (),
        anywhere=True,
        start=Drawing(tuple(drawn)),
        goals=(Drawing(tuple(pattern)),),
        picture=tuple(Look(word, mark=_element(base)) for (base, _), word in letters.items()),
    )


def _sections(text: str) -> tuple[str, dict[str, Section]]:
    """Return the title and the sections of a level."""
    from html import unescape  # a large table of names

    title, parts = "", dict[str, Section]()
    section: Section | None = None
    place: tuple[int, int] | None = None
    tile: Tile | None = None
    for match in TAG.finditer(text):
        closing, name, inside, after = match.groups()
        word = Word(match.group().split(">")[0] + ">", text.count("\n", 0, match.start()) + 1,
                    match.start() - text.rfind("\n", 0, match.start()))  # fmt: skip
        given = {key: unescape(value) for key, value in ATTRIBUTE.findall(inside)}
        if closing:
            section = None if name in ("environment", "scenario", "goal") else section
        elif name == "level":
            title = given.get("_name", given.get("name", ""))
        elif name in ("environment", "scenario", "goal"):
            wide, high = _number(word, given, "n_columns", 1), _number(word, given, "n_rows", 1)
            section = parts[name] = Section(wide, high, {})
        elif section is None:
            raise FormatError.at(word, f"expected <{name}> in a part of the level, found it outside")
        elif name == "position":
            place = (_number(word, given, "col", 0), _number(word, given, "row", 0))
            if place[0] >= section.wide or place[1] >= section.high:
                size = f"{section.wide} columns and {section.high} rows"
                raise FormatError.at(word, f"expected a place within {size}, found column {place[0]}, row {place[1]}")
        elif name == "tile" and place is not None:
            tile = section.tiles[place] = Tile(word, given.get("type", ""), given.get("base", ""), [])
        elif name == "underlay" and tile is not None:
            tile.links.append(after.strip())
    return title, parts


def _number(word: Word, given: Mapping[str, str], key: str, least: int) -> int:
    value = given.get(key, "")
    if not re.fullmatch("[0-9]{1,3}", value) or not least <= int(value) <= MOST:
        raise FormatError.at(word, f"expected {key} from {least} to {MOST}, found {value!r}")
    return int(value)


def _element(base: str) -> str:
    return re.sub("[^A-Z]", "", base.removeprefix("atom-").upper())[:2] or "X"


def _letters(atoms: Mapping[tuple[int, int], Tile]) -> dict[Kind, str]:
    """Return a symbol for each kind of atom: its element, with a number if there are several kinds of it."""
    kinds = dict.fromkeys(tile.kind for tile in atoms.values())
    found: dict[Kind, str] = {}
    for kind in kinds:
        element = _element(kind[0])
        same = [other for other in kinds if _element(other[0]) == element]
        found[kind] = element if len(same) == 1 else f"{element}{same.index(kind) + 1}"
    return found


def _word(tile: Tile, letters: Mapping[Kind, str]) -> Word:
    return Word(letters[tile.kind], tile.word.line, tile.word.column)


def _inside(level: Section, atoms: Mapping[tuple[int, int], Tile]) -> set[tuple[int, int]]:
    """Return the places that atoms could come to: all that are connected with an atom. Raises FormatError."""
    walls = {place for place, tile in level.tiles.items() if tile.what == WALL}
    for place, tile in atoms.items():
        if place in walls or place[0] >= level.wide or place[1] >= level.high:
            raise FormatError.at(tile.word, "expected the atom on a free place of the level, found it elsewhere")
    found, pending = set(atoms), list(atoms)
    while pending:
        x, y = pending.pop()
        for near in ((x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)):
            within = 0 <= near[0] < level.wide and 0 <= near[1] < level.high
            if within and near not in walls and near not in found:
                found.add(near)
                pending.append(near)
    return found


def _fits(text: str) -> bool:
    return "<level" in text and ATOM in text


FORMAT = Format("atomix", "a level of the desktop game Atomix", (".atomix.xml", ".atomix"), parser(_draft), None, _fits)
