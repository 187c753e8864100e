"""Files of the language with one mistake in a word, a sign or a line; the seed determines it."""

from __future__ import annotations

import re
from collections.abc import Callable
from random import Random

TOLD = ("title", "note", "by", "source", "known", "picture")
"""Keys whose rows say nothing about the moves."""

SIGNS = ("->", "<->", "=", "!=", "<", ">", "<=", ">=", "+", "-", ",", "/", "...", "(", ")", ":", "*", "#", ".")
WORDS = (
    "any", "edge", "stop", "if", "not", "and", "or", "count", "all", "each", "some", "every", "no", "only", "see",
    "on", "at", "least", "most", "shows", "cost", "once", "again", "right", "left", "up", "down", "row", "column",
    "straight", "diagonal", "around", "knight", "line", "path", "pour", "into", "start", "0", "1", "2",
)  # fmt: skip

Rows = list[tuple[str, list[str]]]
"""Each row, as its indentation and its words."""


def mutated(text: str, random: Random) -> tuple[str, str]:
    """The kind of a mistake, and the file with it."""
    lines = text.splitlines()
    chosen = random.choice([at for at in range(len(lines)) if key_at(lines, at) not in TOLD and lines[at].strip()])
    kind = random.choice([*MISTAKES])
    return f"{kind} in {key_at(lines, chosen)}", "\n".join(MISTAKES[kind](lines, chosen, random)) + "\n"


def key_at(lines: list[str], at: int) -> str:
    """The key to which a line belongs."""
    while at and lines[at][:1].isspace():
        at -= 1
    return re.split(r"[\s:\[]", lines[at])[0]


def _by_word(change: Callable[[list[str], int, Random], list[str]]) -> Callable[[list[str], int, Random], list[str]]:
    def made(lines: list[str], at: int, random: Random) -> list[str]:
        head = re.match(r"\s*", lines[at])[0]  # type: ignore[index]
        words = lines[at].split()
        found = change(words, random.randrange(len(words)), random)
        return [*lines[:at], head + " ".join(found), *lines[at + 1 :]]

    return made


def _by_letter(change: Callable[[str, int, Random], str]) -> Callable[[list[str], int, Random], list[str]]:
    def made(words: list[str], at: int, random: Random) -> list[str]:
        return [*words[:at], change(words[at], random.randrange(len(words[at])), random), *words[at + 1 :]]

    return _by_word(made)


def _exchanged(items: list[str], at: int, random: Random) -> list[str]:
    other = random.randrange(len(items))
    items = list(items)
    items[at], items[other] = items[other], items[at]
    return items


MISTAKES: dict[str, Callable[[list[str], int, Random], list[str]]] = {
    "word left out": _by_word(lambda words, at, _: words[:at] + words[at + 1 :]),
    "word twice": _by_word(lambda words, at, _: words[: at + 1] + words[at:]),
    "words exchanged": _by_word(_exchanged),
    "another word": _by_word(lambda words, at, random: [*words[:at], random.choice(WORDS), *words[at + 1 :]]),
    "word added": _by_word(lambda words, at, random: [*words[:at], random.choice(WORDS), *words[at:]]),
    "another sign": _by_word(lambda words, at, random: [*words[:at], random.choice(SIGNS), *words[at + 1 :]]),
    "sign added": _by_word(lambda words, at, random: [*words[:at], random.choice(SIGNS), *words[at:]]),
    "letter left out": _by_letter(lambda word, at, _: word[:at] + word[at + 1 :]),
    "letter twice": _by_letter(lambda word, at, _: word[: at + 1] + word[at:]),
    "another letter": _by_letter(lambda word, at, random: word[:at] + random.choice("abxABX12.") + word[at + 1 :]),
    "line left out": lambda lines, at, _: lines[:at] + lines[at + 1 :],
    "line twice": lambda lines, at, _: lines[: at + 1] + lines[at:],
    "lines exchanged": _exchanged,
    "line not indented": lambda lines, at, _: [*lines[:at], lines[at].lstrip(), *lines[at + 1 :]],
    "line indented": lambda lines, at, _: [*lines[:at], "  " + lines[at], *lines[at + 1 :]],
}
