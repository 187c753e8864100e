"""What is public: importable from `puzzlespace`, explained, with an example that runs; answers as text and data."""

import doctest
import importlib.util
import inspect
import json
import re
from importlib.resources import files

import numpy as np
import pytest

import puzzlespace
from places import DOCS

PUBLIC = {name: getattr(puzzlespace, name) for name in puzzlespace.__all__}
FUNCTIONS = sorted(name for name, found in PUBLIC.items() if inspect.isfunction(found))
EXAMPLES = [
    test
    for name, found in PUBLIC.items()
    if inspect.isfunction(found) or inspect.isclass(found)
    for test in doctest.DocTestFinder(recurse=False).find(found, name, globs=dict(PUBLIC))
    if test.examples
]
OUTER = {"Any", "Callable", "Iterator", "Literal", "None", "Path", "Sequence", "TypeVar"}
ALIASES = {"Bounding", "Report", "Use"}
"""Names of the package that stand for types written out in the reference."""


@pytest.fixture
def pages():
    spec = importlib.util.spec_from_file_location("reference_pages", DOCS / "reference_pages.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_list_of_public_names_is_the_one_that_is_loaded_from():
    assert set(puzzlespace.__all__) == set(puzzlespace._MODULES)
    assert (files(puzzlespace) / "py.typed").is_file()


@pytest.mark.parametrize("test", EXAMPLES, ids=[test.name for test in EXAMPLES])
def test_an_example_runs(test):
    found = doctest.DocTestRunner().run(test)
    assert (found.failed, found.attempted > 0) == (0, True)


def test_every_function_has_an_example():
    assert set(FUNCTIONS) - {test.name for test in EXAMPLES} == set()


@pytest.mark.parametrize("name", FUNCTIONS)
def test_the_types_of_a_function_are_public(name):
    told = " ".join(map(str, inspect.get_annotations(inspect.unwrap(PUBLIC[name])).values()))
    assert set(re.findall(r"\b[A-Z]\w+", told)) - OUTER - ALIASES <= set(puzzlespace.__all__)


def test_every_public_name_has_a_page_and_a_docstring(pages, tmp_path):
    pages.write(tmp_path)
    written = "".join(path.read_text(encoding="utf-8") for path in (tmp_path / pages.FOLDER).glob("*.md"))
    assert all(f":: puzzlespace.{name}\n" in written for name in puzzlespace.__all__)
    classes = [found for found in PUBLIC.values() if inspect.isclass(found)]
    assert [found for found in classes if not (found.__doc__ or "").strip()] == []


def test_docstrings_become_markup(pages):
    lines = [
        "Return `a*b` * c.",
        "",
        "one       what",
        "          is one",
        "two, three  both",
        "Raises none_.",
        ">>> f(*a)",
    ]
    assert list(pages.as_markup(lines)) == [
        "Return ``a*b`` \\* c.", "", "", "``one``", "    what", "    is one", "``two, three``", "    both", "",
        "Raises none\\_.", ">>> f(*a)",
    ]  # fmt: skip
    assert pages.inline("see docs/methods/gpu.md, `docs/cli.md`") == "see :doc:`/methods/gpu`, ``docs/cli.md``"


def answers():
    """An answer of each kind that is quick to make."""
    goat = puzzlespace.load("goat")
    yield puzzlespace.solve(goat)
    yield puzzlespace.solve(goat, limits=puzzlespace.Limits(positions=10))
    yield puzzlespace.depths("slide:3x2")
    yield puzzlespace.distance("slide:3x2", "1 2 3 / . 4 5")
    yield puzzlespace.generate("slide:3x2", 3, 2, seed=1, solutions=True)
    yield from puzzlespace.check_known("no-off-b")
    yield next(puzzlespace.targets(goat))
    yield puzzlespace.components("slide:3x2")[0]
    yield puzzlespace.solve(
        puzzlespace.Custom(moves=lambda p: [(p[0] + np.int64(1), "ab")], start=(0, "a"), goal=(9, "ab"))
    )


def test_answers_are_short_texts_and_plain_data():
    for answer in answers():
        assert isinstance(answer, puzzlespace.Result)
        assert repr(answer).startswith(f"{type(answer).__name__}(")
        assert len(repr(answer)) < 600
        told = answer.to_dict()
        assert json.loads(json.dumps(told, allow_nan=False)) == told


def test_data_of_a_solution_has_its_drawings_and_its_limit():
    answer = puzzlespace.solve("goat")
    told = answer.to_dict()
    assert (told["status"], told["moves"], len(told["path"]), told["names"]) == ("optimal", 20, 21, list(answer.names))
    assert told["path"][0] == "r - A A / I . D G / L - J W"
    assert "puzzle" not in told
    stopped = puzzlespace.solve("goat", limits=puzzlespace.Limits(positions=10), engine="plain").to_dict()
    assert stopped["stopped"]["kind"] == "positions"
    assert repr(puzzlespace.load("goat")) == "<Puzzle goat: rule slide, 12 cells>"
