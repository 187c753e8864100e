"""Pieces that glide until something stops them: known numbers, each option, errors with their place."""

import pytest

import puzzlespace
from puzzlespace.api.generation import generate
from puzzlespace.api.loader import from_text
from puzzlespace.errors import FormatError, UnsupportedError
from puzzlespace.formats.pzl import parse, print_draft
from puzzlespace.render.svg import position_svg
from puzzlespace.render.text import board, description
from puzzlespace.web import wire


def lunar(helpers):
    """Lunar Lockout with some helpers, so far apart that every piece can come to every cell."""
    words = ["."] * 25
    for cell in (4, 20, 7, 24, 11, 13)[:helpers]:
        words[cell] = "o"
    words[0] = "R"
    rows = [" ".join(words[at : at + 5]) for at in range(0, 25, 5)]
    goal = ["* * * * *"] * 5
    goal[2] = "* * R * *"
    return f"rule: glide\ncount: piece\nedge: forbidden\nstart: {' / '.join(rows)}\ngoal: {' / '.join(goal)}\n"


def test_lunar_lockout_with_three_helpers():
    """All placements by a separate program, layers from the goal."""
    table = puzzlespace.depths(from_text(lunar(3), "lunar.pzl"), origin="goal")
    assert (sum(table.counts), table.depth, table.counts[-1]) == (5948, 5, 40)


@pytest.mark.long
@pytest.mark.parametrize(
    ("helpers", "counts", "classes"),
    [
        (4, (10626, 11480, 12312, 9892, 7076, 4636, 2456, 1076, 496, 316, 160, 40, 24), 3),
        (5, (42504, 53200, 72116, 78940, 72536, 54524, 32248, 17920, 10640, 5512, 2368, 884, 428, 188, 68), 9),
        (
            6,
            (
                134596,
                186732,
                299556,
                392284,
                394596,
                286108,
                154520,
                73592,
                30560,
                11120,
                3292,
                1416,
                660,
                416,
                240,
                192,
                160,
                72,
            ),
            9,
        ),
    ],
)
def test_lunar_lockout_with_more_helpers(helpers, counts, classes):
    table = puzzlespace.depths(from_text(lunar(helpers), "lunar.pzl"), origin="goal")
    assert (table.counts, table.classes) == (counts, classes)


def glide(start, goal="", **keys):
    text = "".join(f"{key}: {value}\n" for key, value in keys.items())
    return from_text(
        f"rule: glide\ncount: piece\n{text}start: {start}\n" + (f"goal: {goal}\n" if goal else ""), "g.pzl"
    )


def after(puzzle, start=None):
    """The moves from the start, each with the drawing that it leads to."""
    model = puzzle.model()
    position = start if start is not None else model.start
    return {puzzle.frames((position, to), model)[1].name: puzzle.line(to) for to in model.moves(position)}


def test_a_piece_goes_on_to_the_edge_to_another_piece_or_to_a_fixed_symbol():
    assert after(glide("R . . o")) == {"R right": ". . R o", "o left": "R o . ."}
    assert after(glide("R . . X", fixed="X")) == {"R right": ". . R X"}
    assert after(glide(". R . # .")) == {"R left": "R . . # .", "R right": ". . R # ."}


def test_the_edge_stops_pieces_or_forbids_to_leave_or_they_are_lost():
    assert after(glide("R . ", edge="stops")) == {"R right": ". R"}
    assert after(glide("R . o", edge="forbidden")) == {"R right": ". R o", "o left": "R o ."}
    assert set(after(glide("R . o", edge="lost")).values()) == {". R o", "R o .", ". . o", "R . ."}
    lost = glide("R . o", "R . .", edge="lost")
    answer = puzzlespace.solve(lost)
    assert answer.moves == 1
    assert answer.frames[1].words == ("R", ".", ".")
    assert not lost.model().reversible


WALLS = "\n  +-+-+-+\n  |. .|.|\n  + +-+ +\n  |. o .|\n  +-+-+-+"


def test_walls_between_cells_and_stop_cells():
    assert after(glide("R . . / . . .", ground=WALLS)) == {"R right": ". R . / . . .", "R down": ". . . / R . ."}
    assert after(glide(". . . / R . .", ground=WALLS)) == {"R up": "R . . / . . .", "R right": ". . . / . R ."}


def test_an_opening_in_the_frame_is_the_edge():
    ground = "\n  +-+-+\n  ..  |\n  +-+-+"
    assert set(after(glide(". R", edge="lost", ground=ground)).values()) == {". ."}
    assert set(after(glide("R .", edge="lost", ground=ground)).values()) == {". .", ". R"}


def test_deflectors_turn_a_piece_that_comes_and_a_ring_of_them_never_ends():
    corner = "\n  +-+-+-+\n  |. . \\|\n  + + + +\n  |. . .|\n  +-+-+-+"
    assert after(glide("R . . / . . .", ground=corner))["R right"] == ". . . / . . R"
    assert after(glide("R . . / . . o", ground=corner))["R right"] == ". . R / . . o"
    ring = "\n  +-+-+-+\n  |/ . \\|\n  + + + +\n  |\\ . /|\n  +-+-+-+"
    assert after(glide(". R . / . . .", ground=ring)) == {"R down": ". . . / . R ."}


def test_a_deflector_lets_the_piece_of_its_gate_pass():
    corner = "\n  +-+-+-+\n  |. \\ .|\n  + + + +\n  |. . .|\n  +-+-+-+"
    gates = "* R * / * * *"
    assert after(glide("R . . / . . .", ground=corner, gates=gates))["R right"] == ". . R / . . ."
    assert after(glide("B . . / R . .", ground=corner, gates=gates))["B right"] == ". . . / R B ."
    puzzle = glide("R . . / B . .", "* * R / * * *", ground=corner, gates=gates)
    assert puzzlespace.solve(puzzle).moves == 1
    assert "The deflector in b1 lets R pass." in description(puzzle)
    assert parse(print_draft(puzzle.draft)) == puzzle.draft


def test_blocks_glide_as_a_whole_and_lie_across_no_wall():
    ground = "\n  +-+-+-+-+\n  |. . . .|\n  + + +-+ +\n  |. . . .|\n  +-+-+-+-+"
    assert after(glide("A . . . / A . . .", blocks="all", ground=ground)) == {"A right": ". A . . / . A . ."}
    assert after(glide("A . . . / A . . B", blocks="A"))["A right"] == ". . A . / . . A B"


def test_the_goal_is_met_by_stopping_or_also_by_passing():
    assert puzzlespace.solve(glide("R . . .", "* * R *")).status.name == "IMPOSSIBLE"
    assert puzzlespace.solve(glide("R . . .", "* * R *", passing="yes")).moves == 1
    with pytest.raises(FormatError, match="one piece of one cell in each goal"):
        glide("R o . .", "* o R *", passing="yes")


def test_a_pattern_counts_anywhere():
    puzzle = glide(". H . . . / . . # . . / H . . O .", "H O H", anywhere="yes")
    assert len(puzzle.goals) == 6
    assert puzzlespace.solve(puzzle).moves == 3
    assert "at any place of the board" in description(puzzle)
    with pytest.raises(FormatError, match="fits on the board"):
        glide("H O .", "H / O", anywhere="yes")


def test_a_pattern_leaves_out_places_on_walls():
    """A wall in the pattern lies on one in the start; other symbols do not."""
    start = "H . . . / . X . O / . . H ."
    assert len(glide(start, "H O / * H", anywhere="yes").goals) == 6
    puzzle = glide(start, "H O / * H", anywhere="yes", fixed="X")
    assert len(puzzle.goals) == 3
    assert puzzlespace.solve(puzzle).moves == 4
    assert len(glide(start, "H O / X H", anywhere="yes", fixed="X").goals) == 1
    with pytest.raises(FormatError, match="found no place for it"):
        glide(start, "H X O", anywhere="yes", fixed="X O")


def test_pieces_glide_along_lines_and_on_hexagons():
    line = "rule: glide\ncount: piece\nboard:\n  a b\n  c d e\nlines: a-b-d b-e\nstart:\n  R .\n  . . .\n"
    puzzle = from_text(line, "line.pzl")
    assert after(puzzle) == {"R a-d": ". . / . R ."}
    hexagon = from_text("rule: glide\ncount: piece\nboard: hex 2\nstart: R . / . . . / . .\n", "hex.pzl")
    assert len(after(hexagon)) == 3


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("edge: open\nstart: R .\n", r"2:7: expected stops, forbidden or lost, found 'open'"),
        ("count: run\nstart: R .\n", r"2:8: count: expected one of piece, step for rule glide, found 'run'"),
        ("ground: +\nstart: R .\n", r"2:9: expected the drawing in the rows below ground:, found '\+'"),
        ("ground:\n  +-+\n  |.|\nstart: R .\n", r"4:3: ground: expected 3 rows"),
        (
            "ground:\n  +-+-+\n  |. x|\n  +-+-+\nstart: R .\n",
            r"4:6: ground: expected \. o / \\ or a space here, found 'x'",
        ),
        (
            "ground:\n  +-+-+\n   . .|\n  +-+-+\nstart: R .\n",
            r"4:4: ground: expected every row to begin under the first",
        ),
        (
            "ground:\n  +-+-+-\n  |. .|\n  +-+-+\nstart: R .\n",
            r"3:8: ground: expected at most 5 signs in a row, found 6",
        ),
        ("diagonals: yes\nground:\n  +-+-+\n  |. .|\n  +-+-+\nstart: R .\n", r"4:3: .* no walls with diagonals"),
        ("board:\n  a b\nlinks:\n  a: b\nstart: R .\n", r"lines: to glide along, found links"),
        ("board:\n  a b c\nlines: a-b-c-a\nstart: R . .\n", r"4:14: lines: expected every cell once on a line"),
        (
            "edge: lost\nblocks: A\nstart: A A .\n",
            r"2:7: expected pieces of one cell if they can be lost, found the block A",
        ),
        ("anywhere: yes\nstart: A .\n", r"anywhere: expected a goal, found none"),
        ("gates: A *\nstart: A .\n", r"2:8: gates: expected a deflector in the cell of A, found none"),
        ("gates: B *\nstart: A .\n", r"2:8: gates: expected one of the symbols \* A, found 'B'"),
    ],
)
def test_errors_name_their_place(text, message):
    count = "" if text.startswith("count") else "count: piece\n"
    with pytest.raises(FormatError) as error:
        from_text(f"rule: glide\n{text}{count}", "g.pzl")
    assert error.match(message)


def test_the_metric_step_counts_the_cells_that_pieces_travel():
    start, goal = "R . . . / . . . o / . . . .", "* * * * / * * * * / * * * R"
    puzzle = glide(start, goal, fixed="o")
    assert puzzlespace.solve(puzzle).moves == 2
    answer = puzzlespace.solve(puzzle, metric="step", count=True)
    assert (answer.moves, answer.solutions, answer.names) == (5, 1, ("R down", "R right"))
    assert puzzlespace.depths(puzzle, metric="step").counts == (1, 0, 1, 1, 0, 1)
    found = puzzlespace.distance(puzzle, start, metric="step")
    assert (found.distance, [name for name, _ in found.next]) == (5, ["R down"])
    assert [answer.moves for answer in puzzlespace.solutions(puzzle, metric="step")] == [5]
    able = ("idastar", "astar", "frontier")
    assert [puzzlespace.solve(puzzle, metric="step", engine=engine).moves for engine in able] == [5, 5, 5]
    for engine in ("bidirectional", "table", "blocks"):
        with pytest.raises(UnsupportedError, match=r"different costs|does not answer"):
            puzzlespace.solve(puzzle, metric="step", engine=engine)
    drawn = generate(puzzle, (2, 5), metric="step", solutions=True)  # each solution has the depth that was asked for
    assert (5, puzzle.start) in zip(drawn.depths, map(bytes, drawn.positions), strict=True)
    assert set(drawn.depths) > {2, 5}
    with pytest.raises(UnsupportedError, match="every move counts one"):
        generate(puzzle, 2, metric="step", method="walk")


def test_a_way_round_deflectors_counts_every_cell():
    ring = "\n  +-+-+-+\n  |/ . \\|\n  + + + +\n  |\\ . /|\n  +-+-+-+"
    puzzle = glide(". R o / . . .", ground=ring, fixed="o")
    model = puzzle.model("step")
    lengths = {puzzle.line(to): model.cost(rules) for to, rules in model.moves(model.start).items()}
    assert lengths == {". . o / . . R": 4, ". . o / . R .": 1}


def test_the_drawn_ground_is_kept_and_shown():
    drawings = "start: R . . / . . .\ngoal: * * R / * * *\n"
    text = f"rule: glide\ncount: piece\nedge: lost\nground:{WALLS}\npassing: yes\n{drawings}"
    assert parse(print_draft(parse(text))) == parse(text)
    puzzle = from_text(text, "g.pzl")
    assert puzzle.start is not None
    assert board(puzzle, puzzle.shown(puzzle.start)) == ["+-+-+-+", "|R .|.|", "+ +-+ +", "|. o .|", "+-+-+-+"]
    assert position_svg(puzzle, puzzle.start).count('stroke-linecap="round"') == 1  # all walls are one path
    about = wire.about(puzzle)
    assert (about["stops"], about["deflectors"], len(about["walls"])) == ([4], [], 12)


def test_lost_pieces_of_several_kinds_cannot_be_taken_back():
    with pytest.raises(UnsupportedError):
        puzzlespace.depths(glide("R . o", "* R *", edge="lost"), origin="goal")
