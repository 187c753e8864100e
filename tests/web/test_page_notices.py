"""What the page says beside the board: warnings about a text, counts that it does not begin, and nothing hidden."""

import json
import re
from random import Random

import pytest

from page import BOARD, OWN, changed, counted, titled, until, write
from puzzlespace import Limits, load, solve
from puzzlespace.api.loader import converted
from puzzlespace.formats import formats
from puzzlespace.puzzle import diagnostics
from puzzlespace.puzzle.diagnostics import Diagnostic
from puzzlespace.web import standalone, wire
from screens import fits, hidden_stays_hidden


def test_what_is_hidden_is_not_seen(visit):
    hidden_stays_hidden(visit("#ring", viewport={"width": 360, "height": 800}))


def test_a_game_fits_on_phones_and_nothing_is_under_the_tools(visit):
    page = visit("#ring")
    for name in ("ring", "pancake:7", "cube:2"):
        page.evaluate(f"location.hash = '#{name}'")
        until(page, f"{BOARD}.about.name === '{name}' && {BOARD}.at.moves.length")
        fits(page)


def test_the_place_that_a_sentence_names_is_marked_and_nothing_is_solved_before_a_move(visit):
    page = visit("#alice")
    marked = f"{BOARD}.shadowRoot.querySelectorAll('.wanted > *').length"
    until(page, f"{BOARD}.about.name === 'alice' && {marked} === 1")
    arrows = f"{BOARD}.shadowRoot.querySelectorAll('.board .exit').length"
    assert page.evaluate(arrows) == 0
    page.evaluate("location.hash = '#rush60'")
    until(page, f"{BOARD}.about.name === 'rush60' && {arrows} === 1")
    page.evaluate("location.hash = '#wolf'")
    until(page, f"{BOARD}.about.name === 'wolf' && {marked} === 0")
    told = f"{BOARD}.shadowRoot.querySelector('.status').textContent"
    page.evaluate("location.hash = '#14-15'")
    until(page, f"{told} === '0 moves · The goal cannot be reached from here.'")
    write(page, OWN[: OWN.index("goal:")] + "goal: * * / * *\n")
    until(page, f"{told} === '0 moves'")
    assert page.locator("puzzle-space .goal").is_hidden()


def test_a_puzzle_of_ones_own_is_published_with_its_proved_length(visit):
    page = visit("#ring")
    write(page, OWN)
    until(page, "document.getElementById('title').textContent === 'Mine' && document.body.dataset.counted")
    page.locator("#publish").click()
    text = page.locator("#share textarea")
    text.wait_for()
    best = page.evaluate(f"{BOARD}.at.distance")
    assert text.input_value() == f"I made a puzzle, “Mine”. Its shortest solution has {best} moves: that is proved."
    with page.expect_download() as saved:
        page.get_by_role("button", name="Save as a page").click()
    assert "<title>Mine</title>" in saved.value.path().read_text(encoding="utf-8")
    page.keyboard.press("Escape")
    page.locator("#tab-depths").click()
    assert re.search(
        r"Every one was counted, (on this machine|in this browser), in [\d.]+ s\.", page.locator("#depths").inner_text()
    )


def test_a_puzzle_that_cannot_be_solved_says_so_and_why(visit):
    page = visit("#14-15")
    until(page, "document.getElementById('work').textContent.includes('start 16 + 1 (odd)')")
    dealt = f"Promise.all(Array.from(Array(30), () => {BOARD}.model.sample({BOARD}.about.start, 'easy')))"
    assert not page.evaluate(f"{dealt}.then((all) => all.includes({BOARD}.about.start))")
    page.evaluate(f"{BOARD}.shadowRoot.querySelector('[data-do=deal]').click()")
    until(page, f"{BOARD}.position !== {BOARD}.about.start && {BOARD}.at.state === 'lost'")


PASTE = """([text, whole]) => {
  const area = document.getElementById("text");
  area.focus();
  if (whole) area.select();
  const clipboardData = new DataTransfer();
  clipboardData.setData("text/plain", text);
  return area.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
}"""


def test_other_formats_are_read_when_they_are_pasted_or_dropped_and_what_is_too_long_is_refused(visit):
    page = visit("#ring")
    page.locator("#edit").click()
    before = page.locator("#text").input_value()
    assert page.evaluate(f"""() => {{
      const [paste, text] = [{PASTE}, "x".repeat(5_000_000)], began = performance.now();
      return !paste([text, true]) && performance.now() - began < 1000;
    }}""")
    assert page.locator("#kept").inner_text() == "The file is too large."
    assert page.locator("#text").input_value() == before
    assert page.evaluate(PASTE, ["rule: slide", False])  # a part of a puzzle file is pasted as it is
    level = "#####\n#@$.#\n#####\n"
    assert not page.evaluate(PASTE, [level + "\n######\n#@ $.#\n######\n", True])
    until(page, "document.getElementById('work').textContent === 'The first of 2 levels.'")
    assert page.locator("#text").input_value().startswith("rule: push")
    until(page, f"{BOARD}.at.distance === 1")
    drop = """([name, text]) => {
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File([text], name));
      dispatchEvent(new DragEvent("drop", { dataTransfer, bubbles: true, cancelable: true }));
    }"""
    cars = converted(load("rush60"), "rushhour")
    page.evaluate(drop, ["jam.rush", cars])
    until(page, f"{BOARD}.about.cells === {load('rush60').board.cells}")
    page.evaluate(drop, ["other.txt", "nothing to play"])
    page.locator("#mistake").wait_for(state="visible")
    assert page.locator("#text").input_value() == "nothing to play"
    page.locator("#unwrite").click()
    page.locator("#mistake").wait_for(state="hidden")
    endings = page.locator("#load").get_attribute("accept").split(",")
    assert {end for each in formats() for end in each.suffixes if end.count(".") == 1} <= {*endings}


ANSWERED = re.compile(r"/(api/\w+|python)$")
"""The addresses of questions to the server, and to the Python of the site."""


def question(request):
    """What is asked, with the task."""
    body = json.loads(request.post_data or "{}")
    return {"task": request.url.rpartition("/")[2], **body}


WARNINGS = [
    {"code": "one", "text": "Each letter is a piece of one cell.", "line": 3, "column": 3, "hint": "write blocks: A"},
    {"code": "two", "text": "No goal shows the piece B.", "line": 6, "column": 3, "hint": ""},
]
NOTES = [{"code": "three", "text": "Moves are counted in steps.", "line": 0, "column": 0, "hint": ""}]
JAPANESE = {
    "warnings": [{"text": "一つ目", "hint": "手がかり"}, {"text": "二つ目", "hint": ""}],
    "notes": [{"text": "注", "hint": ""}],
}


def warned(page):
    """Let the server, or Python, say something about the text of `OWN`."""

    def answer(route):
        if question(route.request)["task"] != "open":
            route.continue_()
            return
        found, lines = route.fetch(), []
        for line in found.text().splitlines():
            told = json.loads(line)
            if "Mine" in route.request.post_data and "about" in told:
                told["about"] |= {"warnings": WARNINGS, "notes": NOTES}
                told["about"]["ja"] |= JAPANESE
            lines.append(json.dumps(told))
        route.fulfill(response=found, body="\n".join(lines))

    page.route(ANSWERED, answer)


def lines(page):
    return page.locator("#notice p").all_text_contents()


def test_warnings_stand_at_their_lines_and_above_the_board_which_is_played(visit):
    page = visit("#ring")
    assert page.locator("#notice").inner_text() == ""
    warned(page)
    write(page, OWN)
    titled(page, "Mine")
    said = [
        "3: Each letter is a piece of one cell. — write blocks: A", "6: No goal shows the piece B.",
        "Moves are counted in steps.",
    ]  # fmt: skip
    assert lines(page) == said
    assert page.locator("#notice").get_attribute("role") == "status"
    tops = page.evaluate("[...document.querySelectorAll('.remarks p')].map((each) => each.offsetTop)")
    texts = page.locator(".remarks span").all_text_contents()
    assert texts == [text.split(": ", 1)[1] for text in said[:2]]
    assert tops[1] - tops[0] == 3 * 22
    assert page.locator("#text").get_attribute("aria-invalid") is None
    assert not page.locator("#mistake").is_visible()
    assert not page.evaluate(f"{BOARD}.hasAttribute('stale')")
    counted(page)
    with changed(page):
        page.locator("puzzle-space [data-do=step]").click()
    page.locator("#text").evaluate("(area) => { area.style.height = '66px'; area.scrollTop = 44; }")
    moved = "[...document.querySelectorAll('.remarks p')].map((each) => each.offsetTop)"
    until(page, f"{moved}[0] === {tops[0] - 44}")
    page.locator("#settings summary").click()
    page.locator("#lang").select_option("ja")
    assert lines(page) == ["3: 一つ目 — 手がかり", "6: 二つ目", "注"]
    page.locator("#notice button").focus()
    page.keyboard.press("Enter")
    assert page.locator("#notice").inner_text() == ""
    page.locator("#settings summary").click()
    page.locator("#lang").select_option("en")
    assert page.locator("#notice").inner_text() == ""
    assert page.locator(".remarks p").count() == 2
    write(page, OWN.replace("  C .", "  C"))
    page.locator("#mistake").wait_for(state="visible")
    assert page.locator(".remarks p").count() == 0


@pytest.fixture
def remarked(monkeypatch):
    """A puzzle with a warning and a note."""
    monkeypatch.setitem(diagnostics.CODES, "test", "a code for tests")
    puzzle = load("ring")
    found = (
        Diagnostic("test", "It may be meant in another way.", "warning", 2, 5, "a.pzl", "row", "say which"),
        Diagnostic("test", "It was read so.", "note"),
    )
    object.__setattr__(puzzle, "diagnostics", found)
    return puzzle


def test_the_page_gets_warnings_and_notes_without_the_name_of_the_file(remarked):
    about = wire.about(remarked)
    place = {"line": 2, "column": 5, "hint": "say which"}
    assert about["warnings"] == [{"code": "test", "text": "It may be meant in another way.", **place}]
    assert about["notes"] == [{"code": "test", "text": "It was read so.", "line": 0, "column": 0, "hint": ""}]
    assert [len(about["ja"][key]) for key in ("warnings", "notes")] == [1, 1]
    assert {wire.about(load("ring"))[key] == [] for key in ("warnings", "notes")} == {True}


def test_an_exported_file_says_warnings_and_notes_below_the_board(browser, tmp_path, remarked):
    file = tmp_path / "ring.html"
    file.write_text(standalone.page(remarked), encoding="utf-8")
    page = browser.new_page()
    page.goto(file.as_uri())
    until(page, "document.querySelector('puzzle-space')?.at")
    said = ["It may be meant in another way. — say which", "It was read so."]
    assert page.locator("section p").all_text_contents()[-2:] == said
    page.close()


def test_a_hard_puzzle_opens_without_a_long_question(visit):
    cube = load("cube:3")
    position, chance = cube.anchor, Random(1)
    for _ in range(60):
        position = chance.choice(sorted(cube.model().moves(position)))
    # compiles the loops here: a process of the server that does so is ended by the limit of its question
    stopped = solve(cube, start=position, limits=Limits(positions=1_000_000))
    assert stopped.stopped is not None
    page = visit("#ring")
    asked, held = [], []
    page.on("request", lambda request: asked.append(request))
    page.evaluate(f"location.hash = '#cube:3{cube.id(position)}'")
    until(page, f"{BOARD}.about.name === 'cube:3'")
    known = f"{BOARD}.shadowRoot.querySelector('.status').textContent.includes('distance not known')"
    until(page, known)
    long = [each for each in map(question, asked) if each["task"] in ("measure", "search", "path", "map")]
    assert long
    assert all(each["brief"] for each in long)
    page.locator("#tab-depths").click()
    page.get_by_text("There are about 10^20 positions: too many to count here.").wait_for()
    assert "the goal may be nearer" in page.locator("puzzle-space .deal").inner_text()
    assert page.locator("#count").is_hidden()
    page.locator("#tab-make").click()
    assert page.locator("#make [type=range]").get_attribute("max") == "8"
    assert "Within 30 s it is made and proved" in page.locator("#make").inner_text()
    page.route(ANSWERED, lambda route: held.append(route))  # a long search
    page.locator("puzzle-space [data-do=hint]").click()
    until(page, f"{BOARD}.shadowRoot.querySelector('.status').textContent.includes('counting')")
    for each in held:
        each.fulfill(body='{"error":{"kind":"seconds","message":""},"done":true}\n')


def test_a_count_that_takes_long_is_begun_by_a_button(visit):
    page = visit("#dads")
    counted(page)
    told = []

    def estimated(route):
        if told or question(route.request)["task"] != "measure":
            route.continue_()
            return
        told.append(route)
        estimate = '{"estimate":{"positions":25955,"exact":true,"seconds":100.0},"done":true}\n'
        route.fulfill(content_type="application/x-ndjson", body=estimate)

    page.route(ANSWERED, estimated)
    page.evaluate("location.hash = '#hughes'")
    page.locator("#count").wait_for(state="visible")
    assert page.locator("#count").inner_text() == "Count all positions (about 25,955, ~2 min)"
    assert page.evaluate("document.body.dataset.counted") is None
    page.locator("#count").click()
    counted(page)
    assert not page.locator("#count").is_visible()
    page.locator("#tab-depths").click()
    assert page.locator("#depths .bars button").count() > 1
