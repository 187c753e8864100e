"""Tables saved by earlier versions still open: one of each kind of numbering."""

from __future__ import annotations

import pytest

from kept import copied, distances
from places import DATA
from puzzlespace import depths, load
from puzzlespace.api.saved import open_table
from puzzlespace.engines.table import choose
from puzzlespace.tables.kinds import verify

KEPT = DATA / "kept"
SPECS = {
    "slide": "slide:3x2",
    "runs": "slide:3x2",
    "frame": "pancake:6",
    "product": "flip:4x4",
    "xor": "lights:3x3",
    "digits": "hanoi:4,6",
    "rank": "hanoi:3,3",
}


@pytest.mark.parametrize("kind", SPECS)
def test_a_table_kept_by_an_earlier_version_answers(kind, tmp_path):
    spec, folder = SPECS[kind], tmp_path / kind
    copied(KEPT / kind, folder)
    known = distances(spec)
    table = open_table(spec, folder)
    assert table.manifest["numbering"]["kind"] == kind
    assert table.counts == depths(spec, origin="goal").counts
    assert table.distances(list(known)) == list(known.values())
    assert verify(folder, table.model, 100, True)["states"] == len(known)


@pytest.mark.parametrize("kind", [kind for kind in SPECS if kind != "runs"])
def test_the_same_kind_of_table_is_chosen_now(kind):
    chosen = choose(load(SPECS[kind]).model())
    assert chosen is not None
    assert chosen.kind == kind
