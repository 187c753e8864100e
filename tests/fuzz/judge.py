"""The right answers, by textbook breadth-first search from moves and goals."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from puzzlespace.model.model import Model

Ways = dict[bytes, int]
"""The positions one move away, each with the number of different moves that lead there."""


class TooLargeError(Exception):
    """There are more positions than a random puzzle should have."""


class Judge:
    """Answers from `moves` and `is_goal` alone, by breadth-first search over dictionaries.

    moves  returns the positions one move away, with how many moves lead there
    back   returns the positions from which one move leads here; None if unknown
    most   the most positions
    """

    def __init__(
        self,
        moves: Callable[[bytes], Ways],
        is_goal: Callable[[bytes], bool],
        back: Callable[[bytes], Iterable[bytes]] | None,
        most: int = 4000,
    ) -> None:
        self._moves, self.is_goal, self.back, self.most = moves, is_goal, back, most
        self._known: dict[bytes, Ways] = {}

    def moves(self, position: bytes) -> Ways:
        """Return the positions one move away."""
        if position not in self._known:
            if len(self._known) > self.most:
                raise TooLargeError
            self._known[position] = self._moves(position)
        return self._known[position]

    def layers(self, sources: Iterable[bytes], back: bool = False) -> list[set[bytes]]:
        """Return the positions by their distance from the nearest source (back: to it)."""
        assert not back or self.back is not None
        layer = set(sources)
        seen, found = set(layer), []
        while layer:
            found.append(layer)
            if len(seen) > self.most:
                raise TooLargeError
            step = self.back if back else self.moves
            layer = {child for position in layer for child in step(position)} - seen  # type: ignore[misc]
            seen |= layer
        return found

    def depth_of(self, sources: Iterable[bytes], back: bool = False) -> dict[bytes, int]:
        """Return the distance of every position from the nearest source (back: to it)."""
        return {p: depth for depth, layer in enumerate(self.layers(sources, back)) for p in layer}

    def to_goal(self, start: bytes) -> dict[bytes, int]:
        """Return the distance to the nearest goal of every position that the start reaches and that reaches a goal."""
        reached = self.depth_of([start])
        before: dict[bytes, list[bytes]] = {p: [] for p in reached}
        for position in reached:
            for child in self.moves(position):
                before[child].append(position)
        layer = [p for p in reached if self.is_goal(p)]
        found = dict.fromkeys(layer, 0)
        depth = 0
        while layer:
            depth += 1
            layer = list({p for child in layer for p in before[child] if p not in found})
            found.update(dict.fromkeys(layer, depth))
        return found

    def solutions(self, start: bytes, left: dict[bytes, int]) -> int:
        """Return how many shortest solutions there are; `left` is `to_goal`."""
        ways = {start: 1}
        for depth in range(left[start], 0, -1):
            following: Ways = {}
            for position, count in ways.items():
                for child, times in self.moves(position).items():
                    if left.get(child) == depth - 1:
                        following[child] = following.get(child, 0) + count * times
            ways = following
        return sum(ways.values())

    def best(self, position: bytes, left: dict[bytes, int]) -> set[bytes]:
        """Return the positions after the best moves."""
        here = left.get(position, 0)
        return {child for child in self.moves(position) if here and left.get(child) == here - 1}


def of_model(model: Model, most: int = 4000) -> Judge:
    """Return the judge of a model: it takes the moves and goals from the package."""

    def moves(position: bytes) -> Ways:
        return {child: len(paths) for child, paths in model.ways(position).items()}

    before = model.backward
    return Judge(moves, model.is_goal, None if before is None else lambda p: before.moves(p), most)


def walk(judge: Judge, path: Iterable[bytes]) -> Iterator[str]:
    """Yield the errors in a path of positions."""
    path = list(path)
    for number, (a, b) in enumerate(zip(path, path[1:], strict=False), 1):
        if b not in judge.moves(a):
            yield f"move {number} from {list(a)} to {list(b)} is not a move"
    if not judge.is_goal(path[-1]):
        yield f"the end {list(path[-1])} is no goal"
