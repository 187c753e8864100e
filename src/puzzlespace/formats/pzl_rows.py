"""The lines of a puzzle file: keys, the rows that belong to them, comments, words with their places."""

from __future__ import annotations

import re
from dataclasses import dataclass

from ..errors import FormatError, Word
from ..limits.watch import paced
from ..puzzle.draft import PART_KEYS
from ..puzzle.words import nearest, part, shown, stripped, words

TEXTS = ("title", "by", "source", "note")
"""Keys whose values are text for people; only these may be quoted."""

KEYS = (
    *TEXTS, "rule", "count", "board", "lines", "links", "diagonals", "blocks", "apart", "fixed", "gates",
    "edge", "ground", "passing", "anywhere", "tilt", "pull", "start", "goal", "moves", "swap",
    "one-way", "distinct", "picture", "known", "pieces", "blanks", "walls",
    "kinds", "places", "also", "numbers", "weights", "after", "forbid",
    "put", "take", "between", "order", "colours",
)  # fmt: skip

NUMBERED = ("goal", "put", "take")
"""Keys that may have a number: of a goal, or of a row."""

INVISIBLE = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\xad\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ud800-\udfff\ufeff\ufff9-\ufffb]"
    "|\r(?!\n|\\Z)"
)
"""Characters that would be invisible in a drawing, or change how a terminal shows an error."""

QUOTED = re.compile(r'"((?:[^"]|"")*)"')
TAG = re.compile(r"[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*")


@dataclass(frozen=True)
class Row:
    """One row of a value.

    text     without comment and outer spaces, in plain forms
    drawn    the same as it is written, with full-width characters
    lead     the part of the line before it
    comment  the text after the ';'
    """

    text: Word
    drawn: str = ""
    lead: str = ""
    comment: str = ""


@dataclass(frozen=True)
class Entry:
    """A key with its rows.

    tag     a title's language, or the number of a goal or of a row
    inline  whether the first row is on the line of the key
    """

    key: Word
    tag: str
    rows: tuple[Row, ...]
    inline: bool

    @property
    def words(self) -> list[Word]:
        """All words of all rows."""
        return [word for row in self.rows for word in words(row.text)]


def entries(text: str, plain: str) -> list[Entry]:
    """Return the keys of a puzzle file in their order, each with its rows. Raises FormatError.

    plain  the text in plain forms (`pzl_plain`)
    """
    _check_visible(text)
    found: list[tuple[Word, str, list[Row], bool]] = []
    first_lines: dict[tuple[str, str, int], int] = {}
    rules = 0
    for number, (raw, read) in enumerate(paced(zip(text.split("\n"), plain.split("\n"), strict=True)), 1):
        line = stripped(Word(read, number, 1))
        if not line or line[0] == ";":
            continue
        if not raw[0].isspace():
            key, tag, value = _key(line)
            rules += key == "rule"
            place = key, tag, max(rules, 1) if key in PART_KEYS or key == "rule" else 0
            if first_lines.setdefault(place, number) != number:
                raise _again(key, tag, first_lines[place])
            found.append((key, tag, [], bool(value) and value[0] != ";"))
        elif found:
            value = line
        else:
            raise FormatError.at(line, f"expected a key at the beginning of the line, found {shown(line)}")
        if value and (row := _row(value, raw, found[-1][0] in TEXTS)).text:
            found[-1][2].append(row)
    return [Entry(_not_empty(key, rows), tag, tuple(rows), inline) for key, tag, rows, inline in found]


def _check_visible(text: str) -> None:
    match = INVISIBLE.search(text)
    if match is None:
        return
    line = text.count("\n", 0, match.start()) + 1
    begin = text.rfind("\n", 0, match.start()) + 1
    raise FormatError(
        f"expected visible characters, found U+{ord(match[0]):04X}",
        line=line,
        column=match.start() - begin + 1,
        row=INVISIBLE.sub("?", text[begin:].split("\n")[0].rstrip("\r")),
    )


def _key(line: Word) -> tuple[Word, str, Word]:
    """Return the key, its tag and the text after the colon."""
    colon, comment = line.find(":"), line.find(";")
    if colon < 0 or 0 <= comment < colon:
        raise FormatError.at(
            line,
            f"expected 'key: value', found {shown(line)}",
            "rows that belong to the key above them are indented",
        )
    name = stripped(part(line, 0, colon))
    key, tag = _tagged(name)
    if key not in KEYS:
        raise FormatError.at(name, f"expected a key, found {shown(name)}", nearest(key, KEYS))
    return key, tag, stripped(part(line, colon + 1))


def _tagged(name: Word) -> tuple[Word, str]:
    """Return the key and its tag: 'title[ja]' is ('title', 'ja'), 'goal 2' is ('goal', '2'), 'put' is ('put', '')."""
    bracket = name.find("[")
    if bracket >= 0:
        return _language(stripped(part(name, 0, bracket)), part(name, bracket))
    key = part(name, 0, len((name.split() or [""])[0]))
    if key not in NUMBERED:
        return name, ""
    number = stripped(part(name, len(key)))
    if not number:
        return key, "1" if key == "goal" else ""
    if not re.fullmatch("[1-9][0-9]{0,5}", number):
        raise FormatError.at(number, f"expected a number after {key}, found {shown(number)}")
    return key, number


def _language(key: Word, tag: Word) -> tuple[Word, str]:
    if not tag.endswith("]"):
        raise FormatError.at(tag, "expected ']' to close this '['")
    if not TAG.fullmatch(tag[1:-1]):
        raise FormatError.at(part(tag, 1), f"expected a language such as 'ja', found {shown(tag[1:-1])}")
    if key in KEYS and key != "title":
        raise FormatError.at(tag, f"expected no language after {key}, found {shown(tag)}", "only titles have one")
    return key, str(tag[1:-1])


def _again(key: Word, tag: str, first: int) -> FormatError:
    if key == "goal":
        return FormatError.at(key, f"expected goal {tag} once, found it again (first in line {first})",
                              f"another goal is written 'goal {int(tag) + 1}:'")  # fmt: skip
    name = f"{key} {tag}".rstrip() if key in NUMBERED else f"{key}[{tag}]" if tag else key
    return FormatError.at(key, f"expected {name} once, found it again (first in line {first})")


def _row(value: Word, raw: str, quotable: bool) -> Row:
    """Return the row and its comment; a ';' between quotes does not begin a comment."""
    begin = 0
    if quotable and value[0] == '"':
        match = QUOTED.match(value)
        if match is None:
            raise FormatError.at(value, "expected '\"' to close this '\"'")
        begin = match.end()
    cut = value.find(";", begin)
    text = stripped(part(value, 0, cut if cut >= 0 else None))
    drawn = raw[text.column - 1 :][: len(text)]
    if begin and len(text) > begin:
        rest = stripped(part(text, begin))
        raise FormatError.at(rest, f"expected nothing after the closing '\"', found {shown(rest)}")
    return Row(text, drawn, raw[: value.column - 1], value[cut + 1 :].strip() if cut >= 0 else "")


def _not_empty(key: Word, rows: list[Row]) -> Word:
    if not rows:
        raise FormatError.at(key, f"expected a value after {key}:, found none")
    return key
