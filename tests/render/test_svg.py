"""Pictures: whole XML, nothing from elsewhere, one outline for each piece, a mark on every piece, what moved marked."""

import re
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest

from drawn import SVG, after, blocks, flips, frames, hexagram, parsed, pegs, tiles
from puzzlespace.api.loader import from_text, load
from puzzlespace.api.questions import with_start
from puzzlespace.contract.answers import DepthTable
from puzzlespace.puzzle.board import Board, named
from puzzlespace.puzzle.draft import Draft, Look
from puzzlespace.puzzle.letters import Frame
from puzzlespace.render import svg
from puzzlespace.render.exits import exit_of
from puzzlespace.render.layout import middles
from puzzlespace.render.looks import INK, PAPER, colour, ink_on, paints
from puzzlespace.render.outline import FIGURES, STROKES, edge, loops, number, rounded, strokes
from puzzlespace.render.sheet import extent, tag
from puzzlespace.render.theme import LIGHT, PALETTE
from puzzlespace.render.words import rules_in_words

MEGAMINX = Path(__file__).parents[2] / "examples/twisty/megaminx.tws"

KLOTSKI = "ABBC/ABBC/DEEF/DGHF/I..J"


def words_of(root):
    return ["".join(each.itertext()) for each in root.iter(SVG + "text")]


def position(puzzle, **fields):
    return parsed(svg.position_svg(puzzle, puzzle.start, **fields))


ROOMS = "rule: slide\ncount: step\napart: A\nstart:\n  AB.#A.C\n  ...#...\n"


def test_a_piece_in_parts_has_its_mark_and_its_arrow_on_each():
    rooms = from_text(ROOMS, "rooms.pzl")
    before, now = after(rooms, ".B.#..C/A..#A..", (6, 9))
    still, moved = (parsed(svg.frame_svg(rooms, svg.Picture(now, "", then))) for then in (None, before))
    assert sorted(words_of(moved)) == ["A", "A", "B", "C"]
    assert len(list(moved.iter(SVG + "path"))) == len(list(still.iter(SVG + "path"))) + 2
    assert "A (5x1 without 3 cells in 2 parts)" in rules_in_words(rooms)


GATED = "rule: slide\ncount: step\nblocks: A\ngates: * * A / * * A\nstart: A A . / B . .\n"


def test_gates_are_drawn_in_the_colour_of_their_piece():
    puzzle = from_text(GATED, "gated.pzl")
    root = position(puzzle)
    broken = {path.get("d") for path in root.iter(SVG + "path") if path.get("stroke-dasharray")}
    gates = [path for path in root.iter(SVG + "path") if path.get("d") in broken and not path.get("stroke-dasharray")]
    block = next(path for path in root.iter(SVG + "path") if path.get("stroke-linejoin"))
    assert [gate.get("stroke") for gate in gates] == [block.get("fill")] * 2
    assert [title.text for title in root.iter(SVG + "title")].count("only A") == 2


def test_the_mark_of_an_angle_stands_in_one_of_its_cells():
    marks = {"".join(each.itertext()): each for each in position(blocks("AA./A.B/CDD")).iter(SVG + "text")}
    assert marks["A"].get("x") == marks["C"].get("x")
    assert float(marks["D"].get("x")) > float(marks["C"].get("x")) + 1


PUZZLES = {
    "tiles": tiles(),
    "blocks": blocks(KLOTSKI),
    "pegs": pegs(),
    "triangle": pegs(named(["triangle15"])),
    "flips": flips(),
    "hexagram": hexagram(),
    "one": tiles("."),
}


@pytest.mark.parametrize("puzzle", PUZZLES.values(), ids=PUZZLES)
def test_every_picture_is_whole_and_stands_by_itself(puzzle):
    text = svg.solution_svg(puzzle, frames(puzzle, 2 if puzzle.rules and puzzle.board.cells > 1 else 0), "A & <b>")
    root = parsed(text)
    assert root.tag == SVG + "svg"
    assert root.get("role") == "img"
    assert [child.tag for child in root][:2] == [SVG + "title", SVG + "desc"]
    assert root.find(SVG + "title").text == "A & <b>"
    assert not re.search(r"<script|<style|<image|<use|href|url\(|\bid=|\bon\w+=", text)
    assert float(root.get("width")) > 0
    assert root.get("viewBox") == f"0 0 {root.get('width')} {root.get('height')}"
    assert "nan" not in text
    assert "inf" not in text.replace("info", "")


def test_everything_drawn_lies_on_the_page():
    for puzzle in PUZZLES.values():
        root = position(puzzle)
        width, height = float(root.get("width")), float(root.get("height"))
        for circle in root.iter(SVG + "circle"):
            assert float(circle.get("cx")) - float(circle.get("r")) >= 0
            assert float(circle.get("cx")) + float(circle.get("r")) <= width
            assert float(circle.get("cy")) + float(circle.get("r")) <= height


def test_the_text_board_is_in_the_description():
    desc = position(hexagram()).find(SVG + "desc").text
    assert "B   B   B   B\n  B   .   W\n" in desc
    strip = parsed(svg.solution_svg(tiles(), frames(tiles()), "t")).find(SVG + "desc").text
    assert "1: 6 down" in strip


def test_texts_from_files_are_escaped_and_harmless():
    evil = '<script>alert("x")</script>&\x00\x1b'
    puzzle = replace(
        tiles("< ]]> & / 1 2 .", picture=[Look("1", colour='red" onload="x', mark="<b>", name=evil)]),
        titles=(("", evil),),
    )
    text = svg.position_svg(puzzle, puzzle.start)
    root = parsed(text)
    assert "<script" not in text
    assert "onload" not in text
    assert root.find(SVG + "title").text == '<script>alert("x")</script>&??'
    assert {"<", "]]>", "&", "<b>"} <= set(words_of(root))
    named_frames = [Frame(puzzle.start, puzzle.view.decode(puzzle.start), evil)]
    assert parsed(svg.solution_svg(puzzle, named_frames, evil)) is not None


def test_a_block_has_one_outline():
    root = position(blocks(KLOTSKI))
    outlines = [path for path in root.iter(SVG + "path") if path.get("stroke") == INK]
    assert len(outlines) == 10
    assert all(path.get("d").count("M") == 1 for path in outlines)


def test_every_piece_has_its_letter():
    assert sorted(words_of(position(blocks(KLOTSKI)))) == list("ABCDEFGHIJ")
    assert sorted(words_of(position(tiles()))) == list("12345678")
    assert sorted(words_of(position(flips()))) == list("oooooo") + list("xxx")


def test_names_of_several_letters_fit_their_discs():
    drawn = position(with_start(load(str(MEGAMINX)), "U R"))
    _, radius = sorted({float(disc.get("r")) for disc in drawn.iter(SVG + "circle")})  # of a place, and of a piece
    sizes = {len(word.text): float(word.get("font-size")) for word in drawn.iter(SVG + "text") if word.text[0] in "CE"}
    assert {2, 3, 5} <= set(sizes)
    for letters, size in sizes.items():  # 0.58 and 0.72: the mean width and the height of capitals and digits
        assert (0.29 * letters * size) ** 2 + (0.36 * size) ** 2 < radius**2


def test_blocks_that_can_stand_for_each_other_share_a_colour_others_do_not():
    paint = paints(blocks(KLOTSKI), ())
    assert len({paint[letter].fill for letter in "ACDF"}) == 1
    assert len({paint[letter].fill for letter in "AGBE"}) == 4
    assert all(each.fill in PALETTE for each in paint.values())


def test_numbers_are_alike_and_backs_differ():
    paint = paints(tiles("1 2 -1 ."), ())
    assert paint["1"].fill == paint["2"].fill == LIGHT.numbered
    assert paint["-1"].fill in PALETTE
    assert paints(tiles("1 J ."), ())["1"].fill in PALETTE


def test_dark_and_light_discs():
    for letters in ("ox", "WB"):
        paint = paints(flips(words=letters), ())
        assert (paint[letters[0]].fill, paint[letters[1]].fill) == (LIGHT.ivory, LIGHT.coal)
        assert {each.kind for each in paint.values()} == {"disc"}
    assert paints(blocks("BB./W.."), ())["B"].kind == "tile"
    assert len(list(position(flips()).iter(SVG + "circle"))) == 9


def test_pegs_stand_in_holes_with_a_dot_each():
    root = position(pegs())
    assert len(list(root.iter(SVG + "circle"))) == 12 * 2 + 1


def test_other_boards_have_their_lines_and_round_places():
    root = position(hexagram())
    lines = max((path.get("d") for path in root.iter(SVG + "path")), key=len)
    assert lines.count("M") == 24
    assert len(list(root.iter(SVG + "circle"))) == 13 + 12


def test_pictures_of_the_file_are_respected():
    looks = [
        Look("a", colour="#123456", mark="ring", name="the ring"),
        Look("b", glyph="┘"),
        Look("c", mark="cross"),
        Look("d", colour="Red", glyph="●"),
        Look("e", mark="♞"),
    ]
    puzzle = tiles("a b c / d e .", picture=looks)
    paint = paints(puzzle, ())
    assert (paint["a"].fill, paint["a"].ink) == ("#123456", PAPER)
    assert (paint["d"].fill, paint["d"].kind, paint["d"].mark) == ("#D55E00", "disc", "d")
    root = position(puzzle)
    assert words_of(root) == ["d", "♞"]
    assert [title.text for title in root.iter(SVG + "title")][1:] == ["the ring"]


@pytest.mark.parametrize("mark", [*FIGURES, "dot", "ring", *STROKES])
def test_every_named_mark_is_drawn_not_written(mark):
    root = position(tiles("a .", picture=[Look("a", mark=mark)]))
    assert words_of(root) == []


def test_walls_are_hatched():
    fixed = replace(tiles("1 # 2 / 3 W ."), draft=Draft("slide", fixed=("W",)))
    assert paints(fixed, ())["W"].kind == "wall"
    widths = [path.get("stroke-width") for path in position(fixed).iter(SVG + "path")]
    assert len(widths) == len(list(position(tiles("1 5 2 / 3 W .")).iter(SVG + "path"))) + 1


def test_what_moved_is_marked():
    still, moved = position(tiles()), position(tiles(), changed=[4])
    thick = [path for path in moved.iter(SVG + "path") if float(path.get("stroke-width", 0)) > 3]
    assert len(thick) == 1
    assert not [path for path in still.iter(SVG + "path") if float(path.get("stroke-width", 0)) > 3]
    assert len(list(position(flips(), changed=[0, 1]).iter(SVG + "circle"))) == 9 + 2


def test_strips_are_numbered_and_named():
    shown = [replace(frame, name=frame.name and "a-very-long-name of a move") for frame in frames(tiles(), 3)]
    texts = words_of(parsed(svg.solution_svg(tiles(), shown, "t")))
    assert texts[0] == "t"
    assert next(text for text in texts if text[:1] in "0123" and " " in text).startswith("1 a-very-")
    assert "0" in texts


def test_long_strips_have_several_rows_and_keep_the_page_narrow():
    root = parsed(svg.solution_svg(tiles(), [frames(tiles(), 0)[0]] * 40, "many"))
    assert float(root.get("width")) <= 960
    assert float(root.get("height")) > 1000


def test_wide_boards_keep_cells_that_can_be_read():
    wide = tiles(" ".join(map(str, range(1, 80))) + " .")
    assert float(position(wide).get("width")) >= 80 * 18


def test_long_titles_are_wrapped():
    one = parsed(svg.solution_svg(tiles(), frames(tiles(), 0), "title " * 12))
    assert len([text for text in words_of(one) if "title" in text]) > 1


def test_outlines_of_joined_squares():
    assert loops([(0, 0)]) == [[(0, 0), (1, 0), (1, 1), (0, 1)]]
    assert loops([(0, 0), (1, 0)]) == [[(0, 0), (2, 0), (2, 1), (0, 1)]]
    assert len(loops([(0, 0), (1, 0), (0, 1)])[0]) == 6
    ring = [(x, y) for x in range(3) for y in range(3) if (x, y) != (1, 1)]
    assert sorted(map(len, loops(ring))) == [4, 4]
    assert len(loops([(0, 0), (1, 1)])) == 2
    assert len(loops([(1, 0), (0, 1)])) == 2
    assert loops([]) == []


@pytest.mark.parametrize("size", range(1, 5))
def test_an_outline_encloses_as_much_as_its_squares(size):
    for chosen in range(1, 1 << (size * 2)):
        squares = [(k % size, k // size) for k in range(size * 2) if chosen >> k & 1]
        area = 0
        for loop in loops(squares):
            area += sum(a[0] * b[1] - b[0] * a[1] for a, b in zip(loop, loop[1:] + loop[:1], strict=True))
        assert area == 2 * len(squares)


def test_rounded_corners_stay_inside_the_squares():
    path = rounded([(0, 0), (1, 0)], (10.0, 10.0), 20.0, 2.0, 3.0)
    numbers = [float(n) for pair in re.findall(r"[-\d.]+,[-\d.]+", path) for n in pair.split(",")]
    assert (min(numbers), max(numbers[0::2]), max(numbers[1::2])) == (12.0, 48.0, 28.0)


def test_numbers_are_short():
    assert [number(value) for value in (1.0, 1.25, -0.01, 10.06, 100)] == ["1", "1.2", "0", "10.1", "100"]


def test_lines_bend_around_places_they_do_not_touch():
    assert edge((0, 0), (2, 0), [(0, 0), (2, 0), (1, 1)], 0.3) == "M0,0L2,0"
    assert edge((0, 0), (2, 0), [(1, 0)], 0.3) == "M0,0Q1,-0.7 2,0"
    ring = Board(tuple("abcd"), ((0, 1, 2, 3),), ((0, 1), (1, 2), (2, 3), (3, 0)), False, ((0, 2, 4, 6),), False)
    left, top, right, bottom = extent(tiles("1 2 3 .", ring))
    assert (left, right) == (0, 4)
    assert bottom - top > 1


def test_strokes_reach_the_sides():
    assert strokes("─", (0.0, 0.0), 2.0) == "M-1,0L0,0L1,0M0,0"
    assert all(len(sides) > 1 for sides in STROKES.values())


def test_a_drawn_board_is_stretched_until_its_links_are_alike():
    places = middles(hexagram().board)
    for line in hexagram().board.lines:
        for a, b in zip(line, line[1:], strict=False):
            assert (places[a][0] - places[b][0]) ** 2 + (places[a][1] - places[b][1]) ** 2 == pytest.approx(1)
    assert middles(named(["grid", "2x2"])) == ((0.5, 0.5), (1.5, 0.5), (0.5, 1.5), (1.5, 1.5))


def test_no_two_places_come_closer_than_one():
    odd = Board(tuple("abcde"), ((0, 1), (2,), (3, 4)), ((0, 4), (1, 2)), False, ((0, 30), (7,), (2, 4)), False)
    places = middles(odd)
    for a in range(5):
        for b in range(a):
            assert (places[a][0] - places[b][0]) ** 2 + (places[a][1] - places[b][1]) ** 2 >= 0.999


def test_colours_are_checked_and_ink_stands_out():
    assert colour("#abc") == "#abc"
    assert colour("Blue") == "#0072B2"
    assert colour("gold") == "#ffd700"
    assert colour("papayawhip") == "papayawhip"
    assert [colour(text) for text in ("", "#12", "url(x)", "red;x", "rgb(1,2,3)", "a" * 40)] == [""] * 6
    assert (ink_on("#000"), ink_on("#fff"), ink_on("#0072B2"), ink_on("gold")) == (PAPER, INK, PAPER, INK)


def test_tags_escape_attributes():
    assert tag("a", x='1"<&', stroke_width=2.0) == '<a x=\'1"&lt;&amp;\' stroke-width="2"/>'


def test_depth_tables_as_bars():
    table = DepthTable((1, 2, 4, 8, 4, 1), "goal", "step", (), True, True, "plain", 9, 0.5)
    root = parsed(svg.table_svg(tiles(), table))
    bars = [float(bar.get("height")) for bar in root.iter(SVG + "rect")][1:]
    assert len(bars) == 6
    assert bars[3] == 2 * bars[2] == 4 * bars[1]
    assert "depth 3: 8" in [title.text for title in root.iter(SVG + "title")]
    empty = parsed(svg.table_svg(tiles(), replace(table, counts=())))
    assert float(empty.get("width")) > 0


def test_puzzles_with_a_view_of_their_own_are_drawn():
    puzzle = tiles("a b .")
    plain = SimpleNamespace(decode=puzzle.view.decode, pieces=puzzle.view.pieces, encode=puzzle.view.encode)
    assert words_of(position(replace(puzzle, view=plain))) == ["a", "b"]


DOOR = "rule: slide\ncount: step\nstart:\n  ####.#\n  #R...#\n  #..x.#\ngoal:\n  ####{}#\n  #***{}\n  #***{}#\n"
CARS = "rule: slide along\nblocks: all\ncount: run\nstart:\n  AA.B\n  ...B\n  ....\ngoal:\n  {}\n  ****\n  {}\n"


@pytest.mark.parametrize(
    ("text", "way"),
    [
        ("klotski", (0, 1)),
        ("rush60", (1, 0)),
        (CARS.format("**AA", "****"), (1, 0)),
        (CARS.format("AA**", "****"), (-1, 0)),
        (CARS.format("*AA*", "****"), None),
        (DOOR.format("R", "*#", "*"), (0, -1)),
        (DOOR.format("*", "R#", "*"), None),
        (DOOR.format("*", "*#", "R"), None),
        ("dads", None),  # in a corner
        ("simplicity", None),
        ("bone", None),
        ("slide:3x3", None),
        ("microban6", None),  # boxes are pushed, and stay
        ("tilt16", None),
        ("english", None),
        ("diamond41", None),
    ],
)
def test_an_arrow_shows_where_the_piece_of_the_goal_leaves(text, way):
    puzzle = from_text(text, "x.pzl") if "\n" in text else load(text)
    found = exit_of(puzzle)
    assert (found and found.way) == way
    board = replace(puzzle, goals=())
    drawn = [parsed(svg.position_svg(each, puzzle.anchor)) for each in (puzzle, board)]
    paths = [len(list(each.iter(SVG + "path"))) for each in drawn]
    assert paths[0] - paths[1] == (way is not None)
    left, top, right, bottom = (abs(a - b) for a, b in zip(extent(puzzle), extent(board), strict=True))
    assert [left, top, right, bottom].count(0) == (4 if way is None else 3)
    assert way is None or all(
        extent(puzzle)[axis] < spot[axis] < extent(puzzle)[axis + 2] for spot in found.arrow for axis in (0, 1)
    )


def test_other_goals_show_no_exit():
    klotski = load("klotski")
    (goal,) = klotski.goals
    assert exit_of(replace(klotski, goals=(goal, goal))) is None
    assert exit_of(replace(klotski, goals=(replace(goal, counts=((0, 2),)),))) is None
    assert exit_of(replace(klotski, goals=(replace(goal, need=(1, *goal.need[1:])),))) is None
