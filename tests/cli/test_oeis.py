"""`oeis`: sequences over sizes, held against published tables; only finished, exact terms are printed."""

import csv
import json

import pytest

from places import ROOT
from puzzlespace.api.sequences import SEQUENCES, second_offset
from puzzlespace.cli.app import app
from puzzlespace.cli.terminal import guarded

with (ROOT / "tests" / "data" / "permutations.csv").open(encoding="utf-8") as _file:
    ROWS = [row for row in csv.DictReader(_file) if row["metric"].startswith("step")]
PUBLISHED = {row["puzzle"]: list(map(int, row["counts"].split())) for row in ROWS}


@pytest.fixture
def ask(capsys):
    def asking(*words):
        code = guarded(lambda: app(["oeis", *words, "-q"], standalone_mode=False))
        shown = capsys.readouterr()
        return code, shown.out, shown.err

    return asking


def sequences(out):
    """The terms of each sequence that was printed, by what it is and its offsets."""
    return {part.splitlines()[0]: list(map(int, part.splitlines()[1].split(", "))) for part in out.split("\n\n")[1:]}


def test_the_sequences_of_burnt_pancakes_are_the_published_ones(ask):
    code, out, _ = ask("burnt:5..6")
    rows = [PUBLISHED["burnt:5"], PUBLISHED["burnt:6"]]
    assert code == 0
    assert out.startswith("burnt:5..6: counted to the goal in the metric step\n")
    assert list(sequences(out).values()) == [
        [sum(row) for row in rows], [len(row) - 1 for row in rows], [row[-1] for row in rows], [*rows[0], *rows[1]],
    ]  # fmt: skip
    assert list(sequences(out)) == [
        f"{words}, offset 5,{second}" for words, second in zip(SEQUENCES.values(), (1, 1, 1, 2), strict=True)
    ]


def test_a_b_file_has_the_index_of_the_first_term(ask):
    """Of a triangle, the terms are numbered on from the first row, as OEIS numbers them."""
    _, out, _ = ask("topspin:8..8,4", "--of", "counts", "--b-file")
    assert out.splitlines() == [f"{n} {count}" for n, count in enumerate(PUBLISHED["topspin:8,4"], 8)]
    _, out, _ = ask("lights:3x3", "lights:4x4", "--offset", "3", "--of", "depth", "--b-file")
    assert out == "3 9\n4 7\n"


def test_data_end_before_the_term_that_a_limit_stopped(ask):
    code, out, err = ask("pancake:5..8", "--positions", "5000", "--of", "positions")
    assert (code, out.splitlines()[-1]) == (22, "120, 720")
    assert err.startswith("puzzlespace: the term 7, pancake:7, was not finished: stopped ")
    code, out, _ = ask("pancake:5..8", "--positions", "5000", "--json")
    answer = json.loads(out)
    assert [(row["n"], row["depth"], row["hardest"]) for row in answer["terms"]] == [(5, 5, 20), (6, 7, 2)]
    assert (answer["complete"], answer["stopped"]["kind"], code) == (False, "positions", 22)


def test_a_hopeless_term_ends_the_data_too(ask):
    code, out, err = ask("slide:2..9x3", "--of", "depth", "--seconds", "0.000001")
    assert (code, out) == (20, "")
    code, out, err = ask("slide:2x2", "slide:9x9", "--offset", "2", "--of", "depth")
    assert (code, out.splitlines()[-1]) == (21, "6")
    assert "the term 3, slide:9x9, was not finished: slide:9x9 has " in err


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["slide:2..3x2..3"], "expected one range, found 'slide:2..3x2..3', which can mean equal numbers or all pairs"),
        (["pancake:9..2"], "expected a range from a number to one that is not less"),
        (["pancake:2..99999"], "of at most 1,000 numbers"),
        (["pancake:1..3"], "expected pancake:N with N from 2 to 60, found 'pancake:1'"),
        (["pancake:4"], "--offset: expected the index of the first term"),
        (["pancake:2..3", "pancake:5"], "--offset: expected the index of the first term"),
        (["pancake:2..3", "--of", "depths"], "--of: expected one of positions, depth, hardest, counts"),
        (["pancake:2..3", "--b-file"], "--b-file: expected --of beside it"),
        (["slide:2x2", "lunar14", "--offset", "1"], "lunar14: expected a count to the goal in the metric step"),
    ],
)
def test_what_means_two_things_or_nothing_is_refused(ask, words, said):
    code, out, err = ask(*words)
    assert (code, out) == (30, "")
    assert said in err


def test_a_range_in_full_width_digits_is_read_with_a_warning(ask):
    code, out, err = ask("pancake:２..４", "--of", "depth")
    assert (code, out.splitlines()[-1]) == (0, "1, 3, 4")
    assert "is read as '2'" in err


def test_the_second_offset_is_the_place_of_the_first_term_above_one():
    assert [second_offset(terms) for terms in ([1, 1, 5], [2, 1], [1, 0])] == [3, 1, 1]
