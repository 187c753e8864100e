"""What the documents state is executed or read back."""

import doctest
import re

import pytest

import puzzlespace
from places import ROOT
from puzzlespace.api.loader import from_text
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


@pytest.mark.parametrize("file", ["README.md", "README.ja.md", "docs/methods/lower-bounds.md"])
def test_python_examples_in_documents_run(file):
    found = doctest.testfile(str(ROOT / file), module_relative=False)
    assert found.attempted > 0
    assert found.failed == 0


@pytest.mark.parametrize("module", [puzzlespace, custom])
def test_python_examples_in_docstrings_run(module):
    found = doctest.testmod(module)
    assert found.attempted > 0
    assert found.failed == 0


def test_every_document_that_is_linked_exists():
    for document in [*ROOT.glob("README*.md"), ROOT / "CONTRIBUTING.md", *(ROOT / "docs").rglob("*.md")]:
        for target in re.findall(r"\]\(([^)#:]+)\)", document.read_text()):
            assert (document.parent / target).exists(), f"{document.name}: {target}"


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
