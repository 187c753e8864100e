"""What coset tables keep of a position, their depths, and the search below them."""

from __future__ import annotations

import random

import numpy as np
import pytest
from test_pieces import SMALL, TINY, anywhere, random_group, read

from puzzlespace.contract.questions import Search
from puzzlespace.engines import plain
from puzzlespace.engines.deepening import coset_search, iterations, piece_search
from puzzlespace.engines.deepening.latest import Latest
from puzzlespace.engines.deepening.piece_search import (
    BELOW_SMALL_PIECES,
    ENTRIES_FINER,
    ENTRIES_MARKED,
    ENTRIES_READ,
    FINER_TABLES,
    LARGE_PIECE_TABLES,
)
from puzzlespace.errors import LimitError
from puzzlespace.heuristics import by_layers, coset_tables, cosets, finer_cosets, kept, marked_cosets
from puzzlespace.kernels.deepening.cosets import UNSEEN
from puzzlespace.limits.watch import Watch

SIZES = (1, 12, 60, 300, 2000)
"""Most bytes of a table: the smaller, the more moves keep what it keeps."""


def unfilled(found, goal, most):
    """Return the table of depths with most arrangements, or None."""
    choice = cosets.choose(found, found.of(goal), most, 1)
    return None if choice is None else coset_tables.CosetTable.of(found, found.of(goal), choice)


def depths_of(found, goal, most):
    """Return the table with most arrangements, without marks; depths of the last layers may be too low."""
    table = unfilled(found, goal, most)
    if table is not None:
        table.build(1)
        table.ready = True
    return table


def made(found, goal, most):
    """Return the filled table with most arrangements, or None."""
    table = unfilled(found, goal, most)
    if table is None:
        return None
    words = marked_cosets.MarkedCosets(table)
    words.build(1)
    words.ready = True
    return words


def refined(table, room):
    """Return the filled finer table of at most `room` bytes, or None; its coset table need not be filled."""
    finer = finer_cosets.table(table, room)
    if finer is not None:
        finer.build(1)
        finer.ready = True
    return finer


def distances(model, goal, most):
    """Return the distance of each position, or of those that are nearest; moves can be undone."""
    found, layer, depth = {goal: 0}, [goal], 0
    while layer and len(found) < most:
        depth += 1
        layer = list(
            dict.fromkeys(child for position in layer for child in model.moves(position) if child not in found)
        )
        found.update(dict.fromkeys(layer, depth))
    return found, not layer


def groups(count):
    """Yield random groups of pieces that all differ: model, pieces, goal."""
    for seed in range(count):
        model, found, goal = random_group(seed)
        if not isinstance(found, str):
            yield model, found, goal


def left_of(found, choice, states):
    """Return what a choice keeps of a position, read piece by piece."""
    kept = []
    for marks in choice.marks:
        shown = {}
        for cell, piece in enumerate(marks.orbit.members):
            name = int(marks.names[cell, states[piece]])
            shown[name // marks.orbit.variants] = (int(marks.part[cell]), name % marks.orbit.variants)
        kept.append(tuple(sorted(shown.items())))
    return tuple(kept)


def places_of(finer, states):
    """Return which part is in each cell, read piece by piece."""
    marks = finer.marks
    shown = {marks.names[cell, states[piece]]: marks.part[cell] for cell, piece in enumerate(marks.orbit.members)}
    return tuple(int(shown[cell]) for cell in range(len(shown)))


def right_marks(model, found, arrays, positions):
    """Hold the moves that marks say to lead nearer, or no farther, against the depths after all moves."""
    for position in positions:
        after = [arrays.depths(found.of(child)) for child in children(found, position)]
        for view, row in enumerate(arrays.look_up(found.of(position))[0].tolist()):
            word, way = row[3], view << arrays.table.shift | row[4]
            here = word & 255
            for kind, most in enumerate((here, here - 1)):
                said = 0
                for part, values in enumerate(arrays.views[3][kind, way]):
                    said |= int(values[word >> (8 + 8 * part) & 255])
                assert said == sum(1 << move for move, depths in enumerate(after) if depths[view] <= most)


def test_moves_that_keep_what_a_view_sees_of_the_goal_change_nothing_there_on_the_other_side():
    kept = changed = 0
    for _, found, goal in [*groups(12), read("cube:2", "run")]:
        table = made(found, goal, 300)
        arrays = table and coset_search.CosetArrays(table, every=False)
        if arrays is None or len(arrays.codes) < 2:
            continue
        position = goal
        for turn in range(5):
            before = arrays.look_up(found.of(position))
            after = list(children(found, position))
            for move, child in enumerate(after):
                same = (arrays.look_up(found.of(child))[1] == before[1]).all(axis=1)
                idle = arrays.views[2] >> move & 1 == 1
                assert same[idle].all()
                kept, changed = kept + int(idle.sum()), changed + int((~same).sum())
            position = after[turn * 7 % len(after)]
    assert kept > 50
    assert changed > 100


def children(found, position):
    """Yield the position after each move of the pieces."""
    states = found.of(position)
    for turn in found.turns:
        yield found.position([int(turn[piece, state]) for piece, state in enumerate(states)])


MANY = [12, pytest.param(60, marks=pytest.mark.long)]


@pytest.mark.parametrize("count", MANY)
def test_entries_are_the_least_distances_of_positions_of_which_the_same_is_kept(count):
    tables, whole, views = 0, 0, 0
    for model, found, goal in groups(count):
        right, all_of_them = distances(model, goal, 500)
        for most in SIZES:
            table = made(found, goal, most)
            if table is None:
                continue
            arrays = coset_search.CosetArrays(table, every=False)
            ways = len(table.depths.views)
            states = {position: found.of(position) for position in right}
            depths = {position: arrays.depths(states[position]) for position in right}
            assert all(max(depths[position]) <= length for position, length in right.items())
            least: dict[object, int] = {}
            for position, length in right.items():
                key = left_of(found, table.depths.choice, states[position])
                least[key] = min(length, least.get(key, length))
            if all_of_them:
                for position in right:
                    assert depths[position][0] == least[left_of(found, table.depths.choice, states[position])]
                right_marks(model, found, arrays, list(right)[:20])
                whole += 1
            tables, views = tables + 1, max(views, ways)
    assert tables > 2 * count
    assert whole > count
    assert views > 1


@pytest.mark.parametrize("count", MANY)
def test_finer_entries_are_the_least_distances_as_far_as_two_bits_tell(count):
    told = set()
    puzzles = [read(spec, "run") for spec in ("cube:2", "burnt:4", "topspin:6,4")]
    for model, found, goal in [*groups(count), *puzzles]:
        right, all_of_them = distances(model, goal, 3000)
        for most in SIZES:
            table = made(found, goal, most)
            for finer in () if table is None else (refined(table.depths, 40), refined(table.depths, 3000)):
                if finer is None:
                    continue
                arrays = coset_search.CosetArrays(table, False, finer)
                states = {position: found.of(position) for position in right}
                depths = {position: arrays.finer_depths(states[position]) for position in right}
                assert all(depths[position].max() <= length for position, length in right.items())
                least: dict[object, int] = {}
                for position, length in right.items():
                    key = left_of(found, table.depths.choice, states[position]), places_of(finer, states[position])
                    least[key] = min(length, least.get(key, length))
                for position in right if all_of_them else ():
                    key = left_of(found, table.depths.choice, states[position]), places_of(finer, states[position])
                    known = min(least[key], finer.latest + 2) if least[key] >= finer.latest else 0
                    assert depths[position][0, 0] == known
                    told.add((finer.latest, known - finer.latest))
    assert len(told) > 8
    assert {2, 1, 0} <= {above for _, above in told}


def test_finer_tables_are_the_same_from_several_threads_and_in_short_spans(monkeypatch):
    several = 0
    for _, found, goal in [*groups(12), read("cube:2", "run")]:
        for most in SIZES:
            table = unfilled(found, goal, most)
            one = table and refined(table, 3000)
            if not one:
                continue
            for span in (1, 100):
                again = finer_cosets.table(table, 3000)
                with monkeypatch.context() as patch:
                    patch.setattr(by_layers, "AT_ONCE", span)
                    patch.setattr(by_layers, "threads_for", lambda _, most: most)
                    again.build(3)
                assert (one.bits == again.bits).all()
                several += len(one.bits) > 3
    assert several > 8


@pytest.mark.parametrize("count", MANY)
def test_depths_alone_are_never_too_great_and_are_completed(count, monkeypatch):
    raised, whole, partly = 0, 0, 0
    for _, found, goal in [*groups(count), *(read(spec, "run") for spec in ("cube:2", "burnt:4", "topspin:6,4"))]:
        for most in SIZES:
            table, exact = unfilled(found, goal, most), unfilled(found, goal, most)
            if table is None:
                continue
            table.build(1)
            with monkeypatch.context() as patch:
                patch.setitem(exact.__dict__, "transitive", False)  # fills the table to the last layer
                exact.build(1)
            reached = exact.bits != UNSEEN
            if table.transitive:
                assert reached.all()
                whole += 1
            else:
                assert (table.bits == exact.bits).all()
                partly += not reached.all()
            assert (table.bits[reached] <= exact.bits[reached]).all()
            raised += int((table.bits != exact.bits).sum())
            for _ in range(2):
                table.complete(1)
                assert (table.bits == exact.bits).all()
    assert raised > 100
    assert whole > 2 * count
    assert partly > 1


@pytest.mark.parametrize("metric", ["step", "run"])
@pytest.mark.parametrize("spec", ["cube:2", "burnt:4", "topspin:6,4"])
def test_no_view_is_ever_too_great(spec, metric):
    model, found, goal = read(spec, metric)
    right, _ = distances(model, goal, 1500)
    read_ = 0
    for most in (30, 300, 3000):
        table = made(found, goal, most)
        if table is not None:
            arrays = coset_search.CosetArrays(table, every=False)
            assert all(arrays.bound(found.of(position)) <= length for position, length in right.items())
            read_ += 1
    assert read_


def test_orientations_and_the_places_of_four_edges_are_kept_of_a_cube_up_to_16_symmetries():
    _, found, goal = read("cube:3", "run")
    choice = cosets.choose(found, found.of(goal), 1 << 28, 1 << 20)
    assert choice.arrangements == 2048 * 495 * 2187
    assert len(choice.divided) == 16
    table = coset_tables.CosetTable.of(found, found.of(goal), choice)
    assert table.shape == (64430, 2187)  # Kociemba's numbers of classes of flips and slices, and of twists
    assert len(table.views) == 3
    fixed = np.array([table.fixed(view) for view in table.views])
    assert fixed.sum(axis=1).tolist() == [10, 10, 10]
    assert fixed.any(axis=0).all()  # no move comes last if all three axes need all moves left


def test_a_finer_table_tells_the_halves_of_the_corners_of_a_cube_apart():
    _, found, goal = read("cube:3", "run")
    choice = cosets.choose(found, found.of(goal), 1 << 28, 1 << 20)
    table = coset_tables.CosetTable.of(found, found.of(goal), choice)
    finer = finer_cosets.table(table, FINER_TABLES.usual)
    assert len(finer.place.rows) == 70  # half turns keep four of the corners apart from the others
    assert finer.entries == 64430 * 2187 * 70
    assert finer.size < 2.5e9
    fixed = np.array([finer.fixed(view) for view in table.views])
    assert fixed.sum(axis=1).tolist() == [6, 6, 6]
    assert finer_cosets.table(table, finer.size // 2) is None


def test_depths_of_small_coset_tables_of_a_cube_are_never_too_great():
    model, found, goal = read("cube:3", "run")
    table = made(found, goal, 300_000)
    arrays = coset_search.CosetArrays(table, every=False)
    right, _ = distances(model, goal, 500)
    assert UNSEEN not in table.depths.bits
    assert all(arrays.bound(found.of(position)) <= length for position, length in right.items())
    for seed in range(5):
        position = anywhere(model, seed, 6)
        assert max(arrays.depths(found.of(position))) <= 6


def searched(model, found, table, question, at_once, finer=None):
    """Return what a search below a table finds, if so many nodes are listed at once."""
    arrays = coset_search.CosetArrays(table, question.every, finer)
    rounds = iterations.Rounds(lambda path, _: coset_search.CosetDescent(arrays, path[-1], at_once))
    return rounds.search(question, Watch(thresholds=TINY))


@pytest.mark.parametrize("count", MANY)
@pytest.mark.parametrize("every", [False, True])
@pytest.mark.parametrize("fill", [made, depths_of])
def test_lengths_and_positions_on_solutions_agree_with_plain(fill, every, count):
    compared, barred = 0, 0
    puzzles = [read(spec, metric) for spec in SMALL for metric in ("step", "run")]
    for number, (model, found, goal) in enumerate([*groups(count), *puzzles]):
        table = fill(found, goal, SIZES[number % len(SIZES)])
        if table is None:
            continue
        barred += int(coset_search.CosetArrays(table, every).views[2].any())
        for seed in range(2):
            start = anywhere(model, seed, 4 if model.cells > 20 else random.Random(seed).randrange(1, 30))
            question = Search(model, start, (goal,), every)
            right = plain.search(question, Watch())
            answer = searched(model, found, table, question, (1, 12, 256)[(number + seed) % 3])
            assert len(answer.layers) == len(right.layers)
            assert all(one <= other for one, other in zip(answer.layers, right.layers, strict=True))
            assert not every or answer.layers == right.layers
            compared += 1
    assert compared > 30
    assert barred > 10


@pytest.mark.parametrize("count", MANY)
@pytest.mark.parametrize("every", [False, True])
def test_searches_below_finer_tables_agree_with_plain(every, count):
    compared, asked = 0, 0
    puzzles = [read("cube:2", "run"), *(read("cube:3", metric) for metric in ("step", "run"))]
    for number, (model, found, goal) in enumerate([*groups(3 * count), *puzzles]):
        moves = 4 if model.cells > 20 else 30
        starts = [anywhere(model, seed, random.Random(seed).randrange(1, moves + 1)) for seed in range(6)]
        right = [plain.search(Search(model, start, (goal,), every), Watch()) for start in starts]
        for at, most in enumerate((*SIZES[:3], 3000)):
            table = (made, depths_of)[(number + at) % 2](found, goal, most)
            finer = refined(getattr(table, "depths", table), 3000 if number % 2 else 40) if table else None
            if finer is None:
                continue
            asked += sum(len(each.layers) > finer.latest for each in right)
            for start, expected in zip(starts, right, strict=True):
                question = Search(model, start, (goal,), every)
                answer = searched(model, found, table, question, (1, 12, 256)[(number + at) % 3], finer)
                assert len(answer.layers) == len(expected.layers)
                assert all(one <= other for one, other in zip(answer.layers, expected.layers, strict=True))
                assert not every or answer.layers == expected.layers
                compared += 1
    assert compared > 10 * count
    assert asked > 5 * count


def test_what_was_proved_stays_if_a_limit_ends_the_making_of_tables(monkeypatch):
    def too_long(*_):
        raise LimitError("seconds", "limit of seconds")

    model, _, goal = read("cube:2", "run")
    start = anywhere(model, 1, 9)
    monkeypatch.setattr(coset_search, "search", too_long)
    by = TINY | {LARGE_PIECE_TABLES: 20_000}
    found = piece_search.search(Search(model, start, (goal,)), Watch(thresholds=by))
    assert found.stopped.kind == "seconds"
    assert 3 <= found.bound <= len(plain.search(Search(model, start, (goal,)), Watch()).layers) - 1


@pytest.mark.parametrize(
    ("spec", "metric", "groups", "word"),
    [
        ("cube:3", "run", (3,) * 6, np.uint32),
        ("cube:3", "step", (1,) * 12, np.uint32),
        ("burnt:4", "step", (1,) * 4, np.uint32),
    ],
)
def test_moves_that_differ_by_a_move_have_their_marks_together(spec, metric, groups, word):
    _, found, _ = read(spec, metric)
    together = marked_cosets.cliques(found)
    assert tuple(map(len, together)) == groups
    assert sorted(move for group in together for move in group) == list(range(sum(groups)))
    assert marked_cosets.word_of(found) == word
    for begin, group in zip(marked_cosets.places_of(together), together, strict=True):
        assert begin // 8 == (begin + len(group)) // 8


def test_a_table_that_was_kept_is_not_read_for_other_cliques(monkeypatch):
    _, found, goal = read("cube:2", "run")
    table = made(found, goal, 3000)
    before = table.identity
    assert before == made(found, goal, 3000).identity
    monkeypatch.setattr(marked_cosets, "cliques", lambda pieces: tuple((move,) for move in range(len(pieces.turns))))
    assert table.identity != before


@pytest.mark.parametrize("word", [np.uint32, np.uint64])
def test_kept_tables_are_read_again(word, monkeypatch, tmp_path):
    monkeypatch.setenv("PUZZLESPACE_CACHE", str(tmp_path))
    _, found, goal = read("cube:2", "run")
    monkeypatch.setattr(marked_cosets, "word_of", lambda _: word)
    table, other = made(found, goal, 3000), marked_cosets.MarkedCosets(unfilled(found, goal, 3000))
    fine = refined(table.depths, 3000), finer_cosets.table(other.depths, 3000)
    for one, again in ((table.depths, other.depths), (table, other), fine):
        assert not kept.is_kept(again)
        kept.keep(one)
        assert kept.fetch(again)
        assert (one.bits == again.bits).all()
    assert other.bits.dtype == word


@pytest.mark.parametrize("metric", ["step", "run"])
def test_marks_say_which_moves_of_a_cube_lead_nearer(metric, monkeypatch):
    model, found, goal = read("cube:3", metric)
    positions = [anywhere(model, seed, 8) for seed in range(10)]
    for word in (np.uint32, np.uint64):
        monkeypatch.setattr(marked_cosets, "word_of", lambda _, word=word: word)
        table = made(found, goal, 300_000)
        assert table.bits.dtype == word
        right_marks(model, found, coset_search.CosetArrays(table, every=False), positions)


@pytest.mark.parametrize("fill", [made, depths_of])
def test_positions_out_of_reach_have_no_bound(fill):
    _, found, goal = read("cube:2")
    table = fill(found, goal, 3000)
    arrays = coset_search.CosetArrays(table, every=False)
    states = bytearray(found.of(goal))
    states[0] ^= 1  # one corner turned alone: the sum of the turns is kept by all moves
    assert arrays.bound(bytes(states)) == iterations.NOTHING
    assert arrays.bound(found.of(goal)) == 0


def test_positions_whose_places_are_out_of_reach_have_no_bound():
    out = 0
    for model, found, goal in groups(20):
        for most in SIZES:
            table = made(found, goal, most)
            finer = table and refined(table.depths, 3000)
            if not finer:
                continue
            alone, both = (coset_search.CosetArrays(table, True, each) for each in (None, finer))
            members = list(finer.marks.orbit.members)
            for seed in range(5):
                states = list(found.of(goal))
                shuffled = random.Random(seed).sample(members, len(members))
                for piece, other in zip(members, shuffled, strict=True):
                    states[piece] = found.of(goal)[other]
                if (
                    found.of(found.position(states)) != bytes(states)
                    or alone.bound(bytes(states)) == iterations.NOTHING
                ):
                    continue
                if both.bound(bytes(states)) == iterations.NOTHING:
                    question = Search(model, found.position(states), (goal,))
                    assert not plain.search(question, Watch()).layers
                    assert not searched(model, found, table, question, 12, finer).layers
                    out += 1
    assert out > 10


def test_marks_are_made_if_a_search_below_the_depths_generates_many_positions(monkeypatch):
    model, _, goal = read("cube:2", "run")
    start = anywhere(model, 1, 7)
    right = len(plain.search(Search(model, start, (goal,)), Watch()).layers)
    search, asked = coset_search.search, []

    def noted(question, table, marks, *others):
        asked.append(marks)
        answer = search(question, table, marks, *others)
        assert table.ready == marks
        assert table.depths.ready != marks  # memory is freed
        return answer

    monkeypatch.setattr(coset_search, "search", noted)
    for few, stages in ((1, [False]), (1 << 40, [False, True])):
        asked.clear()
        monkeypatch.setattr(piece_search, "_COSETS", Latest())
        by = TINY | {LARGE_PIECE_TABLES: 20_000, BELOW_SMALL_PIECES: 0, ENTRIES_MARKED: few}
        assert len(piece_search.search(Search(model, start, (goal,)), Watch(thresholds=by)).layers) == right
        assert asked == stages
    assert len(piece_search.search(Search(model, start, (goal,)), Watch(thresholds=by)).layers) == right
    assert asked == [False, True, True]


def test_a_finer_table_is_made_if_a_search_below_the_marks_generates_many_positions(monkeypatch, tmp_path):
    monkeypatch.setenv("PUZZLESPACE_CACHE", str(tmp_path))
    model, _, goal = read("cube:3", "run")
    start = anywhere(model, 1, 4)
    right = len(plain.search(Search(model, start, (goal,)), Watch()).layers)
    search, asked = coset_search.search, []

    def noted(question, table, marks, watch, finer=None):
        asked.append(finer is not None)
        answer = search(question, table, marks, watch, finer)
        assert finer is None or finer.ready
        return answer

    monkeypatch.setattr(coset_search, "search", noted)
    few = TINY | {LARGE_PIECE_TABLES: 9000, BELOW_SMALL_PIECES: 0, ENTRIES_MARKED: 1 << 40, kept.KEPT_BYTES: 1}
    for by, stages in (
        ({ENTRIES_FINER: 1}, [False, False]),  # the depths, and found below the marks
        ({ENTRIES_FINER: 1 << 40}, [False, True]),  # the marks are in the cache now
        ({ENTRIES_READ: 1}, [False]),
        ({ENTRIES_READ: 1 << 40}, [False, True]),
        ({FINER_TABLES: 100}, [False]),
    ):
        asked.clear()
        monkeypatch.setattr(piece_search, "_COSETS", Latest())
        monkeypatch.setattr(piece_search, "_FINER", Latest())
        found = piece_search.search(Search(model, start, (goal,)), Watch(thresholds=few | by))
        assert len(found.layers) == right
        assert asked == stages
