"""Cards on paper: all pieces to cut, pages enough for the solution, a code that says the puzzle."""

import re
from xml.etree import ElementTree

import pytest

from puzzlespace import catalogue
from puzzlespace.api import questions
from puzzlespace.api.loader import from_text, load, written
from puzzlespace.cli.app import app
from puzzlespace.errors import InputError
from puzzlespace.render import card
from puzzlespace.render.cutouts import cutouts, cuts, empty_board
from puzzlespace.render.looks import paints
from puzzlespace.render.paper import Paper, plain
from puzzlespace.render.theme import LIGHT

SVG = "{http://www.w3.org/2000/svg}"


def made(name, **words):
    puzzle = load(name)
    frames = puzzle.frames(questions.solve(puzzle).path, puzzle.model()) if puzzle.start is not None else ()
    return card.Card(puzzle, frames=frames, **words)


def pages(data):
    return len(re.findall(rb"/Type /Page\b", data))


def pieces(puzzle, position):
    return cuts(puzzle, [position], paints(puzzle, puzzle.view.decode(position)))


def test_every_piece_is_there_to_be_cut():
    klotski = load("klotski")
    found = pieces(klotski, klotski.start)
    assert sorted(cut.front for cut in found) == list("ABCDEFGHIJ")
    assert found[0].size[1] == 2
    assert not any(cut.back for cut in found)


def test_pieces_that_change_are_there_as_often_as_the_solution_needs_them():
    puzzle = load("wolf")
    shown = made("wolf").shown
    found = [cut.front for cut in cuts(puzzle, shown, paints(puzzle, "LR"))]
    assert sorted(found) == list("LLLLRRRR")
    assert pieces(load("jugs853"), load("jugs853").start) == []


def test_disks_of_stacks_lie_within_their_lines():
    puzzle = load("hanoi_cyclic")
    root = ElementTree.fromstring(cutouts(puzzle, [puzzle.start], 14.0, LIGHT).svg)
    boxes = [
        (bool(rect.get("stroke-dasharray")), float(rect.get("x")), float(rect.get("width")))
        for rect in root.iter(SVG + "rect")
        if rect.get("x")
    ]
    lines = [(x, x + wide) for dashed, x, wide in boxes if dashed]
    disks = [(x, x + wide) for dashed, x, wide in boxes if not dashed]
    assert len(lines) == len(disks) == 4
    assert all(a <= x and y <= b for (a, b), (x, y) in zip(lines, disks, strict=True))


def test_two_sided_pieces_have_their_back_beside_them():
    flip3 = load("flip3")
    found = pieces(flip3, flip3.start)
    assert len(found) == 9
    assert {(cut.front, cut.back) for cut in found} == {("x", "o"), ("o", "x")}


@pytest.mark.parametrize("name", ["goat", "hexagram", "star13", "lights5", "hanoi:3,4", "cube2", "rush60"])
def test_cutouts_lie_on_their_paper_and_apart(name):
    puzzle = load(name)
    position = puzzle.start if puzzle.start is not None else puzzle.goals[0].position
    drawn = cutouts(puzzle, [position], 6.0, LIGHT)
    root = ElementTree.fromstring(drawn.svg)
    boxes = [
        tuple(float(rect.get(key)) for key in ("x", "y", "width", "height"))
        for rect in root.iter(SVG + "rect")
        if rect.get("stroke-dasharray")
    ]
    assert len(boxes) == len(pieces(puzzle, position))
    assert all(x >= 0 and x + w <= float(root.get("width")) + 1 for x, _, w, _ in boxes)
    for k, (x, y, w, h) in enumerate(boxes):
        assert not any(x < u + p and u < x + w and y < v + q and v < y + h for u, v, p, q in boxes[:k])


def test_the_board_is_empty_and_names_its_cells():
    hexagram = load("hexagram")
    root = ElementTree.fromstring(empty_board(hexagram, hexagram.start, LIGHT).svg)
    assert ["".join(text.itertext()) for text in root.iter(SVG + "text")] == list(hexagram.board.names)


@pytest.mark.parametrize("name", catalogue.names())
def test_every_puzzle_makes_a_card(name):
    puzzle = load(name)
    data = card.pdf(card.Card(puzzle, code="x"))
    assert data.startswith(b"%PDF")
    assert pages(data) == 1


def test_the_solution_is_on_the_back():
    assert pages(card.pdf(made("goat"))) == 2
    assert pages(card.pdf(made("klotski", paper="letter"))) > 2


def test_the_same_card_gives_the_same_bytes():
    assert card.pdf(made("flip3", code="c")) == card.pdf(made("flip3", code="c"))


def test_the_code_is_the_puzzle_itself_where_it_is_short():
    goat = load("goat")
    text = card.coded("", written(goat), "goat")
    assert from_text(text, "goat.pzl").start == goat.start
    assert card.coded("", written(load("lights5")), "lights5") == "puzzlespace show lights5"
    assert card.coded("", "", "hanoi:3,4") == "puzzlespace show hanoi:3,4"
    assert card.coded("https://example.org/p", text, "goat") == "https://example.org/p"
    with pytest.raises(InputError, match="--link"):
        card.coded("x" * 900, text, "goat")


def test_words_shrink_until_they_fit():
    paper = Paper("a4", "t")
    paper.page()
    assert paper.fitting("one line", 100, 50, (9.5, 5.0)) == 9.5
    assert paper.fitting("a long row " * 200, 60, 60, (9.5, 5.0)) == 5.0


def test_letters_the_font_lacks_lose_their_accents():
    assert plain("L'Âne 箱") == ("L'Ane ", {"箱"})
    assert plain("L'Âne 箱", frozenset("箱")) == ("L'Ane 箱", set())


def test_unknown_papers_are_errors():
    with pytest.raises(InputError, match="a4, letter"):
        card.check("a0", "light")


def test_answers_in_words():
    assert card.answer_words(questions.solve("goat")).startswith("The shortest solution has 20 moves")
    assert card.answer_words(questions.solve("14-15")).startswith("There is no solution")


def test_the_command_line_writes_a_card(tmp_path, capsys):
    file = tmp_path / "goat.pdf"
    app(["card", "goat", "--pdf", str(file), "-q", "--theme", "grey"], standalone_mode=False)
    assert pages(file.read_bytes()) == 2
    assert capsys.readouterr().out == ""
