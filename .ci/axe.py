"""Hold the page against axe-core: every tab, theme, size and way to play, the gallery, the editor,
an exported file, a static site, and the notebooks of one with Python.

In Japanese, one theme for each size; what is shown then must have no English word.

    python .ci/axe.py AXE.MIN.JS PYODIDE     PYODIDE: the folder of that npm package

Prints every violation with the elements that it concerns, and exits with 1 if there is one. Needs Chromium.
Takes minutes; after each size and theme it says on stderr how far it is.
"""

from __future__ import annotations

import shutil
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Literal

from click.testing import CliRunner
from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "support"))

from puzzlespace import load
from puzzlespace.cli.app import app
from puzzlespace.web import notebooks, standalone
from shown_words import english_words
from webserver import running, serving

KINDS = ("klotski", "star13", "ring", "flip:3x3", "lights:3x3", "hanoi:3,3", "pancake:5", "topspin:6,4", "cube:2")
SIZES = ((1440, 900), (390, 844))
THEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")
View = tuple[tuple[int, int], Literal["light", "dark"], str]
VIEWS: list[View] = [
    *((size, theme, "en-GB") for size in SIZES for theme in THEMES),
    *((size, theme, "ja-JP") for size, theme in zip(SIZES, THEMES, strict=True)),
]
TABS = ("depths", "hardest", "make", "map", "rules")
SITE = ("klotski", "14-15")
"""The puzzles of a static site without Python: one with its distances and its map, and one that cannot be solved."""

BOOKS = [Path(__file__).parents[1] / "docs" / "tutorials" / f"{each.name}.ipynb" for each in notebooks.shipped()]
"""The notebooks of a site of the whole catalogue. The first one is run until it shows a board to play on."""

PATIENCE = 120
"""Seconds to wait for what a page shows: only a page that is wrong takes so long, even on a slow machine."""

FAMILY = "rule: slide\ncount: step\npieces:\n  A 1x2: 1\n  1x1: any\nblanks: 2 or more\ngoal:\n  ***\n  **A\n  **A\n"
SPACE = "document.querySelector('puzzle-space')"

RUN = """async () => (await axe.run(document, { resultTypes: ["violations"] })).violations.map(
  ({ id, nodes }) => [id, nodes.map(({ target, any, all }) =>
    `${target.flat().join(" ")}: ${[...any, ...all].map(({ message }) => message).join("; ")}`)])"""


def until(page: Page, expression: str) -> None:
    """Wait until an expression is true in the page."""
    end = time.monotonic() + PATIENCE
    while not page.evaluate(expression):
        if time.monotonic() > end:
            raise SystemExit(f"axe.py: not within {PATIENCE} s: {expression} at {page.url}")
        time.sleep(0.05)


class Checker:
    """Runs axe-core on pages; `faults` counts the violations."""

    def __init__(self, source: str) -> None:
        self.source, self.faults, self.checked = source, 0, 0

    def check(self, page: Page, what: str, translated: bool = True) -> None:
        """Print the violations of a page; in Japanese, English words, too, if all of it is translated."""
        page.evaluate(self.source)
        self.checked += 1
        if "ja-JP" in what and translated:
            for word, text in english_words(page):
                self.faults += 1
                print(f"{what}: English word {word!r} in {text!r}")
        for name, elements in page.evaluate(RUN):
            self.faults += 1
            print(f"{what}: {name}")
            for element in elements[:6]:
                print(f"    {element}")

    def site(self, page: Page, address: str, what: str) -> None:
        """Check a static site: each puzzle, with what a site without Python cannot do, the gallery, and sharing."""
        for name in SITE:
            page.goto(f"{address}puzzles/{name}/" if name != SITE[0] else address)
            until(page, f"{SPACE}?.at && document.querySelector('#depths').textContent")
            self.check(page, f"{what} site {name}", name == SITE[0])  # the texts of other puzzles have English words
        page.locator("#tab-make").click()
        self.check(page, f"{what} site {SITE[-1]}, make", False)
        page.goto(address)
        page.locator("#browse").click()
        page.locator("#found button").first.wait_for()
        self.check(page, f"{what} site, the gallery")
        page.locator("#close").click()
        page.locator("#link").click()
        page.locator("#share img").wait_for()
        self.check(page, f"{what} site, sharing")

    def notebooks(self, page: Page, address: str, what: str) -> None:
        """Check the notebooks of a static site, which are written in English; the first one also with answers."""
        for book in BOOKS:
            page.goto(f"{address}notebooks/{book.stem}/")
            page.locator(".run").first.wait_for()
            self.check(page, f"{what} notebook {book.stem}", False)
            if book != BOOKS[0]:
                continue
            page.locator(".cell").filter(has_text="Player(").locator(".run").first.click()
            until(page, f"{SPACE}?.at && document.querySelector('#stop').hidden")
            self.check(page, f"{what} notebook {book.stem}, run", False)

    def page(self, page: Page, address: str, kind: str, what: str) -> None:
        """Check the page of one kind: the board, and in the first kind every tab, the gallery and the editor."""
        page.goto(f"{address}/#{kind}")
        until(page, f"{SPACE}?.at && {SPACE}.at.state !== 'unknown'")
        self.check(page, f"{what} {kind}")
        page.evaluate(f"{SPACE}.hint().then(() => {SPACE}.step()).then(() => {SPACE}.open())")
        until(page, f"!{SPACE}.shadowRoot.querySelector('.solution').hidden || {SPACE}.at.goal")
        self.check(page, f"{what} {kind}, the solution")
        if kind != KINDS[0]:
            return
        until(page, "document.body.dataset.counted")
        for tab in TABS:
            page.locator(f"#tab-{tab}").click()
            self.check(page, f"{what} {kind}, {tab}")
        page.locator("#settings summary").click()
        self.check(page, f"{what} {kind}, the settings")
        page.locator("#edit").click()
        self.check(page, f"{what} {kind}, the editor")
        page.locator("#draw [data-view=goal]").click()
        page.locator("#draw [data-word]").first.click()
        self.check(page, f"{what} {kind}, the goal drawn")
        page.locator("#draw [data-view=start]").click()
        page.locator("#draw [data-word]").first.click()
        page.locator("#text").fill("rule: none of them")
        page.locator("#mistake").wait_for(state="visible")
        self.check(page, f"{what} {kind}, a mistake in the editor")
        page.locator("#text").press("End")
        page.locator("#text").press_sequentially("\nb")
        page.locator("#offers").wait_for(state="visible")
        self.check(page, f"{what} {kind}, the offered keys")
        page.locator("#new").click()
        self.check(page, f"{what} {kind}, the templates")
        page.locator("[data-template=tiles]").click()
        page.locator("#mistake").wait_for(state="hidden")
        page.locator("#text").fill(FAMILY)
        page.locator(".designed button").first.wait_for()
        self.check(page, f"{what} {kind}, a file that leaves its pieces open")
        page.evaluate("window.confirm = () => true")
        page.locator("#browse").click()
        page.locator("#found button").first.wait_for()
        self.check(page, f"{what} {kind}, the gallery")


def opened(browser: Browser, view: View) -> BrowserContext:
    """Return a context of the browser of its own, with the size, theme and language of a view."""
    (wide, high), theme, locale = view
    viewport = {"width": wide, "height": high}
    context = browser.new_context(viewport=viewport, color_scheme=theme, locale=locale, reduced_motion="reduce")
    context.set_default_timeout(1000 * PATIENCE)
    return context


def check_view(checker: Checker, browser: Browser, view: View, addresses: Sequence[str]) -> None:
    """Check everything in one size, theme and language.

    addresses  of the server, of an exported file, and of a static site
    """
    server, file, site = addresses
    what = f"{view[0][0]} {view[1]} {view[2]}"
    for kind in KINDS:
        with opened(browser, view) as context:
            checker.page(context.new_page(), server, kind, what)
    with opened(browser, view) as context:
        page = context.new_page()
        page.goto(file)
        until(page, f"{SPACE}?.at")
        checker.check(page, f"{what} exported file")
    with opened(browser, view) as context:
        page = context.new_page()
        checker.site(page, site, what)
        checker.notebooks(page, f"{site}books/", what)


def main() -> int:
    """Check all, and return the exit code."""
    checker = Checker(Path(sys.argv[1]).read_text(encoding="utf-8"))
    chromium = shutil.which("chromium") or shutil.which("google-chrome")
    began = time.monotonic()
    with (
        running() as visitor,
        sync_playwright() as started,
        tempfile.TemporaryDirectory() as folder,
        serving(folder) as (site, _),
    ):
        browser = started.chromium.launch(
            executable_path=chromium, args=["--no-sandbox", "--enable-unsafe-swiftshader"]
        )
        file = Path(folder) / "file.html"
        file.write_text(standalone.page(load("flip3")), encoding="utf-8")
        books = [word for book in BOOKS for word in ("--notebook", str(book))]
        for words in (["sub", *SITE], ["sub/books", SITE[0], "--python", sys.argv[2], *books]):
            written = CliRunner().invoke(
                app, ["site", "-q", f"{folder}/{words[0]}", *words[1:]], catch_exceptions=False
            )
            if written.exit_code:
                raise SystemExit(f"axe.py: no site: {written.output}")
        for view in VIEWS:
            check_view(checker, browser, view, (visitor.address, file.as_uri(), site))
            seconds = time.monotonic() - began
            print(f"axe.py: {checker.checked} views after {seconds:.0f} s", file=sys.stderr, flush=True)
    print(f"axe-core: {checker.checked} views, {checker.faults} violations")
    return 1 if checker.faults else 0


if __name__ == "__main__":
    raise SystemExit(main())
