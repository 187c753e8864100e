"""Notebooks of the static site: their texts, their cells in Python, their pages in a browser."""

import json
import subprocess
import sys
import time

import pytest
from test_static_site import SPACE, until
from test_without_arrays import BLOCKED

from commands import run
from puzzlespace import load, solve
from puzzlespace.errors import InputError
from puzzlespace.web import cells, notebooks
from puzzlespace.web import site as sites
from puzzlespace.web.inside import INTERPRETER
from webserver import serving


def book(*texts):
    """A notebook as Jupyter writes it, from (kind, text)."""
    return json.dumps({"cells": [{"cell_type": kind, "source": text.splitlines(True)} for kind, text in texts]})


@pytest.fixture
def asked():
    """Run code in a notebook: what it prints, then the answer."""
    notebook = cells.CellRunner()

    def ask(code):
        printed = []
        answer = notebook.answer(None, {"code": code}, lambda line: printed.append(line["out"]))
        return "".join(printed), {key: value for key, value in answer.items() if value != []}

    yield ask
    for name in [name for name in sys.modules if name.startswith(("IPython", "puzzlespace.notebook"))]:
        del sys.modules[name]
    cells.CellBoard.every.clear()


def test_cells_share_their_names_and_show_what_they_end_with(asked):
    assert asked("a = 2\nprint('x', end='')\na + 1") == ("x", {"shows": {"text": "3"}})
    assert asked("print(a)\nprint(a)") == ("2\n2\n", {})
    assert asked("a;") == ("", {})
    assert asked("") == ("", {})
    assert asked("def half(b):\n    return b / 0\nhalf(a)")[1] == {
        "fault": "line 3, in <module>\nline 2, in half\nZeroDivisionError: division by zero"
    }
    assert "SyntaxError" in asked("a =")[1]["fault"]
    drawn = asked("from puzzlespace import load, solve\nload('ring')")[1]["shows"]
    assert drawn["svg"].startswith("<svg")
    assert drawn["text"] == repr(load("ring"))
    said = asked("from puzzlespace.errors import UnsupportedError\nraise UnsupportedError('no plot')")
    assert said == ("", {"missing": "no plot"})


def test_a_player_is_set_by_code_and_hears_of_moves(asked):
    shows = asked("from puzzlespace.notebook import Player\nplayer = Player('ring')\nplayer")[1]["shows"]
    way = solve("ring").path
    ids = [load("ring").id(position) for position in way]
    assert (shows["player"], shows["shown"]) == (0, ids[0])
    placed = asked(f"player.position = {bytes(way[1])!r}")[1]["placed"]
    assert [each["shown"] for each in placed] == [ids[1]]
    assert asked("1")[1] == {"shows": {"text": "1"}}
    cells.CellRunner().answer(None, {"player": 0, "shown": ids[2], "words": None, "moves": 5}, lambda line: None)
    told = asked("str(player.position), player.moves")[1]["shows"]["text"]
    assert told == repr((load("ring").line(way[2]), 5))
    assert "FormatError" in asked("player.position = 'nothing'")[1]["fault"]


def test_a_text_is_read_as_markdown_and_nothing_in_it_is_taken_as_html():
    said = notebooks.markdown("# A <b>\n\nOne *two* **three** `a*b*<c>`\nfour\n\n- five\n- six\n\n    code <d>\n")
    assert said == (
        "<h1>A &lt;b&gt;</h1><p>One <em>two</em> <strong>three</strong> <code>a*b*&lt;c&gt;</code> four</p>"
        "<ul><li>five</li><li>six</li></ul><pre>code &lt;d&gt;</pre>"
    )
    links = "[a](search.ipynb) [b](../x.md) [c](https://example.org/d) [d](javascript:e)"
    assert notebooks.markdown(links, {"search"}) == (
        '<p><a href="../search/">a</a> b <a href="https://example.org/d">c</a> d</p>'
    )


def test_another_text_is_no_notebook(tmp_path):
    for text in ("{}", "[]", "no", '{"cells": [{"cell_type": 1}]}'):
        with pytest.raises(InputError, match="Jupyter"):
            notebooks.read(text, "mine")
    (tmp_path / "mine.ipynb").write_text(book(("code", "1")))
    code, _, told = run("site", str(tmp_path / "out"), "wolf", "--notebook", str(tmp_path / "mine.ipynb"), "-q")
    assert (code, "npm install pyodide" in told) == (30, True)


WORKER = """addEventListener("message", ({ data }) => {
  const { code, player } = data;
  if (code === "wait") return;
  if (code === "fail") postMessage({ fault: "NameError: x", done: true });
  else {
    if (player === undefined) postMessage({ out: `ran ${code}` });
    postMessage({ ...(code === "3" && { shows: { text: "three" } }), placed: [], done: true });
  }
});
"""


@pytest.fixture(scope="module")
def page(browser, tmp_path_factory):
    """The page of a notebook, with a worker in the place of Python."""
    folder = tmp_path_factory.mktemp("books")
    made = sites.Site(python=dict.fromkeys(INTERPRETER, b"x"))
    made.add(load("wolf"))
    texts = [("markdown", "# A lesson\n\nFirst."), *(("code", text) for text in ("1", "2", "3"))]
    made.notebooks = [notebooks.read(book(*texts), "lesson")]
    contents = made.finish()
    worker = next(name for name in contents if name.endswith("python-worker.js"))
    sites.write(folder / "sub", contents | {worker: WORKER.encode()})
    faults = []
    with serving(folder) as (address, _):
        context = browser.new_context(reduced_motion="reduce", viewport={"width": 320, "height": 700})
        found = context.new_page()
        found.on("pageerror", lambda error: faults.append(str(error)))
        found.goto(address)
        until(found, f"{SPACE}.at")
        found.locator("#notebooks a").click()
        found.locator(".run").first.wait_for()
        found.wait_for_load_state()  # its style sheets are there
        found.address = address
        yield found
        context.close()
    assert faults == []


def test_a_notebook_is_run_from_the_start_page_without_an_account(page):
    assert page.locator("h1").inner_text() == "A lesson"
    assert page.evaluate("document.documentElement.scrollWidth - innerWidth") == 0
    shown = page.locator(".shown")
    page.locator(".run").nth(1).click()  # the cell above is run before
    until(page, "document.querySelectorAll('.shown')[1].textContent === 'ran 2'")
    assert shown.all_inner_texts() == ["ran 1", "ran 2", ""]
    area = page.locator("textarea").nth(2)
    assert area.get_attribute("aria-label") == "Code, cell 4. Shift+Enter runs it."
    area.focus()
    page.keyboard.press("Shift+Enter")
    until(page, "document.querySelectorAll('.shown')[2].textContent === 'ran 3three'")
    page.locator("textarea").first.fill("fail")
    page.locator("#all").click()
    page.locator(".fault").wait_for()
    assert shown.nth(0).inner_text() == "NameError: x"
    page.locator("textarea").first.fill("wait")
    page.locator("#all").click()
    page.locator(".running").wait_for()
    page.locator("#stop").click()
    page.locator(".running").wait_for(state="detached")
    assert page.locator("#work").inner_text() == "Stopped."
    area.fill("def f():")
    area.press("Enter")
    assert area.input_value() == "def f():\n    "


def test_a_notebook_opens_while_its_server_is_away(page):
    kept = "caches.keys().then((all) => Promise.all(all.map((name) => caches.open(name).then((each) => each.keys()))))"
    names = f"{kept}.then((all) => all.flat().map(({{ url }}) => url))"
    end = time.monotonic() + 60
    while not all(any(url.endswith(name) for url in page.evaluate(names)) for name in INTERPRETER):
        assert time.monotonic() < end
        time.sleep(0.05)
    page.context.set_offline(True)
    page.reload()
    page.locator(".run").first.wait_for()
    page.locator(".run").first.click()
    until(page, "document.querySelectorAll('.shown')[0].textContent === 'ran 1'")
    page.context.set_offline(False)


CELLS = """
import json, sys
from puzzlespace.web import notebooks
found = []
for book in notebooks.shipped():
    for kind, text in book.cells:
        if kind == "code":
            lines = []
            ask(json.dumps({"task": "cell", "code": text}), lines.append)
            found.append([text, json.loads(lines[-1])])
print(json.dumps(found))
"""


@pytest.mark.long
def test_the_notebooks_that_are_shipped_run_without_arrays(tmp_path):
    program = BLOCKED[: BLOCKED.index("for question")] + CELLS
    program = 'import sys\nsys.platform = "emscripten"\n' + program
    words = [sys.executable, "-c", program, "[]"]
    done = subprocess.run(words, capture_output=True, text=True, check=False, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout.splitlines()[-1])
    assert len(found) > 20
    assert [text for text, answer in found if "fault" in answer or "error" in answer] == []
