"""Puzzles from text, and the message of the error in a text."""

import textwrap

import pytest

from puzzlespace.api.loader import from_text
from puzzlespace.errors import FormatError


def puzzle(text):
    """The puzzle of a file's text, which may be indented like the test."""
    return from_text(textwrap.dedent(text).strip("\n"), "test.pzl")


def mistake(text):
    """The message of the error in a file's text, without the row and the caret."""
    with pytest.raises(FormatError) as caught:
        puzzle(text)
    return str(caught.value).split("\n")[0]
