"""Numbers in the prose of the documents are computed; numbers in their examples, too, by two implementations."""

import re
from functools import cache

import pytest

from fuzz import reference
from places import ROOT
from puzzlespace import check_known, depths, random_positions, solve
from puzzlespace.api.loader import from_text
from puzzlespace.formats import base, hrd
from puzzlespace.model.sentence import MOST_CASES
from puzzlespace.pddl import task

TWISTY = ROOT / "examples/twisty"


@cache
def table(name):
    """The depth table of an example."""
    return depths(TWISTY / f"{name}.tws")


COMPUTED = {
    ("README.md", "solved in 20 moves"): lambda: solve("goat").moves,
    ("README.md", "star in seven moves"): lambda: {7: "seven"}[solve("star13").moves],
    ("README.ja.md", "最短解(20手)"): lambda: solve("goat").moves,
    ("docs/index.md", "solved in 20 moves"): lambda: solve("goat").moves,
    ("docs/pictures.md", "The Goat puzzle in 20 moves"): lambda: solve("goat").moves,
    ("docs/format.md", "of at most 65,536 bytes"): lambda: base.LIMIT,
    ("docs/formats.md", "all 29,334,498 boards"): hrd.boards,
    ("docs/formats.md", "all 933,120 positions"): lambda: table("pyraminx").states,
    ("docs/formats.md", "(greatest depth 11)"): lambda: table("pyraminx").depth,
    ("docs/formats.md", "75,582,720 with tips"): lambda: random_positions(TWISTY / "pyraminx-tips.tws").total,
    ("docs/formats.md", "with tips (15)"): lambda: table("pyraminx").depth + tips(),
    ("docs/formats.md", "3,149,280 of the Skewb"): lambda: table("skewb").states,
    ("docs/formats.md", "of the Skewb (11)"): lambda: table("skewb").depth,
    ("docs/formats.md", "a law of more than 4,096 cases"): lambda: MOST_CASES,
    ("docs/formats.md", "a rule of more than 4,096 cases"): lambda: task.MOST_TRIED,
    ("docs/formats.md", "with more than 50,000 actions"): lambda: task.MOST_ACTIONS,
    ("docs/adding-a-rule-kind.md", "finds 8 moves"): lambda: 8,  # tests/rules/test_rule_kinds.py solves it
}
"""Each statement with the number that it states."""

FIXED = {("docs/adding-a-family.md", "70,000 positions")}
"""Numbers that are chosen, not computed."""

LIMITS = re.compile("^## Limits$.*?^## ", re.MULTILINE | re.DOTALL)
"""A table of limits, which `tests/formats/test_unread.py` compares with the constants."""

STATED = re.compile(
    r"[0-9]{1,3}(?:,[0-9]{3})+|\b[0-9]+ (?:moves|positions)|[0-9]+手|"
    r"\b(?:three|four|five|six|seven|eight|nine|ten) moves"
)


def tips():
    """The number of tips of the Pyraminx: each is one more move where it is wrong."""
    text = (TWISTY / "pyraminx-tips.tws").read_text()
    moves = set(re.findall(r"^Move (\w)", text, re.MULTILINE))
    return len(moves) - len(set(re.findall(r"^Move (\w)", (TWISTY / "pyraminx.tws").read_text(), re.MULTILINE)))


@pytest.mark.parametrize(
    ("page", "statement"),
    [pytest.param(*each, marks=[pytest.mark.long] if "of the Skewb" in each[1] else []) for each in COMPUTED],
)
def test_a_number_in_prose_is_right(page, statement):
    assert statement in prose(page)
    found = COMPUTED[page, statement]()
    assert (found if isinstance(found, str) else f"{found:,}") in re.split(
        r"[^\w,]+|(?<=\d)手", statement.replace("(", " ")
    )


@pytest.mark.long
def test_the_depth_of_the_pyraminx_with_tips():
    assert (table("pyraminx-tips").states, table("pyraminx-tips").depth) == (75_582_720, 15)


def prose(page):
    """A page without its blocks of code."""
    return re.sub(r"^```.*?^```", "", (ROOT / page).read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)


PAGES = ["README.md", "README.ja.md", *(f"docs/{name}.md" for name in (
    "index", "format", "formats", "pictures", "glossary", "adding-a-family", "adding-a-format", "adding-a-rule-kind",
    "adding-an-engine",
))]  # fmt: skip


@pytest.mark.parametrize("page", PAGES)
def test_no_number_in_prose_is_left_out(page):
    known = [statement for where, statement in [*COMPUTED, *FIXED] if where == page]
    left = LIMITS.sub("", prose(page))
    for statement in known:
        left = left.replace(statement, "")
    assert STATED.findall(left) == []


EXAMPLES = {
    f"{path.name}-{number}": text
    for path in sorted((ROOT / "docs").rglob("*.md"))
    for number, text in enumerate(re.findall(r"^```pzl\n(.*?)^```", path.read_text(), re.MULTILINE | re.DOTALL))
    if re.search(r"^known:", text, re.MULTILINE) and "\npieces:" not in text
}


@pytest.mark.parametrize("name", EXAMPLES)
def test_known_numbers_of_an_example_are_right(name):
    claims = check_known(from_text(EXAMPLES[name], "example.pzl"))
    assert claims
    assert all(claim.holds for claim in claims), claims


READ = [
    name
    for name, text in EXAMPLES.items()
    if name.startswith("format.md")
    and not re.search(r"^(tilt|forbid):|^rule: stack|^goal: (all|each)|^rule:(.|\n)*^rule:", text, re.MULTILINE)
]
"""The examples that the second implementation reads: not tilts, sentences, stacks and several rules in one file."""


@pytest.mark.parametrize("name", READ)
def test_the_second_implementation_finds_the_same_solutions(name):
    puzzle = from_text(EXAMPLES[name], "example.pzl")
    read = reference.read(EXAMPLES[name])
    for known in puzzle.known:
        if known.what == "solution":
            metric = known.metric or puzzle.model().metric.name
            found = reference.shortest(read, metric, 20_000)
            assert found is None or found[0] == known.value, (metric, found)


def test_examples_with_numbers_are_there():
    assert sum(name.startswith("format.md") for name in EXAMPLES) >= 8
    small = EXAMPLES["format.md-" + next(each[10:] for each, text in EXAMPLES.items() if "Pulled out" in text)]
    assert reference.shortest(reference.read(small), "move", 20_000)[0] == 13
