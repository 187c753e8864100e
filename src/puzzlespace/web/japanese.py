"""The Japanese of every text of the library that the page shows: errors, reasons, rules in words, notes, titles.

The library makes its texts in English. `japanese` finds the template that a text was made from and fills the Japanese
one with the same values. Keys of the tables are texts as they stand in the source, with `{}` for every value. A
text that they do not have is shown in English; `python -m tests.untranslated` lists those that there are.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache
from typing import Any

from ..puzzle.puzzle import Puzzle
from .japanese_texts import MESSAGES, PHRASES

QUOTED = re.compile(r"""(?<![^\s(\[,;:])(?:'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")(?![^\s)\],;:.?])""")
"""A quotation; what looks like a template in it belongs to the visitor."""

WAYS = {"up": "上", "down": "下", "left": "左", "right": "右"}
DIRECTIONS = re.compile("(?<= )(?:(up|down)-)?(up|down|left|right)(?= |$)")
"""The directions in names of moves: `up-left` is 左上."""

SPLIT = ", "
"""Between the parts of a value that are translated one by one."""


def japanese(text: str) -> str | None:
    """Return the Japanese of a text that the library made; None if the tables do not have it."""
    indent = text[: len(text) - len(text.lstrip())]
    found = _filled(text.strip(), _messages())
    return None if found is None else indent + found


def japanese_phrase(text: str) -> str | None:
    """Return the Japanese of a part of the library's texts, such as what one move is; None if the table has none."""
    return _filled(text, _phrases(False))


def japanese_lines(lines: Iterable[str]) -> list[str]:
    """Return the Japanese of rules in words; indented lines and lines without a word are notation, and stay."""
    return [_line(line) for line in lines]


def with_japanese(told: dict[str, Any], *keys: str) -> dict[str, Any]:
    """Return an object for the browser with `ja`: the same keys in Japanese, those that have it."""
    said = {key: japanese(told[key]) for key in keys if told[key]}
    return {**told, "ja": {key: text for key, text in said.items() if text is not None}}


def directed(puzzle: Puzzle, name: str) -> str:
    """Return a move's name with its directions in Japanese, if it has directions."""
    if puzzle.listed or puzzle.kind.named != "direction" or not puzzle.board.grid:
        return name
    return DIRECTIONS.sub(lambda found: WAYS[found[2]] + WAYS.get(found[1], ""), name)


def _line(line: str) -> str:
    found = japanese(line)
    return line if found is None else found


class Template:
    """A text with values in it: `parts` are what stands between the values, `said` is the Japanese."""

    def __init__(self, key: str, said: str) -> None:
        self.parts = key.split("{}")
        self.said = said

    def values(self, text: str, spans: list[tuple[int, int]]) -> list[str] | None:
        """Return the values that make the text from this template; None if there are none.

        spans  where the text has quotations; no part between values begins in one
        """
        first, *others = self.parts
        if not text.startswith(first) or not others:
            return [] if not others and text == first else None
        found: list[str] = []
        here = len(first)
        for part in others[:-1]:
            at = _outside(text, part, here, spans)
            if at < 0:
                return None
            found.append(text[here:at])
            here = at + len(part)
        end = len(text) - len(others[-1])
        if end < here or not text.endswith(others[-1]):
            return None
        return [*found, text[here:end]]


def _outside(text: str, part: str, here: int, spans: list[tuple[int, int]]) -> int:
    """Return where a part begins first at or after `here`, outside of quotations; -1 if nowhere."""
    at = text.find(part, here)
    while at >= 0:
        inside = next((end for begin, end in spans if begin < at < end and begin >= here), None)
        if inside is None:
            return at
        at = text.find(part, inside)
    return -1


def _filled(text: str, templates: list[Template]) -> str | None:
    spans = [match.span() for match in QUOTED.finditer(text)]
    for template in templates:
        values = template.values(text, spans)
        if values is not None:
            return template.said.format(*map(_value, values))
    return None


def _value(text: str) -> str:
    """Return a value in Japanese if it is a phrase of ours, or a list with such phrases; else as it is."""
    parts = list(_split(text))
    found = _filled(text, _phrases(len(parts) > 1))
    if found is not None:
        return found
    return SPLIT.join(map(_value, parts)) if len(parts) > 1 else text


def _split(text: str) -> Iterator[str]:
    """Yield the parts of a list, which commas outside of quotations separate."""
    begin = 0
    spans = [match.span() for match in QUOTED.finditer(text)]
    for match in re.finditer(SPLIT, text):
        if not any(first < match.start() < last for first, last in spans):
            yield text[begin : match.start()]
            begin = match.end()
    yield text[begin:]


def _ordered(table: dict[str, str]) -> list[Template]:
    """Return the templates of a table, those with most letters of their own first."""
    return [Template(key, table[key]) for key in sorted(table, key=lambda key: -len(key.replace("{}", "")))]


@cache
def _messages() -> list[Template]:
    return _ordered(MESSAGES)


@cache
def _phrases(listed: bool) -> list[Template]:
    """Return the phrases that may be the whole of a value; of a list only those with commas of their own."""
    return _ordered({key: said for key, said in PHRASES.items() if SPLIT in key or not listed})
