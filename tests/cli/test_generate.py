"""`generate` and `random`: depths, uniform draws, seeds, filters, files, and clear words if there is too little."""

import csv
import json
import re
from collections import Counter
from itertools import pairwise

import numpy as np
import pytest

from commands import run, run_json
from puzzlespace import (
    InputError,
    Limits,
    asking,
    depths,
    generate,
    load,
    open_table,
    random_positions,
    saving,
    solve,
    symmetries,
    with_start,
)
from puzzlespace.api import generation, random_draws, walks
from puzzlespace.api.loader import from_text
from puzzlespace.contract.questions import Depths, WantedLayers
from puzzlespace.engines import blocks, frontier, plain, table
from puzzlespace.engines.shared.draws import Draw, rows_of
from puzzlespace.errors import UnsupportedError
from puzzlespace.limits.watch import Watch
from puzzlespace.registry import ENGINES


@pytest.fixture(scope="module")
def layers():
    """The depth of every position of the 8-puzzle, by plain search."""
    found = {}
    goal = load("eight").goals[0].position

    def take(depth, positions):
        found.update({position: depth for block in positions for position in block})

    plain.depths(Depths(load("eight").model(), (goal,), wanted=WantedLayers(take)), Watch())
    return found


def test_a_thousand_positions_of_a_layer_are_uniform(layers):
    answer = generate("eight", 24, 1000, seed=7)
    assert (answer.method, answer.uniform, answer.counts[24]) == ("layer", True, 24047)
    assert len(set(answer.positions)) == 1000
    assert {layers[position] for position in answer.positions} == {24}
    order = {position: n for n, position in enumerate(sorted(p for p, depth in layers.items() if depth == 24))}
    for bins, most in ((10, 27.9), (50, 94.0)):  # the chance of more is a thousandth, or less
        sizes = np.bincount([order[position] * bins // len(order) for position in answer.positions], minlength=bins)
        assert ((sizes - 1000 / bins) ** 2).sum() / (1000 / bins) < most


def test_every_position_has_the_same_chance():
    goal = load("eight").goals[0].position
    seen = dict.fromkeys(generate("eight", 10, 1000, seed=0).positions, 0)
    assert len(seen) == 286
    for seed in range(300):
        for position in generate("eight", 10, 10, seed=seed, engine="plain").positions:
            seen[position] += 1
    expected = 3000 / 286
    assert sum((number - expected) ** 2 for number in seen.values()) / expected < 370  # 285 degrees of freedom
    assert goal not in seen


def test_the_same_seed_gives_the_same_positions_with_every_engine():
    asked = [generate("eight", 15, 8, seed=5, engine=engine).positions for engine in ("plain", "frontier", "auto")]
    assert asked[0] == asked[1] == asked[2]
    assert generate("eight", 15, 8, seed=6).positions != asked[0]
    assert generate("eight", 15, 3, seed=5).positions == asked[0][:3]
    assert generate("eight", 15, 3, seed=-5).positions != asked[0][:3]


@pytest.mark.parametrize(
    ("name", "metric", "engines"),
    [
        ("rush60", "", (plain, blocks, frontier)),
        ("lights:3x3", "", (plain, frontier)),
        ("hexagram", "", (plain, frontier, table)),
        ("slide:2x3", "run", (plain, frontier, table)),
    ],
)
def test_engines_hand_over_the_same_layers(name, metric, engines):
    model = load(name).model(metric)
    source = model.start or model.goals[0].position
    found = []
    for engine in engines:
        layers = {}

        def take(depth, rows, layers=layers):
            layers.setdefault(depth, set()).update(row.tobytes() for block in rows for row in rows_of(block))

        answer = engine.depths(Depths(model, (source,), wanted=WantedLayers(take, 2, 6)), Watch())
        assert answer.counts[2:] == tuple(len(layers[depth]) for depth in range(2, 7))
        assert (answer.complete, answer.deepest, len(answer.counts)) == (False, (), 7)
        found.append(layers)
    assert all(layers == found[0] for layers in found)


def test_each_kind_of_table_lists_its_layers():
    for name in ("slide:2x4", "flip3", "pancake:6", "hanoi:3,4"):
        model = load(name).model()
        source = model.anchor or model.goals[0].position
        for kind in table.KINDS:
            engine = table.of_kind(kind)
            if engine.refuses(model, "depths") is None:
                draws = [Draw(3, 10**6) for _ in range(2)]
                for each, draw in zip((engine.depths, plain.depths), draws, strict=True):
                    each(Depths(model, (source,), wanted=WantedLayers(draw.take, 3, 5)), Watch())
                assert draws[0].drawn == draws[1].drawn
                assert draws[0].drawn


def test_a_thinned_layer_is_a_random_part_of_it():
    model = load("slide:2x4").model()
    wanted = Depths(model, (model.anchor,))
    whole, part = Draw(1, 10**6), Draw(1, 10**6)
    table.depths(Depths(model, wanted.sources, wanted=WantedLayers(whole.take, 24, 24)), Watch())
    table.depths(Depths(model, wanted.sources, wanted=WantedLayers(part.take, 24, 24, 128, seed=4)), Watch())
    assert set(part.drawn) < set(whole.drawn)
    assert 64 < len(part.drawn) < 400


def test_engines_that_do_not_list_layers_refuse():
    assert {each.name for each in ENGINES if each.depths and not each.lists} == {"linear"}
    code, _, err = run("generate", "lights:3x3", "--depth", "3", "--engine", "linear", "-q")
    assert code == 31
    assert "does not list" in err


def test_walks_are_proved_and_say_that_they_are_not_uniform(layers):
    answer = generate("eight", (18, 20), 12, seed=2, method="walk", solutions=True)
    assert not answer.uniform
    assert [layers[position] for position in answer.positions] == list(answer.depths)
    assert {18, 19, 20} >= set(answer.depths)
    model = load("eight").model()
    for position, path, depth in zip(answer.positions, answer.paths, answer.depths, strict=True):
        assert (path[0], len(path)) == (position, depth + 1)
        assert model.is_goal(path[-1])
        assert all(after in model.moves(before) for before, after in pairwise(path))
    assert answer.positions == generate("eight", (18, 20), 12, seed=2, method="walk").positions
    code, out, _ = run("generate", "eight", "--depth", "12", "-n", "2", "--method", "walk", "--seed", "1")
    assert code == 0
    assert "not uniform" in out


def test_walks_begin_from_goals_that_the_start_does_not_reach():
    goals = "goal: 2 1 3 / 4 5 .\ngoal 2: 2 1 3 / 4 . 5\n"
    puzzle = from_text(f"rule: slide\ncount: step\ndistinct: all\nstart: 1 2 3 / 4 5 .\n{goals}", "apart.pzl")
    answer = generate(puzzle, 5, 4, seed=1, method="walk")
    assert len(answer.positions) == 4
    assert set(answer.positions) <= set(generate(puzzle, 5, 1000, method="layer").positions)
    nowhere = from_text("rule: slide\ncount: step\nstart: 1 1 / 2 .\ngoal: 2 2 / * *\ngoal 2: 2 * / * 2\n", "no.pzl")
    with pytest.raises(UnsupportedError, match="no way of placing the pieces meets a goal"):
        generate(nowhere, 1, 1, method="walk")


def test_walks_from_the_start_end_at_the_depth_from_there():
    answer = generate("hanoi:3,4", 7, 3, seed=2, origin="start", method="walk")
    counted = depths("hanoi:3,4", origin="start")
    assert len(answer.positions) == 3
    every = generate("hanoi:3,4", 7, 1000, origin="start")
    assert len(every.positions) == counted.counts[7]
    assert set(answer.positions) <= set(every.positions)


def test_a_puzzle_too_large_for_a_table_is_drawn_from_near_layers_or_walked():
    near = generate("slide:4x4", 9, 5, seed=1)
    assert (near.method, near.counts[9]) == ("layer", 946)
    puzzle = load("slide:4x4")
    assert solve(with_start(puzzle, near.positions[0])).moves == 9


def test_one_solution_and_distinct():
    answer = generate("lights:3x3", 4, 50, seed=1, distinct=True, origin="goal")
    group = symmetries("lights:3x3")
    assert len({group.canonical(position) for position in answer.positions}) == len(answer.positions)
    assert "of 126 positions at depth 4 meet all conditions" in answer.short
    answer = generate("eight", 16, 4, seed=3, one_solution=True)
    for position in answer.positions:
        found = solve(with_start(load("eight"), position), count=True)
        assert (found.moves, found.solutions_commuting) == (16, 1)


def test_patterns_leave_cells_open():
    code, answer = run_json("generate", "eight", "--depth", "20", "-n", "5", "--pattern", ". * * / * * * / * * 1")
    assert code == 0
    assert {each["position"][0] + each["position"][-1] for each in answer["positions"]} == {".1"}
    code, _, err = run("generate", "eight", "--depth", "20", "--pattern", ". * * / * 9 * / * * 1")
    assert code == 30
    assert "pattern:1:11:" in err


def test_too_few_positions_are_said():
    code, out, _ = run("generate", "eight", "--depth", "31", "--seed", "1")
    assert code == 0
    assert "there are 2 positions at depth 31" in out
    code, out, _ = run("generate", "eight", "--depth", "32-40")
    assert code == 10
    assert "no position at depths 32 to 40: the greatest depth is 31" in out


@pytest.mark.parametrize("depth", ["x", "-3", "5-3", "1-2-3", "²"])
def test_wrong_depths_are_bad_input(depth):
    code, _, err = run("generate", "eight", f"--depth={depth}")
    assert code == 30
    assert "25-30" in err


def test_wrong_orders_in_python():
    with pytest.raises(InputError, match="count"):
        generate("eight", 5, 0)
    with pytest.raises(InputError, match="method"):
        generate("eight", 5, method="rank")
    with pytest.raises(InputError, match="start"):
        generate("slide:3x3", 5, origin="start")


def test_limits_stop_it():
    code, answer = run_json("generate", "eight", "--depth", "24", "--positions", "1000")
    assert (code, answer["stopped"]["kind"], answer["positions"]) == (22, "positions", [])
    answer = generate("slide:4x4", 40, 1000, seed=1, method="walk", limits=Limits(seconds=1))
    assert (answer.stopped.kind, len(answer.positions) < 1000) == ("seconds", True)


def test_walks_that_are_solved_together_share_the_limits():
    answer = generate("slide:4x4", 40, 1000, seed=2, method="walk", limits=Limits(positions=1_000_000))
    assert answer.stopped.kind == "positions"
    assert 1_000_000 < answer.generated < 1_300_000  # not a million for each of 16 ends


def test_the_files_of_an_order(tmp_path):
    pytest.importorskip("fpdf")
    names = {ending: str(tmp_path / f"eight.{ending}") for ending in ("csv", "svg", "pdf")}
    words = ["generate", "eight", "--depth", "10", "-n", "7", "--seed", "3", "--csv", names["csv"]]
    code, out, err = run(*words, "--sheet", names["svg"], "--pdf", names["pdf"])
    assert (code, err) == (0, "")
    rows = list(csv.DictReader((tmp_path / "eight.csv").read_text().splitlines()))
    assert [row["depth"] for row in rows] == ["10"] * 7
    puzzle = load("eight")
    for row in rows:
        answer = solve(with_start(puzzle, row["position"]))
        assert answer.moves == len(row["solution"].split(", ")) == 10
    assert "7 of 286 positions at depth 10" in (tmp_path / "eight.svg").read_text()
    assert len(re.findall(rb"/Type /Page\b", (tmp_path / "eight.pdf").read_bytes())) == 3
    assert "Solutions:" in out
    _, out, _ = run(*words[:-1], "-")
    assert out.startswith("position,depth,solution\n")


def test_random_positions_come_from_all_that_can_be_reached(layers):
    answer = random_positions("slide:4x4", 3, seed=1)
    assert (answer.method, answer.total) == ("ranks", 10461394944000)
    assert answer.positions == random_positions("slide:4x4", 3, seed=1).positions
    answer = random_positions("eight", 3000, seed=2)
    assert answer.total == len(layers) == 181440
    mean = sum(map(layers.__getitem__, answer.positions)) / 3000
    assert abs(mean - sum(layers.values()) / len(layers)) < 0.25  # four standard deviations
    answer = random_positions("rush60", 2000, seed=1)
    assert (answer.method, answer.total) == ("layer", 2332)
    assert len(set(answer.positions)) == 2000
    code, out, _ = run("random", "hanoi:3,2", "-n", "20")
    assert code == 0
    assert "there are 9 positions" in out


def test_random_towers_are_any_combination_of_pegs():
    answer = random_positions("hanoi:4,15", 400, seed=1, limits=Limits(seconds=60))
    assert (answer.method, answer.uniform, answer.total) == ("ranks", True, 4**15)
    pegs = Counter(symbol for position in answer.positions for symbol in position)
    assert len(pegs) == 4
    assert max(abs(number - 1500) for number in pegs.values()) < 5 * (6000 * 3 / 16) ** 0.5  # five standard deviations
    answer = random_positions("hanoi:3,4", 81, seed=2)
    assert (answer.total, len(set(answer.positions))) == (81, 81)


def test_random_lamps_are_sums_of_presses():
    answer = random_positions("lights:25x25", 3, seed=1, limits=Limits(seconds=60))
    assert (answer.uniform, answer.total, len(set(answer.positions))) == (True, 2**625, 3)
    lit = sum(position.count(1) for position in answer.positions)
    assert abs(lit - 3 * 312.5) < 4 * (3 * 625 / 4) ** 0.5  # four standard deviations
    answer = random_positions("lights:4x4", 4096, seed=2)
    assert (answer.total, len(set(answer.positions))) == (4096, 4096)


def test_random_cubes_are_elements_of_the_group():
    answer = random_positions("cube:3", 200, seed=1)
    assert (answer.method, answer.uniform, answer.total) == ("group", True, None)
    assert len(set(answer.positions)) == 200
    solved = load("cube:3").model().goals[0].position
    same = sum(a == b for position in answer.positions for a, b in zip(position, solved, strict=True)) - 200 * 6
    assert abs(same / (200 * 48) - 1 / 6) < 0.02  # each sticker but those of centres has one of six colours
    code, out, _ = run("random", "cube:3", "--seed", "1")
    assert code == 0
    assert "drawn uniformly from all that can be reached" in out


def test_ends_of_walks_are_reached_and_not_called_uniform(monkeypatch):
    monkeypatch.setattr("puzzlespace.api.random_draws._by_ranks", lambda *given: None)
    answer = random_positions("slide:4x4", 2, seed=1, limits=Limits(seconds=60))
    assert (answer.method, answer.uniform, answer.total) == ("walk", False, None)
    assert random_positions("slide:4x4", 2, seed=1).positions == answer.positions


def test_a_saved_table_gives_its_layers_and_draws(tmp_path):
    for engine in ("table", "frontier"):
        puzzle = load("slide:2x3")
        depths(puzzle, engine=saving(puzzle, tmp_path / engine, engine=engine))
        found = open_table(puzzle, tmp_path / engine)
        rows = found.layer(12)
        assert rows.shape == (found.counts[12], 6)
        assert {found.distance(row.tobytes()) for row in rows} == {12}
        assert found.sample(12, 5, seed=3) == tuple(map(bytes, generate(puzzle, 12, 5, seed=3).positions))
        with pytest.raises(InputError, match="depth"):
            found.layer(22)
        code, answer = run_json(
            "generate", "slide:2x3", "--depth", "12", "-n", "5", "--seed", "3", "--table", str(tmp_path / engine)
        )
        assert (code, len(answer["positions"])) == (0, 5)


def test_a_table_to_the_goals_that_the_start_reaches_is_drawn_from(tmp_path):
    puzzle = load("rush60")
    depths(puzzle, engine=saving(puzzle, tmp_path / "table"))
    answer = generate(puzzle, (10, 12), 6, seed=3, engine=asking(puzzle, tmp_path / "table"))
    assert answer.positions == generate(puzzle, (10, 12), 6, seed=3).positions
    assert all(solve(with_start(puzzle, each)).moves in (10, 11, 12) for each in answer.positions)


def test_nothing_left_of_a_part_of_a_layer_is_nothing_to_draw_from():
    drawn = Draw(1, 3)
    drawn.take(2, [[], [b"ab", b"ba"], []])
    assert (drawn.seen, len(drawn.drawn)) == ({2: 2}, 2)


def _interrupted_at(monkeypatch, number, *words):
    """Run a command that Ctrl-C stops before the candidate of that number is looked at; return its output."""
    looks = [0]

    def checkpoint():
        looks[0] += 1
        if looks[0] == number:
            raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(generation, "checkpoint", checkpoint)
        patch.setattr(random_draws, "paced", lambda items: (each for each in items if checkpoint() is None))
        patch.setattr(walks.Walks, "end", _end)
        code, out, _ = run(*words, "--seed", "3", "-q")
    assert code == 130
    return out


def _end(self, chance):
    """Return a position a few moves from the goal: walks without looks at the limits, which are counted here."""
    position = self.sources[0]
    for _ in range(12):
        position = chance.choice(sorted(self.order.model.moves(position)))
    return position


STOPPED = {
    "layer": ["generate", "slide:3x2", "--depth", "5-9", "--method", "layer", "-n", "6"],
    "solved": ["generate", "slide:3x2", "--depth", "5-9", "--method", "layer", "-n", "6", "--solutions"],
    "walk": ["generate", "slide:3x2", "--depth", "2-3", "--method", "walk", "-n", "4"],
    "random": ["random", "slide:3x2", "-n", "6"],
}


@pytest.mark.parametrize("words", STOPPED.values(), ids=STOPPED)
@pytest.mark.parametrize("number", [1, 4])
def test_ctrl_c_loses_no_position_that_was_drawn(monkeypatch, words, number):
    found = json.loads(_interrupted_at(monkeypatch, number, *words, "--json"))
    assert (found["status"], found["complete"], found["stopped"]["kind"]) == ("stopped", False, "interrupted")
    assert len(found["positions"]) <= number - 1
    assert found["positions"] or number == 1
    if "layer" in words:
        assert (found["counts"], found["states"], found["depth"]) == ([1, 2, 3, 5, 6, 7, 10, 12, 12, 16], 74, 9)
    else:
        assert (found["counts"], found["states"], found["depth"]) == ([], 0, None)
    text = _interrupted_at(monkeypatch, number, *words)
    assert len(re.findall(r"^ *\d+: ", text, re.MULTILINE)) <= number - 1
    assert ("seed 3" in text) == bool(found["positions"])
    lines = _interrupted_at(monkeypatch, number, *words, "--csv", "-").splitlines()
    assert [line.split(",")[0] for line in lines[1:]] == [each["position"] for each in found["positions"]]
