"""Puzzles from text for tests: what the loader does with a file, and the message of the error it ends in."""

import textwrap

import pytest

from puzzlespace.api.loader import from_text
from puzzlespace.errors import FormatError


def puzzle(text):
    """The puzzle of a file's text, indented as the test is."""
    return from_text(textwrap.dedent(text).strip("\n"), "test.pzl")


def mistake(text):
    """The message of the error in a file's text, without the row and the caret."""
    with pytest.raises(FormatError) as caught:
        puzzle(text)
    return str(caught.value).split("\n")[0]
