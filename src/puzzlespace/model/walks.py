"""Walks of one player, found cell by cell: `Model` asks for them if its free rules are steps of a player."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

Tests = tuple[tuple[int, int], ...]
"""Cells of a rule, each with its need."""


@dataclass(frozen=True)
class PlayerWalks:
    """The steps of a player to blank cells, and the rules that need it in a certain cell.

    steps  for each cell the (cell, rule) of the steps from there, in the order of the free rules
    rules  for each cell the other rules that need the player there, each with the tests of its other cells
    """

    player: int
    blank: int
    steps: tuple[tuple[tuple[int, int], ...], ...]
    rules: tuple[tuple[tuple[int, Tests], ...], ...]

    def reached(self, position: bytes, first: int) -> dict[int, int]:
        """Return the cells that the player reaches from its cell `first`, nearest first, each with the step there."""
        blank, steps = self.blank, self.steps
        found, board = {first: -1}, bytearray(position)
        layer = [first]
        for cell in layer:
            for other, number in steps[cell]:
                if board[other] == blank:
                    board[other] = self.player
                    found[other] = number
                    layer.append(other)
        return found

    def settled(self, position: bytes) -> bytes:
        """Return the least position that the player can walk to."""
        first = position.index(self.player)
        reached = self.reached(position, first)
        last = max(reached) if self.player > self.blank else min(reached)
        return position if last == first else self.at(self.bare(position, first), last)

    def bare(self, position: bytes, first: int) -> bytes:
        """Return the position without the player, who is in the cell `first`."""
        return position[:first] + bytes([self.blank]) + position[first + 1 :]

    def at(self, bare: bytes, cell: int) -> bytes:
        """Return a position without a player with it in a cell."""
        return bare[:cell] + bytes([self.player]) + bare[cell + 1 :]

    def applying(self, bare: bytes, reached: dict[int, int]) -> Iterator[tuple[int, list[int]]]:
        """Yield (cell of the player, rules) for all rules but steps that apply after a walk, the nearest cell first."""
        for cell in reached:
            found: list[int] = []
            for number, tests in self.rules[cell]:
                for other, need in tests:
                    if not need >> bare[other] & 1:
                        break
                else:
                    found.append(number)
            if found:
                yield cell, found
