"""The page in a browser: from `serve`, and from a site of files whose Python is that of the tests.

`tests/web/conftest.py` has the fixtures: a test that takes `visit` runs on both, unless it says `only` one.
"""

import base64
import time
import zlib
from contextlib import contextmanager

import pytest

from puzzlespace import load
from puzzlespace.limits.watch import Limits
from puzzlespace.web import inside
from puzzlespace.web import site as sites
from puzzlespace.web.drawings import families
from webserver import WORKER, serving

BOARD = "document.getElementById('board')"

OWN = "title: Mine\nrule: slide\nstart:\n  A B\n  C .\ngoal:\n  . A\n  C B\n"

ON_THE_SITE = (
    "klotski", "no-off-a", "ring", "cube2", "goat", "motor-car", "star13", "dads", "wolf", "14-15", "jugs853",
    "hanoi35", "icesoko", "tank",
)  # fmt: skip
"""The puzzles of the site of the tests. What others ask for is answered by Python."""


def write_site(folder, names=ON_THE_SITE):
    """Write a site of some puzzles to `sub` below a folder."""
    made = sites.Site(python=dict.fromkeys(inside.INTERPRETER, b""), most=30_000, limits=Limits(seconds=2))
    for name in names:
        made.add(load(name))
    made.families = families()
    contents = made.finish()
    worker = next(path for path in contents if path.endswith("python-worker.js"))
    sites.write(folder / "sub", contents | {worker: WORKER.encode()})


@contextmanager
def site_of_files(folder):
    """Serve a site by a plain file server in a subfolder; the tests' own Python stands for that of the browser."""
    with serving(folder, python=inside.asker()) as (address, _):
        yield address.rstrip("/")


def only(place, why):
    """Let a test run on `serve` or on the site only; `why` says why the other one cannot have it."""
    assert why
    return pytest.mark.parametrize("address", [place], indirect=True)


PLACES = ("file", "serve", "site")
"""Where the player is: in an exported file, or on the page."""


def fragment(text):
    """Return the part of an address that has a text of one's own."""
    packing = zlib.compressobj(9, zlib.DEFLATED, -15)
    packed = packing.compress(text.encode()) + packing.flush()
    return f"#.{base64.urlsafe_b64encode(packed).decode().rstrip('=')}"


def until(page, expression, seconds=60):
    """Wait until an expression is true in the page and return its value (the page's policy forbids other ways)."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        found = page.evaluate(expression)
        if found:
            return found
        time.sleep(0.02)
    raise AssertionError(f"not within {seconds} s: {expression}")


def counted(page):
    """Wait until the distances of all positions are known."""
    until(page, "document.body.dataset.counted")
    until(page, f"{BOARD}.at.state !== 'unknown'")


def titled(page, title):
    """Wait until a puzzle of this title is shown."""
    until(page, f"document.getElementById('title').textContent === '{title}'")


def write(page, text):
    """Write a puzzle file into the editor, which is opened if need be."""
    if not page.locator("#text").is_visible():
        page.locator("#edit").click()
    page.locator("#text").fill(text)


def position(page):
    return page.evaluate(f"{BOARD}.position")


def distance(page):
    return page.evaluate(f"{BOARD}.at.distance")


def cell(page, number):
    return page.locator(f"puzzle-space .cells button[data-cell='{number}']")


def middle(control):
    box = control.bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


@contextmanager
def changed(page):
    """Wait for another position than the one shown."""
    before = position(page)
    yield
    until(page, f"{BOARD}.position !== '{before}'")
