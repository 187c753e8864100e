"""The classic sliding-block puzzles of the catalogue: found by many names, drawn, and their known numbers."""

import pytest

from puzzlespace import catalogue
from puzzlespace.api import questions
from puzzlespace.api.loader import load
from puzzlespace.formats import pzl
from puzzlespace.render import svg, text

NAMES = catalogue.names("blocks")
QUICK = ["get-my-goat", "hughes", "moving-day", "quzzle", "simplicity"]


def test_there_are_forty_classics():
    on_top = [name for name in ("klotski", "dads", "century") if name in catalogue.names()]
    assert len(NAMES) + len(on_top) >= 40
    assert set(NAMES).isdisjoint(catalogue.names())
    assert set(catalogue.names(None)) == {*NAMES, *catalogue.names("classics"), *catalogue.names()}


@pytest.mark.parametrize("name", NAMES)
def test_each_is_read_printed_drawn_and_found(name):
    draft = pzl.parse(catalogue.text(name), name)
    assert pzl.parse(pzl.print_draft(draft), name) == draft
    puzzle = load(name)
    assert catalogue.find(name) == name
    assert all(catalogue.find(title) == name for _, title in puzzle.titles)
    assert puzzle.metrics[0] == "piece"
    assert any(known.what == "solution" and not known.metric for known in puzzle.known)
    assert all(known.source for known in puzzle.known)
    assert draft.note, "expected the goal in words"
    shown = text.description(puzzle, "ascii")
    assert puzzle.title in shown
    assert draft.start.rows[-1][-1] in shown
    assert svg.position_svg(puzzle, puzzle.start).count("<path") >= len(puzzle.view.pieces(puzzle.start)) // 2


@pytest.mark.parametrize("name", QUICK)
def test_known_numbers_of_some_come_out(name):
    check(name)


@pytest.mark.long
@pytest.mark.parametrize("name", NAMES)
def test_known_numbers_of_all_come_out(name):
    check(name)


def check(name):
    claims = questions.check_known(name)
    assert claims
    for claim in claims:
        assert claim.found == claim.known.value, f"{claim.known}"


@pytest.mark.parametrize(
    ("word", "names"),
    [("箱入り娘", {"klotski"}), ("ane rouge", {"klotski"}), ("KATO", {"supercompo"}), ("指揮若定", {"zhihui-ruoding"}),
     ("pennant", {"dads"}), ("ibac", set()), ("climb", {"climb12a", "climb12b", "climb12c", "climb12d"})],
)  # fmt: skip
def test_a_word_finds_puzzles(word, names):
    assert set(catalogue.search(word)) == names


def test_a_folder_is_searched_for_by_its_name():
    assert catalogue.search("blocks") == NAMES
