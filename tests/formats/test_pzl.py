"""The puzzle file: what every key gives, the ways of writing it, reading files, and the text that comes back."""

import io
import re
import sys
from pathlib import Path

import pytest

from places import DOCS
from puzzlespace import formats
from puzzlespace.api import questions
from puzzlespace.api.loader import from_text
from puzzlespace.errors import FormatError, Word
from puzzlespace.formats import MODULES, format_of, pzl, template
from puzzlespace.formats.pzl import parse, print_draft
from puzzlespace.formats.pzl_rows import KEYS
from puzzlespace.graph.designs.layout import layout
from puzzlespace.graph.designs.packings import Packings
from puzzlespace.puzzle.board import named
from puzzlespace.puzzle.draft import CHANGES, CountGoal, Draft, Drawing, Known, ListedMove, Look, OpenPieces
from pzl_examples import ARTICLES, EVERY_KEY, FLIP, GOAT, HEXAGRAM, KLOTSKI, NO_OFF, STAR

DOCUMENT = (DOCS / "format.md").read_text(encoding="utf-8")
OF_CHANGES = (DOCS / "changes.md").read_text(encoding="utf-8")
EXAMPLES = re.findall(r"^```pzl\n(.*?)^```", DOCUMENT, re.MULTILINE | re.DOTALL)


def drawing(*rows):
    """A drawing, spaced where a row has spaces."""
    spaced = any(" " in row for row in rows)
    return Drawing(tuple(tuple(row.split() if spaced else row) for row in rows), spaced)


def known(**numbers):
    return tuple(Known(what, value) for what, value in numbers.items())


def test_hexagram():
    draft = parse(HEXAGRAM)
    assert draft.titles == (("", "Hexagram slide"), ("ja", "スライドパズル「六芒星」"))
    assert draft.board.rows == (("0",), tuple("1234"), tuple("567"), ("8", "9", "10", "11"), ("12",))
    assert draft.board.columns == ((6,), (0, 4, 8, 12), (2, 6, 10), (0, 4, 8, 12), (6,))
    assert draft.lines[1] == ("0", "3", "7", "11")
    assert len(draft.lines) == 9
    assert draft.start == drawing("B", "B B B B", "B . W", "W W W W", "W")
    assert draft.goals == (drawing("W", "W W W W", "W . B", "B B B B", "B"),)
    assert draft.known == known(states=12012, depth=30, hardest=7, solution=30)


def test_goat_and_no_off():
    assert parse(GOAT) == Draft(
        rule="slide",
        titles=(("", "Goat"),),
        count="step",
        blocks=("A",),
        start=drawing("r - A A", "I . D G", "L - J W"),
        goals=(drawing("r - A A", "I G D .", "L - J W"),),
        known=known(states=5443200, depth=52, hardest=7, solution=20),
    )
    assert parse(NO_OFF).blocks == ("@",)


def test_klotski_is_drawn_letter_by_letter():
    draft = parse(KLOTSKI)
    assert draft.blocks == "all"
    assert draft.count == "piece"
    assert draft.start == Drawing(tuple(map(tuple, ("ABBC", "ABBC", "DEEF", "DGHF", "I..J"))), spaced=False)
    assert draft.goals[0].rows[3] == tuple("*BB*")


def test_star_and_line_flip():
    assert parse(STAR).diagonals
    assert parse(STAR).start.words == tuple("ooooo" + "o.o" + "ooooo")
    draft = parse(FLIP)
    assert draft.swap == (("x", "o"),)
    assert draft.moves[3] == ListedMove("col1", "flip", (("a", "d", "g"),))
    assert draft.board.columns == ((0, 2, 4),) * 3


def test_every_key():
    draft = parse(EVERY_KEY)
    assert draft == Draft(
        rule="slide",
        along=True,
        titles=(("", 'Quoted; "with" marks'), ("pt-BR", "Título")),
        by="A. N. Author",
        source="somewhere",
        note="two rows are one text",
        count="run",
        board=("grid", "4x1"),
        links=(("a1", ("b1",)), ("b1", ("c1", "d1"))),
        diagonals=True,
        blocks=("A", "B"),
        apart=("B",),
        fixed=("#", "W"),
        gates=drawing("A * * *"),
        start=drawing("A B . W"),
        goals=(CountGoal("A", 1), CountGoal(None, 1), drawing("A B * W"), "start"),
        moves=(
            ListedMove("turn", "cycles", (("a1", "b1"), ("c1", "d1")), ("a1", "b1")),
            ListedMove("over", "flip", (("a1", "b1"),)),
            ListedMove("back", "reverse", (("a1", "b1", "c1"),)),
        ),
        swap=(("A", "B"), ("c", "d", "e")),
        one_way=True,
        distinct="all",
        picture=(Look("A", "navy", "x", "●", "the first"), Look(":", "#0af")),
        known=(
            Known("states", 5, False, "", "one; two"),
            Known("depth", 3, True, "", "one; two"),
            Known("hardest", 2, True, "run", "one; two"),
            Known("solution", 3),
            Known("solutions", 4),
        ),
        pieces=(
            OpenPieces("A", ("2x1", "oo/o."), 2, None),
            OpenPieces("", ("any connected up to 4 cells",), 0, 3),
        ),
        blanks=(2, 2),
        walls=drawing("X ? . ."),
        put=(
            ("", ("on", "next", "larger", "of", "another", "colour", "on", "empty", ":", "A", "red")),
            ("2", ("never", "on", "empty")),
        ),
        take=(("", ("several", "in", "reverse")), ("12", ("none",))),
        between=("1-2", "2>3"),
        order=("A", "=", "B", "c"),
        colours=(("red", ("A", "B")), ("black", ("c",))),
    )


@pytest.mark.parametrize("text", [*ARTICLES.values(), EVERY_KEY, *EXAMPLES])
def test_what_is_printed_reads_the_same(text):
    draft = parse(text)
    printed = print_draft(draft)
    assert parse(printed) == draft
    assert print_draft(parse(printed)) == printed


@pytest.mark.parametrize("name", ["eight", "goat", "klotski", "star"])
def test_tidy_files_are_printed_as_they_were(name):
    joined = re.sub(",\n +", ", ", ARTICLES[name])
    tidy = "\n".join(re.sub(" +;.*", "", row) for row in joined.split("\n"))
    rows = print_draft(parse(tidy)).splitlines()
    assert sorted(rows) == sorted(tidy.splitlines())


def test_words_know_their_place():
    draft = parse(EVERY_KEY)
    rows = EVERY_KEY.split("\n")

    def text_at(word):
        return rows[word.line - 1][word.column - 1 :][: len(word)]

    move, swapped = draft.moves[0], draft.swap[1]
    words = [
        draft.rule, draft.count, *draft.board, draft.links[1][0], *draft.links[1][1], *draft.blocks, *draft.fixed,
        *draft.start.words, draft.goals[0].symbol, draft.goals[3], *draft.goals[2].words, move.name, *move.cells[1],
        *move.swaps, *draft.moves[2].cells[0], *swapped, draft.distinct, draft.picture[1].symbol, draft.known[0].what,
        draft.known[2].metric,
    ]  # fmt: skip
    assert all(isinstance(word, Word) for word in words)
    assert [text_at(word) for word in words] == words
    hexagram = parse(HEXAGRAM)
    assert (hexagram.lines[1][3].line, hexagram.lines[1][3].column) == (11, 17)
    assert (hexagram.board.rows[3][2].line, hexagram.board.rows[3][2].column) == (8, 14)


def test_errors_found_later_are_explained_with_file_row_and_caret():
    word = parse(GOAT).start.rows[1][2]
    found = pzl.explain(FormatError.at(word, "expected something else", "a hint"), "goat.pzl", GOAT)
    assert str(found) == "goat.pzl:7:7: expected something else\n    I . D G\n        ^\na hint"
    assert str(pzl.explain(FormatError("no goal"), "goat.pzl", GOAT)) == "goat.pzl: no goal"


@pytest.mark.parametrize(
    ("text", "same"),
    [
        ("rule: slide\r\nstart:\r\n  1 2\r\n  3 .\r\n", "rule: slide\nstart:\n  1 2\n  3 .\n"),
        ("\ufeffrule: slide\nstart: 1 .\n", "rule: slide\nstart: 1 .\n"),
        ("rule: slide\nstart: 1 2 / 3 .", "rule: slide\nstart:\n  1 2\n  3 .\n"),
        ("rule: slide\nstart: 12/3.", "rule: slide\nstart:\n  12\n  3.\n"),
        ("rule: slide\nstart: 1 2\n       3 .", "rule: slide\nstart:\n  1 2\n  3 .\n"),
        ("rule: slide\nstart:\n\t1\t2\n\n ; gap\n\t3\t.\n", "rule: slide\nstart:\n  1 2\n  3 .\n"),
        ("rule: slide\nstart:\n\u30001\u30002\n\u30003\u3000.\n", "rule: slide\nstart:\n  1 2\n  3 .\n"),
        (" \nrule :  slide  along ; x\n\n", "rule: slide along\n"),
        ("rule: slide\ngoal:\n  count o = 1\n", "rule: slide\ngoal: count o=1\n"),
        ("rule: slide\ngoal 1: start\n", "rule: slide\ngoal: start\n"),
        ("rule: slide\nblocks: A B\n  C\n", "rule: slide\nblocks: A, B,C\n"),
        ("rule: slide\none-way: no\ndiagonals: no\n", "rule: slide\n"),
        ("rule: apply\nswap: a <-> b\n", "rule: apply\nswap:\n  a -> b -> a\n"),
        ("rule: apply\nmoves: m: (a b) (c d)~e\n", "rule: apply\nmoves:\n  m:(a b)(c d) ~e\n"),
        ("rule: jump\nnote: a; b\n", 'rule: jump\nnote: "a" ; b\n'),
        ("rule: jump\nknown: depth 3,\n  hardest 2 ; x\n", "rule: jump\nknown: depth 3, hardest 2 ;  x\n"),
    ],
)
def test_other_ways_of_writing(text, same):
    assert parse(text) == parse(same)


def test_columns_of_a_board_count_tabs_and_wide_characters():
    text = "rule: slide\nboard:\n\ta\n    b   c\n  大   d\nlines: a-b c-d\n"
    assert parse(text).board.columns == ((6,), (2, 6), (0, 5))
    assert parse(print_draft(parse(text))) == parse(text)


def test_names_of_different_lengths_line_up_by_their_last_letters():
    text = "rule: slide\nboard:\n   8   9  10\n  11  12  13\nlines: 8-9\n"
    assert parse(text).board.columns == ((0, 4, 8),) * 2
    left = "rule: slide\nboard:\n  8   9   10\n  11  12  13\nlines: 8-9\n"
    assert parse(left).board.columns == ((0, 4, 8),) * 2
    crowded = "rule: slide\nboard:\n    8 9\n  a10 1\n    2 3\nlines: 8-9\n"
    assert parse(print_draft(parse(crowded))).board.columns == parse(crowded).board.columns == ((0, 2),) * 3


def test_a_column_of_long_words_from_elsewhere_stays_one():
    draft = Draft("slide", start=Drawing((("10",), ("11",), (".",))))
    assert parse(print_draft(draft)).start.words == ("10", "11", ".")


def test_large_named_boards_have_names_for_all_rows():
    assert parse("rule: jump\nboard: hex 26\n").board == ("hex", "26")
    names = named(("hex", "26")).names
    assert len(set(names)) == 1951
    assert names[-1] == "ay26"


def test_known_sources_and_from_start_are_kept_apart():
    found = (
        Known("depth", 3, True, "", "a"),
        Known("depth", 4, False, "", "a"),
        Known("hardest", 5, True, "step", "a"),
        Known("hardest", 5),
    )
    assert parse(print_draft(Draft("jump", known=found))).known == found


def test_load_reads_files_and_standard_input(tmp_path, monkeypatch):
    file = tmp_path / "goat.pzl"
    file.write_bytes(b"\xef\xbb\xbf" + GOAT.replace("\n", "\r\n").encode())
    assert pzl.load(str(file)) == GOAT
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(GOAT.encode())))
    assert pzl.load("-") == GOAT
    monkeypatch.setattr(sys, "stdin", io.StringIO(GOAT))
    assert pzl.load("-") == GOAT


def test_no_format_escapes():
    modules = Path(formats.__file__).parent.glob("*.py")
    exporting = {path.stem for path in modules if re.search("^FORMAT = ", path.read_text(), re.MULTILINE)}
    assert exporting == {*MODULES, "template"}
    assert format_of("-").name == "pzl"
    assert format_of("x.PZL") is pzl.FORMAT


def test_the_template_is_a_format():
    text = "8 6 7 / 2 5 4 / 3 . 1 > 1 2 3 / 4 5 6 / 7 8 .\n"
    draft = template.FORMAT.parse(text, "x.line")
    assert draft == parse(ARTICLES["eight"].split("known")[0].split("\n", 1)[1])
    assert template.FORMAT.write(draft) == text
    assert draft.goals[0].rows[1][0].column == 33
    for wrong in ("", "1 2", "1 > ", "1 / / 2 > 1", ">"):
        with pytest.raises(FormatError, match=r"^x\.line:1:"):
            template.FORMAT.parse(wrong, "x.line")
    with pytest.raises(FormatError, match="another puzzle"):
        template.FORMAT.write(Draft("jump"))


@pytest.mark.parametrize("text", EXAMPLES)
def test_every_example_of_the_document_has_a_solution(text):
    if parse(text).pieces:
        assert any(group.size > 1 for group in Packings(layout(parse(text))).groups)
    else:
        assert questions.solve(from_text(text, "example.pzl")).status is questions.Status.OPTIMAL


def test_the_document_shows_every_key():
    assert len(EXAMPLES) >= 5
    written = {
        row.split(":")[0].split("[")[0].split(" ")[0] for text in EXAMPLES for row in text.split("\n") if ":" in row
    }
    assert {key for key in KEYS if key not in written and key not in CHANGES} == set()
    assert {key for key in KEYS if f"`{key}:" not in DOCUMENT + OF_CHANGES} == set()
