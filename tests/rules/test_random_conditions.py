"""Random sentences, rendered as text and read again, against the same said in Python."""

from itertools import product
from random import Random

import numpy as np
import pytest

from puzzlespace.model.sentence import TooManyCasesError
from puzzlespace.rules.change.always import always
from puzzlespace.rules.change.conditions import in_words, read
from sentences import CELLS, COUNTS, NEEDS, NUMBERS, PLACES, SYMBOLS, word


def random_simple(rng):
    what = rng.sample(list(NEEDS), rng.randint(1, 2))
    need = NEEDS[what[0]] | NEEDS[what[-1]]
    places = rng.sample(list(PLACES), rng.randint(1, 2))
    where = {cell for place in places for cell in PLACES[place]}
    what, places = " ".join(what), " ".join(places)

    def shows(p, cell):
        return bool(need >> p[cell] & 1)

    sign, number = rng.choice(list(SIGNS)), rng.randrange(5)
    one, two = rng.sample(list(CELLS), 2)
    place = rng.choice(["x", "bank"])
    return rng.choice(
        [
            (f"count {what} {sign} {number}", lambda p: SIGNS[sign](sum(shows(p, c) for c in range(4)), number)),
            (
                f"count {what} on {places} {sign} {number}",
                lambda p: SIGNS[sign](sum(shows(p, c) for c in where), number),
            ),
            (f"all {what} on {places}", lambda p: all(c in where for c in range(4) if shows(p, c))),
            (f"each {places} shows {what}", lambda p: all(shows(p, c) for c in where)),
            (f"some {what} on {places}", lambda p: any(shows(p, c) for c in where)),
            (f"no {what} on {places}", lambda p: not any(shows(p, c) for c in where)),
            (f"no {what}", lambda p: not any(shows(p, c) for c in range(4))),
            (f"only {what}", lambda p: all(shows(p, c) for c in range(4))),
            (f"connected {what}", lambda p: in_one_part({c for c in range(4) if shows(p, c)})),
            ("rows alike", lambda p: p[0] == p[1] and p[2] == p[3]),
            ("columns alike", lambda p: p[0] == p[2] and p[1] == p[3]),
            ("board alike", lambda p: len(set(p[:4])) == 1),
            ("start", lambda p: p == SYMBOLS.start),
            (f"{one} = {two}", lambda p: p[CELLS[one]] == p[CELLS[two]]),
            (f"{one} != A", lambda p: p[CELLS[one]] != 1),
            (f"wall = {one}", lambda p: p[CELLS[one]] in (0, 2)),
            (
                f"{one} = some {place} != {two}",
                lambda p: any(p[CELLS[one]] == p[m] and p[m] != p[CELLS[two]] for m in PLACES[place]),
            ),
            (
                f"{one} != every {place}",
                lambda p: all(p[CELLS[one]] != p[m] for m in PLACES[place]),
            ),
        ]
    )


SIGNS = {
    "=": lambda a, b: a == b, "!=": lambda a, b: a != b, "<": lambda a, b: a < b, "<=": lambda a, b: a <= b,
    ">": lambda a, b: a > b, ">=": lambda a, b: a >= b, "at least": lambda a, b: a >= b,
    "at most": lambda a, b: a <= b, "exactly": lambda a, b: a == b,
}  # fmt: skip


def in_one_part(cells):
    """Only opposite corners of a 2x2 board do not hang together."""
    return cells not in ({0, 3}, {1, 2})


def random_sum(rng):
    """A comparison of up to three sums of numbers."""
    place, quantifier = rng.choice(["x", "bank"]), rng.choice(["some", "every"])
    cells = [each for each in COUNTS if each != "turn"]
    chains = [["<=", "<"], ["=", "!="], [">", ">"]] if quantifier == "some" else []
    signs = rng.choice([["<"], [">="], ["="], ["!="], *chains])
    sides = [[rng.choice([*cells, "1", "2", place]) for _ in range(rng.randint(1, 3))] for _ in range(len(signs) + 1)]
    if not any(set(side) - {"1", "2"} for side in sides[:2]) or not any(set(side) - {"1", "2"} for side in sides[-2:]):
        return random_sum(rng)
    plus = rng.choice(["+", "-"])
    texts = [f" {plus} ".join(f"{quantifier} {name}" if name == place else name for name in side) for side in sides]
    text = texts[0] + "".join(f" {sign} {side}" for sign, side in zip(signs, texts[1:], strict=True))

    def said(p):
        def of(name, m):
            return p[m] if name == place else p[COUNTS[name]] if name in COUNTS else int(name)

        def chain(m):
            factor = 1 if plus == "+" else -1
            values = [of(side[0], m) + factor * sum(of(name, m) for name in side[1:]) for side in sides]
            return all(SIGNS[sign](*values[at : at + 2]) for at, sign in enumerate(signs))

        return (any if quantifier == "some" else all)(chain(m) for m in PLACES[place])

    return text, said


RANK = {"or": 0, "and": 1, "not": 2, "simple": 3}


def random_tree(rng, simple, depth):
    """Return the text of a sentence, its weakest joint, and a function of a position."""
    joint = rng.choice(["or", "and", "not", "simple"]) if depth else "simple"
    if joint == "simple":
        text, said = simple(rng)
        return text, joint, said
    parts = [random_tree(rng, simple, depth - 1) for _ in range(1 if joint == "not" else rng.randint(2, 3))]
    texts = [
        text if RANK[inner] > RANK[joint] and rng.random() < 0.8 else rng.choice(["({})", "( {} )"]).format(text)
        for text, inner, _ in parts
    ]
    saids = [said for *_, said in parts]
    if joint == "not":
        return f"not {texts[0]}", joint, lambda p: not saids[0](p)
    joined = any if joint == "or" else all
    return f" {joint} ".join(texts), joint, lambda p: joined(said(p) for said in saids)


def met(needs, position):
    return all(need >> position[cell] & 1 for cell, need in needs.items())


@pytest.mark.parametrize(("scope", "simple"), [(SYMBOLS, random_simple), (NUMBERS, random_sum)], ids=("words", "sums"))
def test_random_sentences_say_what_python_says(scope, simple):
    rng = Random(2026)
    positions = [bytes(each) for each in product(range(3), repeat=5)]
    cells = np.array([list(position) for position in positions], np.uint8)
    decided, taken_apart = set(), 0
    for _ in range(150):
        text, _, said = random_tree(rng, simple, rng.randrange(4))
        found = read(word(text), scope)
        truth = [said(position) for position in positions]
        assert [found.holds(position) for position in positions] == truth, text
        assert np.broadcast_to(found.among(lambda cell: cells[:, cell]), len(positions)).tolist() == truth, text
        assert set(found.cells()) <= set(range(5))
        decided.add(answer := always(found, scope))
        assert answer is None or set(truth) == {answer}, text
        assert in_words(text) == " ".join(text.split())
        try:
            cases = found.cases(3)
        except TooManyCasesError:
            continue
        taken_apart += 1
        if taken_apart % 3 == 0:
            assert [any(met(needs, position) for needs in cases) for position in positions] == truth, text
    assert decided == {True, False, None}
    assert taken_apart > 60
