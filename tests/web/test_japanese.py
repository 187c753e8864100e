"""The Japanese of texts of the library has no English left in it; `tests/untranslated.py` lists texts without any."""

import re

import pytest

import untranslated
from puzzlespace import catalogue, load
from puzzlespace.api.loader import from_text
from puzzlespace.api.questions import solve
from puzzlespace.errors import FormatError
from puzzlespace.formats.pzl_rows import KEYS
from puzzlespace.limits.watch import Limits
from puzzlespace.model.metrics import NAMES
from puzzlespace.registry import FAMILIES
from puzzlespace.render.words import rules_in_words
from puzzlespace.web.drawings import catalogue_
from puzzlespace.web.japanese import directed, japanese, japanese_lines
from puzzlespace.web.japanese_texts import MESSAGES, PHRASES
from puzzlespace.web.wire import about
from pzl_mistakes import MISTAKES

SPOKEN = {
    *KEYS,
    *NAMES,
    "start",
    "goal",
    "along",
    "jump",
    "slide",
    "glide",
    "apply",
    "change",
    "cost",
    "stack",
    "hop",
    "flip",
    "reverse",
    "yes",
    "no",
}
SPOKEN |= {"colour", "mark", "glyph", "name", "rrggbb", "UTF", "any", "one", "peg", "count", "in", "range", "step"}
SPOKEN |= {"puzzlespace", "design", "more", "or", "depth", "states", "hardest", "solution", "solutions", "way", "ja"}
SPOKEN |= {
    "grid",
    "hex",
    "triangle",
    "edge",
    "ground",
    "passing",
    "anywhere",
    "pull",
    "push",
    "stops",
    "forbidden",
    "lost",
}
"""Words of the puzzle file, which are English in every language."""


def left(text):
    """The English words in a text, without quotations, words of the puzzle file and names of cells or boards."""
    bare = re.sub(r"""'[^']*'|"[^"]*"|`[^`]*`|「[^」]*」""", "", text)
    return [word for word in re.findall(r"\b[A-Za-z][a-z]+\b", bare) if word not in SPOKEN]


def test_the_japanese_of_a_template_has_its_values_and_no_english():
    for english, said in [*MESSAGES.items(), *PHRASES.items()]:
        values = [f"⟨{number}⟩" for number in range(english.count("{}"))]
        shown = said.format(*values)
        assert all(value in shown for value in values), english
        assert re.search("[ぁ-んァ-ヶ一-龠]", shown) or not left(shown), english


def test_mistakes_in_a_file_are_told_in_japanese():
    texts = [text for _, *told in MISTAKES for text in told if text]
    said = {english: found for english in texts if (found := japanese(english)) is not None}
    assert len(said) > 90
    for english, found in said.items():
        assert not left(found)
        quoted = re.findall(r"'\w+'", english)
        assert all(each in found for each in quoted if f"{each} or" not in english), english


SPECS = [*catalogue.names(None), *(f"{family.name}:{size}" for family in FAMILIES for size in family.examples)]


def test_rules_notes_titles_and_names_of_puzzles_are_japanese():
    for entry in catalogue_(None, {}, None)["puzzles"]:
        assert not entry["note"] or entry.get("ja", {}).get("note") == (japanese(entry["note"]) or entry["note"])
    told_in_japanese = 0
    for spec in SPECS:
        told = about(load(spec))
        assert len(told["ja"]["rules"]) == len(told["rules"])
        for english, said in zip(told["rules"], told["ja"]["rules"], strict=True):
            if said != english:
                told_in_japanese += 1
                assert english.startswith("  ") or not left(re.sub("(マス|線|つながり|ルール): .*", "", said))
    assert told_in_japanese > len(SPECS)


def test_a_text_without_japanese_is_shown_in_english_and_listed(monkeypatch):
    english = "Something that nobody has translated"
    assert japanese_lines([english]) == [english]
    assert japanese(english) is None
    before = [*untranslated.in_the_source()]
    gone = next(text for text in MESSAGES if "expected yes or no" in text)
    monkeypatch.delitem(MESSAGES, gone)
    assert {*untranslated.in_the_source()} == {*before, ("formats/pzl_read.py", gone)}


RULES = """\
title: many
rule: slide
count: step
diagonals: yes
apart: A
fixed: X
start:
  A . A B B
  C . X . D
goal: count B = 2
goal 2: count C = 1
"""


def test_sentences_that_catalogue_puzzles_do_not_have():
    puzzle = from_text(RULES, "many.pzl")
    assert japanese_lines(rules_in_words(puzzle).split("\n")) == [
        "ルール: 駒を上下左右または斜めの空きマスへすべらせます。空きマスは '.' です。",
        "ブロック: A(3x1、1 マス欠け、2 つに分かれる)。",
        "動かないもの: X。",
        "線: 縦、横、斜め。",
        "1 手の数え方: 1 マスの移動(count: step)。ほかの数え方: run, piece。",
        "ゴール: 2 マスが B。",
        "ゴール: 1 マスが C。",
        "どれか 1 つのゴールに着けば完成です。",
    ]
    once = "rule: apply\none-way: yes\nmoves:\n" + "".join(f"  m{n}: (a1 b1)\n" for n in range(50)) + "start: 1 2\n"
    told = japanese_lines(rules_in_words(from_text(once, "once.pzl")).split("\n"))
    assert told[0] == "ルール: 次の手のどれかを行います(元には戻せません)。"
    assert "  ほか 10" in told
    assert told[-1] == "ゴールはありません。手数はスタートから測ります。"


UNSOLVABLE = {
    "14-15": "転倒数",
    "rule: slide\nstart: A .\ngoal: B .\n": "",
    "rule: slide\ncount: step\nstart: 1 2 3 / 4 5 6 / 8 7 .\ngoal: 1 2 3 / 4 5 6 / 7 8 .\n": "スタート 9 + 0(奇数)",
    "rule: jump\ncount: step\nboard: french37\nstart:\n  # # o o o # #\n  # o o o o o #\n  o o o o o o o\n"
    "  o o o . o o o\n  o o o o o o o\n  # o o o o o #\n  # # o o o # #\ngoal: any one peg\n": "塗り分け",
    "rule: apply\nswap: x <-> o\nmoves:\n  a: ~a1 ~b1\nstart: x o\ngoal: x x\n": "a1 b1 のうち o のマス",
    "rule: slide\ncount: step\nstart: A B .\ngoal: B A .\n": "",
}


@pytest.mark.parametrize("name", UNSOLVABLE, ids=range(len(UNSOLVABLE)))
def test_reasons_are_japanese(name):
    try:
        puzzle = load(name) if ":" not in name else from_text(name, "p.pzl")
        reason = solve(puzzle, limits=Limits(seconds=20)).reason.text
    except FormatError as error:
        reason = error.problem
    said = japanese(reason)
    assert said
    assert not left(said)
    assert UNSOLVABLE[name] in said


def test_what_a_visitor_wrote_is_not_translated():
    text = "', found none, expected goal to be odd or even"
    with pytest.raises(FormatError) as caught:
        from_text(f'rule: slide\ncount: "{text}\n', "p.pzl")
    assert repr(f'"{text}'[:36])[1:-4] in japanese(caught.value.problem)


def test_directions_of_moves_are_words():
    assert directed(load("klotski"), "B right 2 up") == "B 右 2 上"
    assert directed(from_text(RULES, "many.pzl"), "A up-left") == "A 左上"
    assert directed(load("ring"), "up a-b") == "up a-b"
