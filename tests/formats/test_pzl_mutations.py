"""Puzzle files with one mistake: the same puzzle, or refused, or doubted, but for what nobody can notice."""

import re
import warnings
from collections import Counter
from pathlib import Path
from random import Random

import pytest

import puzzlespace
from puzzlespace import PuzzleWarning
from puzzlespace.api.loader import from_text
from puzzlespace.errors import FormatError
from puzzlespace.formats.pzl_rows import TEXTS

SOURCE = Path(puzzlespace.__file__).parent
FILES = sorted([*(SOURCE / "catalogue").rglob("*.pzl"), *(SOURCE.parents[1] / "examples").rglob("*.pzl")])
LETTERS = "abAB12.#*-:;xo"
COUNT = 150

UNNOTICED = {
    "without start": "a puzzle without a start can be counted; solve asks for one",
    "without goal": "a puzzle without a goal can be counted from its start; solve asks for one",
    "without count": "the metrics have the same answers, or there is one by default",
    "without edge": "pieces stop at the edge by default",
    "without fixed": "the walls are pieces then",
    "without gates": "every piece may enter then",
    "without ground": "a board without walls",
    "without one-way": "every move may be undone then",
    "without tilt": "pieces glide one by one then",
    "without diagonals": "rows and columns only",
    "letter in start": "another piece or blank in a cell, or another name of a piece that no goal shows",
    "letter in goal": "another goal for the same pieces",
    "letter in moves": "another name of a move, or another cell in it",
    "letter in links": "another neighbour",
    "letter in ground": "another wall or stop cell",
    "letter in gates": "another gate",
    "letter in board": "another name of a cell that no key uses",
    "letter in lines": "another line",
    "letter in fixed": "another symbol never moves",
    "short row in board": "another name of a cell that no key uses",
    "short row in goal": "a pattern of `anywhere:` without its last piece, or blanks at the end of its row",
    "short row in moves": "a move without its last cell",
    "short row in links": "a cell without its last neighbour",
    "short row in lines": "a line without its last cell",
    "without lines": "the lines of the grid",
    "without after": "nothing happens by itself",
    "without put": "everything may be put on everything",
    "without take": "one piece at a time",
    "without between": "between all rows",
    "letter in kinds": "another symbol of a kind",
    "letter in places": "another cell of a place",
    "letter in also": "another symbol in a cell beside the board",
    "letter in numbers": "another range",
    "letter in after": "another symbol, direction or condition of what happens by itself",
    "letter in order": "another order",
    "letter in between": "another pair of rows",
    "short row in kinds": "a kind without the last letter of a symbol",
    "short row in places": "a place without the last letter of a cell",
    "short row in after": "a shorter symbol or direction",
    "short row in forbid": "a shorter symbol",
}
"""Mistakes that make another puzzle that somebody could have meant; all others are noticed."""


def mutants(text, chance):
    """All mistakes of one kind each: a key left out, a letter changed, a row shortened."""
    lines = text.splitlines(keepends=True)
    keys = [number for number, line in enumerate(lines) if line[0].isalpha()]
    for begin, end in zip(keys, [*keys[1:], len(lines)], strict=True):
        yield f"without {key_of(lines[begin])}", "".join(lines[:begin] + lines[end:])
    key = ""
    for number, line in enumerate(lines):
        key = key_of(line) or key
        inside = line.find(":") if line[0].isalpha() else -1
        for at, letter in enumerate(line.rstrip("\n") if key not in (*TEXTS, "known", "picture") else ""):
            if not letter.isspace():
                other = chance.choice(LETTERS.replace(letter, ""))
                changed = line[:at] + other + line[at + 1 :]
                kind = "letter of a key" if at <= inside else f"letter in {key}"
                if changed[0] == ";" and not indented(lines[number + 1 :]):
                    kind = f"without {key}"
                yield kind, "".join([*lines[:number], changed, *lines[number + 1 :]])
        if line[0].isspace() and line.strip():
            shorter = line.rstrip()[:-1] + "\n"
            yield f"short row in {key}", "".join([*lines[:number], shorter, *lines[number + 1 :]])


def indented(lines):
    return bool(lines) and lines[0][0].isspace()


def key_of(line):
    found = re.match(r"[a-z][a-z-]*", line)
    return found[0] if found else ""


def read(text, name):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", PuzzleWarning)
        return from_text(text, name)


def meaning(puzzle):
    return puzzle.rules, puzzle.start, puzzle.goals, puzzle.metrics, puzzle.board.names


def outcome(text, file, right):
    """What becomes of a mutant: 'refused' with a line, 'the same', 'doubted' or 'another'."""
    try:
        puzzle = read(text, file.name)
    except FormatError as error:
        return "refused" if error.line else "no line"
    if meaning(puzzle) == right:
        return "the same"
    return "doubted" if any(each.severity == "warning" for each in puzzle.diagnostics) else "another"


def check(chosen):
    """Check the outcomes of mutants, given as (file, kind of mistake, text); return how many there are of each."""
    files = {file for file, _, _ in chosen}
    rights = {file: meaning(read(file.read_text(encoding="utf-8"), file.name)) for file in files}
    found = Counter()
    for file, kind, text in chosen:
        what = outcome(text, file, rights[file])
        found[kind, what] += 1
        assert what != "no line", f"{file.name}: {kind}:\n{text}"
        assert what != "another" or kind in UNNOTICED, f"{file.name}: {kind} is not noticed:\n{text}"
    return found


def all_mutants(seed):
    chance = Random(seed)
    return [(file, *each) for file in FILES for each in mutants(file.read_text(encoding="utf-8"), chance)]


def test_a_sample_of_mistakes_is_noticed():
    small = [each for each in all_mutants(20261126) if len(each[2]) < 900]
    found = check(Random(20261126).sample(small, COUNT))
    assert sum(number for (_, what), number in found.items() if what == "refused") > COUNT // 3
    assert {what for _, what in found} >= {"refused", "the same", "another"}


def test_blocks_that_were_forgotten_are_always_noticed():
    chosen = [each for each in all_mutants(1) if each[1] == "without blocks"]
    found = check(chosen)
    assert found["without blocks", "doubted"] >= 49
    assert found.keys() <= {("without blocks", "doubted"), ("without blocks", "the same")}


def test_a_mistake_in_a_key_is_never_another_puzzle():
    chosen = [each for each in all_mutants(2) if each[1] == "letter of a key"]
    found = check(Random(2).sample(chosen, 100))
    assert found["letter of a key", "refused"] > 90


@pytest.mark.long
@pytest.mark.parametrize("seed", range(3))
def test_every_mistake_is_noticed(seed):
    found = check(all_mutants(seed))
    assert {kind for kind, what in found if what == "another"} <= UNNOTICED.keys()
