"""Layers of a sliding puzzle's bit table by the loop of `kernels.table.windows`, on arrays of Python: for browsers.

Positions have the same bits as in `counting`. A layer is a plane of bits; planes alternate.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from ....contract.answers import Layers
from ....contract.questions import Depths, Engine, Prospect, Search, Space, Worth, model_of
from ....errors import UnsupportedError
from ....limits.memory import counted
from ....limits.watch import Watch, paced
from ....model.facts import two_colours
from ....model.goal import Goal
from ....model.model import Model
from ....search.encoding import Encoding
from ....search.layers import count
from ...shared import loops
from .numbering import SlidePlan, plan
from .plain_windows import OrderPlace, PlainOrders, PlainWindows, block_depth

BLOCK = 1024
"""The least number of words of a block; as `counting.SLIDE_BLOCK`."""

CALL_WORDS = 1 << 19
"""About so many words a call computes: some hundredths of a second."""

ZEROS = bytes(1 << 20)

AT_ONCE = 1 << 12
"""Bits that are listed at once."""

MOST = 3_000_000_000
"""The most positions: three bits for each take 1.1 GB, of the 2 GB that a question in a browser may take."""

FEW = 1 << 20
"""With fewer positions, the tables of windows may take longer than the loop of `kernels/program`."""

Shaped = tuple["array[int]", tuple[int, ...]]
"""An array and its shape."""


class SlideLayer(NamedTuple):
    """The number of a layer, and how many positions it has."""

    depth: int
    size: int


class BrowserSlides(Encoding):
    """A table of one bit for each seen position, and two planes: of the last layer and of the one before it."""

    def __init__(self, plan: SlidePlan, goals: Sequence[Goal], watch: Watch) -> None:
        self.plan, self.watch = plan, watch
        self.goals = [goal.position for goal in goals if goal.position is not None]
        if len(self.goals) < len(goals):
            raise UnsupportedError("engine table: goals that leave cells open are not looked up in a browser")

    def enter(self, positions: Sequence[bytes]) -> SlideLayer:
        plan = self.plan
        if not all(plan.slides.fits(position) for position in positions):
            raise UnsupportedError("engine table: the positions to measure from have different pieces")
        begin = {plan.row(position) for position in positions}
        self.table_rows = plan.reachable(begin)
        self.numbers = {row: number for number, row in enumerate(self.table_rows)}
        arcs = [(self.numbers[row], self.numbers[to], by) for row in self.table_rows for _, by, to in plan.arcs(row)]
        colours = two_colours([(u, v) for u, v, _ in arcs], len(self.table_rows))
        self.first = {colours[self.numbers[row]] for row in begin} if colours is not None else set()
        if colours is None or len(self.first) != 1:
            raise UnsupportedError("engine table: in a browser, every move must change the colour of the board")
        words = len(self.table_rows) * plan.words
        self.watch.reserve(3 * 8 * words)
        windows = sorted({window for *_, window in arcs})
        self.orders = PlainOrders(plan.counts, plan.halved, plan.tail)
        self.tables = PlainWindows(self.orders, windows, block_depth(self.orders, windows, BLOCK))
        self.into = [self._into(arcs, colours, windows, colour) for colour in (0, 1)]
        self._begin(words)
        for bit in map(self.bit, positions):
            self.table[bit >> 6] |= 1 << (bit & 63)
            self.planes[0][bit >> 6] |= 1 << (bit & 63)
            row, word = divmod(bit >> 6, plan.words)
            block = next(n for n in range(self.blocks) if word < self.tables.start[n + 1])
            self.fresh[row * self.blocks + block] = 1
        return SlideLayer(0, len(positions))

    def _into(self, arcs: Sequence[Any], colours: Sequence[int], windows: Sequence[Any], colour: int) -> list[Shaped]:
        """Return the rows of one colour and the arcs that lead to them, as `step_layer` takes them."""
        targets = [row for row in range(len(self.table_rows)) if colours[row] == colour]
        groups = [[(u, windows.index(window)) for u, v, window in arcs if v == target] for target in targets]
        first, flat = [0], [arc for group in groups for arc in group]
        for group in groups:
            first.append(first[-1] + len(group))
        parity = [self.table_rows[u][1] for u, _ in flat]
        columns = (targets, first, [u for u, _ in flat], [by for _, by in flat], parity)
        return [(array("q", column), (len(column),)) for column in columns]

    def _begin(self, words: int) -> None:
        """Make the table with its unused bits set, and empty planes."""
        made, unused, row = self.tables, self.tables.unused(), array("Q")
        for kind in made.kind:
            row.extend(unused[tail] for tail in made.tails[made.local[kind] : made.local[kind + 1]])
        self.table = row * len(self.table_rows)
        self.planes = [array("Q", [0]) * words for _ in range(2)]
        self.blocks = len(made.kind)
        self.fresh, self.full = (array("B", [0]) * (len(self.table_rows) * self.blocks) for _ in range(2))
        block = max(end - start for start, end in zip(made.start, made.start[1:], strict=False))
        self.work = [array("Q", [0]) * block for _ in range(2)]
        self.written = array("q", [0])
        self.at_once = max(1, CALL_WORDS // (block * len(self.table_rows)))

    def following(self, layer: SlideLayer, watch: Watch, bound: int) -> SlideLayer:
        plane, found = self.planes[(layer.depth + 1) % 2], 0
        shown = memoryview(plane).cast("B")
        for first in range(0, len(shown), len(ZEROS)):
            shown[first : first + len(ZEROS)] = ZEROS[: len(shown) - first]
        arcs = self.into[(min(self.first) + layer.depth + 1) % 2]
        for first in range(0, self.blocks, self.at_once):
            new = self._step((first, min(first + self.at_once, self.blocks)), plane, arcs)
            watch.tick(new, bound)
            found += new
        return SlideLayer(layer.depth + 1, found)

    def _step(self, span: tuple[int, int], plane: array[int], arcs: Sequence[Shaped]) -> int:
        """Compute the next layer in some blocks; return its size there."""
        made, rows = self.tables, len(self.table_rows)
        flags = (rows, self.blocks)
        tables = [(self.table, (rows, self.plan.words)), (self.fresh, flags), (self.full, flags), flat(plane)]
        shape = [flat(each) for each in (made.start, made.kind, made.parity, made.local, made.tails)]
        program = [
            (made.rows, (len(made.rows) // 5, 5)), flat(made.row), flat(made.first),
            (made.runs, (len(made.runs) // 4, 4)), flat(made.begin), flat(made.word), flat(made.chunks),
            (made.turns, (len(made.turns) // (2048 * made.forms_of_turn), made.forms_of_turn, 8, 256)),
        ]  # fmt: skip
        work = [*map(flat, self.work), flat(array("q")), flat(array("Q")), flat(self.written)]
        self.written[0] = 0
        return step_layer(span, tables, shape, program, made.fives, arcs, work)

    def size(self, layer: SlideLayer) -> int:
        return layer.size

    def pieces(self, layer: SlideLayer) -> Iterator[list[int]]:
        found = list[int]()
        with memoryview(self.planes[layer.depth % 2]).cast("B") as shown:
            for match in re.finditer(rb"[^\0]", shown):
                byte = shown[match.start()]
                found += [8 * match.start() + bit for bit in range(8) if byte >> bit & 1]
                if len(found) >= AT_ONCE:
                    yield found
                    found = []
        yield found

    def met(self, layer: SlideLayer) -> list[int]:
        plane = self.planes[layer.depth % 2]
        fits = [each for each in dict.fromkeys(self.goals) if self.plan.slides.fits(each)]
        bits = [self.bit(each) for each in fits if self.plan.row(each) in self.numbers]
        return sorted(bit for bit in bits if plane[bit >> 6] >> (bit & 63) & 1)

    def bit(self, position: bytes) -> int:
        """Return the bit of a position in the table, as `positions.bit_index`."""
        place = OrderPlace(0, 0, self.orders.root, 0)
        for kind in self.plan.pieces_of(position):
            place = next(after for each, after in self.orders.following(place) if each == kind)
        return (self.numbers[self.plan.row(position)] * self.plan.words + place.words) * 64 + place.bits

    def leave(self, words: Sequence[int]) -> list[bytes]:
        return [self._position(bit) for bit in paced(words)]

    def _position(self, number: int) -> bytes:
        word, bit = divmod(number, 64)
        row, word = divmod(word, self.plan.words)
        blanks, parity = self.table_rows[row]
        place, order = OrderPlace(0, 0, self.orders.root, 0), list[int]()
        while sum(place.rest):
            told = self.orders.halved and sum(place.rest) == 2  # by the parity
            kind, place = [
                (kind, after)
                for kind, after in self.orders.following(place)
                if (after.odd == parity if told else after.words <= word and after.bits <= bit)
            ][-1]
            order.append(kind)
        return self.plan.position_of(blanks, order)

    def end(self) -> None:
        self.table = array("Q")


def flat(each: array[int]) -> Shaped:
    """Return an array as one of one axis."""
    return each, (len(each),)


def step_layer(
    span: tuple[int, int], tables: Sequence[Shaped], shape: Sequence[Shaped], program: Sequence[Shaped], fives: bool,
    arcs: Sequence[Shaped], work: Sequence[Shaped],
) -> int:  # fmt: skip
    """Call `kernels.table.windows.step_layer`; in a browser with the addresses and shapes of all arrays."""
    if loops.given():
        before, after = (
            [number for each, sizes in group for number in (each.buffer_info()[0], *sizes)]
            for group in ((*tables, *shape, *program), (*arcs, *work))
        )
        return int(loops.run_given("step_layer", *span, *before, int(fives), *after))  # type: ignore[call-overload]
    import numpy as np

    from ....kernels.table import windows

    def shown(group: Sequence[Shaped]) -> list[np.ndarray]:
        kinds = {"B": np.bool_}
        return [np.frombuffer(each, kinds.get(each.typecode, each.typecode)).reshape(sizes) for each, sizes in group]

    *buffers, numbers, bits, written = shown(work)
    arrays: list[Any] = shown(program)
    made = windows.Program(*arrays, fives=bool(fives))
    arguments = (tuple(shown(tables)), windows.Shape(*shown(shape)), made, tuple(shown(arcs)))
    return int(windows.step_layer(span, *arguments, (*buffers, (numbers, bits, written))))


def refuses(space: Space, question: str) -> str | None:
    """Return why the engine cannot answer, or None."""
    model = model_of(space)
    if model is None:
        return "its moves are Python functions, not rules"
    if question != "depths":
        return "it counts depths only"
    if model.anchor is None or model.metric.free:
        return "it needs a start or a goal"
    return unfit(replace(model, start=model.anchor, goals=()))


def unfit(model: Model) -> str | None:
    """Return why a model with a start is not counted in a browser, or None."""
    found = plan(model)
    if found is None:
        return "in a browser it counts sliding puzzles only"
    one = found.slides.two_coloured or (found.halved and found.slides.blanks == 1)
    if found.slides.chained or not one:
        return "in a browser it counts moves of one step that change the colour of the board only"
    if found.positions > MOST:
        return f"in a browser it counts up to {counted(MOST)} positions, not {counted(found.positions)}"
    return None


def worth(question: Depths | Search, _: Prospect) -> Worth:
    """Return that the engine is worth using, or why another one should count."""
    if isinstance(question, Search):
        return Worth(reason="it counts depths only")
    return Worth.unless(refuses(question.space, "depths") or unworthy(question))


def unworthy(question: Depths) -> str | None:
    """Return why another engine should count in a browser, or None."""
    if any(goal.position is None for goal in question.collect) or question.arrivals:
        return "goals that leave cells open are found by other engines"
    found = plan(_from_source(question))
    few = found is not None and found.positions < FEW
    return "so few positions are counted faster by hashing" if few else None


def _from_source(question: Depths) -> Model:
    """Return the model of a question that the engine does not refuse, with a source as start."""
    assert isinstance(question.space, Model)
    return replace(question.space, start=question.sources[0], goals=())


def depths(question: Depths, watch: Watch) -> Layers:
    """Count the positions at each distance from the nearest source. Raises UnsupportedError."""
    model = _from_source(question)
    found, refusal = plan(model), unfit(model)
    if found is None or refusal is not None:
        raise UnsupportedError(f"engine table: {refusal}")
    return count(BrowserSlides(found, question.collect, watch), question, watch)


ENGINE = Engine("table", refuses, depths=depths, speed=1000, worth=worth, arrays=False)
"""What `engines/table` asks in a browser."""
