"""All positions of a puzzle with the moves between them as lists: for Python without NumPy."""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from ..engines import program
from ..engines.program.layers import ProgramLayers
from ..limits.watch import Watch, paced
from ..model.model import Model


@dataclass(frozen=True)
class ListedGraph:
    """Positions and moves, as `positions.Graph` has them; the moves of a position are its list in `targets`.

    costs  for each target what the move counts; None if all moves count one
    """

    positions: list[bytes]
    layers: array[int]
    targets: list[list[int]]
    complete: bool
    costs: list[list[int]] | None = None

    def __len__(self) -> int:
        return len(self.layers)

    @cached_property
    def numbers(self) -> dict[bytes, int]:
        """The number of each position."""
        return {position: number for number, position in enumerate(self.positions)}

    @property
    def pairs(self) -> array[int]:
        """Every pair of positions that a move joins once, the lower number first, one pair after the other."""
        size, found = len(self), set[int]()
        for one, others in enumerate(paced(self.targets)):
            found.update([min(one, other) * size + max(one, other) for other in others if other != one])
        return array("I", [each for pair in paced(sorted(found)) for each in divmod(pair, size)])

    def distances(self, model: Model) -> array[int]:
        """Return the distance of each position to a goal of the model; -1 if none can be reached."""
        before: list[list[tuple[int, int]]] = [[] for _ in self.layers]
        for one, others in enumerate(paced(self.targets)):
            costs = [1] * len(others) if self.costs is None else self.costs[one]
            for other, cost in zip(others, costs, strict=True):
                before[other].append((one, cost))
        found = array("i", [-1]) * len(self)
        waiting = {0: [number for number, position in enumerate(paced(self.positions)) if model.is_goal(position)]}
        while waiting:
            distance = min(waiting)
            for number in paced(waiting.pop(distance)):
                if found[number] < 0:
                    found[number] = distance
                    for other, cost in before[number]:
                        if found[other] < 0:
                            waiting.setdefault(distance + cost, []).append(other)
        return found


def listed(model: Model, sources: Sequence[bytes], most: int, watch: Watch) -> ListedGraph:
    """Return the graph of the positions that the sources can reach: complete layers with at most `most` positions.

    Raises LimitError at a limit of `watch`.
    """
    metric = model.metric
    if metric.costs or metric.exhausts or metric.lawful or program.refuses(model, "") is not None:
        return _by_moves(model, sources, most, watch)
    return _by_program(model, sources, most, watch)


def _by_program(model: Model, sources: Sequence[bytes], most: int, watch: Watch) -> ListedGraph:
    encoding = ProgramLayers(model, sources, (), watch)
    layer = encoding.enter(sorted(set(sources)))
    depths, complete = array("i", [0]) * len(layer), True
    while layer:
        watch.layer(depths[-1], len(layer), len(depths))
        layer = encoding.following(layer, watch, 0)
        if len(depths) + len(layer) > most:
            complete = False
            break
        depths.extend(array("i", [depths[-1] + 1]) * len(layer))
    targets = list(encoding.moves(len(depths), watch))
    return ListedGraph(encoding.leave(range(len(depths))), depths, targets, complete)


def _by_moves(model: Model, sources: Sequence[bytes], most: int, watch: Watch) -> ListedGraph:
    layer = sorted({model.settled(source) for source in sources})
    numbers = {position: number for number, position in enumerate(layer)}
    depths, edges, complete = array("i", [0]) * len(layer), list[list[tuple[bytes, int]]](), True
    while layer:
        for row in _made(model, layer, watch):
            edges.append(row)
        watch.layer(depths[-1], len(layer), len(numbers))
        layer = sorted({child for row in edges[-len(layer) :] for child, _ in row if child not in numbers})
        if len(numbers) + len(layer) > most:
            complete = False
            break
        depths.extend(array("i", [depths[-1] + 1]) * len(layer))
        numbers.update({child: number for number, child in enumerate(layer, len(numbers))})
    inside = [[(numbers[child], cost) for child, cost in row if child in numbers] for row in edges]
    targets, costs = ([[each[part] for each in row] for row in inside] for part in (0, 1))
    return ListedGraph(list(numbers), depths, targets, complete, costs if model.metric.costs else None)


def _made(model: Model, layer: Sequence[bytes], watch: Watch) -> Iterator[list[tuple[bytes, int]]]:
    """Yield the positions one move from each of a layer, with what the move counts."""
    for position in layer:
        made = [(child, model.cost(rules)) for child, rules in model.moves(position).items()]
        watch.tick(len(made))
        yield made
