"""Random puzzles come back as they were; damaged files raise our own errors only, all the way to a Puzzle."""

from dataclasses import replace
from random import Random

import pytest
from hypothesis import given, settings

from puzzlespace import catalogue
from puzzlespace.api.loader import from_text
from puzzlespace.errors import PuzzlespaceError
from puzzlespace.formats import template
from puzzlespace.formats.base import decode
from puzzlespace.formats.pzl import parse, print_draft
from puzzlespace.puzzle.draft import Draft
from puzzlespace.registry import FAMILIES, build
from pzl_drafts import DRAFTS
from pzl_examples import ARTICLES, EVERY_KEY

SEEDS = [*ARTICLES.values(), EVERY_KEY, *(catalogue.text(name) for name in catalogue.names())]
SMALL = [text for name, text in ARTICLES.items() if name != "klotski"]
INSERTED = '\t\n\r;:"/#.*~()<>-[]=, \u3000\u200b\x00\x1b箱e\u0301\U0001f600\ud800９' + "aAxo01"


@settings(max_examples=200, deadline=None, derandomize=True)
@given(DRAFTS)
def test_every_draft_comes_back(draft):
    text = print_draft(draft)
    assert parse(text) == draft
    assert print_draft(parse(text)) == text


@settings(max_examples=100, deadline=None, derandomize=True)
@given(DRAFTS)
def test_a_draft_survives_windows_tabs_and_comments(draft):
    draft = replace(draft, board=None)  # its text columns would change
    text = print_draft(draft).replace("\n  ", "\n\n \t").replace("\n", "\r\n")
    assert parse("\ufeff; head\r\n" + text) == draft


def drop(text, random):
    at = random.randrange(len(text))
    return text[:at] + text[at + random.randint(1, 3) :]


def double(text, random):
    at = random.randrange(len(text))
    return text[: at + random.randint(1, 9)] + text[at:]


def swap(text, random):
    letters = list(text)
    a, b = random.randrange(len(text)), random.randrange(len(text))
    letters[a], letters[b] = letters[b], letters[a]
    return "".join(letters)


def insert(text, random):
    at = random.randrange(len(text))
    return text[:at] + random.choice(INSERTED) * random.choice((1, 1, 1, 40)) + text[at:]


def shuffle(text, random):
    rows = text.split("\n")
    a, b = random.randrange(len(rows)), random.randrange(len(rows))
    rows[a], rows[b] = rows[b], rows[a]
    return "\n".join(rows)


def lose_rows(text, random):
    rows = text.split("\n")
    at = random.randrange(len(rows))
    return "\n".join(rows[:at] + rows[at + random.randint(1, 2) :])


def borrow(text, random):
    rows, others = text.split("\n"), random.choice(SEEDS).split("\n")
    rows.insert(random.randrange(len(rows) + 1), random.choice(others))
    return "\n".join(rows)


def tried(work, *arguments):
    """Return (what comes out, '') or (None, the message of our own error); any other error escapes."""
    try:
        return work(*arguments), ""
    except PuzzlespaceError as error:
        return None, str(error)


MUTATIONS = (drop, double, swap, insert, shuffle, lose_rows, borrow)


def damaged(seed, texts, count):
    """Yield texts with one to four mutations."""
    random = Random(seed)
    for _ in range(count):
        text = random.choice(texts)
        for _ in range(random.randint(1, 4)):
            text = random.choice(MUTATIONS)(text or " ", random)
        yield text


@pytest.mark.parametrize("seed", [0, 1, *(pytest.param(seed, marks=pytest.mark.long) for seed in range(2, 40))])
def test_damaged_files_parse_to_a_fixed_point_or_say_why_not(seed):
    parsed = 0
    for text in damaged(2026 + seed, SEEDS, 1000):
        draft, message = tried(parse, text, "x.pzl")
        if draft is None:
            assert message.startswith("x.pzl")
            continue
        printed = print_draft(draft)
        assert parse(printed) == draft
        assert print_draft(parse(printed)) == printed
        parsed += 1
    assert parsed > 100


@pytest.mark.parametrize("seed", range(2))
def test_damaged_files_become_puzzles_or_say_why_not(seed):
    built = 0
    for text in damaged(seed, SMALL, 400):
        puzzle, message = tried(from_text, text, "x.pzl")
        if puzzle is None:
            assert message.startswith("x.pzl")
            continue
        for goal in puzzle.model().goals:
            if goal.position is not None:
                assert puzzle.read(puzzle.line(goal.position)) == goal.position
        built += 1
    assert built > 20


@settings(max_examples=150, deadline=None, derandomize=True)
@given(DRAFTS)
def test_random_drafts_become_puzzles_or_say_why_not(draft):
    puzzle, message = tried(from_text, print_draft(draft), "x.pzl")
    assert message.startswith("x.pzl") if puzzle is None else puzzle.draft == draft


def test_random_bytes_are_text_or_refused():
    random = Random(7)
    for _ in range(2000):
        data = bytearray(random.choice(SEEDS).encode())
        for _ in range(random.randint(1, 5)):
            data[random.randrange(len(data))] = random.choice((random.randrange(256), 10, 13, 59, 255))
        draft, message = tried(lambda: parse(decode(bytes(data), "x.pzl"), "x.pzl"))  # noqa: B023
        assert message.startswith("x.pzl") if draft is None else parse(print_draft(draft)) == draft


def test_damaged_lines_of_the_template_say_why_not():
    random = Random(1)
    for _ in range(500):
        text = "8 6 7 / 2 5 4 / 3 . 1 > 1 2 3 / 4 5 6 / 7 8 .\n"
        for _ in range(random.randint(1, 6)):
            text = random.choice(MUTATIONS[:4])(text or " ", random)
        draft, message = tried(template.parse, text, "x.line")
        assert message.startswith("x.line:") if draft is None else template.parse(template.write(draft)) == draft


@pytest.mark.parametrize("spec", [f"{family.name}:{size}" for family in FAMILIES for size in family.examples])
def test_families_by_size_can_be_written_down(spec):
    name, _, size = spec.partition(":")
    made = next(family for family in FAMILIES if family.name == name).make(size)
    if isinstance(made, Draft):
        text = print_draft(made)
        assert parse(print_draft(parse(text))) == parse(text)
        again, model = from_text(text, "x.pzl").model(), build(made, spec).model()
        assert (again.start, again.goals, again.rules) == (model.start, model.goals, model.rules)
