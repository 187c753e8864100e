"""Questions that measure to very many positions: their checks take little memory besides the positions."""

from __future__ import annotations

import tracemalloc
from collections.abc import Iterator
from itertools import permutations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from puzzlespace.api.loader import load
from puzzlespace.engines.shared.audit import Audit, Members, Numbering
from puzzlespace.engines.shared.selfcheck import Budget, plain_layers
from puzzlespace.engines.table.counting import collected
from puzzlespace.model.goal import Goal


@given(st.lists(st.binary(max_size=3)), st.lists(st.binary(max_size=3)))
def test_members_are_those_of_a_set(positions: list[bytes], others: list[bytes]) -> None:
    members = Members(positions)
    for each in positions + others:
        assert (each in members) == (each in set(positions))


def test_the_checks_take_little_memory() -> None:
    model = load("pancake:9").model()
    positions = tuple(map(bytes, permutations(range(9))))[:180_000]
    numbering = Numbering(lambda position: 0, lambda numbers: np.empty(0), 1)
    tracemalloc.start()
    audit = Audit(model, positions, numbering)
    first = next(audit.plain)
    kept, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert not first.whole
    assert kept < 25 * len(positions)  # a set takes 46 bytes or more for each


def test_plain_layers_read_no_more_sources_than_they_may_use() -> None:
    model, read = load("pancake:6").model(), 0

    def sources() -> Iterator[bytes]:
        nonlocal read
        for position in permutations(range(6)):
            read += 1
            yield bytes(position)
            yield bytes(position)

    layer = next(plain_layers(model, sources(), Budget(positions=20)))
    assert (len(layer.positions), layer.whole, read) == (21, False, 21)


def test_a_position_that_meets_two_goals_is_collected_once() -> None:
    rows = np.array([[0, 1], [1, 0], [1, 1]], np.uint8)
    goals = (Goal(need=(1, 2)), Goal(need=(3, 2), counts=((0, 1),)), Goal(need=(2, 1)))
    assert collected([rows], goals) == [b"\x00\x01", b"\x01\x00"]
