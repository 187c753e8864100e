"""Marks of moves that lead back: rules of one colour exclude each other, and searches with marks are held to plain."""

import random
from dataclasses import replace

import pytest

from puzzlespace.contract.questions import Depths
from puzzlespace.engines import frontier, plain
from puzzlespace.engines.packed.front import COMPILE_FRONTIER, Front
from puzzlespace.engines.packed.hashed_layers import ARENA_BLOCK, ARENA_EXTRA, LAYER_BITS, Compiled
from puzzlespace.engines.packed.undoing import return_colours
from puzzlespace.limits.thresholds import Thresholds
from puzzlespace.limits.watch import Limits, Watch
from puzzlespace.model.effects import canonical
from puzzlespace.model.model import Model
from puzzlespace.model.rule import Rule
from puzzlespace.search.ends import begun
from puzzlespace.structure.whole_moves import joined
from toys import flips, grid_edges, links, ring, slide, turns


def one_blank(width, height, symbols, seed, count="step"):
    """A slide with one blank on a grid with one more link; all pieces but two are equal."""
    rng = random.Random(seed)
    cells = width * height
    edges = [*grid_edges(width, height), *links(tuple(rng.sample(range(cells), 2)))]
    start = [0, symbols - 1, 2, *([1] * (cells - 3))]
    return slide(edges, start, start, count)


def random_turns(size, seed):
    """Two random permutations and their inverses, on different symbols."""
    rng = random.Random(seed)
    return turns(size, [rng.sample(range(size), size) for _ in range(2)])


MODELS = {
    "slide of 1 word": one_blank(4, 3, 9, 1),
    "slide of 2 words": one_blank(5, 4, 9, 2),
    "slide of 3 words": one_blank(6, 4, 33, 3),
    "slide of 4 words": one_blank(33, 1, 33, 4),
    "long moves": one_blank(3, 3, 5, 5, "run"),
    "different pieces": slide(grid_edges(3, 2), (0, 1, 2, 3, 4, 5), (0, 1, 2, 3, 4, 5)),
    "two blanks": slide(grid_edges(3, 2), (1, 2, 3, 0, 4, 0), (1, 2, 3, 0, 4, 0)),
    "token": ring(9),
    "flips": flips(3, 3),
    **{f"turns {seed}": random_turns(5 + seed % 2, seed) for seed in range(6)},
}
"""Puzzles whose moves can be taken back, of one to four words."""


def compiled_front(model, **options):
    front = Front(model, frontier.packing_of(model, (model.start,)))
    end = begun(front, (model.start,))
    front.compile(Compiled(**options))
    return front, end


def positions(model):
    """Return the first few hundred positions."""
    found = pending = {model.start}
    while pending and len(found) < 400:
        pending = {child for position in pending for child in model.moves(position)} - found
        found = found | pending
    return found


@pytest.mark.parametrize("name", MODELS)
def test_searches_with_marks_count_what_plain_counts(name):
    model, rng, whole = MODELS[name], random.Random(name), 0
    expected = plain.depths(Depths(model, (model.start,)), Watch())
    for bits, limit in ((2, None), (4, 1 << 40), (6, 1 << 40), (10, None), (10, None)):
        block, threads, most = rng.choice((8, 32, 512)), rng.randrange(1, 4), rng.choice((1, 1 << 12, 1 << 29))
        front, end = compiled_front(
            model, bits=bits, threads=threads, most=most, block=block, extra=rng.choice((1, 64))
        )
        watch = Watch(Limits(memory=limit))
        while end.size:
            end.grow(watch)
        assert tuple(end.sizes) == expected.counts, (bits, block, threads, most)
        if bits == 2:
            whole = watch.generated
            assert not front.plan.trials(bits).marked
            assert whole >= expected.generated
        elif not front.plan.trials(bits).marked:
            assert watch.generated == whole
        elif front.alternates:
            assert watch.generated == whole // 2
        else:
            assert whole // 2 <= watch.generated < whole
    assert front.plan.trials(10).marked


def full_words(chance, words):
    """Listed moves on all bits of some words; the positions include all zeros and all ones. Some have no inverse."""
    width, groups = chance.choice(((1, 6), (2, 4), (4, 2)))
    cells, symbols = words * 64 // width, 1 << width
    rules = []
    for number in range(groups):
        mine = tuple(cell for cell in range(cells) if cell % groups == number or chance.random() < 0.1)
        steps = chance.choice(((1,), (1, symbols - 1), (symbols - 1, 1)))
        for step in dict.fromkeys(steps):
            table = tuple((symbol + step) % symbols for symbol in range(symbols))
            rules.append(Rule("", mine, (-1,) * len(mine), tuple(range(len(mine))), (table,) * len(mine)))
    return Model(cells, symbols, tuple(rules), start=bytes([chance.choice((0, symbols - 1))]) * cells)


@pytest.mark.parametrize("words", range(1, 5))
def test_positions_that_fill_their_words_are_counted_from_several_sources_up_to_any_limit(words):
    whole = 0
    for seed in range(4):
        chance = random.Random(10 * seed + words)
        model = full_words(chance, words)
        ends = (model.start, *(bytes([model.symbols - 1 - model.start[0]]) * model.cells, model.start)[: seed % 3])
        question = Depths(model, ends, 7)
        expected = plain.depths(question, Watch(Limits(positions=3000)))
        by = Thresholds(
            {
                COMPILE_FRONTIER: 0,
                LAYER_BITS: chance.choice((2, 5, 10)),
                ARENA_BLOCK: chance.choice((16, 32)),
                ARENA_EXTRA: 1,
            }
        )
        for most in (expected.generated // 3, expected.generated // 2, 3000):
            found = frontier.depths(question, Watch(Limits(positions=most), thresholds=by))
            both = min(len(found.counts), len(expected.counts))
            assert found.counts[:both] == expected.counts[:both]
            assert found.complete == (found.stopped is None)
            if found.complete and expected.complete:
                assert (found.counts, found.deepest) == (expected.counts, expected.deepest)
                whole += 1
    assert whole > 1


def test_moves_of_one_position_never_share_a_colour():
    most = 0
    for name, model in MODELS.items():
        rules = (joined(model) or model).rules
        colours = return_colours(joined(model) or model, (model.start,), range(len(rules)), 9)
        assert colours is not None
        for position in positions(model):
            applied = [
                (colour, canonical(rule, model.symbols))
                for rule, (colour, _) in zip(rules, colours, strict=True)
                if rule.apply(position) is not None
            ]
            assert len({colour for colour, _ in applied}) == len({form for _, form in applied}), name
            most = max(most, len(applied))
    assert most > 4


def test_no_marks_for_moves_that_are_not_undone_by_one_rule():
    up = Rule("up", (0,), (-1,), (0,), ((1, 2, 0),))
    assert return_colours(Model(1, 3, (up,)), (bytes(1),), range(1), 9) is None
    twice = replace(up, name="twice", table=((2, 0, 1),))
    assert return_colours(Model(1, 3, (up, twice)), (bytes(1),), range(2), 9) == [(0, 1), (1, 0)]
    assert return_colours(Model(1, 3, (up, twice)), (bytes(1),), range(2), 1) is None
    assert return_colours(Model(1, 3, (up, twice, up)), (bytes(1),), range(3), 2) == [(0, 1), (1, 0), (0, 1)]
    wider = Rule("wider", (0,), (3,), (0,), ((1, 2, 0),))
    assert return_colours(Model(1, 3, (wider, twice)), (bytes(1),), range(2), 9) is None
