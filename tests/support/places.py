"""Folders of the repository that tests read."""

from pathlib import Path

SUPPORT = Path(__file__).parent
TESTS = SUPPORT.parent
DATA = TESTS / "data"
ROOT = TESTS.parent
DOCS = ROOT / "docs"
PACKAGE = ROOT / "src" / "puzzlespace"
