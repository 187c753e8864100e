"""Warnings about puzzle files: which texts are doubted, which are not, and where the warnings go."""

import json
import re
import warnings
from dataclasses import replace

import pytest

from commands import run, run_json
from places import DOCS, ROOT
from puzzlespace import PuzzleWarning, catalogue, load
from puzzlespace.api.loader import converted, from_text, written
from puzzlespace.api.questions import read_position
from puzzlespace.errors import FormatError
from puzzlespace.formats.pzl import parse, print_draft
from puzzlespace.puzzle.diagnostics import CODES
from puzzlespace.puzzle.draft import Draft, Drawing
from puzzlespace.registry import FAMILIES
from puzzlespace.web.wire import about
from pzl_examples import ARTICLES, EVERY_KEY

DOCUMENT = (DOCS / "format.md").read_text(encoding="utf-8")
EXAMPLES = re.findall(r"^```pzl\n(.*?)^```", DOCUMENT, re.MULTILINE | re.DOTALL)
OTHERS = (".c", ".csv", ".md", ".mjs", ".ps", ".py")
FILES = sorted(file for file in (ROOT / "examples").rglob("*.*") if file.suffix not in OTHERS)
BLOCK = "rule: slide\ncount: step\nstart:\n  B B .\n  B B .\ngoal:\n  . B B\n  . B B\n"


def read(text, name="x.pzl"):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", PuzzleWarning)
        return from_text(text, name)


def codes(text):
    return [each.code for each in read(text).diagnostics]


def test_every_code_has_its_row_in_the_document():
    rows = dict(re.findall(r"^\| `([a-z0-9-]+)` \| (.+) \|$", DOCUMENT.split("\n## Warnings\n")[1], re.MULTILINE))
    missing = [f"docs/format.md, Warnings, lacks the row: | `{code}` | {CODES[code]} |" for code in CODES.keys() - rows]
    assert not missing, "\n".join(sorted(missing))
    assert rows == CODES, "docs/format.md, Warnings, has rows that CODES lacks, or another meaning"
    assert list(CODES) == sorted(CODES)


@pytest.mark.parametrize("name", catalogue.names(None))
def test_no_puzzle_of_the_catalogue_is_doubted(name):
    assert load(name).diagnostics == ()


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)
def test_no_example_is_doubted(file):
    assert [each for each in load(file).diagnostics if each.severity == "warning"] == []


@pytest.mark.parametrize("text", [*(text for text in EXAMPLES if "\npieces:" not in text), *ARTICLES.values()])
def test_no_text_of_the_documents_is_doubted(text):
    assert codes(text) == []


def test_the_file_with_every_key_has_the_warnings_it_should_have():
    assert [each.code for each in parse(EVERY_KEY).diagnostics] == []


@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.name)
def test_families_written_as_files_are_not_doubted(family):
    for size in family.examples:
        text = written(load(f"{family.name}:{size}"))
        assert not text or codes(text) == [], size


DOUBTED = {
    BLOCK: "4:3 single-cells B stands in 4 touching cells and is read as 4 single pieces",
    "rule: slide\ncount: step\nstart: A A B / . . B\ngoal: * * * / A A *": (
        "3:8 single-cells A B stand in touching cells and are read as single pieces, one for each cell"
    ),
    "rule: slide\ncount: step\nstart: A A s / s . s\ngoal: . * * / A A *": (
        "3:8 single-cells A stands in 2 touching cells and is read as 2 single pieces"
    ),
    "rule: push\nstart: A A . @ . / . . . . .\ngoal: * * * * A / * * * * A": "",
    "rule: push\nstart: A A . @ . / . . . . .\ngoal: * * * A A / * * * * *": (
        "2:8 single-cells A stands in 2 touching cells and is read as 2 single pieces"
    ),
    "rule: push\nstart: $ $ . @ . / . . . . .\ngoal: * * * $ $ / * * * * *": "",
    "rule: push\nstart: A A . @ $ / . . . $ .\ngoal: * * * A A / * * * * *": (
        "2:8 single-cells A stands in 2 touching cells and is read as 2 single pieces"
    ),
    "rule: glide\nstart: A A . . / . . . R\ngoal: * * * * / R * * *": (
        "2:8 single-cells A stands in 2 touching cells and is read as 2 single pieces"
    ),
    "rule: slide\ncount: step\nstart: B B . / B . W / . W W\ngoal: W W . / W . B / . B B": "",
    "rule: slide\ncount: step\nstart: B B B / B . W / W W W\ngoal: W W W / W . B / B B B": "",
    "rule: slide\ncount: step\nfixed: X\nstart: X X . / 1 2 .": "",
    "rule: slide\ncount: step\napart: A\nstart: A A . / 1 2 .": "",
    "rule: slide\ncount: multi\nstart: A A . / 1 2 .": "",
    "rule: slide\ncount: step\nstart: A A . / A . .": (
        "3:8 single-cells A stands in 3 touching cells and is read as 3 single pieces"
    ),
    "rule: slide\ncount: step\nstart: A A / A .": "",
    "rule: slide\ncount: step\nstart: A B A / B . B": "",
    "rule: slide\nlinks:\n  a1: b1\n  b1: c1\nstart: A A .": "",
    "rule: jump\ncount: step\nstart: o o . / o o .": "",
    "rule: slide\nstart: 1 2 .\ngoal: * * *": "3:7 goal-open this goal leaves every cell open: every position meets it",
    "rule: slide\ncount: step\nstart: 1 2 . / 3 . .\ngoal: . . * / . . 1": (
        "4:7 goal-count this goal shows '.' in 4 cells, and no position has it in more than 3"
    ),
    "rule: slide\ncount: step\nstart: 1 2 . / 3 . .\ngoal: . . * / * . 1": "",
    "rule: slide\ncount: step\nstart: 1 2 . / 3 . .\ngoal: 1 1 * / * * *": (
        "4:7 goal-count this goal shows '1' in 2 cells, and no position has it in more than 1"
    ),
    "rule: push\nstart: $ . @ . $ .\ngoal: . . . $ . .": (
        "3:7 goal-count this goal shows '.' in 5 cells, and no position has it in more than 4"
    ),
    "rule: push\nstart: $ . @ . $ .\ngoal: . . . $ . $": "",
    "rule: slide\ncount: step\nstart: 1 2 .\ngoal: count 1 = 2": (
        "4:13 goal-count this goal counts 2 cells with '1', and no position has more than 1"
    ),
    "rule: slide\ncount: step\nstart: 1 . 1 .\ngoal: count 1 = 1": (
        "4:13 goal-count every position has 2 cells with '1', and this goal counts 1"
    ),
    "rule: slide\ncount: step\nstart: 1 . 1\ngoal: count 1 = 2": (
        "4:13 goal-open every position has 2 cells with '1', and this goal counts 2"
    ),
    "rule: jump\ncount: step\nstart: o o . o\ngoal: count o = 2": "",
    "rule: jump\ncount: step\nstart: o o . o\ngoal: . . * .": "",
    "rule: glide\nedge: lost\nstart: A . B\ngoal: . . *": "",
    "rule: apply\ncount: step\nswap: x <-> o\nmoves:\n  m: ~a1\nstart: x x\ngoal: o *": "",
    "rule: apply\ncount: step\nswap: x <-> o\nmoves:\n  m: (a1 b1)\nstart: x o\ngoal: o x": (
        "3:7 no-effect swap: changes nothing: no move has '~' or flip"
    ),
    "rule: slide along\ncount: step\nstart: 1 2 .": "1:13 no-effect along changes nothing: no piece has several cells",
    "rule: slide\ndiagonals: yes\nboard: triangle 2\nstart: 1 2 .": (
        "2:12 no-effect diagonals: changes nothing: this board has lines of its own"
    ),
    "rule: slide\nnote: Klotski\n  count: step\nstart: 1 2 .": (
        "3:3 key-in-text this row is read as a part of note:, not as the key count:"
    ),
    "rule: slide\nstart:\n  1 2 .\n; gaol:\n  2 1 .\ncount: step": (
        "4:3 key-in-comment this key is in a comment, so the row below belongs to start:"
    ),
    "rule: slide\nstart:\n  1 2 .\n;goal 2:\n\n  2 1 .\ncount: step": (
        "4:2 key-in-comment this key is in a comment, so the row below belongs to start:"
    ),
    "rule: slide\nstart:\n  1 2 .\n; the second row:\n  2 1 3": "",
    "rule: slide\nstart:\n  1 2 .\n; count: step\n": "",
    'rule: slide\nnote: Klotski\n  "count: step"\nstart: 1 2 .': "",
    "rule: slide\nnote: The source\n  is known: a book.\nstart: 1 2 .": "",
    "rule： slide\nstart: 1 2 .": "1:5 full-width '：' is read as ':' (full-width characters in the text: 1)",
    "rule: slide\ntitle: （Ｘ）：１\nstart: 1 2 . ; Ａ\npicture:\n  1: mark １, name Ａ, glyph ＠": "",
}


@pytest.mark.parametrize("text", DOUBTED)
def test_what_is_doubted_and_where(text):
    found = [f"{each.line}:{each.column} {each.code} {each.text}" for each in read(text).diagnostics]
    assert found == ([DOUBTED[text]] if DOUBTED[text] else [])


@pytest.mark.parametrize("text", [text for text, said in DOUBTED.items() if "single-cells" in said])
def test_either_meaning_of_letters_that_touch_can_be_written(text):
    (doubt,) = read(text).diagnostics
    for value in re.findall(r"'(blocks: [^']+)'", doubt.hint):
        puzzle = read(f"{value}\n{text}")
        assert puzzle.diagnostics == ()
        single = value == "blocks: none"
        assert (puzzle.shapes is None) == single
        assert (puzzle.rules == read(text).rules) == single


def test_blocks_none_is_written_again_and_means_nothing_more():
    draft = parse(f"blocks: none\n{BLOCK}")
    assert draft.single
    assert parse(print_draft(draft)) == draft
    assert read(f"blocks: none\n{BLOCK}").model().rules == read(BLOCK).model().rules
    with pytest.raises(FormatError, match=r"x\.pzl:2:9: blocks: has no meaning for rule jump"):
        read("rule: jump\nblocks: none\nstart: o o .\n")


def test_drafts_of_programs_and_other_formats_are_not_doubted():
    draft = parse(BLOCK)
    assert load(Draft("slide", count="step", start=draft.start, goals=draft.goals)).diagnostics == ()
    assert "blocks" not in converted(load("goat"), "pzl").replace("blocks: A", "")


PLAIN = (
    "rule: slide\ncount: step\nboard:\n   a  b\n  10 c\nlinks:\n  a: b c\n  b: 10\nstart: 1 2 / 3 .\ngoal: 3 * / * .\n"
)


def wide(text):
    return "".join(chr(ord(each) + 0xFEE0) if "!" <= each <= "~" else each for each in text)


def without_columns(draft):
    board = draft.board
    return replace(draft, board=replace(board, columns=())) if isinstance(board, Drawing) else draft


def test_a_board_in_full_width_has_the_columns_that_it_shows():
    head, rows = "rule: slide\nstart: 1 2 / 3 .\nlinks:\n  a: b c\nboard:\n", "   a  b\n  10 c\n"
    typed = head + wide(rows).replace(" ", "\u3000")
    assert parse(typed).board.columns == tuple(
        tuple(2 * column for column in row) for row in parse(head + rows).board.columns
    )


def test_a_file_in_full_width_is_the_same_puzzle():
    files = [PLAIN, *(text for text in (*EXAMPLES, *ARTICLES.values()) if "\npieces:" not in text)]
    for text in files:
        rows = [row if re.match(r"title|by|source|note", row) else re.sub(r";.*", "", row) for row in text.split("\n")]
        typed = "\n".join(
            wide(row) if not re.match(r"title|by|source|note|picture", row) and "glyph" not in row else row
            for row in rows
        )  # fmt: skip
        assert without_columns(parse(typed)) == without_columns(parse("\n".join(rows))), text
        assert [each.code for each in read(typed).diagnostics if each.code == "full-width"] == ["full-width"]


MISTAKEN = {
    "rule: slide\nstart:\n  1 2 .\n  gaol:\n  2 1 .": "4:3: expected symbols, found 'gaol:'",
    "rule: slide\nstart: 1 2 . goal: 2 1 .": "2:14: expected symbols, found 'goal:'",
    "rule: slide\nstart:\n  12.ab\n  gaol:": "4:3: expected symbols, found 'gaol:'",
    "rule: slide\nStart: 1 2 .": "2:1: expected a key, found 'Start'",
    "rule: push\nstart: $ $ @ . .\ngoal: all $ at c1 e1": "3:13: expected a symbol, a kind or 'on', found 'at'",
    "rule: apply\nmoves:\n  m: (a1 b1)\ngoal: sorted": (
        "4:7: expected a drawing or one of the goals in words, found 'sorted'"
    ),
    "rule: apply\nmoves:\n  m: (a1 b1)\nstart: A B\ngoal: all of them": (
        "5:11: expected a symbol or a kind, found 'of'"
    ),
    "rule: slide\ncount: step\nstart: 1 2 / 3 .\ngoal: 1 2 3 .": "4:7: expected 2 rows, found 1",
    "rule: slide\nstart: 1 2 .\npicture:\n  1: colour redd": "4:13: expected a colour's name or #rrggbb, found 'redd'",
    "rule: apply\nmoves:\n  m: (a1 b1)\n  m: (b1 c1)\nstart: 1 2 3": (
        "4:3: moves: expected every name once, found 'm' again"
    ),
    "rule: apply\ncount: step\nmoves:\n  R: (a1 b1 c1)\n  R': (b1 c1)\nstart: 1 2 3": (
        "5:3: moves: expected R' to undo R, found another move"
    ),
    "rule: slide\none-way: yes\nstart: 1 2 .": "2:10: one-way: has no meaning for rule slide",
    "rule: slide\npull: yes\nstart: 1 2 .": "2:7: pull: has no meaning for rule slide",
    "rule: push\nstart: $ . .": "2:8: start: expected a player '@', found none",
    "rule: slide\nstart: 1 2 .\ngoal: 1 3 .": "3:9: expected one of the symbols . 1 2, found '3'",
}


@pytest.mark.parametrize("text", MISTAKEN)
def test_what_is_never_read_in_silence(text):
    with pytest.raises(FormatError) as caught:
        read(text)
    assert str(caught.value).startswith(f"x.pzl:{MISTAKEN[text]}\n")


def test_symbols_that_are_words_are_no_sentence():
    text = "rule: apply\ncount: step\nswap: all <-> none\nmoves:\n  m: ~a1\nstart: all all\ngoal: none all"
    assert codes(text) == []
    assert codes("rule: apply\ncount: step\nswap: on <-> off\nmoves:\n  m: ~a1\ngoal: on off") == []


VALUES = {
    **dict.fromkeys(["diagonals", "passing", "anywhere", "pull", "tilt", "one-way"], "yes"),
    "swap": "1 <-> .", "moves": "\n  m: (a1 b1)", "gates": "* * * *", "edge": "lost", "apart": "1", "fixed": "1",
}  # fmt: skip


@pytest.mark.parametrize("rule", ["slide", "jump", "glide", "push", "apply"])
def test_every_error_of_a_key_has_a_line(rule):
    start = "start: 1 . @ .\n"
    refused = []
    for key, value in VALUES.items():
        for more in ("", start, "goal: any one peg\n", "goal: start\n", f"{start}goal: any one peg\n"):
            try:
                read(f"rule: {rule}\n{key}: {value}\n{more}")
            except FormatError as error:
                refused.append(error)
    assert len(refused) > 20
    assert [str(error) for error in refused if not error.line or not error.column] == []


def test_the_command_line_tells_warnings_and_strict_refuses_them(tmp_path):
    file = tmp_path / "door.pzl"
    file.write_text(BLOCK)
    code, found = run_json("show", str(file))
    assert code == 0
    assert [(each["code"], each["line"], each["column"]) for each in found["warnings"]] == [("single-cells", 4, 3)]
    code, out, err = run("show", str(file), "--strict")
    assert (code, out) == (30, "")
    assert "4:3: B stands in 4 touching cells" in err
    assert run("show", "eight", "--strict")[0] == 0


def test_certificates_have_the_warnings_of_their_puzzle(tmp_path):
    (tmp_path / "a.pzl").write_text(BLOCK)
    (tmp_path / "b.pzl").write_text(f"blocks: all\n{BLOCK}")
    code, out, err = run("certify", str(tmp_path), "-q", "--json")
    rows = [json.loads(row) for row in out.splitlines()]
    assert (code, err) == (0, "")
    assert [[each["code"] for each in row["warnings"]] for row in rows] == [["single-cells"], []]
    journal = tmp_path / "done.jsonl"
    for _ in range(2):
        code, out, _ = run("certify", str(tmp_path), "-q", "--save", str(journal))
        assert code == 0
        assert out.count("; warning in line 4: B stands in 4 touching cells") == 1
    code, out, _ = run("certify", str(tmp_path), "-q", "--json", "--strict", "--save", str(journal))
    rows = [json.loads(row) for row in out.splitlines()]
    assert code == 30
    assert [row["status"] for row in rows] == ["invalid", "optimal"]
    assert rows[0]["wrong"]
    assert rows[0]["warnings"][0]["code"] == "single-cells"


def test_the_page_gets_the_warnings_with_their_japanese():
    shown = about(read(BLOCK))
    (told,), (said,) = shown["warnings"], shown["ja"]["warnings"]
    assert (told["code"], told["line"], told["column"]) == ("single-cells", 4, 3)
    assert said.keys() == {"text", "hint"}
    assert said["text"] != told["text"]
    assert about(load("eight"))["warnings"] == []


def test_python_callers_are_warned_in_their_own_line(tmp_path):
    (tmp_path / "door.pzl").write_text(BLOCK)
    with pytest.warns(PuzzleWarning, match="B stands in 4 touching cells") as told:
        load(str(tmp_path / "door.pzl"))
    assert told[0].filename == __file__
    with pytest.warns(PuzzleWarning) as told:
        read_position(load("eight"), "１ ２ ３ / ４ ５ ６ / ７ ． ８")
    assert told[0].filename == __file__


def test_specs_and_positions_in_full_width_are_read():
    code, found = run_json("show", "slide：３ｘ２")
    assert (code, found["cells"]) == (0, 6)
    assert [each["code"] for each in found["warnings"]] == ["full-width"]
    assert run("show", "slide：３ｘ２", "--strict")[0] == 30
    assert run("solve", "eight", "--memory", "５００Ｍ", "-q")[0] == 30  # options have ASCII digits only
    pattern = ["generate", "eight", "--depth", "2", "--pattern", "＊ * * / * * * / ７ * *", "--seed", "1", "-q"]
    assert run_json(*pattern)[1]["positions"][0]["depth"] == 2
    code, found = run_json("distance", "eight", "１ ２ ３ / ４ ５ ６ / ７ ． ８")
    assert (code, found["distance"]) == (0, 1)
    assert [each["code"] for each in found["warnings"]] == ["full-width"]
