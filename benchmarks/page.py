"""How fast the page answers: its size, 100 visitors at a time, distances of moves, the first board, Klotski's map.

python benchmarks/page.py [quick]        the last two need Chromium and `playwright`; quick: no table of the puzzles
"""

from __future__ import annotations

import gzip
import http.client
import json
import random
import re
import shutil
import subprocess
import sys
import threading
import time

from machine import described
from puzzlespace import catalogue
from puzzlespace.web.app import static_files

MOVES = 12
"""Moves tried for each puzzle."""

VISITORS, SECONDS, THOUGHT = 100, 25, (0.5, 1.5)
"""Visitors at a time, for how long they play, and the seconds that they think between two moves."""


def ask(port: int, task: str, question: dict, source: str = "127.0.0.1") -> dict:
    """Return all lines of an answer to an address in one; raw bytes are left out."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=300, source_address=(source, 0))
    connection.request("POST", f"/api/{task}", json.dumps(question), {"Content-Type": "application/json"})
    answer, found = connection.getresponse(), {}
    while line := answer.readline():
        found |= json.loads(line)
        answer.read(found.pop("bytes", 0))
    return found


def main() -> None:
    """Start a server, ask, print."""
    command = [sys.executable, "-m", "puzzlespace", "serve", "--port", "0", "--seconds", "20"]
    server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        assert server.stdout is not None
        address = server.stdout.readline().split()[2]
        port = int(address.rstrip("/").rpartition(":")[2])
        print(described(), end="\n\n")
        sizes()
        play(port)
        if "quick" not in sys.argv:
            table(port)
        browse(address)
    finally:
        server.terminate()
        server.wait()


def sizes() -> None:
    """Print how large the script and the style sheets of the page are."""
    files = static_files()[0]
    found = [files[name] for name in re.findall(r'/static/\w+/(\S+\.(?:css|js))"', files["index.html"].decode())]
    packed = sum(len(gzip.compress(content)) for content in found)
    print(f"script and style: {len(found)} files, {sum(map(len, found)):,} bytes, compressed {packed:,}\n")


def play(port: int) -> None:
    """Print how fast visitors at different addresses get the first board and the position after each move."""
    end = time.perf_counter() + SECONDS
    opened: list[float] = []
    moved: list[float] = []
    busy: list[dict] = []

    def timed(times: list[float], *question: object) -> dict:
        began = time.perf_counter()
        answer = ask(port, *question)
        times.append(time.perf_counter() - began)
        if "error" in answer:
            busy.append(answer["error"])
        return answer

    def visit(number: int) -> None:
        dice = random.Random(number)
        source = f"127.0.{1 + number // 100}.{1 + number % 100}"
        puzzle = {"puzzle": dice.choice(catalogue.names())}
        time.sleep(dice.uniform(0, THOUGHT[1]))
        here = timed(opened, "open", puzzle, source).get("at")
        while here and here["moves"] and time.perf_counter() < end:
            time.sleep(dice.uniform(*THOUGHT))
            question = {**puzzle, "position": dice.choice(here["moves"])["to"]}
            here = timed(moved, "at", question, source)
            here = here if "moves" in here else None

    visitors = [threading.Thread(target=visit, args=[number]) for number in range(VISITORS)]
    for each in visitors:
        each.start()
    for each in visitors:
        each.join()
    print(f"{VISITORS} visitors for {SECONDS} s, a move each {THOUGHT[0]} to {THOUGHT[1]} s; {len(busy)} refused")
    for what, times in (("first board", sorted(opened)), ("move", sorted(moved))):
        median, late = times[len(times) // 2], times[len(times) * 95 // 100]
        print(f"  {what:12} {len(times):5} answers: median {median:.3f} s, 95 % {late:.3f} s, most {times[-1]:.3f} s")
    print()


def table(port: int) -> None:
    """Print how long the tables of the catalogue's puzzles take, and distances of moves afterwards."""
    print(f"{'puzzle':12} {'positions':>11} {'counted in s':>12} {'distance of a move in ms: median':>34} {'most':>5}")
    for name in catalogue.names():
        row(port, name)


def row(port: int, name: str) -> None:
    """Print how long a puzzle's table takes, and then the distances of moves on the way to its goal."""
    puzzle = {"puzzle": name}
    began = time.perf_counter()
    table = ask(port, "measure", puzzle).get("table")
    seconds = time.perf_counter() - began
    if table is None:
        print(f"{name:12} {'no table':>11}")
        return
    deep = table["depth"] if table["origin"] == "goal" else 0
    here, times = ask(port, "sample", {**puzzle, "depth": deep}), []
    for _ in range(MOVES):
        if not here["moves"]:
            break
        best = next((move for move in here["moves"] if move["best"]), here["moves"][0])
        began = time.perf_counter()
        here = ask(port, "at", {**puzzle, "position": best["to"]})
        times.append(1000 * (time.perf_counter() - began))
    times.sort()
    print(f"{name:12} {table['states']:11,} {seconds:12.2f} {times[len(times) // 2]:34.0f} {times[-1]:5.0f}")


def browse(address: str) -> None:
    """Print how long the first board and Klotski's map take in Chromium."""
    chromium = shutil.which("chromium")
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        chromium = None
    if chromium is None:
        print("\nno Chromium or no playwright: the browser is not measured")
        return
    with sync_playwright() as playwright:
        arguments = ["--no-sandbox", "--enable-unsafe-swiftshader"]
        browser = playwright.chromium.launch(executable_path=chromium, args=arguments)
        boards, maps = zip(*(seen(browser, address) for _ in range(3)), strict=True)
        print(f"\nfirst board {min(boards):.2f} s; Klotski's map, laid out and drawn, {min(maps):.2f} s (best of 3)")
        browser.close()


def seen(browser, address: str) -> tuple[float, float]:
    """Return the seconds to the first board, and from asking for the map to its first picture."""
    page = browser.new_page()
    began = time.perf_counter()
    page.goto(f"{address}#klotski", wait_until="commit")
    until(page, "document.getElementById('board')?.position")
    board = time.perf_counter() - began
    until(page, "document.body.dataset.counted")
    began = time.perf_counter()
    page.click("#tab-map")
    until(page, "!document.querySelector('.field').hidden")
    page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    found = board, time.perf_counter() - began
    page.close()
    return found


def until(page, expression: str) -> None:
    """Wait until an expression is true in the page."""
    while not page.evaluate(expression):
        time.sleep(0.01)


if __name__ == "__main__":
    main()
