"""What an action of a task needs and does, and the facts about symbols that never change."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from ..model.rule import Rule, single_symbol, symbols_of
from ..model.sentence import Needs

Term = int | str
"""A symbol by its number, or a parameter such as `?a2`."""

Fact = tuple[str, tuple[Term, ...]]
"""A fact about symbols that never changes: the name of a predicate and its terms."""

READY = 0
"""The phase in which a move begins."""


@dataclass(frozen=True)
class TaskAction:
    """An action of the task.

    title    the name of the rule for people
    before   the phase in which it is possible; after: the phase that it leads to
    shows    cells, each with the symbol that it must show
    facts    facts about its symbols
    writes   cells, each with its old and its new symbol
    depends  cells whose new symbol depends on what another shows: (cell, the other, new symbol by old); only of a rule
             with too many cases for parameters
    bars     cells, each with a symbol that it must not show
    finishes  whether it tells that the goal is reached
    """

    title: str
    cost: int = 0
    before: int = READY
    after: int = READY
    shows: tuple[tuple[int, Term], ...] = ()
    facts: tuple[Fact, ...] = ()
    writes: tuple[tuple[int, Term, Term], ...] = ()
    depends: tuple[tuple[int, int, tuple[int, ...]], ...] = ()
    bars: tuple[tuple[int, int], ...] = ()
    finishes: bool = False

    @property
    def parameters(self) -> list[str]:
        """The parameters, in order."""
        terms = [symbol for _, symbol in self.shows] + [term for _, terms in self.facts for term in terms]
        return list(dict.fromkeys(term for term in terms if isinstance(term, str)))


@dataclass
class Facts:
    """The facts about symbols that never change, by predicates with numbers: sets of symbols, and relations."""

    symbols: int
    sets: dict[int, str] = field(default_factory=dict[int, str])
    tables: dict[tuple[int, ...], str] = field(default_factory=dict[tuple[int, ...], str])
    compares: set[str] = field(default_factory=set[str])

    @property
    def every(self) -> int:
        """The set of all symbols."""
        return (1 << self.symbols) - 1

    def in_set(self, need: int, term: str) -> Fact:
        """Return the fact that a symbol is in a set."""
        return self.sets.setdefault(need, f"in-{len(self.sets) + 1}"), (term,)

    def turns(self, table: tuple[int, ...], old: str, new: str) -> Fact:
        """Return the fact that a table maps one symbol to another."""
        return self.tables.setdefault(table, f"turns-{len(self.tables) + 1}"), (old, new)

    def compared(self, name: str, one: str, other: str) -> Fact:
        """Return the fact that two symbols are the `same`, or `other`."""
        self.compares.add(name)
        return name, (one, other)

    def true(self) -> Iterator[Fact]:
        """Yield all facts that are true, for the initial state."""
        for need, name in self.sets.items():
            yield from ((name, (symbol,)) for symbol in symbols_of(need))
        for table, name in self.tables.items():
            yield from ((name, pair) for pair in enumerate(table))
        every = range(self.symbols)
        if "same" in self.compares:
            yield from (("same", (symbol, symbol)) for symbol in every)
        if "other" in self.compares:
            yield from (("other", (one, two)) for one in every for two in every if one != two)

    def predicates(self) -> Iterator[tuple[str, int]]:
        """Yield the name of each predicate and the number of its terms."""
        yield from ((name, 1) for name in self.sets.values())
        yield from ((name, 2) for name in (*self.tables.values(), *sorted(self.compares)))


@dataclass(frozen=True)
class Slot:
    """A cell that a rule tests or writes.

    allowed  the set of symbols that it may show; old: its symbol before
    source   the slot whose symbol decides the new one, and the new symbol by it; None if the cell is not written
    """

    cell: int
    allowed: int
    source: int
    table: tuple[int, ...] | None

    @property
    def old(self) -> Term:
        found = single_symbol(self.allowed)
        return f"?c{self.cell}" if found is None else found


class RuleActions:
    """The actions of one rule."""

    def __init__(self, rule: Rule, facts: Facts) -> None:
        self.rule, self.facts = rule, facts
        identity = tuple(range(facts.symbols))
        self.slots: list[Slot] = []
        for number, (cell, need, source, table) in enumerate(
            zip(rule.cells, rule.need, rule.source, rule.table, strict=True)
        ):
            allowed = need & facts.every
            kept = source == number and all((table or identity)[symbol] == symbol for symbol in symbols_of(allowed))
            self.slots.append(Slot(cell, allowed, source, None if kept else table or identity))

    @property
    def written(self) -> list[Slot]:
        return [slot for slot in self.slots if slot.table is not None]

    @property
    def bindings(self) -> int:
        """The number of cases that the parameters have."""
        found = 1
        for slot in self._read:
            found *= slot.allowed.bit_count()
        return found

    @property
    def _read(self) -> list[Slot]:
        """The slots whose symbols must be known."""
        sources = {slot.source for slot in self.written}
        return [
            slot
            for number, slot in enumerate(self.slots)
            if slot.table is not None or number in sources or slot.allowed != self.facts.every
        ]

    def with_parameters(self) -> TaskAction:
        """Return one action, with a parameter for each cell that may show several symbols."""
        shows = tuple([(slot.cell, slot.old) for slot in self._read])
        facts = [
            self.facts.in_set(slot.allowed, slot.old)
            for slot in self._read
            if isinstance(slot.old, str) and slot.allowed != self.facts.every
        ]
        writes: list[tuple[int, Term, Term]] = []
        for slot in self.written:
            new, fact = self._new(slot)
            facts += fact
            writes.append((slot.cell, slot.old, new))
        return TaskAction(self.rule.name, shows=shows, facts=tuple(facts), writes=tuple(writes))

    def _new(self, slot: Slot) -> tuple[Term, list[Fact]]:
        """Return the new symbol of a cell, and the fact that determines it."""
        source, table = self.slots[slot.source], slot.table
        assert table is not None
        images = {table[symbol] for symbol in symbols_of(source.allowed)}
        if len(images) == 1:
            return images.pop(), []
        old = source.old
        assert isinstance(old, str)
        if all(table[symbol] == symbol for symbol in symbols_of(source.allowed)):
            return old, []
        new = f"?n{slot.cell}"
        return new, [self.facts.turns(table, old, new)]

    def with_conditions(self) -> TaskAction:
        """Return one action whose effects depend on what cells show, without parameters."""
        shows = [(slot.cell, slot.old) for slot in self.slots if isinstance(slot.old, int)]
        bars = [
            (slot.cell, symbol)
            for slot in self.slots
            if not isinstance(slot.old, int)
            for symbol in symbols_of(self.facts.every & ~slot.allowed)
        ]
        depends = [(slot.cell, self.slots[slot.source].cell, slot.table) for slot in self.slots if slot.table]
        return TaskAction(self.rule.name, shows=tuple(shows), bars=tuple(bars), depends=tuple(depends))

    def changing(self) -> list[TaskAction]:
        """Return actions that are possible exactly if the rule applies and changes the position."""
        action = self.with_parameters()
        if any(self._differs(slot) for slot in self.written):
            return [action]
        found = [self._compared(action, slot, "other") for slot in self.written]
        return [each for each in found if each is not None]

    def idle(self) -> list[TaskAction]:
        """Return actions without effects that are possible exactly if the rule does not change the position."""
        found = list(outside(dict(zip(self.rule.cells, self.rule.need, strict=True)), self.facts, self.rule.name))
        action: TaskAction | None = self.with_parameters()
        for slot in self.written:
            action = action and self._compared(action, slot, "same")
        return found if action is None else [*found, replace(action, writes=())]

    def _differs(self, slot: Slot) -> bool:
        """Return whether the new symbol of a cell is never its old one."""
        source, table = self.slots[slot.source], slot.table
        assert table is not None
        if source is slot:
            return all(table[symbol] != symbol for symbol in symbols_of(slot.allowed))
        return not slot.allowed & sum({1 << table[symbol] for symbol in symbols_of(source.allowed)})

    def _compared(self, action: TaskAction, slot: Slot, name: str) -> TaskAction | None:
        """Return the action if the new symbol of a cell is the `same` as the old one, or `other`; None if it cannot."""
        (new, _), old = self._new(slot), slot.old
        if old == new or (isinstance(old, int) and isinstance(new, int)):
            return action if (old == new) == (name == "same") else None
        if isinstance(old, str) and isinstance(new, str):
            return replace(action, facts=(*action.facts, self.facts.compared(name, old, new)))
        term, symbol = (old, new) if isinstance(old, str) else (new, old)
        assert isinstance(term, str)
        assert isinstance(symbol, int)
        need = 1 << symbol if name == "same" else self.facts.every & ~(1 << symbol)
        return replace(action, facts=(*action.facts, self.facts.in_set(need, term)))


def outside(needs: Needs, facts: Facts, title: str) -> Iterator[TaskAction]:
    """Yield actions that are possible exactly if a cell does not show what it needs."""
    for cell, need in needs.items():
        others = facts.every & ~need
        symbol = single_symbol(others)
        if symbol is not None:
            yield TaskAction(title, shows=((cell, symbol),))
        elif others:
            yield TaskAction(title, shows=((cell, f"?c{cell}"),), facts=(facts.in_set(others, f"?c{cell}"),))


def inside(needs: Needs, facts: Facts, title: str) -> TaskAction:
    """Return an action that is possible exactly if every cell shows what it needs."""
    asked = {cell: need & facts.every for cell, need in needs.items() if need & facts.every != facts.every}
    terms = {cell: single_symbol(need) for cell, need in asked.items()}
    shows = tuple([(cell, f"?c{cell}" if symbol is None else symbol) for cell, symbol in terms.items()])
    some = [facts.in_set(asked[cell], term) for cell, term in shows if isinstance(term, str)]
    return TaskAction(title, shows=shows, facts=tuple(some))
