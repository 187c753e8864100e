"""Files of the language with one mistake: an error with its line, a warning, or what the second reading says, too."""

import re
import warnings
from collections import Counter
from pathlib import Path
from random import Random

import pytest

from fuzz import changes_mutated as mutations
from fuzz import changes_reference as reference
from fuzz.test_changes import BEYOND, EXAMPLES, ROOT, numbers_of
from puzzlespace.api.loader import from_text
from puzzlespace.errors import EndlessError, FormatError, PuzzleWarning

SMALL, LARGE = 300, 1500
"""Files of so many positions are mutated; mutants of more positions than `LARGE` are not counted."""


def files():
    """The small files: those of the catalogue and of the pages."""
    texts = [file.read_text(encoding="utf-8") for file in EXAMPLES if file.stem not in BEYOND]
    for page in ("changes.md", "tutorials/own-puzzle.md", "tutorials/how-to-say.md"):
        texts += re.findall(r"```pzl\n(.*?)```", Path(ROOT / "docs" / page).read_text(encoding="utf-8"), re.DOTALL)
    told = [(text, reference.known(text).get("states")) for text in texts]
    return [text for text, states in told if (states or 0) <= SMALL]


def outcome(text):
    """What becomes of a file: 'refused', 'open' (no start), 'large', 'read' or 'doubted' (with a warning)."""
    try:
        with warnings.catch_warnings(action="ignore", category=PuzzleWarning):
            puzzle = from_text(text, "mutant.pzl")
    except FormatError as error:
        return "refused" if error.line else "no line"
    if puzzle.start is None or not puzzle.goals:
        return "open"
    if any(each.severity == "warning" for each in puzzle.diagnostics):
        return "doubted"
    try:
        expected = {"solution": None} | reference.numbers(reference.read(text), LARGE)
    except ValueError as error:
        return "large" if error.args == (LARGE,) else "not understood"
    except reference.EndlessError:
        with pytest.raises(EndlessError):
            numbers_of(puzzle)
        return "read"
    assert numbers_of(puzzle) == expected
    return "read"


def outcomes(seeds):
    """How many mutants end in each way."""
    texts, found = files(), Counter()
    for seed in seeds:
        random = Random(seed)
        text = random.choice(texts)
        kind, mutant = mutations.mutated(text, random)
        if mutant == text:
            continue
        try:
            found[outcome(mutant)] += 1
        except Exception as fault:
            raise AssertionError(f"seed {seed}, {kind}:\n{mutant}") from fault
    assert found.keys() <= {"refused", "open", "large", "read", "doubted"}, found
    return found


def test_a_mistake_is_refused_or_doubted_or_read_as_the_page_says():
    found = outcomes(range(150))
    assert found["refused"] > 60
    assert found["read"] > 20


@pytest.mark.long
@pytest.mark.parametrize("first", range(1000, 21000, 2000))
def test_many_mistakes_are_refused_or_doubted_or_read_as_the_page_says(first):
    assert outcomes(range(first, first + 2000))["read"] > 200


def test_every_kind_of_mistake_is_made():
    text = files()[0]
    made = {mutations.mutated(text, Random(seed))[0].partition(" in ")[0] for seed in range(400)}
    assert made == set(mutations.MISTAKES)
