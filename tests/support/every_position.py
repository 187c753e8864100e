"""Lower bounds of all positions of a puzzle at once, from the tables of the program's bounds."""

import numpy as np

from puzzlespace.analysis.impossible import goal_positions
from puzzlespace.graph.positions import explored
from puzzlespace.heuristics.assignment import ENDLESS, Assignment, told_apart
from puzzlespace.heuristics.inversion import moves
from puzzlespace.limits.watch import Watch

MOST = 6_000_000


def listed(model):
    """All positions from which a goal can be reached, uint8 [n, cells], and the distance of each to the goal."""
    assert model.reversible
    graph = explored(model, list(goal_positions(model)), MOST, Watch())
    assert graph.complete
    return graph.symbols, graph.layers


def of_sums(made, symbols):
    """The bound of the compiled search: distances of single pieces, views, even or odd matchings."""
    even, odd = looked_up(made.alone, symbols), np.full(len(symbols), ENDLESS)
    if made.slides.joint != 1 and not made.views:
        most = looked_up(made.alone, symbols, np.maximum.reduce)
        return np.maximum(-(-even // made.slides.joint), most)
    for view in made.views:
        weights = {}
        for (symbol, cell), weight in view.weights.items():
            weights.setdefault(symbol, [0] * symbols.shape[1])[cell] = weight
        keys = np.array(sorted(view.costs))
        costs = np.array([view.costs[int(key)] for key in keys])
        wanted = looked_up(weights, symbols)
        at = np.searchsorted(keys, wanted)
        assert (keys[at] == wanted).all()
        a, b = costs[at].T
        even, odd = np.minimum(even + a, odd + b), np.minimum(even + b, odd + a)
    if made.parity is None:
        return np.minimum(even, odd)
    return np.where(are_odd(made.parity, symbols), odd, even)


def looked_up(tables, symbols, join=np.add.reduce):
    """The sum, over the cells, of the table's number for the symbol in the cell."""
    table = np.zeros((256, symbols.shape[1]), np.int64)
    for symbol, row in tables.items():
        table[symbol] = row
    return join([table[symbols[:, cell], cell] for cell in range(symbols.shape[1])])


def are_odd(whole, symbols):
    """Whether pieces matched in the order of cells need an odd matching, like `Assignment.odd`."""
    apart = np.zeros_like(symbols)
    rank = np.ones(len(symbols), np.uint8)
    for symbol in np.unique(symbols):
        if symbol != whole.slides.blank:
            for cell in range(symbols.shape[1]):
                here = symbols[:, cell] == symbol
                apart[here, cell] = rank[here]
                rank += here
    goal = told_apart(whole.slides, whole.goal)
    return np.any([parity_of(parity, apart) != parity.value(goal) for parity in whole.swap_parities], axis=0)


def parity_of(parity, symbols):
    """`Parity.value` of all positions."""
    total = looked_up(dict(enumerate(zip(*parity.weight, strict=True))), symbols)
    for cells in parity.signed:
        for at, a in enumerate(cells):
            for b in cells[at + 1 :]:
                total += symbols[:, a] > symbols[:, b]
    return total % 2


def of_inversion(bound, symbols):
    """Inversions counted along rows and along columns."""
    total = np.zeros(len(symbols), np.int64)
    for axis, (order, ranks) in enumerate(zip(bound.orders, bound.ranks, strict=True)):
        found = np.zeros(len(symbols), np.int64)
        rank = np.array([ranks[symbol] for symbol in range(len(ranks))])[symbols]
        pieces = symbols != bound.slides.blank
        for at, a in enumerate(order):
            for b in order[at + 1 :]:
                found += pieces[:, a] & pieces[:, b] & (rank[:, b] < rank[:, a])
        passed = bound.shape.lines(1 - axis) - 1
        total += np.array([moves(count, passed) for count in range(found.max() + 1)])[found]
    return total


def of_database(base, symbols):
    """The greatest sum of the tables over the images; a table is read once for every arrangement of its pieces."""
    cells = pieces_of(base, symbols)
    blank = np.argmax(symbols == base.slides.blank, axis=1)
    found = np.zeros(len(cells), np.int64)
    for views in base.images:
        left = base.alone.keys() - {piece for view in views for piece in view.pieces}
        total = sum((np.array(base.alone[piece])[cells[:, piece]] for piece in left), np.zeros(len(cells), np.int64))
        for view in views:
            key = blank.copy()
            for piece in view.pieces:
                key = key * symbols.shape[1] + cells[:, piece]
            _, first, back = np.unique(key, return_index=True, return_inverse=True)
            read = [base.read(view, cells[at].tolist(), int(blank[at])) for at in first]
            total += np.array(read)[back]
        found = np.maximum(found, total)
    return found


def pieces_of(base, symbols):
    """The cell of each piece, intp [n, pieces], as `labels.read` numbers them."""
    order = np.argsort(symbols, axis=1, kind="stable")
    here = np.take_along_axis(symbols, order, axis=1)
    cells = order[~np.isin(here, (base.slides.blank, base.slides.body))].reshape(len(symbols), -1)
    twins = [n for n, symbol in enumerate(base.pieces.symbols) if base.pieces.symbols.count(symbol) > 1]
    if base.pieces.unique_targets and twins:
        exchanged = are_odd(Assignment(base.slides, base.goal), symbols)
        cells[np.ix_(exchanged, twins)] = cells[np.ix_(exchanged, twins[::-1])]
    return cells
