"""Every text of the library that the page can show has its Japanese, and this has no English left in it."""

import ast
import re
from pathlib import Path

import pytest

import puzzlespace
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

SOURCE = Path(puzzlespace.__file__).parent

ROOMS = [
    "puzzle", "rules", "registry.py", "formats/pzl.py", "formats/pzl_read.py", "formats/pzl_rows.py",
    "formats/pzl_values.py", "analysis/impossible.py", "analysis/thirds.py", "analysis/placements.py",
    "graph/__init__.py", "api/measuring.py", "web/app.py", "web/drawings.py", "web/measured.py", "web/pool.py",
    "web/questions.py", "web/tasks.py", "web/worker.py", "families",
]  # fmt: skip
"""What makes the texts that the page shows. Limits are shown in the page's own words, other errors of engines too."""

COMPOSED = {
    "{} show{} {}", "{} {} left, in any hole", " Also: {}.", "One move is {} (count: {}).{}", "goal {}", "{} along",
    "on {}: start {}; {}", ", and no goal fits both", ", and no goal fits all", ", and ", "{}and {} more",
    "Rule: one of the listed moves is made{}:", " (never undone)", " (each may be undone)", "  and {} more",
    " without {} cell{}", " in {} parts", "Changed symbols (~): ",
    "colour the cells by thirds, so that every jump touches each colour once: it changes the number of {} on all three "
    "by one, so which of the three are odd alike never changes; {}{}",
}  # fmt: skip
"""Parts of sentences that are made of several literals. The tests of whole sentences below have all of them."""

UNSEEN = {
    "grid WxH", "hex N", "triangle N", "puzzle file", "the puzzle was built", "the goal positions were listed",
    "pull {}", "turn: (a b c)", "'rule: {}'",
    "max-age=31536000, immutable", "diagnostic: expected a code of CODES, found {}",
}  # fmt: skip
"""Literals that are notation, or that no visitor sees."""

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


def literals(tree):
    """The texts in a syntax tree that have words: no docstrings, no parts of other texts."""
    parts = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            parts |= {id(value) for value in node.values}
            parts |= {id(value.format_spec) for value in node.values if isinstance(value, ast.FormattedValue)}
    for node in ast.walk(tree):
        if id(node) in parts:
            continue
        if isinstance(node, ast.JoinedStr):
            text = "".join(value.value if isinstance(value, ast.Constant) else "{}" for value in node.values)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            text = node.value
        else:
            continue
        if " " in text.strip() and re.search("[a-z]{2}", text):
            yield text


@pytest.mark.parametrize("room", ROOMS)
def test_every_text_in_the_source_of_what_the_page_shows_is_in_the_tables(room):
    files = [SOURCE / room] if room.endswith(".py") else sorted((SOURCE / room).glob("*.py"))
    texts = {text for file in files for text in literals(ast.parse(file.read_text(encoding="utf-8")))}
    if room == "families":  # their titles, names and sources are in the test of all puzzles
        texts = {text for text in texts if "expected" in text}
    assert texts - MESSAGES.keys() - PHRASES.keys() - COMPOSED - UNSEEN == set()


def test_the_japanese_of_a_template_has_its_values_and_no_english():
    for english, said in [*MESSAGES.items(), *PHRASES.items()]:
        values = [f"⟨{number}⟩" for number in range(english.count("{}"))]
        shown = said.format(*values)
        assert all(value in shown for value in values), english
        assert re.search("[ぁ-んァ-ヶ一-龠]", shown) or not left(shown), english


def test_every_mistake_in_a_file_is_told_in_japanese():
    for _, problem, hint in MISTAKES:
        for english in filter(None, (problem, hint)):
            said = japanese(english)
            assert said, english
            assert not left(said)
            quoted = re.findall(r"'\w+'", english)
            assert all(each in said for each in quoted if f"{each} or" not in english), english


SPECS = [*catalogue.names(None), *(f"{family.name}:{size}" for family in FAMILIES for size in family.examples)]


def test_rules_notes_sources_titles_and_names_of_all_puzzles_are_japanese():
    for entry in catalogue_(None, {}, None)["puzzles"]:
        assert re.search("[ぁ-んァ-ヶ一-龠]", entry["titles"]["ja"])
        assert not entry["note"] or japanese(entry["note"]) == entry["ja"]["note"]
        texts = [entry["source"], *(known["source"] for known in entry["known"])]
        names = [text for text in texts if text and japanese(text) is None]
        assert not [name for name in names if not re.search(r"[A-Z]\. ?[A-Z]|OEIS|GNOME|\d{4}|\.com", name)]
    for spec in SPECS:
        puzzle = load(spec)
        told = about(puzzle)
        assert re.search("[ぁ-んァ-ヶ一-龠]|NO-OFF", told["titles"]["ja"])
        assert len(told["ja"]["rules"]) == len(told["rules"])
        for english, said in zip(told["rules"], told["ja"]["rules"], strict=True):
            assert said != english or english.startswith("  ")
            assert english.startswith("  ") or not left(re.sub("(マス|線|つながり|ルール): .*", "", said))
        names = {look["name"]: look["ja"]["name"] for look in told["looks"]["light"].values() if look["name"]}
        assert all(said != name for name, said in names.items())


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
    assert japanese("Something that nobody has translated") is None


def test_directions_of_moves_are_words():
    assert directed(load("klotski"), "B right 2 up") == "B 右 2 上"
    assert directed(from_text(RULES, "many.pzl"), "A up-left") == "A 左上"
    assert directed(load("ring"), "up a-b") == "up a-b"
