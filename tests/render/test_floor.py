"""What pictures show beside pieces: letters of the ground, names of cells, stacks, vessels, goals in words."""

import re
from xml.etree import ElementTree

import pytest

from puzzlespace import catalogue, load
from puzzlespace.api.loader import from_text
from puzzlespace.model.facts import still_symbols
from puzzlespace.render.floor import named_cells, tints, tubes
from puzzlespace.render.layout import middles
from puzzlespace.render.looks import paints
from puzzlespace.render.sheet import extent
from puzzlespace.render.svg import position_svg
from puzzlespace.render.text import description, goals_shown
from puzzlespace.render.theme import THEMES, luminance
from puzzlespace.web.wire import about


def said(svg):
    return [each.text for each in ElementTree.fromstring(svg).iter("{http://www.w3.org/2000/svg}text")]


@pytest.fixture(scope="module")
def puzzles():
    found = {name: load(name) for name in catalogue.names("classics")}
    return {name: puzzle for name, puzzle in found.items() if puzzle.kind.sentences}


def test_every_letter_of_the_ground_and_every_name_is_drawn_once(puzzles):
    assert len(puzzles) > 50
    grounds = 0
    for puzzle in puzzles.values():
        texts = said(position_svg(puzzle, puzzle.start))
        grounds += bool(puzzle.ground.letters)
        for letter in puzzle.ground.letters.values():
            assert texts.count(letter) >= [*puzzle.ground.letters.values()].count(letter)
        for cell in named_cells(puzzle):
            assert puzzle.board.names[cell] in texts
    assert grounds > 10


def test_names_are_drawn_on_demand(puzzles):
    for puzzle in puzzles.values():
        texts = said(position_svg(puzzle, puzzle.start, names=True))
        assert set(puzzle.board.names) <= set(texts)


def test_a_letter_under_a_piece_is_drawn_twice():
    puzzle = load("icesoko")
    goal = next(cell for cell, letter in puzzle.ground.letters.items() if letter == "x")
    box = puzzle.start.index(puzzle.view.symbols["$"])
    position = bytearray(puzzle.start)
    before = said(position_svg(puzzle, bytes(position))).count("x")
    position[goal], position[box] = position[box], position[goal]
    assert said(position_svg(puzzle, bytes(position))).count("x") == before + 1


def contrast(one, other):
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("theme", THEMES.values(), ids=lambda theme: theme.name)
def test_letters_of_the_ground_are_legible(theme, puzzles):
    for puzzle in puzzles.values():
        for fill, rim, ink in tints(puzzle, theme).values():
            assert contrast(fill, ink) >= 4.5
            assert rim != fill


def test_stacks_stand_upright_within_the_picture(puzzles):
    stacks = [puzzle for puzzle in puzzles.values() if puzzle.board.upright]
    assert len(stacks) > 5
    for puzzle in stacks:
        left, top, right, bottom = extent(puzzle)
        for cells in tubes(puzzle.board):
            spots = [middles(puzzle.board)[cell] for cell in cells]
            assert len({x for x, _ in spots}) == 1
            assert all(low - high == 1 for (_, low), (_, high) in zip(spots, spots[1:], strict=False))
            assert spots[0][1] == max(y for _, y in middles(puzzle.board))
            assert all(left < x < right and top < y < bottom for x, y in spots)
        assert {str(number) for number in range(1, 1 + len(puzzle.board.rows))} <= set(
            said(position_svg(puzzle, puzzle.start))
        )


def test_disks_of_stacks_are_as_wide_as_their_order():
    puzzle = load("hanoi35")
    found = paints(puzzle, ())
    assert [found[word].kind for word in "12345"] == ["plank"] * 5
    assert sorted("12345", key=lambda word: found[word].wide) == list("12345")
    assert found["5"].wide < puzzle.board.upright


def test_a_vessel_is_filled_as_high_as_its_number_says():
    puzzle = load("jugs853")
    svg = position_svg(puzzle, puzzle.view.encode(["4", "4", "0"]))
    water = [float(high) for high in re.findall(rf'height="([0-9.]+)" fill="{THEMES["light"].water}"', svg)]
    whole = [float(high) for high in re.findall(rf'height="([0-9.]+)" fill="{THEMES["light"].empty}"', svg)]
    assert puzzle.vessels == {0: 8, 1: 5, 2: 3}
    for number, most, filled, high in zip((4, 4, 0), (8, 5, 3), water, whole, strict=True):
        assert filled == pytest.approx(high * number / most, abs=0.2)
    assert sorted(whole, reverse=True) == whole


def test_no_cell_is_a_vessel_if_nothing_is_poured():
    assert not load("lift").vessels
    assert not load("keys2").vessels


def test_symbols_that_no_move_changes_are_walls(puzzles):
    for puzzle in puzzles.values():
        unchanged, unmade = still_symbols(puzzle.rules, puzzle.symbols)
        model = puzzle.model()
        layer, seen = [puzzle.start], {puzzle.start}
        for _ in range(3 if unchanged else 0):
            layer = [child for here in layer for child in model.moves(here) if child not in seen]
            seen.update(layer)
            layer = layer[:6]
        for position in seen:
            for symbol in unchanged:
                begun = {cell for cell, shown in enumerate(puzzle.start) if shown == symbol}
                now = {cell for cell, shown in enumerate(position) if shown == symbol}
                assert begun <= now
                assert now == begun or symbol not in unmade
    assert paints(puzzles["blockdude"], ())["X"].kind == "wall"
    assert paints(puzzles["thinice"], ["~"])["~"].kind == "trace"


def test_goals_that_are_sentences_are_said_and_not_drawn(puzzles):
    for puzzle in puzzles.values():
        written = [goal for goal in puzzle.draft.goals if isinstance(goal, str) and goal != "start"]
        text = description(puzzle)
        for goal in written:
            assert "Goal:" in text.splitlines()
            assert f"  {goal}" in text.splitlines()
        assert not any(set(words) == {"*"} for words in goals_shown(puzzle))


def test_the_ground_is_a_board_of_text():
    assert "ground" in description(load("icesoko"))
    assert "ground" not in description(load("wolf"))


def test_the_page_gets_what_pictures_show(puzzles):
    for puzzle in puzzles.values():
        told = about(puzzle)
        assert dict(told["floor"]) == puzzle.ground.letters
        assert all(set(told["colours"][name]["tints"]) == {*puzzle.ground.letters.values()} for name in THEMES)
        assert told["board"]["named"] == named_cells(puzzle).start
        assert told["vessels"] == puzzle.vessels


def test_cells_beside_a_board_lie_apart_and_have_names():
    text = "rule: change\nalso: turn = w\nmoves:\n  w -> b\nstart: w . b\ngoal: b . b\n"
    puzzle = from_text(text, "beside.pzl")
    (_, above), (_, below) = middles(puzzle.board)[0], middles(puzzle.board)[-1]
    assert below - above == 1.5
    assert "turn" in said(position_svg(puzzle, puzzle.start))
