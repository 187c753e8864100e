"""`rule: slide`: boards, blocks, interchangeable pieces, metrics, and every mistake with its place."""

import pytest

from puzzlespace.api import questions
from puzzlespace.errors import FormatError
from puzzlespace.model.rule import only
from texts import mistake, puzzle

EIGHT = """
    rule: slide
    start:
      8 6 7
      2 5 4
      3 . 1
    goal:
      1 2 3
      4 5 6
      7 8 .
"""

BULB = """
    rule: slide
    blocks: @
    start:
      @ @ O N
      O F F .
    goal:
      @ @ N O
      O F F .
"""

TWO_BLANKS = """
    rule: slide
    count: {count}
    start:
      A . .
      B C D
    goal:
      . . A
      B C D
"""

BOX = """
    rule: slide
    count: step
    blocks: {blocks}
    {more}
    start:
      ABBC
      ABBC
      DE..
    goal:
      ****
      *BB*
      *BB*
"""


GATED = """
    rule: slide
    count: step
    distinct: all
    blocks: {}
    {}
    start:
      A A . .
      B C . D
    goal:
      * * A A
      * * * *
"""
GATES = "gates: * * * A / * * B *"


@pytest.mark.parametrize("blocks", ["A", "D"])
def test_a_gate_keeps_all_pieces_out_but_one(blocks):
    free, gated = puzzle(GATED.format(blocks, "")), puzzle(GATED.format(blocks, GATES))
    model = free.model()
    allowed = [None, None, None, "A.", None, None, "B.", None]

    def fits(position):
        words = free.view.decode(position)
        return all(letters is None or word in letters for word, letters in zip(words, allowed, strict=True))

    found, layer = {model.start}, [model.start]
    while layer:
        layer = [child for position in layer for child in model.moves(position) if fits(child) and child not in found]
        found.update(layer)
    table = questions.depths(gated, origin="start", metric="step")
    assert table.states == len(found) < questions.depths(free, origin="start", metric="step").states


ROOMS = """
    rule: slide
    {}: A
    count: piece
    start:
      A B . # A C .
      . . D # . . .
    goal:
      * * A # * * A
      * * * # * * *
"""


def test_cells_that_stand_apart_are_one_rigid_piece():
    rooms = puzzle(ROOMS.format("apart"))
    assert rooms.view.pieces(rooms.start)[0] == (0, 3)
    answer = questions.solve(rooms, engine="plain")
    assert answer.moves == 3
    assert rooms.view.decode(answer.path[-1])[:6] == (".", ".", "A", ".", ".", "A")
    assert all(questions.solve(rooms, engine=name).moves == 3 for name in ("bidirectional", "frontier", "blocks"))
    with pytest.raises(FormatError, match="expected the block A in one piece, found it in 2"):
        puzzle(ROOMS.format("blocks"))


def test_tiles_have_one_rule_for_each_neighbour():
    eight = puzzle(EIGHT)
    assert len(eight.rules) == 24
    assert eight.symbols == 9
    assert eight.view.decode(bytes(range(9))) == (".", "1", "2", "3", "4", "5", "6", "7", "8")
    assert eight.start == bytes([8, 6, 7, 2, 5, 4, 3, 0, 1])
    assert eight.metrics == ("step", "run", "piece", "multi")


def test_a_rule_carries_whatever_piece_stands_there():
    rule = puzzle(EIGHT).rules[0]
    assert (rule.name, rule.cells, rule.need, rule.source) == ("right", (0, 1), (0b111111110, only(0)), (1, 0))


def test_like_pieces_share_a_symbol():
    colours = puzzle("rule: slide\nstart:\n  B B W\n  W . B\ngoal:\n  W B B\n  . W B")
    assert colours.symbols == 3
    assert sum(questions.depths(colours).counts) == 60


def test_a_block_puts_only_the_cells_that_change():
    bulb = puzzle(BULB)
    right = next(rule for rule in bulb.rules if rule.motion.shape > 0 and rule.name == "right")
    assert right.cells == (0, 1, 2)
    symbol = bulb.view.symbols["@"]
    assert right.need == (only(symbol), only(1), only(0))
    down = next(rule for rule in bulb.rules if rule.motion.shape > 0 and rule.name == "down")
    assert down.cells == (0, 1, 4, 5)
    assert bulb.model().reversible


def test_a_block_is_written_in_all_its_cells():
    bulb = puzzle(BULB)
    assert bulb.line(bulb.start) == "@ @ O N / O F F ."
    assert bulb.read("@ @ O N / O F F .") == bulb.start
    assert bulb.view.pieces(bulb.start)[0] == (0, 1)


def test_pieces_of_one_shape_are_put_together_unless_named():
    merged = puzzle(BOX.format(blocks="all", more=""))
    assert merged.view.letters == ((".",), (), ("A", "C"), ("B",), ("D", "E"))
    assert puzzle(BOX.format(blocks="all", more="distinct: all")).symbols == 7
    assert puzzle(BOX.format(blocks="all", more="distinct: D")).view.letters[-1] == ("E",)


def test_without_a_goal_letters_stay_apart():
    assert puzzle("rule: slide\ncount: step\nstart:\n  A B . .").symbols == 3
    assert puzzle("rule: slide\ncount: step\nstart:\n  A B . .\ngoal: start").symbols == 3


def test_open_cells_of_a_goal_meet_any_symbol():
    box = puzzle(BOX.format(blocks="A B C", more=""))
    symbol = box.view.symbols["B"]
    assert box.goals[0].need == (-1,) * 5 + (only(symbol), only(1), -1, -1, only(1), only(1), -1)


def test_only_listed_letters_are_blocks():
    text = "rule: slide\ncount: step\nblocks: A\nstart:\n  A A B B .\ngoal:\n  A A * * *"
    assert puzzle(text).view.letters == ((".",), (), ("A",), ("B",))


@pytest.mark.parametrize(("count", "moves"), [("step", 2), ("run", 1), ("piece", 1), ("multi", 2)])
def test_what_counts_as_one_move(count, moves):
    two = puzzle(TWO_BLANKS.format(count=count))
    assert two.metrics[0] == count
    assert set(two.metrics) == {"step", "run", "piece", "multi"}
    assert questions.solve(two).moves == moves


def test_bars_move_along_their_long_side_only():
    text = "rule: slide along\ncount: step\nblocks: all\nstart:\n  AAB\n  ..B\n  C..\ngoal:\n  ***\n  ***\n  C**"
    bars = puzzle(text)
    names = {(bars.view.letters[rule.motion.shape][0], rule.name) for rule in bars.rules if rule.motion.shape > 0}
    assert names == {("A", "right"), ("A", "left"), ("B", "up"), ("B", "down")}
    assert {rule.name for rule in bars.rules if rule.motion.shape < 0} == {"up", "down", "left", "right"}


def test_diagonals_are_ways_too():
    names = {rule.name for rule in puzzle("rule: slide\ndiagonals: yes\nstart:\n  A B\n  C .").rules}
    assert names >= {"up-left", "down-right"}


def test_fixed_symbols_stand_still():
    walls = puzzle("rule: slide\nfixed: X\nstart:\n  A X B\n  C . D\ngoal:\n  A X B\n  . C D")
    assert questions.solve(walls).moves == 1
    assert all(1 not in rule.cells for rule in walls.rules)
    assert sum(questions.depths(walls).counts) == 5


def test_a_position_with_a_wall_elsewhere_is_refused():
    walls = puzzle("rule: slide\nfixed: X\nstart:\n  A X B\n  C . D\ngoal:\n  A X B\n  . C D")
    with pytest.raises(Exception, match="expected fixed symbols where the start has them, found 'X' here"):
        walls.read("X A B / C . D")


def test_a_goal_may_leave_a_wall_open():
    walls = puzzle("rule: slide\nfixed: X\nstart:\n  A X B\n  C . D\ngoal:\n  * * *\n  . C D")
    assert questions.solve(walls).moves == 1


def test_links_are_plain_neighbours():
    star = puzzle("rule: slide\nboard:\n  a b c d\nlinks:\n  a: b c d\nstart:\n  . 1 2 3\ngoal:\n  . 2 1 3")
    assert len(star.rules) == 6
    assert {rule.motion.direction for rule in star.rules} == {""}
    assert questions.solve(star).status.value == "impossible"


def test_lines_give_directions_on_any_board():
    line = puzzle("rule: slide\nboard:\n  a b c\nlines: a-b-c\nstart:\n  1 2 .\ngoal:\n  1 . 2")
    assert {rule.motion.direction for rule in line.rules} == {"0+", "0-"}


def test_known_boards_and_names_on_a_grid():
    assert puzzle("rule: slide\nboard: hex 2\nstart:\n  1 2\n  3 . 4\n  5 6").board.cells == 7
    assert puzzle("rule: slide\nboard:\n  p q\n  r #\nstart:\n  1 2\n  . #").board.names == ("p", "q", "r")


def test_the_goal_may_be_the_start_or_several_drawings():
    assert puzzle("rule: slide\nstart:\n  1 2 .\ngoal: start").goals[0].position == bytes([1, 2, 0])
    assert len(puzzle("rule: slide\nstart:\n  1 2 .\ngoal:\n  1 . 2\ngoal 2:\n  . 1 2").goals) == 2


def test_a_goal_alone_is_enough():
    free = puzzle("rule: slide\ngoal:\n  1 2\n  3 .")
    assert free.start is None
    assert sum(questions.depths(free).counts) == 12


NO_DRAWING = "test.pzl:1:7: start: expected a drawing of the start or the goal, found none"
MISTAKES = {
    "rule: slide\nstart:\n  1 2 3\n  4 5\ngoal: start": "test.pzl:4:5: expected 3 places in row 2 as in row 1, found 2",
    "rule: slide\nstart:\n  1 2\n  3 4 .": "test.pzl:4:7: expected 2 places in row 2 as in row 1, found 3",
    "rule: slide\nstart:\n  1 2\n  3 .\ngoal:\n  1 2\n  3 . .": "test.pzl:7:7: expected 2 places in row 2, found 3",
    "rule: slide\nstart:\n  1 2\n  3 .\ngoal:\n  1 2": "test.pzl:6:3: expected 2 rows, found 1",
    "rule: slide\nstart:\n  1 2\n  3 .\ngoal:\n  1 2\n  Q .": (
        "test.pzl:7:3: expected one of the symbols . 1 2 3, found 'Q'"
    ),
    "rule: slide\nstart:\n  1 1\n  2 .\ngoal:\n  1 2\n  2 .": (
        "test.pzl:6:3: expected '1' as often in the goal as in the start, "
        "found it 2 times in the start and 1 times in the goal"
    ),
    "rule: slide\nstart:\n  1 2\n  3 4": "test.pzl:3:3: expected at least one blank '.' to slide into, found none",
    "rule: slide\nstart:\n  1 2\n  * .": (
        "test.pzl:4:3: expected a symbol in the start, found '*' (only goals may leave cells open)"
    ),
    "rule: slide\nstart:\n  1 # 2\n  3 . 4\ngoal:\n  1 2 4\n  3 . #": (
        "test.pzl:6:5: expected '#' (no cell here), found '2'"
    ),
    "rule: slide\nblocks: A\nstart:\n  A B\n  B A\n  . .": (
        "test.pzl:5:5: expected the block A in one piece, found it in 2"
    ),
    "rule: slide\nblocks: A\nstart:\n  A A\n  B .\ngoal:\n  A B\n  A .": (
        "test.pzl:7:3: expected the block A once and in its own shape, found another shape"
    ),
    "rule: slide\nblocks: A\nstart:\n  A A\n  B .\ngoal:\n  A *\n  * *": (
        "test.pzl:7:3: expected the block A once and in its own shape, found another shape"
    ),
    "rule: slide\nblocks: A\nstart:\n  A A B .\ngoal:\n  A B A .": (
        "test.pzl:6:7: expected the block A in one piece, found it in 2"
    ),
    "rule: slide\nblocks: Q\nstart:\n  A A\n  B .": (
        "test.pzl:2:9: blocks: expected one of the symbols . A B, found 'Q'"
    ),
    "rule: slide\nfixed: Q\nstart:\n  A .": "test.pzl:2:8: fixed: expected one of the symbols . A, found 'Q'",
    "rule: slide\ndistinct: Q\nstart:\n  A .": "test.pzl:2:11: distinct: expected one of the symbols . A, found 'Q'",
    "rule: slide\nblocks: A\nboard: hex 2\nstart:\n  A A\n  1 . 2\n  3 4": (
        "test.pzl:2:9: blocks: expected a grid to lie on, found a board of lines or links"
    ),
    "rule: slide\nboard:\n  a b\nlines: a-q\nstart:\n  1 .": "test.pzl:4:10: expected the name of a cell, found 'q'",
    "rule: slide\nboard:\n  a b\nlinks:\n  a: q\nstart:\n  1 .": "test.pzl:5:6: expected the name of a cell, found 'q'",
    "rule: slide\nboard:\n  a b\n  a c\nstart:\n  1 .\n  2 3": (
        "test.pzl:4:3: expected every cell once on the board, found 'a' 2 times"
    ),
    "rule: slide\nboard:\n  a b\nlines: a-b-b\nstart:\n  1 .": (
        "test.pzl:4:12: expected another cell after 'b', found it again"
    ),
    "rule: slide\nboard:\n  a b\nlines: a-b\nlinks:\n  a: b\nstart:\n  1 .": (
        "test.pzl:6:3: expected either lines or links, found both"
    ),
    "rule: slide\nstart:\n  1 . .": (
        "test.pzl:1:7: count: must say what one move is: step, run or piece (they differ for this puzzle)"
    ),
    "rule: slide\ncount: chain\nstart:\n  1 . .": (
        "test.pzl:2:8: count: expected one of step, run, piece, multi for rule slide, found 'chain'"
    ),
    "rule: slide\ncount: multi\nblocks: A\nstart:\n  A A .": (
        "test.pzl:2:8: count: expected one of step, run, piece for rule slide, found 'multi'"
    ),
    "rule: slide\nboard: hex 2\nstart:\n  # #\n  1 . 2\n  3 4": "test.pzl:4:3: expected 2 places in row 1, found 0",
    "rule: slide\ngoal: start\nboard: grid 2x2": NO_DRAWING,
    "rule: slide\ngoal: start": (
        "test.pzl:1:7: start: expected a drawing of the start, the goal or the board, found none"
    ),
    "rule: slide\nstart:\n  1 .\ngoal: any one peg": (
        "test.pzl:4:7: goal: expected a drawing, found 'any one peg' in a puzzle without jumps"
    ),
    "rule: slide\nstart:\n  1 .\ngoal: count Q = 1": "test.pzl:4:13: goal: expected one of the symbols . 1, found 'Q'",
    "rule: slide\nstart:\n  1 .\nswap: 1 <-> 2": "test.pzl:4:7: swap: has no meaning for rule slide",
    "rule: slide\nstart:\n  1 .\ngates:\n  * Q": "test.pzl:5:5: gates: expected one of the symbols * 1, found 'Q'",
    "rule: slide\nstart:\n  1 .\ngates:\n  * .": "test.pzl:5:5: gates: expected one of the symbols * 1, found '.'",
    "rule: slide\nstart:\n  1 2 .\ngates:\n  * 1 *": "test.pzl:3:5: expected 1 or nothing on its gate, found '2'",
    "rule: slide\nstart:\n  1 2 .\ngoal:\n  * * 2\ngates:\n  * * 1": (
        "test.pzl:5:7: expected 1 or nothing on its gate, found '2'"
    ),
    "rule: slide\nstart:\n  1 .\ngates:\n  * 1 *": "test.pzl:5:7: expected 2 places in row 1, found 3",
    "rule: slide\nstart:\n  1 .\npicture:\n  Q: glyph x": (
        "test.pzl:5:3: picture: expected one of the symbols . 1, found 'Q'"
    ),
    "rule: slide\nstart:\n  1 .\nknown: depth 1 in chain ; me": (
        "test.pzl:4:19: known: expected one of the metrics step, run, piece, multi, found 'chain'"
    ),
}


@pytest.mark.parametrize("text", MISTAKES)
def test_mistakes_say_where_and_what(text):
    assert mistake(text) == MISTAKES[text]
