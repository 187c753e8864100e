"""Rules as data: what they need, what they write, and the piece that they move."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from ..errors import ModelError
from ..limits.watch import paced
from .kept import kept

ANY = -1
"""The need that allows every symbol: a bit set with all bits set."""

MAX_SYMBOLS = 255


def only(symbol: int) -> int:
    """Return the need that allows this symbol only."""
    return 1 << symbol


def single_symbol(need: int) -> int | None:
    """Return the symbol that a need allows if it allows exactly one, else None."""
    return need.bit_length() - 1 if need > 0 and not need & (need - 1) else None


def single_symbols(needs: Iterable[int]) -> list[int]:
    """Return the symbols of the needs that allow exactly one; the other needs are left out."""
    return [symbol for symbol in map(single_symbol, needs) if symbol is not None]


@dataclass(frozen=True, slots=True)
class Motion:
    """The piece that a rule moves, for metrics and for the names of moves.

    shape      the symbol of the piece, or -1 for any piece of one cell
    origin     the cell that the piece leaves; for a block that of its first cell in reading order
    target     the cell that it enters
    direction  rules with equal directions can form a straight run; '' if the board has no straight lines
    also       further directions of a step that is on several lines; `metrics.counted` makes one rule for each if
               directions matter in the metric
    whole      whether the rule is a whole move: no metric joins it with other rules
    free       whether the rule costs nothing in metrics that count only other rules, such as the walking of a player
    length     the number of cells that the piece travels; more than one only in a whole move
    how        what names of moves add if another move of the piece can have the same direction or cells: 'pull'
    """

    shape: int
    origin: int
    target: int
    direction: str
    also: tuple[str, ...] = ()
    whole: bool = False
    free: bool = False
    length: int = 1
    how: str = ""


@dataclass(frozen=True, slots=True)
class Rule:
    """An elementary change: if every cell shows a symbol that `need` allows, all cells are rewritten at once.

    name     the name for users: 'right', 'row1', "R'"
    cells    the cells that the rule tests or writes, all different
    need     for each of them the set of allowed symbols as a bit set (`only(s)`, or `ANY`)
    source   for each of them the index into `cells` of the cell whose old symbol determines the new one
    table    for each of them the new symbol by old symbol, or None if the symbol is carried unchanged
    motion   the piece that the rule moves, or None
    listed   whether solutions with this move and with another one between the same positions differ; never for `motion`
    """

    name: str
    cells: tuple[int, ...]
    need: tuple[int, ...]
    source: tuple[int, ...]
    table: tuple[tuple[int, ...] | None, ...]
    motion: Motion | None = None
    listed: bool = True

    @classmethod
    def put(
        cls,
        name: str,
        cells: Sequence[int],
        need: Sequence[int],
        new: Sequence[int],
        symbols: int,
        motion: Motion | None = None,
    ) -> Rule:
        """Return the rule that needs exactly the symbols `need` and writes the symbols `new`."""
        return cls(
            name=name,
            cells=tuple(cells),
            need=tuple([1 << s for s in need]),
            source=tuple(range(len(cells))),
            table=tuple([constant(s, symbols) for s in new]),
            motion=motion,
        )

    def apply(self, position: bytes) -> bytes | None:
        """Return the position after the rule, or None if the rule does not apply."""
        for cell, need in zip(self.cells, self.need, strict=True):
            if not need >> position[cell] & 1:
                return None
        child = bytearray(position)
        for cell, source, table in zip(self.cells, self.source, self.table, strict=True):
            old = position[self.cells[source]]
            child[cell] = old if table is None else table[old]
        return bytes(child)

    def written(self, old: Sequence[int]) -> list[int]:
        """Return the new symbols of the cells of the rule by their old ones."""
        return [old[s] if table is None else table[old[s]] for s, table in zip(self.source, self.table, strict=True)]


def deeds(rules: Sequence[Rule]) -> tuple[list[int], list[Rule]]:
    """Return for each rule the number of what it does on its cells, and for each number the first such rule.

    Many rules differ only in their names and cells: a move is possible at many places. What does not depend on the
    cells is computed once for all of them.
    """
    numbers: dict[object, int] = {}
    found: list[int] = []
    first: list[Rule] = []
    for rule in paced(rules):
        number = numbers.setdefault((rule.need, rule.source, rule.table), len(first))
        if number == len(first):
            first.append(rule)
        found.append(number)
    return found, first


def check_rules(rules: Sequence[Rule], cells: int, symbols: int) -> None:
    """Raise ModelError if a rule does not fit a board of so many cells, and symbols below `symbols`."""
    numbers, first = kept(rules, deeds)
    checked = [False] * len(first)
    for number, rule in zip(numbers, paced(rules), strict=True):
        width = len(rule.cells)
        if len(set(rule.cells)) < width or (width and (min(rule.cells) < 0 or max(rule.cells) >= cells)):
            raise ModelError(f"rule {rule.name}: expected different cells below {cells}, found {rule.cells}")
        if not len(rule.need) == len(rule.source) == len(rule.table) == width:
            raise ModelError(f"rule {rule.name}: expected one need, source and table for each of its {width} cells")
        if not checked[number]:
            _check_deed(rule, symbols)
            checked[number] = True


def _check_deed(rule: Rule, symbols: int) -> None:
    where, width = f"rule {rule.name}", len(rule.cells)
    if not _are_needs(rule.need, symbols):
        raise ModelError(f"{where}: expected needs that allow some of {symbols} symbols, found {rule.need}")
    if width and (min(rule.source) < 0 or max(rule.source) >= width):
        raise ModelError(f"{where}: expected sources below {width}, found {rule.source}")
    for table in rule.table:
        if table is not None and (len(table) != symbols or min(table) < 0 or max(table) >= symbols):
            raise ModelError(f"{where}: expected tables of {symbols} symbols below {symbols}, found {table}")


def _are_needs(needs: tuple[int, ...], symbols: int) -> bool:
    """Return whether each need allows some symbol, and no symbol that does not exist."""
    return all(need == ANY or 0 < need < 1 << symbols for need in needs)


@lru_cache(1 << 12)
def constant(symbol: int, symbols: int) -> tuple[int, ...]:
    """Return the table that maps every symbol to one; rules share it."""
    return (symbol,) * symbols


def symbols_of(need: int) -> Iterator[int]:
    """Yield the symbols of a set."""
    most = need.bit_length() if need >= 0 else 256  # ANY and complements are negative
    return (symbol for symbol in range(most) if need >> symbol & 1)
