"""Pictures of levels of games: the pixels of sprites, boards as paths, strips, animations, files."""

import re
from io import BytesIO
from random import Random

import pytest
from PIL import Image

from drawn import SVG, parsed
from pushing import game
from puzzlespace import solve
from puzzlespace.games.level import GameLevel
from puzzlespace.games.names import ObjectSprite
from puzzlespace.games.reading import read_game
from puzzlespace.games.sprites import COLOURS, SIDE, UNKNOWN, colour_of, ground, pixels, sprite_of
from puzzlespace.games.survey import survey
from puzzlespace.limits.watch import Watch
from puzzlespace.render import game_pictures
from puzzlespace.render.game_card import GameCard, pdf, words
from puzzlespace.render.theme import style


def level(number=1, **change):
    return GameLevel.of(read_game(game(**change)), number, "game")


def path(found):
    return solve(found).path


@pytest.mark.parametrize(
    ("word", "colour"),
    [("Gray", "#9d9d9d"), ("#AbC", "#aabbcc"), ("#12345678", "#123456"), ("transparent", ""), ("nocolour", UNKNOWN)],
)
def test_words_for_colours(word, colour):
    assert colour_of(word) == colour


def test_a_sprite_has_its_rows_and_without_rows_one_colour():
    assert sprite_of(ObjectSprite(["red", "blue"])) == ((COLOURS["red"],) * SIDE,) * SIDE
    drawn = sprite_of(ObjectSprite(["red", "blue"], ["01.", "9"]))
    assert drawn[0] == (COLOURS["red"], COLOURS["blue"], "", "", "")
    assert drawn[1][0] == COLOURS["blue"]
    assert drawn[4] == ("",) * SIDE


def test_later_objects_are_drawn_over_earlier_ones():
    found = level(levels="@p.")
    rows = pixels(found.game, found.board, found.start.cells)
    assert (len(rows), {len(row) for row in rows}) == (SIDE, {3 * SIDE})
    assert rows[0][:5] == [COLOURS[each] for each in ("yellow", "orange", "orange", "orange", "yellow")]
    assert rows[0][5:] == [COLOURS["blue"]] * 5 + [COLOURS["black"]] * 5
    assert ground(read_game(game(prelude="background_color white"))) == "#ffffff"


@pytest.mark.parametrize("seed", range(30))
def test_rectangles_cover_each_pixel_once(seed):
    draw = Random(seed)
    wide, high = draw.randint(1, 9), draw.randint(1, 9)
    rows = [[draw.choice("abc"[: draw.randint(1, 3)]) for _ in range(wide)] for _ in range(high)]
    seen = [
        (x, y, colour)
        for colour, (left, top, across, down) in game_pictures._rectangles(rows)
        for x in range(left, left + across)
        for y in range(top, top + down)
    ]
    assert sorted(seen) == sorted((x, y, colour) for y, row in enumerate(rows) for x, colour in enumerate(row))


def test_a_board_is_a_path_for_each_colour():
    found = level()
    root = parsed(game_pictures.position_svg(found, found.start))
    fills = [each.get("fill") for each in root.iter(SVG + "path")]
    assert sorted(fills) == sorted(COLOURS[each] for each in ("black", "brown", "blue", "orange", "yellow"))
    assert "#p*.o.#" in root.find(SVG + "desc").text


def test_grey_pictures_have_no_colour():
    found = level()
    drawn = game_pictures.position_svg(found, found.start, style("grey").theme)
    assert [each for each in re.findall('fill="#(..)(..)(..)"', drawn) if len(set(each)) > 1] == []


def test_a_strip_has_the_inputs_below_its_boards():
    found = level()
    root = parsed(game_pictures.solution_svg(found, path(found), "Two crates"))
    words = ["".join(each.itertext()) for each in root.iter(SVG + "text")]
    assert words == ["Two crates", "0", "1 right", "2 right"]


@pytest.mark.parametrize(
    ("number", "told"),
    [(1, "2 inputs are needed and suffice"), (1, "1 way to get stuck"), (3, "cannot be solved: why")],
)
def test_a_card_says_what_is_proved(number, told):
    found = level(number)
    answer = solve(found)
    card = GameCard(found, answer, "why", survey(found, Watch()), "", "a4", style().theme)
    assert told in " ".join(words(card))
    assert "Goal: all crate on target." in words(card)
    assert pdf(card) == pdf(card)


@pytest.mark.parametrize("kind", ["gif", "webp"])
def test_an_animation_has_a_frame_for_each_position(kind):
    found = level()
    shown = Image.open(BytesIO(game_pictures.animated(found, path(found), "t", style(), kind, 200)))
    assert (shown.n_frames, shown.size[0]) == (3, 200)
