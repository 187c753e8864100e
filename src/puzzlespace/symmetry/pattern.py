"""What a symmetry must preserve, in a form that can be compared: rules, metric, goals, start, and placements of blocks.

Terms of this file: an *atom* is what a cell can show. For pieces of one cell it is the symbol. A block shows one atom
in all its cells, its *pose*: symbol and set of cells. So the image of a block under a mirror symmetry is a pose too,
although another of its cells may then be the first in reading order.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence
from typing import Any

from ..errors import UnsupportedError
from ..limits.watch import paced
from ..model.effects import canonical
from ..model.facts import symbol_classes
from ..model.goal import Goal
from ..model.model import Model
from ..model.sentence import Sentence
from ..model.shapes import Shapes
from .group import Symmetry
from .happening import Joined, joined_rules
from .sentences import form, leaves

Row = tuple[int, int, bool, int, int]
"""The effect of a rule on one cell: (cell, mask, carried, atom written or cell read, map); masks and maps by number."""

View = tuple[str, frozenset[tuple[int, int]], frozenset[tuple[int, int]], Sentence | None]
"""A set of positions that a symmetry must preserve: ('start' or 'goal', (cell, mask) pairs, (symbol, count) pairs, what
else is true of them)."""


class UnclearError(Exception):
    """The rules or the metric of a model cannot be compared: it is not clear which block or chain is meant."""


class Pattern:
    """A model in a form that can be compared with its image under a renaming.

    poses      (symbol, cells) of every placement of a block; atom `symbols + k` is pose k
    masks      sets of allowed atoms, numbered
    maps       sets of (old atom, new atom), numbered
    rules      every different rule (its rows, and its role, see `_roles`), numbered
    after      after[rule]: the rules that may follow within a move
    written    written[rule]: the model's rules with the same effect
    chains     the longest chains of rules that make one move, each with the model's rules; empty unless the same rule
               is part of several lines
    joined     what happens by itself, see `happening`
    laws       the sentences that are forbidden
    views      the goals, and the start if it must be preserved
    stock      a number for every symbol, which its image must share
    """

    def __init__(self, model: Model, start: bool) -> None:
        self.model = model
        self.cells, self.symbols = model.cells, model.symbols
        self.body = model.shapes.body if model.shapes else -1
        self.first = _firsts(model.shapes) if model.shapes else {}
        self.poses = [key for key in self.first if len(key[1]) > 1]
        self._atom = {key: model.symbols + number for number, key in enumerate(self.poses)}
        self.masks: dict[frozenset[int], int] = {}
        self.maps: dict[frozenset[tuple[int, int]], int] = {}
        self.laws = [law.sentence for law in model.metric.laws]
        if model.shapes is not None and (self.laws or any(goal.sentence is not None for goal in model.goals)):
            raise UnclearError("a sentence does not determine which blocks it means")
        keys = [
            (frozenset(self._rows(canonical(each, model.symbols))), role)
            for each, role in zip(paced(model.rules), _roles(model), strict=True)
        ]
        self.rules = {key: number for number, key in enumerate(dict.fromkeys(keys))}
        self.written: list[list[int]] = [[] for _ in self.rules]
        for number, key in enumerate(keys):
            self.written[self.rules[key]].append(number)
        numbers = [self.rules[key] for key in keys]
        self.after, plain = self._after(numbers)
        self.chains = {} if plain else _chains(numbers, model.followers)
        self.joined = joined_rules(model, numbers)
        self.views = {self._view("goal", goal) for goal in model.goals}
        if start and model.start is not None:
            self.views.add(self._view("start", Goal.exactly(model.start)))
        self.stock = self._stock()
        sets = [*self.masks, *self.maps, *(rows for rows, _ in self.rules), *self.after]
        said = sum(len(leaf.cells()) for sentence in self.sentences for leaf in leaves(sentence, self.symbols))
        self.size = self.cells + self.symbols + len(self.poses) + sum(map(len, sets)) + said
        self._forms = self._said(range(self.cells), range(self.symbols))

    @property
    def sentences(self) -> list[Sentence]:
        """All sentences of laws and goals."""
        return [*self.laws, *(sentence for *_, sentence in self.views if sentence is not None)]

    def _said(self, cells: Sequence[int], symbols: Sequence[int]) -> frozenset[Hashable]:
        """Return the laws under a renaming."""
        return frozenset([form(law, cells, symbols) for law in self.laws])

    def _stock(self) -> list[int]:
        """Return for each symbol the number of pieces of its class, which a symmetry must preserve."""
        classes = symbol_classes(self.model.rules, self.symbols)
        stock = Counter(classes[symbol] for symbol in self.model.start or b"")
        return [-1 if symbol == self.body else stock[label] for symbol, label in enumerate(classes)]

    def _after(self, numbers: Sequence[int]) -> tuple[list[frozenset[int]], bool]:
        """Return the rules that may follow each, and whether rules of equal effect have equal followers."""
        found: list[set[int]] = [set() for _ in self.rules]
        plain = True
        for number, after in zip(numbers, paced(self.model.followers), strict=True):
            found[number] |= {numbers[rule] for rule in after}
        for number, after in zip(numbers, paced(self.model.followers), strict=True):
            plain = plain and found[number] == {numbers[rule] for rule in after}
        return list(map(frozenset, found)), plain

    def _mask(self, atoms: frozenset[int]) -> int:
        return self.masks.setdefault(atoms, len(self.masks))

    def _rows(self, rule: Sequence[Any]) -> list[Row]:
        """Return the rows of a rule, without those that neither need nor change anything."""
        shown = {cell: allowed for cell, allowed, _ in rule}
        put = {cell: (effect[1],) for cell, _, effect in rule if effect[0] == "put"}
        before, later = self._posed(shown), self._posed(put)
        rows: list[Row] = []
        for cell, allowed, effect in rule:
            mask = self._allowed(cell, allowed, before)
            if self.model.shapes and len(allowed) == self.symbols:
                raise UnclearError("a rule allows anything in a cell, parts of blocks too")
            if effect[0] == "put":
                (atom,) = self._allowed(cell, effect[1:], later)
                rows.append((cell, self._mask(mask), False, atom, 0))
            elif len(mask) < self.symbols or effect[1] != cell or any(old != new for old, new in effect[2]):
                number = self.maps.setdefault(frozenset(effect[2]), len(self.maps))
                rows.append((cell, self._mask(mask), True, effect[1], number))
        for cell in (before.keys() | later.keys()) - shown.keys():
            if cell not in before or cell not in later:
                raise UnclearError("a rule moves only a part of a block")
            rows.append((cell, self._mask(frozenset({before[cell]})), False, later[cell], 0))
        return rows

    def _posed(self, shown: dict[int, tuple[int, ...]]) -> dict[int, int]:
        """Return the atom in every cell of the blocks whose first cells are known."""
        found: dict[int, int] = {}
        shapes = self.model.shapes
        for cell, symbols in shown.items() if shapes else ():
            covered = shapes.covers[symbols[0]][cell] if shapes and len(symbols) == 1 else ()
            if covered and symbols[0] != self.body:
                cells = frozenset({cell, *covered})
                found |= dict.fromkeys(cells, self._atom[symbols[0], cells])
        return found

    def _allowed(self, cell: int, symbols: Sequence[int], posed: dict[int, int]) -> frozenset[int]:
        """Return the atoms allowed in a cell; raise UnclearError for a part of a block that may belong to several."""
        if cell in posed:
            if self.body not in symbols and tuple(symbols) != (self.poses[posed[cell] - self.symbols][0],):
                raise UnclearError("a rule needs a block and something else in one of its cells")
            return frozenset({posed[cell]})
        if len(symbols) < self.symbols and self.model.shapes:
            spread = [symbol == self.body or any(self.model.shapes.covers[symbol]) for symbol in symbols]
            if any(spread):
                raise UnclearError("a rule or goal does not determine which block it needs")
        return frozenset(symbols)

    def _view(self, kind: str, goal: Goal) -> View:
        shown = {cell: tuple(s for s in range(self.symbols) if need >> s & 1) for cell, need in enumerate(goal.need)}
        posed = self._posed(shown)
        allowed = {cell: self._allowed(cell, symbols, posed) for cell, symbols in shown.items()}
        wanted = frozenset((cell, self._mask(atoms)) for cell, atoms in allowed.items() if len(atoms) < self.symbols)
        return kind, wanted, frozenset(goal.counts), goal.sentence

    def symmetry(self, cells: Sequence[int], symbols: Sequence[int]) -> Symmetry | None:
        """Return the renaming as a symmetry if it preserves everything; None otherwise."""
        if any(self.stock[new] != self.stock[old] for old, new in enumerate(symbols)):
            return None
        try:
            atoms = [*symbols, *(self._atom[symbols[s], _image(cells, where)] for s, where in self.poses)]
            firsts = self._first_cells(cells, symbols)
            masks = [self.masks[_image(atoms, mask)] for mask in self.masks]
            maps = [self.maps[frozenset((atoms[a], atoms[b]) for a, b in each)] for each in self.maps]
            rules = [
                self.rules[self._renamed(rows, cells, atoms, masks, maps), role] for rows, role in paced(self.rules)
            ]
        except KeyError:
            return None
        if any(_image(rules, after) != self.after[rules[rule]] for rule, after in enumerate(self.after)):
            return None
        if self._said(cells, symbols) != self._forms or not self._keeps_happening(rules):
            return None
        kept = self._seen(range(self.cells), range(self.symbols), range(len(masks)))
        if self._seen(cells, symbols, masks) != kept or any(
            len(self.written[a]) != len(self.written[b]) for a, b in enumerate(rules)
        ):
            return None
        written = [pair for a, b in enumerate(rules) for pair in zip(self.written[a], self.written[b], strict=True)]
        if self.chains:
            images = {chain: tuple(rules[rule] for rule in chain) for chain in self.chains}
            if not self.chains.keys() >= set(images.values()):
                return None
            written = [p for a, b in images.items() for p in zip(self.chains[a], self.chains[b], strict=True)]
        pairs = sorted(written)
        return Symmetry(tuple(cells), tuple(symbols), tuple(new for _, new in pairs), firsts, self.body)

    def _seen(self, cells: Sequence[int], symbols: Sequence[int], masks: Sequence[int]) -> set[Hashable]:
        """Return the goals, and the start if it must be preserved, under a renaming."""
        return {
            (
                kind,
                frozenset((cells[c], masks[m]) for c, m in wanted),
                frozenset((symbols[s], n) for s, n in counts),
                None if sentence is None else form(sentence, cells, symbols),
            )
            for kind, wanted, counts, sentence in self.views
        }

    def _keeps_happening(self, rules: Sequence[int]) -> bool:
        """Return whether a renaming of the rules keeps what happens by itself."""
        images = Counter[Joined]()
        for stages, count in self.joined.items():
            images[tuple(tuple([rules[rule] for rule in stage]) for stage in stages)] += count
        return images == self.joined

    def _renamed(
        self, rows: frozenset[Row], cells: Sequence[int], atoms: Sequence[int], masks: list[int], maps: list[int]
    ) -> frozenset[Row]:
        return frozenset(
            (cells[c], masks[m], True, cells[x], maps[y]) if carried else (cells[c], masks[m], False, atoms[x], 0)
            for c, m, carried, x, y in rows
        )

    def _first_cells(self, cells: Sequence[int], symbols: Sequence[int]) -> tuple[tuple[int, ...], ...]:
        """Return Symmetry.firsts; raise KeyError if a piece cannot be in the image of its cells."""
        if not self.model.shapes:
            return ()
        table = [[-1] * self.cells for _ in range(self.symbols)]
        for (symbol, where), first in self.first.items():
            table[symbol][first] = self.first[symbols[symbol], _image(cells, where)]
        return tuple(map(tuple, table))


def _roles(model: Model) -> list[tuple[bool, int, tuple[int, ...]]]:
    """Return for each rule whether it is a listed move, what it counts, and in which stages it happens by itself."""
    stages: dict[int, tuple[int, ...]] = {}
    for number, stage in enumerate(model.metric.automatic):
        for rule in paced(stage.rules):
            stages[rule] = (*stages.get(rule, ()), number)
    costs = model.metric.costs or (1,) * len(model.rules)
    return [
        (rule.motion is None, 0 if number in stages else costs[number], stages.get(number, ()))
        for number, rule in enumerate(paced(model.rules))
    ]


def _chains(numbers: Sequence[int], followers: Sequence[tuple[int, ...]]) -> dict[tuple[int, ...], list[int]]:
    """Return the longest chains of rules that follow each other, with the numbers of the different rules as keys.

    Raises UnclearError if a rule follows or is followed by several rules, or if two chains are equal.
    """
    later = [rule for after in followers for rule in after]
    found: dict[tuple[int, ...], list[int]] = {}
    if len(set(later)) == len(later) and all(len(after) <= 1 for after in followers):
        for rule in set(range(len(numbers))) - set(later):
            chain = [rule]
            while followers[chain[-1]]:
                chain += followers[chain[-1]]
            found[tuple(numbers[each] for each in chain)] = chain
    if sum(map(len, found)) < len(numbers):
        raise UnclearError("two equal rules may be followed by different rules")
    return found


def _image(names: Sequence[int], items: frozenset[int]) -> frozenset[int]:
    return frozenset([names[item] for item in items])


def _firsts(shapes: Shapes) -> dict[tuple[int, frozenset[int]], int]:
    """Return the first cell of every placement of a piece, by (symbol, cells)."""
    found: dict[tuple[int, frozenset[int]], int] = {}
    for symbol, covers in enumerate(shapes.covers):
        for cell, covered in enumerate(covers):
            key = (symbol, frozenset({cell, *(covered or ())}))
            if covered is not None and symbol != shapes.body and found.setdefault(key, cell) != cell:
                raise UnsupportedError("symmetries: two first cells of a block cover the same cells")
    return found
