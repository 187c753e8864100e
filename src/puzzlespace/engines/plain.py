"""Breadth-first search in pure Python, with a dictionary: the reference for all other engines.

It works on any hashable positions and imports no kernel. If moves have different costs, positions wait in one layer for
each cost that is ahead (Dial 1969, "Algorithm 360: Shortest-path forest with topological ordering", CACM 12).
"""

from __future__ import annotations

from collections import deque
from collections.abc import Hashable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from ..contract.answers import Geodesics, Layers
from ..contract.questions import Depths, Engine, Prospect, Search, Space, Worth, has_costs
from ..errors import LimitError
from ..limits.watch import GLANCE, Watch, paced
from ..model.custom import explain, least
from ..model.model import Model
from .shared.walk_back import walk_back

if TYPE_CHECKING:
    from ..contract.needs import Needs, Pair, Sizes


def refuses(space: Space, question: str) -> str | None:
    """Return None: this engine answers every question, given enough time."""
    return None


def worth(question: Depths | Search, prospect: Prospect) -> Worth:
    """Return that this engine starts at once; it is chosen if no faster engine is worth using."""
    return Worth()


def depths(question: Depths, watch: Watch) -> Layers:
    """Count the positions at each distance from the nearest source."""
    if has_costs(question.space):
        return _depths_by_cost(question, watch)
    moves, glance = question.space.moves, watch.thresholds[GLANCE]
    layer = list(dict.fromkeys(question.sources))
    seen = set(layer)
    counts: list[int] = []
    collected: list[tuple[Any, int]] = []
    arrivals: Arrivals = watch.known.arrivals
    deepest: list[Any] = []
    stopped = position = None
    try:
        while layer:
            counts.append(len(layer))
            deepest = layer
            watch.layer(len(counts) - 1, len(layer), len(seen))
            if question.wanted is not None and question.wanted.hand(len(counts) - 1, [layer]):
                return Layers(tuple(counts), (), False, watch.generated, watch.seconds, tuple(collected))
            if question.collect:
                collected += [(p, len(counts) - 1) for p in layer if any(goal.holds(p) for goal in question.collect)]
            if _arrived(question, layer, len(counts) - 1, arrivals):
                return Layers(
                    tuple(counts), (), False, watch.generated, watch.seconds, tuple(collected), arrivals=arrivals
                )
            following: list[Any] = []
            pending = 0
            for position in layer:
                children = moves(position)
                for child in children:
                    pending += 1
                    if child not in seen:
                        seen.add(child)
                        following.append(child)
                    if pending >= glance:  # a function may yield children without end
                        watch.tick(pending)
                        pending = 0
            watch.tick(pending)
            layer = following
    except LimitError as error:
        stopped = error
    except TypeError:
        explain(question.space, position)
        raise
    kept = tuple(least(deepest, question.kept(len(deepest), stopped)))
    return Layers(
        tuple(counts), kept, stopped is None, watch.generated, watch.seconds, tuple(collected), stopped=stopped,
        arrivals=arrivals,
    )  # fmt: skip


Arrivals = dict[tuple[int, int], tuple[int, Any]]


def _arrived(question: Depths, layer: Iterable[Any], depth: int, found: Arrivals) -> bool:
    """Note the first positions of a layer with the symbols that the question wants; return whether all are found.

    A position stands for all that free rules lead to from it.
    """
    space = question.space
    walks = space.walks if isinstance(space, Model) and space.metric.free else lambda position: (position,)
    missing = [pair for pair in question.arrivals if pair not in found]
    for settled in layer if missing else ():
        for position in walks(settled):
            here = [(cell, symbol) for cell, symbol in missing if position[cell] == symbol]
            found.update(dict.fromkeys(here, (depth, position)))
            missing = [pair for pair in missing if pair not in found] if here else missing
        if not missing:
            break
    return bool(question.arrivals) and not missing


def search(question: Search, watch: Watch) -> Geodesics:
    """Find every position on a shortest solution."""
    if has_costs(question.space):
        return _search_by_cost(question, watch)
    moves, is_goal, glance = question.space.moves, question.space.is_goal, watch.thresholds[GLANCE]
    parents: dict[Hashable, list[Any]] = {question.start: []}
    depth = 0
    position = question.start
    layer: list[Any] = [question.start]
    try:
        while layer:
            reached = [position for position in layer if is_goal(position)]
            if reached:
                return Geodesics(walk_back(parents, reached, depth), watch.generated, watch.seconds, depth)
            watch.layer(depth, len(layer), len(parents))
            watch.known.prove(depth + 1)
            following: dict[Hashable, list[Any]] = {}
            pending = 0
            for position in layer:
                for child in moves(position):
                    pending += 1
                    if child in following:
                        following[child].append(position)
                    elif child not in parents:
                        following[child] = [position]
                    if pending >= glance:  # a function may yield children without end
                        watch.tick(pending, depth + 1)
                        pending = 0
            watch.expand(len(layer))
            watch.tick(pending, depth + 1)
            parents.update(following)
            layer = list(following)
            depth += 1
    except LimitError as error:
        return Geodesics((), watch.generated, watch.seconds, depth + 1, error)
    except TypeError:
        explain(question.space, position)
        raise
    return Geodesics((), watch.generated, watch.seconds)


Parents = dict[Any, list[Any]]


def _layers_by_cost(space: Space, sources: Iterable[Any], watch: Watch) -> Iterator[Parents]:
    """Yield the positions at distance 0, 1, …, each with those before it on shortest paths; some layers are empty."""
    assert isinstance(space, Model)
    ahead = deque[Parents]([{source: [] for source in sources}])
    seen: set[Any] = set()
    glance = watch.thresholds[GLANCE]
    empty = depth = 0
    while ahead:
        layer = {position: parents for position, parents in ahead.popleft().items() if position not in seen}
        seen |= layer.keys()
        if layer:
            yield from ({} for _ in range(empty))
            watch.layer(depth, len(layer), len(seen))
            yield layer
        empty = 0 if layer else empty + 1
        pending = 0
        for position in layer:
            for child, rules in space.moves(position).items():
                pending += 1
                if child not in seen:
                    cost = space.cost(rules)
                    while len(ahead) < cost:
                        ahead.append({})
                    ahead[cost - 1].setdefault(child, []).append(position)
            if pending >= glance:
                watch.tick(pending, depth + 1)
                pending = 0
        watch.expand(len(layer))
        watch.tick(pending, depth + 1)
        depth += 1


def _depths_by_cost(question: Depths, watch: Watch) -> Layers:
    counts: list[int] = []
    collected: list[tuple[Any, int]] = []
    arrivals: Arrivals = watch.known.arrivals
    deepest: Parents = {}
    stopped = None
    try:
        for layer in _layers_by_cost(question.space, question.sources, watch):
            counts.append(len(layer))
            deepest = layer
            depth = len(counts) - 1
            if question.wanted is not None and question.wanted.hand(depth, [list(layer)]):
                return Layers(tuple(counts), (), False, watch.generated, watch.seconds, tuple(collected))
            if question.collect:
                collected += [(p, depth) for p in layer if any(goal.holds(p) for goal in question.collect)]
            if _arrived(question, layer, depth, arrivals):
                return Layers(
                    tuple(counts), (), False, watch.generated, watch.seconds, tuple(collected), arrivals=arrivals
                )
    except LimitError as error:
        stopped = error
    kept = tuple(least(deepest, question.kept(len(deepest), stopped)))
    return Layers(
        tuple(counts), kept, stopped is None, watch.generated, watch.seconds, tuple(collected), stopped=stopped,
        arrivals=arrivals,
    )  # fmt: skip


def _search_by_cost(question: Search, watch: Watch) -> Geodesics:
    found: list[Parents] = []
    try:
        for layer in _layers_by_cost(question.space, [question.start], watch):
            found.append(layer)
            reached = frozenset(position for position in layer if question.space.is_goal(position))
            if reached:
                return Geodesics(_before(found, reached), watch.generated, watch.seconds, len(found) - 1)
    except LimitError as error:
        return Geodesics((), watch.generated, watch.seconds, error.bound, error)
    return Geodesics((), watch.generated, watch.seconds)


def _before(layers: Sequence[Parents], reached: frozenset[Any]) -> tuple[frozenset[Any], ...]:
    """Return the positions on shortest paths to `reached`, which are in the last layer, layer by layer."""
    depth = {position: number for number, layer in enumerate(layers) for position in layer}
    found: list[set[Any]] = [set() for _ in layers]
    found[-1] |= reached
    for layer, here in zip(reversed(layers), reversed(found), strict=True):
        for position in here:
            for parent in layer[position]:
                found[depth[parent]].add(parent)
    return tuple(map(frozenset, found))


BYTES = 250
"""Memory of a position in Python: its key, its place in the set of seen positions and in a layer (measured)."""


def needs(model: Model, sources: tuple[Any, ...], memory: int | None) -> Needs:
    """Return what a set of all positions takes."""
    from ..contract.needs import Needs, Reference, no_files

    def work(sizes: Sizes, children: float) -> list[Pair]:
        return [(0.0, size * children) for size in paced(sizes)]

    return Needs(
        "a set of positions", 0, f"{BYTES} bytes a position", 0, 0, 0, lambda sizes: BYTES * sum(sizes), work, no_files,
        0.0, Reference("plain", "hexagram", "step", ENGINE, needs, "star13"),
    )  # fmt: skip


ENGINE = Engine(
    "plain",
    refuses,
    depths=depths,
    search=search,
    speed=1,
    worth=worth,
    lists=True,
    arrivals=True,
    general=True,
    lawful=True,
    arrays=False,
)
