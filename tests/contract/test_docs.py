"""What the documents state is executed or read back."""

import doctest
import re
import subprocess
import sys

import pytest

import puzzlespace
from consoles import played
from places import PACKAGE, ROOT
from puzzlespace.api.loader import from_text
from puzzlespace.api.questions import check_known
from puzzlespace.cli.exit_codes import ExitCode
from puzzlespace.model import custom
from puzzlespace.tables import kinds


def test_the_exit_codes_of_the_documents_are_those_of_the_program():
    table = re.findall(r"^\| (\d+) \| (.+) \|$", (ROOT / "docs/cli.md").read_text(), re.MULTILINE)
    assert [(int(code), meaning) for code, meaning in table] == [(code.number, code.meaning) for code in ExitCode]


@pytest.mark.parametrize("file", ["README.md", "README.ja.md"])
def test_the_puzzle_of_the_readme_is_solved(file):
    block = re.search(r"```\n(title: Bridge.*?)```", (ROOT / file).read_text(encoding="utf-8"), re.DOTALL)
    assert block is not None
    answer = puzzlespace.solve(from_text(block.group(1), "bridge.pzl"), count=True)
    assert answer.status is puzzlespace.Status.OPTIMAL
    assert answer.moves > 1


TEACHING = ("docs/tutorials/own-puzzle.md", "docs/tutorials/how-to-say.md")

PHRASES = """rule: change
kinds:
  man = A B
  card = C D
places:
  ice = a1 b1
  snow = c1
  2 = d1
  r = a2
  o = b2
also: turn = white, paint = R, keys = 0, key = 0, go = 0, boat = L, big = 0, sand = 0, men = 3
numbers: keys 0-9, big 0-8, sand 0-7, men 0-3
moves:
  {}
start:
  A B . . .
  R N W C @
  . o o o .
  . . T F D
goal: start
"""


def phrases():
    """The rows of moves in the tables of the page that says how things are said."""
    page = (ROOT / "docs" / "tutorials" / "how-to-say.md").read_text(encoding="utf-8")
    found = re.findall(r"^\|.*\|$", page, re.MULTILINE)
    return [text for row in found for text in re.findall("`([^`]+)`", row) if re.search(r"->|^turn: \(|pour:", text)]


@pytest.mark.filterwarnings("ignore::puzzlespace.PuzzleWarning")
@pytest.mark.parametrize("row", phrases())
def test_what_the_page_says_can_be_written(row):
    assert from_text(PHRASES.format(row), "phrase.pzl").rules


def puzzles_of_pages():
    """The puzzle files of pages that teach the language, by page and title."""
    for page in ("README.md", "README.ja.md", "docs/changes.md", *TEACHING):
        for block in re.findall(r"```pzl\n(.*?)```", (ROOT / page).read_text(encoding="utf-8"), re.DOTALL):
            yield pytest.param(block, id=f"{page}: {block.split(chr(10))[0].removeprefix('title: ')}")


@pytest.mark.parametrize("text", [*puzzles_of_pages()])
def test_puzzles_of_pages_are_read_without_a_warning_and_have_their_known_numbers(text):
    puzzle = from_text(text, "mine.pzl")
    assert [each.text for each in puzzle.diagnostics if each.severity == "warning"] == []
    assert puzzlespace.solve(puzzle).moves is not None
    claims = list(check_known(puzzle))
    assert claims
    assert [claim for claim in claims if not claim.holds] == []


@pytest.mark.parametrize("file", ["README.md", "README.ja.md", "docs/methods/lower-bounds.md", "docs/environment.md"])
def test_python_examples_in_documents_run(file):
    found = doctest.testfile(str(ROOT / file), module_relative=False)
    assert found.attempted > 0
    assert found.failed == 0


def test_the_tutorial_on_games_shows_what_the_commands_print(tmp_path, monkeypatch):
    page = (ROOT / "docs/tutorials/game.md").read_text()
    monkeypatch.chdir(tmp_path)
    assert played(page, "ford.ps") == page
    assert (tmp_path / "ford.ps").read_text() == (ROOT / "examples/ford.ps").read_text()
    assert (tmp_path / "ford.pdf").stat().st_size > 10_000
    drawn = [(each / "ford-map.svg").read_text() for each in (tmp_path, ROOT / "docs/images")]
    texts = [re.findall("<text[^>]*>(.*?)</text>", each) for each in drawn]
    assert texts[0] == texts[1]


@pytest.mark.parametrize("module", [puzzlespace, custom])
def test_python_examples_in_docstrings_run(module):
    found = doctest.testmod(module)
    assert found.attempted > 0
    assert found.failed == 0


def test_every_document_that_is_linked_exists():
    for document in [*ROOT.glob("README*.md"), ROOT / "CONTRIBUTING.md", *(ROOT / "docs").rglob("*.md")]:
        for target in re.findall(r"\]\(([^)#:]+)\)", document.read_text()):
            assert (document.parent / target).exists(), f"{document.name}: {target}"


def anchors(document):
    """The anchors of the headings of a document."""
    text = re.sub(r"^```.*?^```", "", document.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
    for heading in re.findall(r"^#+ (.+)$", text, re.MULTILINE):
        yield re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


def test_every_heading_that_is_linked_exists():
    for document in [*ROOT.glob("README*.md"), ROOT / "CONTRIBUTING.md", *(ROOT / "docs").rglob("*.md")]:
        for target, anchor in re.findall(r"\]\(([^)#:\s]*)#([\w-]+)\)", document.read_text(encoding="utf-8")):
            there = (document.parent / target) if target else document
            assert anchor in set(anchors(there)), f"{document.name}: {target}#{anchor}"


def test_every_command_and_file_of_the_page_about_reliability_exists():
    page = (ROOT / "docs/reliability.md").read_text()
    named = re.findall(r"`((?:tests|benchmarks)/[\w./]+)`|`python ((?:benchmarks|tests)/[\w./]+)", page)
    modules = re.findall(r"`python -m (tests[\w.]+)", page)
    assert len(named) > 15
    assert len(modules) > 4
    for path in [*(first or second for first, second in named), *(f"{each.replace('.', '/')}" for each in modules)]:
        assert (ROOT / path).exists() or (ROOT / f"{path}.py").exists(), path


def test_commands_of_the_tests_can_be_loaded_without_pytest():
    pages = "".join((ROOT / name).read_text() for name in ("docs/reliability.md", "CONTRIBUTING.md"))
    modules = sorted(set(re.findall(r"python -m (tests[\w.]+)", pages)))
    assert len(modules) > 4
    command = [sys.executable, "-c", f"import {', '.join(modules)}"]
    found = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert (found.returncode, found.stderr) == (0, "")


CODE = [path for folder in ("src", "tests", "benchmarks", "docs") for path in sorted((ROOT / folder).rglob("*.py"))]


def missing(text):
    """The documents and their headings that a text names and that are not there: `docs/a.md`, docs/a.md ('Heading')."""
    for name, heading in re.findall(r"\b(docs/[\w./-]+\.(?:md|ipynb))(?:[^()\n]*\('([^']+)'\))?", text):
        if not (ROOT / name).exists():
            yield name
        elif heading and not re.search(rf"^#+ {re.escape(heading)}$", (ROOT / name).read_text(), re.MULTILINE):
            yield f"{name} ('{heading}')"


def test_every_document_that_code_names_exists():
    found = {path: list(missing(path.read_text(encoding="utf-8"))) for path in CODE if path.name != "test_docs.py"}
    assert {path.name: wrong for path, wrong in found.items() if wrong} == {}


def test_a_document_that_does_not_exist_is_found():
    assert list(missing("see docs/json.md and docs/methods/none.md.")) == ["docs/json.md", "docs/methods/none.md"]
    assert list(missing("docs/cli.md ('Limits')")) == []
    assert list(missing("docs/cli.md says which ('No such heading')")) == ["docs/cli.md ('No such heading')"]


def sources(*paths):
    """The years of the sources that files name, by the last author: 'Pohl 1971' is {'Pohl': {'1971'}}."""
    found = {}
    for path in paths:
        for author, year in re.findall(r"\b([A-Z][a-z]+),? ((?:19|20)\d\d)\b", path.read_text(encoding="utf-8")):
            found.setdefault(author, set()).add(year)
    return found


def test_a_source_has_the_same_year_in_docstrings_and_documents():
    named, documented = sources(*PACKAGE.rglob("*.py")), sources(*(ROOT / "docs").rglob("*.md"))
    assert named["Pohl"] == documented["Pohl"] == {"1970", "1971"}
    assert [author for author in named if author in documented and not named[author] <= documented[author]] == []


def test_the_questions_to_an_export_are_answered(tmp_path, eight, monkeypatch):
    duckdb = pytest.importorskip("duckdb")
    pytest.importorskip("pyarrow")
    text = (ROOT / "docs/tables.md").read_text()
    questions = re.findall(r"^    (SELECT .+;)$", text, re.MULTILINE)
    assert len(questions) == 2
    kinds.write_parquet(eight, puzzlespace.load("eight").model(), tmp_path / "goat.parquet")
    monkeypatch.chdir(tmp_path)
    table = puzzlespace.open_table("eight", eight)
    counts, rows = (duckdb.sql(question.replace("= 52", "= 31")).fetchall() for question in questions)
    assert counts == list(enumerate(table.counts))
    assert [table.distance(table.position(row)) for (row,) in rows] == [31, 31]
