"""Prepared rules do what `Rule.apply` does, for random rules of every kind and all positions."""

from dataclasses import replace
from itertools import product
from random import Random

import pytest

from puzzlespace.model.changes import change_of
from puzzlespace.model.effects import canonical, canonicals, each_inverse, inverse
from puzzlespace.model.facts import cells_changed_by, changed_cells, orbits, symbol_classes
from puzzlespace.model.model import Model
from puzzlespace.model.rule import ANY, Rule


def random_rule(chance: Random, cells: int, symbols: int) -> Rule:
    """Return a rule of any cells, needs, sources and tables; each of its kinds is likely."""
    used = tuple(chance.sample(range(cells), chance.randrange(cells + 1)))
    width, every = len(used), (1 << symbols) - 1
    needs = chance.choice(
        (
            lambda: ANY,
            lambda: every,
            lambda: 1 << chance.randrange(symbols),
            lambda: chance.randrange(1, every + 1),
            lambda: chance.choice((ANY, 1 << chance.randrange(symbols), chance.randrange(1, every + 1))),
        )
    )
    tables = chance.choice(
        (
            lambda: None,
            lambda: (chance.randrange(symbols),) * symbols,
            lambda: tuple(chance.choices(range(symbols), k=symbols)),
            lambda: chance.choice((None, tuple(chance.choices(range(symbols), k=symbols)))),
        )
    )
    sources = chance.choice(
        (
            lambda: list(range(width)),
            lambda: chance.sample(range(width), width),
            lambda: [chance.randrange(width) for _ in range(width)],
        )
    )
    return Rule(
        "any",
        used,
        tuple(needs() for _ in used),
        tuple(sources()),
        tuple(tables() for _ in used),
    )


@pytest.mark.parametrize("seed", range(8))
def test_prepared_rules_do_what_rules_do(seed):
    chance = Random(seed)
    applied = changed = 0
    for _ in range(300):
        cells, symbols = chance.choice(((1, 1), (1, 3), (2, 2), (2, 4), (3, 3), (4, 2), (4, 3), (5, 2)))
        rule = random_rule(chance, cells, symbols)
        change = change_of(rule, cells, symbols)
        for position in map(bytes, product(range(symbols), repeat=cells)):
            expected = rule.apply(position)
            assert change(position) == expected, (rule, position)
            applied += expected is not None
            changed += expected not in (None, position)
    assert 1_000 < changed < applied


def test_rules_that_differ_only_in_their_cells_are_read_as_each_alone():
    chance, changed = Random(5), 0
    for _ in range(200):
        cells, symbols = chance.choice(((3, 2), (4, 3), (6, 4)))
        rules = [random_rule(chance, cells, symbols) for _ in range(3)]
        rules += [
            replace(rule, name="again", cells=tuple(chance.sample(range(cells), len(rule.cells))))
            for rule in chance.choices(rules, k=6)
        ]
        assert list(canonicals(rules, symbols)) == [canonical(rule, symbols) for rule in rules]
        assert list(each_inverse(rules, symbols)) == [inverse(rule, symbols) for rule in rules]
        model = Model(cells, symbols, tuple(rules))
        assert set(changed_cells(model)) == {cell for rule in rules for cell in cells_changed_by(rule, symbols)}
        classes = symbol_classes(rules, symbols)
        labels = orbits(model)
        for rule in rules:
            for _ in range(20):
                position = bytes(chance.choices(range(symbols), k=cells))
                after = rule.apply(position)
                if after is not None:
                    counts = [sorted((classes[s], labels[s][c]) for c, s in enumerate(p)) for p in (position, after)]
                    assert counts[0] == counts[1]
                    changed += after != position
    assert changed > 500
