"""The shipped puzzle files: found by name, alias and title in any language; what they contain."""

import pytest

import puzzlespace
from puzzlespace import catalogue
from puzzlespace.api import questions
from puzzlespace.errors import InputError
from puzzlespace.formats import pzl

WANTED = {
    "hexagram", "eight", "14-15", "line", "no-off-a", "no-off-b", "flip3", "flip4", "flip5", "star13", "goat",
    "goat-hard", "klotski", "rush60", "cube2", "lights5", "theta", "ring", "century", "dads",
}  # fmt: skip


def test_the_promised_puzzles_are_there():
    assert set(catalogue.names()) >= WANTED
    assert list(catalogue.names()) == sorted(catalogue.names())


@pytest.mark.parametrize("name", catalogue.names())
def test_a_puzzle_is_found_by_its_name_and_by_every_title(name):
    assert catalogue.find(name) == name
    for _, title in pzl.parse(catalogue.text(name), name).titles:
        assert catalogue.find(title) == name


@pytest.mark.parametrize(
    ("word", "name"),
    [("箱入り娘", "klotski"), ("華容道", "klotski"), ("Hakoiri Musume", "klotski"), ("8-puzzle", "eight"),
     ("ＥＩＧＨＴ", "eight"), ("15-14", "14-15"), ("六芒星", "hexagram"), ("L'Âne rouge", "klotski")],
)  # fmt: skip
def test_aliases(word, name):
    assert catalogue.find(word) == name


@pytest.mark.parametrize("word", ["sokoban", "倉庫番"])
def test_levels_of_sokoban_are_found_by_its_name(word):
    assert {"microban1", "microban6", "microban36"} <= set(catalogue.search(word))


def test_every_alias_leads_to_a_puzzle():
    assert set(catalogue.ALIASES.values()) <= set(catalogue.names())


def test_an_unknown_name_is_nothing():
    assert catalogue.find("chess") is None
    with pytest.raises(InputError, match=r"catalogue: expected one of 14-15, .* found 'chess'"):
        catalogue.text("chess")


def test_the_exchange_of_two_tiles_is_impossible_by_parity():
    solution = questions.solve("14-15")
    assert (solution.status.value, solution.reason.kind, solution.generated) == ("impossible", "parity", 0)


@pytest.mark.parametrize(
    ("name", "solutions"),
    [("hexagram", 388), ("eight", 40), ("line", 16), ("no-off-a", 1), ("no-off-b", 3), ("goat", 2), ("star13", 72)],
)
def test_the_number_of_shortest_solutions(name, solutions):
    assert questions.solve(name, count=True).solutions == solutions


def test_eighteen_solutions_of_the_star_begin_with_the_first_jump_of_the_article():
    puzzle = questions.load("star13")
    model = puzzle.model()
    (jump,) = (rule for rule in puzzle.rules if (rule.motion.origin, rule.motion.target) == (0, 6))
    first = jump.apply(model.start)
    assert sum(each.path[1] == first for each in questions.solutions(puzzle)) == 18


def test_parity_is_not_the_whole_truth_on_the_theta_graph():
    puzzle = questions.load("theta")
    exchanged = questions.with_start(puzzle, "2 / 6 1 / . / 5 3 / 4")
    solution = questions.solve(exchanged)
    assert (solution.status.value, solution.reason.kind) == ("impossible", "searched")
    components, _ = puzzlespace.components(puzzle)
    assert components.sizes == ((840, 6),)


def test_a_ring_keeps_the_order_of_its_pieces():
    components, _ = puzzlespace.components("ring")
    assert components.sizes == ((42, 120),)


def test_the_flips_of_the_article_cannot_all_be_solved():
    components, _ = puzzlespace.components("flip3")
    assert components.solvable == 192
    assert components.positions == 512
