"""The syntax of lower bounds: names joined by '+', of which the greatest counts, and the groups of a pattern."""

from __future__ import annotations

from collections.abc import Sequence
from re import finditer

from ..errors import InputError

GROUPED = "pattern"
"""The name of the bound that groups of pieces may follow."""

GREATEST, SUM = "max:", "sum:"

Group = int | tuple[int, ...]
"""A group of a pattern: how many pieces, or which symbols."""

Division = tuple[Group, ...]
"""The groups of a pattern; () if none are given."""


def names(text: str) -> tuple[str, ...]:
    """Return the names in 'walking+inversion', or 'max:walking,inversion', without what follows a colon.

    Whether a bound of that name exists is not checked. Raises InputError for invalid groups, and for sums, which would
    count a move twice.
    """
    divisions(text)
    return tuple(name for name, _ in parts(text))


def divisions(text: str) -> tuple[Division, ...]:
    """Return the groups of every 'pattern:6-6-3' or, with symbols for names (see `numbered`), 'pattern:#1#2/#3'.

    Raises InputError for anything else after a colon.
    """
    found: list[Division] = []
    for name, given in parts(text):
        if name == GROUPED:
            found.append(() if given is None else division(given))
        elif given is not None:
            raise _unread(f"{name}:{given}")
    return tuple(found)


def division(given: str) -> Division:
    """Return the groups in '6-6-3' or '#1#2/#3'. Raises InputError for anything else."""
    if "#" in given:
        return tuple(tuple(int(symbol) for symbol in group.split("#")[1:]) for group in given.split("/"))
    sizes = given.split("-")
    if not all(n.isdecimal() and n.isascii() and int(n) > 0 for n in sizes):
        raise _unread(f"pattern:{given}")
    return tuple(map(int, sizes))


def _unread(found: str) -> InputError:
    wanted = "sizes of groups after pattern, as in pattern:6-6-3, or their pieces, as in 'pattern:1 2 3/4 5'"
    return InputError(f"bound: expected {wanted}, found {found!r}")


def numbered(text: str, letters: Sequence[Sequence[str]]) -> str:
    """Return the text with pieces by symbol: 'pattern:a b/c' becomes 'pattern:#1#2/#3'; `letters` name each symbol.

    Raises InputError with the place for a name that no piece has, and for a piece in two groups.
    """
    symbol_of = {word: symbol for symbol, words in enumerate(letters) for word in words}
    short = all(len(word) == 1 for word in symbol_of)
    done, at = [], 0
    if text.startswith(GREATEST):
        text, at = text.removeprefix(GREATEST).replace(",", "+"), len(GREATEST)
    for part in text.split("+"):
        name, colon, given = part.partition(":")
        if name == GROUPED and not given.replace("-", "").isdecimal() and given:
            given = _symbols(given, at + len(name) + 1, symbol_of, short)
        done.append(name + colon + given)
        at += len(part) + 1
    return "+".join(done)


def _symbols(given: str, at: int, symbol_of: dict[str, int], short: bool) -> str:
    """Return the groups with symbols for names; `at` is where they stand in the text."""
    done: list[str] = []
    group_of: dict[int, int] = {}
    for number, group in enumerate(given.split("/")):
        words = list(finditer(r"[^\s,]" if short else r"[^\s,]+", group))
        if not words:
            raise InputError(f"heuristic, column {at + 1}: expected pieces of a group, found none")
        for word in words:
            symbol, place = symbol_of.get(word[0]), f"heuristic, column {at + word.start() + 1}"
            if symbol is None:
                raise InputError(f"{place}: expected a piece of the puzzle, found {word[0]!r}")
            if group_of.setdefault(symbol, number) != number:
                raise InputError(f"{place}: expected each piece in one group, found {word[0]!r} in two")
        done.append("".join(f"#{symbol}" for symbol in dict.fromkeys(symbol_of[word[0]] for word in words)))
        at += len(group) + 1
    return "/".join(done)


def parts(text: str) -> list[tuple[str, str | None]]:
    """Return the names, each with the text after its colon, or None without a colon."""
    if text.startswith(SUM):
        joined = text.removeprefix(SUM).replace(",", "+")
        why = "one move can count in both; what can be added, a bound adds by itself"
        raise InputError(f"bound: bounds cannot be added ({why}), expected {joined!r}: the greatest counts")
    if text.startswith(GREATEST):
        text = text.removeprefix(GREATEST).replace(",", "+")
    parts = [part.partition(":") for part in text.split("+")]
    return [(name, given if colon else None) for name, colon, given in parts]
