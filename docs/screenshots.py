"""Make the pictures of the page in docs/images: python docs/screenshots.py [NAME ...].

Needs Chromium, the extra `test`, and for the picture of a notebook the npm package pyodide.
"""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
import time
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent / "tests" / "support"))

from puzzlespace import load  # noqa: E402 - after the path of the tests
from puzzlespace.web import notebooks, site  # noqa: E402
from puzzlespace.web.inside import interpreter  # noqa: E402
from webserver import running, serving  # noqa: E402 - it is a module of the tests

WIDE, PHONE = {"width": 1440, "height": 900}, {"width": 390, "height": 844}
SPACE = "document.querySelector('puzzle-space')"


def until(page: Page, expression: str) -> None:
    """Wait until an expression is true in the page."""
    end = time.monotonic() + 60
    while not page.evaluate(expression):
        if time.monotonic() > end:
            raise SystemExit(f"screenshots.py: not within 60 s: {expression}")
        time.sleep(0.05)


def beside_the_map(page: Page) -> None:
    """Some moves, with the map drawn."""
    until(page, "document.querySelector('#map .field').hidden === false")
    for _ in range(7):
        page.evaluate(f"{SPACE}.step()")
    time.sleep(1.5)


def solution(page: Page) -> None:
    """The solution beside the moves made."""
    page.evaluate(f"{SPACE}.step().then(() => {SPACE}.step()).then(() => {SPACE}.open())")
    until(page, f"!{SPACE}.shadowRoot.querySelector('.solution').hidden")


def gallery(page: Page) -> None:
    """The gallery, with all its pictures."""
    page.locator("#browse").click()
    page.locator("#found button").first.wait_for()
    time.sleep(1.5)


def editor(page: Page) -> None:
    """The editor with the drawn goal."""
    page.locator("#edit").click()
    page.locator("#draw [data-view=goal]").click()
    page.locator("#text").click(position={"x": 60, "y": 160})
    page.evaluate("scrollTo(0, 0)")
    time.sleep(1)


def editor_phone(page: Page) -> None:
    """A piece that is being drawn."""
    page.locator("#edit").click()
    page.locator("#new").click()
    page.locator("[data-template=blocks]").click()
    page.locator("#draw [data-tool=piece]").click()
    boxes = [page.locator(f"#draw [data-place='{place}']").bounding_box() for place in (3, 7)]
    spots = [(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2) for box in boxes if box]
    page.mouse.move(*spots[0])
    page.mouse.down()
    page.mouse.move(*spots[1], steps=5)
    time.sleep(0.5)


def share(page: Page) -> None:
    """What is sent of a game that was won."""
    for _ in range(12):
        page.evaluate(f"{SPACE}.step()")
        time.sleep(0.2)
    until(page, f"{SPACE}.at.goal")
    page.locator("#link").click()
    page.locator("#share img").wait_for()
    time.sleep(0.5)


PICTURES = (
    ("page", "klotski", WIDE, "light", beside_the_map),
    ("page-gallery", "goat", WIDE, "light", gallery),
    ("page-cube", "cube:2~1RXPonQuBli", PHONE, "dark", None),
    ("page-phone", "hanoi:3,4", PHONE, "light", solution),
    ("page-share", "ring", WIDE, "light", share),
    ("page-editor", "klotski", WIDE, "light", editor),
    ("page-editor-phone", "ring", PHONE, "dark", editor_phone),
)
"""Name of the file, address of the puzzle, size, theme, and what is done before."""


PYODIDE = Path(os.environ.get("PYODIDE", "node_modules/pyodide"))
"""The folder of the npm package that is Python in a browser, for the picture of a notebook."""


def notebook(browser: Browser) -> None:
    """A notebook of a site, with its first cells run."""
    made = site.Site(python=interpreter(PYODIDE), notebooks=notebooks.shipped())
    made.add(load("wolf"))
    with tempfile.TemporaryDirectory() as folder, serving(Path(folder)) as (address, _):
        site.write(Path(folder) / "sub", made.finish())
        page = browser.new_context(viewport={"width": 1024, "height": 768}, reduced_motion="reduce").new_page()
        page.goto(f"{address}notebooks/first-puzzle/")
        page.locator(".run").nth(5).click()
        until(page, f"{SPACE}?.at?.distance")
        page.locator("#stop").wait_for(state="hidden")
        page.locator("textarea").nth(5).scroll_into_view_if_needed()
        page.mouse.wheel(0, 450)
        time.sleep(1)
        page.screenshot(path=HERE / "images" / "page-notebook.png")
        print("docs/images/page-notebook.png")


def main() -> None:
    """Write all pictures."""
    chromium = shutil.which("chromium") or shutil.which("google-chrome")
    with running() as visitor, sync_playwright() as started:
        flags = ["--no-sandbox", "--enable-unsafe-swiftshader"]
        browser = started.chromium.launch(executable_path=chromium, args=flags)
        for name, puzzle, viewport, theme, act in PICTURES:
            if sys.argv[1:] and name not in sys.argv[1:]:
                continue
            page = browser.new_context(viewport=viewport, color_scheme=theme, reduced_motion="reduce").new_page()
            page.goto(f"{visitor.address}/#{puzzle}")
            until(page, f"{SPACE}?.at && {SPACE}.at.state !== 'unknown' && document.body.dataset.counted")
            if act is not None:
                act(page)
            page.screenshot(path=HERE / "images" / f"{name}.png")
            print(f"docs/images/{name}.png")
        if not sys.argv[1:] or "page-notebook" in sys.argv[1:]:
            notebook(browser)


if __name__ == "__main__":
    main()
