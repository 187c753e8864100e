"""Rules on the cells that may change, against all rules on all cells."""

import random

from puzzlespace.contract.questions import Depths
from puzzlespace.engines import program
from puzzlespace.engines.plain import ENGINE as PLAIN
from puzzlespace.limits.watch import Limits, Watch
from puzzlespace.model.goal import Goal
from puzzlespace.model.metric import Metric
from puzzlespace.model.model import Model
from puzzlespace.model.rule import ANY, Rule
from puzzlespace.structure.narrow import Narrowing


def drawn(draw):
    """Return a drawn model: rules write some cells, and test and read those that none writes, too."""
    cells, symbols = draw.randint(3, 8), draw.randint(2, 4)
    written = draw.sample(range(cells), draw.randint(1, cells - 1))
    rules = []
    for number in range(draw.randint(1, 6)):
        places = draw.sample(range(cells), draw.randint(1, min(4, cells)))
        need = tuple(draw.choice((ANY, ANY, draw.randrange(1, 1 << symbols))) for _ in places)
        source = [draw.randrange(len(places)) if cell in written else at for at, cell in enumerate(places)]
        mapped = [tuple(draw.randrange(symbols) for _ in range(symbols)) for _ in places]
        table = [
            draw.choice((None, each)) if cell in written else None for cell, each in zip(places, mapped, strict=True)
        ]
        rules.append(Rule(f"r{number}", tuple(places), need, tuple(source), tuple(table)))
    after = tuple(tuple(draw.sample(range(len(rules)), draw.choice((0, 0, 1)))) for _ in rules)
    start = bytes(draw.randrange(symbols) for _ in range(cells))
    goal = Goal(tuple(draw.choice((ANY & (1 << symbols) - 1, draw.randrange(1, 1 << symbols))) for _ in range(cells)))
    metric = draw.choice((Metric(), Metric("run", after))) if any(after) else Metric()
    return Model(cells, symbols, tuple(rules), metric, start, (goal,))


def test_narrowed_rules_make_the_same_moves_and_goals():
    draw, narrower = random.Random(3), 0
    for _ in range(150):
        model = drawn(draw)
        narrowing = Narrowing.of(model, (model.start,))
        small = narrowing.model(model)
        narrower += small.cells < model.cells
        layer = [model.start]
        for _ in range(3):
            for position in layer:
                taken = narrowing.taken(position)
                assert narrowing.whole(taken) == [position]
                assert sorted(map(narrowing.taken, model.moves(position))) == sorted(small.moves(taken))
                needs = narrowing.needs(model.goals[0])
                met = needs is not None and all(need >> taken[cell] & 1 for cell, need in needs)
                assert met == model.is_goal(position)
            layer = [child for position in layer for child in model.moves(position)][:20]
    assert narrower > 75


def test_counts_of_narrowed_rules_are_those_of_plain_python():
    draw, sizes = random.Random(4), []
    for _ in range(40):
        model = drawn(draw)
        other = bytes(draw.randrange(model.symbols) for _ in range(model.cells))
        question = Depths(model, (model.start, other)[: draw.randint(1, 2)], collect=model.goals)
        right, found = (each.depths(question, Watch(Limits(positions=3000))) for each in (PLAIN, program.ENGINE))
        assert (found.counts, found.deepest) == (right.counts, right.deepest)
        assert sorted(found.collected) == sorted(right.collected)
        sizes.append(sum(right.counts))
    assert max(sizes) > 20
