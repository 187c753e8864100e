"""Games in a real browser: played by keys, buttons and swipes, messages, the next level, reload, the editor."""

import pytest

pytest.importorskip("starlette", reason="the extra `web` is not installed")
pytest.importorskip("uvicorn", reason="the extra `web` is not installed")

from commands import run
from page import BOARD, fragment, until
from pushing import game
from puzzlespace.web.inside import INTERPRETER
from webserver import running, serving

SHADOW = f"{BOARD}.shadowRoot"
SAYING = game(
    rules="[ > Player | Crate ] -> [ > Player | > Crate ]\n[ > Player | Wall ] -> cancel message Ouch\n",
    levels="#######\n#p*.o.#\n#.....#\n#######\n\nmessage Well done\n\n######\n#p*.o#\n######\n\nmessage The end",
)


@pytest.fixture
def opened(visit):
    """Open a level of a game."""
    return lambda text, level=1, **options: visit(fragment(text) + f"@{level}" * (level > 1), **options)


def press(page, *keys):
    for key in keys:
        page.keyboard.press(key)


def status(page):
    return page.locator("puzzle-space .status").text_content()


def message(page):
    return until(page, f"{SHADOW}.querySelector('.message:not([hidden]) p')?.textContent")


def test_a_game_is_played_to_its_end(opened):
    page = opened(SAYING)
    assert page.locator("#title").inner_text() == "Two crates, level 1"
    press(page, "w")
    assert message(page) == "Ouch"
    press(page, "ArrowDown", "x")
    press(page, "ArrowDown", "z")
    until(page, f"{BOARD}.position === '~00' && {BOARD}.trail.length === 1")
    press(page, "d", "ArrowRight")
    until(page, f"{BOARD}.at.goal")
    assert "Solved! 2 moves" in status(page)
    press(page, " ")
    assert message(page) == "Well done"
    until(page, "location.hash.endsWith('@2')")
    press(page, "Enter", "d", "a", "r", "d")
    until(page, f"{BOARD}.trail.length === 2 && {BOARD}.position !== '~00'")
    here = page.evaluate(f"{BOARD}.position")
    until(page, f"location.hash.endsWith('@2{here}')")
    page.reload()
    until(page, f"{BOARD}.position === '{here}' && {BOARD}.trail.length === 2")
    press(page, "d")
    assert message(page) == "The end"


def test_a_hint_a_solution_and_where_one_is_stuck(opened):
    page = opened(game())
    until(page, "document.body.dataset.counted || !document.getElementById('count').hidden")
    if page.locator("#count").is_visible():  # on a site nobody counts a game unasked
        page.locator("#count").click()
    until(page, "document.body.dataset.counted")
    assert "from 9 of them the goal cannot be reached" in page.locator("#depths").inner_text()
    press(page, "h")
    until(
        page,
        f"{SHADOW}.querySelector('.pad .R.best') && {SHADOW}.querySelector('.status').textContent.includes('right')",
    )
    page.locator("#depths .gallery button").click()
    until(page, f"{BOARD}.at.state === 'lost'")
    assert "cannot be reached" in status(page)
    page.locator("puzzle-space [data-do=undo]").click()
    until(page, f"{BOARD}.at.distance === 2")
    page.locator("puzzle-space [data-do=solve]").click()
    until(page, f"{SHADOW}.querySelectorAll('.solution [data-which=best]').length === 2")


def test_buttons_and_swipes_on_a_phone(opened):
    page = opened(game(), viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    page.locator("puzzle-space .pad [data-input=D]").tap()
    until(page, f"{BOARD}.trail.length === 2")
    box = page.locator("puzzle-space .cells button").bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 60, y + 5, steps=3)
    page.mouse.up()
    until(page, f"{BOARD}.trail.length === 3")
    assert page.evaluate(f"{SHADOW}.querySelector('.cells button').ariaLabel").endswith("crate: column 3 row 2")
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


def test_the_editor_plays_a_level_that_is_written(opened):
    page = opened(game(), level=2)
    page.locator("#edit").click()
    page.locator("#text").fill(game().replace("COLLISIONLAYERS", "COLLISION"))
    until(page, "document.getElementById('mistake').textContent.includes('37: expected the section COLLISIONLAYERS')")
    page.locator("#text").fill(game().replace("[ > Player |", "[ > Playr |"))
    until(page, "document.querySelector('#remarks').textContent.includes('playr')")
    page.locator("#text").fill(game(levels="p*o\n\np.*o\n\np"))
    until(page, f"{BOARD}.about.game.width === 4")
    assert page.locator("#help").is_hidden()


def test_a_server_begins_with_a_file(monkeypatch, tmp_path):
    served = []
    monkeypatch.setattr("puzzlespace.web.serving.run", lambda bounds, address, show, text: served.append(text))
    contents = {"two.txt": SAYING, "own.pzl": "rule: slide\nstart: A B .  ; mine\n", "large.ps": SAYING + "\n" * 70_000}
    for name, text in contents.items():
        (tmp_path / name).write_text(text)
    for name in ("two.txt", "own.pzl"):
        assert run("serve", str(tmp_path / name))[0] == 0
    assert run("serve", "wolf")[0] == 0
    assert served[:2] == [contents["two.txt"], contents["own.pzl"]]
    assert "rule: change" in served[2]
    for word, told in (("large.ps", "at most 65,536 bytes"), ("none.txt", "none.txt"), ("two.txt#2", "PuzzleScript")):
        code, _, said = run("serve", str(tmp_path / word))
        assert (code > 0, told in said) == (True, True)
    assert "expected a puzzle that a puzzle file can express" in run("serve", "hanoi:3,4")[2]


def test_the_page_opens_with_the_game_with_which_its_server_was_started(browser):
    with running(text=SAYING) as visitor:
        page = browser.new_page(service_workers="block")
        page.goto(visitor.address)
        until(page, f"{BOARD}.position")
        assert page.locator("#title").inner_text() == "Two crates, level 1"
        page.close()


def test_a_site_has_the_levels_of_a_game(browser, tmp_path):
    (tmp_path / "two.txt").write_text(SAYING)
    code, _, told = run("site", str(tmp_path / "none"), str(tmp_path / "two.txt"))
    assert (code > 0, "games are played by Python in the browser" in told) == (True, True)
    for name in INTERPRETER:
        (tmp_path / name).write_text("")
    code, _, told = run("site", str(tmp_path / "sub"), str(tmp_path / "two.txt"), "--python", str(tmp_path))
    assert (code, "two: 2 levels, 2 solved" in told) == (0, True)
    assert "The shortest solution has 2 moves." in (tmp_path / "sub/puzzles/two/index.html").read_text()
    with serving(tmp_path) as (address, _):
        context = browser.new_context(reduced_motion="reduce", service_workers="block")
        page = context.new_page()
        page.goto(address)
        until(page, f"document.body.dataset.counted && {BOARD}.at.distance === 2")
        assert "from 9 of them the goal cannot be reached" in page.locator("#depths").inner_text()
        page.locator("puzzle-space .course button").last.click()
        assert message(page) == "Well done"
        until(page, "location.hash === '#two@2' && document.body.dataset.counted")
        assert page.evaluate(f"{BOARD}.about.text.includes('message The end')")
        context.close()
