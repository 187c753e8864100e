"""Depth tables check themselves: faults that are put into a numbering or a count are noticed, and nothing else is."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import numpy as np
import pytest

from puzzlespace.engines import (
    slide_layers,
    table,
    table_frame,
    table_layers,
    table_perm,
    table_product,
    table_rank,
    table_slide,
    table_xor,
)
from puzzlespace.engines.audit import drawn_bits
from puzzlespace.errors import SelfCheckError
from puzzlespace.loader import load
from puzzlespace.result import Depths, Watch
from toys import eight

MODULES = {
    "xor": (table_xor, "lights:4x3"),
    "product": (table_product, "burnt:5"),
    "perm": (table_perm, "pancake:7"),
    "frame": (table_frame, "topspin:7,4"),
    "rank": (table_rank, "hanoi:4,4"),
    "slide": (table_slide, "slide:3x2"),
}


def model_of(spec):
    model = load(spec).model("step")
    return model if model.start is not None else replace(model, start=model.goals[0].position)


def counted(kind):
    model = model_of(MODULES[kind][1])
    return table.of_kind(kind).depths(Depths(model, (model.start,)), Watch())


@pytest.mark.parametrize("kind", MODULES)
def test_nothing_is_found_wrong_with_a_right_count(kind):
    assert counted(kind).complete


@pytest.mark.parametrize("kind", [kind for kind in MODULES if kind != "slide"])
@pytest.mark.parametrize("fault", ["one more", "all the same", "out of range", "other ones"])
def test_a_wrong_numbering_is_noticed_before_the_count(kind, fault, monkeypatch):
    """A number that leads elsewhere, that two positions share, that no bit has, or back to another position."""
    of = table_layers.audit_of

    def broken(field, question, fresh):
        audit = of(field, question, fresh)
        made = audit.numbering
        number = {
            "one more": lambda position: made.number(position) ^ 1,
            "all the same": lambda position: made.number(question.sources[0]),
            "out of range": lambda position: made.number(position) + made.size,
            "other ones": made.number,
        }[fault]
        show = (lambda bits: made.show(bits)[::-1]) if fault == "other ones" else made.show
        audit.numbering = replace(made, number=number, show=show)
        return audit

    monkeypatch.setattr(table_layers, "audit_of", broken)
    with pytest.raises(SelfCheckError, match="number"):
        counted(kind)


def test_positions_merged_by_a_part_that_reads_too_little_are_noticed(monkeypatch):
    """Only the pieces are read and never their sides: positions that differ in sides have one number."""
    labels = table_product._labels
    monkeypatch.setattr(table_product, "_labels", lambda *parts: 2 * labels(*parts)[:1])
    table.choose_kind.cache_clear()
    with pytest.raises(SelfCheckError, match="number"):
        counted("product")
    table.choose_kind.cache_clear()


@pytest.mark.parametrize("kind", [kind for kind in MODULES if kind != "slide"])
def test_a_position_that_the_count_forgot_is_noticed(kind, monkeypatch):
    """From the third layer on every second word found is dropped."""
    advance = table_layers.Table.advance

    def forgetful(self, pool, threads, watch, bound):
        size = advance(self, pool, threads, watch, bound)
        if bound >= 2:
            self.seen[::2] &= ~self.layer[::2]
            self.layer[::2] = 0
        return size

    monkeypatch.setattr(table_layers.Table, "advance", forgetful)
    with pytest.raises(SelfCheckError, match="counted"):
        counted(kind)


@pytest.mark.parametrize("kind", [kind for kind in MODULES if kind != "slide"])
def test_a_move_that_leaves_what_was_counted_is_noticed(kind, monkeypatch):
    """A third of the numbers are said not to be seen: moves lead from the table to them."""
    known = table_layers.Table.known
    monkeypatch.setattr(table_layers.Table, "known", lambda self, bits: known(self, bits) & (bits % 3 > 0))
    with pytest.raises(SelfCheckError, match="counted"):
        counted(kind)


def test_a_wrong_place_in_a_table_of_slides_is_noticed(monkeypatch):
    place = slide_layers.Listing.place
    monkeypatch.setattr(slide_layers.Listing, "place", lambda self, position: (*place(self, position)[:2], 0))
    model = eight((0, 1, 2, 3, 4, 5, 6, 7, 8))
    with pytest.raises(SelfCheckError, match="number"):
        table.of_kind("slide").depths(Depths(model, (model.start,)), Watch())


def test_a_table_of_slides_that_stops_early_is_noticed(monkeypatch):
    advance = slide_layers.Table.advance
    monkeypatch.setattr(slide_layers.Table, "advance", lambda self: advance(self) if self.depth < 4 else 0)
    model = eight((0, 1, 2, 3, 4, 5, 6, 7, 8))
    with pytest.raises(SelfCheckError, match="counted"):
        table.of_kind("slide").depths(Depths(model, (model.start,)), Watch())


def test_bits_are_drawn_from_those_set():
    words = np.array([0, 5, 0, 1 << 63], np.uint64)
    bits = drawn_bits(words, Random(1))
    assert {next(bits) for _ in range(60)} == {64, 66, 255}
    assert list(drawn_bits(np.zeros(3, np.uint64), Random(1))) == []
