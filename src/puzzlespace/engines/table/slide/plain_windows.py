"""The tables of windows without NumPy, equal to those of `kernels.table.windows_build`: for Python in a browser.

With NumPy they are made 10 to 15 times as fast (`slide:3x4`: 0.9 s instead of 13 s), so there are both.
Orders of pieces are tuples of kinds here. A state is the number of pieces of each kind that remain.
"""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import accumulate
from typing import NamedTuple

from ....limits.watch import paced
from .numbering import Window
from .order_numbers import WORD, arrangements

RUNS, CHUNKS, TURN = 0, 1, 2
"""As in `kernels.table.windows`."""

State = tuple[int, ...]


class OrderPlace(NamedTuple):
    """Where a sequence of kinds begins in the table: words, bits of a word, what remains, the parity of its digits."""

    words: int
    bits: int
    rest: State
    odd: int


class PlainOrders:
    """The numbers of the orders of pieces, as `windows_orders.Orders` has them."""

    def __init__(self, counts: Sequence[int], halved: bool, tail: int) -> None:
        self.root, self.halved = tuple(counts), halved
        self.tail = min(tail, sum(counts))
        self.head = sum(counts) - self.tail
        self.leaves = lru_cache(None)(self._leaves)
        self.ways = lru_cache(None)(self._ways)
        self.spell = lru_cache(None)(self._spell)
        self.numbers: dict[State, int] = {}
        self._number(self.root)

    def _number(self, state: State) -> None:
        """Number a state and those below it, as `windows_orders.Orders` does."""
        if state not in self.numbers:
            self.numbers[state] = len(self.numbers)
            for kind in range(len(state)):
                self._number(left(state, kind))

    def _leaves(self, state: State) -> int:
        """Return the words below a state; 1 in the tail."""
        if sum(state) <= self.tail:
            return 1
        return sum(self.leaves(left(state, kind)) for kind in range(len(state)))

    def bits(self, state: State) -> int:
        """Return the bits below a state of the tail."""
        return max(1, arrangements(state) // (2 if self.halved else 1))

    def following(self, place: OrderPlace) -> Iterable[tuple[int, OrderPlace]]:
        """Yield each kind that may come next, and the place after it."""
        words, bits, rest, odd = place
        in_head, kept = sum(rest) > self.tail, sum(rest) == 2 and self.halved
        kinds = [kind for kind, count in enumerate(rest) if count]
        for digit, kind in enumerate(kinds):
            after = (*rest[:kind], rest[kind] - 1, *rest[kind + 1 :])
            yield kind, OrderPlace(words, bits, after, (odd + digit) % 2)
            if in_head:
                words += self.leaves(packed(after))
            elif not kept:
                bits += self.bits(after)

    def _spell(self, state: State, length: int) -> dict[tuple[int, ...], OrderPlace]:
        """Return all sequences of so many kinds from a state, in ascending order, with their places."""
        found = {(): OrderPlace(0, 0, state, 0)}
        for _ in range(length):
            found = {(*known, kind): at for known, place in paced(found.items()) for kind, at in self.following(place)}
        return found

    def passed(self, length: int) -> set[State]:
        """Return the states after so many places."""
        states = {self.root}
        for _ in range(length):
            states = {left(state, kind) for state in states for kind in range(len(state))}
        return states

    def _ways(self, state: State, length: int) -> int:
        """Return how many sequences of so many kinds there are from a state."""
        return sum(self.ways(left(state, kind), length - 1) for kind in range(len(state))) if length else 1


def packed(state: State) -> State:
    """Return a state without the kinds of which no piece remains."""
    return tuple(count for count in state if count)


def left(state: State, kind: int) -> State:
    """Return a packed state after one piece of a kind."""
    return packed((*state[:kind], state[kind] - 1, *state[kind + 1 :]))


def rotated(order: tuple[int, ...], first: int, last: int, to_left: bool) -> tuple[int, ...]:
    """Return an order after the pieces of a window are rotated by one place, as `Orders.rotated` does."""
    window = order[first:last]
    window = window[1:] + window[:1] if to_left else window[-1:] + window[:-1]
    return order[:first] + window + order[last:]


class PlainWindows:
    """The arrays of `Shape` and `Program` in `kernels.table.windows`, by their names, as arrays of Python."""

    def __init__(self, orders: PlainOrders, windows: Sequence[Window], depth: int) -> None:
        self.orders, self.depth = orders, depth
        blocks = [*orders.spell(orders.root, depth).values()]
        self.states = sorted({packed(place.rest) for place in blocks}, key=orders.numbers.__getitem__)
        self.start = array("q", [*(place.words for place in blocks), orders.leaves(orders.root)])
        self.kind = array("q", [self.states.index(packed(place.rest)) for place in blocks])
        self.parity = array("q", [place.odd if orders.halved else 0 for place in blocks])
        self._tails()
        self.rows, self.row, self.runs = array("q"), array("q"), array("i")
        self.begin, self.chunks = array("q"), array("Q")
        self.of_rows, self.sizes = [0], [0]
        self._turns: dict[tuple[int, int, bool], array[int]] = {}
        for window in windows:
            self.rows.extend(self._added(*window))
        self.first = array("q", accumulate(self.of_rows))
        self.word = array("q", accumulate(self.sizes))
        self.begin = self.begin or array("q", [0])
        self.turns = sum(self._turns.values(), array("Q")) or array("Q", [0]) * 2048
        self.forms_of_turn = (2 if orders.halved else len(self.forms)) if self._turns else 1
        self.fives = orders.halved and orders.tail == 5

    def _tails(self) -> None:
        orders, inner = self.orders, self.orders.head - self.depth
        ends = [[*orders.spell(state, inner).values()] for state in self.states]
        forms = {packed(place.rest) for places in ends for place in places}
        self.forms = sorted(forms, key=orders.numbers.__getitem__)
        self.local = array("q", [0, *accumulate(map(len, ends))])
        number = {form: at for at, form in enumerate(self.forms)}
        tails = [place.odd if orders.halved else number[packed(place.rest)] for places in ends for place in places]
        self.tails = array("i", tails)

    def _added(self, first: int, last: int, to_left: bool) -> tuple[int, int, int, int, int]:
        head = self.orders.head
        if first >= head and last - first > 1:
            return TURN, 0, self._turn(first, last, not to_left), 0, 0
        if not (first < head < last and last - first > 1):
            base = len(self.row)
            self._add_runs(first, last, to_left)
            return RUNS, base, -1, 0, 0
        turn = self._turn(head, last, not to_left) if last - head > 1 else -1
        base = len(self.begin)
        for state in self.states:
            self.begin.append(len(self.sizes) - 1)
            self._add_chunks(state, first - self.depth, head + 1 - self.depth, to_left)
        odd = (head - first) % 2 if self.orders.halved and not to_left else 0
        return CHUNKS, base, turn, int(to_left), odd

    def _add_runs(self, first: int, last: int, to_left: bool) -> None:
        """List the runs of a window once for each state in which it begins."""
        orders, still = self.orders, last - first <= 1
        anchor = self.depth if still else min(first, self.depth)
        numbers = {words: block for block, words in enumerate(self.start)}
        rows, bases = array("q", [0]) * len(self.kind), dict[State, tuple[int, int]]()
        for place in orders.spell(orders.root, anchor).values():
            state = packed(place.rest)
            if state not in bases:
                base = len(self.of_rows) - 1
                if still:
                    self.of_rows.append(1)
                    self.runs.extend((0, 0, orders.leaves(state), 0))
                else:
                    self._add_runs_of(state, anchor, first - anchor, last - anchor, to_left)
                bases[state] = base, len(self.of_rows) - 1 - base
            base, many = bases[state]
            block = numbers[place.words]
            rows[block : block + many] = array("q", range(base, base + many))
        self.row.extend(rows)

    def _add_runs_of(self, state: State, anchor: int, first: int, last: int, to_left: bool) -> None:
        orders, inner = self.orders, self.depth - anchor
        start = [place.words for place in orders.spell(state, inner).values()]
        found = orders.spell(state, max(last, inner))
        sizes = [0] * len(start)
        for order, place in paced(found.items()):
            origin = found[rotated(order, first, last, to_left)].words
            block, other = (bisect_right(start, words) - 1 for words in (place.words, origin))
            sizes[block] += 1
            begin = start[block]
            self.runs.extend((place.words - begin, origin - begin, orders.leaves(packed(place.rest)), other - block))
        self.of_rows.extend(sizes)

    def _add_chunks(self, state: State, first: int, last: int, to_left: bool) -> None:
        found = self.orders.spell(state, last)
        sizes = [0] * (1 + max(place.words for place in found.values()))
        for order, place in paced(found.items()):
            origin = found[rotated(order, first, last, to_left)]
            self.chunks.append(self.orders.bits(place.rest) << 40 | origin.bits << 32 | origin.words)
            sizes[place.words] += 1
        self.sizes.extend(sizes)

    def _turn(self, first: int, last: int, to_left: bool) -> int:
        """Return the number of the bit permutation of a word that rotates a window of the tail."""
        key, head, orders = (first, last, to_left), self.orders.head, self.orders
        if key not in self._turns:
            forms = (0, 1) if orders.halved else range(len(self.forms))
            made = [self._turn_of(form, first - head, last - head, to_left) for form in forms]
            self._turns[key] = sum(made, array("Q"))
        return list(self._turns).index(key)

    def _turn_of(self, form: int, first: int, last: int, to_left: bool) -> array[int]:
        orders, goes = self.orders, [0] * WORD
        found = orders.spell(self.forms[0 if orders.halved else form], orders.tail)
        for order, place in found.items():
            if not orders.halved or orders.tail < 2 or place.odd == form:
                goes[place.bits] = 1 << found[rotated(order, first, last, to_left)].bits
        table = array("Q")
        for byte in range(0, WORD, 8):
            values = [0]
            for bit in goes[byte : byte + 8]:
                values += [value | bit for value in values]
            table.extend(values)
        return table

    def unused(self) -> list[int]:
        """Return the unused bits of a word for each form of its tail."""
        every, forms = (1 << WORD) - 1, [self.orders.bits(form) for form in self.forms]
        return [every >> used << used for used in (forms * 2 if self.orders.halved else forms)]


def block_depth(orders: PlainOrders, windows: Sequence[Window], least: int) -> int:
    """Return how many leading places select the block, as `windows_build.block_depth` does."""
    most = min((first for first, last, _ in windows if first < orders.head < last), default=orders.head)
    best = (listed(orders, windows, 0), 0)
    for depth in range(1, most + 1):
        if max(orders.leaves(state) for state in orders.passed(depth)) < least:
            break
        best = min(best, (listed(orders, windows, depth), -depth))
    return -best[1]


def listed(orders: PlainOrders, windows: Sequence[Window], depth: int) -> int:
    """Return how many runs and chunks are listed if the first `depth` places select the block."""
    return sum(
        orders.ways(state, min(max(last, depth), orders.head + 1) - anchor)
        for first, last, _ in windows
        for anchor in (min(first, depth),)
        if last - first > 1 and first < orders.head
        for state in orders.passed(anchor)
    )
