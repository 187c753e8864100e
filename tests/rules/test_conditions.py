"""Sentences from text: every form against a plain evaluation, precedence, and each error with its column."""

import re
from random import Random

import pytest

from puzzlespace.errors import FormatError
from puzzlespace.model.sentence import Counted, Sentence, TooManyCasesError
from puzzlespace.puzzle.board import grid, named
from puzzlespace.rules.change.always import always
from puzzlespace.rules.change.conditions import read
from puzzlespace.rules.change.scope import Scope
from sentences import NUMBERS, SYMBOLS, word


def holds(text, shown, scope=SYMBOLS):
    return read(word(text), scope).holds(bytes(scope.letters.index(letter) for letter in shown))


FORMS = [
    # a1 b1 a2 b2 and turn
    ("count A = 2", "AA..A", "A...A"),
    ("count A on x turn = 2", "A...A", "AA..A"),
    ("count A L on bank at least 2", ".AL..", "AA..A"),
    ("count any at most 1", "A...A", "A.L.."),
    ("count any exactly 1", "L....", "....L"),
    ("count A < 2", "A....", "AA..."),
    ("count A <= 2", "AA...", "AAA.."),
    ("count A > 1", "AA...", "A...."),
    ("count A >= 1", "A....", "....."),
    ("count A != 1", "AA...", "A...."),
    ("count A > count L", "AAL..", "AL..."),
    ("count A on x at least count L . on bank", "AA..A", "...AA"),
    ("count A at most count L", "AL...", "A...."),
    ("count A exactly count L", "AL...", "AAL.."),
    ("count A != count L and count A < count L", "LL..A", "A...L"),
    ("count crate wall = 4", "AL...", None),
    ("all crate on x", "A.L..", "A.A.."),
    ("all crate A on x a2", "A.A.L", "...A."),
    ("each x shows crate", "AA...", "A...."),
    ("each x turn shows crate L", "AL..A", "AL..."),
    ("some crate on x", ".A...", "..A.A"),
    ("some crate", "..A..", "....A"),
    ("no crate on x", "..A..", ".A..."),
    ("no crate", "..L.A", "..A.."),
    ("only A .", "A.A.L", "A.L.."),
    ("connected A", "AA...", "A..A."),
    ("connected A", ".....", ".AA.."),
    ("rows alike", "AALL.", "ALAL."),
    ("columns alike", "ALAL.", "AALL."),
    ("board alike", "AAAAL", "AAA.A"),
    ("board one of AL.. A*A.", "ALA..", "LLA.."),
    ("start", "A.L.A", "A.L.."),
    ("a1 = b1 != a2", "AA...", "AAA.."),
    ("a1 = b1 != a2", "LL...", "AL..."),
    ("a1 = L", "L....", "A...."),
    ("L != turn", "....A", "....L"),
    ("a1 = any", "A....", "....."),
    ("a1 != any", ".A...", "A...."),
    ("a1 = b1 = wall", "LL...", "AA..."),
    ("turn = a1", "A...A", "A...."),
    ("turn = some x != a2", ".A..A", ".AA.A"),
    ("turn = some x != a2", "A.L.A", "ALL.L"),
    ("every x = L", "LL...", "L...."),
    ("every x = a2", "LLL..", "LL..."),
    ("some x = some bank", "ALA..", None),
    ("some bank1 = some bank2", ".ALA.", "A.AL."),
    ("every bank1 != every bank2", "A.AL.", ".ALA."),
    ("some bank1 = some bank2 = turn", ".LAAA", ".LAAL"),
    ("turn = some bank7", "..A.A", "A...A"),
    ("a1 = A and b1 = A or a2 = A", "..A..", "A...."),
    ("a2 = A or a1 = A and b1 = A", "..A..", "A...."),
    ("(a2 = A or a1 = A) and b1 = A", "AA...", "..A.."),
    ("not a1 = A and b1 = A", ".A...", "....."),
    ("not (a1 = A and b1 = A)", "A....", "AA..."),
    ("not not a1 = A", "A....", "....."),
    ("((a1=A)or(b1!=L))and(not no A)", "A....", ".L..."),
    ("not some A on x", "..A..", "A...."),
]


@pytest.mark.parametrize(("text", "true", "false"), FORMS)
def test_forms(text, true, false):
    assert holds(text, true)
    assert false is None or not holds(text, false)


SUMS = [
    ("a1 + b1 >= 4", "22000", "21000"),
    ("a1 + b1 = 2", "11000", "12000"),
    ("a1 + b1 != 2 + k", "22000", "22002"),
    ("a1 < b1 <= a2", "01100", "01000"),
    ("2 > a1", "10000", "20000"),
    ("a1 = b1 + 1", "10000", "11000"),
    ("a1 - b1 - 1 = 0", "10000", "11000"),
    ("0 < a1 - some bank1 - some bank2", "20110", "11020"),
    ("k = 2", "00002", "00001"),
    ("k = 02", "00002", "00001"),
    ("a1 + a1 = 2", "10000", "20000"),
    ("some x + some x = 4", "02000", "11000"),
    ("some x + some bank = 4", "00000", None),
    ("every x > k", "12000", "12001"),
    ("rows sorted", "01120", "01210"),
    ("columns sorted", "01110", "21120"),
    ("count 2 = 1", "02000", "02020"),
]


@pytest.mark.parametrize(("text", "true", "false"), [each for each in SUMS if each[2]])
def test_numbers(text, true, false):
    assert holds(text, true, NUMBERS)
    assert not holds(text, false, NUMBERS)


def test_different_places_are_chosen_apart():
    assert holds("some x + some bank = 4", "20020", NUMBERS)
    assert holds("some x + some bank = 4", "02000", NUMBERS)  # b1 is in both
    assert not holds("some x + some bank = 4", "20000", NUMBERS)


def test_columns_are_where_cells_are_drawn():
    board = named(["triangle", "2"])  # a1 above the gap between b1 and b2
    scope = Scope(board, (".", "A"))
    assert read(word("columns alike"), scope).holds(bytes((0, 1, 0)))
    assert not read(word("rows alike"), scope).holds(bytes((0, 1, 0)))


def test_cells_hang_together_side_by_side_on_a_grid():
    scope = Scope(named(["grid", "2x2"], diagonals=True), (".", "A"))
    assert not read(word("connected A"), scope).holds(bytes((1, 0, 0, 1)))


def test_cells_hang_together_along_lines():
    scope = Scope(named(["triangle", "3"]), (".", "A"))
    assert read(word("connected A"), scope).holds(bytes((1, 1, 0, 0, 1, 0)))
    assert not read(word("connected A"), scope).holds(bytes((1, 0, 0, 1, 0, 0)))


@pytest.fixture
def patterns(monkeypatch):
    """Stand in for the reader of patterns: its calls, and the placements that it answers."""
    calls, answer = [], []
    monkeypatch.setattr(
        "puzzlespace.rules.change.conditions.fitting", lambda *call: (calls.append(call), iter(answer))[1]
    )
    return calls, answer


def test_see_hands_words_and_directions_on(patterns):
    calls, answer = patterns
    answer += [{0: 2, 1: 4}, {1: 4, 0: 2}, {2: 2, 3: 4}]
    found = read(word("a1 = . and (not see A ... @[x] / * L>b , <... row down) or start"), SYMBOLS)
    ((words, directions, scope),) = calls
    assert words == ["A", "...", "@[x]", "/", "*", "L>b", ",", "<..."]
    assert directions == ["row", "down"]
    assert scope is SYMBOLS
    assert [each.column for each in words] == [31, 33, 37, 42, 44, 46, 50, 52]
    assert found.holds(bytes((0, 2, 2, 0, 0)))
    assert not found.holds(bytes((0, 2, 1, 2, 0)))


def test_see_without_directions(patterns):
    calls, answer = patterns
    answer.append({4: 2})
    assert read(word("see A or see L"), SYMBOLS).holds(bytes((0, 0, 0, 0, 1)))
    assert [call[0] for call in calls] == [["A"], ["L"]]


def test_a_pattern_that_fits_nowhere_is_never_seen(patterns):
    assert always(read(word("see A A A right"), SYMBOLS), SYMBOLS) is False


LETTERED = Scope(
    grid([[True, True]], names=["on", "c"]), (".", ">", "on", "and", ")", "c", "all"),
    {"most": 2}, {"x": (0,), ">": (1,), "left": (1,)},
)  # fmt: skip

ERRORS = [
    # the column counts from the sentence's first character
    ("", 1, "expected a sentence, found none", "known are count, all,"),
    ("crates on x", 1, "expected a sentence, found 'crates'", ""),
    ("cout A = 1", 1, "expected a sentence, found 'cout'", "did you mean 'count'?"),
    ("a1 = L or R", 11, "expected a sentence, found 'R'", "known are count"),
    ("a1 = L or A", 12, "expected one of = != < <= > >=, found the end of the sentence", "whole sentence"),
    ("a1 = ", 6, "expected a cell, a symbol or a number, found the end of the sentence", "known are a1,"),
    ("crate on x", 7, "expected one of = != < <= > >=, found 'on'", ""),
    ("a1 == L", 4, "expected one of = != < <= > >=, found '=='", ""),
    ("a1==L", 3, "expected one of = != < <= > >=, found '=='", ""),
    ("bank = L", 1, "expected a cell, a symbol or a number, found the place 'bank'", "'some bank' is one"),
    ("a1 = bank", 6, "expected a cell, a symbol or a number, found the place 'bank'", "'every bank' is all"),
    ("some crate = a1", 6, "expected a place, found the kind 'crate'", "known are x, bank"),
    ("every banc = a1", 7, "expected a place, found 'banc'", "did you mean 'bank'?"),
    ("every x", 8, "expected one of = != < <= > >=, found the end", ""),
    ("some x", 6, "expected a symbol or a kind, found the place 'x'", ""),
    ("a1 = A b1 = A", 8, "expected 'and', 'or' or the end of the sentence, found the cell 'b1'", ""),
    ("a1 = A )", 8, "expected 'and', 'or' or the end of the sentence, found ')'", ""),
    ("(a1 = A", 1, "expected ')' to close this '(', found the end", ""),
    ("(a1 = A b1", 9, "expected 'and', 'or' or ')', found the cell 'b1'", ""),
    ("not", 4, "expected a sentence, found the end", ""),
    ("a1 = A and", 11, "expected a sentence, found the end", ""),
    ("count on x = 1", 7, "expected a symbol or a kind, found 'on'", "known are ., A, L"),
    ("count A", 8, "'on', 'at', 'exactly', '=', '!=', '<', '<=', '>' or '>=', found the end", ""),
    ("count A on x", 13, "expected a place, a cell, 'at', 'exactly'", ""),
    ("count A on crate = 1", 12, "expected a place or a cell, found the kind 'crate'", "known are x, bank, a1"),
    ("count A at leats 2", 12, "expected 'least' or 'most' after 'at', found 'leats'", "did you mean 'least'?"),
    ("count A = B", 11, "expected a number of at most 9 digits, found 'B'", ""),
    ("count A = -1", 11, "expected a number of at most 9 digits, found '-1'", ""),
    ("count A = 1234567890", 11, "expected a number of at most 9 digits, found '1234567890'", ""),
    ("all crate", 10, "expected a symbol, a kind or 'on', found the end", ""),
    ("all crate x", 11, "expected a symbol, a kind or 'on', found the place 'x'", ""),
    ("all crate on", 13, "expected a place or a cell, found the end", ""),
    ("each crate shows A", 6, "expected a place or a cell, found the kind 'crate'", ""),
    ("each x show A", 8, "expected a place, a cell or 'shows', found 'show'", ""),
    ("only", 5, "expected a symbol or a kind, found the end", ""),
    ("rows equal", 6, "expected 'alike' or 'sorted', found 'equal'", ""),
    ("board sorted", 7, "expected 'alike', found 'sorted'", ""),
    ("rows sorted", 6, "expected a cell with numbers only, found 'a1', which can show '.'", ""),
    ("A = L", 5, "expected a cell on one side of '=', found 'A' and 'L'", ""),
    ("a1 < b1", 1, "expected a cell with numbers only, found 'a1', which can show '.'", "compared with '=' and '!='"),
    ("a1 = 2", 6, "expected a symbol, found '2'", "known are ., A, L"),
    ("a1 = A + 1", 1, "expected a cell with numbers only, found 'a1'", ""),
    ("a1 != b1 != a2", 10, "expected '!=' once in a comparison, found it again", "'a != b and b != c'"),
    ("a1 = wall = b1", 6, "expected a kind at an end of a comparison", "'a = kind and b = kind'"),
    ("some x = every bank", 16, "expected either 'some' or 'every' in a comparison, found both", ""),
    ("every x = b1 = some x", 21, "expected either 'some' or 'every' in a comparison, found both", ""),
    ("see", 4, "expected a pattern, found the end", ""),
    ("see right", 5, "expected a pattern, found 'right'", ""),
]
ERRORS_OF_NUMBERS = [
    ("1 < 2", 1, "expected a cell on one side of '<', found numbers only", ""),
    ("a1 < odd", 6, "expected a cell or a number, found the kind 'odd'", ""),
    ("a1 < .", 6, "expected a cell or a number, found the symbol '.'", ""),
    ("a1 < 1234567890", 6, "expected a number of at most 9 digits", ""),
]
ERRORS_OF_NAMES = [
    ("c = on", 1, "it is the cell 'c' and the symbol 'c'", "give one of them another name"),
    ("all on on x", 8, "it is a word of sentences and the symbol 'on'", ""),
    ("count . > 1", 9, "it is a word of sentences and the symbol '>'", ""),
    ("no . and start", 6, "it is a word of sentences and the symbol 'and'", ""),
    ("(no . )", 7, "it is a word of sentences and the symbol ')'", ""),
    ("some > > x", 8, "it is a sign of a comparison and the symbol '>'", ""),
    ("all > all", 1, "it is a word of sentences before the symbol '>' and the symbol 'all'", ""),
    ("see . left", 7, "it is a word of sentences and the place 'left'", ""),
]


def message(text, scope):
    with pytest.raises(FormatError) as caught:
        read(word(text), scope)
    assert caught.value.line == 7
    return caught.value.column - 10, caught.value.problem, caught.value.hint


@pytest.mark.parametrize(
    ("scope", "text", "column", "problem", "hint"),
    [(scope, *error) for scope, errors in ((SYMBOLS, ERRORS), (NUMBERS, ERRORS_OF_NUMBERS), (LETTERED, ERRORS_OF_NAMES))
     for error in errors],
)  # fmt: skip
def test_errors(scope, text, column, problem, hint, patterns):
    at, found, help_ = message(text, scope)
    assert problem in found
    assert at == column
    assert hint in help_


def test_words_with_one_possible_reading_are_no_error():
    scope = Scope(grid([[True, True]], names=["start", "b"]), (".", ">", "on"), {}, {"on": (1,)})
    assert read(word("start = on"), scope).holds(bytes((2, 0)))
    assert read(word("b = >"), scope).holds(bytes((0, 1)))
    assert read(word("no on"), scope).holds(bytes((0, 1)))
    with pytest.raises(FormatError, match="expected a puzzle with a start for the sentence 'start', found none"):
        read(word("start"), scope)


def test_a_word_is_not_read_as_a_cell_and_a_number():
    scope = Scope(grid([[True, True]], names=["1", "2"]), ("0", "3"), values=(0, 3))
    assert "it is the cell '1' and the number 1" in message("1 < 3", scope)[1]


def test_a_word_is_not_read_as_a_place_and_a_cell():
    scope = Scope(grid([[True, True]]), (".", "A"), {}, {"a1": (1,)})
    for text in ("some A on a1", "some a1 = A", "each a1 shows A"):
        assert "the place 'a1'" in (found := message(text, scope)[1])
        assert "the cell 'a1'" in found


def test_a_word_is_not_read_as_a_cell_and_a_cell_of_a_place():
    scope = Scope(grid([[True, True]], names=["man1", "man2"]), (".", "A"), {}, {"man": (0, 1)})
    found = message("A = some man1", scope)
    assert found[0] == 10
    assert "it is the cell 'man1' and a cell of the place 'man'" in found[1]


def test_deep_nesting_and_many_choices_are_errors_with_places():
    assert message("(" * 200 + "start" + ")" * 200, SYMBOLS)[:2] == (
        101, "expected at most 100 open parentheses, found another one"
    )  # fmt: skip
    assert holds("not " * 5000 + "a1 = A", "A....")
    many = Scope(named(["grid", "26x26"]), (".", "A"), {}, {"x": tuple(range(676)), "y": tuple(range(676))})
    assert "combinations of cells, found 456,976" in message("some x = some y", many)[1]


def test_damaged_sentences_raise_nothing_but_errors_with_a_place():
    rng, places = Random(20), []
    pool = re.findall(r"\S+|\s", " ".join(text for text, *_ in (*FORMS, *SUMS, *ERRORS) if "see" not in text))
    for _ in range(1500):
        text = "".join(rng.choice(pool) + rng.choice(("", " ", " ")) for _ in range(rng.randrange(1, 9))).strip()
        for scope in (SYMBOLS, NUMBERS, LETTERED):
            try:
                assert isinstance(read(word(text), scope), Sentence)
            except FormatError as error:
                places.append((error.line == 7, 11 <= error.column <= 11 + len(text), error.problem[:9]))
    assert set(places) == {(True, True, "expected ")}


def test_cases_of_counts_are_few_where_few_are_enough():
    cells = tuple(range(60))
    assert len(Counted(0b10, cells, 1, 60).cases(3)) == 60
    assert len(Counted(0b10, cells, 0, 1).cases(2)) == 60
    assert len(Counted(0b10, cells, 0, 0).cases(3)) == 1
    assert len(Counted(0b10, cells, 1, 1).cases(3)) == 60
    with pytest.raises(TooManyCasesError):
        Counted(0b10, cells, 30, 60).cases(3)


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("a1 = A and a1 = L", False),
        ("a1 = A or a1 != A", True),
        ("count A = 5", False),
        ("count any wall <= 4", True),
        ("count any wall >= 4", True),
        ("a1 = a1", True),
        ("a1 = b1", None),
        ("only any wall", True),
        ("connected crate", None),
        ("board alike and a1 = A", None),
    ],
)
def test_what_is_always_or_never_true(text, answer):
    assert always(read(word(text), SYMBOLS), SYMBOLS) is answer


def test_numbers_out_of_range_are_never_equal():
    for text, answer in (("a1 = 3", False), ("a1 + b1 <= 4", True), ("a1 + b1 > 4", False), ("a1 + b1 > 3", None)):
        assert always(read(word(text), NUMBERS), NUMBERS) is answer
