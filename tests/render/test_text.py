"""Text boards, strips, tables and rules in words, on puzzles made by hand."""

from dataclasses import replace
from types import SimpleNamespace

import pytest

from drawn import blocks, flips, hexagram, pegs, tiles
from puzzlespace.analysis.impossible import Components
from puzzlespace.api.loader import from_text
from puzzlespace.contract.answers import DepthTable
from puzzlespace.errors import InputError
from puzzlespace.model.goal import Goal
from puzzlespace.puzzle.board import Board, grid, named
from puzzlespace.puzzle.draft import CountGoal, Draft, Drawing, Known, ListedMove, Look
from puzzlespace.render import text
from puzzlespace.render.glyphs import pad, width, wrap


def board(puzzle, glyphs="ascii"):
    return text.board(puzzle, puzzle.view.decode(puzzle.start), glyphs)


def frames(puzzle, moves):
    model = puzzle.model()
    path = [puzzle.start]
    for _ in range(moves):
        path.append(next(child for child in sorted(model.moves(path[-1])) if child not in path))
    return puzzle.frames(path, model)


def test_grids_are_spaced_or_compact_as_the_person_wrote_them():
    assert board(tiles()) == ["1 2 3", "4 5 6", "7 8 ."]
    assert board(blocks("ABBC/ABBC/DEEF/DGHF/I..J")) == ["ABBC", "ABBC", "DEEF", "DGHF", "I..J"]
    assert board(blocks("AB/A.", spaced=True)) == ["A B", "A ."]


def test_places_without_a_cell_are_walls_where_pieces_slide():
    assert board(blocks("AB#/A..")) == ["AB#", "A.."]
    assert board(blocks("AB#/A.."), "ja") == ["ＡＢ＃", "Ａ□□"]


def test_other_places_without_a_cell_are_empty_and_nothing_trails():
    assert board(pegs()) == ["    o", "  o o o", "o o . o o", "  o o o", "    o"]


def test_words_of_different_length_stand_in_columns():
    assert board(tiles("1 2 10 / 11 . 3")) == ["1  2  10", "11 .  3"]
    assert board(replace(tiles("1 10 / 11 ."), spaced=False)) == ["1  10", "11 ."]


def test_other_boards_stand_as_they_were_drawn():
    assert board(hexagram()) == ["      B", "B   B   B   B", "  B   .   W", "W   W   W   W", "      W"]
    assert board(pegs(named(["triangle", "2"]))) == ["  o", ".   o"]


def test_long_words_spread_a_drawn_board():
    rows, columns = ((0,), (1, 2, 3), (4, 5, 6, 7)), ((2,), (0, 2, 4), (0, 2, 4, 6))
    drawn = Board(tuple("abcdefgh"), rows, ((0, 1),), grid=False, columns=columns)
    long = tiles("alpha / b . c / dd ee ff gg", drawn)
    assert board(long) == ["      alpha", "b     .     c", "dd    ee    ff    gg"]


def test_a_board_of_one_cell():
    assert board(tiles(".")) == ["."]
    assert text.strip(tiles("."), frames(tiles("."), 0), 80) == "."


def test_a_single_board_has_no_label_that_is_only_its_number():
    assert text.boards_in_rows([["1 2", ".  "]], ["1: "], 80, "ascii") == "1 2\n."
    assert text.boards_in_rows([["1 2"]], ["1: depth 3"], 80, "ascii") == "1 2\n1: depth 3"
    assert text.boards_in_rows([["1 2"]] * 2, ["1: ", "2: "], 80, "ascii") == "1 2   1 2\n1     2"


def test_japanese_glyphs_are_two_columns_wide():
    assert board(flips(), "ja") == ["○●○"] * 3
    assert board(hexagram(), "ja")[2] == "  ●  □  ○"
    assert board(pegs(), "ja")[2] == "●●○●●"
    assert board(tiles("1 2 / . 3"), "ja") == ["１２", "□３"]
    assert board(tiles("1 2 / . 10"), "ja") == ["１ ２", "□ 10"]


def test_letters_of_blocks_are_no_discs():
    assert board(blocks("ABB/A.W"), "ja") == ["ＡＢＢ", "Ａ□Ｗ"]


def test_glyphs_of_the_picture_are_used():
    line = tiles("r - / L .", picture=[Look("r", glyph="┌"), Look("-", glyph="─"), Look("L", glyph="└")])
    assert board(line, "ja") == ["┌─", "└□"]
    assert board(line) == ["r -", "L ."]


@pytest.mark.parametrize("glyphs", ["ascii", "ja"])
@pytest.mark.parametrize("columns", [1, 12, 40, 80, 200])
@pytest.mark.parametrize("puzzle", [tiles(), hexagram()], ids=["grid", "hexagram"])
def test_strips_fit_the_terminal(puzzle, columns, glyphs):
    shown = frames(puzzle, 12)
    lines = text.strip(puzzle, shown, columns, glyphs).split("\n")
    widest = max(width(line, glyphs) for line in board(puzzle, glyphs))
    assert max(width(line, glyphs) for line in lines) <= max(columns, widest, text.LABEL)
    assert all(line == line.rstrip() for line in lines)


def test_every_board_of_a_strip_has_its_number_and_move():
    shown = text.strip(tiles(), frames(tiles(), 2), 40)
    assert shown == (
        "1 2 3       1 2 3       1 2 .\n"
        "4 5 6       4 5 .       4 5 3\n"
        "7 8 .       7 8 6       7 8 6\n"
        "0           1: 6 down   2: 3 down"
    )


def test_long_move_names_are_wrapped_under_their_board():
    puzzle = tiles()
    shown = [replace(frames(puzzle, 1)[1], name="a1-b1-c1-d1-e1-f1-g1")] * 2
    lines = text.strip(puzzle, shown, 40).split("\n")
    assert lines[3:] == ["0: a1-b1-c1-     1: a1-b1-c1-", "   d1-e1-f1-g1      d1-e1-f1-g1"]


def test_a_board_wider_than_the_terminal_stands_alone():
    wide = tiles(" ".join(map(str, range(10, 40))) + " .")
    lines = text.strip(wide, frames(wide, 1), 40).split("\n")
    assert len([line for line in lines if line.startswith("10 11")]) == 2


def test_wrap_breaks_where_it_must():
    assert wrap("one two-three four", 8, 2) == ["one two-", "  three", "  four"]
    assert wrap("abcdefghij", 4, 1) == ["abcd", " efg", " hij"]
    assert wrap("箱入り娘", 4) == ["箱入", "り娘"]
    assert wrap("", 5) == [""]


def test_width_and_padding():
    assert (width("箱入り娘"), width("○"), width("○", "ja"), width("e\u0301")) == (8, 1, 2, 1)
    assert pad("箱", 4) == "箱  "


def test_unknown_glyph_sets_are_refused():
    with pytest.raises(InputError, match="expected one of ascii, ja, found 'klingon'"):
        text.glyph_set("klingon")


def test_nothing_a_terminal_could_obey_is_printed():
    puzzle = replace(tiles("\x1b .", picture=()), titles=(("", "a\x1b[2Jb"),))
    assert "\x1b" not in text.description(puzzle)
    assert board(puzzle) == ["? ."]


def test_description_has_title_boards_rules_and_known_numbers():
    puzzle = replace(tiles(), known=(Known("states", 181440), Known("depth", 31, from_start=True, metric="run")))
    assert text.description(puzzle) == (
        "tiles: Tiles & <more>\n\n"
        "start   goal\n1 2 3   1 2 3\n4 5 6   4 5 6\n7 8 .   7 8 .\n\n"
        "Rule: a piece slides up, down, left or right into blanks; the blank is '.'.\n"
        "One move is one step (count: step).\n\n"
        "Known: states 181,440, depth from start 31 (run)"
    )


def test_rules_name_blocks_shapes_and_like_pieces():
    said = text.rules_in_words(blocks("ABBC/ABBC/DEEF/DGHF/I..J"))
    assert "Blocks: A C D F (1x2), B (2x2), E (2x1)." in said
    assert "Interchangeable: A = C = D = F, G = H = I = J." in said
    assert "count: piece). Also: step." in said
    assert "2x2 without 1 cell" in text.rules_in_words(blocks("LL/L."))


def test_rules_name_the_lines_of_boards_that_are_no_grids():
    assert "Lines: 0-2-5-8 0-3-7-11 1-2-3-4" in text.rules_in_words(hexagram())
    said = text.rules_in_words(pegs(named(["triangle15"])))
    assert "c1-c2-c3" in said
    assert "b1-b2 " not in said
    linked = replace(hexagram(), board=replace(hexagram().board, straight=False))
    assert "Links: 0-2-5-8" in text.rules_in_words(linked)


def test_moves_that_depend_on_the_position_are_only_named():
    first, *others = flips().rules
    puzzle = replace(flips(), rules=(replace(first, need=(1, -1, -1)), *others))
    assert "Rule: one of these moves is made: line0 line1" in text.rules_in_words(puzzle)


def test_the_heading_says_who_made_it():
    draft = Draft("slide", by="N. N.", source="a book", note="hard")
    shown = text.description(replace(tiles(), titles=(("", "Tiles"), ("ja", "箱")), draft=draft))
    assert shown.startswith("tiles: Tiles / 箱\nby N. N.\na book\nhard\n\nstart")


def test_rules_name_fixed_pieces_and_long_sides():
    puzzle = replace(blocks("AA./##."), draft=Draft("slide", along=True, fixed=("W",)))
    said = text.rules_in_words(puzzle)
    assert "only along its long side" in said
    assert "Never moves: W." in said


def test_rules_name_gates():
    gated = from_text("rule: slide\ncount: step\ngates:\n  * 1 1\nstart:\n  2 . 1\n", "gated.pzl")
    assert "Only 1 may enter: b1, c1." in text.rules_in_words(gated)


def test_rules_list_moves_as_written_or_as_cycles():
    assert "  line0: (a1 c1) ~a1 ~b1 ~c1" in text.rules_in_words(flips())
    moves = (ListedMove("row1", "flip", (("a1", "b1"),)), ListedMove("t", "cycles", (("a1", "b1", "c1"),), ("a2",)))
    draft = Draft("apply", moves=moves, swap=(("x", "o"), ("a", "b", "c")), one_way=True)
    said = text.rules_in_words(replace(flips(), draft=draft))
    assert "  row1: flip a1 b1\n  t: (a1 b1 c1) ~a2\n" in said
    assert "(never undone)" in said
    assert "x <-> o, a -> b -> c -> a" in said
    assert "Cells: a1 b1 c1 / a2 b2 c2 / a3 b3 c3" in said


def test_long_lists_say_how_much_more_there_is():
    assert "and 10 more" in text.rules_in_words(flips(25, 25))


def test_goals_in_words():
    assert "Goal: 1 peg is left, in any hole." in text.rules_in_words(pegs())
    assert "No goal" in text.rules_in_words(blocks("AB/A."))
    count = Goal((-1,) * 9, ((1, 2),))
    assert "Goal: 2 cells show x." in text.rules_in_words(replace(flips(), goals=(count,)))


def test_open_goals_are_drawn_with_stars():
    puzzle = replace(flips(2, 2), goals=(Goal((1, 2, -1, -1)), Goal((-1, -1, -1, 1))))
    assert "start    goal     goal 2\no x      o x      * *\no o      * *      * o\n" in text.description(puzzle)
    said = text.rules_in_words(puzzle)
    assert "In the goal * stands for anything." in said
    assert "Reaching one goal is enough." in said


def test_open_goals_are_drawn_as_written_where_they_were():
    klotski = blocks("AA/AA/..")
    rows = (("*", "*"), ("A", "A"), ("A", "A"))
    written = replace(klotski, goals=(Goal((-1, -1, 2, 4, 4, 4)),), draft=Draft("slide", goals=(Drawing(rows),)))
    assert "start   goal\nAA      **\nAA      AA\n..      AA" in text.description(written)
    counted = replace(pegs(), draft=Draft("jump", goals=(CountGoal(None, 1),)))
    assert "goal\n" not in text.description(counted)


def table(counts, **fields):
    first = DepthTable(counts, "goal", "step", (), True, True, "plain", 9, 0.5)
    return replace(first, **fields)


def test_depth_table():
    assert text.depth_table(tiles(), table((1, 2, 1))) == (
        "tiles: moves to the goal (count: step)\n\n"
        "depth  new  total   share\n"
        "    0    1      1  25.00%\n"
        "    1    2      3  50.00%\n"
        "    2    1      4  25.00%\n\n"
        "4 positions, greatest depth 2, 1 hardest (plain, 0.50 s)"
    )
    stopped = text.depth_table(tiles(), table((1, 2), complete=False, exact=False, origin="start"))
    assert "moves from the start" in stopped
    assert "not complete: 3 positions found up to depth 1; counts are very probable" in stopped
    assert "0 positions" in text.depth_table(tiles(), table(()))


def test_hardest_positions_as_numbered_boards():
    puzzle = tiles("1 2 / 3 .")
    assert text.hardest(puzzle, table((1, 5), hardest=(puzzle.start,) * 2)) == (
        "hardest: 5 positions at depth 1 to the goal, the first 2\n\n1 2   1 2\n3 .   3 .\n1     2"
    )
    assert text.hardest(puzzle, table(())) == "no positions"


def test_listing_is_aligned_with_wide_titles():
    girl = replace(tiles(), name="klotski", titles=(("", "箱入り娘"),), known=(Known("states", 25955),))
    lines = text.listing([tiles(), girl], [("slide:WxH", "sliding tiles")]).split("\n")
    assert lines[0] == "name     title           rule   cells  known"
    assert lines[2] == "klotski  箱入り娘        slide      9  states 25,955"
    assert lines[-2:] == ["Families, by size:", "slide:WxH  sliding tiles"]
    assert text.listing([], []).startswith("name")


def test_component_table():
    found = Components(12, ((5, 2), (1, 2)), fixed=2, solvable=5, pieces=((3, 1), (2, 4)))
    shown = text.component_table(flips(), found, [SimpleNamespace(cells=(0, 2), sizes=((3, 1), (1, 1)))])
    assert "12 positions in 4 components" in shown
    assert "   5           2\n   1           2" in shown
    assert "can be solved: 5 (41.67%)" in shown
    assert "all ways to put the pieces together: 3 pieces in 1 state, 2 pieces in 4 states" in shown
    assert "  a1 c1: 1 of size 3, 1 of size 1" in shown


def test_claims_say_what_came_out():
    def claim(found):
        return SimpleNamespace(known=Known("depth", 30, source="article"), found=found, holds=found == 30)

    shown = text.claims(tiles(), [claim(30), claim(31), claim(None)])
    assert "1 of 3 known numbers confirmed" in shown
    assert [line.split()[0] for line in shown.split("\n")[3:]] == ["ok", "WRONG", "not"]
    assert "no known numbers" in text.claims(tiles(), [])


def test_grids_without_a_drawing_still_have_rows():
    assert board(replace(tiles(), board=grid([[True] * 9]))) == ["1 2 3 4 5 6 7 8 ."]
