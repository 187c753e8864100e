"""Full-width letters, digits and signs, as Japanese keyboards write them, and their plain forms."""

from __future__ import annotations

import re

from ..errors import Word
from .diagnostics import Diagnostic

FULL_WIDTH = re.compile("[\uff01-\uff5e]")
FORMS = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)}
"""For each full-width character its plain form, both as numbers."""


def plain(text: str) -> str:
    """Return the text with plain forms; every character keeps its place."""
    return text.translate(FORMS)


def told(text: str, read: str) -> tuple[Diagnostic, ...]:
    """Return the warning that a text was read as another one, of the same length, with plain forms."""
    changed = [at for at, (before, after) in enumerate(zip(text, read, strict=True)) if before != after]
    if not changed:
        return ()
    first = changed[0]
    place = Word(text[first], text.count("\n", 0, first) + 1, first - text.rfind("\n", 0, first))
    many = f"full-width characters in the text: {len(changed)}"
    return (Diagnostic.at(place, "full-width", f"{str(place)!r} is read as {read[first]!r} ({many})"),)
