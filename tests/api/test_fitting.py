"""How many positions of each layer fit a pattern: every engine against plain layers and a direct filter."""

import json
from collections import Counter
from random import Random

import numpy as np
import pytest

import puzzlespace
from commands import run, run_json
from fuzz.generators import accepted, draw, draw_glide, draw_push
from puzzlespace import Arrays, Custom, FormatError, InputError, Limits, UnsupportedError, asking, saving
from puzzlespace.api.fitting import Tally
from puzzlespace.api.measuring import default_origin
from puzzlespace.cli import terminal
from puzzlespace.cli.partial import Partial
from puzzlespace.contract.questions import Depths, WantedLayers
from puzzlespace.engines import plain
from puzzlespace.engines.blocks import ENGINE as BLOCKS
from puzzlespace.errors import LimitError
from puzzlespace.limits.watch import Watch
from puzzlespace.puzzle.draft import PLAYER, WILD
from puzzlespace.registry import ENGINES

MOST = 3_000
"""The most positions of a drawn puzzle."""


def pattern(random, puzzle, position):
    """A drawing of a position in which some letters are left open."""
    words = [WILD if word == PLAYER else str(word) for word in puzzle.view.decode(position)]
    opened = set(random.sample(sorted(set(words)), random.randrange(len(set(words)) + 1)))
    return puzzle.line(position, [WILD if word in opened else word for word in words])


def plain_layers(model, sources):
    """The positions of each layer."""
    found = {}

    def take(depth, blocks):
        found.setdefault(depth, []).extend(position for block in blocks for position in block)

    plain.depths(Depths(model, sources, 0, wanted=WantedLayers(take)), Watch(Limits(positions=20 * MOST)))
    return found


def compared(puzzle, metric, random):
    """The number of engines that agree about drawn patterns of the positions that the start reaches."""
    model = puzzle.model(metric)
    layers = plain_layers(model, (model.start,))
    if sum(map(len, layers.values())) > MOST:
        return 0
    some = [
        random.choice(random.choice([layer for layer in layers.values() if layer]))
        for _ in range(random.choice((1, 1, 2)))
    ]
    texts = [pattern(random, puzzle, position) for position in some]
    try:
        goals = [puzzlespace.with_goal(puzzle, text).model(metric).goals[0] for text in texts]
    except FormatError:  # letters of one block that others separate
        return 0
    met = [sum(any(goal.holds(each) for goal in goals) for each in layer) for layer in layers.values()]
    assert sum(met) > 0
    agreed = 0
    for engine in (each for each in ENGINES if each.lists):
        if engine.refuses(model, "depths") is not None:
            continue
        try:
            table = puzzlespace.depths(puzzle, only=texts, origin="start", metric=metric, engine=engine.name)
        except UnsupportedError:  # a source that no table numbers
            continue
        found = table.fitting
        assert found.counts == tuple(met), (engine.name, texts)
        deep = [depth for depth, count in enumerate(met) if count]
        assert (found.positions, found.least, found.greatest) == (sum(met), min(deep), max(deep))
        agreed += 1
    return agreed


@pytest.mark.parametrize(("drawn", "seeds"), [(draw, 70), (draw_glide, 15), (draw_push, 20)])
def test_every_engine_counts_what_a_filter_of_plain_layers_counts(drawn, seeds):
    agreed = 0
    for seed in range(seeds):
        random, puzzle = Random(seed), accepted(drawn(seed))
        if puzzle.start is not None:
            agreed += compared(puzzle, random.choice(puzzle.metrics), random)
    assert agreed > seeds


@pytest.mark.parametrize("name", ["eight", "slide:3x2", "lights:3x3", "hexagram", "no-off-b", "flip3"])
def test_depths_of_a_pattern_to_the_goal_and_from_the_start(name):
    puzzle = puzzlespace.load(name)
    model, random = puzzle.model(), Random(name)
    for origin in {default_origin(model), "start"} if model.start is not None else {"goal"}:
        table = puzzlespace.depths(puzzle, origin=origin, cache="off")
        text = pattern(random, puzzle, random.choice(table.hardest))
        found = puzzlespace.depths(puzzle, origin=origin, only=text)
        assert found.counts == table.counts
        assert 0 < found.fitting.counts[-1] <= table.counts[-1]
        slow = puzzlespace.depths(puzzle, origin=origin, only=text, engine="plain")
        assert found.fitting == slow.fitting


def test_the_positions_of_a_goal_of_several_places_fit_themselves():
    puzzle = puzzlespace.load("klotski")
    found = puzzlespace.depths(puzzle, only="* * * * / * * * * / * * * * / * B B * / * B B *", engine=BLOCKS)
    assert (found.fitting.counts[0], found.fitting.positions) == (found.counts[0], found.counts[0])


def test_puzzles_written_in_python_take_a_position_or_a_function():
    walk = Custom(moves=lambda n: [n + 1] if n < 9 else [], start=0, goal=9)
    assert puzzlespace.depths(walk, only=4).fitting.counts == (0,) * 4 + (1,) + (0,) * 5
    assert puzzlespace.depths(walk, only=lambda n: n % 3 == 0).fitting.positions == 4
    rows = Arrays(following=lambda rows: np.minimum(rows + 1, 9), start=[0], goal=[9])
    for engine in ("plain", "encoded"):
        found = puzzlespace.depths(rows, only=lambda rows: rows[:, 0] % 3 == 0, engine=engine)
        assert found.fitting.counts == (1, 0, 0) * 3 + (1,)
        assert puzzlespace.depths(rows, only=[4], engine=engine).fitting.least == 4


def test_a_limit_leaves_the_layers_that_were_looked_at():
    whole = puzzlespace.depths("eight", only="1 2 * / * * * / * * *").fitting
    for positions in (1, 40, 500, 20_000):
        for engine in ("auto", "plain", "frontier", "table"):
            part = puzzlespace.depths(
                "eight", only="1 2 * / * * * / * * *", engine=engine, limits=Limits(positions=positions)
            )
            assert part.stopped is not None
            assert part.fitting.counts == whole.counts[: len(part.fitting.counts)]
            assert len(part.counts) - len(part.fitting.counts) in (0, 1)


def test_a_layer_that_is_not_handed_over_to_its_end_does_not_count():
    tally = Tally(None, lambda position: position > 1)
    tally.take(0, [[1, 2], [3]])
    tally.take(1, [[5]])
    assert tally.of([3, 1]).counts == (2, 1)
    assert tally.of([3, 2]).counts == (2,)
    tally.begin()
    assert tally.of([3]).counts == ()


def test_an_engine_that_hands_over_too_little_is_an_error(monkeypatch):
    monkeypatch.setattr(Tally, "take", lambda tally, depth, blocks: None)
    with pytest.raises(puzzlespace.SelfCheckError, match="counted 1 position at depth 0, handed over were 0"):
        puzzlespace.depths("slide:3x2", only="* * * / * * 1", engine="plain")


@pytest.mark.parametrize(("name", "engine"), [("slide:3x2", "table"), ("slide:3x2", "frontier"), ("flip3", "frontier")])
def test_saved_tables_count_what_fits(tmp_path, name, engine):
    puzzle = puzzlespace.load(name)
    random = Random(name)
    puzzlespace.depths(puzzle, engine=saving(puzzle, tmp_path / "t", engine=engine))
    kept = asking(puzzle, tmp_path / "t")
    for _ in range(5):
        text = pattern(random, puzzle, random.choice(puzzlespace.depths(puzzle, keep=500).hardest))
        found = puzzlespace.depths(puzzle, only=text, engine=kept)
        assert found.fitting == puzzlespace.depths(puzzle, only=text, engine="plain").fitting
        assert found.generated == 0 or engine == "table"
    whole, seconds = puzzlespace.depths(puzzle, engine=kept), Limits(seconds=1e-9)
    assert whole.fitting is None
    assert puzzlespace.depths(puzzle, only=text, engine=kept, limits=seconds).stopped.kind == "seconds"


def test_engines_that_do_not_list_positions_and_wrong_patterns_are_refused(tmp_path):
    for engine in ("linear", saving("lights:3x3", tmp_path / "t")):
        with pytest.raises(UnsupportedError, match="does not list the positions of a layer"):
            puzzlespace.depths("lights:3x3", only="o o o / * * * / * * *", engine=engine)
    with pytest.raises(FormatError, match="only:1:1: expected one of the symbols"):
        puzzlespace.depths("eight", only="9 * * / * * * / * * *")
    for wrong in ([], 5, [5]):
        with pytest.raises(InputError, match="only: expected"):
            puzzlespace.depths("eight", only=wrong)


def test_the_command_prints_the_numbers_and_the_depth_of_a_pattern():
    asked = ("depths", "slide:3x2", "--only", "* * * / * * 1")
    code, out, _ = run(*asked, "-q")
    lines = out.splitlines()
    assert (code, lines[2].split()) == (0, ["depth", "new", "total", "share", "fit"])
    assert [line.split()[-1] for line in lines[3:14]] == ["0"] * 9 + ["2", "4"]
    assert "the pattern: least depth 9, greatest depth 19, 60 positions" in lines
    told = run_json(*asked)[1]["fitting"]
    assert (told["positions"], told["least"], told["greatest"]) == (60, 9, 19)
    assert run(*asked, "--oeis", "-q")[1] == ", ".join(map(str, told["counts"])) + "\n"
    both = run_json(*asked, "--only", "1 * * / * * *")[1]["fitting"]
    assert both["counts"] == [
        a + b
        for a, b in zip(told["counts"], run_json(*asked[:3], "1 * * / * * *")[1]["fitting"]["counts"], strict=True)
    ]
    assert "no position fits it" in run("depths", "eight", "--only", "1 1 * / * * * / * * *", "-q")[1]


def test_the_command_says_what_is_known_at_a_limit():
    asked = ("depths", "eight", "--only", "1 2 * / * * * / * * *")
    code, out, _ = run(*asked, "--positions", "5000", "-q")
    assert (code, " so far, " in out) == (22, True)
    code, told = run_json(*asked, "--positions", "5000", "--from", "goal")
    whole = run_json(*asked)[1]["fitting"]["counts"]
    assert (code, told["fitting"]["counts"]) == (22, whole[: len(told["fitting"]["counts"])])


def test_what_fits_is_printed_if_the_command_is_stopped_elsewhere(capsys):
    tally = Tally(None, lambda position: position > 1)
    tally.take(0, [[1, 2]])
    for as_json in (True, False):
        partial = Partial("depths", "name", as_json)
        partial.known.begin("depths")
        partial.known.fitting = tally.of
        for depth in range(2):
            partial.known.layer(depth, 2)
        terminal.answers_printed[0] = False
        partial.tell(LimitError("seconds", "stopped"))
        out = capsys.readouterr().out
        if as_json:
            assert json.loads(out)["fitting"] == {"counts": [1], "positions": 1, "least": 0, "greatest": 0}
        else:
            assert [line.split() for line in out.splitlines()[2:]] == [["0", "2", "1", "fit"], ["1", "2"]]


def test_counts_of_all_patterns_of_one_cell_add_up():
    puzzle = puzzlespace.load("slide:3x2")
    table = puzzlespace.depths(puzzle)
    total = Counter()
    for letter in "12345.":
        total.update(dict(enumerate(puzzlespace.depths(puzzle, only=f"* {letter} * / * * *").fitting.counts)))
    assert tuple(total[depth] for depth in range(len(table.counts))) == table.counts
