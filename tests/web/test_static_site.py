"""The static site without Python: its files, what it answers with them alone, and what it says that it does not have.

Tests that take `visit` of `conftest.py` hold a site with Python and `serve` to the same.
"""

import gzip
import json
import re
import time
import zlib

import numpy as np
import pytest

from commands import run
from puzzlespace import depths, distance, load, solve
from puzzlespace.errors import LimitError
from puzzlespace.graph import explore
from puzzlespace.graph.layout import lay_out
from puzzlespace.limits.stopping import interrupted
from puzzlespace.limits.watch import Limits, overdue, watched
from puzzlespace.web import folders
from puzzlespace.web import site as sites
from puzzlespace.web.site_data import SHADES, kept
from webserver import serving

MINE = """title: My <first> puzzle
title[ja]: はじめての問題
rule: slide
count: step
start: A B . / C . .
goal: . B A / C . .
"""

SPACE = "document.querySelector('puzzle-space')"


def until(page, expression, seconds=60):
    end = time.monotonic() + seconds
    while not page.evaluate(expression):
        assert time.monotonic() < end, expression
        time.sleep(0.02)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A folder with a site below it: puzzles of the person, one counted, and two too large to be counted."""
    found = tmp_path_factory.mktemp("site")
    (found / "mine.pzl").write_text(MINE, encoding="utf-8")
    words = [
        *map(
            str,
            [
                found / "mine.pzl",
                "wolf",
                "dads",
                "14-15",
                "--title",
                "Our puzzles",
                "--address",
                "https://example.org/p",
            ],
        )
    ]
    code, told, _ = run("site", str(found / "sub"), *words, "--positions", "1000", "-q")
    assert (code, "4 puzzles" in told) == (0, True)
    return found


@pytest.fixture
def visit(browser, folder):
    """Open a page of the site; errors of scripts and requests to other hosts fail the test."""
    faults = []
    context = browser.new_context(viewport={"width": 1440, "height": 900}, reduced_motion="reduce")
    with serving(folder) as (address, asked):

        def opened(path=""):
            page = context.new_page()
            page.on("pageerror", lambda error: faults.append(str(error)))
            page.on("console", lambda said: faults.append(said.text) if "Content Security" in said.text else None)
            ours = (address, "blob:", "data:")
            page.on("request", lambda made: None if made.url.startswith(ours) else faults.append(made.url))
            page.goto(address + path)
            until(page, f"{SPACE}.at")
            return page

        opened.asked = asked
        yield opened
        context.close()
    assert faults == []


def test_a_page_of_a_puzzle_has_its_text_its_preview_and_little_to_load(folder):
    out = folder / "sub"
    page = (out / "puzzles" / "mine" / "index.html").read_text(encoding="utf-8")
    assert "<title>My &lt;first&gt; puzzle — Our puzzles</title>" in page
    assert '<meta property="og:image" content="https://example.org/p/previews/mine.png">' in page
    assert '<link rel="canonical" href="https://example.org/p/puzzles/mine/">' in page
    assert page.count('property="og:title"') == page.count('name="description"') == 1
    moves = solve(load(str(folder / "mine.pzl"))).moves
    assert f"The shortest solution has {moves} moves." in page
    assert "はじめての問題" in page
    assert (out / "previews" / "mine.png").read_bytes().startswith(b"\x89PNG")
    assert "puzzles/wolf/" in (out / "sitemap.xml").read_text()
    front = (out / "index.html").read_text(encoding="utf-8")
    assert "<title>Our puzzles</title>" in front
    named = {out / path for path in re.findall(r'(?:href|src)="\./(static/[^"]+\.(?:js|css|puzzle))"', front)}
    assert sum(len(gzip.compress(path.read_bytes())) for path in (out / "index.html", *named)) < 150_000


@pytest.mark.parametrize("name", ["wolf", "flip3"])
def test_numbers_of_the_site_are_those_of_the_library(name):
    puzzle = load(name)
    found, table = kept(puzzle).data, depths(puzzle)
    assert found["summary"]["counts"] == list(table.counts)
    assert found["table"]["positions"] == sum(table.counts) + found["summary"]["lost"]
    assert found["moves"] == solve(puzzle).moves


def test_the_map_of_the_site_has_the_places_of_the_layout():
    found = kept(load("wolf"))
    count = found.data["map"]["count"]
    planes = np.frombuffer(zlib.decompress(found.map), np.uint8)[: 12 * count].reshape(6, 2, count).astype(int)
    places = (planes[:, 0] + 256 * planes[:, 1]).reshape(2, 3, count)
    assert places.min(axis=2).tolist() == [[0, 0, 0]] * 2
    assert [each.max() for each in places] == [SHADES] * 2
    graph = explore(load("wolf"))
    expected = lay_out(graph, graph.distances(graph.goals(load("wolf").model()))).space
    low = expected.min(axis=0)
    scaled = (expected - low) * SHADES / (expected - low).max()
    assert np.allclose(sorted(map(tuple, places[0].T)), sorted(map(tuple, np.round(scaled))), atol=1)


def test_the_site_is_played_counted_and_solved_without_another_host(visit):
    page = visit()
    until(page, "document.body.dataset.counted")
    moves = page.evaluate(f"{SPACE}.at.distance")
    assert moves == page.evaluate(f"{SPACE}.model.solution({SPACE}.position).then(({{ path }}) => path.length - 1)")
    assert page.locator("h1").inner_text() == "Our puzzles"
    until(page, "document.querySelector('#map .numbers').textContent.includes('positions')")
    page.evaluate(f"{SPACE}.deal('hardest')")
    until(page, f"{SPACE}.at.distance === {SPACE}.model.deepest")
    page.locator("#browse").click()
    assert page.locator("#found li").count() == 4
    daily = page.locator("#front .daily strong").inner_text()
    page.locator("#close").click()
    page.locator("#today").click()
    until(page, f"document.getElementById('title').textContent === {json.dumps(daily)}")
    page.locator("#browse").click()
    page.locator("#search").fill("goat and cabbage")
    page.locator("#found button").first.click()
    until(page, f"{SPACE}.about.name === 'wolf'")
    assert page.locator("#told").is_hidden()
    assert not [path for path in visit.asked if "/api/" in path]


def test_what_the_site_does_not_have_the_page_finds_or_says(visit):
    page = visit("puzzles/dads/")
    until(page, f"{SPACE}.at.distance !== null && document.querySelector('#depths').textContent")
    assert page.locator("#depths").inner_text().startswith("This site does not have the answer")
    wrong = page.evaluate(f"{SPACE}.at.moves.find((move) => !move.best).to")
    page.evaluate(f"{SPACE}.position = '{wrong}'")
    until(page, f"{SPACE}.position === '{wrong}'")
    page.evaluate(f"{SPACE}.hint()")
    until(page, f"{SPACE}.at.moves.some((move) => move.best)")
    expected = distance(load("dads"), page.evaluate(f"{SPACE}.position")).distance
    assert page.evaluate(f"{SPACE}.at.distance") == expected
    page.goto(page.url.partition("#")[0] + "#dads~zzzzzzzzzzzzzzzzzzzz")
    until(page, "document.querySelector('#work').textContent.includes('position')")


def test_share_makes_a_sentence_a_picture_and_a_link_that_others_can_open(visit, folder):
    page = visit("puzzles/wolf/")
    until(page, f"{SPACE}.at.distance")
    text, best = page.locator("#share textarea"), solve("wolf").moves
    page.locator("#link").click()
    text.wait_for()
    assert text.input_value() == f"Wolf, goat and cabbage: can you do it in {best} moves? Fewer are impossible."
    assert "on this machine only" in page.locator("#share").inner_text()
    assert page.evaluate("document.querySelector('#share img').naturalWidth") == 1200
    with page.expect_download() as saved:
        page.get_by_role("button", name="Save the picture").click()
    assert saved.value.path().read_bytes().startswith(b"\x89PNG")
    page.keyboard.press("Escape")
    own = page.url.partition("puzzles/")[0]
    page.context.route("http://play.example/**", lambda route: route.fulfill(
        response=route.fetch(url=own + route.request.url.partition(".example/")[2])))  # fmt: skip
    other = page.context.new_page()
    other.goto("http://play.example/puzzles/wolf/")
    for made in range(1, best + 1):
        until(other, f"{SPACE}?.at?.distance === {best - made + 1}")
        other.evaluate(f"{SPACE}.step()")
        until(other, f"{SPACE}.trail.length === {made + 1}")
        if made not in (1, 2, best):
            continue
        other.locator("#link").click()
        other.locator("#share textarea").wait_for()
        said, link = other.locator("#share textarea").input_value().split("\n")
        assert link.startswith("http://play.example/puzzles/wolf/#wolf~")
        left = f"{made} move{'s' * (made > 1)} made, and {best - made} are needed from here."
        done = f"in {best} moves, with help, the shortest possible."
        assert said.endswith(left if made < best else done)
        other.keyboard.press("Escape")
    page.context.unroute_all(behavior="wait")


def test_what_was_shown_opens_while_the_server_is_away_and_all_of_it_as_an_app(browser, folder):
    context = browser.new_context(reduced_motion="reduce")
    page = context.new_page()
    table = "performance.getEntriesByType('resource').find(({ name }) => name.endsWith('.table')).name"
    with serving(folder) as (address, asked):
        page.goto(address + "puzzles/wolf/")
        until(page, f"{SPACE}.at && document.body.dataset.counted")
        until(page, f"caches.match({table}).then((found) => !!found)")
        page.goto(address)
        until(page, f"{SPACE}.at")
        assert not [path for path in asked if "dads" in path]
    page.goto(address + "puzzles/wolf/")
    until(page, f"{SPACE}.at && document.body.dataset.counted")
    assert page.evaluate(f"{SPACE}.at.distance") == solve("wolf").moves
    port = int(address.rstrip("/").rpartition("/")[0].rpartition(":")[2])
    with serving(folder, port) as (_, asked):
        page.goto(address)
        until(page, f"{SPACE}.at")
        page.evaluate("dispatchEvent(new Event('appinstalled'))")
        until(page, "caches.match('puzzles/dads/').then((found) => !!found)")
    page.goto(address + "puzzles/dads/")
    until(page, f"{SPACE}.at")
    assert page.evaluate(f"{SPACE}.about.name") == "dads"
    context.close()


def test_a_limit_of_one_puzzle_does_not_end_the_command(tmp_path, monkeypatch):
    seen = []

    def late(*_):
        with watched(Limits(seconds=0.001)):
            time.sleep(0.01)
            seen.append(overdue(0, 0))  # what the guard ends the command for
        raise LimitError("seconds", "late")

    monkeypatch.setattr(folders, "whole_graph", late)
    code, told, _ = run("site", str(tmp_path / "out"), "wolf", "-q")
    assert (seen[0], code, "1 puzzles" in told) == (None, 0, True)


@pytest.mark.parametrize("where", ["whole_graph", "graph_table"])
def test_ctrl_c_writes_no_site_with_parts_missing(tmp_path, monkeypatch, where):
    asked = getattr(folders, where)

    def stopped(*given):
        interrupted.append(True)
        return asked(*given)

    monkeypatch.setattr(folders, where, stopped)
    try:
        code, _, told = run("site", str(tmp_path / "out"), "wolf")
    finally:
        interrupted.clear()
    assert (code, told, (tmp_path / "out").exists()) == (130, "puzzlespace: interrupted\n", False)


def test_a_site_is_written_again_but_other_folders_are_left_alone(tmp_path):
    out = tmp_path / "out"
    sites.write(out, {"static/a/x.js": b"1", "index.html": b"1"})
    sites.write(out, {"static/b/x.js": b"2", "index.html": b"2"})
    assert sorted(str(path.relative_to(out)) for path in out.rglob("*") if path.is_file()) == [
        "index.html", "site.json", "static/b/x.js",
    ]  # fmt: skip
    (out / "site.json").write_text(json.dumps({"files": ["../kept.txt"]}))
    (tmp_path / "kept.txt").write_text("mine")
    sites.write(out, {"index.html": b"3"})
    assert (tmp_path / "kept.txt").exists()
    (out / "site.json").unlink()
    code, _, told = run("site", str(out), "wolf")
    assert (code, "found other files" in told) == (30, True)
