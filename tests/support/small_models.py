"""Models of a few cells with arbitrary rules, and a model whose positions do not fit a word."""

from dataclasses import replace

from hypothesis import strategies as st

from puzzlespace.model.goal import Goal
from puzzlespace.model.model import Model
from puzzlespace.model.rule import Rule


def long_row(cells, symbols, start=None):
    """A row of cells of several bits each: some neighbours can be exchanged, and the first cell counts up and down."""
    swap = [Rule(f"s{a}", (a, a + 1), (-1, -1), (1, 0), (None, None)) for a in range(0, cells - 1, cells // 4)]
    count = Rule("up", (0,), (-1,), (0,), (tuple((s + 1) % symbols for s in range(symbols)),))
    down = Rule("down", (0,), (-1,), (0,), (tuple((s - 1) % symbols for s in range(symbols)),))
    position = bytes(start or [c % 2 for c in range(cells)])
    return Model(cells, symbols, (*swap, count, down), start=position)


@st.composite
def small_models(draw):
    """Arbitrary rules on 2 to 5 cells and 2 to 4 symbols, with a random relation between rules as the metric."""
    cells, symbols = draw(st.integers(2, 5)), draw(st.integers(2, 4))
    rules = []
    for number in range(draw(st.integers(1, 4))):
        touched = draw(st.permutations(range(cells)))[: draw(st.integers(1, min(3, cells)))]
        width = range(len(touched))
        need = st.one_of(st.just(-1), st.integers(1, (1 << symbols) - 1))
        row = st.lists(st.integers(0, symbols - 1), min_size=symbols, max_size=symbols).map(tuple)
        rules.append(
            Rule(
                str(number),
                tuple(touched),
                tuple(draw(need) for _ in width),
                tuple(draw(st.integers(0, len(touched) - 1)) for _ in width),
                tuple(draw(st.one_of(st.none(), row)) for _ in width),
            )
        )
    position = st.lists(st.integers(0, symbols - 1), min_size=cells, max_size=cells).map(bytes)
    start, goal = draw(position), draw(position)
    model = Model(cells, symbols, tuple(rules), start=start, goals=(Goal.exactly(goal),))
    lists = st.lists(st.integers(0, len(rules) - 1), max_size=3).map(tuple)
    after = draw(st.one_of(st.just(()), st.lists(lists, min_size=len(rules), max_size=len(rules)).map(tuple)))
    return replace(model, metric=replace(model.metric, after=after)), start, goal
