"""The rules and goals of a model as flat arrays, in the form that `kernels/program` reads."""

from __future__ import annotations

import sys
from array import array
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from ...errors import UnsupportedError
from ...kernels.program.fields import (
    BEGINS,
    BITS,
    CELLS,
    CLASSES,
    FIXED,
    HEAD,
    PER_WORD,
    SETS,
    SYMBOLS,
    TESTED,
    TESTS,
    WIDTH,
)
from ...limits.watch import paced
from ...model.goal import Goal
from ...model.matching import MOST_BYTES as MOST_BYTES
from ...model.matching import as_set, matching
from ...model.model import Model
from ...model.sentence import symbols_of

WORD = 64
"""Bits of a word."""


@dataclass(frozen=True)
class RuleProgram:
    """The rules of a model as arrays; see `kernels/program`.

    numbers  the fields, the entries of the rules and their tables
    sets     the sets of rules
    """

    cells: int
    bits: int
    per_word: int
    width: int
    numbers: array[int]
    sets: array[int]

    def packed(self, positions: Iterable[bytes]) -> array[int]:
        """Return the words of some positions."""
        found = array("Q")
        for position in paced(positions):
            for first in range(0, self.cells, self.per_word):
                part = position[first : first + self.per_word]
                found.append(sum([symbol << self.bits * place for place, symbol in enumerate(part)]))
        return found


def bytes_of(model: Model) -> int:
    """Return the size of the sets of rules of a model."""
    classes = len(set(model.metric.after)) + 1
    return 8 * -(-len(model.rules) // WORD) * (model.cells * model.symbols + classes)


def program_of(model: Model) -> RuleProgram:
    """Return the rules of a model as arrays."""
    bits = max(1, (model.symbols - 1).bit_length())
    per_word = WORD // bits
    width, size = -(-model.cells // per_word), max(1, -(-len(model.rules) // WORD))
    needs = [list(zip(rule.cells, rule.need, strict=True)) for rule in paced(model.rules)]
    tested, fits = _fitting(needs, model.symbols)
    numbers = array("q", [0]) * HEAD
    numbers[CELLS], numbers[BITS], numbers[PER_WORD], numbers[WIDTH] = model.cells, bits, per_word, width
    numbers[SYMBOLS], numbers[SETS], numbers[TESTED] = model.symbols, size, len(tested)
    numbers[TESTS] = len(numbers)
    numbers.extend(tested)
    groups, classes = _classes(model)
    numbers[CLASSES] = len(numbers)
    numbers.extend(classes)
    numbers[BEGINS] = len(numbers)
    _add_entries(numbers, model, bits, per_word)
    sets = _words([*fits, *groups], size)
    numbers[FIXED] = len(numbers)
    for changed in _fixed(model, bits, per_word):
        numbers.append(-1 if changed is None else len(sets))
        sets.extend([] if changed is None else _words([changed], width))
    return RuleProgram(model.cells, bits, per_word, width, numbers, sets)


def _fixed(model: Model, bits: int, per_word: int) -> Iterator[int | None]:
    """Yield for each rule the bits that it always changes in the words of a position, None if these differ."""
    for rule in paced(model.rules):
        symbols = [[*symbols_of(need & (1 << model.symbols) - 1)] for need in rule.need]
        changed = 0
        for old, cell, source, table in zip(symbols, rule.cells, rule.source, rule.table, strict=True):
            pairs = {(symbol, symbol) for symbol in old} if rule.cells[source] == cell else None
            pairs = pairs or {(one, other) for one in old for other in symbols[source]}
            bitwise = {one ^ (other if table is None else table[other]) for one, other in pairs}
            if len(bitwise) > 1:
                break
            changed |= bitwise.pop() << WORD * (cell // per_word) + bits * (cell % per_word)
        else:
            yield changed
            continue
        yield None


def _classes(model: Model) -> tuple[list[int], list[int]]:
    """Return the sets of rules that may come next, first that of all rules, and the number of the set of each rule."""
    found: dict[tuple[int, ...], int] = {}
    groups = [(1 << len(model.rules)) - 1]
    classes: list[int] = []
    for after in paced(model.followers):
        if after and after not in found:
            found[after] = len(groups)
            groups.append(as_set(after, len(model.rules)))
        classes.append(found[after] if after else -1)
    return groups, classes


def _add_entries(numbers: array[int], model: Model, bits: int, per_word: int) -> None:
    """Append where the entries of each rule begin, the entries, and the tables of symbols."""
    begins, entries, tables = [0], list[tuple[int, int, int, int, int]](), dict[tuple[int, ...], int]()
    for rule in paced(model.rules):
        for place, (cell, source, table) in enumerate(zip(rule.cells, rule.source, rule.table, strict=True)):
            if table is None and source == place:
                continue
            number = -1 if table is None else tables.setdefault(table, len(tables))
            entries.append((cell, rule.cells[source], number, cell // per_word, cell % per_word * bits))
        begins.append(len(entries))
    first = len(numbers) + len(begins)
    last = first + 5 * len(entries)
    numbers.extend(first + 5 * begin for begin in begins)
    for cell, source, table, word, shift in entries:
        numbers.extend((cell, source, -1 if table < 0 else last + table * model.symbols, word, shift))
    for table in tables:
        numbers.extend(table)


def goals_of(model: Model, goals: Sequence[Goal]) -> array[int]:
    """Return the goals as an array; how many of each symbol they want is left out."""
    needs = [list(enumerate(goal.need)) for goal in goals]
    tested, fits = _fitting(needs, model.symbols)
    every, size = (1 << len(goals)) - 1, max(1, -(-len(goals) // WORD))
    by_cell = {cell: fits[place * model.symbols : (place + 1) * model.symbols] for place, cell in enumerate(tested)}
    sets = [each for cell in range(model.cells) for each in by_cell.get(cell, [every] * model.symbols)]
    return array("Q", [size]) + _words([*sets, every], size)


def _fitting(needs: Sequence[Sequence[tuple[int, int]]], symbols: int) -> tuple[list[int], list[int]]:
    """Return the cells that some conjunctions of needs test, and for each of them and each symbol those that allow it.

    Raises UnsupportedError if these sets take too much memory.
    """
    found = matching(needs, symbols)
    if found is None:
        raise UnsupportedError("engine program: it has too many rules or goals")
    return [cell for cell, _ in found.fits], [each for _, by_symbol in found.fits for each in by_symbol]


def _words(sets: Sequence[int], size: int) -> array[int]:
    """Return sets as words, so many for each."""
    found = array("Q", b"".join([each.to_bytes(8 * size, "little") for each in paced(sets)]))
    if sys.byteorder == "big":
        found.byteswap()
    return found
