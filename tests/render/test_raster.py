"""Pixels: sizes, what moves between two frames, the same bytes each time, clear errors where something is missing."""

import builtins
from dataclasses import replace
from io import BytesIO

import pytest
from PIL import Image, ImageChops

from drawn import blocks, flips, hexagram, pegs, tiles
from puzzlespace.api import questions
from puzzlespace.api.loader import load
from puzzlespace.cli.app import app
from puzzlespace.errors import InputError, UnsupportedError
from puzzlespace.puzzle.letters import Frame
from puzzlespace.render import animation, raster, svg
from puzzlespace.render.extras import need
from puzzlespace.render.files import WantedPicture, sheet_wanted, write_sheet, write_solution
from puzzlespace.render.stage import FilmStage
from puzzlespace.render.theme import DARK, GREY, LIGHT, THEMES, luminance, style
from puzzlespace.render.tween import leaving, moment, steps
from puzzlespace.render.ways import change


def solved(name):
    puzzle = load(name)
    answer = questions.solve(puzzle)
    return puzzle, puzzle.frames(answer.path, puzzle.model())


def opened(data):
    return Image.open(BytesIO(data))


def frame(puzzle, words, changed=(), name=""):
    written = [word for word in words if word not in "#/"]
    return Frame(puzzle.view.encode(written), tuple(written), name, frozenset(changed))


def test_png_has_the_size_asked_for():
    drawn = svg.position_svg(tiles(), tiles().start)
    assert opened(raster.png(drawn, 400)).width == 400
    assert opened(raster.png(drawn)).width == 2 * raster.size_of(drawn)[0]
    assert opened(raster.png(drawn, 1600)).mode in ("RGB", "RGBA")


def test_the_same_picture_gives_the_same_bytes():
    puzzle, frames = solved("eight")
    assert raster.png(svg.position_svg(puzzle, puzzle.start)) == raster.png(svg.position_svg(puzzle, puzzle.start))
    assert svg.solution_svg(puzzle, frames, "t") == svg.solution_svg(puzzle, frames, "t")
    for kind in ("gif", "webp"):
        made = {animation.animation(puzzle, frames[:3], "t", style(), kind, 200) for _ in range(2)}
        assert len(made) == 1


def test_pieces_are_seen_in_their_colours():
    puzzle = blocks("ABBC/ABBC/DEEF/DGHF/I..J")
    pixels = opened(raster.png(svg.position_svg(puzzle, puzzle.start))).convert("RGB")
    colours = {colour for _, colour in pixels.getcolors(1 << 24)}
    assert len([hue for hue in LIGHT.hues if tuple(int(hue[k : k + 2], 16) for k in (1, 3, 5)) in colours]) == 4


@pytest.mark.parametrize("theme", THEMES.values(), ids=THEMES)
def test_every_theme_can_be_read(theme):
    def contrast(a, b):
        dark, light = sorted((luminance(a), luminance(b)))
        return (light + 0.05) / (dark + 0.05)

    assert contrast(theme.paper, theme.ink) > 7
    assert contrast(theme.ground, theme.ink) > 4.5
    assert len(set(theme.hues)) == 8
    assert all(contrast(theme.empty, hue) > 1.15 for hue in theme.hues)


def test_grey_has_no_colour():
    puzzle = load("cube2")
    drawn = svg.position_svg(puzzle, puzzle.goals[0].position, theme=GREY)
    pixels = opened(raster.png(drawn)).convert("RGB")
    assert all(red == green == blue for _, (red, green, blue) in pixels.getcolors(1 << 24))


def test_dark_is_dark():
    drawn = svg.position_svg(tiles(), tiles().start, theme=DARK)
    corner = opened(raster.png(drawn)).convert("RGB").getpixel((0, 0))
    assert corner == tuple(int(DARK.paper[k : k + 2], 16) for k in (1, 3, 5))


def test_letters_the_font_lacks_are_noticed():
    assert raster.known_letters("<text>A1</text>")
    assert not raster.known_letters("<text>箱</text>")
    assert raster.known_letters("<title>箱</title><text>A</text>")


def test_the_way_of_a_slide_goes_through_blanks():
    puzzle = tiles("1 2 / . . / 3 .")
    (way,) = change(puzzle, frame(puzzle, "12..3."), frame(puzzle, "1...32", [5])).ways
    assert way.route == (1, 3, 5)
    (way,) = change(puzzle, frame(puzzle, "12..3."), frame(puzzle, ".21.3.", [2])).ways
    assert way.route == (0, 2)


def test_a_block_goes_as_one():
    puzzle = blocks("AA../....")
    (way,) = change(puzzle, frame(puzzle, "AA......"), frame(puzzle, ".....AA.", [5, 6])).ways
    assert way.stops[0] == (0, 1)
    assert way.stops[-1] == (5, 6)
    assert all(len(stop) == 2 for stop in way.stops)


def test_pieces_pushed_together_keep_their_order():
    puzzle = tiles("1 2 .")
    ways = change(puzzle, frame(puzzle, "12."), frame(puzzle, ".12", [1, 2])).ways
    assert [(way.words[0], way.route) for way in ways] == [("1", (0, 1)), ("2", (1, 2))]


def test_a_chain_of_jumps_is_found_with_what_it_removes():
    puzzle, frames = solved("star13")
    for before, after in zip(frames, frames[1:], strict=False):
        made = change(puzzle, before, after)
        (way,) = made.ways
        assert len(made.removed) == len(way.stops) - 1 == after.name.count("-")
        assert "-".join(puzzle.board.names[cell] for cell in way.route) == after.name


def test_listed_moves_carry_and_turn():
    puzzle, frames = solved("flip3")
    made = change(puzzle, frames[0], frames[1])
    assert len(made.ways) == 3
    assert all(way.words[0] != way.words[1] for way in made.ways)
    assert {way.route[0] for way in made.ways} == {way.route[1] for way in made.ways}


def test_repeated_moves_stop_where_they_pass():
    puzzle = load("cube2")
    model = puzzle.model()
    home = puzzle.goals[0].position
    once = puzzle.rules[0].apply(home)
    twice = puzzle.rules[0].apply(once)
    frames = puzzle.frames([home, twice], model)
    made = change(puzzle, *frames)
    assert len(made.rules) == 2
    assert all(len(way.stops) == 3 for way in made.ways)


@pytest.mark.parametrize("name", ["goat", "star13", "flip3", "hexagram", "century", "hanoi:3,3"])
def test_moving_pieces_begin_and_end_where_they_are_drawn(name):
    puzzle, frames = solved(name)
    stage = FilmStage(puzzle, tuple(frames[:6]), "t", style(arrows="next"))
    for before, after in zip(stage.frames, stage.frames[1:], strict=False):
        assert steps(puzzle, before, after) >= 1
        assert leaving(puzzle, before, after)
        for moving in moment(stage.sheet, before, after, 0.0):
            if not puzzle.stacks:
                assert moving.middle == pytest.approx(stage.home(moving.cells))
        ends = {tuple(round(x, 3) for x in moving.middle) for moving in moment(stage.sheet, before, after, 1.0)}
        if not puzzle.stacks:
            last = change(puzzle, before, after).ways
            assert ends >= {tuple(round(x, 3) for x in stage.home(way.stops[-1])) for way in last}


def test_turning_pieces_are_narrow_in_the_middle_and_change_there():
    puzzle, frames = solved("flip3")
    stage = FilmStage(puzzle, tuple(frames[:2]), "t", style())
    words = [[m.word for m in moment(stage.sheet, *stage.frames, part)] for part in (0.1, 0.9)]
    assert words[0] != words[1]
    assert all(min(m.wide, m.high) < 0.2 for m in moment(stage.sheet, *stage.frames, 0.5))


def test_jumping_pegs_rise_and_the_one_below_goes():
    puzzle, frames = solved("star13")
    stage = FilmStage(puzzle, tuple(frames[:2]), "t", style())
    *_, jumping = moment(stage.sheet, *stage.frames, 0.5)
    assert jumping.wide > 1
    assert len(moment(stage.sheet, *stage.frames, 0.2)) == 2
    assert len(moment(stage.sheet, *stage.frames, 1.0)) == 1


@pytest.mark.parametrize("kind", ["gif", "webp"])
def test_an_animation_rests_moves_and_repeats(kind):
    puzzle, frames = solved("goat")
    data = animation.animation(puzzle, frames[:4], "Goat", style(arrows="next"), kind, 240)
    film = opened(data)
    assert film.format == kind.upper()
    assert film.width == 240
    assert film.n_frames > 3 * 4
    assert film.info.get("loop") == 0
    film.seek(0)
    first = film.convert("RGB")
    film.seek(film.n_frames - 1)
    assert ImageChops.difference(first, film.convert("RGB")).getbbox() is not None


def test_a_long_animation_has_fewer_frames_between():
    puzzle, frames = solved("klotski")
    short = animation.Film(FilmStage(puzzle, frames[:10], "t", style()), 200)
    long = animation.Film(FilmStage(puzzle, frames * 20, "t", style()), 200)
    assert short.per_step > long.per_step == 0
    assert len(long.durations()) == len(frames * 20)


def test_what_is_too_large_is_refused():
    wide = tiles(" ".join(map(str, range(1, 250))) + " .")
    drawn = svg.pages_svg(
        wide, [svg.Picture(Frame(wide.start, wide.view.decode(wide.start)), "0")] * 100, "", "", style()
    )
    with pytest.raises(UnsupportedError, match="too large"):
        raster.png(drawn)
    with pytest.raises(UnsupportedError, match="too long"):
        animation.animation(tiles(), [frame(tiles(), "12345678.")] * 6000, "t", style())


def test_boards_without_a_move_still_make_an_animation():
    data = animation.animation(tiles(), [frame(tiles(), "12345678.")], "t", style(), "gif", 200)
    assert opened(data).size[0] == 200


def test_strips_are_laid_out_for_their_width(tmp_path):
    puzzle, frames = solved("goat")
    narrow, wide = WantedPicture(png=tmp_path / "a.png", size=400), WantedPicture(png=tmp_path / "b.png", size=1600)
    for wanted in (narrow, wide):
        write_solution(puzzle, frames, "Goat", wanted)
        with Image.open(wanted.png) as opened:
            assert opened.width == wanted.size
    assert narrow.still.page == 400
    assert wide.still.page == 960


def test_arrows_can_be_chosen():
    puzzle, frames = solved("eight")
    shown = {
        arrows: svg.solution_svg(puzzle, frames[:3], "t", style(arrows=arrows)) for arrows in ("last", "next", "none")
    }
    assert shown["last"].count("stroke-dasharray") == 0
    assert shown["next"].count("stroke-dasharray") == 2
    assert shown["none"].count("stroke-linecap") == 0
    assert shown["last"].count("stroke-linecap") == 2


def test_contact_sheets_show_every_position(tmp_path):
    puzzle = load("hexagram")
    table = questions.depths(puzzle)
    file = tmp_path / "sheet.svg"
    write_sheet(puzzle, table, file, sheet_wanted(file, "light", None))
    text = file.read_text()
    assert text.count('font-weight="bold"') == len(table.hardest) == 7
    assert "7 positions at depth 30" in text


@pytest.mark.parametrize("words", [{"theme": "pink"}, {"size": 5}, {"arrows": "all"}])
def test_unknown_wishes_are_errors(words):
    with pytest.raises(InputError, match="expected"):
        WantedPicture(**words)


def test_a_sheet_of_another_kind_is_an_error(tmp_path):
    with pytest.raises(InputError, match=r"\.svg, \.png"):
        sheet_wanted(tmp_path / "x.jpeg", "light", None)


def test_a_missing_extra_says_what_to_install(monkeypatch):
    real = builtins.__import__

    def without(name, *rest):
        if name.startswith("resvg_py"):
            raise ImportError(name)
        return real(name, *rest)

    monkeypatch.setattr("importlib.import_module", lambda name: without(name))
    with pytest.raises(UnsupportedError, match=r"pip install 'puzzlespace\[pictures\]'"):
        need("resvg_py", "pictures")
    with pytest.raises(UnsupportedError) as caught:
        WantedPicture(png="x.png")
    assert caught.value.exit_code == 31


def test_the_command_line_writes_every_kind(tmp_path, capsys):
    names = {kind: tmp_path / f"goat.{kind}" for kind in ("svg", "png", "gif", "webp")}
    options = [word for kind, file in names.items() for word in (f"--{kind}", str(file))]
    app(["solve", "no-off-a", "-q", "--theme", "dark", "--size", "200", *options], standalone_mode=False)
    assert "44 moves" in capsys.readouterr().out
    assert names["png"].read_bytes().startswith(b"\x89PNG")
    assert names["gif"].read_bytes().startswith(b"GIF89a")
    assert names["webp"].read_bytes()[8:12] == b"WEBP"
    assert DARK.paper in names["svg"].read_text()


def test_show_draws_the_start(tmp_path, capsys):
    app(["show", "theta", "--svg", str(tmp_path / "a.svg"), "--png", str(tmp_path / "a.png")], standalone_mode=False)
    assert "Theta" in capsys.readouterr().out
    assert "<circle" in (tmp_path / "a.svg").read_text()
    assert (tmp_path / "a.png").exists()


def test_towers_stand_on_their_pegs():
    puzzle = load("hanoi:3,4")
    drawn = svg.position_svg(puzzle, puzzle.start)
    assert drawn.count("<rect") == 1 + 1 + 3 + 4
    moved = replace(puzzle, start=bytes([1, 0, 0, 0]))
    assert svg.position_svg(moved, moved.start) != drawn


def test_other_boards_move_too():
    for puzzle in (hexagram(), pegs(), flips()):
        model = puzzle.model()
        child = min(model.moves(puzzle.start))
        frames = puzzle.frames([puzzle.start, child], model)
        data = animation.animation(puzzle, frames, "t", style("grey", arrows="both"), "gif", 200)
        assert opened(data).n_frames > 3
