"""A net that finds the rules that may apply to a position, if there are too many to try all with the right trigger.

Its nodes look at one cell each (Forgy, "Rete: a fast algorithm for the many pattern/many object pattern match problem",
Artificial Intelligence 19, 1982). They look only for symbols that a rule needs exactly; what else it needs is tested
when it is tried. `kernels.packed.expand_wide.expand_rows` describes the nodes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import chain

from ...limits.watch import checkpoint, paced
from .positions import PackedRule, Packing

Place = tuple[int, int]
"""A word, and the shift of a cell in it."""

Tests = dict[Place, int]
"""The symbols that a rule needs exactly."""

NODE = 4
"""The numbers of a node before its nodes for each symbol."""


@dataclass
class Net:
    """The nodes, and for each slot its rules, as indices."""

    symbols: int
    nodes: list[int] = field(default_factory=lambda: [0])
    slots: list[list[int]] = field(default_factory=list)

    def add(self, link: int, rule: int, tests: Tests) -> None:
        """Add the nodes for one rule alone; `link` is where their first one is written."""
        for place in sorted(tests, reverse=True):
            self.nodes[link] = node = len(self.nodes)
            self.nodes += *place, 0, -1, *[0] * self.symbols
            link = node + NODE + tests[place]
        self.nodes[link] = len(self.nodes)
        self.nodes += -1, 0, 0, len(self.slots)
        self.slots.append([rule])

    def visited(self, words: Sequence[int], mask: int) -> int:
        """Return how many nodes and rules are looked at for the words of a position."""
        count, pending = 0, [1]
        while pending:
            word, shift, after, slot = self.nodes[pending[-1] : pending[-1] + NODE]
            node = pending.pop()
            count += 1 + (len(self.slots[slot]) if slot >= 0 else 0)
            further = self.nodes[node + NODE + (words[word] >> shift & mask)] if word >= 0 else 0
            pending += [each for each in (after, further) if each]
        return count


def net_of(packed: Sequence[PackedRule], packing: Packing) -> Net:
    """Return the net of some rules."""
    net = Net(1 << packing.width)
    tests = [dict(rule.demand.exact) for rule in paced(packed)]
    pending: list[tuple[int, list[int], list[Tests]]] = [(0, list(range(len(packed))), tests)]
    while pending:
        checkpoint()
        link, rules, tests = pending.pop()
        if len(rules) == 1:
            net.add(link, rules[0], tests[0])
            continue
        net.nodes[link] = node = len(net.nodes)
        here = [rule for rule, test in zip(rules, tests, strict=True) if not test]
        slot = len(net.slots) if here else -1
        if here:
            net.slots.append(here)
        wanted = Counter(chain.from_iterable(tests))
        if not wanted:
            net.nodes += -1, 0, 0, slot
            continue
        place = max(wanted.items(), key=_most)[0]
        net.nodes += *place, 0, slot, *[0] * net.symbols
        groups: dict[int, tuple[list[int], list[Tests]]] = {}
        for rule, test in zip(rules, paced(tests), strict=True):
            if test:
                symbol = test.pop(place, -1)  # it is tested here
                group = groups.setdefault(symbol, ([], []))
                group[0].append(rule)
                group[1].append(test)
        for symbol, group in groups.items():
            pending.append((node + NODE + symbol if symbol >= 0 else node + 2, *group))
    net.nodes[0] = 0
    return net


def _most(wanted: tuple[Place, int]) -> tuple[int, Place]:
    place, count = wanted
    return count, place
