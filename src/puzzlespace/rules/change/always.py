"""Sentences that are true of every position, or of none."""

from __future__ import annotations

from itertools import product

from ...limits.watch import paced
from ...model.sentence import Alike, Compared, Connected, Counted, Every, Not, Sentence, Shows, Some
from .scope import Scope

MOST_TRIED = 1 << 12
"""The most combinations of symbols of a sentence's cells that are tried."""


def always(sentence: Sentence, scope: Scope) -> bool | None:
    """Return True or False if the sentence is it in every position; None if it depends, or is not decided cheaply."""
    found = _read_off(sentence, scope)
    return _tried(sentence, scope) if found is None else found


def _read_off(sentence: Sentence, scope: Scope) -> bool | None:
    match sentence:
        case Not(part):
            found = always(part, scope)
            return None if found is None else not found
        case Every(parts) | Some(parts):
            decisive = isinstance(sentence, Some)
            found = {always(part, scope) for part in parts}
            return decisive if decisive in found else None if None in found else not decisive
        case Shows(cell, need):
            return _alike([bool(need >> symbol & 1) for symbol in scope.symbols(cell)])
        case Counted(need, cells, low, high):
            shown = [always(Shows(cell, need), scope) for cell in cells]
            return _between(shown.count(True), len(shown) - shown.count(False), low, high)
        case Compared(terms, low, high):
            values = [[table[symbol] for symbol in scope.symbols(cell)] for cell, table in terms]
            return _between(sum(map(min, values)), sum(map(max, values)), low, high)
        case Alike(cells):
            return True if len(set(cells)) < 2 else None
        case Connected(need, links):
            return True if len(links) < 2 or not need & scope.every else None
        case _:
            return None


def _between(least: int, most: int, low: int | None, high: int | None) -> bool | None:
    """Return whether all numbers from `least` to `most` are from `low` to `high`; None if only some are."""
    if (low is None or low <= least) and (high is None or most <= high):
        return True
    return False if (low is not None and most < low) or (high is not None and high < least) else None


def _tried(sentence: Sentence, scope: Scope) -> bool | None:
    cells = sorted(sentence.cells())
    combinations = 1
    for cell in cells:
        combinations *= len(scope.symbols(cell))
        if combinations > MOST_TRIED:
            return None
    position, found = bytearray(scope.cells), set[bool]()
    for symbols in paced(product(*map(scope.symbols, cells))):
        for cell, symbol in zip(cells, symbols, strict=True):
            position[cell] = symbol
        found.add(sentence.holds(bytes(position)))
        if len(found) > 1:
            return None
    return _alike(list(found))


def _alike(found: list[bool]) -> bool | None:
    return found[0] if len(set(found)) == 1 else None
