"""The rules and goals of a model as flat arrays, in the form that `kernels/program` reads."""

from __future__ import annotations

import sys
from array import array
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from importlib import resources

from ...contract.questions import Space, model_of
from ...errors import UnsupportedError
from ...kernels.program.fields import (
    BEGINS,
    BITS,
    CARRIES,
    CARRY,
    CELLS,
    CLASSES,
    FIXED,
    HEAD,
    NEXT,
    PER_WORD,
    SETS,
    SPANS,
    SPANS_END,
    TABLE,
    WIDTH,
)
from ...limits.watch import paced
from ...model.goal import Goal
from ...model.matching import MOST_BYTES as MOST_BYTES
from ...model.matching import as_set, matching
from ...model.model import Model
from ...model.rule import symbols_of
from ...structure.narrow import Narrowing
from ...structure.redundant import redundant
from ...structure.whole_moves import joined

WORD = 64
"""Bits of a word."""

SPAN_BITS = 8
"""The most bits of a span of cells that are tested together."""

SPAN_BYTES = 1 << 18
"""The most bytes of the sets of all spans, unless spans of one cell need more: so many stay in a processor's cache."""


MOST_SETS = 1 << 8
"""Sets of rules that may lead on from a position: its byte says which."""


@dataclass(frozen=True)
class RuleProgram:
    """The rules of a model as arrays; see `kernels/program`.

    numbers  the fields, the entries of the rules and their tables
    sets     the sets of rules, or of goals
    cells    those that may change: no bits of a position are for the others
    """

    cells: int
    bits: int
    per_word: int
    width: int
    numbers: array[int]
    sets: array[int]

    def packed(self, positions: Iterable[bytes]) -> array[int]:
        """Return the words of some positions, of which the cells that may change are given."""
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


def program_of(model: Model, narrowing: Narrowing) -> RuleProgram:
    """Return the rules of a model as arrays; one rule for each move if they need nothing, such as turns of a cube."""
    model = narrowing.model(model)
    every = (1 << model.symbols) - 1
    if not model.metric.exhausts and all(need & every == every for rule in paced(model.rules) for need in rule.need):
        model = joined(model) or model
    groups, classes, following = _classes(model)
    needs = [list(zip(rule.cells, rule.need, strict=True)) for rule in paced(model.rules)]
    program = _tests(model, needs, groups)
    numbers, sets = program.numbers, program.sets
    numbers[CLASSES] = len(numbers)
    numbers.extend(classes)
    numbers[NEXT] = len(numbers)
    numbers.extend(following)
    numbers[BEGINS] = len(numbers)
    _add_entries(program, model)
    numbers[FIXED] = len(numbers)
    for changed in _fixed(model, program.bits, program.per_word):
        numbers.append(-1 if changed is None else len(sets))
        sets.extend([] if changed is None else _words([changed], program.width))
    return program


def goals_of(model: Model, goals: Sequence[Goal], narrowing: Narrowing) -> RuleProgram:
    """Return the tests of goals; how many of each symbol they want is left out."""
    needs = [needs for goal in goals if (needs := narrowing.needs(goal)) is not None]
    return _tests(narrowing.model(model), needs, [(1 << len(needs)) - 1])


def for_browser(space: Space) -> dict[str, bytes] | None:
    """Return the loops as WebAssembly, and the rules and goals of a space as bytes; None if these are too many.

    `board` has for each cell its number among the cells of these rules; for one that never changes -1 less its symbol.
    `back_rules` and `back_sets` take the moves back: they are there if that can be done, and all goals are positions.
    """
    model = model_of(space)
    assert model is not None
    ends = [goal.position for goal in model.goals]
    listed = [each for each in ends if each is not None]
    back = model.backward if len(listed) == len(ends) else None
    narrowing = Narrowing.of(model, [*([] if model.start is None else [model.start]), *(listed if back else [])])
    try:
        rules, goals = program_of(model, narrowing), goals_of(model, model.goals, narrowing)
        undoing = None if back is None else program_of(back, narrowing)
    except UnsupportedError:
        return None
    arrays = {"rules": rules.numbers, "sets": rules.sets, "goals": goals.numbers, "allowed": goals.sets}
    arrays["board"] = array("q", narrowing.board)
    if undoing is not None:
        arrays |= {"back_rules": undoing.numbers, "back_sets": undoing.sets}
    code = resources.files("puzzlespace.kernels.program") / "loops.wasm"
    return {"loops": code.read_bytes(), **{name: each.tobytes() for name, each in arrays.items()}}


def _tests(model: Model, needs: Sequence[Sequence[tuple[int, int]]], groups: Sequence[int]) -> RuleProgram:
    """Return a program that tells which of some conjunctions of needs a position meets.

    groups  sets of them, with which `sets` begins
    Raises UnsupportedError if these sets take too much memory.
    """
    found = matching(needs, model.symbols)
    if found is None:
        raise UnsupportedError("engine program: it has too many rules or goals")
    bits = max(1, (model.symbols - 1).bit_length())
    per_word, size = WORD // bits, max(1, -(-len(needs) // WORD))
    numbers = array("q", [0]) * HEAD
    numbers[CELLS], numbers[BITS], numbers[PER_WORD] = model.cells, bits, per_word
    numbers[WIDTH], numbers[SETS] = -(-model.cells // per_word), size
    fits, sets = dict(found.fits), [*groups]
    numbers[SPANS] = HEAD
    for cells in _spans(fits, bits, per_word, 8 * size):
        place, right = divmod(cells[0], per_word)
        numbers.extend((place, right * bits, (1 << len(cells) * bits) - 1, size * len(sets)))
        sets += _of_span([fits.get(cell) for cell in cells], bits, found.every)
    numbers[SPANS_END] = len(numbers)
    return RuleProgram(model.cells, bits, per_word, numbers[WIDTH], numbers, _words(sets, size))


def _spans(tested: Iterable[int], bits: int, per_word: int, size: int) -> list[range]:
    """Return spans of cells that have all tested ones, each in one word: as long as their sets stay small.

    size  bytes of a set
    """
    tested, found = sorted(tested), list[range]()
    for most in range(max(1, SPAN_BITS // bits), 0, -1):
        found = []
        for cell in tested:
            if not found or cell >= found[-1].stop:
                end = min(cell + most, (cell // per_word + 1) * per_word, tested[-1] + 1)
                found.append(range(cell, end))
        if sum(size << len(cells) * bits for cells in found) <= SPAN_BYTES:
            break
    return found


def _of_span(fits: Sequence[Sequence[int] | None], bits: int, every: int) -> list[int]:
    """Return the set for all that the cells of a span may show, the first cell in the lowest bits.

    fits   for each cell the sets of its symbols, None if all fit
    every  all that there are
    """
    found = [every]
    for by_symbol in fits:
        sets = [every] * (1 << bits) if by_symbol is None else [*by_symbol, *[0] * ((1 << bits) - len(by_symbol))]
        found = [lower & upper for upper in paced(sets) for lower in found]
    return found


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


def _classes(model: Model) -> tuple[list[int], list[int], list[int]]:
    """Return sets of rules that may come next, first that of all rules, and two numbers of sets for each rule.

    The first one is for the rules that may follow in the same move, -1 if none may, the other one for the next move.
    """
    found: dict[tuple[int, ...], int] = {}
    groups = [(1 << len(model.rules)) - 1]
    classes: list[int] = []
    for after in paced(model.followers):
        if after and after not in found:
            found[after] = len(groups)
            groups.append(as_set(after, len(model.rules)))
        classes.append(found[after] if after else -1)
    following = list[int]()
    for left_out in redundant(model):
        rules = groups[0] & ~as_set(left_out, len(model.rules))
        if rules not in groups and len(groups) < MOST_SETS:
            groups.append(rules)
        following.append(groups.index(rules) if rules in groups else 0)
    return groups, classes, following


def _add_entries(program: RuleProgram, model: Model) -> None:
    """Append the begins of all rules, what they carry with their entries, and the tables of symbols."""
    begins, fields, places = array("q"), list[int](), list[int]()
    tabled, tables = list[int](), dict[tuple[int, ...], int]()
    low = (1 << program.bits) - 1
    for rule in paced(model.rules):
        carried, changed = dict[int, dict[int, int]](), list[tuple[int, int, int, int, int]]()
        for place, (cell, source, table) in enumerate(zip(rule.cells, rule.source, rule.table, strict=True)):
            word, shift = _place(program, cell)
            source_word, source_shift = _place(program, rule.cells[source])
            if table is not None:
                changed.append((word, shift, source_word, source_shift, tables.setdefault(table, len(tables))))
            elif source != place:
                way, ways = WORD * source_word + (shift - source_shift) % WORD, carried.setdefault(word, {})
                ways[way] = ways.get(way, 0) | low << shift
        begins.append(len(fields))
        for word, ways in carried.items():
            places.append(len(fields) + CARRIES)
            fields += [word, _signed(sum(ways.values())), len(fields) + CARRIES + 1 + CARRY * len(ways)]
            for way, mask in ways.items():
                fields += [way, _signed(mask)]
        begins.append(len(fields))
        for *entry, table in changed:
            tabled.append(len(fields) + TABLE)
            fields += [*entry, table * model.symbols]
    begins.append(len(fields))
    numbers = program.numbers
    first = len(numbers) + len(begins)
    for place in places:
        fields[place] += first
    for place in tabled:
        fields[place] += first + len(fields)
    numbers.extend(first + begin for begin in begins)
    numbers.extend(fields)
    for table in tables:
        numbers.extend(table)


def _signed(word: int) -> int:
    return word - (1 << WORD) if word >> WORD - 1 else word


def _place(program: RuleProgram, cell: int) -> tuple[int, int]:
    """Return the word of a cell, and the bits to the right of it."""
    word, place = divmod(cell, program.per_word)
    return word, place * program.bits


def _words(sets: Sequence[int], size: int) -> array[int]:
    """Return sets as words, so many for each."""
    found = array("Q", b"".join([each.to_bytes(8 * size, "little") for each in paced(sets)]))
    if sys.byteorder == "big":
        found.byteswap()
    return found
