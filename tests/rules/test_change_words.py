"""`rule: change`: sums, images, words of the pattern in conditions, directions that depend on the position, bodies."""

import pytest

from texts import mistake, puzzle

pytestmark = pytest.mark.filterwarnings("ignore::puzzlespace.errors.PuzzleWarning")
KINDS = "kinds:\n  digit = 1 2 3\n  turned = 2 3 1\n  two = 1 2\n  mixed = 1 A\n"


def change(moves, start, more=KINDS):
    rows = "".join(f"\n  {move}" for move in moves.split("\n"))
    return puzzle(f"rule: change\n{more}moves:{rows}\nstart: {start}")


def reached(moves, start, more=KINDS):
    """The positions one move away, each with the name of the move."""
    made = change(moves, start, more)
    return {
        "".join(made.view.decode(child)): made.model().rules[number].name
        for number, child in made.model().steps(made.start)
    }


def wrong(moves, start="1 2 . A", more=KINDS):
    rows = "".join(f"\n  {move}" for move in moves.split("\n"))
    return mistake(f"rule: change\n{more}moves:{rows}\nstart: {start}")


def test_numbers_are_added_after_the_arrow():
    assert reached("digit digit -> . digit+1  row", "1 1 2 . 2 2") == {".22.22": "a1-b1", "2.2.22": "b1-a1",
                                                                      "112..3": "e1-f1", "112.3.": "f1-e1"}  # fmt: skip
    assert reached("digit1 digit2 -> . digit1+digit2  right", "1 2 . 2 2") == {".3.22": "a1-b1"}
    assert reached("digit . -> . 4-digit  right", "1 . 3 .") == {".33.": "a1-b1", "1..1": "c1-d1"}
    assert reached("digit . -> . digit-1  right", "1 . 2 .") == {"1..1": "c1-d1"}


def test_a_sum_of_named_cells_and_patterns_stays_in_its_range():
    more = KINDS + "also: hand = 1\nnumbers: hand 0-3\n"
    made = change("digit, hand two -> ., digit+two", "1 2 3", more)
    assert {"".join(made.view.decode(child)) for _, child in made.model().steps(made.start)} == {".232", "1.33"}


def test_an_image_is_the_symbol_at_the_same_place_of_another_kind():
    assert reached("digit . -> . turned(digit)  right", "1 . 3 .") == {".23.": "a1-b1", "1..1": "c1-d1"}
    more = KINDS + "also: turn = 3\n"
    assert {*reached("turn digit -> turned(digit)", "A .", more)} == {"A.1"}


def test_what_is_computed_from_one_cell_is_one_rule():
    assert len(change("digit . -> . turned(digit)  right", "1 .").rules) == 1
    assert len(change("digit1 digit2 -> . digit1+digit2  right", "1 2").rules) == 3


def test_words_of_the_pattern_in_conditions():
    assert {*reached("digit1 digit2 -> digit2 digit1  right  if digit1 > digit2", "1 3 2")} == {"123"}
    assert {*reached("digit1, digit2 -> ., .  if digit1 + digit2 = 4", "1 3 2 A")} == {"..2A"}
    assert {*reached("digit1 A -> . A  row  if digit1 != a1", "1 A 2")} == {"1A."}


def test_distance_is_the_number_of_steps():
    assert {*reached("digit1 ... . -> . ... digit1  row  if digit1 = distance", "2 . . 1 .")} == {
        "..21.",
        "2.1..",
        "2...1",
    }
    assert {*reached("A *... . -> . *... A  right  if distance >= 2", "A 1 . .")} == {".1A.", ".1.A"}
    assert {*reached("A ... . -> . ... A  right  if distance = 2", "A . . .")} == {"..A."}


def test_towards_is_where_something_lies_ahead():
    row = "A . -> . A  {} towards 1"
    assert {*reached(row.format("row"), ". A . . 1")} == {"..A.1"}
    assert {*reached(row.format("straight"), ". . 1 / . A . / . . .")} == {".A1......", "..1..A..."}
    assert {*reached(row.format("around"), ". . 1 / . A . / . . .")} == {".A1......", "..1..A..."}
    assert {*reached(row.format("diagonal"), ". . . 1 / . A . . / . . . .")} == {"..A1........"}
    assert {*reached("A . -> . A  row towards c1", ". A . 1")} == {"..A1"}
    assert {*reached("A . -> . A  row towards digit", "2 . A . 2")} == {"2A..2", "2..A2"}


def test_facing_is_the_direction_that_a_cell_shows():
    more = KINDS + "also: heading = left\n"
    rows = "A . -> . A  facing heading\nheading left <-> right"
    assert {*reached(rows, ". A .", more)} == {"A..left", ".A.right"}


def test_along_is_the_sense_of_the_lines():
    board = KINDS + "board: a b c d\nlines: a-b-c-d-a\n"
    assert {*reached("A . -> . A  along", "A . . .", board)} == {".A.."}
    assert {*reached("A . -> . A  along", ". . . A", board)} == {"A..."}
    assert {*reached("A . -> . A  line", "A . . .", board)} == {".A..", "...A"}


def test_a_body_moves_as_a_whole():
    assert {*reached("{A} . -> . {A}  straight", "A A . / A . . / . . .")} == {".AA.A....", "...AA.A.."}
    assert {*reached("{digit} . -> . {digit}  row", "1 1 . 2 2 .")} == {".1122.", "1122..", "11..22"}
    assert {*reached("{A} * . -> . * {A}  row", "A 1 . A 1 .")} == {".1A.1A"}
    assert reached("{A} . <-> . {A}  right", ". A A") == {"AA.": "b1-a1"}


def test_cells_of_one_body_are_no_obstacle_for_each_other():
    assert {*reached("{A} . . -> . . {A}  right", "A . A . . 1")} == {"..A.A1"}
    assert reached("{A} . . -> . . {A}  right", "A 1 A . .") == {}


ERRORS = {
    "digit digit+1 -> . digit  row": "9:9: expected 'digit+1' after the arrow only, found it before",
    "digit . <-> . digit+1  row": "9:17: expected 'digit+1' after the arrow only, found it before",
    "digit . -> . dogit+1  row": "9:16: expected a kind, found 'dogit'",
    "digit . -> . two+1  row": "9:16: expected words that are before the arrow in 'two+1', found 'two'",
    "mixed . -> . mixed+1  row": "9:16: expected a kind of numbers in a sum, found 'mixed', which has 'A'",
    "digit . -> . two(digit)  row": "9:16: expected 3 symbols in 'two', as 'digit' has, found 2",
    "digit . -> . turned(digt)  row": "9:23: expected a kind, found 'digt'",
    "digit . -> . any(digit)  row": "9:16: expected a kind whose symbols are listed in an order, found 'any'",
    "digit . -> . 1+2  row": "9:16: expected a kind in a sum, found numbers only: '1+2'",
    "digit . -> . digit+  row": "9:16: expected a sum such as 'tile+1', found 'digit+'",
    "digit . -> . digit  row if digit1 = 2": "9:30: expected a sentence, found 'digit1'",
    "a1 digit -> 1  if distance = 1": "9:21: expected a pattern along a line for 'distance', found none",
    "A . -> . A  row towards": "9:19: expected a symbol, a kind, a place or a cell after 'towards', found none",
    "A . -> . A  row towards Q": "9:27: expected a symbol, a kind, a place or a cell after 'towards', found 'Q'",
    "A . -> . A  towards A": "9:12: expected a direction (right",
    "A . -> . A  path towards A": "9:28: expected directions of a grid before 'towards', found others or none",
    "A . <-> . A  row towards A": "9:7: expected '->' beside 'towards', found '<->'",
    "A . -> . A  row towards A towards A": "9:19: expected 'towards' once in a row, found it again",
    "a1 1 -> 2  towards A": "9:22: expected no direction for named cells, found 'A'",
    "A . -> . A  facing h": "9:22: expected a cell after 'facing', found 'h'",
    "A . -> . A  row facing a1": "9:15: expected no direction beside 'facing', found 'row'",
    "A . -> . A  facing a1": "9:22: expected a cell that can show a direction (right",
    "A . -> . A  along": "9:15: expected a board with lines: for 'along', found one without",
    "{A} . -> . A  row": "9:3: expected one body in one row, the same before and after the arrow",
    "{A} . -> {A} .  row": "9:3: expected the body at another place after the arrow, found it at the same",
    "{A} 1 -> 1 {A}  row": "9:12: expected . here beside a body",
    "{A} . -> . {A}  path": "9:3: expected a direction of a grid for a body, found another one",
    "{Q} . -> . {Q}  row": "9:3: expected a body that the start shows, found '{Q}'",
    "{A} . -> . {A}  row\nA -> .": "10:3: expected 'A' to move as a body only, since it is one in another row, ",
    "a1 1 -> 2  if see {A} . row": "9:21: expected a body in moves only, found '{A}' in a sentence",
}


@pytest.mark.parametrize("row", ERRORS)
def test_a_wrong_row_is_shown_with_its_place(row):
    line, column, text = ERRORS[row].split(":", 2)
    assert wrong(row).startswith(f"test.pzl:{int(line) - 1}:{column}:{text}")


def test_names_with_two_meanings_are_asked_about():
    more = KINDS + "board: digit1 b\n"
    assert "it is the cell 'digit1' and what the pattern has" in wrong(
        "digit1 . -> . digit1  path if digit1 = 1", "1 .", more + "lines: digit1-b\n"
    )
