"""Count tiles on a static site, by Python in Chromium, and compare with the depth tables that are published.

    python .ci/site_counts.py PYODIDE     PYODIDE: the folder of that npm package

3x3 tiles are counted by the loop of rule programs, 3x4 tiles (239,500,800 positions) in a table of bits: in a browser
nothing else runs `windows.wasm` on the memory of its Python. Exits with 1 if a count is another one. Needs Chromium.
"""

from __future__ import annotations

import csv
import shutil
import sys
import tempfile
import time
from pathlib import Path

from click.testing import CliRunner
from playwright.sync_api import Page, TimeoutError, sync_playwright

sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "support"))

from places import DATA
from puzzlespace.cli.app import app
from webserver import serving

SIZES = ("3x3", "3x4")
PATIENCE = 300
"""Seconds to wait for a count: only a page that is wrong takes so long, even on a slow machine."""


def published(size: str) -> list[int]:
    """Return the number of positions at each depth, for moves of one tile and a blank in the corner."""
    with (DATA / "tiles_depths.csv").open(encoding="utf-8") as file:
        rows = [row for row in csv.reader(file) if row[:3] == [size, "single", "corner"]]
    return [int(row[4]) for row in rows]


def counted(page: Page, address: str, size: str) -> list[int]:
    """Return the number of positions at each depth as the page tells it."""
    page.goto("about:blank")  # an address that differs in its fragment alone is not loaded
    page.goto(f"{address}#slide:{size}")
    page.locator("#count").or_(page.locator("body[data-counted] main")).first.wait_for()
    if page.locator("#count").is_visible():
        page.locator("#count").click()
    page.locator("body[data-counted]").wait_for()
    page.evaluate("navigator.clipboard.writeText = async (text) => { window.taken = text; }")
    page.locator("#tab-depths").click()
    page.get_by_role("button", name="OEIS").click()
    return [*map(int, page.evaluate("window.taken").split(", "))]


def main() -> int:
    """Count all sizes, and return the exit code."""
    chromium, faults = shutil.which("chromium") or shutil.which("google-chrome"), 0
    with tempfile.TemporaryDirectory() as folder, serving(folder) as (address, _), sync_playwright() as started:
        words = ["site", "-q", f"{folder}/sub", "ring", "--python", sys.argv[1]]
        written = CliRunner().invoke(app, words, catch_exceptions=False)
        if written.exit_code:
            raise SystemExit(f"site_counts.py: no site: {written.output}")
        browser = started.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        page = browser.new_page(service_workers="block")
        page.set_default_timeout(1000 * PATIENCE)
        for size in SIZES:
            began, right = time.monotonic(), published(size)
            try:
                found = counted(page, address, size)
            except TimeoutError:
                said = page.locator("#depths").text_content()
                raise SystemExit(f"site_counts.py: slide:{size} is not counted; the page says {said!r}") from None
            faults += found != right
            print(f"site_counts.py: slide:{size} {sum(found):,} positions in {time.monotonic() - began:.1f} s")
            if found != right:
                print(f"    expected {right}\n    found    {found}")
        browser.close()
    return 1 if faults else 0


if __name__ == "__main__":
    raise SystemExit(main())
