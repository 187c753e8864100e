"""Sentences in a form that can be compared with their images under a renaming of cells and symbols."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from functools import lru_cache
from itertools import product
from typing import NamedTuple

from ..model.sentence import (
    Alike,
    Compared,
    Connected,
    Counted,
    Every,
    Not,
    Sentence,
    Shows,
    Some,
    symbols_of,
)

MOST_LISTED = 100
"""The most ways to fill the cells of a sentence that are listed: then sentences that mean the same have equal forms."""


class UnknownSentenceError(Exception):
    """A sentence of a kind whose image is not known."""


def form(sentence: Sentence, cells: Sequence[int], symbols: Sequence[int]) -> Hashable:
    """Return the sentence with cell c called cells[c], and symbol s called symbols[s].

    If the names are a renaming, equal forms mean the same positions. Sentences that mean the same in different ways may
    have different forms. Raises UnknownSentenceError.
    """
    meant = _meaning(sentence, len(symbols))
    if meant is not None:
        where, shown = meant
        named = [cells[cell] for cell in where]
        return 8, frozenset([frozenset(zip(named, [symbols[s] for s in each], strict=True)) for each in shown])
    match sentence:
        case Every() | Some():
            kind = int(isinstance(sentence, Every))
            return kind, frozenset([form(part, cells, symbols) for part in sentence.flat])
        case Not():
            return 2, form(sentence.part, cells, symbols)
        case Shows():
            return 3, cells[sentence.cell], _named(sentence.need, symbols)
        case Counted():
            where = tuple(sorted([cells[cell] for cell in sentence.among_cells]))
            return 4, _named(sentence.need, symbols), where, sentence.low, sentence.high
        case Compared():
            terms = [(cells[cell], _values(table, symbols)) for cell, table in sentence.terms]
            return 5, tuple(sorted(terms)), sentence.low, sentence.high
        case Alike():
            return 6, tuple(sorted({cells[cell] for cell in sentence.among_cells}))
        case Connected():
            links = [(cells[cell], tuple(sorted([cells[c] for c in near]))) for cell, near in enumerate(sentence.links)]
            return 7, _named(sentence.need, symbols), tuple(sorted(links))
    raise UnknownSentenceError(type(sentence).__name__)


@lru_cache(1 << 12)
def _meaning(sentence: Sentence, symbols: int) -> tuple[tuple[int, ...], tuple[tuple[int, ...], ...]] | None:
    """Return the cells that matter and what they show if the sentence is true; None if that is too much to list."""
    cells = sorted(sentence.cells())
    if not isinstance(sentence, Every | Some | Not) or symbols ** len(cells) > MOST_LISTED:
        return None
    shown = {each for each in product(range(symbols), repeat=len(cells)) if sentence.holds(_position(cells, each))}
    for at in reversed(range(len(cells))):
        others = {(*each[:at], *each[at + 1 :]) for each in shown}
        if symbols > 1 and len(others) * symbols == len(shown):  # whatever the cell shows
            shown = others
            del cells[at]
    return tuple(cells), tuple(sorted(shown))


def _position(cells: Sequence[int], shown: Sequence[int]) -> bytes:
    position = bytearray(max(cells, default=-1) + 1)
    for cell, symbol in zip(cells, shown, strict=True):
        position[cell] = symbol
    return bytes(position)


def leaves(sentence: Sentence, symbols: int) -> Iterator[Sentence]:
    """Yield the sentences inside that are not joined of others, and those whose meaning is listed."""
    if not isinstance(sentence, Every | Some | Not) or _meaning(sentence, symbols) is not None:
        yield sentence
        return
    for part in (sentence.part,) if isinstance(sentence, Not) else sentence.flat:
        yield from leaves(part, symbols)


class Mention(NamedTuple):
    """A cell, or -1, or a symbol, or -1, that is mentioned, and a colour for what is said of it."""

    cell: int
    symbol: int
    colour: int


def mentioned(leaf: Sentence, cells: Sequence[int], symbols: Sequence[int]) -> Iterator[Mention]:
    """Yield what a leaf says of a cell or a symbol.

    The colours depend on those of cells and symbols, but not on how the sentence is written.
    """
    meant = _meaning(leaf, len(symbols))
    if meant is not None:
        yield from _mentioned_in(*meant, cells, symbols)
        return
    for cell in leaf.cells():
        yield Mention(cell, -1, 0)
    if isinstance(leaf, Compared):
        for cell, table in leaf.terms:
            yield from (
                Mention(-1, symbol, hash((cells[cell], value))) for symbol, value in enumerate(table[: len(symbols)])
            )
    elif isinstance(leaf, Shows | Counted | Connected):
        yield from (Mention(-1, symbol, 0) for symbol in _below(leaf.need, len(symbols)))


def _mentioned_in(
    where: Sequence[int], shown: Sequence[Sequence[int]], cells: Sequence[int], symbols: Sequence[int]
) -> Iterator[Mention]:
    for each in shown:
        pairs = [*zip(where, each, strict=True)]
        whole = hash(tuple(sorted([(cells[cell], symbols[symbol]) for cell, symbol in pairs])))
        for cell, symbol in pairs:
            yield Mention(cell, -1, hash((whole, symbols[symbol])))
            yield Mention(-1, symbol, hash((whole, cells[cell])))


def _below(need: int, symbols: int) -> list[int]:
    return [symbol for symbol in symbols_of(need) if symbol < symbols]


def _named(need: int, symbols: Sequence[int]) -> tuple[int, ...]:
    return tuple(sorted([symbols[symbol] for symbol in _below(need, len(symbols))]))


def _values(table: Sequence[int], symbols: Sequence[int]) -> tuple[tuple[int, int], ...]:
    return tuple(sorted(zip(symbols, table, strict=False)))
