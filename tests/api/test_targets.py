"""Fewest moves of each piece to each cell: held against the plain engine and solved puzzles; what is refused."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from fuzz.generators import accepted, draw, draw_glide
from puzzlespace import load, solve, targets
from puzzlespace.api.loader import from_text
from puzzlespace.cli.app import app
from puzzlespace.cli.terminal import guarded
from puzzlespace.contract.questions import Depths
from puzzlespace.engines import blocks, boxes, frontier, gliders, plain
from puzzlespace.errors import InputError, UnsupportedError
from puzzlespace.limits.thresholds import Thresholds
from puzzlespace.limits.watch import STRIDE, Limits, Watch
from puzzlespace.model.goal import Goal
from puzzlespace.structure.glides import read

ROBOTS = """rule: glide
count: piece
start:
  R . . G
  . . . .
  Y . . B
goal:
  * * * *
  * R * *
  * * * *
"""


def arrived(space, start, every):
    """Return the least depth of each pair (cell, symbol), from all positions of plain layers."""
    found, layer, seen, depth = {}, [start], {start}, 0
    while layer:
        for position in layer:
            for cell, symbol in every:
                if position[cell] == symbol:
                    found.setdefault((cell, symbol), depth)
        layer = list(dict.fromkeys(child for each in layer for child in space.moves(each) if child not in seen))
        seen.update(layer)
        depth += 1
    return found


def held(puzzle):
    """Compare both engines on all pairs, and on the first few; return how many were found."""
    model = puzzle.model()
    symbols = [symbol for symbol, letters in enumerate(puzzle.view.letters) if letters and letters != (".",)]
    every = [(cell, symbol) for symbol in symbols for cell in range(model.cells)]
    expected = arrived(model, model.start, every)
    for engine in (plain, gliders, frontier, blocks):
        if engine.refuses(model, "depths") is None:
            blank = read(model, model.start).blank if engine is gliders else None  # can be a piece's symbol
            shown = [pair for pair in every if pair[1] != blank]
            for asked in (shown, sorted({*shown} & {*expected})[:3]):
                question = Depths(model, (model.start,), 0, arrivals=tuple(asked))
                found = engine.depths(question, Watch(thresholds=Thresholds({STRIDE: 7})))
                assert {pair: depth for pair, (depth, _) in found.arrivals.items()} == {
                    pair: depth for pair, depth in expected.items() if pair in asked
                }
                assert all(position[cell] == symbol for (cell, symbol), (_, position) in found.arrivals.items())
    return len(expected)


def test_both_engines_find_the_first_positions_of_random_boards():
    puzzles = [accepted(draw_glide(seed)) for seed in range(40)]
    few = [each for each in puzzles if each.start is not None]
    counts = [held(each) for each in few if plain.depths(Depths(each.model(), (each.start,)), Watch()).generated < 2000]
    assert len(counts) > 10
    assert max(counts) > 10


@pytest.mark.parametrize("metric", ["push", "move"])
def test_boxes_and_the_player_arrive_where_plain_says(metric):
    model = from_text("#######\n#@ $ .#\n#  $ .#\n#     #\n#######\n", "x.xsb").model(metric)
    asked = tuple((cell, symbol) for cell in range(model.cells) for symbol in set(model.start))
    question = Depths(model, (model.start,), 0, arrivals=asked)
    expected, found = plain.depths(question, Watch()).arrivals, boxes.depths(question, Watch()).arrivals
    assert {pair: depth for pair, (depth, _) in found.items()} == {pair: depth for pair, (depth, _) in expected.items()}
    assert all(position[cell] == symbol for (cell, symbol), (_, position) in found.items())


@pytest.mark.long
def test_both_engines_find_the_first_positions_of_many_random_boards():
    counts = []
    for seed in range(600):
        for text in (draw_glide(seed), draw(seed)):
            puzzle = accepted(text)
            usual = puzzle.start is not None and hasattr(puzzle.view, "letters") and not puzzle.model().metric.costs
            if usual and plain.depths(Depths(puzzle.model(), (puzzle.start,)), Watch()).generated < 20_000:
                counts.append(held(puzzle))
    assert len(counts) > 500


@pytest.mark.parametrize("engine", ["auto", "plain", "gliders"])
def test_the_fewest_moves_are_those_of_solutions(engine):
    puzzle = from_text(ROBOTS, "robots.pzl")
    answers = list(targets(puzzle, engine=engine))
    assert [each.piece for each in answers] == ["R", "G", "Y", "B"]
    for each in answers:
        for cell, moves in list(zip(each.cells, each.moves, strict=True))[::3]:
            rows = [["*"] * 4 for _ in range(3)]
            rows[cell // 4][cell % 4] = each.piece
            text = ROBOTS.split("goal:")[0] + "goal:\n" + "".join(f"  {' '.join(row)}\n" for row in rows)
            assert solve(from_text(text, "one.pzl")).moves == moves
    red = answers[0]
    assert None not in red.moves
    assert red.stopped is None
    assert str(red.positions[5])[12] == "R"


def test_some_cells_end_the_count():
    puzzle = load("lunar39")
    (every,) = targets(puzzle, pieces=["R"])
    (one,) = targets(puzzle, pieces=["R"], cells=["e2"])
    assert (one.moves, one.layers) == ((1,), 2)
    assert every.moves[puzzle.board.cell("c3")] == 13
    assert every.generated > one.generated


def test_puzzles_with_another_start_keep_their_letters():
    (found,) = targets(replace(load("eight"), draft=None), pieces=["1"], cells=["a1"])
    assert found.moves[0] is not None


def test_a_limit_leaves_the_rest_open():
    (found,) = targets("lunar39", pieces=["R"], limits=Limits(positions=40), engine="plain")
    assert found.stopped.kind == "positions"
    assert None in found.moves
    assert 0 in found.moves


def test_what_is_refused():
    with pytest.raises(InputError, match="expected one of o g p y b R, found 'x'"):
        list(targets("lunar39", pieces=["x"]))
    with pytest.raises(InputError, match="cell: expected one of a1"):
        list(targets("lunar39", cells=["z9"]))
    with pytest.raises(UnsupportedError, match="table: it does not find arrivals"):
        list(targets("eight", pieces=["1"], engine="table"))
    with pytest.raises(UnsupportedError, match="names of pieces that are alike"):
        list(targets(replace(load("lunar39"), draft=None), pieces=["o"]))
    with pytest.raises(InputError, match="expected a start"):
        list(targets(replace(load("eight"), start=None)))
    model = load("lunar39").model()
    with pytest.raises(UnsupportedError, match="expected pieces to arrive"):
        gliders.depths(Depths(model, (model.start,), 0, (Goal.exactly(model.start),), arrivals=((0, 0),)), Watch())


def run(capsys, *words):
    code = guarded(lambda: app(list(words), standalone_mode=False))
    shown = capsys.readouterr()
    return code, shown.out, shown.err


def test_the_command(capsys):
    code, out, _ = run(capsys, "targets", "lunar39", "--piece", "R", "-q")
    assert code == 0
    assert out.splitlines()[4:6] == ["     -   6  13   9   -", "     -   8   9  12   -"]
    assert out.endswith("- : never\n")
    _, out, _ = run(capsys, "targets", "lunar39", "--piece", "R", "--cell", "c3", "--proof", "-q")
    assert "c3: 13  " in out
    code, out, err = run(capsys, "targets", "lunar39", "--positions", "40", "--engine", "plain", "--json", "-q")
    found = json.loads(out)
    assert (code, found["puzzle"], len(found["pieces"])) == (22, "lunar39", 6)
    assert found["pieces"][5]["stopped"]["kind"] == "positions"
    assert found["pieces"][5]["cells"]["e5"]["moves"] == 0
    assert "stopped" in err
    assert run(capsys, "targets", "lunar39", "--piece", "x", "-q")[0] == 30
