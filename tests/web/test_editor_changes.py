"""The editor and the language of changes and stacks: what is offered, what is explained, where errors are shown.

On `serve` and on a site: one page of each for all tests.
"""

import pytest

from page import BOARD, until
from puzzlespace import catalogue

FALL = """rule: change
kinds:
  crate = A B
moves:
  walk: @ . -> . @              row
  push: @ crate . -> . @ crate  row
after:
  fall: crate . -> . crate      down
ground:
  .....
  ...xx
start:
  .@A..
  ...B.
goal: all crate on x
"""

BALLS = "rule: stack\nput: on equal\ntake: one\nstart:\n  R G\n  G R\n  . .\ngoal: rows alike\n"

WRONG = [
    (FALL, "walk: @ . -> . @ ", "walk: @ . -> . @ . "),
    (FALL, "push: @ crate . ", "push: @ crates . "),
    (FALL, "crate      down", "crate      downwards"),
    (FALL, "...xx", "...xxx"),
    (FALL, "all crate on x", "all crate on y"),
    (FALL, "crate = A B", "crate A B"),
    (FALL, "goal:", "forbid:\n  some @ onn x\ngoal:"),
    (BALLS, "on equal", "on equals"),
    (BALLS, "take: one", "take: two"),
    (BALLS, "rows alike", "rows like"),
    (BALLS, "  G R\n", "  G . R\n"),
]
"""A file, a part of it, and what stands there instead."""


@pytest.fixture(scope="module", params=["serve", "site"])
def page(request, browser):
    """One page with its editor for all tests of a place."""
    address = request.getfixturevalue("served" if request.param == "serve" else "site")
    faults = []
    context = browser.new_context(
        viewport={"width": 1440, "height": 1000}, reduced_motion="reduce", service_workers="block"
    )
    page = context.new_page()
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.goto(f"{address}/#wolf")
    until(page, f"{BOARD}.position")
    page.locator("#edit").click()
    yield page
    context.close()
    assert not faults


def write(page, text):
    page.locator("#text").fill(text)
    page.locator("#mistake").wait_for(state="hidden")


def typed(page, text, more):
    """Type after a text; return what is offered."""
    page.locator("#text").fill(text)
    page.locator("#text").press_sequentially(more)
    return page.locator("#offers:not([hidden]) b").all_text_contents()


@pytest.mark.parametrize(("text", "right", "wrong"), WRONG)
def test_an_error_stands_under_its_line(page, text, right, wrong):
    write(page, text)
    broken = text.replace(right, wrong, 1)
    page.locator("#text").fill(broken)
    page.locator("#mistake").wait_for(state="visible")
    changed = [k for k, (a, b) in enumerate(zip(text.split("\n"), broken.split("\n"), strict=False), 1) if a != b]
    line = next(k for k, row in enumerate(broken.split("\n"), 1) if k >= changed[0] and wrong.split("\n")[-1] in row)
    line = line - 1 if "\n" in wrong.strip() else line
    assert page.locator("#mistake").inner_text().startswith(f"{line}: ")
    box, area = page.locator("#mistake").bounding_box(), page.locator("#text").bounding_box()
    high = page.evaluate("parseFloat(getComputedStyle(document.querySelector('#text')).lineHeight)")
    assert abs(box["y"] - area["y"] - line * high) < 1.2 * high
    write(page, text)


def test_keys_of_the_rule_kind_are_offered_and_no_others(page):
    assert typed(page, "rule: change\n", "a") == ["also:", "after:"]
    assert typed(page, "rule: stack\n", "ta") == ["take:"]
    assert typed(page, "rule: change\n", "ta") == []
    assert typed(page, "rule: slide\n", "ki") == ["kinds:"]
    assert typed(page, "rule: slide\n", "nu") == []


def test_words_are_offered_after_the_keys_of_stacks(page):
    assert typed(page, "rule: stack\n", "put: on next") == ["on next larger", "on next smaller"]
    assert typed(page, "rule: stack\n", "take: sev") == ["several", "several in reverse"]


def test_directions_and_words_of_sentences_are_offered_in_rows(page):
    assert typed(page, "rule: change\nmoves:\n  ", "@ . -> . @  ri") == ["right"]
    page.keyboard.press("Enter")
    assert page.locator("#text").input_value().endswith("@ . -> . @  right")
    assert typed(page, "rule: change\nmoves:\n  ", "@ . -> . @  right if co") == [
        "count",
        "connected",
        "columns",
        "cost",
    ]
    assert typed(page, "rule: change\nforbid:\n  ", "som") == ["some"]
    assert typed(page, "rule: stack\ngoal: ", "rows ali") == ["alike"]
    assert typed(page, "rule: change\nmoves:\n  ", "ri") == []
    assert typed(page, "rule: apply\nmoves:\n  ", "a -> ri") == []


def test_keys_are_explained_as_the_rule_kind_reads_them(page):
    meaning = page.locator("#help .meaning")
    for text, told in ((FALL, "direction"), ("rule: apply\nmoves:\n  a: (b c)\n", "contents go")):
        page.locator("#text").fill(text)
        page.locator("#text").click()
        page.evaluate("document.querySelector('#text').setSelectionRange(0, 0)")
        at = text.index("moves:") + 9
        page.evaluate(f"document.querySelector('#text').setSelectionRange({at}, {at})")
        until(page, f"document.querySelector('#help .meaning').textContent.includes('{told}')")
    assert "moves" in meaning.text_content()


@pytest.mark.parametrize("name", ["wolf", "jugs853", "ballsort", "icesoko", "tilt3", "timesaver", "hanoi35"])
def test_files_of_the_language_are_drawn_in_the_editor(page, name):
    write(page, catalogue.text(name))
    until(page, f"document.getElementById('board').about.text.includes({catalogue.text(name).splitlines()[0]!r})")
    assert page.locator("#draw [data-place], #draw [data-cell]").count() > 0
    assert not page.locator("#draw.broken").count()
