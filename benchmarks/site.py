"""How fast a static site is: bytes and seconds to the first board, Python in the browser, tables, memory.

python benchmarks/site.py PYODIDE [--record]     PYODIDE: the folder of that npm package; needs Chromium, `playwright`

--record  write the table into docs/page.md

The site is written for a few puzzles and served by Python's plain file server in a subfolder.
"""

from __future__ import annotations

import gzip
import shutil
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

from machine import described, write
from puzzlespace.web import inside
from puzzlespace.web.site import Site

VISITS = 3
"""Visits of which the median is told, each with an empty cache."""

COUNTED = ("klotski", "slide:3x3", "century", "pancake:9", "goat", "cube2", "slide:3x4")
"""Puzzles whose whole tables are counted by Python in the browser."""

SEARCHED = ("english",)
"""Puzzles that are too large for that: a solution is searched for until a limit stops it, if it is not found."""

SPACE = "document.querySelector('puzzle-space')"

WATCHED = f"""
const look = () => {{
  if ({SPACE}?.model && {SPACE}.at) self.shownAt = performance.now();
  else setTimeout(look);
}};
look();
"""
"""Keeps the milliseconds until the first board."""

CAME = (
    "performance.getEntriesByType('resource').filter(({ responseEnd }) => responseEnd && responseEnd <= self.shownAt)"
)
"""The files that had come by then."""

ASK = """
([base, question]) => new Promise((done, failed) => {
  self.python ??= new Worker(new URL("python-worker.js", base), { type: "module" });
  const began = performance.now();
  let found = {};
  self.python.onerror = ({ message }) => failed(new Error(message));
  self.python.onmessage = ({ data }) => {
    found = { ...found, ...data };
    if (found.done) done({ ...found, took: (performance.now() - began) / 1000 });
  };
  self.python.postMessage(question);
})
"""
"""Asks Python in a worker; `took` are the seconds until the last line of the answer."""


class Plain(SimpleHTTPRequestHandler):
    """A file server that knows nothing of the site."""

    def log_message(self, *_: Any) -> None:
        """Say nothing."""


@contextmanager
def served(folder: Path) -> Iterator[str]:
    """Serve a folder; yield the address of its subfolder."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Plain, directory=str(folder)))
    threading.Thread(target=server.serve_forever, args=[0.02]).start()
    try:
        yield f"http://localhost:{server.server_port}/sub/"
    finally:
        server.shutdown()
        server.server_close()


def until(page: Any, expression: str) -> None:
    """Wait until an expression is true in the page."""
    while not page.evaluate(expression):
        time.sleep(0.01)


def visited(browser: Any, folder: Path) -> tuple[float, float, int]:
    """Return the seconds to the first board and to the first move, and the bytes that came before the board."""
    context = browser.new_context()
    context.add_init_script(WATCHED)
    page = context.new_page()
    with served(folder) as address:
        page.goto(address, wait_until="commit")
        until(page, "self.shownAt")
        page.evaluate(f"{SPACE}.step()")
        until(page, f"{SPACE}.trail.length > 1")
        move = page.evaluate("performance.now()")
        names = page.evaluate(f"[...{CAME}.map(({{ name }}) => name), location.href]")
        board = page.evaluate("self.shownAt")
        context.close()
    paths = {unquote(urlsplit(name).path).lstrip("/") for name in names}
    return board / 1000, move / 1000, sum(packed(folder, path) for path in paths)


def packed(folder: Path, path: str) -> int:
    """Return the size of a file as a server would send it, compressed; 0 for one that is not there."""
    file = folder / path
    file = file / "index.html" if file.is_dir() else file
    return len(gzip.compress(file.read_bytes())) if file.exists() else 0


def renderers() -> Iterator[Path]:
    """Yield the processes of the browser that run pages."""
    for each in Path("/proc").iterdir():
        try:
            if each.name.isdigit() and b"--type=renderer" in (each / "cmdline").read_bytes():
                yield each
        except OSError:
            continue


def held(before: set[Path]) -> int:
    """Return the most bytes that a new process of the browser has held."""
    rows = [row for each in set(renderers()) - before for row in (each / "status").read_text().splitlines()]
    return max(1024 * int(row.split()[1]) for row in rows if row.startswith("VmHWM"))


def computed(browser: Any, folder: Path) -> Iterator[tuple[str, str]]:
    """Yield what Python in the browser takes, each with its name."""
    before = set(renderers())
    page = browser.new_page()
    with served(folder) as address:
        page.goto(address)
        until(page, f"{SPACE}?.at")
        base = page.evaluate("document.querySelector('script[src]').src")

        def ask(task: str, name: str) -> dict[str, Any]:
            return page.evaluate(ASK, [base, {"task": task, "puzzle": name}])

        yield "Python ready, first answer", f"{ask('open', 'klotski')['took']:.1f} s"
        yield "memory then", f"{held(before) / 1e6:,.0f} MB"
        for name in COUNTED:
            found = ask("measure", name)
            said = f"{found['table']['states']:,} positions" if "table" in found else found["error"]["message"]
            yield f"`{name}`, whole table", f"{said}, {found['took']:.2f} s"
        for name in SEARCHED:
            found = ask("path", name)
            said = f"{len(found['moves'])} moves" if "moves" in found else found["error"]["message"]
            yield f"`{name}`, a shortest solution", f"{said}, {found['took']:.1f} s"
        yield "memory at most", f"{held(before) / 1e6:,.0f} MB"


def main(python: Path) -> None:
    """Write a site, visit it, print the table."""
    from playwright.sync_api import sync_playwright

    chromium = shutil.which("chromium")
    with tempfile.TemporaryDirectory() as name, sync_playwright() as playwright:
        folder = Path(name)
        build(folder / "sub", python)
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        boards, moves, sizes = map(sorted, zip(*(visited(browser, folder) for _ in range(VISITS)), strict=True))
        middle = VISITS // 2
        rows = [
            ("bytes to the first board, compressed", f"{sizes[middle]:,}"),
            ("first board", f"{boards[middle]:.2f} s"),
            ("first move", f"{moves[middle]:.2f} s"),
            *computed(browser, folder),
        ]
        browser.close()
    lines = ["| what | figure |", "|---|---|", *(f"| {what} | {figure} |" for what, figure in rows)]
    text = f"{described()}. Chromium without a window; the median of {VISITS} visits.\n\n" + "\n".join(lines)
    print(text)
    if "--record" in sys.argv:
        write("page.md", "benchmarks/site.py", text)


def build(out: Path, python: Path) -> None:
    """Write a site of the first puzzle with Python."""
    from puzzlespace import load
    from puzzlespace.web import site

    made = Site(python=inside.interpreter(python))
    made.add(load(site.FIRST))
    site.write(out, made.finish())


if __name__ == "__main__":
    main(Path(sys.argv[1]))
