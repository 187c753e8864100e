"""Designs: all packings have a number each, depths agree with the plain engine, conditions hold, errors are clear."""

import random
from collections import Counter
from dataclasses import replace

import pytest

from designs import all_packings, random_layout, random_text
from puzzlespace import FormatError, InputError, LimitError, Limits, UnsupportedError, depths, design, load, solve
from puzzlespace.api.designing import puzzle_of
from puzzlespace.api.loader import from_text
from puzzlespace.formats.pzl import parse, print_draft
from puzzlespace.graph.designs import climb as climbing
from puzzlespace.graph.designs import layout as layouts
from puzzlespace.graph.designs import packings as packing
from puzzlespace.graph.designs.climb import Climb
from puzzlespace.graph.designs.found import puzzle_draft
from puzzlespace.graph.designs.packings import Packings
from puzzlespace.graph.designs.search import UnionSearch, Wanted, scratch
from puzzlespace.kernels.packings.ranks import neighbours, rank, unrank
from puzzlespace.limits.watch import Watch
from puzzlespace.render import designed

TRAYS = """rule: slide
count: {count}
board: grid {wide}x{high}
pieces:
  A 2x2: 1
  1x1: any
  1x2 | 2x1: any
blanks: 2 or more
goal: {goal}
"""


def trays(wide, high, count="step"):
    """Trays with one 2x2, which goes to the middle of the lowest row."""
    side = (wide - 2) // 2
    low = "*" * side + "AA" + "*" * (wide - 2 - side)
    return TRAYS.format(count=count, wide=wide, high=high, goal="/".join(["*" * wide] * (high - 2) + [low, low]))


def layout_of(text):
    """The layout of a design file."""
    return layouts.layout(parse(text))


@pytest.mark.parametrize(
    ("wide", "high", "packings", "groups"),
    [(4, 5, 29_334_498, 203), (4, 6, 1_749_098_135, 385), (5, 5, 4_984_931_936, 436)],
)
def test_trays_are_counted(wide, high, packings, groups):
    found = Packings(layout_of(trays(wide, high)))
    assert (found.total, len(found.groups)) == (packings, groups)


CONNECTED = [("2x2", 43), ("3x2", 397), ("3x3", 13_329), ("4x3", 451_551)]
LARGE = pytest.param("4x4", 55_807_716, marks=pytest.mark.long)


@pytest.mark.parametrize(("board", "packings"), [*CONNECTED, LARGE])
def test_all_ways_to_fill_a_board_with_connected_pieces_are_counted(board, packings):
    text = f"rule: slide\ncount: step\nboard: grid {board}\npieces:\n  any connected: any\n  A 1x1: 0-1\ngoal: start\n"
    draft = parse(text)
    *opened, shut = _open(draft)
    made = layouts.OpenLayout(
        draft, *opened, (0, 99), 0, 0, (layouts.Target((), 0, 0),), None, shut
    )  # fmt: skip
    assert Packings(made).total == packings


def _open(draft):
    board = layouts._board(draft)
    rows, shapes, shut = layouts._rows(parse("rule: slide\npieces:\n  any connected: any\n"), board, 0)
    return board, "step", rows, shapes, shut


LONG = [pytest.param(range(first, first + 50), marks=pytest.mark.long) for first in range(12, 512, 50)]


@pytest.mark.parametrize("seeds", [range(12), *LONG])
def test_random_designs_agree_with_brute_force_and_the_plain_engine(seeds):
    kinds = Counter()
    for seed in seeds:
        text = random_text(seed)
        draft = parse(text)
        assert parse(print_draft(draft)) == draft
        try:
            made = layouts.layout(draft)
        except FormatError:
            kinds["refused"] += 1
            continue
        every = all_packings(made)
        try:
            packings = Packings(made)
        except FormatError:
            assert not every, seed
            kinds["none"] += 1
            continue
        numbers = _ranks(packings)
        assert sorted(numbers) == sorted(every), seed
        search = UnionSearch(packings, Wanted(), Watch(), 1)
        search.run()
        for found in search.found:
            assert found.solvable == sum(size * count for (size, _), count in found.components.items())
            assert found.packings - found.solvable == sum(size * count for size, count in found.dead.items())
        for found in random.Random(seed).sample(search.found, min(3, len(search.found))):
            for start in found.starts:
                _check_start(made, start)
                kinds["checked"] += 1
    assert kinds["checked"] >= len(seeds) / 2


LONG_CLIMBS = [pytest.param(range(first, first + 50), marks=pytest.mark.long) for first in range(10, 310, 50)]


@pytest.mark.parametrize("seeds", [range(10), *LONG_CLIMBS])
def test_components_of_random_designs_agree_with_the_plain_engine_and_climbs_find_nothing_harder(seeds):
    checked = 0
    for seed in seeds:
        try:
            made = random_layout(seed)
            packings = Packings(made)
        except FormatError:
            continue
        every = UnionSearch(packings, Wanted(by="all"), Watch(), 1)
        every.run()
        climb = Climb(made, Wanted(by="all"), Watch(), seed)
        climb.run(2)
        hardest = max((start.depth for found in every.found for start in found.starts), default=0)
        for start in climb.best.values():
            assert start.depth <= hardest, seed
            _check_start(made, start)
            checked += 1
    assert checked >= len(seeds) / 3


@pytest.mark.parametrize("count", ["step", "run", "piece"])
def test_climbs_find_the_hardest_small_trays(count, monkeypatch):
    monkeypatch.setattr(climbing, "CLIMBS", 8)
    text = trays(3, 4, count)
    exact = {each.key: each.moves for each in design(text).puzzles}
    found = design(text, method="climb", seed=1)
    assert (found.method, found.packings, found.confirmed) == ("climb", None, len(found.puzzles))
    assert all(each.moves <= exact[each.key] for each in found.puzzles)
    assert max(each.moves for each in found.puzzles) == max(exact.values())
    assert found == replace(design(text, method="climb", seed=1), seconds=0.0)


def test_climbs_meet_the_conditions_and_say_why_not_all_was_searched(monkeypatch):
    text = trays(3, 4)
    exact = design(text, by="all", needed=True, symmetric=True)
    monkeypatch.setattr(packing, "MOST_NODES", 10)
    monkeypatch.setattr(climbing, "CLIMBS", 4)
    found = design(text, by="all", needed=True, symmetric=True)
    assert "nodes" in found.reason
    assert [each.moves for each in found.puzzles] == [each.moves for each in exact.puzzles]
    with pytest.raises(LimitError, match="nodes"):
        design(text, method="union")


def test_components_that_are_too_large_are_passed_over():
    climb = Climb(layout_of(trays(3, 4)), Wanted(), Watch(), 1, largest=5)
    climb.run(1)
    assert climb.large
    assert climb.searched <= 5 * climb.components


def _ranks(packings):
    """All packings by their ranks; unranked and ranked again."""
    work, found = scratch(packings), []
    for group in packings.groups:
        for number in range(group.size):
            unrank(packings.ranks, packings.tray, group.root, number, work)
            found.append(tuple(work.what.tolist()))
            assert rank(packings.ranks, packings.tray, group.root, work) == number
    return found


def _check_start(made, start):
    """Compare a start with the plain engine, through the puzzle file."""
    puzzle = from_text(print_draft(puzzle_draft(made, start.what, "x")), "x.pzl")
    assert solve(puzzle, engine="plain").moves == start.depth
    table = depths(puzzle, engine="plain")
    found = table.states, table.depth, table.counts[-1]
    assert found == (start.packings, start.component_depth, start.component_hardest)


@pytest.mark.parametrize("count", ["step", "run", "piece"])
def test_every_depth_agrees_with_the_plain_engine(count):
    packings = Packings(layout_of(trays(3, 3, count)))
    search = UnionSearch(packings, Wanted(accept=lambda start: False), Watch(), 1)
    search.run()
    work = scratch(packings)
    checked = 0
    for group in packings.groups:
        table = search.depths[group.numbers]
        for number in range(0, group.size, 9):
            unrank(packings.ranks, packings.tray, group.root, number, work)
            puzzle = from_text(print_draft(puzzle_draft(packings.layout, work.what.tolist())), "x.pzl")
            moves = solve(puzzle, engine="plain").moves
            assert table[number] == (0 if moves is None else moves + 1)
            near = neighbours(
                packings.ranks, packings.tray, group.root, number, ("step", "run", "piece").index(count), work
            )
            assert near == len({*puzzle.model().moves(puzzle.start)})
            checked += 1
    assert checked > 20


def test_the_numbers_of_known_puzzles_of_one_board():
    """N. Bickford: all 3x3 boards are as his program counts 4x4 boards; the last has one blank (known: 13)."""
    text = "rule: slide\ncount: piece\nboard: grid 3x3\npieces:\n  A any connected: 1\n  any connected: any\n"
    found = design(f"{text}start: A**/***/***\ngoal: ***/***/**A\n", by="pieces")
    assert [each.moves for each in found.puzzles] == [1, 2, 5, 10, 14, 22, 18, 13]
    assert found.confirmed == 8


@pytest.mark.long
def test_the_hardest_trays_of_4x5():
    found = design(trays(4, 5, "piece"), by="all")
    assert (found.packings, found.hardest.moves, found.hardest.states) == (29_334_498, 138, 81_340)


def test_the_hardest_for_each_number_of_blanks_and_of_all():
    found = design(trays(3, 4))
    assert [(each.blanks, each.moves) for each in found.puzzles] == [
        (2, 23), (3, 18), (4, 13), (5, 9), (6, 7), (7, 5), (8, 3)
    ]  # fmt: skip
    assert found.confirmed == 7
    assert sum(found.components.values()) == 60
    assert sum(found.dead.values()) == 78
    (best,) = design(trays(3, 4), by="all").puzzles
    assert best.moves == 23
    groups = design(trays(3, 4), by="group").puzzles
    assert max(each.moves for each in groups) == 23
    assert len({each.shapes for each in groups}) == len(groups)


def test_no_piece_can_be_left_out():
    found = design(trays(3, 3), by="group", needed=True)
    assert found.puzzles
    for each in found.puzzles:
        for letter in {*each.start} - set("./A"):
            for cell in [at for at, sign in enumerate(each.start) if sign == letter] if letter == "o" else [None]:
                signs = [
                    "." if (at == cell if cell is not None else sign == letter) else sign
                    for at, sign in enumerate(each.start)
                ]
                shorter = solve(_with_start(each, "".join(signs)))
                assert shorter.moves != each.moves, each.start


def _with_start(each, line):
    rows = print_draft(each.draft)
    begin = rows.index("start:")
    blocks = " ".join(sorted({*line} - set("./o")))
    head = "\n".join(row for row in rows[:begin].splitlines() if not row.startswith("blocks"))
    text = f"{head}\nblocks: {blocks}\nstart: {line}\n{rows[rows.index('goal:') : rows.index('known:')]}"
    return from_text(text, "x.pzl")


def test_one_solution_and_symmetric_starts():
    for each in design(trays(3, 3), by="group", one_solution=True).puzzles:
        answer = solve(puzzle_of(each), count=True)
        assert 1 in (answer.solutions, answer.solutions_commuting)
    shapes = design(trays(3, 3), by="group", symmetric=True).puzzles
    assert shapes
    for each in shapes:
        grid = [[{"A": "A", "o": "o", ".": "."}.get(sign, sign) for sign in row] for row in each.start.split("/")]
        assert any(_shape(image) == _shape(grid) for image in _images(grid)), each.start


def _shape(grid):
    """A drawing without the names of pieces: which neighbours belong to one piece."""
    kind = {sign: sign if sign in "A.o" else "block" for row in grid for sign in row}
    across = tuple(tuple(kind[a] == "block" and a == b for a, b in zip(row, row[1:], strict=False)) for row in grid)
    down = tuple(
        tuple(kind[a] == "block" and a == b for a, b in zip(row, below, strict=True))
        for row, below in zip(grid, grid[1:], strict=False)
    )
    return tuple(tuple(kind[sign] for sign in row) for row in grid), across, down


def _images(grid):
    mirrored = [row[::-1] for row in grid]
    turned = [list(row) for row in zip(*grid, strict=True)]
    yield from (mirrored, grid[::-1], [row[::-1] for row in grid[::-1]], turned)
    yield [row[::-1] for row in turned]
    yield turned[::-1]
    yield [row[::-1] for row in turned[::-1]]


def test_starts_look_like_the_drawing():
    text = trays(3, 4) + "start: AA*/AA*/***/***\n"
    found = design(text)
    assert found.conditions == ("like the drawing of start:",)
    assert all(each.start.startswith("AA") for each in found.puzzles)
    free = {each.blanks: each.moves for each in design(trays(3, 4)).puzzles}
    assert all(each.moves <= free[each.blanks] for each in found.puzzles)


def test_starts_that_are_blank_where_the_drawing_has_a_piece_are_left_out():
    text = trays(3, 4).replace("  1x1: any", "  B 1x1: 0-1\n  1x1: any")
    found = design(text + "start: B**/***/***/***\n", by="group")
    free = {each.shapes: each.moves for each in design(text, by="group").puzzles}
    assert found.puzzles
    assert all(each.start[0] == "B" for each in found.puzzles)
    assert all(each.moves <= free[each.shapes] for each in found.puzzles)
    assert any(each.moves < free[each.shapes] for each in found.puzzles)


def test_more_layers_than_there_is_room_for_are_refused():
    packings = Packings(layout_of(trays(3, 4)))
    with pytest.raises(UnsupportedError, match="3 layers or more"):
        UnionSearch(packings, Wanted(), Watch(), 1, most_layers=3).run()


def test_too_many_multisets_to_search_each_alone_have_the_hardest_by_pieces_and_by_blanks():
    text = """rule: slide
count: piece
board: grid 4x2
pieces:
  A 1x1: 1
  any connected up to 8 cells: any
blanks: 1 or more
goal: ****/***A
"""
    assert not Packings(layout_of(text)).single
    by_pieces, by_blanks = (design(text, by=by).puzzles for by in ("pieces", "blanks"))
    assert len({each.pieces for each in by_pieces}) == len(by_pieces) > 4
    assert [each.blanks for each in by_blanks] == list(range(1, 8))
    assert max(each.moves for each in by_pieces) == max(each.moves for each in by_blanks)


CARS = """rule: slide along
count: {count}
board: grid {size}x{size}
pieces:
  A 2x1: 1
  1x2 | 1x3 | 2x1{outside} | 3x1{outside}: any
goal: {goal}
"""


def cars(size, count="run", outside=""):
    """All placements of cars on a square board; car A leaves on the right."""
    row = (size - 1) // 2
    goal = "/".join("*" * (size - 2) + ("AA" if each == row else "**") for each in range(size))
    return CARS.format(count=count, size=size, outside=outside, goal=goal)


@pytest.mark.parametrize("outside", ["", pytest.param(" not in row 2", marks=pytest.mark.long)])
@pytest.mark.parametrize("count", ["run", pytest.param("step", marks=pytest.mark.long)])
def test_all_cars_on_4x4_agree_with_the_plain_engine(count, outside):
    text = cars(4, count, outside)
    made = layout_of(text)
    found = design(text, by="group", confirm=False)
    assert found.packings == len(all_packings(made))
    assert len(found.puzzles) > 20
    for each in found.puzzles[::3]:
        puzzle = puzzle_of(each)
        table = depths(puzzle, engine="plain")
        assert solve(puzzle, engine="plain").moves == each.moves
        assert (table.states, table.depth) == (each.states, each.depth)


@pytest.mark.long
def test_all_cars_on_6x6_are_counted():
    """31,106,546,110: the car that leaves lies in its row, and no other lies there; counted elsewhere too."""
    packings = Packings(layout_of(cars(6, "run", " not in row 3")))
    assert (packings.total, packings.largest) == (31_106_546_110, 300_774_506)


def test_pieces_that_could_enter_a_row_are_refused():
    with pytest.raises(FormatError, match="cannot enter a row in which they may not lie"):
        layout_of(trays(4, 5).replace("1x1: any", "1x1 not in row 1: any"))
    with pytest.raises(FormatError, match="expected a row from 1 to 5, found 9"):
        layout_of(trays(4, 5).replace("1x1: any", "1x1 not in row 9: any"))


WRONG = [
    (("1x1: any", "1x1: 5-3"), "6:8: expected a range from less to more, found '5-3'"),
    (("A 2x2: 1", "A 2x2: 0-1"), "goal: expected a piece of which there is exactly one"),
    (("A 2x2: 1", "A 9x2: 1"), "expected a shape that fits the board, found '9x2'"),
    (("A 2x2: 1", "AB 2x2: 1"), "expected a shape such as 2x2"),
    (("A 2x2: 1", "X 2x2: 1"), "used for walls"),
    (("1x1: any", "1x1 any"), "expected shapes, ':' and a number"),
    (
        ("blanks: 2 or more", "walls: ..X./..../..../..../....\ngoal 2: AA.*/AA**/****/****/****"),
        "a cell that walls: makes a wall",
    ),
    (("goal: ****/****/****/*AA*/*AA*", "goal: any B"), "exactly one, found 'any B'"),
    (("goal: ****/****/****/*AA*/*AA*", "goal: any A\ngoal 2: AA**/AA**/****/****/****"), "no other goal beside"),
    (("goal: ****/****/****/*AA*/*AA*", "walls: .X.X/X.X./.X.X/X.X./.X.X\ngoal: any A"), "found no place for it"),
    (("1x1: any", "1x1: lots"), "expected a number such as 3, 0-5"),
    (("1x1: any", "1x1 | 1x1: any"), "expected each shape once"),
    (("1x1: any", "o.o: any"), "expected a connected shape"),
    (("1x1: any", "wall | 1x1: any"), "expected 'wall' alone"),
    (("1x1: any", "1x1: 30"), "expected at most 20 pieces on 20 cells, found 30"),
    (("1x1: any", "1x1: 16"), "expected pieces and blanks that fit 20 cells, found at least 20 cells of pieces and 2"),
    (("blanks: 2 or more", "blanks: 2 3"), "expected a number such as"),
    (("count: step", "count: jump"), "step, run, piece"),
    (("rule: slide\n", "rule: jump\n"), "expected rule: slide beside pieces:"),
    (("board: grid 4x5\n", "board: grid 9x9\n"), "rows, found 5|at most 64 cells"),
    (("*AA*/*AA*", "*BB*/*AA*"), "expected one of the symbols"),
    (("****/****/****/*AA*/*AA*", "A***/****/****/****/***A"), "that none of its places covers"),
    (("****/****/****/*AA*/*AA*", "****/****/****/****/****"), "expected the letter of a row"),
    (("blanks: 2 or more", "blanks: 2 or more\nwalls: ?***/****/****/****/****"), "walls: expected X"),
    (("blanks: 2 or more", "blanks: 2 or more\nwalls: ?.../..../..../..../...."), "expected a row such as 'wall: 0-2'"),
    (("blanks: 2 or more", "blanks: 2 or more\nfixed: A"), "fixed: has no meaning beside pieces:"),
]


@pytest.mark.parametrize(("change", "words"), WRONG)
def test_what_is_wrong_is_said(change, words):
    with pytest.raises(FormatError, match=words):
        design(trays(4, 5).replace(*change))


@pytest.mark.long
def test_too_many_shapes():
    with pytest.raises(FormatError, match="at most 20,000 shapes, found more"):
        design(trays(4, 5).replace("1x1: any", "any connected: any"))


def test_a_goal_that_no_packing_meets():
    text = "rule: slide\ncount: step\npieces:\n  A 2x1: 1\n  B 2x1: 1\n  1x1: 0-1\ngoal: A*B/***\n"
    with pytest.raises(FormatError, match="none of 24 packings meets a goal"):
        design(text)


def test_numbers_that_do_not_fit_together():
    text = "rule: slide\ncount: step\npieces:\n  A 2x2: 1\n  2x2: 1\nblanks: 1 or more\ngoal: AA*/AA*/***\n"
    with pytest.raises(FormatError, match="found none that do"):
        design(text)


def test_any_place_of_a_piece_is_the_hardest_of_all_goals():
    text = trays(3, 4).replace("goal: ***/***/AA*/AA*", "goal: any A")
    found = design(text, by="blanks", confirm=True)
    each = [
        design(trays(3, 4).replace("***/***/AA*/AA*", "/".join(goal)), by="blanks")
        for x in range(2)
        for y in range(3)
        for goal in [["".join("A" if a - x in (0, 1) and b - y in (0, 1) else "*" for a in range(3)) for b in range(4)]]
    ]
    assert found.questions == len(each) == 6
    assert found.confirmed == len(found.puzzles)
    assert (found.packings, found.goals, found.solvable) == tuple(
        sum(getattr(answer, name) for answer in each) for name in ("packings", "goals", "solvable")
    )
    hardest = {puzzle.key: max(one.moves for answer in each for one in answer.puzzles if one.key == puzzle.key)
               for puzzle in found.puzzles}  # fmt: skip
    assert {puzzle.key: puzzle.moves for puzzle in found.puzzles} == hardest
    assert all("A" in puzzle.goal for puzzle in found.puzzles)
    assert solve(load(found.hardest.draft)).moves == found.hardest.moves


def test_a_limit_keeps_the_goals_that_were_searched():
    text = trays(3, 4).replace("goal: ***/***/AA*/AA*", "goal: any A")
    whole = design(text, by="all", confirm=False)
    found = design(text, by="all", limits=Limits(positions=whole.generated // 2))
    assert isinstance(found.stopped, LimitError)
    assert found.questions == 6
    assert 0 < found.searched < whole.searched
    assert 0 < found.searched_questions < whole.searched_questions == 6
    assert f"Stopped: {found.searched_questions} of 6 goals are searched." in designed.head(found)
    assert found.hardest.moves <= whole.hardest.moves


def test_a_file_that_leaves_pieces_open_is_no_puzzle():
    with pytest.raises(FormatError, match="leaves its pieces open"):
        from_text(trays(4, 5), "trays.pzl")
    with pytest.raises(FormatError, match="'any A' has a meaning only beside pieces:"):
        from_text("rule: slide\ncount: step\nstart: A.\ngoal: any A\n", "x.pzl")
    with pytest.raises(FormatError, match="blanks: has a meaning only beside pieces:"):
        from_text("rule: slide\ncount: step\nstart: A.\ngoal: .A\nblanks: 1\n", "x.pzl")


def test_limits_hold_and_finished_groups_are_kept():
    try:
        stopped = design(trays(4, 5), method="union", limits=Limits(memory=1 << 18)).stopped
    except LimitError as error:  # before the packings are numbered there is nothing to answer with
        stopped = error
    assert stopped.kind == "memory"
    found = design(trays(4, 4), components=False, confirm=False, limits=Limits(positions=1_000_000))
    assert found.stopped is not None
    assert found.stopped.kind == "positions"
    assert 0 < found.searched_groups < found.groups
    large = design(trays(6, 6), method="union")
    assert (large.stopped.kind, large.puzzles, large.searched) == ("memory", (), 0)
    assert large.packings == 341_487_592_099_103


def test_conditions_on_too_many_shapes_are_refused():
    text = "rule: slide\ncount: piece\nboard: grid 3x3\npieces:\n  A 1x1: 1\n  any connected: any\ngoal: ***/***/**A\n"
    with pytest.raises(UnsupportedError, match="fewer shapes"):
        design(text, needed=True, method="union")
    with pytest.raises(InputError, match="too many multisets"):
        design(text, by="group")


def test_conditions_are_tried_on_the_hardest_groups_first():
    by_group = design(trays(3, 3), by="group", needed=True).puzzles
    best = {}
    for each in by_group:
        best[each.blanks] = max(best.get(each.blanks, 0), each.moves)
    assert {each.blanks: each.moves for each in design(trays(3, 3), needed=True).puzzles} == best
    (hardest,) = design(trays(3, 3), by="all", needed=True).puzzles
    assert hardest.moves == max(best.values())
