"""The player in notebooks: the position goes both ways, and the script runs in a browser."""

import json

import pytest

from puzzlespace import load, solve
from puzzlespace.errors import InputError

pytest.importorskip("anywidget")
from puzzlespace.notebook import Player

FAKE = """async (kept) => {
  const heard = {}, values = { kept, shown: kept.about.start, theme: "dark", lang: "ja", moves: 0 };
  const model = { get: (key) => values[key], set: (key, value) => { values[key] = value; }, save_changes() {},
    on: (name, act) => { heard[name] = act; }, off() {} };
  const blob = new Blob([window.script], { type: "text/javascript" });
  const { default: widget } = await import(URL.createObjectURL(blob));
  await widget.render({ model, el: document.body });
  const space = document.querySelector("puzzle-space");
  await space.ready;
  const first = space.at.moves[0].to;
  await space.step();
  const played = values.shown, moves = values.moves, words = values.words;
  values.shown = first;
  heard["change:shown"]();
  await space.ready;
  return { played, moves, words, first, shown: space.position, theme: space.theme, lang: space.lang };
}"""


def test_the_position_is_set_from_text_and_read_as_a_position():
    player = Player("no-off-a")
    puzzle = load("no-off-a")
    assert player.position == puzzle.start
    child = min(puzzle.model().moves(puzzle.start))
    player.position = puzzle.line(child)
    assert player.shown == puzzle.id(child)
    player.shown = puzzle.id(puzzle.start)
    assert player.position == puzzle.start
    assert str(player.position) == puzzle.line(puzzle.start)


def test_the_position_has_the_letters_of_the_board():
    player = Player("dads")
    puzzle = load("dads")
    frame = next(each for each in solve(puzzle).frames if each.words != puzzle.view.decode(each.position))
    player.shown, player.words = puzzle.id(frame.position), list(frame.words)
    assert str(player.position) == puzzle.line(frame.position, frame.words)
    player.position = other = puzzle.line(bytes(frame.position))
    assert str(player.position) == other != puzzle.line(frame.position, frame.words)


def test_a_wrong_position_is_refused_and_the_board_stays():
    player = Player("no-off-a")
    before = player.shown
    with pytest.raises(InputError):
        player.position = "nonsense"
    with pytest.raises(InputError):
        player.position = b"\x00"
    assert player.shown == before


def test_the_widget_plays_in_a_browser_and_follows_python(browser):
    player = Player("no-off-a")
    page = browser.new_page()
    page.evaluate(f"window.script = {json.dumps(Player._esm)}")
    found = page.evaluate(FAKE, json.loads(json.dumps(player.kept)))
    puzzle = load("no-off-a")
    assert found["moves"] == 1
    assert puzzle.view.encode(found["words"]) == puzzle.read(found["played"])
    assert puzzle.read(found["played"]) in puzzle.model().moves(puzzle.start)
    assert found["shown"] == found["first"]
    assert (found["theme"], found["lang"]) == ("dark", "ja")
