"""Pushed boxes: best-first search held against the plain engine on random levels; the limits; what is refused."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import numpy as np
import pytest

from puzzlespace.api import questions
from puzzlespace.api.loader import from_text, load
from puzzlespace.contract.answers import Status
from puzzlespace.contract.questions import Depths, Search, WantedLayers
from puzzlespace.engines import boxes, plain
from puzzlespace.engines.boxes import layers, pushes
from puzzlespace.engines.shared.draws import rows_of
from puzzlespace.engines.shared.selfcheck import Budget, plain_layers
from puzzlespace.errors import LimitError, UnsupportedError
from puzzlespace.kernels import boxes as kernel
from puzzlespace.kernels.boxes import nodes
from puzzlespace.kernels.boxes.nodes import next_node, put_off
from puzzlespace.kernels.loop import loop
from puzzlespace.limits.thresholds import Thresholds
from puzzlespace.limits.watch import STRIDE, Limits, Watch
from puzzlespace.search.layers import DECODED
from puzzlespace.structure.boxes import read_rules
from random_levels import kinds, level, passage

LOW = Thresholds({STRIDE: 7})
SWEEPS = LOW | {pushes.SWEPT_AFTER: 0, pushes.FIRST_SWEEP: 1}


def held(seed, most=400, draw=level, metric="push", by=LOW):
    """Compare both answers about one level with those of the plain engine; return the length."""
    text = draw(Random(seed))
    model = from_text(text, "x.pzl" if draw is kinds else "x.xsb").model(metric)
    if model.is_goal(model.start) or boxes.refuses(model, "search"):
        return None
    expected = plain.search(Search(model, model.start), Watch(Limits(positions=most)))
    if expected.stopped is not None:
        return None
    found = boxes.search(Search(model, model.start), Watch(thresholds=by))
    one = boxes.search(Search(model, model.start, every=False), Watch(thresholds=by))
    assert found.layers == expected.layers, text
    assert found.bound == expected.bound == one.bound, text
    assert [len(layer) for layer in one.layers] == [1] * len(expected.layers), text
    assert all(layer <= every for layer, every in zip(one.layers, expected.layers, strict=True)), text
    return expected.bound


def test_random_levels_are_solved_as_the_plain_engine_does(monkeypatch):
    monkeypatch.setattr(pushes, "ROOM", 1)
    lengths = [held(seed) for seed in range(16)]
    assert max(length or 0 for length in lengths) > 2
    assert None in lengths


@loop
def put(node, depth, rest, kind, lists, state):
    put_off(node, depth, rest, kind, lists, state)


@loop
def take(found, lists, state):
    return next_node(found, lists, state, False)


def taken(seed, dives):
    """Put off nodes of drawn lengths, depths and classes, some of them while others are taken; return both lists."""
    random, classes, size = Random(seed), 6, 200
    lengths = [random.randint(5, 12) for _ in range(size)]
    depths = [random.randint(1, length - 1) for length in lengths]
    arrays = (
        np.zeros((size, 1), np.uint64),
        np.zeros(size, np.int16),
        np.array(depths, np.int32),
        np.ones(size, np.int16),
    )
    kinds = np.int32, np.int32, np.int32, np.int32, np.int16
    entries = tuple(np.zeros(size, kind) for kind in kinds)
    lists = entries, np.full((2, 20), -1, np.int32), np.full((20, classes), -1, np.int32)
    state = np.zeros(nodes.FIELDS, np.int64)
    state[nodes.DIVES], state[nodes.NARROW] = dives, 1
    found, waiting = [], list(range(size))
    while waiting or len(found) < size:
        for each in waiting[: random.randint(1, 40)]:
            lengths[each] = max(lengths[each], int(state[nodes.FRONT]))
            put(each, depths[each], lengths[each] - depths[each], random.randrange(classes), lists, state)
            waiting.remove(each)
        for _ in range(random.randint(1, 20)):
            at = take(arrays, lists, state)
            if at < 0:
                break
            found.append(int(at))
    return found, lengths


@pytest.mark.parametrize("dives", [0, 5, 1 << 60])
def test_every_node_that_is_put_off_is_taken_once_and_in_the_order_of_the_lengths(dives):
    for seed in range(5):
        found, lengths = taken(seed, dives)
        assert sorted(found) == list(range(200))
        assert [lengths[each] for each in found] == sorted(lengths)


def swept(monkeypatch, seeds, draw):
    """Search drawn levels with sweeps, as narrow as can be; return the lengths, compared with those of dives.

    Where there is no solution, every order finds all positions.
    """
    monkeypatch.setattr(pushes, "ROWS", 1)
    lengths = []
    for seed in seeds:
        model = from_text(draw(Random(seed)), "x.xsb").model("push")
        if model.is_goal(model.start) or boxes.refuses(model, "search"):
            continue
        found = []
        for dives, narrow in ((1 << 60, 1), (0, 1), (3, 2)):
            by = Thresholds({pushes.SWEPT_AFTER: dives, pushes.FIRST_SWEEP: narrow})
            run = pushes.PushSearch(model, model.start, every=False, watch=Watch(thresholds=by))
            length = run.run()
            found.append((length, run.nodes.size if length is None and run.nodes is not None else 0))
        assert found == [found[0]] * 3, seed
        lengths.append(length)
    return lengths


def test_lengths_that_are_swept_by_depth_are_those_of_dives(monkeypatch):
    lengths = [length for draw in (passage, level) for length in swept(monkeypatch, range(60), draw)]
    assert max(length or 0 for length in lengths) > 15
    assert None in lengths


@pytest.mark.long
def test_many_lengths_that_are_swept_by_depth_are_those_of_dives(monkeypatch):
    assert len(swept(monkeypatch, range(60, 2000), passage)) > 1000


KINDS = (0, 1, 2, 3, 31, 35, 39, 44)
"""Of these levels with two kinds of boxes the last four have a solution."""


def counted(seeds, kind_seeds, most, by=LOW):
    """Compare levels in all metrics, and levels with two kinds of boxes; return the greatest lengths."""
    kind_metrics, metrics = ("push", "move", "run"), ("move", "run")
    of_kinds = [max(held(seed, most, kinds, metric, by) or 0 for seed in kind_seeds) for metric in kind_metrics]
    return of_kinds + [max(held(seed, most, metric=metric, by=by) or 0 for seed in seeds) for metric in metrics]


def test_other_metrics_and_kinds_of_boxes_are_answered_as_by_the_plain_engine(monkeypatch):
    monkeypatch.setattr(pushes, "ROOM", 1)
    monkeypatch.setattr(pushes, "MOST_TABLES", 3)
    assert min(counted(range(8), KINDS, 1000)) > 1


def test_other_metrics_are_swept_as_the_plain_engine_answers(monkeypatch):
    monkeypatch.setattr(pushes, "ROWS", 1)
    assert min(counted(range(8), KINDS, 1000, SWEEPS)) > 1


@pytest.mark.long
def test_many_levels_in_other_metrics_are_answered_as_by_the_plain_engine():
    assert min(counted(range(8, 300), range(300), 4000)) > 3


LAYERS = LOW | {DECODED: 3}


def counts_agree(seed, draw, metric):
    """Compare all positions of one level with those of the plain engine; return how many there are, 0 if too many."""
    text = draw(Random(seed))
    model = from_text(text, "x.pzl" if draw is kinds else "x.xsb").model(metric)
    if boxes.refuses(model, "depths"):
        return 0
    handed = {name: dict[int, list[bytes]]() for name in ("expected", "found")}

    def question(name):
        def take(depth, blocks):
            handed[name][depth] = sorted(row.tobytes() for block in blocks for row in rows_of(block))

        return Depths(model, (model.start,), 5, model.goals, WantedLayers(take))

    expected = plain.depths(question("expected"), Watch(Limits(positions=3000)))
    if expected.stopped is not None:
        return 0
    found = boxes.depths(question("found"), Watch(thresholds=LAYERS))
    assert (found.counts, found.deepest, found.complete) == (expected.counts, expected.deepest, True), text
    assert sorted(found.collected) == sorted(expected.collected), text
    assert handed["found"] == handed["expected"], text
    return sum(found.counts)


@pytest.mark.parametrize("metric", ["push", "move", "run"])
def test_all_positions_are_counted_as_by_the_plain_engine(metric, monkeypatch):
    monkeypatch.setattr(layers, "NODES", 1)
    sizes = [counts_agree(seed, draw, metric) for draw in (level, passage, kinds) for seed in range(20)]
    assert max(sizes) > 300
    assert sum(size > 20 for size in sizes) > 15


@pytest.mark.long
@pytest.mark.parametrize("metric", ["push", "move", "run"])
def test_all_positions_of_many_levels_are_counted_as_by_the_plain_engine(metric):
    sizes = [counts_agree(seed, draw, metric) for draw in (level, passage, kinds) for seed in range(20, 320)]
    assert sum(size > 20 for size in sizes) > 200


@pytest.mark.parametrize(("metric", "length"), [("push", 1), ("run", 1), ("move", 8)])
def test_steps_to_a_far_box_count_only_where_steps_are_moves(metric, length):
    level = "############\n#@         #\n#       $. #\n#          #\n############"
    model = from_text(level, "x.xsb").model(metric)
    found = boxes.search(Search(model, model.start), Watch())
    assert (found.bound, plain.search(Search(model, model.start), Watch()).bound) == (length, length)


def test_numbers_of_positions_may_need_64_bits(monkeypatch):
    monkeypatch.setattr(layers, "MOST_INT32", 0)
    model = load("microban1").model()
    found, expected = (engine.depths(Depths(model, (model.start,)), Watch()) for engine in (boxes, plain))
    assert (found.counts, found.deepest) == (expected.counts, expected.deepest)


def test_positions_are_counted_from_several_sources():
    model = load("microban1").model()
    sources = tuple(plain_layers(model, (model.start,), Budget()))[3].positions
    found = boxes.depths(Depths(model, sources), Watch())
    expected = plain.depths(Depths(model, sources), Watch())
    assert (found.counts, found.deepest) == (expected.counts, expected.deepest)
    player = read_rules(model).player
    here = model.start.index(player)
    steps = (model.start[:cell] + bytes([player]) + model.start[cell + 1 :] for cell in range(model.cells))
    blank = bytes([read_rules(model).blank])
    others = (step[:here] + blank + step[here + 1 :] for step in steps if step.count(player) == 2)
    unsettled = next(other for other in others if model.settled(other) == model.start)
    for wrong in (model.start, unsettled), (model.start, bytes(model.cells)):
        with pytest.raises(UnsupportedError, match="to measure from"):
            boxes.depths(Depths(model, wrong), Watch())


def test_limits_stop_a_count_of_positions():
    whole = questions.depths("microban6", engine="boxes")
    answer = questions.depths("microban6", engine="boxes", limits=Limits(positions=1000))
    assert answer.stopped.kind == "positions"
    assert answer.counts == whole.counts[: len(answer.counts)]
    assert 1000 < answer.generated < 1100
    assert questions.depths("microban6", engine="boxes", limits=Limits(memory=1)).stopped.kind == "memory"
    assert questions.depths("microban6", engine="boxes", limits=Limits(seconds=1e-6)).stopped.kind == "seconds"


def through(monkeypatch, seeds):
    """Compare levels with a passage, whose boxes before it are searched at once; return how many have a solution."""
    solved = 0
    for seed in seeds:
        stages = (((0, 30),), ((0, 1 << 20),), ((0, 10), (8, 60)), ((5, 0), (40, 1 << 20)))
        monkeypatch.setattr(pushes, "STAGES", stages[seed % 4])  # stopped before the end, or not
        monkeypatch.setattr(pushes, "MOST_TABLES", (1, 3, 1 << 12)[seed % 3])
        monkeypatch.setattr(pushes, "PAIRS_MEMORY", (1 << 30, 0, 20_000)[seed // 3 % 3])
        solved += held(seed, 20_000, passage) is not None
    return solved


def test_levels_with_a_passage_are_solved_as_the_plain_engine_does(monkeypatch):
    assert through(monkeypatch, (16, 73, 104, 222)) > 2


@pytest.mark.long
def test_many_random_levels_are_solved_as_the_plain_engine_does(monkeypatch):
    assert sum(held(seed, 4000) is not None for seed in range(16, 400)) > 100
    assert through(monkeypatch, range(650)) > 50


def pushes_out(level, player, inside, room, live):
    """Return the fewest pushes that bring boxes out of a room, where they vanish; none is pushed to a dead cell."""
    far, layer = {}, {(player, frozenset(inside)): None}
    for depth in range(100):
        following = {}
        stack = list(layer)
        while stack:
            here, boxes_ = state = stack.pop()
            if state in far:
                continue
            far[state] = depth
            if not boxes_:
                return depth
            stack += [(b, boxes_) for a, b in level.steps if a == here and b not in boxes_]
            for a, b, c in level.pushes:
                if a == here and b in boxes_ and c not in boxes_ and live[c] >= 0:
                    following[b, boxes_ - {b} | ({c} if room[c] else set())] = None
        layer = following
    return None


@pytest.mark.parametrize(("seed", "more"), [(10, False), (18, False), (106, True), (168, True)])
def test_boxes_before_a_passage_are_searched_together(monkeypatch, seed, more):
    """The excess at the start is what the boxes need together less what each one needs alone."""
    monkeypatch.setattr(pushes, "STAGES", ((0, 1 << 20),))
    model = from_text(passage(Random(seed)), "x.xsb").model()
    run = pushes.PushSearch(model, model.start, every=False, watch=Watch(thresholds=LOW))
    run.run()
    room, known = run.gathered[0], run.gathered[3]
    inside = [cell for cell, symbol in enumerate(model.start) if symbol in run.level.boxes]
    player = model.start.index(bytes([run.level.player]))
    together, *alone = (pushes_out(run.level, player, each, room, run.live) for each in (inside, *zip(inside)))
    assert together == known[3][0]
    assert (together > sum(alone)) == more


def class_at(model, boxes_, latest):
    """Return the class of a position, the player in the first free cell, by what is counted in it."""
    run = pushes.PushSearch(model, model.start, every=False, watch=Watch())
    near, _, into, goals, goal_at, _, _ = run.arrays
    cells, taken = len(near), np.zeros(len(near), np.uint8)
    taken[boxes_] = 1
    mark, queue = np.zeros(cells, np.int32), np.zeros(cells, np.int16)
    kernel.flood(near, taken, int(np.flatnonzero(taken == 0)[0]), mark, 1, queue)
    work = kernel.order_work(cells, near.shape[1], len(goals))
    found = kernel.class_of(
        np.array(boxes_, np.int16), len(boxes_), latest, mark, 1, (near, into, goals), taken, goal_at, run.ways_in, work
    )
    done, regions = divmod(found, kernel.REGIONS)
    return done % (len(boxes_) + 1), regions, done > len(boxes_)


def test_the_class_of_a_position_tells_whether_boxes_on_goals_shut_others_out():
    """The goals are cells 6 and 7, the end of a tunnel; cell 4 is in the room before it."""
    model = from_text("#######\n#@  ###\n# $$..#\n#   ###\n#######\n", "x.xsb").model()
    assert class_at(model, [4, 7], latest=0) == (1, 0, False)
    assert class_at(model, [4, 6], latest=0) == (1, 1, True)
    assert class_at(model, [4, 6], latest=1) == (0, 1, False)  # on its way to cell 7
    assert class_at(model, [2, 7], latest=1) == (0, 0, True)  # a box in a corner


def test_the_matching_costs_least():
    random = Random(3)
    for size in (1, 2, 3, 4, 5):
        cost = np.array([[random.randrange(9) for _ in range(size)] for _ in range(size)], np.int32)
        duals = [np.zeros(size + 1, np.int32) for _ in range(5)]
        found = kernel.matched(cost, size, *duals, np.zeros(size + 1, np.bool_))
        assert found == least(cost.tolist())


def least(cost):
    if not cost:
        return 0
    return min(here + least([row[:j] + row[j + 1 :] for row in cost[1:]]) for j, here in enumerate(cost[0]))


@pytest.mark.parametrize(
    ("name", "metric", "length"),
    [("microban1", "push", 8), ("microban6", "push", 29), ("microban36", "push", 59), ("microban1", "move", 33)],
)
def test_levels_with_known_numbers(name, metric, length):
    puzzle = load(name)
    model = puzzle.model(metric)
    found = boxes.search(Search(model, model.start, every=False), Watch())
    assert found.bound == len(found.layers) - 1 == length


def test_limits_leave_a_bound():
    puzzle = load("microban36")
    answer = questions.solve(puzzle, engine="boxes", limits=Limits(positions=500))
    assert (answer.status, answer.stopped.kind) == (Status.STOPPED, "positions")
    assert 0 < answer.bound <= 59
    answer = questions.solve(puzzle, engine="boxes", limits=Limits(memory=1))
    assert answer.stopped.kind == "memory"


@pytest.mark.parametrize("metric", ["push", "move"])
def test_numbers_of_nodes_that_do_not_fit_stop_a_search(metric, monkeypatch):
    whole = questions.solve("microban36", metric=metric, engine="boxes")
    moves = whole.moves
    assert moves <= whole.expanded <= whole.generated + 1
    monkeypatch.setattr(pushes, "ROOM", 1 << 9)
    monkeypatch.setattr(pushes, "MOST_NODES", 2_000)
    found = questions.solve("microban36", metric=metric, engine="boxes")
    assert (found.status, found.stopped.kind) == (Status.STOPPED, "positions")
    assert 0 < found.bound <= moves


@pytest.mark.parametrize("metric", ["push", "move"])
def test_arrays_grow_by_less_if_there_is_no_memory_to_double_them(metric, monkeypatch):
    whole = questions.solve("microban36", metric=metric, engine="boxes")
    grow, sizes, refused = pushes.lengthen, set(), []

    def noted(arrays, room, watch, bound):
        before = [each.copy() for each in arrays]

        def reserve(wanted, bound=0):
            if len(refused) % 3 < 2:
                refused.append(wanted)
                raise LimitError("memory", "no memory", bound)
            refused.append(0)

        with monkeypatch.context() as patch:
            patch.setattr(watch, "reserve", reserve)
            grow(arrays, room, watch, bound)
        assert all((old == new[: len(old)]).all() for old, new in zip(before, arrays, strict=True))
        assert not any(new[len(old) :].any() for old, new in zip(before, arrays, strict=True))
        assert {len(new) for new in arrays} == {len(before[0]) + len(before[0]) // 4}
        sizes.add(len(arrays[0]))

    monkeypatch.setattr(pushes, "ROOM", 1 << 9)
    monkeypatch.setattr(pushes, "lengthen", noted)
    found = questions.solve("microban36", metric=metric, engine="boxes")
    assert (found.moves, found.generated) == (whole.moves, whole.generated)
    assert len(sizes) > 5


def test_a_level_without_a_solution_is_impossible():
    puzzle = from_text("######\n#@ $ #\n# #$ #\n# . .#\n######\n", "x.xsb")
    assert questions.solve(puzzle, engine="boxes").status is questions.solve(puzzle, engine="plain").status
    corner = from_text("#####\n#@ .#\n# # #\n#  $#\n#####\n", "x.xsb")
    assert questions.solve(corner, engine="boxes").status is Status.IMPOSSIBLE


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("pull: yes\nstart: @ $ .\ngoal: * * $", "not steps of a player or pushes"),
        ("start: @ $ . @\ngoal: * * $ *", "there are several players"),
        ("start: @ $ $ .\ngoal: * $ * .", "more boxes than goals"),
        ("start: @ $ .\ngoal: * * $\ngoal 2: * $ *", "not one goal"),
    ],
)
def test_what_is_refused(text, why):
    assert why in boxes.refuses(from_text(f"rule: push\n{text}\n", "x.pzl").model(), "search")
    assert "it counts pushes" in boxes.refuses(load("eight").model(), "search")
    assert "it counts pushes" in boxes.refuses(load("eight").model(), "depths")


def test_all_positions_are_counted_whatever_the_goals_are():
    for text in ("start: @ $ $ .\ngoal: * $ * .", "start: @ $ .\ngoal: * * $\ngoal 2: * $ *"):
        assert boxes.refuses(from_text(f"rule: push\n{text}\n", "x.pzl").model(), "depths") is None


def test_a_player_who_cannot_step_back_is_refused():
    known = read_rules(load("microban1").model())
    assert known.returns
    assert not replace(known, steps=known.steps[1:]).returns


@pytest.mark.parametrize("metric", ["push", "move"])
def test_no_level_is_called_impossible_because_it_is_long(metric, monkeypatch):
    """With lists for four lengths, a level that needs more moves is refused, and a locked one is still impossible."""
    monkeypatch.setattr(pushes, "LENGTHS", 4)
    far = from_text("#########\n#@$    .#\n#########\n", "far.xsb").model(metric)
    with pytest.raises(UnsupportedError, match="no solution has fewer than 4 moves"):
        boxes.search(Search(far, far.start), Watch())
    locked = from_text("######\n#@$ ##\n##  .#\n######\n", "locked.xsb").model(metric)
    assert boxes.search(Search(locked, locked.start), Watch()).layers == ()
