"""Colour refinement: partition cells and symbols into colours until the rules distinguish no two of the same colour.

A colour is a hash of neighbouring colours; it does not depend on how cells and symbols are numbered. A hash collision
costs time only, because every symmetry is checked.
"""

from __future__ import annotations

from ..limits.watch import paced
from .pattern import Pattern, Row
from .sentences import form, leaves, mentioned

Colours = list[int]
"""The colours of all cells, followed by those of all symbols."""


def first_colours(pattern: Pattern) -> Colours:
    """Return the initial colours: one for all cells, and for symbols one for each of `Pattern.stock`."""
    return [0] * pattern.cells + [hash((1, count)) for count in pattern.stock]


def marked(colours: Colours, point: int, link: int) -> Colours:
    """Return the colours with one cell or symbol fixed: its new colour depends on the link of the chain."""
    return [hash((colour, 2, link)) if other == point else colour for other, colour in enumerate(colours)]


def refine(pattern: Pattern, colours: Colours) -> tuple[Colours, int]:
    """Return the coarsest stable refinement of the colours, and the number of rounds."""
    rounds, count = 0, len(set(colours))
    while count < len(colours):
        rounds += 1
        finer = _Round(pattern, colours).colours()
        if len(set(finer)) == count:
            break
        colours, count = finer, len(set(finer))
    return colours, rounds


def _mixed(colours: list[int]) -> int:
    """Return the colour of a multiset of colours."""
    colours.sort()
    return hash(tuple(colours))


class _Round:
    """One round: colour every part of the pattern by its members, then every cell and symbol by its parts."""

    def __init__(self, pattern: Pattern, colours: Colours) -> None:
        self.pattern = pattern
        self.old = colours
        self.cell = colours[: pattern.cells]
        self.atom = colours[pattern.cells :]
        self.atom += [hash((self.atom[s], _mixed([self.cell[c] for c in where]))) for s, where in pattern.poses]
        self.mask = [_mixed([self.atom[a] for a in mask]) for mask in pattern.masks]
        self.map = [_mixed([hash((self.atom[a], self.atom[b], a == b)) for a, b in pairs]) for pairs in pattern.maps]
        self.cell_parts: list[list[int]] = [[] for _ in self.cell]
        self.atom_parts: list[list[int]] = [[] for _ in self.atom]
        self.mask_parts: list[list[int]] = [[] for _ in self.mask]
        self.map_parts: list[list[int]] = [[] for _ in self.map]

    def colours(self) -> Colours:
        self._rules()
        self._views()
        self._sentences()
        self._sets()
        pattern = self.pattern
        for number, (symbol, where) in enumerate(pattern.poses, pattern.symbols):
            colour = hash((self.atom[number], _mixed(self.atom_parts[number])))
            self.atom_parts[symbol].append(colour)
            for cell in where:
                self.cell_parts[cell].append(colour)
        parts = [*self.cell_parts, *self.atom_parts[: pattern.symbols]]
        return [hash((old, _mixed(each))) for old, each in zip(self.old, parts, strict=True)]

    def _rules(self) -> None:
        rows = [[self._row(row) for row in rule] for rule, _ in paced(self.pattern.rules)]
        roles = [role for _, role in self.pattern.rules]
        rules = [hash((_mixed(list(colours)), role)) for colours, role in zip(rows, roles, strict=True)]
        before: list[list[int]] = [[] for _ in rules]
        for rule, after in enumerate(self.pattern.after):
            for follower in after:
                before[follower].append(rules[rule])
        followed = [_mixed([rules[other] for other in after]) for after in self.pattern.after]
        rules = [hash((rule, then, _mixed(was))) for rule, then, was in zip(rules, followed, before, strict=True)]
        for rule, colours, (members, _) in zip(rules, rows, paced(self.pattern.rules), strict=True):
            for colour, (cell, mask, carried, what, table) in zip(colours, members, strict=True):
                part = hash((rule, colour))
                self.cell_parts[cell].append(part)
                self.mask_parts[mask].append(part)
                if carried:
                    self.cell_parts[what].append(hash((part, 3)))
                    self.map_parts[table].append(part)
                else:
                    self.atom_parts[what].append(part)

    def _row(self, row: Row) -> int:
        cell, mask, carried, what, table = row
        if carried:
            return hash((self.cell[cell], self.mask[mask], self.cell[what], what == cell, self.map[table]))
        return hash((self.cell[cell], self.mask[mask], self.atom[what]))

    def _views(self) -> None:
        for kind, wanted, counts, _ in self.pattern.views:
            colour = int(kind == "start")
            colour = hash((colour, _mixed([hash((self.cell[c], self.mask[m])) for c, m in wanted])))
            colour = hash((colour, _mixed([hash((self.atom[s], n)) for s, n in counts])))
            for cell, mask in wanted:
                self.cell_parts[cell].append(hash((colour, self.mask[mask])))
                self.mask_parts[mask].append(hash((colour, self.cell[cell])))
            for symbol, count in counts:
                self.atom_parts[symbol].append(hash((colour, count, 4)))

    def _sentences(self) -> None:
        atom = self.atom[: self.pattern.symbols]
        for sentence in self.pattern.sentences:
            whole = hash(form(sentence, self.cell, atom))
            for leaf in leaves(sentence, len(atom)):
                colour = hash((whole, form(leaf, self.cell, atom)))
                for cell, symbol, part in mentioned(leaf, self.cell, atom):
                    (self.cell_parts[cell] if symbol < 0 else self.atom_parts[symbol]).append(hash((colour, part)))

    def _sets(self) -> None:
        for mask, own, parts in zip(self.pattern.masks, self.mask, self.mask_parts, strict=True):
            colour = hash((own, _mixed(parts)))
            for atom in mask:
                self.atom_parts[atom].append(colour)
        for pairs, own, parts in zip(self.pattern.maps, self.map, self.map_parts, strict=True):
            colour = hash((own, _mixed(parts)))
            for old, new in pairs:
                self.atom_parts[old].append(hash((colour, 5, self.atom[new])))
                self.atom_parts[new].append(hash((colour, 6, self.atom[old])))
