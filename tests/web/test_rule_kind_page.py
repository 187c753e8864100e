"""The template for a rule kind, in a package of somebody else, is drawn and played in a real browser."""

import os

import pytest

import packages
from page import BOARD, site_of_files, titled, until, write, write_site
from puzzlespace import rules
from puzzlespace.api.loader import from_text
from puzzlespace.rules import template
from puzzlespace.web import standalone
from webserver import running

FROGS = "title: Frogs\nrule: hop\nstart: F F . T T\ngoal: T T . F F\n"
MODULE = "from puzzlespace.rules.template import KIND\n"
ENTRIES = "[puzzlespace.rules]\nhop = others_own:KIND\n"


def play(page, board):
    """Solve the puzzle by clicking pieces and the cells that they go to; return the names of the moves."""
    names = []
    while not page.evaluate(f"{board}.at.goal"):
        best = page.evaluate(f"{board}.at.moves.find((move) => move.best)")
        before = page.evaluate(f"{board}.position")
        page.locator(f"puzzle-space .cells button[data-cell='{best['piece']}']").click()
        if page.evaluate(f"{board}.at.moves.filter((move) => move.piece === {best['piece']}).length") > 1:
            page.locator(f"puzzle-space .cells button[data-cell='{best['target']}']").click()
        until(page, f"{board}.position !== '{before}' && {board}.at.state !== 'unknown'")
        names.append(best["name"])
    return names


def check(names):
    assert len(names) == 8
    assert {(name.split()[0], name.split()[-1]) for name in names} == {("F", "right"), ("T", "left")}


@pytest.fixture(params=["serve", "site"])
def address(request, tmp_path, monkeypatch):
    """The address of a page whose Python has the rule kind: that of a server, or that of the tests."""
    if request.param == "site":
        monkeypatch.setattr(rules, "RULES", (*rules.RULES, template.KIND))
        write_site(tmp_path, ["ring"])
        with site_of_files(tmp_path) as found:
            yield found
        return
    pytest.importorskip("starlette", reason="the extra `web` is not installed")
    pytest.importorskip("uvicorn", reason="the extra `web` is not installed")
    packages.write(tmp_path, "others_own", MODULE, ENTRIES)
    path = os.pathsep.join(filter(None, [str(tmp_path), os.environ.get("PYTHONPATH", "")]))
    monkeypatch.setenv("PYTHONPATH", path)
    with running() as visitor:
        yield visitor.address


def test_a_rule_kind_of_another_package_is_drawn_and_played_on_the_page(visit):
    page = visit("#ring")
    write(page, FROGS)
    titled(page, "Frogs")
    until(page, f"{BOARD}.at.state === 'known'")
    check(play(page, BOARD))
    draw(page)


def draw(page):
    """Make the puzzle from one of another kind with the drawing tool alone, with a piece more."""
    page.locator("#text").fill("title: Frogs\nrule: jump\ncount: chain\nfixed: T\nstart: F F . . T\ngoal: T . . F F\n")
    page.locator("#draw select").first.select_option(label="pieces hop")
    until(page, "document.getElementById('text').value.includes('rule: hop')")
    assert page.locator("#draw select").nth(1).locator("option").all_text_contents() == ["(not said)", "one step"]
    assert page.locator("#draw .pens button:not([hidden]) span").all_text_contents() == [
        "Move", "New piece", "Blank", "Wall"]  # fmt: skip
    page.locator("#draw .palette [data-word=T]").click()
    page.locator("#draw .cells [data-place='3']").click()
    written = page.locator("#text").input_value()
    assert written == "title: Frogs\nrule: hop\ncount: step\n; fixed: T\nstart: F F . T T\ngoal: T . . F F\n"
    page.locator("#text").press("Control+End")
    page.locator("#text").press_sequentially("r")
    assert "`" not in page.locator("#help").inner_text()


def test_the_template_is_played_in_an_exported_file(browser, tmp_path, monkeypatch):
    monkeypatch.setattr(rules, "RULES", (*rules.RULES, template.KIND))
    file = tmp_path / "frogs.html"
    file.write_text(standalone.page(from_text(FROGS, "frogs.pzl")), encoding="utf-8")
    faults = []
    page = browser.new_page(reduced_motion="reduce")
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.goto(file.as_uri())
    until(page, "document.querySelector('puzzle-space')?.at")
    check(play(page, "document.querySelector('puzzle-space')"))
    page.close()
    assert faults == []
