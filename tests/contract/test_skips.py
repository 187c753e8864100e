"""CI fails if a test is skipped for a reason that is not on the list."""

import os
import re
import subprocess
import sys

import pytest

import skips
from places import SUPPORT

TESTS = """
import pytest

def test_that_passes():
    assert True

def test_that_is_skipped():
    pytest.skip({reason!r})
"""

LISTED = "this is the run without the compiler"


def run(folder, reason, *words, strict="1", module=False):
    """Run pytest in a folder with two tests, one skipped; return its exit status and output."""
    (folder / "conftest.py").write_text("from skips import pytest_sessionfinish, pytest_terminal_summary\n")
    (folder / "test_two.py").write_text(TESTS.format(reason=reason))
    if module:
        (folder / "test_none.py").write_text(f"import pytest\npytest.importorskip('no_such', reason={module!r})\n")
    ran = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *words],
        env={**os.environ, "PYTHONPATH": str(SUPPORT), "PUZZLESPACE_STRICT_SKIPS": strict,
             "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}, cwd=folder,
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    return ran.returncode, ran.stdout


@pytest.mark.parametrize("words", [(), ("-p", "xdist", "-n", "2")], ids=["one process", "workers"])
def test_an_unlisted_skip_fails_the_session(tmp_path, words):
    code, out = run(tmp_path, "nobody knows", *words, module="no such library")
    assert code == 1
    assert "test_two.py::test_that_is_skipped: nobody knows" in out
    assert re.search("^test_none.py: no such library$", out, re.MULTILINE)


def test_a_listed_skip_does_not(tmp_path):
    code, out = run(tmp_path, LISTED)
    assert (code, "skips.toml" in out) == (0, False)


def test_unless_asked_no_skip_does(tmp_path):
    code, out = run(tmp_path, "nobody knows", strict="")
    assert (code, "skips.toml" in out) == (0, False)


def test_the_browser_may_be_missing_only_without_root():
    reasons = [each for each in skips.allowed_skips() if each.where == "without root"]
    assert reasons
    for each in reasons:
        assert (each.allows(each.reason, root=False), each.allows(each.reason, root=True)) == (True, False)


def test_every_listed_reason_is_given_by_some_test():
    text = "".join(path.read_text(encoding="utf-8") for path in sorted(skips.TESTS.rglob("*.py")))
    for each in skips.allowed_skips():
        assert f'"{each.reason}' in text
