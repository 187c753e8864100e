"""Sentences about pieces: goals and forbidden positions of slide, jump, glide, push and apply, and walls."""

import warnings

import pytest

from puzzlespace.api import questions
from puzzlespace.contract.questions import Depths
from puzzlespace.engines import plain
from puzzlespace.errors import FormatError, PuzzleWarning
from puzzlespace.formats import pzl, rushhour
from puzzlespace.graph.designs.layout import layout
from puzzlespace.limits.watch import Watch
from puzzlespace.puzzle.images import least_image
from texts import puzzle


def loaded(text):
    with warnings.catch_warnings(action="ignore", category=PuzzleWarning):
        return puzzle(text)


def positions(text):
    """All positions that the start reaches, as they are drawn on one line."""
    made = loaded(text)
    model = made.model()
    asked = Depths(model, (model.start,), keep=0, collect=())
    count = sum(plain.depths(asked, Watch()).counts)
    seen, pending = {model.start}, [model.start]
    while pending:
        for child in model.moves(pending.pop()):
            if child not in seen:
                seen.add(child)
                pending.append(child)
    assert len(seen) == count
    return {"".join(made.view.decode(position)) for position in seen}


def solution(text):
    return questions.solve(loaded(text)).moves


def mistake(text):
    with pytest.raises(FormatError) as caught:
        loaded(text)
    return str(caught.value).split("\n")[0]


def test_a_block_shows_its_letter_in_each_cell():
    text = "rule: slide\nblocks: all\ncount: step\nstart: A A . . B\ngoal: {}"
    for said, length in {
        "count A on c1 d1 = 2": 2, "count A = 2": 0, "count A on d1 = 1": 2, "each c1 d1 shows A": 2,
        "c1 = A and b1 = A": 1, "no A on a1 b1": 2, "see A A . B right": 1, "a1 = b1 = .": 2, "A = c1 = d1": 2,
    }.items():  # fmt: skip
        assert solution(text.format(said)) == length, said


def test_no_move_leads_to_a_forbidden_position_but_the_start_may_be_one():
    text = "rule: slide\nstart: A . . .\nforbid: {}\n"
    assert positions(text.format("some A on c1")) == {"A...", ".A.."}
    assert positions(text.format("not empty here: some A on a1")) == {"A...", ".A..", "..A.", "...A"}
    assert ".A.." not in positions("rule: slide\ncount: step\nstart: A . . .\nforbid: count A on b1 = 1\n")


def test_letters_of_which_sentences_say_the_same_are_interchangeable():
    text = "rule: slide\ncount: step\nkinds: crate = A B\nstart: A B . . C\ngoal: {}"
    letters = {
        "all crate on c1 d1": [["A", "B"], ["C"]],
        "all A on c1": [["A"], ["B", "C"]], "some . on a1": [["A", "B", "C"]],
        "a1 = b1": [["A"], ["B"], ["C"]], "count A = 1": [["A"], ["B"], ["C"]],
        "count crate on a1 = 1 and no B on a1": [["A"], ["B"], ["C"]],
    }  # fmt: skip
    for said, expected in letters.items():
        assert [list(each) for each in loaded(text.format(said)).view.letters[1:]] == expected, said


def test_letters_of_the_ground_are_places():
    text = "rule: push\ncount: push\nground: {}\nstart:\n  @$..\n  ....\ngoal: all $ on x"
    assert solution(text.format("\n  ...x\n  ....")) == 2
    assert (
        solution("rule: apply\ncount: step\nmoves: t: (a1 b1 c1)\nground:\n  ..x\nstart: A B C\ngoal: all A on x") == 1
    )


def test_a_player_counts_as_blank():
    text = "rule: push\ncount: {}\nstart: . @ $ . .\ngoal: {}"
    assert solution(text.format("push", "some . on c1")) == 1
    assert solution(text.format("move", "no any on c1")) == 1
    assert solution(text.format("move", "some @ on c1")) == 1
    assert "expected move for rule push, found 'push'" in mistake(text.format("push", "some @ on c1"))
    assert loaded("rule: push\nstart: . @ $ . .\ngoal: d1 = $ and c1 = @").metrics == ("move",)


def test_walls_hold_steps_blocks_pushes_and_jumps():
    wall = "ground:\n  +.+.+.+.+\n  ....|....\n  +.+.+.+.+\n"
    assert positions(f"rule: slide\ncount: step\n{wall}start: A . . .\n") == {"A...", ".A.."}
    assert positions(f"rule: slide\ncount: step\nblocks: all\n{wall}start: . . A A\n") == {"..AA"}
    assert positions(f"rule: push\ncount: move\n{wall}start: @ . . .\ngoal: start = start\n".replace(
        "goal: start = start\n", "goal: some $ on a1\n").replace(". . .", "$ . .")) == {"@$.."}  # fmt: skip
    assert positions(f"rule: jump\ncount: step\n{wall}start: o o . .\ngoal: any one peg") == {"oo.."}


def test_a_fixed_letter_is_no_box():
    text = "rule: push\ncount: move\n{}start:\n  @ X . $\n  . . . .\ngoal: some X on a1"
    assert {position[1] for position in positions(text.format("fixed: X\n"))} == {"X"}
    assert len({position[1] for position in positions(text.format(""))}) > 1
    assert mistake(text.format("fixed: @\n")) == "test.pzl:3:8: fixed: expected the letters of walls, found the player"


def test_counts_that_pass_positions_are_refused_with_those_that_do_not():
    text = "rule: slide\ncount: {}\nforbid: some A on b1\nstart:\n  A . .\n  . . .\ngoal: some A on b2"
    assert (
        mistake(text.format("piece")) == "test.pzl:2:8: count: expected step or multi beside 'forbid:', found 'piece'"
    )
    assert solution(text.format("step")) == 2
    assert loaded(text.replace("count: {}\n", "")).metrics[0] == "step"
    tilt = "rule: glide\ntilt: yes\nforbid: some A on b1\nstart: A . .\ngoal: some A on c1"
    assert mistake(tilt) == "test.pzl:3:9: forbid: expected moves of one step each, found moves that go on until " \
                            "nothing can move"  # fmt: skip


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("rule: slide\nkinds: k = Z\nstart: A .", "2:12: kinds: expected one of the symbols . A, found 'Z'"),
        ("rule: slide\nstart: A .\ngoal: all A on z9", "3:16: expected a place or a cell, found 'z9'"),
        ("rule: slide\ndiagonals: yes\nground:\n  +.+.+\n  .....\n  +.+.+\nstart: A .",
         "4:3: ground: expected no walls with diagonals, found both"),
        ("rule: slide\nground:\n  +.+.+\n  .o...\n  +.+.+\nstart: A .",
         "3:3: ground: expected walls between cells only, found stop cells or deflectors"),
        ("rule: apply\ncount: step\nmoves: t: (a1 b1)\nground:\n  +.+.+\n  ..|..\n  +.+.+\nstart: A B",
         "5:3: ground: expected letters, found walls, which do not stop listed moves"),
        ("rule: slide\nblocks: A\ncount: step\nground:\n  +.+.+.+\n  ..|....\n  +.+.+.+\nstart: A A .",
         "8:8: expected no wall through the block A, found one beside this cell"),
        ("rule: slide\nblocks: A\ncount: step\nstart: A A .\ngoal: connected A",
         "1:7: connected: expected symbols of pieces of one cell, found 'A' of a larger piece"),
        ("rule: push\nstart: @ $ .\ngoal: start",
         "3:7: goal: expected a drawing of the boxes, or a sentence about them"),
    ],
)  # fmt: skip
def test_mistakes_are_shown_with_their_place(text, expected):
    assert mistake(text) == f"test.pzl:{expected}"


def test_a_law_of_all_positions_or_none_is_a_warning():
    text = "rule: slide\nforbid: {}\nstart: A . .\ngoal: some A on c1"
    with pytest.warns(PuzzleWarning, match="true of no position, so it forbids nothing"):
        puzzle(text.format("count A = 4"))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("rule: slide\ncount: step\nstart: A . .\ngoal: some A on c1 or no A on c1", "4:7: every"),
        (
            "rule: change\nboard:\n  a b\nnumbers: a 0-3, b 0-9\nmoves:\n  pour a into b\nstart: 3 0\ngoal: a = 7",
            "8:7: no",
        ),
    ],
)
def test_a_goal_of_all_positions_or_none_is_a_warning(text, said):
    with pytest.warns(PuzzleWarning, match=f"{said} position meets this goal"):
        puzzle(text)


def test_files_are_written_and_read_again():
    text = "rule: slide\ncount: step\nkinds: k = A B\nplaces: p = a1 b1\nground:\n  x . .\nforbid: why: all k on x\n"
    draft = loaded(text + "start: A B .\ngoal: all k on p").draft
    assert pzl.parse(pzl.print_draft(draft)) == draft


CARS = "rule: slide along\nblocks: all\ncount: step\n{}start:\n  R R .\n  . . .\n  . . .\n"
CARS += "goal:\n  * R R\n  * * *\n  * * *\n"


def test_formats_without_sentences_refuse_them():
    assert rushhour.write(loaded(CARS.format("")).draft)
    for more in ("forbid: some R on c3\n", "ground:\n  x . .\n  . . .\n  . . .\n", "rule: jump\n"):
        with pytest.raises(FormatError, match="another puzzle"):
            rushhour.write(pzl.parse(CARS.format(more)))


def test_puzzles_with_sentences_are_not_the_same_in_a_mirror():
    text = "rule: slide\ncount: step\n{}start: A . .\ngoal: . . A"
    assert least_image(loaded(text.format("")))
    assert not least_image(loaded(text.format("forbid: some A on a1\n")))
    assert not least_image(loaded(text.format("rule: jump\n")))


def test_files_that_leave_pieces_open_have_no_sentences():
    text = "rule: slide\ncount: step\n{}pieces:\n  A 1x1: 1\nblanks: 2 or more\nboard: grid 2x2\ngoal:\n  A *\n  * *\n"
    assert layout(pzl.parse(text.format("")))
    for more, found in {"forbid: some A on a1\n": "forbid", "ground:\n  x .\n  . .\n": "ground"}.items():
        with pytest.raises(FormatError, match=f"{found}: has no meaning beside pieces:"):
            layout(pzl.parse(text.format(more)))
    with pytest.raises(FormatError, match="expected one rule beside pieces:"):
        layout(pzl.parse(text.format("rule: jump\n")))
