"""Tables of coloured pieces, for moves that carry a line of them: held against whole depth tables, and in searches."""

import random

import pytest

from depth_tables import distances, near
from puzzlespace.analysis.impossible import goal_positions
from puzzlespace.api.loader import load
from puzzlespace.bounds.choosing import slide_heuristic
from puzzlespace.contract.questions import Search
from puzzlespace.engines import bidirectional, deepening, plain
from puzzlespace.engines.deepening import tracks
from puzzlespace.engines.deepening.methods import ATTEMPT_PLAIN, PLAIN_ORDERS
from puzzlespace.errors import UnsupportedError
from puzzlespace.heuristics import kept
from puzzlespace.heuristics.colours import COLOURED_TABLES, Colours, lines_of
from puzzlespace.limits.thresholds import Thresholds
from puzzlespace.limits.watch import Watch
from puzzlespace.storage import cache
from puzzlespace.structure import slides
from toys import grid_edges, links, slide


def made(name, memory):
    model = load(name).model("multi")
    return Colours(slides.read(model), goal_positions(model)[0], memory)


@pytest.mark.parametrize(
    ("name", "memory", "depth"), [("eight", 20_000, 11), ("slide:2x4", 2_000, 25), ("hexagram", 50_000, 11)]
)
def test_no_depth_of_colours_passes_the_distance(name, memory, depth):
    bound = made(name, memory)
    table = near(load(name).model("multi"), depth)
    some = random.Random(3).sample(sorted(table), 1000)
    values = [(bound.bound(position), table[position]) for position in some]
    assert all(value <= depth for value, depth in values)
    assert max(value for value, _ in values) > max(depth for _, depth in values) // 2
    assert bound.bound(bound.goal) == 0


def test_a_colour_for_each_piece_is_the_whole_depth_table():
    bound = made("slide:2x3", 1 << 20)
    assert bound.tables[0].colours == 6
    assert all(bound.bound(position) == depth for position, depth in distances("slide:2x3", "multi").items())


def test_like_pieces_share_a_colour():
    model = slide(grid_edges(3, 3), (1, 2, 3, 4, 5, 5, 4, 1, 0), (1, 2, 3, 4, 5, 5, 4, 1, 0), "multi")
    bound = Colours(slides.read(model), model.start, 10_000)
    table = near(model, 11)
    assert all(bound.bound(position) <= table[position] for position in random.Random(6).sample(sorted(table), 500))


FIELDS = [
    *((4, (2, 1, 1, 2, 1, 1, 0, 1), memory) for memory in (20, 60, 100, 200, 700, 5000)),
    (3, (3, 1, 2, 1, 0, 1), 30),  # one table has a single colour
    (3, (2, 0, 2, 1, 1, 3), 60),
    (2, (4, 3, 2, 6, 5, 2, 1, 0), 700),  # columns have room for more colours than rows
]


@pytest.mark.parametrize(("width", "goal", "memory"), FIELDS)
def test_tables_of_rows_and_of_columns_have_fields_of_the_same_size(width, goal, memory):
    model = slide(grid_edges(width, len(goal) // width), goal, goal, "multi")
    bound = Colours(slides.read(model), model.start, memory)
    assert len({table.fields for table in bound.tables}) == 1
    table = near(model, 100)
    assert all(bound.bound(position) <= depth for position, depth in table.items())
    start = max(table, key=lambda position: (table[position], position))
    by = Thresholds({PLAIN_ORDERS: 0, ATTEMPT_PLAIN: 0}) | {COLOURED_TABLES: memory}
    found = deepening.search(Search(model, start, (model.start,), False, "pattern"), Watch(thresholds=by))
    assert len(found.layers) - 1 == table[start]


@pytest.fixture
def no_tracks(monkeypatch):
    """Rectangles have better tables: without them there are these."""
    monkeypatch.setattr(tracks, "rounds", lambda *_: None)


@pytest.mark.usefixtures("no_tracks")
def test_searches_agree_with_plain_and_with_the_whole_table():
    model = load("slide:2x4").model("multi")
    goal, table = goal_positions(model), distances("slide:2x4", "multi")
    rng = random.Random(5)
    for position in rng.sample(list(table), 30):
        found = deepening.search(Search(model, position, goal, every=False, heuristic="pattern"), Watch())
        assert found.bound == len(found.layers) - 1 == table[position]
        assert [table[one] for (one,) in found.layers] == list(range(table[position], -1, -1))
    near = next(position for position, depth in table.items() if depth == 9)
    question = Search(model, near, goal, heuristic="pattern")
    assert deepening.search(question, Watch()).layers == plain.search(question, Watch()).layers
    assert len(deepening.search(Search(model, goal[0], goal, heuristic="pattern"), Watch()).layers) == 1


@pytest.mark.usefixtures("no_tracks")
def test_searches_with_weak_tables_on_a_board_that_is_no_square():
    weak = Thresholds({COLOURED_TABLES: 100_000})
    model = load("slide:3x4").model("multi")
    goal, rng = goal_positions(model), random.Random(9)
    for _ in range(3):
        position = goal[0]
        for _ in range(14):
            position = rng.choice(sorted(model.moves(position)))
        found = deepening.search(Search(model, position, goal, heuristic="pattern"), Watch(thresholds=weak))
        assert found.layers == bidirectional.search(Search(model, position, goal), Watch()).layers


def test_a_board_too_large_to_list_halves_of_is_refused():
    for cells, refused in ((37, False), (38, True)):
        line = links(*((cell, cell + 1) for cell in range(cells - 1)))
        model = slide(line, (*[1] * (cells - 1), 0), (*[1] * (cells - 1), 0), "multi")
        if refused:
            with pytest.raises(UnsupportedError, match="38 cells are too many"):
                Colours(slides.read(model), model.start)
        else:
            assert Colours(slides.read(model), model.start).goal == model.start


def test_the_cache_is_checked(tmp_path, monkeypatch):
    monkeypatch.setenv(cache.FOLDER, str(tmp_path))
    bound = made("eight", 1 << 20)
    bound.fill()
    table, place = bound.tables[0], kept.place_of(bound.tables[0])
    right = table.bits.copy()
    table.bits = right[:0]
    assert kept.fetch(table)
    assert (table.bits == right).all()
    data = bytearray((place / kept.BITS).read_bytes())
    data[1000] ^= 1
    (place / kept.BITS).write_bytes(data)
    assert not kept.fetch(table)
    assert not cache.found(place)
    kept.keep(table)
    (place / kept.BITS).write_bytes(bytes(data[:-1]))
    assert not kept.fetch(table)
    kept.keep(table)
    (place / "manifest.json").write_text("{}")
    assert not kept.fetch(table)
    other = made("eight", 20_000).tables[0]
    other.bits = right
    assert kept.place_of(other) != place


def test_it_says_where_there_are_none():
    model = slide(grid_edges(3, 3), (1, 2, 3, 4, 5, 6, 7, 0, 0), (1, 2, 3, 4, 5, 6, 7, 0, 0), "multi")
    board = slides.read(model)
    with pytest.raises(UnsupportedError, match="one blank"):
        slide_heuristic("pattern", board, model.goals, goal_positions(model)[0])
    assert len(lines_of(slides.read(load("slide:4x4").model("multi")))) == 16
