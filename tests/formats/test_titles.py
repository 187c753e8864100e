"""Titles and authors of every format are printable, so that a converted puzzle is read again and a terminal is safe."""

import json
from html import escape

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from commands import run
from puzzlespace.api.loader import from_text, written
from puzzlespace.errors import visible

WATER = (
    '<level _name="{}">\n<environment n_columns="3" n_rows="1">\n</environment>\n'
    '<scenario n_columns="3" n_rows="1">\n<position row="0" col="0">\n<tile type="TILE_TYPE_ATOM" base="atom-h">\n'
    '<underlay>link-right</underlay>\n</tile></position>\n<position row="0" col="2">\n<tile type="TILE_TYPE_ATOM" '
    'base="atom-o">\n<underlay>link-left</underlay>\n</tile></position>\n</scenario>\n'
    '<goal n_columns="2" n_rows="1">\n<position row="0" col="0">\n<tile type="TILE_TYPE_ATOM" base="atom-h">\n'
    '<underlay>link-right</underlay>\n</tile></position>\n<position row="0" col="1">\n<tile type="TILE_TYPE_ATOM" '
    'base="atom-o">\n<underlay>link-left</underlay>\n</tile></position>\n</goal>\n</level>\n'
)
KPUZZLE = {
    "orbits": [{"orbitName": "P", "numPieces": 2, "numOrientations": 1}],
    "defaultPattern": {"P": {"pieces": [0, 1], "orientation": [0, 0]}},
    "moves": {"X": {"P": {"permutation": [1, 0], "orientationDelta": [0, 0]}}},
}
LEVEL = "#####\n#@$.#\n#####\n"
TITLED = {
    "a.atomix": lambda title: WATER.format(escape(title)),
    "a.tws": lambda title: f"Name {title}\nSet P 2 1\nSolved\nP\n1 2\nEnd\nMove X\nP\n2 1\nEnd\n",
    "a.json": lambda title: json.dumps({"name": title, **KPUZZLE}),
    "a.xsb": lambda title: f"{title}\n{LEVEL}",
    "b.xsb": lambda title: f"{LEVEL}Title: {title}\nAuthor: {title}\n",
}
"""Every format that has titles, as a file with a title."""

LETTERS = st.text(st.characters(exclude_characters="\n\r"), min_size=1, max_size=12)


@pytest.mark.parametrize("file", TITLED)
@example(title="Le\x1b[31mvel one")
@example(title='a;b \u202e\x85\u2028 \ud800 "')
@given(title=LETTERS)
@settings(max_examples=60, deadline=None)
def test_titles_are_printable_and_converted_puzzles_are_read_again(file, title):
    puzzle = from_text(TITLED[file](f"x{title}"), file)
    shown = [puzzle.title, puzzle.draft.by]
    assert all(map(str.isprintable, shown))
    assert from_text(written(puzzle), "a.pzl").draft.titles == puzzle.draft.titles
    if file != "a.xsb":
        assert puzzle.title == visible(" ".join(f"x{title}".split()))


def test_a_title_with_an_escape_sequence_is_converted_without_it(tmp_path):
    (tmp_path / "a.xsb").write_text(f"Le\x1b[31mvel one\n{LEVEL}")
    code, out, _ = run("convert", str(tmp_path / "a.xsb"))
    assert code == 0
    assert "title: Le?[31mvel one" in out
    (tmp_path / "a.pzl").write_text(out)
    assert run("solve", str(tmp_path / "a.pzl"), "-q")[0] == 0
