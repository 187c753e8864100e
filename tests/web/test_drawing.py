"""The editor of the page: a puzzle drawn by mouse and by keyboard, in step with its text."""

import random
import re
import time

import pytest

from page import BOARD, only, titled, until, write
from puzzlespace import catalogue, solve
from puzzlespace.api.loader import from_text
from puzzlespace.formats.pzl import parse
from puzzlespace.formats.pzl_rows import KEYS
from puzzlespace.games.level import GameLevel
from puzzlespace.games.reading import read_game

TRAY = """; a tray
title: Tray ; by hand
rule: slide
blocks: A
count: step
start:
  A A . .   ; the long one
  B . . .
goal: * * A A / * * * *   ; on one line
note: "kept; as it is"
"""


@pytest.fixture
def opened(visit):
    """Open the page with its editor."""

    def page(**options):
        found = visit("#ring", **{"viewport": {"width": 1440, "height": 1000}, **options})
        found.locator("#edit").click()
        return found

    return page


class Hand:
    """Draws in the editor of a page."""

    def __init__(self, page):
        self.page = page

    def middle(self, place):
        box = self.page.locator(f"#draw [data-place='{place}']").bounding_box()
        return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2

    def drag(self, *places):
        self.page.mouse.move(*self.middle(places[0]))
        self.page.mouse.down()
        for place in places[1:]:
            self.page.mouse.move(*self.middle(place), steps=3)
        self.page.mouse.up()

    def tool(self, name):
        self.page.locator(f"#draw [data-tool={name}]").click()

    def view(self, name):
        self.page.locator(f"#draw [data-view='{name}']").click()

    @property
    def text(self):
        return self.page.locator("#text").input_value()


@pytest.fixture
def hand(opened):
    """A page with the tray in its editor."""
    page = opened()
    write(page, TRAY)
    titled(page, "Tray")
    return Hand(page)


def test_a_stroke_changes_only_its_cells_in_the_text(hand):
    hand.tool("piece")
    hand.drag(6, 7)
    assert hand.text == TRAY.replace("B . . .", "B . C C").replace("blocks: A", "blocks: A C")
    until(hand.page, f"{BOARD}.at.pieces.length === 3")
    hand.tool("wall")
    hand.drag(2)
    assert "  A A # .   ; the long one\n  B . C C\n" in hand.text
    assert "goal: * * # A / * * * *   ; on one line\n" in hand.text
    until(hand.page, "!document.getElementById('mistake').hidden")  # the goal has only half of A
    hand.page.locator("#unwrite").click()
    hand.page.locator("#unwrite").click()
    assert hand.text == TRAY
    hand.page.locator("#rewrite").click()
    hand.page.get_by_role("button", name="Width: one more").click()
    hand.page.get_by_role("button", name="Height: one more").click()
    assert "  A A . . .   ; the long one\n  B . C C .\n  . . . . .\n" in hand.text
    assert "goal: * * A A * / * * * * * / * * * * *   ; on one line\n" in hand.text
    until(hand.page, f"{BOARD}.at.words.length === 15")
    assert not hand.page.locator("#mistake").is_visible()


def test_a_box_of_several_cells_is_drawn_and_moved(hand):
    text = "title: Floor\nrule: push\nstart:\n  @ $ . .\n  . $ . .\ngoal: * $ * * / * * * *\n"
    write(hand.page, text)
    titled(hand.page, "Floor")
    hand.tool("piece")
    hand.drag(2, 6)
    now = text.replace("@ $ . .", "@ $ A .").replace(". $ . .", ". $ A .")
    assert hand.text == now.replace("start:", "blocks: A\nstart:")  # without a count, which pushed boxes do not need
    until(hand.page, f"{BOARD}.at.pieces.length === 4")
    hand.tool("move")
    hand.drag(6, 7)
    assert "  @ $ . A\n  . $ . A\n" in hand.text
    hand.page.locator("#draw .palette [data-word=A]").click()
    hand.page.get_by_label("This piece never moves").click()
    assert "\nfixed: A\n" in hand.text
    assert not hand.page.locator("#mistake").is_visible()


def test_the_goal_is_one_piece_that_is_dragged_to_its_place(hand):
    hand.view("goal")
    hand.page.get_by_role("button", name="Copy of the start").click()
    hand.tool("only")
    hand.drag(4)
    assert "goal: * * * * / B * * *   ; on one line\n" in hand.text
    hand.tool("move")
    hand.drag(4, 5, 3)
    assert "goal: * * * B / * * * *   ; on one line\n" in hand.text
    hand.page.mouse.move(*hand.middle(3))
    hand.page.mouse.down()
    hand.page.mouse.move(5, 5)
    hand.page.mouse.up()
    assert "goal: * * * B /" in hand.text
    hand.view("start")
    hand.drag(0, 3)
    hand.page.evaluate("() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))")
    assert "no room" in hand.page.locator("#draw .how").text_content()
    hand.drag(0, 6)
    assert "  . . . .   ; the long one\n  B . A A\n" in hand.text
    until(hand.page, f"{BOARD}.at.distance !== null")


def test_everything_is_drawn_by_keyboard_and_typing_draws(hand):
    page = hand.page
    page.locator("#draw [data-place='0']").focus()
    for key in ("Enter", "ArrowDown", "ArrowRight", "Enter"):
        page.keyboard.press(key)
    assert "  . . . .   ; the long one\n  B A A .\n" in hand.text
    hand.tool("piece")
    page.locator("#draw [data-place='5']").focus()
    for key in ("ArrowUp", "Enter", "Shift+ArrowRight", "ArrowRight", "x", "."):
        page.keyboard.press(key)
    assert "  . C C x   ; the long one\n  . A A .\n" in hand.text
    assert "blocks: A C\n" in hand.text
    for _ in range(4):
        page.keyboard.press("Control+z")
    assert "  . . . .   ; the long one\n  B A A .\n" in hand.text
    assert page.locator("#draw [data-place='4']").get_attribute("aria-label") == "1, 2: B"
    write(page, hand.text.replace("B A A .", "D A A ."))
    assert page.locator("#draw [data-place='4']").get_attribute("aria-label") == "1, 2: D"


def test_an_error_leaves_the_last_good_board_dimmed(hand):
    page = hand.page
    write(page, TRAY.replace("  B . . .", "  B . ."))
    page.locator("#mistake").wait_for(state="visible")
    assert page.locator("#board").get_attribute("stale") is not None
    assert page.locator("#draw.broken").count() == 1
    assert page.locator("#draw [data-place]").count() == 8
    before = hand.text
    hand.drag(0, 6)
    page.locator("#draw [data-place='4']").focus()
    page.keyboard.press("Z")
    assert hand.text == before
    write(page, TRAY.replace("B . . .", "B . . Q").replace("* * * *", "* * * R"))
    until(page, "document.querySelector('#mistake').textContent.includes('R')")
    hand.view("goal")
    assert page.locator("#draw [data-place='7']").get_attribute("class") == "bad"
    write(page, TRAY)
    page.locator("#mistake").wait_for(state="hidden")
    assert page.locator("#board").get_attribute("stale") is None


def test_keys_are_offered_and_explained_in_japanese(opened):
    page = opened(locale="ja-JP")
    write(page, "")
    page.locator("#text").press_sequentially("ru")
    assert page.locator("#offers b").all_text_contents() == ["rule:"]
    page.keyboard.press("Enter")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    assert page.locator("#text").input_value() == "rule: slide along"
    assert page.locator("#offers").is_hidden()
    assert "動き方" in page.locator("#help .meaning").text_content()
    page.locator("#new").click()
    page.locator("[data-template=pegs]").click()
    titled(page, "ペグ・ソリテア")
    assert page.locator("puzzle-space .todo").text_content() == "ゴール: ペグが 1 本残る(場所は自由)。"
    page.locator("#unwrite").click()
    assert page.locator("#text").input_value() == "rule: slide along"
    page.locator("#rewrite").click()
    page.reload()
    titled(page, "ペグ・ソリテア")
    assert page.locator("#text").input_value().startswith("title: ペグ・ソリテア\nrule: jump\n")


MODULES = "a site of files has its modules in one script"

CHANGED = """async ([text, seed]) => {
  const { PuzzleFile, OPEN, NOTHING } = await import("/static/pzl.js");
  let state = seed;
  const below = (n) => (state = (state * 1103515245 + 12345) % 2147483648) % n;
  let file = new PuzzleFile(text);
  const names = Object.keys(file.drawings).filter((name) => name !== "board" && file.tokens(name));
  for (let k = 0; k < 12 && names.length; k++) {
    const name = names[below(names.length)];
    const words = file.words(name);
    const place = below(words.length);
    if (words[place] !== NOTHING) words[place] = ["A", ".", "10", "x"][below(4)];
    file = file.drawn({ [name]: words });
    if (file.solid && !below(4)) file = file.sized(file.wide + below(3) - (file.wide > 2), file.high + below(2));
  }
  return [file.text, Object.fromEntries(names.map((name) => [name, file.words(name)]))];
}"""


@only("serve", MODULES)
def test_drawings_changed_in_the_text_are_read_as_they_were_drawn(opened):
    page = opened()
    rng = random.Random(5)
    texts = [catalogue.text(name) for name in rng.sample(sorted(catalogue.names(None)), 8)]
    for text in [*texts, TRAY, "rule: slide\nstart:\n  10 #\n   . #\ngoal: . / 10"]:
        changed, drawn = page.evaluate(CHANGED, [text, rng.randrange(2**30)])
        before, after = parse(text), parse(changed)
        for name, words in drawn.items():
            number = 0 if name == "goal" else int(name.removeprefix("goal ") if name.startswith("goal ") else 1) - 1
            drawing = after.start if name == "start" else after.gates if name == "gates" else after.goals[number]
            assert [word for word in drawing.words if word != "#"] == [word for word in words if word != "#"], changed
        assert (after.titles, after.note, after.moves, after.known) == (
            before.titles, before.note, before.moves, before.known)  # fmt: skip
        assert re.findall(";.*", changed) == re.findall(";.*", text)


LANGUAGES = """async () => {
  const nested = (value) => value !== null && typeof value === "object";
  const keys = (value) => nested(value) ? Object.keys(value).map((key) => [key, keys(value[key])]) : typeof value;
  const { TERMS: { en, ja } } = await import("/static/terms.js");
  return [keys(en), keys(ja), Object.keys(en.keys), Object.keys(en.templates)];
}"""


@only("serve", MODULES)
def test_every_template_and_key_is_told_in_both_languages_and_every_template_can_be_solved(opened):
    page = opened()
    texts = page.evaluate("import('/static/templates.js').then(({ TEMPLATES }) => TEMPLATES)")
    english, japanese, keys, templates = page.evaluate(LANGUAGES)
    assert english == japanese
    assert keys == page.evaluate("import('/static/pzl.js').then(({ KEYS }) => KEYS)") == list(KEYS)
    assert templates == [*texts]
    game = read_game(texts.pop("game"))
    assert all(len(solve(GameLevel.of(game, number), engine="plain").path) > 3 for number in (1, 2))
    assert all(len(solve(from_text(text, "new.pzl", "new"), engine="plain").path) > 3 for text in texts.values())


@pytest.mark.long
def test_a_piece_is_drawn_and_moved_by_touch(opened):
    page = opened(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    hand = Hand(page)
    session = page.context.new_cdp_session(page)

    def touch(kind, *spots):
        points = [{"x": x, "y": y} for x, y in spots]
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    def drag(start, end):
        (x, y), (u, v) = hand.middle(start), hand.middle(end)
        touch("touchStart", (x, y))
        for part in range(1, 5):
            touch("touchMove", (x + part * (u - x) / 4, y + part * (v - y) / 4))
        touch("touchEnd")

    page.locator("#new").click()
    page.locator("[data-template=blocks]").click()
    hand.tool("piece")
    drag(3, 7)
    assert "  AABH\n  AACH\n  DDEE\n  FG..\n" in hand.text
    hand.tool("move")
    drag(13, 15)
    assert "  DDEE\n  F..G\n" in hand.text
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


SHOWN = """async () => {
  const { PuzzleFile } = await import("/static/pzl.js");
  const view = document.querySelector("#draw .views [aria-pressed=true]")?.dataset.view;
  const cells = [...document.querySelectorAll("#draw .cells button")].map((cell) => cell.ariaLabel.split(": ").at(-1));
  const words = view && new PuzzleFile(document.getElementById("text").value).words(view);
  if (!words || !cells.length || document.querySelector("#draw.broken, #draw.none")) return [0, 0];
  const told = { ".": "blank", "#": "wall", "*": "anything" };
  return [words.map((word) => [word, told[word] ?? word]), cells];
}"""


BUTTONS = "#draw :is(.pens, .palette, .views, .stepper) button, #draw .facts > button"


@pytest.mark.long
def test_whatever_is_done_the_drawing_shows_the_text(opened):
    rng = random.Random(11)
    page = opened()
    hand, compared = Hand(page), 0
    for turn in range(400):
        if turn % 40 == 0:
            page.evaluate(
                f"location.hash = '#{rng.choice(['klotski', 'star13', 'lights5', 'hexagram', 'rush60', 'cube:2'])}'"
            )
            time.sleep(0.5)
        seen = page.locator("#draw .cells button")
        what = rng.choice(["button", "button", "drag", "drag", "keys", "undo", "redo", "text"])
        if what == "button" and (every := [each for each in page.locator(BUTTONS).all() if each.is_visible()]):
            chosen = rng.choice(every)
            if chosen.is_enabled():
                chosen.click()
        elif what == "drag" and seen.count() and seen.first.is_visible():
            hand.drag(*(rng.randrange(seen.count()) for _ in range(2)))
        elif what == "keys" and seen.count() and seen.first.is_visible():
            seen.nth(rng.randrange(seen.count())).focus()
            for _ in range(4):
                page.keyboard.press(
                    rng.choice(["ArrowRight", "Shift+ArrowDown", "Enter", "A", "#", ".", "*", "Escape"])
                )
        elif what in ("undo", "redo"):
            page.evaluate("document.getElementById('text').focus()")
            page.keyboard.press("Control+z" if what == "undo" else "Control+y")
        elif what == "text":
            text = hand.text
            at = rng.randrange(len(text) + 1)
            write(page, text[:at] + rng.choice(["A", ".", "\n", "#", ";"]) + text[at + rng.randrange(2) :])
        time.sleep(0.03)
        words, cells = page.evaluate(SHOWN)
        if words:
            assert len(words) == len(cells)
            assert all(cell in word for word, cell in zip(words, cells, strict=True)), (turn, what, hand.text)
            compared += 1
    assert compared > 100
