"""Puzzle files with full-width letters, digits and signs: `rule： slide` is read as `rule: slide`."""

from __future__ import annotations

import re

from ..puzzle.full_width import FULL_WIDTH, plain
from .pzl_rows import TEXTS

AS_WRITTEN = ("mark", "glyph", "name")
"""What `picture:` shows as it is written."""

ITEM = re.compile("[,\uff0c](?=\\s*(?:colour|mark|glyph|name)\\s)")


def plain_forms(text: str) -> str:
    """Return a puzzle file with plain forms in place of full-width ones; every character keeps its place.

    Comments, descriptive texts, and the marks, glyphs and names of `picture:` stay as they are written.
    """
    if FULL_WIDTH.search(text) is None:
        return text
    key = ""
    lines: list[str] = []
    for line in text.split("\n"):
        head = ""
        if line and not line[0].isspace() and line[0] not in ";\uff1b":
            colon = re.search("[:\uff1a]", line)
            head = plain(line[: colon.end()]) if colon else ""
            key = re.split(r"[\s\[:]", head, maxsplit=1)[0]
        lines.append(head + _value(key, line[len(head) :]))
    return "\n".join(lines)


def _value(key: str, value: str) -> str:
    if key in TEXTS:
        return plain(value) if value.strip()[:1] == "\uff1b" else value
    comment = re.search("[;\uff1b]", value)
    end = comment.start() if comment else len(value)
    body = _looks(value[:end]) if key == "picture" else plain(value[:end])
    return body + (";" + value[end + 1 :] if comment else "")


def _looks(row: str) -> str:
    """Return a row of `picture:`, such as `B： colour navy， mark Ａ`, with plain forms where they are signs."""
    colon = re.search("[:\uff1a]", row.lstrip()[1:])
    begin = len(row) - len(row.lstrip()) + 1 + colon.end() if colon else 0
    parts = ITEM.split(row[begin:])
    return plain(row[:begin]) + ",".join(
        part if (part.split() or [""])[0] in AS_WRITTEN else plain(part) for part in parts
    )
