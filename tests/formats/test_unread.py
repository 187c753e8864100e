"""Formats of other programs that are not read are named; the limits in docs/formats.md are those of the code."""

import re
from pathlib import Path

import pytest

from puzzlespace.api import certification
from puzzlespace.api.loader import from_text, load
from puzzlespace.errors import FormatError
from puzzlespace.formats import LONGEST, atomix, base, formats, grids, kpuzzle, orbits, tws
from puzzlespace.formats.unread import TABLE
from puzzlespace.model.rule import MAX_SYMBOLS
from puzzlespace.rules.common import MOST_CELLS

TEXTS = {
    "SLC": '<?xml version="1.0"?>\n<SokobanLevels xmlns:xsi="x">\n<LevelCollection><Level><L>####</L></Level>',
    "PuzzleScript": "title Simple\n========\nOBJECTS\n========\nWall\nBROWN\n\n======\nCOLLISIONLAYERS\n======\nWall\n",
    "PDDL": "; a comment\n(define (problem blocks-4)\n (:domain blocks))\n",
    "SAS": "begin_version\n3\nend_version\n",
    "GAP": "G := Group((1,3,8,6)(2,5,7,4),\n (9,11));\n",
    "SageMath": 'G = PermutationGroup(["(1,2,3)"])\n',
    "DIMACS": "c a comment\np cnf 3 2\n1 -3 0\n2 3 -1 0\n",
    "SGF": "(;GM[1]FF[4]SZ[19];B[pd])\n",
    "PGN": '[Event "a game"]\n1. e4 e5\n',
    "FEN": "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\n",
    "HTML": "<!DOCTYPE html>\n<html><body>1</body></html>\n",
    "XML": '<?xml version="1.0"?>\n<level><a/></level>\n',
    "JSON": '{"board": [[1, 2], [3, 0]]}\n',
    "rows of numbers": "# solvable\n3\n1 2 3\n4 5 6\n7 8 0\n",
}


def refused(text, file):
    with pytest.raises(FormatError) as caught:
        from_text(text, file)
    return str(caught.value)


def test_files_are_recognised_too(tmp_path):
    for number, (text, each) in enumerate(zip(TEXTS.values(), TABLE, strict=True)):
        file = tmp_path / f"{number}.txt"
        file.write_text(text)
        with pytest.raises(FormatError, match=re.escape(each.title)):
            load(str(file))


def test_every_format_of_the_table_is_recognised_by_its_text():
    assert len(TEXTS) == len(TABLE)
    for (word, text), each in zip(TEXTS.items(), TABLE, strict=True):
        for file in ("a.txt", "-", "a.pzl"):
            found = refused(text, file)
            assert all(part in found for part in (word, each.title, each.hint)), (word, found)


@pytest.mark.parametrize("each", [each for each in TABLE if each.endings], ids=lambda each: each.title)
def test_and_by_the_ending_of_its_name(each):
    assert each.title in refused("what is this\n", f"a{each.endings[0].upper()}")


def test_a_file_that_is_read_keeps_its_format_whatever_its_name():
    text = "rule: slide\nnote: (define (domain x\nstart: 1 .\ngoal: . 1\n"
    assert [from_text(text, f"a{ending}").title for each in TABLE for ending in each.endings]


@pytest.mark.parametrize("each", TABLE, ids=lambda each: each.title)
@pytest.mark.parametrize("part", ["(", "\n", "1 ", "# 1 2\n", "(\n", ":= ", "Group ", "<", "1/", "[", " "])
def test_no_pattern_takes_long(each, part):
    text = part * (base.LIMIT // len(part)) + "x"
    assert re.search(each.sign, text, re.MULTILINE | re.IGNORECASE) is None or each.sign.startswith(r"\A\s*[{")


def test_the_limits_in_the_documentation_are_those_of_the_code():
    text = (Path(__file__).parents[2] / "docs" / "formats.md").read_text()
    table = text.split("## Limits\n")[1].split("\n## ")[0]
    found = {row.split("|")[1].strip(): [int(n.replace(",", "")) for n in re.findall(r"\d[\d,]*", row.split("|")[2])]
             for row in table.splitlines() if row.startswith("| ")}  # fmt: skip
    wanted = {
        "bytes of a file with one puzzle": [base.LIMIT],
        "bytes of a file with Sokoban levels, or with solutions": [base.LEVELS_LIMIT],
        "bytes of a batch, or of a collection for `certify`": [base.LINES_LIMIT],
        "letters of a board that is typed instead of a file": [LONGEST],
        "cells of a board": [MOST_CELLS],
        "places of a drawn level, with those outside its walls": [grids.MOST_PLACES],
        "symbols": [MAX_SYMBOLS],
        "columns and rows of an Atomix level": [atomix.MOST],
        "places of an orbit, and orientations of its pieces": list(tws.MOST),
        "places of all orbits; pieces times orientations": [orbits.MOST_PLACES, orbits.MOST_SYMBOLS],
        "moves in all sequences of a `.tws` file": [tws.MOST_IN_SEQUENCES],
    }
    assert {word: numbers for word, numbers in found.items() if numbers} == wanted
    assert kpuzzle.MOST == tws.MOST
    assert {each.name for each in formats() if each.limit != base.LIMIT} == {"sokoban"}


def test_a_large_collection_is_read_and_one_level_too(tmp_path):
    level = "#####\n#@$.#\n#####\n\n"
    file = tmp_path / "many.xsb"
    file.write_text(level * 6000)
    assert file.stat().st_size > base.LIMIT
    assert load(f"{file}#6000").draft == from_text(level, "one.xsb").draft
    with pytest.raises(FormatError, match="expected one level, found 6000"):
        load(str(file))
    lines = tmp_path / "many.txt"
    lines.write_text("eight ; a comment\n" * 9000)
    assert len(certification.entries([str(lines)])) == 9000
