"""Plans: what is called exact is, estimates are near known counts, the simulated schedule follows the moves."""

import csv
import json
import re
from dataclasses import replace
from itertools import permutations
from types import SimpleNamespace

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from commands import run, run_json
from fuzz.generators import accepted, draw
from places import ROOT
from puzzlespace import Cluster, InputError, LimitError, Limits, UnsupportedError, depths, load, plan
from puzzlespace.api import choice
from puzzlespace.api import hopeless as hopeless_counts
from puzzlespace.api.planning import growth, rates, resident, simulation
from puzzlespace.api.planning import plan as planning
from puzzlespace.api.planning.growth import Growth, extended
from puzzlespace.api.planning.plan import _advice
from puzzlespace.contract.needs import MOST_ESTIMATED, Arc, TablePieces
from puzzlespace.contract.plans import MOST_SECONDS, Between, LayerPlan, Plan
from puzzlespace.contract.questions import Depths
from puzzlespace.engines import frontier, gliders, table
from puzzlespace.engines.gliders import layers as glider_layers
from puzzlespace.engines.gliders import needs as glider_needs
from puzzlespace.engines.table import needs as table_needs
from puzzlespace.engines.table.slide.numbering import plan as slide_plan
from puzzlespace.limits.watch import Watch
from puzzlespace.registry import ENGINES as ALL_ENGINES
from puzzlespace.registry import FAMILIES, needs_of
from puzzlespace.render import planned
from puzzlespace.storage import cache, files
from puzzlespace.storage.files import DATA, SUMS
from puzzlespace.web.measured import CountEstimate

RATE = rates.Rate(table=1e-9, position=1e-8, fixed=0.1, made=0.0, busy=2.0)


@pytest.fixture
def quick(monkeypatch):
    """Rates that need not be measured, and few first layers."""
    monkeypatch.setattr(growth, "POSITIONS", 60_000)
    monkeypatch.setattr(rates, "rate_of", lambda *_: (RATE, True))
    monkeypatch.setattr(rates, "disk_rate", lambda: rates.DiskRate(5e8))


def known(board, metric="single"):
    """The counts of a board of tiles."""
    with (ROOT / "tests/data/tiles_depths.csv").open() as file:
        rows = [each for each in csv.DictReader(file) if each["board_rows_x_cols"] == board]
    rows = [each for each in rows if each["metric"] == metric and each["blank_in_goal"] == "corner"]
    return [int(each["positions"]) for each in rows]


@pytest.mark.parametrize(
    "counts",
    [
        known("2x5"),
        known("3x4"),
        known("3x4", "multi"),
        [1, 9, 54, 321, 1847, 9992, 50136, 227536, 870072, 1887748, 623800, 2644],
    ],
)
def test_estimated_layers_are_near_known_ones(counts):
    total = sum(counts)
    first, found = 1, 0
    while found + counts[first] < min(total / 10, 300_000):
        found += counts[first]
        first += 1
    sizes = extended(tuple(map(float, counts[:first])), total)
    assert sizes[:first] == counts[:first]
    assert sum(sizes) == pytest.approx(total, rel=0.01)
    assert len(counts) / 1.5 < len(sizes) < 1.5 * len(counts)


def test_fewer_positions_than_were_found_are_refused():
    with pytest.raises(InputError, match="expected at least the 3 positions"):
        extended((1.0, 2.0), 2)
    assert Growth((1.0, 2.0), 2, True, 1.0).reaching(100).sizes == (1.0, 2.0)


def test_a_plan_of_a_small_puzzle_has_its_layers(quick):
    found = plan("hexagram")
    table = depths("hexagram")
    assert found.positions.exact
    assert [layer.positions for layer in found.layers] == list(table.counts)
    assert (found.depth, found.counted, found.where) == (table.depth, len(table.counts), "memory")
    assert found.notes == ()


@pytest.mark.parametrize("spec", ["slide:2x6", "topspin:10,4", "burnt:8", "pancake:11"])
def test_the_number_of_positions_is_exact_where_it_is_called_so(quick, spec):
    numbers = {"slide:2x6": 239_500_800, "topspin:10,4": 3_628_800, "burnt:8": 10_321_920, "pancake:11": 39_916_800}
    found = plan(spec)
    assert found.engine == "table"
    assert found.positions.least == found.positions.most == numbers[spec]


def test_without_an_exact_number_there_are_bounds(quick):
    found = plan("goat")
    assert not found.positions.exact
    assert found.positions.least < 5_443_200 <= found.positions.most
    assert any("not known before the count" in note for note in found.notes)
    assert found.processor.least < found.processor.most


def test_the_bytes_of_a_saved_table_are_those_on_the_disk(quick, eight):
    found = plan("eight", engine="table")
    assert found.saved == sum((eight / name).stat().st_size for name in (DATA, SUMS))


def test_a_count_that_does_not_fit_says_what_is_needed(quick):
    found = plan("slide:3x5", limits=Limits(memory=2 << 30))
    assert found.where == "nowhere" or found.room > 2 * found.files
    assert "653,837,184,000 positions need 87 GB; here are 2.1 GB of memory" in found.advice
    assert found.written > 20 * found.files
    found = plan("slide:2x6", limits=Limits(memory=33_000_000))
    assert found.where == "files"
    assert "counted in temporary files of 32 MB" in found.advice


@pytest.mark.parametrize(
    ("engine", "spec", "metric"),
    [("blocks", "century", "step"), ("boxes", "microban36", "move"), ("gliders", "slide:3x3", "step")],
)
def test_all_engines_for_rules_take_the_same_files_for_the_same_layers(engine, spec, metric):
    model, sizes = load(spec).model(metric), [1.0, 5.0, 1e4, 3e9]
    taken = [
        needs_of(each)(model, (model.anchor,), None).traffic(sizes, 3.0)
        for each in ALL_ENGINES
        if each.name in (engine, "frontier")
    ]
    assert taken[0] == taken[1]
    assert min(map(sum, taken[0])) > 0


@pytest.mark.parametrize(
    ("spec", "memory", "kind"),
    [
        ("burnt:11", 12, "product"),
        ("pancake:14", 16, "words"),
        ("topspin:14,4", 16, "words"),
    ],
)
def test_large_tables_take_one_bit_a_position_and_files(quick, monkeypatch, spec, memory, kind):
    for module in (table, planning):
        monkeypatch.setattr(module, "disk_room", lambda: 10**11)
    found = plan(spec, limits=Limits(memory=memory * 10**9))
    words = found.memory.most / 8
    assert found.numbering == f"table of bits, kind {kind}"
    assert found.where == "files"
    assert found.positions.most <= 64 * words < 1.1 * found.positions.most + 10**8
    assert 3 * 8 * words < found.files + 10**8
    assert "it is counted with one bit a position in memory, the rest in temporary files of" in found.advice


@pytest.mark.parametrize(
    ("spec", "memory", "kind", "bits"), [("lrx:14", 16, "words", 1.1), ("hanoi:4,18", 9, "digits", 0.36)]
)
def test_large_tables_of_alternating_layers_or_of_images_take_no_files(quick, spec, memory, kind, bits):
    found = plan(spec, limits=Limits(memory=memory * 10**9))
    assert found.numbering == f"table of bits, kind {kind}"
    assert found.where == "memory"
    assert 0.9 * bits < 8 * found.memory.most / found.positions.most < bits


def test_of_two_engines_without_room_the_plan_takes_the_numbering(quick):
    assert plan("slide:2x6", limits=Limits(memory=20_000_000)).engine == "table"
    assert plan("topspin:11,4", engine="frontier").engine == "frontier"


def test_a_plan_keeps_its_limits():
    with pytest.raises(LimitError, match="stopped after"):
        plan("slide:3x5", limits=Limits(seconds=0.001))


class TestTheSimulation:
    @staticmethod
    def table(spec):
        slides = slide_plan(load(spec).model())
        return slides, TablePieces(1, (0,), (), slides.words, slides.counts)

    @pytest.mark.parametrize(
        "window", [(0, 3, True), (0, 3, False), (1, 4, True), (1, 4, False), (0, 5, True), (2, 5, False)]
    )
    @pytest.mark.parametrize("places", [0, 1, 2, 3])
    def test_pieces_that_feed_a_piece_are_those_of_the_rotated_orders(self, window, places):
        first, last, left = window
        cut = simulation.RowCut(TablePieces(1, (0,), (), 1, (2, 1, 1, 1)), places)
        feeding = {}
        for order in set(permutations((0, 0, 1, 2, 3))):
            inner = order[first:last]
            turned = inner[-1:] + inner[:-1] if left else inner[1:] + inner[:1]
            target = order[:first] + turned + order[last:]
            feeding.setdefault(cut.number[target[:places]], set()).add(cut.number[order[:places]])
        arc = Arc(0, 0, window, 1.0)
        assert {piece: set(cut.feeding(piece, arc)) for piece in range(len(cut.prefixes))} == feeding
        assert sum(cut.shares) == pytest.approx(1)

    def test_more_machines_take_less_time_until_the_folder_limits_them(self, monkeypatch):
        slow = replace(RATE, table=1e-6)
        monkeypatch.setattr(growth, "POSITIONS", 60_000)
        monkeypatch.setattr(rates, "rate_of", lambda *_: (slow, True))
        one, many, weak = (
            plan("slide:2x6", cluster=Cluster(workers, network=network))
            for workers, network in ((1, 10**10), (4, 10**10), (4, 10**6))
        )
        assert one.cluster.limited == many.cluster.limited == "processors"
        assert one.cluster.seconds / 5 < many.cluster.seconds < one.cluster.seconds / 2
        assert one.cluster.seconds > one.processor.most / RATE.busy
        assert sum(layer.written for layer in many.cluster.layers) > many.files
        assert weak.cluster.limited == "shared folder"
        assert weak.cluster.seconds > 8 * sum(layer.sent for layer in weak.cluster.layers) / 10**6

    def test_a_folder_that_is_too_small_is_said(self, quick):
        assert not plan("slide:2x6", cluster=Cluster(2, disk=10**7)).cluster.fits
        assert (
            "it does not fit: the shared folder needs" in run("plan", "slide:2x6", "--workers", "2", "--disk", "1M")[1]
        )

    def test_what_is_not_a_slide_is_counted_by_partitions(self, quick):
        found = plan("topspin:11,4", cluster=Cluster(3)).cluster
        assert (found.method, found.pieces, found.fits) == ("frontier", 12, True)

    def test_the_memory_of_a_worker_is_its_share_and_the_program(self, quick):
        large, small, two = (
            plan("slide:2x6", metric=metric, cluster=Cluster(2, memory)).cluster.resident - resident.PROGRAM
            for metric, memory in (("step", 10**9), ("step", 10**8), ("multi", 10**9))
        )
        bits = 239_500_800 / 8
        assert 3 * bits < large < 4 * bits < two < 5 * bits  # known, both planes; the next layer
        assert 0.4 * 10**8 < small < 3.5 * bits
        few, many = (plan("topspin:11,4", cluster=Cluster(each)).cluster.resident for each in (64, 1))
        assert resident.PROGRAM < few < many < resident.PROGRAM + 0.4 * Cluster(1).memory


class TestRates:
    def test_a_rate_is_measured_once(self, tmp_path, monkeypatch):
        monkeypatch.setenv(cache.FOLDER, str(tmp_path))
        first = plan("hexagram")
        assert any("measured just now" in note for note in first.notes)
        assert first.processor.most > 0
        assert plan("hexagram").notes == ()
        entry = next(path for path in tmp_path.rglob(rates.FILE))
        entry.write_text(json.dumps({"table": "x"}))
        assert any("measured just now" in note for note in plan("hexagram").notes)

    def test_a_fit_has_the_total_of_what_was_measured(self):
        rows = [(10.0, 1.0, 12.0), (10.0, 5.0, 20.0), (10.0, 9.0, 28.0)]
        assert rates.fitted(rows) == pytest.approx((1.0, 2.0))
        assert rates.fitted([(10.0, 0.0, 3.0)]) == pytest.approx((0.3, 0.0))
        assert rates.fitted([(9.0, 1.0, 5.0), (1.0, 2.0, 11.0)]) == pytest.approx((0.0, 16 / 3))

    def test_tables_of_moves_take_most_of_the_time_before_the_first_layer(self):
        class Asked:
            made = 0.0

        rate = replace(RATE, made=float(rates.LITTLE))
        assert rate.before(Asked()) == pytest.approx(rates.CHECKED + rate.fixed / 2)


@pytest.mark.parametrize("kind", table_needs.REFERENCES)
def test_every_kind_of_table_says_what_its_reference_takes(kind):
    spec, metric, warm = table_needs.REFERENCES[kind]
    table = "slide" if kind.startswith("slide") else kind
    model = load(warm).model(metric)
    needs = table_needs.of_kind(table, model, (model.goals[0].position,))
    assert sum(depths(warm, metric=metric, origin="goal").counts) <= needs.ranks
    layers = [1.0, 10.0, 100.0]
    for pairs in (needs.work(layers, 2.0), needs.traffic(layers, 2.0)):
        assert len(pairs) == len(layers)
        assert min(min(pair) for pair in pairs) >= 0 < max(map(sum, pairs))
    assert needs.memory(layers) >= needs.table > 0
    assert table_needs.reference(kind, table).spec == spec
    with pytest.raises(UnsupportedError, match=table):
        table_needs.of_kind(table, load("star13").model(), (load("star13").model().start,))


ENGINES = ("auto", "table", "frontier", "blocks", "linear", "plain")


def test_plans_of_random_puzzles_have_the_positions_that_are_counted(quick):
    planned = dict.fromkeys(ENGINES, 0)
    for seed in range(40):
        puzzle = accepted(draw(seed))
        for engine in ENGINES:
            try:
                found = plan(puzzle, engine=engine)
                right = depths(puzzle, origin=found.origin, engine="plain", limits=Limits(positions=100_000))
            except (InputError, UnsupportedError):
                continue
            if right.complete:
                positions, most = sum(right.counts), found.positions.most
                assert found.positions.least <= positions, (seed, engine)
                assert most is None or positions <= most, (seed, engine)
                assert found.memory.least >= 0, (seed, engine)
                assert len(found.layers) == found.depth + 1, (seed, engine)
                planned[engine] += 1
    assert min(planned["auto"], planned["table"], planned["frontier"], planned["plain"]) > 5, planned


def test_the_command_prints_a_plan(quick):
    code, out, _ = run("plan", "slide:2x6", "--workers", "8", "--layers", "-q")
    assert code == 0
    assert "239,500,800" in out
    assert "8 machines like this one" in out
    code, answer = run_json("plan", "slide:2x6", "--workers", "8", "-q")
    assert code == 0
    assert answer["positions"] == {"least": 239_500_800, "most": 239_500_800}
    assert answer["cluster"]["written"] == sum(layer["written"] for layer in answer["cluster"]["layers"])
    assert len(answer["layers"]) == answer["depth"] + 1


@pytest.mark.parametrize(
    ("words", "text"),
    [
        (["--workers", "0"], "--workers: expected at least 1"),
        (["--workers", "2", "--disk", "much"], "--disk: expected a size such as"),
        (["--workers", "2", "--network", "-1"], "--network: expected a size such as"),
        (["--from", "end"], "--from: expected start or goal"),
    ],
)
def test_bad_options_are_refused(words, text):
    code, _, err = run("plan", "hexagram", *words)
    assert code == 30
    assert text in err


ROBOTS = "rule: glide\ncount: piece\nedge: forbidden\nstart: R . o . o .\ngoal: * * * R * *\n"


def test_an_engine_that_cannot_say_what_it_takes_is_named(quick):
    code, _, err = run("plan", "slide:3x2", "--engine", "program")
    assert (code, "cannot say beforehand" in err) == (31, True)


@pytest.mark.parametrize("dense", [True, False])
def test_gliding_pieces_take_what_is_allocated(quick, tmp_path, dense, monkeypatch):
    for module in (glider_needs, glider_layers):
        monkeypatch.setattr(module, "MOST_BITS", dense * glider_layers.MOST_BITS)
    file = tmp_path / "robots.pzl"
    file.write_text(ROBOTS)
    code, out, _ = run("plan", str(file), "--engine", "gliders", "--from", "start")
    assert (code, "engine     gliders: cells of pieces as words" in out) == (0, True)
    model = load("slide:3x3").model()
    sizes = depths("slide:3x3", engine="gliders").counts
    planned = glider_needs.needs(model, (model.goals[0].position,), None).memory(sizes)
    run_of = glider_layers.Gliders(model, gliders.reading_of(model, model.goals[0].position), (), (), Watch())
    layer = run_of.enter([model.goals[0].position])
    for _ in sizes:
        layer = run_of.following(layer, Watch(), 0)
    assert planned == pytest.approx(run_of.seen.nbytes + 1.25 * run_of.words.nbytes, rel=0.2)


PEGS = """
rule: jump
count: chain
start:
  o o o o o
  o o . o o
  o o o o o
  o o o o o
goal:
  . . . . .
  . . o . .
  . . . . .
  . . . . .
"""


@pytest.mark.parametrize("metric", ["chain", "step"])
def test_pegs_are_counted_to_plan(quick, tmp_path, metric):
    file = tmp_path / "pegs.pzl"
    file.write_text(PEGS)
    found = plan(file, engine="pegs", metric=metric)
    counted = depths(load(file), origin=found.origin, engine="pegs", metric=metric)
    assert found.positions.least == found.positions.most == counted.states
    assert found.memory.least > 0


@pytest.mark.parametrize(("spec", "moves"), [("pancake:9", 8), ("topspin:9,4", 3), ("burnt:6", 6)])
def test_the_moves_of_a_layer_that_is_cut_short_are_not_counted(spec, moves, monkeypatch):
    monkeypatch.setattr(growth, "POSITIONS", 5_000)
    model = load(spec).model()
    found = growth.probe(Depths(model, (model.goals[0].position,), 0), frontier.ENGINE, Watch())
    assert not found.complete
    assert found.children == moves


DISK = type("Usage", (), {"free": 10**11})


def test_a_saved_table_without_room_is_refused_with_what_it_takes(quick, tmp_path, monkeypatch):
    monkeypatch.setattr(files.shutil, "disk_usage", lambda folder: DISK)
    code, _, err = run("depths", "slide:3x5", "--save", str(tmp_path / "table"))
    assert code == 30
    assert "653,837,184,000 positions need 348,717,359,104 bytes on this disk, 100,000,000,000 are free" in err
    assert "a saved table takes 174 GB, and 349 GB while it is written; counting takes about" in err


@pytest.mark.parametrize("command", ["depths", "hardest"])
def test_a_count_that_memory_stops_says_what_it_takes(quick, command, monkeypatch):
    monkeypatch.setattr(files.shutil, "disk_usage", lambda folder: DISK)
    code, _, err = run(command, "slide:3x5", "--memory", "1G")
    assert code == 21
    assert "653,837,184,000 positions need 87 GB; here are 1.1 GB of memory and 100 GB of disk" in err
    assert "--save takes 349 GB of disk while it is written; --cluster counts on several machines" in err


LARGE = ("cube:3", "flip:12x12", "hanoi:4,40", "lights:12x12", "pancake:20", "burnt:20", "topspin:20,4", "lrx:20",
         "reversals:20")  # fmt: skip


@pytest.mark.parametrize("spec", [*LARGE, "peg:english33", "slide:6x6"])
def test_plans_of_huge_puzzles_tell_no_absurd_figures(quick, monkeypatch, spec):
    monkeypatch.setattr(growth, "POSITIONS", 5000)
    sensible(plan(spec, limits=Limits(seconds=60)))


def test_every_family_has_a_huge_puzzle():
    assert {family.name for family in FAMILIES} == {spec.partition(":")[0] for spec in [*LARGE, "peg:", "slide:"]}


ABSURD = re.compile(r"[\d,]{6,} years|\d{4,} years|[2-9],\d{3} years|about 10\^\d+ bytes")


def sensible(found):
    """Check that text and JSON have no figure that no machine could have."""
    for told in (planned.text(found, True), planned.refusal(found), planned.saving(found), planned.hopeless(found)):
        assert not ABSURD.search(told), told
    told = planned.json_object(found)
    json.dumps(told)
    for name in ("seconds", "processor", "memory"):
        assert all(each is None or each <= 10**18 for each in told[name].values())
    assert all(each is None or each <= 1000 * 366 * 86400 for each in told["seconds"].values())
    assert (told["beyond"] and "cannot be counted" in told["advice"]) or found.seconds.least <= MOST_SECONDS


AMOUNTS = st.integers(0, 80).map(lambda power: 10.0**power)


@given(
    st.tuples(AMOUNTS, AMOUNTS), st.tuples(AMOUNTS, AMOUNTS), st.tuples(AMOUNTS, AMOUNTS),
    st.tuples(AMOUNTS, st.none() | AMOUNTS), AMOUNTS,
    st.sampled_from(["memory", "files", "nowhere"]),
)  # fmt: skip
def test_no_plan_tells_absurd_figures(seconds, processor, memory, positions, files, where):
    def between(least, most):
        return Between(least, None if most is None else max(least, most))

    layers = tuple(LayerPlan(positions[0], files, files, files, seconds[1]) for _ in range(3))
    found = Plan(
        "p", "step", "goal", between(*positions), "r", "table", "n", "e", 1, 2, layers, between(*memory), int(files),
        int(files), int(files), where, 10**10, False, 10**11, between(*seconds), between(*processor), "",
    )  # fmt: skip
    sensible(replace(found, advice=_advice(found, True)))


HUGE = [pytest.param(10**digits, id=f"10^{digits}") for digits in (5, 15, 250, 307, 308, 309, 1200)]
"""Numbers of positions on both sides of the greatest float, about 1.8 * 10^308."""


@pytest.mark.parametrize("total", HUGE)
@pytest.mark.parametrize("first", [(1,), (1, 2, 4, 10, 24)])
def test_layers_of_any_number_of_positions_are_finite(total, first):
    found = Growth(tuple(map(float, first)), len(first), False, 3.0).reaching(total)
    assert all(size < 2.0 * MOST_ESTIMATED for size in found.sizes)
    assert sum(found.sizes) > 0.99 * min(total, MOST_ESTIMATED)


@pytest.mark.parametrize("total", HUGE)
def test_whether_a_count_fits_is_said_for_any_number_of_positions(total):
    model = load("slide:3x3").model()
    asked = Depths(model, (model.anchor,), 0)
    for name in ("plain", "frontier", "table"):
        assert hopeless_counts._fits(asked, choice.engine(name), total) == (total == 10**5)


@pytest.mark.parametrize("total", HUGE)
def test_the_page_is_told_the_time_of_any_number_of_positions(total):
    told = CountEstimate(total, True, 1e6, 1.0).fields
    assert told["positions"] == total
    assert told["seconds"] == pytest.approx(min(total, MOST_ESTIMATED) / 1e6)


def test_positions_beyond_every_float_are_planned(quick, monkeypatch):
    monkeypatch.setattr(growth, "POSITIONS", 500)
    found = plan("slide:13x14", engine="plain")
    told = json.loads(json.dumps(planned.json_object(found)))
    assert found.beyond
    assert "about 10^333 positions cannot be counted by any machine" in planned.text(found, layers=True)
    assert len(str(told["positions"]["least"])) == 334


@pytest.mark.parametrize("kind", ["slide", "turn", "perm", "digits"])
def test_a_table_beyond_every_float_is_not_planned(kind):
    chosen = SimpleNamespace(kind=kind, plan=SimpleNamespace(bytes=10**400))
    with pytest.raises(UnsupportedError, match="no machine has room for a table of about 10\\^400 bytes"):
        table_needs.needs_of(chosen, None, ())


@settings(deadline=None, max_examples=25)
@given(st.lists(st.integers(0, 30), min_size=1, max_size=60), st.integers(1, 10**9))
@example([0, 0, 0], 1)
def test_layers_with_gaps_are_continued(sizes, more):
    first = (1.0, *map(float, sizes), 3.0)
    found = extended(first, sum(first) + more)
    assert tuple(found[: len(first)]) == first
    assert sum(found) == pytest.approx(sum(first) + more, rel=0.01)


def test_a_count_by_cost_that_is_too_long_to_finish_is_planned(quick, monkeypatch):
    monkeypatch.setattr(growth, "POSITIONS", 40)
    found = plan("bridge")
    assert found.counted < 28
    assert found.positions.least < 30 <= found.positions.most
