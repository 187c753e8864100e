"""Keys and sentences in places where a puzzle file has something else: errors in drawings, warnings in texts."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence, Set

from ..errors import FormatError, Word
from ..puzzle.diagnostics import Diagnostic
from ..puzzle.words import did_you_mean, part, shown, words
from .pzl_rows import KEYS, TEXTS, Entry
from .pzl_words import OPENINGS, SENTENCE, STATES, has_sign

GOALS_IN_WORDS = "goals in words are 'start', 'any one peg' and 'count SYMBOL = NUMBER'; a drawing shows every cell"
GOALS_IN_SENTENCES = "sentences are such as 'all A on x', 'count A = 2', 'a1 = A'; a drawing shows every cell"

NEARLY = 0.75
"""How similar a word in a drawing is to a key with a typing error, from 0 to 1."""


def keys_in_text(entry: Entry) -> Iterator[Diagnostic]:
    """Yield a warning for each row of a descriptive text that begins with a key, unless it is quoted."""
    for row in entry.rows[1:] if entry.key in TEXTS else ():
        match = re.match(rf"({'|'.join(KEYS)})(?: \d+|\[\w+\])?\s*:", row.text)
        if match is not None:
            yield Diagnostic.at(
                row.text, "key-in-text", f"this row is read as a part of {entry.key}:, not as the key {match[1]}:",
                "a key stands at the beginning of its line; text in quotes is text",
            )  # fmt: skip


def keys_in_comments(text: str, found: Sequence[Entry]) -> Iterator[Diagnostic]:
    """Yield a warning for each key, also one with a typing error, in a comment above an indented row."""
    lines = text.split("\n")
    for at, line in enumerate(lines, 1):
        match = re.match(r";\s*([A-Za-z][A-Za-z-]*)(?: \d+)?\s*:", line)
        if match is None or not (match[1].lower() in KEYS or did_you_mean(match[1], KEYS, NEARLY)):
            continue
        below = next((each for each in lines[at:] if each.strip()), "")
        above = [entry.key for entry in found if entry.key.line < at]
        if below[:1].isspace() and above:
            yield Diagnostic.at(
                Word(match[1], at, match.start(1) + 1), "key-in-comment",
                f"this key is in a comment, so the row below belongs to {above[-1]}:",
            )  # fmt: skip


def check_no_key(row: Word) -> None:
    """Raise FormatError if a row of a drawing has a key, also one with a typing error, followed by a colon."""
    for match in re.finditer(r"(?<!\S)([A-Za-z][A-Za-z-]+)(?:\s+\d+)?:", row):
        if match[1].lower() in KEYS or did_you_mean(match[1], KEYS, NEARLY):
            found = part(row, *match.span())
            raise FormatError.at(
                found, f"expected symbols, found {shown(found)}", "a key stands at the beginning of its own line"
            )


def is_sentence(entry: Entry, symbols: Set[str]) -> bool:
    """Return whether a goal of a rule kind with sentences is one: in one row, and no drawing of symbols.

    A comparison stands beside its key: a drawing of signs has rows of their own.
    """
    found = words(entry.rows[0].text, r"[^\s()]+")
    if len(entry.rows) > 1 or len(found) < 2 or all(word in symbols for word in found):
        return False
    signs = entry.inline and any(has_sign(word) and word not in symbols for word in found)
    return signs or (found[0] in OPENINGS and found[0] not in symbols)


def check_no_sentence(row: Word, symbols: Set[str], sentences: bool) -> None:
    """Raise FormatError if a goal on one line is a sentence, or a word for what is a goal without saying it.

    sentences  whether the rule kind has sentences as goals
    """
    found = words(row)
    for word in found:
        bare = word.lower().strip(",.!?;")
        if (bare in SENTENCE if len(found) > 1 else bare in STATES) and word not in symbols:
            raise FormatError.at(
                row, f"expected a drawing or one of the goals in words, found {shown(row)}",
                GOALS_IN_SENTENCES if sentences else GOALS_IN_WORDS,
            )  # fmt: skip
