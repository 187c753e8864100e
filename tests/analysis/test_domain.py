"""Placements and goal positions in a domain, against lists of all arrangements and the second reading."""

import re
from collections import Counter
from contextlib import suppress
from dataclasses import replace
from random import Random

import pytest

from fuzz import changes_drawn as drawn
from fuzz import changes_reference as reference
from puzzlespace import load
from puzzlespace.analysis.impossible import goal_positions, placement_count
from puzzlespace.analysis.placements import placements
from puzzlespace.api.components import components
from puzzlespace.api.loader import from_text
from puzzlespace.api.questions import depths
from puzzlespace.contract.questions import Depths
from puzzlespace.engines import plain
from puzzlespace.errors import FormatError, ModelError
from puzzlespace.limits.watch import Watch
from puzzlespace.model.domain import inside, within
from puzzlespace.model.rule import Rule
from puzzlespace.model.sentence import Shows, Some

FLOATING = "rule: stack\nput: on equal\nstart: R G . / G . . / . . .\ngoal: a1 = G and b1 = G\n"
JUGS = "rule: change\nboard: a b\nnumbers: a 0-5, b 0-2\nstart: 3 0\n"
JUGS += "moves:\n  pour a into b\n  pour b into a\ngoal: a = 1\n"
MOST = 6_000
"""The most arrangements of a random puzzle."""


@pytest.mark.parametrize(("text", "positions"), [(FLOATING, 30), (JUGS, 18)])
def test_only_positions_are_counted(text, positions):
    assert components(from_text(text, "x.pzl"))[0].positions == positions


def test_nothing_floats_in_positions_before_the_goal():
    assert depths(from_text(FLOATING, "x.pzl"), origin="goal").counts == (3, 4, 10, 9, 3, 1)
    assert load("hanoi35").model().backward is not None


def random_texts():
    """Files with ranges of numbers, and files of stacks."""
    for seed in range(500):
        text = drawn.sketched(Random(seed))
        if re.search(r"^(numbers:|rule: stack)", text, re.MULTILINE):
            with suppress(FormatError):  # of goals with symbols that the start does not have
                from_text(text, "x.pzl")
                yield text


def before(puzzle, positions, goals):
    """How many positions have each distance to goals, by moves of the second reading."""
    parents = {}
    for position in positions:
        for after in puzzle.moves(position):
            assert puzzle.is_position(after)
            parents.setdefault(after, []).append(position)
    found, layer = set(goals), list(goals)
    while layer:
        yield len(layer)
        layer = [each for each in {p for after in layer for p in parents.get(after, ())} if each not in found]
        found.update(layer)


@pytest.mark.filterwarnings("ignore::puzzlespace.errors.PuzzleWarning")
def test_random_puzzles_agree_with_all_arrangements():
    seen = Counter()
    for text in random_texts():
        puzzle, second = from_text(text, "x.pzl"), reference.read(text)
        model = puzzle.model()
        if not model.domain or placement_count(replace(model, domain=())) > MOST:
            continue
        arranged = {position: puzzle.view.decode(position) for position in placements(replace(model, domain=()))}
        expected = {position: words for position, words in arranged.items() if second.is_position(words)}
        assert sorted(placements(model)) == sorted(expected), text
        assert placement_count(model) >= len(expected), text
        seen["fewer"] += len(expected) < len(arranged)
        if model.metric.lawful or model.metric.costs or model.backward is None or len(model.goals) > 1:
            continue
        goals = goal_positions(model)
        if goals and all(goal in expected for goal in goals):
            assert set(goals) == set(filter(model.is_goal, expected)), text
            answer = plain.depths(Depths(model.backward, goals), Watch())
            wanted = before(second, expected.values(), [expected[goal] for goal in goals])
            assert list(answer.counts) == list(wanted), text
            seen["goals"] += 1
    assert seen["fewer"] > 20
    assert seen["goals"] > 10


def test_a_typed_position_is_in_the_domain():
    jugs = from_text(JUGS, "x.pzl")
    with pytest.raises(FormatError, match=r"1:3: expected one of 0 1 2 here, found '5'"):
        jugs.read("1 5")
    with pytest.raises(FormatError, match=r"1:3: expected one of 0 1 2 here, found '5'"):
        jugs.pattern("* 5")
    with pytest.raises(FormatError, match="expected one of 0 1 2 here"):
        jugs.read(jugs.id(bytes((1, 5))))
    assert jugs.read("5 2") == bytes((5, 2))
    with pytest.raises(FormatError, match=r"1:5: expected pieces at the left of the row, found 'G' over a blank"):
        from_text(FLOATING, "x.pzl").pattern("* . G / * * * / * * *")


def test_a_rule_is_narrowed_to_what_its_cells_may_show():
    turn = Rule("turn", (0, 1, 2), (-1, -1, -1), (2, 0, 1), (None, None, (1, 2, 0)))
    assert inside(turn, {3: 1}, 3) is turn
    assert inside(turn, {0: 0b111, 1: 0b111}, 3) is turn
    assert inside(turn, {1: 0b011}, 3).need == (0b011, -1, -1)
    assert inside(turn, {2: 0b011}, 3).need == (-1, 0b101, -1)
    assert inside(turn, {1: 0b011, 2: 0b011}, 3).need == (0b011, 0b001, -1)
    assert inside(turn, {1: 0b010, 2: 0b001}, 3) is None
    assert inside(Rule("stay", (0, 1), (-1, 1), (0, 1), (None, (1, 1, 1))), {0: 1}, 3).need == (-1, 1)


@pytest.mark.filterwarnings("ignore::puzzlespace.errors.PuzzleWarning")
@pytest.mark.parametrize(
    "row", ["3 7 -> 7 3  right", "exchange: (a b)", "over: reverse a b", "a n, b n2 -> n2, n", "big: 3 -> 7"]
)
def test_no_move_puts_a_number_out_of_its_range(row):
    text = "rule: change\nboard: a b\nnumbers: a 0-5, b 0-8\nkinds:\n  n = 0 1 2 3 4 5 6 7 8\n"
    puzzle = from_text(f"{text}moves:\n  {row}\nstart: 3 7\ngoal: a = 7\n", "x.pzl")
    model = puzzle.model()
    assert model.steps(puzzle.start) == []
    assert [each.code for each in puzzle.diagnostics if each.line == 9] == ["idle-goal"]
    assert [sentence.cell for sentence in puzzle.domain] == [0, 1]
    assert within(model.rules, model.domain, model.symbols) == model.rules
    with pytest.raises(FormatError, match="expected one of 0 1 2 3 4 5 here, found '7'"):
        puzzle.read("7 3")


def test_a_domain_changes_neither_rules_nor_fingerprint():
    model = from_text(FLOATING, "x.pzl").model()
    other = replace(model, domain=())
    assert model.fingerprint == other.fingerprint
    assert model.rules is other.rules
    assert model.backward.fingerprint != other.backward.fingerprint
    assert model.backward.domain == model.domain


@pytest.mark.parametrize("name", ["hanoi46", "watersort", "freecell_small", "jugs1073", "tol"])
def test_no_move_leaves_the_domain_of_the_catalogue(name):
    model = load(name).model()
    assert model.domain
    assert within(model.rules, model.domain, model.symbols) == model.rules
    if model.backward is not None:
        assert within(model.backward.rules, model.domain, model.symbols) == model.backward.rules


def test_a_domain_must_fit_the_board():
    with pytest.raises(ModelError, match="domain: expected 9 cells"):
        replace(from_text(FLOATING, "x.pzl").model(), domain=(Shows(9, 1),))


def test_a_rule_that_needs_cannot_keep_in_the_domain_has_no_inverse():
    put = Rule.put("put", [0], [0], [1], 2)
    either = Some((Shows(0, 1), Shows(1, 1), Shows(2, 1)))
    assert within([put], (either,), 2) is None
    assert within([put], (Some((Shows(0, 1), Shows(1, 1))),), 2)[0].cells == (0, 1)
