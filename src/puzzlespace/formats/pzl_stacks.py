"""The keys of `rule: stack`: `put:`, `take:`, `between:`, `order:`, `colours:`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from ..errors import FormatError, Word
from ..puzzle.draft import Draft
from ..puzzle.words import shown, words
from .pzl_rows import Entry

BY_ROW = ("put", "take")
"""Keys that may be written once for all rows, and once for each row: `put:`, `put 4:`."""

COLON, EQUAL = ":", "="


def by_row(entry: Entry) -> tuple[str, tuple[Word, ...]]:
    """Return the number of a row, '' for all rows, and the words; a colon is a word."""
    return entry.tag, _listed(entry, COLON)


def _listed(entry: Entry, sign: str = "") -> tuple[Word, ...]:
    """Return what spaces or commas separate; `sign` is a word of its own, also without spaces around it."""
    pattern = rf"[^\s,{sign}]+" + (f"|{sign}" if sign else "")
    found = tuple(word for row in entry.rows for word in words(row.text, pattern))
    if not found:
        raise FormatError.at(entry.rows[0].text, f"expected a value after {entry.key}:, found {entry.rows[0].text!r}")
    return found


def _order(entry: Entry) -> tuple[Word, ...]:
    """Return symbols and '=' signs, each sign between two symbols."""
    found = _listed(entry, EQUAL)
    for at, word in enumerate(found):
        alone = at in (0, len(found) - 1) or EQUAL in (found[at - 1], found[at + 1])
        if word == EQUAL and alone:
            raise FormatError.at(word, f"expected a symbol on each side of '{EQUAL}', as in 'order: 1H = 1S 2H = 2S'")
    return found


def _colours(entry: Entry) -> tuple[tuple[Word, tuple[Word, ...]], ...]:
    """Return rows `red = 1H 2H` as (colour, its symbols)."""
    return tuple(_colour(row.text) for row in entry.rows)


def _colour(row: Word) -> tuple[Word, tuple[Word, ...]]:
    name, *rest = words(row, rf"[^\s,{EQUAL}]+|{EQUAL}")
    if len(rest) < 2 or name == EQUAL or rest[0] != EQUAL or EQUAL in rest[1:]:
        raise FormatError.at(row, f"expected a colour and its symbols, as in 'red = 1H 2H', found {shown(row)}")
    return name, tuple(rest[1:])


SYMBOL_LISTS: dict[str, Callable[[Entry], Any]] = {"between": _listed, "order": _order, "colours": _colours}


def written(draft: Draft) -> Iterable[tuple[str, Sequence[str]]]:
    """Yield these keys with their rows, as `pzl_write` writes them."""
    for key, entries in (("put", draft.put), ("take", draft.take)):
        for row, said in entries:
            yield f"{key} {row}".rstrip(), [" ".join(said).replace(f" {COLON}", COLON)]
    yield "between", [" ".join(draft.between)] if draft.between else []
    yield "order", [" ".join(draft.order)] if draft.order else []
    yield "colours", [f"{name} {EQUAL} {' '.join(symbols)}" for name, symbols in draft.colours]
