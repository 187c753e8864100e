"""`rule: change`: rows of what is before and after, as rules; each error with its place."""

import pickle
import re

import pytest

import puzzlespace
from puzzlespace import catalogue
from puzzlespace.api.loader import from_text
from puzzlespace.errors import EndlessError, FormatError, Word
from puzzlespace.formats.pzl import parse
from puzzlespace.formats.pzl_write import print_draft
from puzzlespace.model.sentence import Shows
from puzzlespace.render.tables import component_table
from puzzlespace.rules.change.effects import apart
from puzzlespace.rules.change.patterns import fitting
from puzzlespace.rules.change.scope import ANY, Scope
from texts import mistake, puzzle

CLASSICS = catalogue.names("classics")
LARGE = ("foreaft", "chessmixed", "pennies")
"""These take some seconds; `check` of the whole catalogue computes them, too."""


def change(moves, start="@ . .", more=""):
    """A puzzle of one row of cells."""
    rows = "".join(f"\n  {move}" for move in moves.split("\n"))
    return puzzle(f"rule: change\n{more}moves:{rows}\nstart: {start}")


def reached(moves, start, more=""):
    """The moves from the start: names and positions."""
    made = change(moves, start, more)
    model = made.model()
    return {made.line(child): model.rules[number].name for number, child in model.steps(made.start)}


def wrong(moves, start="@ . .", more="", goal=""):
    rows = "".join(f"\n  {move}" for move in moves.split("\n"))
    return mistake(f"rule: change\n{more}moves:{rows}\nstart: {start}{goal}")


@pytest.mark.parametrize("name", [name for name in CLASSICS if name not in LARGE])
def test_a_known_puzzle_has_its_known_numbers(name):
    found = puzzlespace.load(name)
    assert [each.text for each in found.diagnostics if each.severity == "warning"] == []
    numbers = {known.what: known.value for known in found.known}
    table = puzzlespace.depths(found, origin="start", cache="off", keep=0)
    assert sum(table.counts) == numbers["states"]
    assert len(table.counts) - 1 == numbers["depth"]
    assert table.counts[-1] == numbers["hardest"]
    assert puzzlespace.solve(found, cache="off").moves == numbers.get("solution")


@pytest.mark.parametrize("name", CLASSICS)
def test_a_file_is_written_and_read_again(name):
    draft = parse(catalogue.text(name), f"{name}.pzl")
    written = print_draft(draft)
    assert parse(written, "again.pzl") == draft
    assert print_draft(parse(written, "again.pzl")) == written


@pytest.mark.parametrize("name", CLASSICS)
def test_a_written_file_is_the_same_puzzle(name):
    found = puzzlespace.load(name)
    again = from_text(print_draft(found.draft), f"{name}.pzl")
    assert again.rules == found.rules
    assert (again.start, again.goals, again.laws, again.automatic) == (
        found.start, found.goals, found.laws, found.automatic
    )  # fmt: skip


# patterns


def test_a_row_is_made_in_its_direction_only():
    assert reached("@ . -> . @  right", ". @ .") == {". . @": "b1-c1"}
    assert reached("@ . -> . @  row", ". @ .") == {". . @": "b1-c1", "@ . .": "b1-a1"}


def test_a_kind_carries_its_symbol_in_one_rule():
    found = change("any . -> . any  right", "A B .")
    assert len(found.rules) == 2
    assert reached("any . -> . any  right", "A B .") == {"A . B": "b1-c1"}


def test_a_kind_twice_is_the_same_symbol_and_numbers_make_it_differ():
    kinds = "kinds:\n  car = A B\n"
    assert reached("car car -> . .  right", "A A B", kinds) == {". . B": "a1-b1"}
    assert reached("car1 car2 -> car2 car1  right", "A B B", kinds) == {"B A B": "a1-b1"}


def test_a_kind_after_the_arrow_alone_is_each_of_its_symbols():
    found = reached("paint: . -> colour", ". A", "kinds:\n  colour = A B\n")
    assert found == {"A A": "paint a1 A", "B A": "paint a1 B"}


def test_a_kind_may_be_all_symbols_but_some_and_be_made_of_kinds():
    kinds = "kinds:\n  light = A B\n  solid = not light .\n"
    assert reached("solid . -> . solid  right", "C . A .", kinds) == {". C A .": "a1-b1"}


def test_anything_stays_as_it_was():
    assert reached("@ * . -> . * @  right", "@ A . @ . .") == {". A @ @ . .": "a1-c1", "@ A . . . @": "d1-f1"}


def test_dots_are_any_number_of_blank_cells():
    found = reached("R ... . -> . ... R  right", "R . . A .")
    assert found == {". R . A .": "a1-b1", ". . R A .": "a1-c1"}


def test_a_train_keeps_its_order():
    kinds = "kinds:\n  car = A B C\n"
    assert reached("E car... . -> . E car...  right", "E A B . C", kinds) == {". E A B C": "a1-d1"}
    found = reached("car... E . -> . car... E  right", "A B E . .", kinds)
    assert found == {". A B E .": "a1-d1", "A . B E .": "b1-d1", "A B . E .": "c1-d1"}


def test_repeated_words_may_be_cleared():
    assert reached("E any... edge -> E ... edge  right", "A E B C") == {"A E . .": "b1-d1"}


def test_edge_is_the_end_of_a_line_and_stop_also_a_piece():
    assert reached("@ ... . edge -> . ... @ edge  row", ". @ .") == {". . @": "b1-c1", "@ . .": "b1-a1"}
    assert reached("@ ... . stop -> . ... @ stop  right", "@ . . A .") == {". . @ A .": "a1-c1"}
    assert reached("stop @ . -> stop . @  right", "@ . @ . A @ .") == {
        ". @ @ . A @ .": "a1-b1",
        "@ . @ . A . @": "f1-g1",
    }


def test_rows_of_a_pattern_lie_on_its_right_hand_side():
    two = "rule: change\nmoves:\n  V . / V . -> . V / . V  {}\nstart:\n  {}"
    for direction, start, after in (
        ("right", "V.\n  V.", ".V/.V"), ("left", ".V\n  .V", "V./V."),
        ("down", "VV\n  ..", "../VV"), ("up", "..\n  VV", "VV/.."),
    ):  # fmt: skip
        found = puzzle(two.format(direction, start))
        assert [found.line(child) for _, child in found.model().steps(found.start)] == [after], direction
    lopsided = puzzle("rule: change\nmoves:\n  o * / o o -> . * / . .  right\nstart:\n  oo.\n  ooo")
    assert {lopsided.line(child) for _, child in lopsided.model().steps(lopsided.start)} == {".o./..o", "o../o.."}


def test_patterns_between_commas_are_in_different_cells():
    kinds = "kinds:\n  coin = A B\n"
    assert reached("coin1 coin2, . . -> . ., coin1 coin2  right", "A B . .", kinds) == {". . A B": "a1-b1 c1-d1"}
    assert len(reached("o, . -> ., o", "o . . o")) == 4


def test_a_pattern_on_a_place():
    places = "places:\n  x = b1 c1\n"
    assert reached("@[x] . -> . @  row", "@ . .", places) == {}
    assert reached("@[x] . <-> . @  row", "@ . .", places) == {". @ .": "a1-b1"}
    assert reached("@ ... .[x] -> . ... @  right", "@ . . .", places).keys() == {". @ . .", ". . @ ."}


def test_letters_of_the_ground_are_places():
    found = puzzle("rule: change\nmoves:\n  @[x] -> .\nground:\n  .x\n  x.\nstart:\n  @@\n  @@")
    assert {found.line(child) for _, child in found.model().steps(found.start)} == {"@./@@", "@@/.@"}


def test_walls_between_cells_stop_patterns():
    ground = "ground:\n  +-+-+-+\n  |.|. .|\n  +-+-+-+\n"
    assert reached("@ . -> . @  row", "@ . .", ground) == {}
    assert reached("@ ... . edge -> . ... @ edge  row", ". . @", ground) == {". @ .": "c1-b1"}
    assert "beside walls" in wrong("@ . -> . @  diagonal", "@ . .", ground)


def test_lines_links_and_paths():
    lines = "board:\n  a b c\n  d e f\nlines: a-b-f\n"
    two = "rule: change\n{}moves:\n  @ * . -> . * @  line\nstart:\n  @ . .\n  . . ."
    found = puzzle(two.format(lines))
    assert [rule.name for rule in found.rules] == ["a-f", "f-a"]
    path = puzzle("rule: change\nmoves:\n  @ * . -> . * @  path\nstart:\n  @.\n  ..")
    assert [path.line(child) for _, child in path.model().steps(path.start)] == ["../.@"]
    links = puzzle(two.format("board:\n  a b c\n  d e f\nlinks:\n  a: b\n  b: f\n").replace(" * ", " "))
    assert {rule.name for rule in links.rules} == {"a-b", "b-a", "b-f", "f-b"}


def test_a_knight_leaps():
    found = puzzle("rule: change\nmoves:\n  N . -> . N  knight\nstart:\n  N..\n  ...\n  ...")
    assert {found.line(child) for _, child in found.model().steps(found.start)} == {".../..N/...", ".../.../.N."}


def test_equal_effects_are_one_rule():
    assert len(change("@ . <-> . @  row", "@ .").rules) == 2
    assert len(change("@ . -> . @  right\nagain: @ . -> . @  right", "@ .").rules) == 1


# named cells and numbers

PEOPLE = "board: boat a b c\nplaces:\n  person = a b c\n"


def test_named_cells_and_places():
    found = reached("cross: boat person L <-> R", "L L R L", PEOPLE)
    assert found == {"R R R L": "cross a", "R L R R": "cross c"}
    found = reached("boat person1 person2 L <-> R", "L L R L", PEOPLE)
    assert found == {"R R R R": "boat a c"}
    assert reached("a 1, b 2 -> 2, 1", "1 2", "board: a b\n") == {"2 1": "a b"}
    assert reached("a -> 2", "1 2", "board: a b\n") == {"2 2": "a"}
    assert reached("a -> b", "1 2", "board: a b\n") == {"2 2": "a b"}


def test_numbers_are_added_within_their_range():
    numbers = "board: a b\nnumbers: a 0-8, b 0-3\n"
    assert reached("a -> + 2", "6 0", numbers) == {"8 0": "a"}
    assert reached("a -> + 2", "7 0", numbers) == {}
    assert reached("b 3 -> - 1", "6 3", numbers) == {"6 2": "b"}
    assert reached("both: a, b -> a + b, 0", "5 3", numbers) == {"8 0": "both"}
    assert reached("both: a, b -> a + b, 0", "6 3", numbers) == {}
    assert reached("b -> a - 3", "5 3", numbers) == {"5 2": "b a"}
    made = change("b -> 9 - a", "7 3", numbers)
    assert [made.line(child) for _, child in made.model().steps(made.start)] == ["7 2"]
    assert "9" not in made.view.symbols


def test_pouring_is_as_much_as_fits():
    numbers = "board: a b c\nnumbers: all 0-5, b 0-2\n"
    found = reached("pour: pour any into any", "4 1 0", numbers)
    assert found == {
        "3 2 0": "pour a b", "0 1 4": "pour a c", "5 0 0": "pour b a", "4 0 1": "pour b c",
    }  # fmt: skip
    assert reached("pour a into b", "4 2 0", numbers) == {}


def test_cells_beside_the_board():
    found = change("@ ., turn white -> . @, black  right", "@ . .", "also: turn = white\n")
    assert found.line(found.start) == "@ . . / white # #"
    assert [found.line(child) for _, child in found.model().steps(found.start)] == [". @ . / black # #"]
    assert found.read("@ . .") == found.start
    assert found.read(". . @ / black # #") != found.start
    assert found.pattern(". . @").holds(found.read(". . @ / black # #"))


def test_the_symbols_are_those_of_all_keys():
    found = change("@ o -> . O  right", "@ o", "kinds:\n  k = K\nswap: x <-> y\n")
    assert {letter for letters in found.view.letters for letter in letters} == {*"@o.OKxy"}


# costs, and what happens by itself


def test_costs_are_a_metric_of_their_own():
    weights = PEOPLE + "weights: a 5, b 3\ncount: cost\n"
    found = change("go: boat L <-> R  cost 4\ncross: boat person1 person2 L <-> R  cost sum", "L L L L", weights)
    model = found.model()
    costs = {rule.name: cost for rule, cost in zip(model.rules, model.metric.costs, strict=True)}
    assert costs == {"go": 4, "cross a b": 8, "cross a c": 5, "cross b c": 3}
    assert found.metrics == ("cost", "step")
    assert found.model("step").metric.single
    assert change("@ -> .").metrics == ("step",)


FALL = """
    rule: change
    moves:
      @ . -> . @  row
    after:
      fall: @ . -> . @  down
      A . -> . B  right  once
    start:
      @.A.
      ....
"""


def test_what_happens_by_itself_is_in_the_model_in_stages():
    found = puzzle(FALL)
    metric = found.model().metric
    assert [stage.once for stage in metric.automatic] == [False, True]
    assert [found.rules[number].name for number in metric.automatic[0].rules] == [
        "fall a1-a2", "fall b1-b2", "fall c1-c2", "fall d1-d2"
    ]  # fmt: skip
    assert metric.lawful


def test_it_happens_before_the_first_move_with_a_note():
    found = puzzle(FALL)
    assert found.line(found.start) == "..A./@..."  # a row with `once` is made only after moves
    assert [each.code for each in found.diagnostics] == ["start-settles"]


def test_a_loop_from_the_start_is_an_error():
    text = "rule: change\nmoves:\n  @ . -> . @  row\nafter:\n  A -> B\n  B -> A\nstart: @ . A"
    assert re.search(r"found a loop: @\.(A -> @\.B|B -> @\.A)", mistake(text))


def test_the_same_piece_goes_on_within_a_move():
    found = change("o o . -> . o o  right  again\no . -> . o  right", "o o . o . .").model()
    ends = {bytes(position) for position in found.moves(found.start)}
    words = change("o . -> . o  right", "o o . o . .")
    assert {words.line(position) for position in ends} == {". o o o . .", ". o . o o .", "o . o o . .", "o o . . o ."}


@pytest.mark.parametrize(
    ("row", "found"),
    [
        ("A . . -> . A A  row  again", "the first piece of a row with 'again' goes, found several"),
        ("A B -> B B  row  again", "the first piece of a row with 'again' goes, found none"),
        ("(a1 b1 c1)  again", "expected no 'again' after a listed move, found one"),
    ],
)  # fmt: skip
def test_which_piece_goes_on_is_said_or_refused(row, found):
    assert found in wrong(row, "A B . .")


def test_of_equal_moves_the_one_that_may_go_on_counts():
    rows = "o o . -> . o o  right\no o . -> . o o  right  again"
    assert change(rows, "o o . o .").model().moves(change(rows, "o o . o .").start).keys() == (
        change(rows.split("\n")[1], "o o . o .").model().moves(change(rows, "o o . o .").start).keys()
    )


def test_going_on_has_no_meaning_beside_what_happens_by_itself():
    text = "rule: change\nmoves:\n  A A . -> . A A  row  again\nforbid:\n  no A\nstart: A A ."
    assert mistake(text) == "test.pzl:3:3: expected no 'again' beside forbid, found one"


def test_waiting_is_a_move_only_if_something_happens_by_itself():
    more = "after:\n  A . -> . A  right  once\n"
    assert len(change("wait: @ -> @\n@ . -> . @  row", "@ . A .", more).rules) == 4 + 6 + 3
    assert len(change("wait: @ -> @\n@ . -> . @  row", "@ . A .").rules) == 6


def test_conditions_and_forbidden_positions():
    assert reached("a 0 <-> 1  if b = 1", "0 1", "board: a b\n") == {"1 1": "a"}
    assert reached("a 0 <-> 1  if b = 1", "0 0", "board: a b\n") == {}
    assert reached("turn: (a b)  if a = 1", "0 1", "board: a b\n") == {}
    found = change("a 0 <-> 1", "0 1", "board: a b\nforbid:\n  both: a = b\n")
    assert [law.name for law in found.model().metric.laws] == ["both"]


def test_cases_of_conditions_exclude_each_other():
    cases = [{0: 0b11, 1: 0b01}, {0: 0b01}, {1: 0b10}]
    found = apart(cases, 0b111)
    for one in range(3):
        for other in range(3):
            position = (one, other)
            met = [all(need >> position[cell] & 1 for cell, need in case.items()) for case in found]
            wanted = any(all(Shows(cell, need).holds(bytes(position)) for cell, need in case.items()) for case in cases)
            assert sum(met) == wanted


def test_listed_moves_are_made_in_one_sense():
    found = reached("turn: (a b c)\nlight: ~a", "1 2 3", "board: a b c\nswap: 1 -> 2 -> 3 -> 1\n")
    assert found == {"3 1 2": "turn", "2 2 3": "light"}


def test_placements_of_a_pattern():
    board = puzzle("rule: change\nmoves:\n  A -> B\nstart: A B . .").board
    scope = Scope(board, ("A", "B", "."), {ANY: 0b011}, start=b"\0\1\2\2")
    assert [*fitting((Word("A"), Word("..."), Word("B")), (Word("right"),), scope)] == [
        {0: 1, 1: 2}, {1: 1, 2: 2}, {2: 1, 3: 2}, {0: 1, 1: 4, 2: 2}, {1: 1, 2: 4, 3: 2}, {0: 1, 1: 4, 2: 4, 3: 2},
    ]  # fmt: skip
    assert len([*fitting((Word("any"), Word("any")), (Word("right"),), scope)]) == 3 * 2


# errors and warnings

ERRORS = {
    "@ . . @": "3:3: expected '->' or '<->' between what is before and what is after, found none",
    "@ . -> . @": "3:12: expected a direction (right, left, up, down, ",
    "@ . -> . @ rihgt": "3:14: expected a direction (right, left, up, down, ",
    "@ . -> .  right": "3:13: expected 2 words after the arrow as before it, and then a direction, found 1",
    "@ creat . -> . @ crate  right": "3:5: expected a symbol, a kind, or one of any, *, edge, stop, found 'creat'",
    "@ . -> . @ -> @  right": "3:14: expected one arrow in a row, found '->' again",
    "-> @ .  right": "3:3: expected a pattern before the arrow, found none",
    "@ . ->": "3:7: expected a pattern after the arrow, found none",
    "@, . -> .  right": "3:8: expected 2 patterns after the arrow, as before it, found 1",
    ", @ -> .": "3:3: expected a pattern before ',', found none",
    "@, -> .": "3:4: expected a pattern after ',', found none",
    "@ ... -> . .  right": "3:5: expected 1 word with '...' after the arrow as before it, found 0",
    "@ edge . -> . edge @  right": "3:5: expected 'edge' at an end of a pattern, found it within",
    "@ edge -> . .  right": "3:15: expected 'edge' here as before the arrow, found '.'",
    "@ / . . -> . / @ @  down": "3:7: expected 1 word in each row of a pattern, found 2",
    "@ / -> . /  right": "3:5: expected words on both sides of '/', found none on one of them",
    "@[y] -> .": "3:5: expected a place or a cell, found 'y'",
    "@ -> .[a1]": "3:8: expected no place after the arrow, found one",
    "a1 @ . -> . @": "3:8: expected ',' or the arrow after '@', found '.'",
    "a1 a1 @ -> .": "3:6: expected every cell once, found 'a1' again",
    "a1 @ -> . right": "3:13: expected no direction for named cells, found 'right'",
    "a1 -> + 1": "3:9: expected numbers: to say which numbers 'a1' may have, found no such row",
    "a1 -> +": "3:9: expected a cell or a number after +, found none",
    "a1 <-> 1": "3:6: expected '->', or what the cells show before and after, found '<->'",
    "pour a1 into b1": "3:8: expected a cell with a range under numbers:, or 'any', found 'a1'",
    "pour a1 b1": "3:3: expected 'pour CELL into CELL', found another form",
    "@ -> .  cost x": "3:16: expected a number from 1 to 9999, 'greatest' or 'sum', found 'x'",
    "@ -> .  cost sum": "3:16: expected weights: of the named cells of this move, found none",
    "@ -> .  if": "3:11: expected a sentence after 'if', found none",
    "name:": "3:3: expected a move after 'name:', found none",
    "@ . -> . @  knight right up-left line": "3:34: ",
    "@ . . -> . @ .  knight": "3:19: expected a pattern of two cells for a knight's leap, found another length",
    "one way: @ . -> . @  right": "3:3: expected a name of one word before ':', found 'one way'",
    "x:: @ . -> . @  right": "3:3: expected a name without ':', found 'x:'",
    "@[not x] . -> . @  right": "3:3: expected a place of one word in brackets, found '@[not'",
    "@ .[x]... -> . @  right": "3:5: expected a symbol, a kind, or one of any, *, edge, stop, found '.[x]'",
    "@ # -> . @  right": "3:5: expected what a cell shows, found '#', a place without a cell",
    "@ -> #": "3:8: expected what a cell shows, found '#', a place without a cell",
    "a1 b1 -> b1 a1": "3:12: expected what a1 b1 shows after the move, without a name, found 'b1'",
    "@ . -> . @  right 2": "3:21: expected a direction (right, left, up, down, ",
    "@ . -> . row  right": "3:12: expected 2 words after the arrow as before it, and then a direction, found 1 before",
    "@ / . -> . / @  path": "3:19: expected a direction of a grid for a pattern of several rows, found 'path'",
}


@pytest.mark.parametrize("row", [row for row in ERRORS if "line" not in row])
def test_a_wrong_row_is_shown_with_its_place(row):
    assert wrong(row).startswith(f"test.pzl:{ERRORS[row]}")


KEYS = {
    "kinds: crate": "2:8: kinds: expected a row such as 'crate = A B', found 'crate'",
    "kinds:\n  @ = A B": "3:3: kinds: expected a name that no symbol has, found '@'",
    "kinds:\n  k = l\n  l = k": "4:7: kinds: expected a kind that is not made of itself, found 'k'",
    "kinds:\n  k = not": "3:7: kinds: expected symbols after 'not', found none",
    "places:\n  p = a1 z9": "3:10: places: expected a cell or a place, found 'z9'",
    "places:\n  a1 = b1": "3:3: places: expected a name that no cell and no place has, found 'a1'",
    "places:\n  p = not": "3:3: places: expected cells after 'not', and others, for 'p', found none",
    "places:\n  p = not a1 b1 c1": "3:3: places: expected cells after 'not', and others, for 'p', found none",
    "kinds:\n  a = A B\nafter:\n  a1 . -> . a1  right": "5:3: expected a word with one meaning, found 'a1', which is",
    "after:\n  @ . <-> . @  right": "3:7: expected '->' in what happens by itself, found '<->'",
    "also: k = 00\nnumbers: k 0-9": "2:11: expected a number without a zero before it, found '00'",
    "also: turn": "2:7: also: expected a name and a value such as 'turn = white', found 'turn'",
    "also: a1 = x": "2:7: also: expected a name that no cell has, found 'a1'",
    "also: turn = x, y": "2:17: also: expected a name and a value such as 'turn = white', found 'y'",
    "numbers: a1 8": "2:13: numbers: expected a range such as 0-8, found '8'",
    "numbers: a1 8-1": "2:13: numbers: expected a range such as 0-8, found '8-1'",
    "numbers: z9 0-8": "2:10: numbers: expected a cell or a place, found 'z9'",
    "numbers: a1 0-8": "6:8: expected a number from 0 to 8 here, found '@'",
    "weights: a1 x": "2:13: weights: expected a whole number up to 9999, found 'x'",
    "ground:\n  ..\n  ..": "3:3: expected 1 row, found 2",
    "count: run": "2:8: count: expected one of step, cost for rule change, found 'run'",
    "one-way: yes": "2:10: one-way: has no meaning for rule change",
}


@pytest.mark.parametrize(
    ("row", "key", "hint"),
    [
        ("@ . -> paint @  right", "also: paint = red\n", "what a cell shows is a kind in a pattern of its own"),
        ("@ hole -> . @  right", "places: hole = c1\n", "a blank cell of a place is '.[hole]'"),
        ("go: hole hole @ -> .", "places: hole = a1 c1\n", "two different ones are 'hole1 hole2'"),
    ],
)
def test_a_cell_or_a_place_where_none_can_be_is_explained(row, key, hint):
    with pytest.raises(FormatError) as found:
        change(row, more=key)
    assert hint in found.value.hint


@pytest.mark.parametrize("key", KEYS)
def test_a_wrong_key_is_shown_with_its_place(key):
    text = f"rule: change\n{key}\nmoves:\n  @ . -> . @  row\nstart: @ . ."
    expected = KEYS[key].replace("6:8", "5:8")
    assert mistake(text).startswith(f"test.pzl:{expected}")


def test_the_keys_have_no_meaning_for_other_rule_kinds():
    text = "rule: slide\nalso:\n  k = A\nstart: A .\ngoal: . A"
    assert mistake(text) == "test.pzl:3:3: also: has no meaning for rule slide"


def codes(text):
    return [(each.code, each.line, each.column) for each in puzzle(text).diagnostics]


def test_warnings():
    text = "rule: change\n{}moves:\n  @ . -> . @  row\n{}start: @ . ."
    assert codes(text.format("", "  @ . . . -> . . . @  row\n")) == [("never-fits", 4, 3)]
    assert codes(text.format("kinds:\n  k = A\n", "")) == [("unused-kind", 3, 3)]
    assert codes(text.format("", "  @ x -> . @  row\n")) == [("never-occurs", 4, 5)]
    assert codes(text.format("", "  @ . -> x @  row  cost 3\n")) == [("no-effect", 4, 20)]
    assert codes(text.format("weights: a1 5\n", "")) == [("no-effect", 2, 10)]
    assert codes(text.format("", "")) == []


@pytest.mark.parametrize("goal", ["@ on c1", "c1 is @", "at least 2 @"])
def test_a_goal_that_is_meant_as_a_sentence_is_no_drawing(goal):
    found = mistake(f"rule: change\nmoves:\n  @ . -> . @  row\nstart: @ . .\ngoal: {goal}")
    assert found == f"test.pzl:5:7: expected a drawing or one of the goals in words, found {goal!r}"


def test_symbols_that_moves_make_may_be_words_of_sentences():
    lamps = puzzle("rule: change\nmoves:\n  off <-> on\nstart: off off\ngoal: on on")
    assert puzzlespace.solve(lamps).moves == 2


def test_a_goal_that_no_position_meets_is_doubted():
    text = "rule: change\nmoves:\n  @ . -> . @  row\nstart: @ . .\ngoal: . . "
    assert codes(text + "@") == []
    assert ("never-occurs", 5, 11) in codes(text + "00")


def test_what_never_ends_after_some_move_is_shown_as_drawings():
    text = "rule: change\nmoves:\n  @ . -> . @  row\nafter:\n  @ B -> @ C  right\n  @ C -> @ B  right\nstart: @ . B"
    with pytest.raises(EndlessError, match=r"found \. @ C -> \. @ B -> \. @ C") as caught:
        puzzlespace.depths(puzzle(text), origin="start", cache="off")
    assert str(pickle.loads(pickle.dumps(caught.value))) == str(caught.value)
    moves = "from start: a1-b1"
    for question in (puzzlespace.plan, puzzlespace.components, lambda each: puzzlespace.read_position(each, moves)):
        with pytest.raises(EndlessError, match=r"found \. @ [BC] -> \. @ [BC] -> \. @ [BC]"):
            question(puzzle(text))


def test_a_word_with_dots_is_written_over_those_before():
    assert reached("@ ... . -> x... . @  right", "@ . . .").keys() == {". @ . .", "x . @ .", "x x . @"}
    assert reached("@ A... B -> ... B @  right", "@ A A B").keys() == {". . B @"}
    assert reached("@ *... edge -> p... @ edge  right", "@ A . p").keys() == {"p p p @"}


def test_places_may_be_all_other_cells():
    assert reached("@[far] . -> . @  row", "@ . . .", "places:\n  near = a1 b1\n  far = not near\n") == {}
    assert reached("@[far] . -> . @  row", ". . @ .", "places:\n  near = a1 b1\n  far = not near\n").keys() == {
        ". @ . .",
        ". . . @",
    }


@pytest.mark.parametrize(
    ("text", "solutions"),
    [
        ("moves:\n  A . -> . A  right\n  A * -> . A  right\nstart: A . B\ngoal: c1 = A", 1),
        ("moves:\n  s: A . -> . A  right\n  t: A * -> . A  right\nforbid: count A = 2\nstart: A . B\ngoal: c1 = A", 1),
        ("rule: slide\nrule: glide\nfixed: B\nstart: A . B\ngoal: . A B", 1),
        ("moves:\n  x: (a1 b1)\n  A B -> B A  right\n  A * -> B A  right\nstart: A B C\ngoal: B A C", 2),
        ("moves:\n  x: (a1 b1)\n  y: (a1 b1)  if c1 = C\nstart: A B C\ngoal: B A C", 2),
    ],
)
def test_solutions_with_different_rows_between_the_same_positions_are_one_unless_moves_are_listed(text, solutions):
    read = puzzle(text if text.startswith("rule") else f"rule: change\n{text}")
    answer = puzzlespace.solve(read, count=True)
    assert (answer.solutions, answer.solutions_symmetry) == (solutions, solutions)
    assert len(list(puzzlespace.solutions(read))) == solutions


@pytest.mark.parametrize(
    ("row", "symbols", "other"),
    [
        ("k1 k2 -> k2 k1  right", "k1 k3 k2", "one of the kind 'k'"),
        ("any1 . -> . any1  right", "any1 . B", "one of the kind 'any'"),
        ("any . -> . any  right", "any . B", "a word of patterns"),
        ("edge . -> . edge  right", "edge . B", "a word of patterns"),
        ("B... k . -> . B... k  right", "B . B...", "several words of a pattern written together"),
        ("{B} . -> . {B}  right", "B . {B}", "several words of a pattern written together"),
        ("B[x] . -> . B  right", "B . B[x]", "several words of a pattern written together"),
        ("k B -> . k+1  right", "k+1 B .", "several words of a pattern written together"),
    ],
)
def test_a_symbol_that_is_another_word_of_a_pattern_too_is_an_error(row, symbols, other):
    said = wrong(row, symbols, "kinds:\n  k = k1 1 2\nplaces:\n  x = b1\n")
    assert said.endswith(f"which is a symbol and {other}")
    assert change("a+b . -> . a+b  right", "a+b . B").rules


def test_no_position_has_components_if_all_are_forbidden():
    none = change("@ . -> . @  row", more="forbid: count @ = 1\n")
    found, groups = puzzlespace.components(none)
    said = component_table(none, found, groups)
    assert said.splitlines()[0].endswith("0 positions in 0 components")
    assert "positions that no move changes: 0" in said
