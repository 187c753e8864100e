"""Free rules, which cost nothing: the positions that they lead to, and the moves that can be made from these."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cached_property

from ..limits.watch import checkpoint, paced
from .effects import canonical, inverse
from .rule import Rule, single_symbols
from .trying import Candidates
from .walks import PlayerWalks, Tests

MOST_SETTLED = 1 << 16
"""About the most positions for which the one that stands for them is kept: some megabytes."""

Step = tuple[int, bytes]
"""A rule and the position after it."""

Departure = tuple[bytes, Callable[[], tuple[int, ...]], list[Step]]
"""A position that free rules lead to, what returns these rules, and the other rules that change the position."""


class FreeRules:
    """The free rules of a model.

    free        their numbers among the rules
    candidates  see `trying.candidates`
    applied     returns the position after the rule with a number, or None
    """

    def __init__(
        self, rules: Sequence[Rule], free: Sequence[int], cells: int, symbols: int, candidates: Candidates,
        applied: Callable[[int, bytes], bytes | None],
    ) -> None:  # fmt: skip
        self.rules, self.free, self.cells, self.symbols = rules, free, cells, symbols
        self.candidates, self.applied = candidates, applied
        self.all_free = frozenset(free)
        self.recently: dict[bytes, bytes] = {}

    def departures(self, position: bytes, steps: Callable[[bytes], list[Step]]) -> tuple[bytes, Iterator[Departure]]:
        """Return the position that stands for this one, and from where moves go after free rules, nearest first.

        steps  returns the rules that change a position
        """
        if self._is_walked(position):
            return self._player_departures(position)
        walks = self.walks(position)

        def each() -> Iterator[Departure]:
            for here, walk in walks.items():
                yield here, lambda walk=walk: walk, [step for step in steps(here) if step[0] not in self.all_free]

        return min(walks), each()

    def _player_departures(self, position: bytes) -> tuple[bytes, Iterator[Departure]]:
        """Do what `departures` does, for a position with one player who walks."""
        checkpoint()
        player = self._player
        assert player is not None
        first = position.index(player.player)
        bare, reached = player.bare(position, first), player.reached(position, first)
        own = player.at(bare, max(reached) if player.player > player.blank else min(reached))

        def each() -> Iterator[Departure]:
            for cell, numbers in player.applying(bare, reached):
                here = player.at(bare, cell)
                after = [(number, self.applied(number, here)) for number in numbers]
                steps = [(number, child) for number, child in after if child is not None and child != here]
                yield here, lambda cell=cell: self._walk(cell, reached), steps

        return own, each()

    def _walk(self, cell: int, reached: dict[int, int]) -> tuple[int, ...]:
        """Return the steps to a cell that `PlayerWalks.reached` found."""
        steps: list[int] = []
        while reached[cell] >= 0:
            steps.append(reached[cell])
            motion = self.rules[reached[cell]].motion
            assert motion is not None
            cell = motion.origin
        return tuple(reversed(steps))

    def walks(self, position: bytes) -> dict[bytes, tuple[int, ...]]:
        """Return the positions that free rules lead to, nearest first, each with a shortest sequence of these rules."""
        found: dict[bytes, tuple[int, ...]] = {position: ()}
        walking, by_cell = self._walkers
        layer = [position]
        for here in layer:
            checkpoint()
            for cell, symbol in enumerate(here):
                for number in by_cell[cell] if walking >> symbol & 1 else ():
                    child = self.applied(number, here)
                    if child is not None and child not in found:
                        found[child] = (*found[here], number)
                        layer.append(child)
        return found

    def settled(self, position: bytes) -> bytes:
        """Return the position that stands for all that free rules lead to from this one: the least of them."""
        known = self.recently
        least = known.get(position)
        if least is None and self._is_walked(position):
            assert self._player is not None
            if len(known) > MOST_SETTLED:
                known.clear()
            least = known[position] = self._player.settled(position)
        if least is None:
            walked = self.walks(position)
            least = min(walked)
            if len(known) > MOST_SETTLED:
                known.clear()
            known.update(dict.fromkeys(walked if self._walks_back else (position,), least))
        return least

    @cached_property
    def _walks_back(self) -> bool:
        """Whether a free rule undoes each free rule: then all positions of a walk have the same least one."""
        rules = [self.rules[number] for number in self.free]
        known = {canonical(rule, self.symbols) for rule in paced(rules)}
        back = [inverse(rule, self.symbols) for rule in paced(rules)]
        return all(rule is not None and canonical(rule, self.symbols) in known for rule in back)

    def _is_walked(self, position: bytes) -> bool:
        """Return whether the free rules are steps of the one player of the position."""
        return self._player is not None and position.count(self._player.player) == 1

    @cached_property
    def _player(self) -> PlayerWalks | None:
        """The walks of a player, or None if free rules are others, or some rule does not need a certain player."""
        steps: list[list[tuple[int, int]]] = [[] for _ in range(self.cells)]
        others: list[list[tuple[int, Tests]]] = [[] for _ in range(self.cells)]
        moved = {self._stepping(self.rules[number]) for number in self.free}
        player, blank = moved.pop() or (None, None) if len(moved) == 1 else (None, None)
        if player is None or blank is None:
            return None
        for number in self.free:
            motion = self.rules[number].motion
            assert motion is not None
            steps[motion.origin].append((motion.target, number))
        always, triggered = self.candidates
        by_cell = dict(triggered).get(player, ())
        if always or any(any(cells) for symbol, cells in triggered if symbol != player):
            return None
        for cell, numbers in enumerate(by_cell):
            for number in numbers:
                if number not in self.all_free:
                    tests = zip(self.rules[number].cells, self.rules[number].need, strict=True)
                    others[cell].append((number, tuple(test for test in tests if test[0] != cell)))
        return PlayerWalks(player, blank, tuple(map(tuple, steps)), tuple(map(tuple, others)))

    @staticmethod
    def _stepping(rule: Rule) -> tuple[int, int] | None:
        """Return (player, blank) if the rule moves a player into a blank cell, else None."""
        if rule.motion is None or len(rule.cells) != 2:
            return None
        old = single_symbols(rule.need)
        if len(old) != 2 or old[0] == old[1] or rule.written(old) != old[::-1]:
            return None
        player, blank = (old[rule.cells.index(cell)] for cell in (rule.motion.origin, rule.motion.target))
        return player, blank

    @cached_property
    def _walkers(self) -> tuple[int, tuple[tuple[int, ...], ...]]:
        """The symbols that free rules move, and the numbers of these rules by the cell that they leave."""
        by_cell: list[list[int]] = [[] for _ in range(self.cells)]
        walking = 0
        for number in self.free:
            rule = self.rules[number]
            assert rule.motion is not None
            by_cell[rule.motion.origin].append(number)
            walking |= rule.need[rule.cells.index(rule.motion.origin)]
        return walking, tuple(map(tuple, by_cell))
