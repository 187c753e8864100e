"""Rule kinds: no other room asks for one by name, and the template, once it is in RULES, works everywhere."""

import ast
import json
import re
from xml.etree import ElementTree

import pytest

import puzzlespace
from places import PACKAGE
from puzzlespace import rules
from puzzlespace.api.loader import from_text
from puzzlespace.errors import FormatError
from puzzlespace.formats import pzl_read
from puzzlespace.formats.pzl import parse, print_draft
from puzzlespace.model.rule import Motion, Rule, only
from puzzlespace.puzzle.board import named
from puzzlespace.puzzle.draft import CHANGES, OWN_KEYS
from puzzlespace.puzzle.letters import Letters
from puzzlespace.puzzle.puzzle import Puzzle, RuleKind
from puzzlespace.render.stage import FilmStage
from puzzlespace.render.svg import solution_svg
from puzzlespace.render.text import description, strip
from puzzlespace.render.theme import Style
from puzzlespace.render.tween import moment
from puzzlespace.render.ways import change
from puzzlespace.rules import template
from puzzlespace.web import grammar, wire

NAMES = {kind.name for kind in rules.RULES}
TABLES = {
    "engines/table/__init__.py",
    "engines/table/bit_index.py",
    "engines/table/needs.py",
    "cluster/count.py",
    "tables/counts_save.py",
}
"""Files that tell kinds of tables apart, one of which is called 'slide'."""
WRITERS = {"formats/rushhour.py", "formats/sokoban.py", "formats/template.py"}
"""Formats that can only say puzzles of one rule kind."""
METRICS = {"engines/boxes/__init__.py", "render/words.py"}
"""Files that tell metrics apart, one of which is called 'push'."""
DATA = {"web/wire.py"}
"""Files with data for the page, one part of which is called 'change'."""
EVENTS = {"change"}
"""Events of browsers that are called like a rule kind."""

FROGS = "title: Frogs\nrule: hop\nstart: F F . T T\ngoal: T T . F F\n"


def compared(source):
    """The names of rule kinds that Python code compares with, looks up or matches."""
    for node in ast.walk(ast.parse(source)):
        parts = []
        if isinstance(node, ast.Compare):
            parts = [node.left, *node.comparators]
        elif isinstance(node, ast.Subscript):
            parts = [node.slice]
        elif isinstance(node, ast.Dict):
            parts = [key for key in node.keys if key]
        elif isinstance(node, ast.MatchValue):
            parts = [node.value]
        for part in parts:
            yield from (each.value for each in ast.walk(part) if isinstance(each, ast.Constant) and each.value in NAMES)


def test_nothing_outside_rules_asks_for_a_rule_kind_by_name():
    files = {path.relative_to(PACKAGE).as_posix(): path for path in PACKAGE.rglob("*.py")}
    found = {name for name, path in files.items() if list(compared(path.read_text()))}
    assert {name for name in found if not name.startswith("rules/")} == TABLES | WRITERS | METRICS | DATA
    scripts = (PACKAGE / "web/static").glob("*.js")
    literal = rf"""["'`]({"|".join(NAMES - EVENTS)})["'`]"""
    assert not {path.name for path in scripts if re.search(literal, path.read_text())}


@pytest.mark.parametrize("source", ['kind == "slide"', 'kind in ("jump", "x")', '{"apply": 1}', 'words["slide"]'])
def test_a_comparison_is_found(source):
    assert list(compared(source))


@pytest.mark.parametrize("kind", [*rules.RULES, template.KIND], ids=lambda kind: kind.name)
def test_the_keys_of_a_kind_are_keys_of_drafts(kind):
    assert set(kind.keys) <= {*OWN_KEYS, *CHANGES}


@pytest.fixture
def hop(monkeypatch):
    monkeypatch.setattr(rules, "RULES", (*rules.RULES, template.KIND))


def test_the_template_is_unknown_until_it_is_registered():
    with pytest.raises(FormatError, match="found 'hop'"):
        parse(FROGS)


@pytest.mark.usefixtures("hop")
def test_the_template_reads_and_refuses():
    assert parse(print_draft(parse(FROGS))) == parse(FROGS)
    with pytest.raises(FormatError, match="or hop, found 'hopp'"):
        parse(FROGS.replace("hop", "hopp"))
    for text, message in (
        ("rule: hop\nfixed: F\nstart: F .\n", "fixed: has no meaning for rule hop"),
        ("rule: hop along\nstart: F .\n", "found 'hop along'"),
        ("rule: hop\nstart: . .\n", "expected a drawing with a piece, found none"),
        ("rule: hop\nstart: F .\ngoal: T .\n", "expected one of the symbols . F, found 'T'"),
        ("rule: hop\nstart: F . F\ngoal: F . .\n", "as often in the goal as in the start"),
    ):
        with pytest.raises(FormatError, match=message):
            from_text(text, "x.pzl")


@pytest.mark.usefixtures("hop")
def test_the_template_is_solved_and_printed():
    puzzle = from_text(FROGS, "frogs.pzl")
    answer = puzzlespace.solve(puzzle, count=True)  # n frogs and n toads: n (n + 2) moves
    assert (answer.moves, answer.solutions) == (8, 2)
    assert answer.names[:2] in (("F b1 right", "T d1 left"), ("T d1 left", "F b1 right"))
    assert puzzlespace.solve(puzzle, engine="plain").moves == 8
    assert "over one piece to the blank behind" in description(puzzle)
    assert strip(puzzle, answer.frames).startswith("F F . T T   ")


@pytest.mark.usefixtures("hop")
def test_the_template_is_drawn_and_moves_straight_over_pieces():
    puzzle = from_text(FROGS, "frogs.pzl")
    frames = puzzlespace.solve(puzzle).frames
    ElementTree.fromstring(solution_svg(puzzle, frames, "Frogs", Style(arrows="both")))
    sheet = FilmStage(puzzle, frames, "Frogs", Style()).sheet
    before, after = frames[1:3]
    (way,) = change(puzzle, before, after).ways
    assert abs(way.route[0] - way.route[1]) == 2
    (moving,) = moment(sheet, before, after, 0.5)
    assert moving.middle == pytest.approx(sheet.middle(sum(way.route) // 2))


def pushing():
    """A man who pushes a box along a row: each rule moves two pieces."""
    board = named(["grid", "4x1"])
    view = Letters(((".",), ("m",), ("B", "C")))
    mover = tuple(
        Rule("push", (a, b, c), (only(1), only(2), only(0)), (2, 0, 1), (None,) * 3, Motion(-1, a, b, "right"))
        for a, b, c in ((0, 1, 2), (1, 2, 3))
    )
    kind = RuleKind("push", lambda draft, name: pushing(), lambda puzzle: ["Rule: a man pushes a box."])
    return Puzzle("pushing", kind, board, view, 3, mover, ("step",), bytes([1, 2, 0, 0]))


def test_a_rule_may_move_several_pieces():
    puzzle = pushing()
    path = [bytes([1, 2, 0, 0]), bytes([0, 1, 2, 0]), bytes([0, 0, 1, 2])]
    frames = puzzle.frames(path, puzzle.model())
    assert [(frame.name, frame.changed) for frame in frames[1:]] == [("m right", {1, 2}), ("m right", {2, 3})]
    assert sorted(way.route for way in change(puzzle, *frames[:2]).ways) == [(0, 1), (1, 2)]
    (move,) = wire.at(puzzle, puzzle.model(), path[0])["moves"]
    assert (move["piece"], move["target"]) == (0, 1)
    assert move["steps"] == [{"carry": [[0, 1], [1, 2]], "change": [], "name": "push"}]


def test_the_editor_has_its_words_from_the_rule_kinds(monkeypatch):
    monkeypatch.setattr(rules, "RULES", (*rules.RULES, template.KIND))
    found = json.loads(grammar.module().removeprefix("export const GRAMMAR = ").removesuffix(";\n"))
    hop = found["kinds"]["hop"]
    assert (hop["own"], [*hop["counts"]], hop["joins"], hop["lists"]) == (["diagonals"], ["step"], False, False)
    assert found["rules"]["hop"]["title"]["en"] == "pieces hop"
    assert {"hop", "slide along"} <= {*found["values"]["rule"]} == found["rules"].keys()
    assert {key for kind in found["kinds"].values() for key in kind["own"]} < {*found["keys"]}
    assert {key for kind in found["kinds"].values() for key in kind["help"]} < {*found["keys"]}
    assert {name for kind in found["kinds"].values() for name in kind["counts"]} < found["metrics"].keys()


def test_the_tool_of_a_kind_is_told_in_full():
    for kind in (*rules.RULES, template.KIND):
        assert kind.tool.title, kind.name
        assert kind.tool.meaning.endswith("."), kind.name
        assert all(kind.tool.along) == ("along" in kind.keys), kind.name
    assert [kind.name for kind in rules.RULES if kind.lists] == ["apply"]
    assert [kind.name for kind in rules.RULES if kind.tool.peg] == ["jump"]


def test_every_word_that_the_editor_offers_is_read():
    for key, words in pzl_read.choices().items():
        for word in words:
            draft = pzl_read.read(f"rule: {word}\n" if key == "rule" else f"rule: slide\n{key}: {word}\n")
            assert draft.rule
