"""What a release needs: the table of commands, the citation, addresses, and a script that refuses an unclean state."""

import importlib.util
import re
import shutil
import subprocess
import tomllib

import pytest

from places import ROOT
from puzzlespace import __version__
from puzzlespace.cli.app import COMMANDS


@pytest.fixture
def release():
    spec = importlib.util.spec_from_file_location("release", ROOT / ".ci" / "release.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("file", ["README.md", "README.ja.md"])
def test_the_readme_has_every_command_in_its_table(file):
    rows = re.findall(r"^\| `([a-z]+)[^|]*\|[^|]+\|$", (ROOT / file).read_text(encoding="utf-8"), re.MULTILINE)
    assert set(rows) == set(COMMANDS)


def test_groups_and_ci_ask_for_the_same_checkers():
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    for name in ("run", "../noxfile.py"):
        asked = (ROOT / ".ci" / name).read_text(encoding="utf-8")
        assert all(f'"{each}"' in asked for each in settings["dependency-groups"]["lint"])
    assert f"version: {__version__}\n" in (ROOT / "CITATION.cff").read_text(encoding="utf-8")


@pytest.fixture
def state(tmp_path):
    """A committed copy of what the script reads, ready for a release."""
    for name in ("CHANGELOG.md", "CITATION.cff", "pyproject.toml", "src/puzzlespace/contract/version.py"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, tmp_path / name)
    change(tmp_path, "CHANGELOG.md", r"^## .*", f"## {__version__}, 2026-12-01")
    change(tmp_path, "pyproject.toml", r"^(Homepage|Documentation|Source|Issues) = .*", r'\1 = "https://example.org"')
    commit(tmp_path, "init", "--quiet")
    return tmp_path


def change(root, name, pattern, words):
    text = (root / name).read_text(encoding="utf-8")
    (root / name).write_text(re.sub(pattern, words, text, flags=re.MULTILINE), encoding="utf-8")


def commit(root, *before):
    who = ["-c", "user.name=A", "-c", "user.email=a@example.org"]
    for words in (before, ("add", "-A"), ("commit", "--quiet", "-m", "x")):
        if words:
            subprocess.run(["git", *who, *words], cwd=root, check=True, capture_output=True)


def test_a_clean_state_is_released(release, state):
    assert list(release.faults(state)) == []


@pytest.mark.parametrize(
    ("name", "pattern", "words", "told"),
    [
        ("CHANGELOG.md", r"^## .*", "## 0.1.0, unreleased", "CHANGELOG.md: expected"),
        ("CHANGELOG.md", r"^## .*", "## 0.0.9, 2026-12-01", "CHANGELOG.md: expected"),
        ("CITATION.cff", r"^version: .*", "version: 9", "CITATION.cff: expected version"),
        ("pyproject.toml", r"^Source = .*", 'Source = ""', "addresses] Source: expected"),
    ],
)
def test_an_unfinished_state_is_refused(release, state, name, pattern, words, told):
    change(state, name, pattern, words)
    assert [told in each for each in release.faults(state)] == [False, True]
    commit(state)
    (only,) = release.faults(state)
    assert told in only


def test_a_version_is_released_once(release, state):
    subprocess.run(["git", "tag", f"v{__version__}"], cwd=state, check=True)
    assert list(release.faults(state)) == [f"there is a tag v{__version__} already"]


def test_the_line_of_facts_in_the_readme_is_that_of_the_package():
    about = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    versions = [each.rsplit(" ", 1)[1] for each in about["classifiers"] if each.startswith("Programming Language")]
    versions = [each for each in versions if each.startswith("3.")]
    typed = "typed" if "Typing :: Typed" in about["classifiers"] else "untyped"
    line = f"Python {versions[0]} to {versions[-1]} · {about['license']} · {typed}"
    assert line in (ROOT / "README.md").read_text(encoding="utf-8").splitlines()
    assert about["requires-python"] == f">={versions[0]}"
