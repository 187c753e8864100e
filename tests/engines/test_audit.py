"""Depth tables check themselves: faults that are put into a numbering or a count are noticed, and nothing else is."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import numpy as np
import pytest

from puzzlespace.api.loader import from_text, load
from puzzlespace.contract.questions import Depths
from puzzlespace.engines import plain, table
from puzzlespace.engines.shared import audit
from puzzlespace.engines.shared.audit import _placements, check_total, drawn_bits, reachable
from puzzlespace.engines.shared.selfcheck import Budget, plain_layers
from puzzlespace.engines.table import counting, digits, frames, products, toggles, unranked, words
from puzzlespace.engines.table import slide as slide_table
from puzzlespace.engines.table.slide import counting as slide_counting
from puzzlespace.engines.table.slide import positions as slide_positions
from puzzlespace.errors import SelfCheckError
from puzzlespace.limits.watch import Limits, Watch
from puzzlespace.ranking.reach import orbit_size
from puzzlespace.tables import runs_opened, runs_save, save
from puzzlespace.tables.kinds import verify
from puzzlespace.tables.save import Saving
from random_models import listed
from toys import eight, links, slide

MODULES = {
    "xor": (toggles, "lights:4x3"),
    "product": (products, "burnt:5"),
    "frame": (frames, "topspin:7,4"),
    "digits": (digits, "hanoi:4,4"),
    "rank": (unranked, "hanoi:4,4"),
    "slide": (slide_table, "slide:3x2"),
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
    of = counting.audit_of

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

    monkeypatch.setattr(counting, "audit_of", broken)
    with pytest.raises(SelfCheckError, match="number"):
        counted(kind)


def test_positions_merged_by_a_part_that_reads_too_little_are_noticed(monkeypatch):
    """Only the pieces are read and never their sides: positions that differ in sides have one number."""
    labels = products._labels
    monkeypatch.setattr(products, "_labels", lambda *parts: 2 * labels(*parts)[:1])
    table.choose_kind.cache_clear()
    products.coordinates.cache_clear()
    with pytest.raises(SelfCheckError, match="number"):
        counted("product")
    table.choose_kind.cache_clear()
    products.coordinates.cache_clear()


@pytest.mark.parametrize("kind", [kind for kind in MODULES if kind != "slide"])
def test_a_position_that_the_count_forgot_is_noticed(kind, monkeypatch):
    """From the third layer on every second word found is dropped."""
    advance = counting.TableCount.advance

    def forgetful(self, crew, watch, bound):
        size = advance(self, crew, watch, bound)
        if bound >= 2:
            self.seen[::2] &= ~self.edge[::2]
            self.edge[::2] = 0
        return size

    monkeypatch.setattr(counting.TableCount, "advance", forgetful)
    with pytest.raises(SelfCheckError, match="counted"):
        counted(kind)


@pytest.mark.parametrize("kind", [kind for kind in MODULES if kind != "slide"])
def test_a_move_that_leaves_what_was_counted_is_noticed(kind, monkeypatch):
    """A third of the numbers are said not to be seen: moves lead from the table to them."""
    known = counting.TableCount.known
    monkeypatch.setattr(counting.TableCount, "known", lambda self, bits: known(self, bits) & (bits % 3 > 0))
    with pytest.raises(SelfCheckError, match="counted"):
        counted(kind)


def test_a_wrong_place_in_a_table_of_slides_is_noticed(monkeypatch):
    bit_index = slide_positions.bit_index

    def first_of_word(*parts):
        bit = bit_index(*parts)
        return lambda position: bit(position) & ~63

    monkeypatch.setattr(slide_positions, "bit_index", first_of_word)
    model = eight((0, 1, 2, 3, 4, 5, 6, 7, 8))
    with pytest.raises(SelfCheckError, match="number"):
        table.of_kind("slide").depths(Depths(model, (model.start,)), Watch())


def test_a_table_of_slides_that_stops_early_is_noticed(monkeypatch):
    advance = slide_counting.SlideCount.advance
    monkeypatch.setattr(
        slide_counting.SlideCount, "advance", lambda self, *by: advance(self, *by) if self.depth < 4 else 0
    )
    model = eight((0, 1, 2, 3, 4, 5, 6, 7, 8))
    with pytest.raises(SelfCheckError, match="counted"):
        table.of_kind("slide").depths(Depths(model, (model.start,)), Watch())


@pytest.fixture
def busy(monkeypatch):
    """No time at all is left for the checks, as on a machine that is infinitely slow."""
    for name in ("SECONDS", "SHARE", "PER_POSITION"):
        monkeypatch.setattr(audit, name, 0.0)
    monkeypatch.setattr(audit, "FIRST", replace(audit.FIRST, seconds=0.0))


def wiped(count, chance, layers, depth):
    """Forget some of the positions seen."""
    word = chance.choice(np.flatnonzero(count.seen).tolist())
    count.seen[word] = 0


def forgotten(count, chance, layers, depth):
    """Forget some positions of the layer that was just found."""
    word = chance.choice(np.flatnonzero(count.edge).tolist())
    count.seen[word] &= ~count.edge[word]
    count.edge[word] = 0


def too_early(count, chance, layers, depth):
    """Add a position of a later layer."""
    bit = count.field.bit(chance.choice(chance.choice(layers[depth + 1 :])))
    for each in (count.seen, count.edge):
        each[bit >> 6] |= np.uint64(1 << (bit & 63))


def wiped_slide(count, chance, layers, depth):
    """Forget one of the positions seen in a table of slides."""
    bit = count.listing.bit(chance.choice(chance.choice(layers[: depth + 1])))
    count.table.reshape(-1)[bit >> 6] &= ~np.uint64(1 << (bit & 63))


BROKEN = [
    *((kind, fault) for kind in MODULES if kind != "slide" for fault in (wiped, forgotten, too_early)),
    ("words", wiped), ("words", forgotten), ("words", too_early), ("slide", wiped_slide),
]  # fmt: skip


def with_a_fault(kind, fault, seed, monkeypatch):
    """Return the counts that are right, those with a fault in a random layer, and whether the checks notice it."""
    model = model_of({**MODULES, "words": (words, "pancake:7")}[kind][1])
    question = Depths(model, (model.start,))
    layers = [layer.positions for layer in plain_layers(model, (model.start,), Budget(60.0, 1 << 20))]
    depth = Random(seed).randint(2, len(layers) - 3)
    owner = slide_counting.SlideCount if kind == "slide" else counting.TableCount
    advance = owner.advance
    made = 0

    def broken(self, *parts):
        nonlocal made
        size = advance(self, *parts)
        made += 1
        if made == depth:
            fault(self, Random(seed), layers, depth)
        return size

    def counts():
        nonlocal made
        made = 0
        return table.of_kind(kind).depths(question, Watch()).counts

    with monkeypatch.context() as patched:
        patched.setattr(owner, "advance", broken)
        try:
            counts()
            noticed = False
        except SelfCheckError:
            noticed = True
        for name in ("begin", "layer", "end"):
            patched.setattr(audit.Audit, name, lambda *parts: None)
        patched.setattr(counting, "check_total", lambda *parts: None)
        return tuple(map(len, layers)), counts(), noticed


@pytest.mark.parametrize(("kind", "fault"), BROKEN, ids=lambda each: getattr(each, "__name__", each))
def test_faults_in_small_tables_are_noticed_in_every_run(kind, fault, busy, monkeypatch):
    """On a machine that leaves no time for the checks; `wiped` positions that are not met again do no harm."""
    harmful = 0
    for seed in range(4):
        right, found, noticed = with_a_fault(kind, fault, seed, monkeypatch)
        harmful += found != right
        assert noticed or found == right, seed
    assert harmful or fault is wiped


def test_bits_are_drawn_from_those_set():
    words = np.array([0, 5, 0, 1 << 63], np.uint64)
    bits = drawn_bits(words, Random(1))
    assert {next(bits) for _ in range(60)} == {64, 66, 255}
    assert list(drawn_bits(np.zeros(3, np.uint64), Random(1))) == []


@pytest.mark.parametrize(
    ("spec", "metric", "positions"),
    [
        ("cube:2", "run", 3674160),
        ("cube:3", "run", 43_252_003_274_489_856_000),  # corners and edges are read as pieces
        ("topspin:7,4", "step", 2520),
        ("lights:5x5", "step", 1 << 23),
        ("burnt:5", "step", 3840),
    ],
)
def test_the_orbit_of_a_position_has_the_size_of_the_group(spec, metric, positions):
    model = load(spec).model(metric)
    start = model.start or model.goals[0].position
    assert orbit_size(model, start, 60.0) == positions


def test_like_pieces_have_no_size_known_beforehand():
    model = model_of("flip:3x3")
    assert orbit_size(model, model.start, 60.0) is None


def test_no_size_is_told_without_time():
    assert orbit_size(model_of("pancake:9"), bytes(range(9)), 0.0) is None


def test_orbits_of_random_listed_moves_have_the_size_that_layers_have():
    known = 0
    for seed in range(60):
        model = listed(Random(seed))
        found = plain.depths(Depths(model, (model.start,)), Watch(Limits(positions=20_000)))
        size = orbit_size(model, model.start, 60.0)
        if size is not None and found.stopped is None:
            known += 1
            assert size == sum(found.counts), f"seed {seed}"
    assert known > 20


def test_slides_on_random_boards_have_the_size_that_layers_have():
    """Rings with some chords, one or two blanks, different and like pieces."""
    known = 0
    for seed in range(80):
        chance = Random(seed)
        cells = chance.choice([4, 5, 6, 6, 7])
        pairs = {(n, (n + 1) % cells) for n in range(cells)}
        pairs |= {tuple(chance.sample(range(cells), 2)) for _ in range(chance.randint(1, 3))}
        blanks, kinds = chance.randint(1, 2), chance.choice([2, cells, cells])
        start = [0] * blanks + [1 + n % kinds for n in range(cells - blanks)]
        model = slide(links(*sorted(pairs)), start, start)
        size = _placements(model)
        if size is not None:
            known += 1
            assert size == sum(plain.depths(Depths(model, (model.start,)), Watch()).counts), f"seed {seed}"
    assert known > 40


@pytest.mark.parametrize("kind", [kind for kind in MODULES if kind not in ("digits", "rank", "slide")])
def test_a_total_that_no_group_has_is_noticed(kind):
    model = model_of(MODULES[kind][1])
    total = sum(counted(kind).counts)
    check_total(model, (model.start,), total, 60.0)
    for wrong in (total - 1, total + 1, 2 * total):
        with pytest.raises(SelfCheckError, match="can be reached"):
            check_total(model, (model.start,), wrong, 60.0)


def test_a_kept_table_of_runs_is_looked_at_before_it_is_finished(tmp_path, monkeypatch):
    """A layer that is listed one deeper than it lies: no table is left behind."""
    model = model_of("slide:3x2")
    question = Depths(model, (model.start,))
    wrong = runs_opened.RunTable.distance
    monkeypatch.setattr(runs_opened.RunTable, "distance", lambda self, position: (wrong(self, position) or 0) + 1)
    with pytest.raises(SelfCheckError, match="listed in layer"):
        runs_save.saving_engine(Saving(tmp_path / "bad")).depths(question, Watch())
    assert not (tmp_path / "bad" / "manifest.json").exists()
    monkeypatch.undo()
    assert runs_save.saving_engine(Saving(tmp_path / "bad", resume=True)).depths(question, Watch()).complete
    assert (tmp_path / "bad" / "manifest.json").exists()
    assert verify(tmp_path / "bad", model, 500, False)["sampled"] > 500


def test_verify_checks_that_each_number_is_one_position(tmp_path, monkeypatch):
    model = model_of("burnt:5")
    save.saving_engine(Saving(tmp_path / "table")).depths(Depths(model, (model.start,)), Watch())
    assert verify(tmp_path / "table", model, 500, False)["sampled"] > 500
    monkeypatch.setattr(products.ProductPlan, "rank", lambda self, position: 7)
    with pytest.raises(SelfCheckError, match="rank 7"):
        verify(tmp_path / "table", model, 500, False)


@pytest.mark.parametrize(
    ("text", "metric", "number"),
    [
        ("rule: push\nstart: . . . / . . @\n", "push", None),
        ("rule: push\nstart: . . . / . . @\n", "move", 6),
        ("rule: glide\ntilt: yes\nstart: R . . / . . .\n", "tilt", None),
    ],
)
def test_positions_of_free_walks_and_of_tilts_are_not_those_of_a_slide(text, metric, number):
    model = from_text(text, "x.pzl").model(metric)
    assert reachable(model, 0.1) == number
    counted = sum(plain.depths(Depths(model, (model.start,)), Watch()).counts)
    assert counted == (number or {"push": 1, "tilt": 4}[metric])
