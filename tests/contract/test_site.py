"""The documentation's own programs: catalogue pages from the puzzle files, tutorials, and the site."""

import importlib.util
import os
import subprocess
import sys

import pytest

from places import DOCS
from puzzlespace import catalogue, load


@pytest.fixture
def pages():
    spec = importlib.util.spec_from_file_location("catalogue_pages", DOCS / "catalogue_pages.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_every_puzzle_has_a_page_with_its_names_numbers_and_picture(pages, tmp_path):
    pages.write(tmp_path)
    folder = tmp_path / pages.FOLDER
    listed = (folder / "index.md").read_text(encoding="utf-8").split("\n")
    for name in catalogue.names(None):
        assert name in listed
        shown = (folder / f"{name}.md").read_text(encoding="utf-8")
        puzzle = load(name)
        assert shown.startswith(f"# {puzzle.title}\n")
        assert all(title in shown for _, title in puzzle.titles)
        assert catalogue.text(name).rstrip() in shown
        assert (folder / f"{name}.svg").exists() == (puzzle.anchor is not None)
    assert "箱入り娘" in (folder / "klotski.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("book", sorted(DOCS.glob("tutorials/*.ipynb")), ids=lambda book: book.stem)
def test_a_tutorial_runs_from_beginning_to_end(book):
    client, nbformat = pytest.importorskip("nbclient"), pytest.importorskip("nbformat")
    notebook = nbformat.read(book, 4)
    client.NotebookClient(notebook, timeout=600, kernel_name="python3").execute()
    ran = [cell for cell in notebook.cells if cell.cell_type == "code"]
    assert all(cell.execution_count for cell in ran)
    assert not [output for cell in ran for output in cell.outputs if output.output_type == "error"]


def test_the_site_is_built_without_a_warning(tmp_path):
    pytest.importorskip("myst_nb")
    built = subprocess.run(
        [sys.executable, "-m", "sphinx", "-q", "-W", str(DOCS), str(tmp_path)],
        env={**os.environ, "TUTORIALS": "off"}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert (built.returncode, built.stderr) == (0, "")
    assert (tmp_path / "catalogue" / "klotski.html").exists()
