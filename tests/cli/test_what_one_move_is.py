"""`solve` says what one move is if a move can be more than one step."""

import pytest

from commands import run

SIDINGS = """rule: slide
count: {count}
board:
  a   b
    s
lines:
  a-s  b-s
start:
  1   .
    .
goal:
  .   1
    .
"""


@pytest.mark.parametrize(
    ("count", "moves", "words"),
    [
        ("piece", "1 move", "One move is one piece moved along any path, however long."),
        ("run", "2 moves", "One move is one piece moved on in a straight line, however far."),
        ("step", "2 moves", None),
    ],
)
def test_a_wagon_is_shunted_from_one_siding_into_another(count, moves, words, tmp_path):
    file = tmp_path / "sidings.pzl"
    file.write_text(SIDINGS.format(count=count))
    code, text, _ = run("solve", str(file))
    out = text.splitlines()
    assert code == 0
    assert f": {moves} (count: {count}), proved shortest" in out[0]
    assert out[1] == (words or "")
