"""Tables saved by earlier versions still open: one of each kind of numbering."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from kept import copied, distances
from places import DATA
from puzzlespace import __version__, depths, load
from puzzlespace.api.saved import open_table
from puzzlespace.engines.table import choose, choose_kind
from puzzlespace.engines.table.bit_index import places_of
from puzzlespace.errors import TableError
from puzzlespace.limits.thresholds import USUAL
from puzzlespace.tables.identity import REMOVED, rebuilt
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


@pytest.mark.parametrize("kind", ["frame", "rank"])
def test_a_table_of_a_kind_that_was_preferred_before_is_still_read(kind, tmp_path):
    model = load("pancake:9").model()
    source = model.goals[0].position
    chosen = choose_kind(replace(model, start=source, goals=()), kind, USUAL)
    assert chosen is not None
    places = places_of(chosen, (source,))
    numbering = {
        "kind": kind, "positions": places.positions, "words": places.words, "fingerprint": places.fingerprint()
    }  # fmt: skip
    found = rebuilt({"sources": [source.hex()], "numbering": numbering}, model, tmp_path)
    assert (found.kind, found.bit(source)) == (kind, places.bit(source))
    with pytest.raises(TableError, match="ranks the positions differently"):
        rebuilt({"sources": [source.hex()], "numbering": {**numbering, "kind": "none"}}, model, tmp_path)


@pytest.mark.parametrize("kind", REMOVED)
def test_a_table_of_a_kind_that_was_removed_is_refused_with_both_versions(kind, tmp_path):
    model = load("pancake:9").model()
    source = model.goals[0].position
    numbering = {"kind": kind, "positions": 362_880, "words": 5670, "fingerprint": "0" * 16}
    found = {"sources": [source.hex()], "numbering": numbering, "made": {"by": "puzzlespace 0.0.9"}}
    text = f"saved by puzzlespace 0.0.9 as the kind {kind}, which puzzlespace {re.escape(__version__)} cannot read"
    with pytest.raises(TableError, match=f"{text}; save the table again"):
        rebuilt(found, model, tmp_path)


@pytest.mark.parametrize("kind", [kind for kind in SPECS if kind != "runs"])
def test_the_same_kind_of_table_is_chosen_now(kind):
    chosen = choose(load(SPECS[kind]).model())
    assert chosen is not None
    assert chosen.kind == kind
